//! One sitemap as a stream of bytes: it is returned while entries are still being added, and cannot be split.

use super::Options;
use super::encode::Encoder;
use super::encode::namespaces::Namespaces;
use super::part::{footer, header};
use super::rows::{Encoded, Omission, Rows, Tally};
use super::seen::Seen;

/// A document under construction. Namespaces used before the first bytes are taken are declared in the header; one that
/// is first used later is declared where it is used.
pub struct Stream {
    encoder: Encoder,
    encoded: Encoded,
    seen: Seen,
    ready: Vec<u8>,
    begun: bool,
    tally: Tally,
    bytes: u64,
}

/// A limit of one sitemap is reached.
#[derive(Debug)]
pub struct Full;

impl Stream {
    pub fn new(options: Options) -> Self {
        let bytes = (header("urlset", Namespaces::MAX, &options).len() + footer("urlset", &options).len()) as u64;
        Self {
            encoder: Encoder::new(options),
            encoded: Encoded::default(),
            seen: Seen::new(),
            ready: Vec::new(),
            begun: false,
            tally: Tally::default(),
            // Counted as if all namespaces were declared: at most a few hundred bytes too many.
            bytes,
        }
    }

    /// Adds rows, and returns what was left out.
    pub fn add(&mut self, rows: &mut dyn Rows) -> Result<Vec<Omission>, Full> {
        self.encoded.clear();
        rows.encode(&mut self.encoder, &mut self.encoded);
        let written = std::mem::take(&mut self.encoded.rows);
        let options = self.encoder.options();
        let mut begin = 0;
        for row in &written {
            let range = std::mem::replace(&mut begin, row.end)..row.end;
            if options.unique && !self.seen.insert(row.written.hash) {
                self.encoded.refuse_repeated(row.place, rows.given(row.place));
                continue;
            }
            self.tally.add(&row.written);
            self.bytes += range.len() as u64;
            if self.tally.entries > options.max_entries
                || self.tally.news > options.max_news
                || self.bytes > options.max_bytes
            {
                return Err(Full);
            }
            self.ready.extend_from_slice(&self.encoded.bytes[range]);
        }
        self.encoded.rows = written;
        Ok(self.encoded.take_omissions())
    }

    /// Returns the bytes that are ready; the first ones start with the header.
    pub fn take(&mut self) -> Vec<u8> {
        let body = std::mem::take(&mut self.ready);
        if self.begun {
            return body;
        }
        self.begun = true;
        self.encoder.declare(self.tally.namespaces);
        let mut out = header("urlset", self.tally.namespaces, self.encoder.options());
        out.extend_from_slice(&body);
        out
    }

    /// Returns the last bytes, with the end of the document.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = self.take();
        out.extend_from_slice(&footer("urlset", self.encoder.options()));
        out
    }
}
