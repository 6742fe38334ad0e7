//! One sitemap under construction: collects entries until a limit is reached, then writes them to a file with header
//! and footer.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::encode::Written;
use super::encode::namespaces::{Namespaces, push_declarations};
use super::escape::push_attribute;
use super::rows::Tally;
use super::spare::Spare;
use super::{Options, file};

pub const SITEMAP_NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Returns everything before the first entry: declaration, stylesheet, root element with the namespaces.
pub fn header(root: &str, namespaces: Namespaces, options: &Options) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if let Some(address) = &options.stylesheet {
        out.extend_from_slice(b"<?xml-stylesheet type=\"text/xsl\" href=\"");
        push_attribute(&mut out, address);
        out.extend_from_slice(b"\"?>\n");
    }
    out.push(b'<');
    out.extend_from_slice(root.as_bytes());
    out.extend_from_slice(b" xmlns=\"");
    out.extend_from_slice(SITEMAP_NAMESPACE.as_bytes());
    out.push(b'"');
    push_declarations(&mut out, namespaces, options);
    out.push(b'>');
    if !options.pretty {
        out.push(b'\n');
    }
    out
}

/// Returns everything after the last entry.
pub fn footer(root: &str, options: &Options) -> Vec<u8> {
    let line = if options.pretty { "\n" } else { "" };
    format!("{line}</{root}>\n").into_bytes()
}

/// Facts about a finished file.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub tally: Tally,
    /// Uncompressed size, in bytes.
    pub bytes: u64,
    /// Size of the file, in bytes.
    pub file_bytes: u64,
    /// XXH3 of the file in 128 bits, in hexadecimal: it detects whether a file has changed since it was written, but
    /// does not protect against tampering.
    pub digest: String,
}

/// Whether an entry fits into a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Fits,
    /// No longer: the part is full.
    Full,
    /// Not into any part; contains the size of a document with only this entry.
    TooLarge(u64),
}

/// Bytes of encoded entries that are added to a part, or to two if the first becomes full.
pub enum Piece {
    /// Few: they are copied.
    Few(Vec<u8>),
    /// Many: the parts share them.
    Many(Arc<Vec<u8>>),
}

/// Number of bytes from which sharing them pays off.
const MANY: usize = 1 << 16;

impl Piece {
    pub fn new(bytes: Vec<u8>) -> Self {
        if bytes.len() < MANY {
            Piece::Few(bytes)
        } else {
            Piece::Many(Arc::new(bytes))
        }
    }

    pub fn length(&self) -> usize {
        self.bytes().len()
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Piece::Few(bytes) => bytes,
            Piece::Many(bytes) => bytes,
        }
    }

    /// Returns the buffer, if it is not shared.
    pub fn into_buffer(self) -> Option<Vec<u8>> {
        match self {
            Piece::Few(bytes) => Some(bytes),
            Piece::Many(bytes) => Arc::into_inner(bytes),
        }
    }
}

/// The entries of one sitemap so far, and facts about them.
#[derive(Default)]
pub struct Part {
    shared: Vec<(Arc<Vec<u8>>, Range<usize>)>,
    /// Bytes copied since the last shared buffer.
    copied: Vec<u8>,
    bytes: u64,
    tally: Tally,
}

impl Part {
    /// Creates a part of encoded entries that fit.
    pub fn of(entries: Vec<u8>, tally: Tally) -> Self {
        Self {
            shared: Vec::new(),
            bytes: entries.len() as u64,
            copied: entries,
            tally,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.tally.entries == 0
    }

    /// Length of its entries in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns whether the given entries with this number of bytes fit.
    pub fn has_room(&self, more: &Tally, bytes: usize, frame: &Frame, options: &Options) -> bool {
        let namespaces = self.tally.namespaces | more.namespaces;
        frame.length(namespaces, options) + self.bytes + bytes as u64 <= options.max_bytes
            && self.tally.entries + more.entries <= options.max_entries
            && self.tally.news + more.news <= options.max_news
    }

    /// Returns whether one entry of this many bytes fits.
    pub fn fit(&self, written: &Written, bytes: usize, frame: &Frame, options: &Options) -> Fit {
        if self.has_room(&Tally::of(written), bytes, frame, options) {
            return Fit::Fits;
        }
        let alone = frame.length(written.namespaces, options) + bytes as u64;
        if alone > options.max_bytes || u64::from(written.news) > options.max_news {
            return Fit::TooLarge(alone);
        }
        Fit::Full
    }

    /// Adds entries that fit.
    pub fn append(&mut self, piece: &Piece, range: Range<usize>, tally: &Tally) {
        self.bytes += range.len() as u64;
        self.tally.merge(tally);
        match piece {
            Piece::Few(bytes) => self.copied.extend_from_slice(&bytes[range]),
            Piece::Many(bytes) => {
                if !self.copied.is_empty() {
                    let copied = std::mem::take(&mut self.copied);
                    let whole = 0..copied.len();
                    self.shared.push((Arc::new(copied), whole));
                }
                match self.shared.last_mut() {
                    Some((last, known)) if Arc::ptr_eq(last, bytes) && known.end == range.start => {
                        known.end = range.end;
                    }
                    _ => self.shared.push((Arc::clone(bytes), range)),
                }
            }
        }
    }

    /// Writes the part to a new file, compressed if the options say so. It is flushed to disk only when it is
    /// published. Its buffers are returned to the spare ones.
    pub fn save(self, path: &Path, options: &Options, spare: &Spare) -> io::Result<Facts> {
        let header = header("urlset", self.tally.namespaces, options);
        let footer = footer("urlset", options);
        let shared = self.shared.iter().map(|(bytes, range)| &bytes[range.clone()]);
        let pieces = std::iter::once(header.as_slice())
            .chain(shared)
            .chain([self.copied.as_slice(), &footer]);
        let written = file::write(pieces, path, options.gzip)?;
        let facts = Facts {
            tally: self.tally,
            bytes: (header.len() + footer.len()) as u64 + self.bytes,
            file_bytes: written.bytes,
            digest: written.digest,
        };
        for (bytes, _) in self.shared {
            if let Some(buffer) = Arc::into_inner(bytes) {
                spare.give(buffer);
            }
        }
        Ok(facts)
    }
}

/// The length of header and footer, cached: it depends only on the namespaces.
#[derive(Default)]
pub struct Frame {
    last: std::cell::Cell<Option<(Namespaces, u64)>>,
}

impl Frame {
    #[inline]
    pub fn length(&self, namespaces: Namespaces, options: &Options) -> u64 {
        if let Some((known, length)) = self.last.get()
            && known == namespaces
        {
            return length;
        }
        let length = (header("urlset", namespaces, options).len() + footer("urlset", options).len()) as u64;
        self.last.set(Some((namespaces, length)));
        length
    }
}
