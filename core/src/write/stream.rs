//! One sitemap as a stream of bytes: it is handed out while entries still come, and cannot be split.

use super::Options;
use super::encode::{Encoder, Namespaces};
use super::entry::Entry;
use super::part::{footer, header};
use super::refusal::Refusal;
use super::{Failure, Sink};

/// A document in the making. The namespaces of what was written before the first bytes are taken are declared in the
/// header; one that comes into use later is declared where it is used.
pub struct Stream {
    encoder: Encoder,
    ready: Vec<u8>,
    begun: bool,
    namespaces: Namespaces,
    entries: u64,
    news: u64,
    bytes: u64,
}

impl Stream {
    pub fn new(options: Options) -> Self {
        let bytes = (header("urlset", Namespaces::MAX, &options).len() + footer("urlset", &options).len()) as u64;
        Self {
            encoder: Encoder::new(options),
            ready: Vec::new(),
            begun: false,
            namespaces: 0,
            entries: 0,
            news: 0,
            // Counted as if all namespaces were declared: a few hundred bytes too many at most.
            bytes,
        }
    }

    /// The bytes that are ready; the first ones begin with the header.
    pub fn take(&mut self) -> Vec<u8> {
        let body = std::mem::take(&mut self.ready);
        if self.begun {
            return body;
        }
        self.begun = true;
        self.encoder.declare(self.namespaces);
        let mut out = header("urlset", self.namespaces, self.encoder.options());
        out.extend_from_slice(&body);
        out
    }

    /// The last bytes, with the end of the document.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = self.take();
        out.extend_from_slice(&footer("urlset", self.encoder.options()));
        out
    }
}

impl Sink for Stream {
    fn push(&mut self, entry: &Entry) -> Result<(), Failure> {
        let start = self.ready.len();
        let written = self.encoder.encode(entry, &mut self.ready).map_err(Failure::Refused)?;
        let length = (self.ready.len() - start) as u64;
        let options = self.encoder.options();
        self.entries += 1;
        self.news += written.news;
        self.bytes += length;
        if self.entries > options.max_entries || self.news > options.max_news || self.bytes > options.max_bytes {
            return Err(Failure::Full);
        }
        self.namespaces |= written.namespaces;
        Ok(())
    }

    fn has_dropped(&self) -> bool {
        !self.encoder.dropped.is_empty()
    }

    fn take_dropped(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.encoder.dropped)
    }
}
