//! One sitemap in the making: entries gathered until a limit is reached, then written to a file with header and end.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

use super::Options;
use super::encode::{Namespaces, Written, push_declarations};
use super::escape::push_attribute;

pub const SITEMAP_NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Everything before the first entry: declaration, style sheet, root element with the namespaces.
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

/// Everything after the last entry.
pub fn footer(root: &str, options: &Options) -> Vec<u8> {
    let line = if options.pretty { "\n" } else { "" };
    format!("{line}</{root}>\n").into_bytes()
}

/// What is known of a finished file.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub entries: u64,
    /// Uncompressed size, in bytes.
    pub bytes: u64,
    /// Size of the file, in bytes.
    pub file_bytes: u64,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The newest lastmod, in microseconds since 1970.
    pub newest: Option<i64>,
    pub alternates: u64,
    pub images: u64,
    pub videos: u64,
    pub news: u64,
}

/// What became of an entry that was offered to a part.
pub enum Fit {
    Kept,
    /// It does not fit any more: it was taken out again, and the part is full.
    Full,
    /// It does not fit into any part.
    TooLarge(u64),
}

/// The entries of one sitemap so far, and what is known of them.
#[derive(Default)]
pub struct Part {
    pub body: Vec<u8>,
    namespaces: Namespaces,
    facts: Facts,
}

impl Part {
    pub fn is_empty(&self) -> bool {
        self.facts.entries == 0
    }

    /// Judges whether the entry, just written to the end of the body from `start` on, fits.
    #[inline]
    pub fn fit(&mut self, start: usize, written: &Written, frame: &Frame, options: &Options) -> Fit {
        let length = (self.body.len() - start) as u64;
        let namespaces = self.namespaces | written.namespaces;
        let bytes = frame.length(namespaces, options) + self.body.len() as u64;
        let facts = &self.facts;
        if bytes <= options.max_bytes
            && facts.entries < options.max_entries
            && facts.news + written.news <= options.max_news
        {
            self.namespaces = namespaces;
            self.note(written);
            return Fit::Kept;
        }
        let alone = frame.length(written.namespaces, options) + length;
        if alone > options.max_bytes || written.news > options.max_news {
            return Fit::TooLarge(alone);
        }
        Fit::Full
    }

    fn note(&mut self, written: &Written) {
        let facts = &mut self.facts;
        facts.entries += 1;
        facts.newest = facts.newest.max(written.lastmod);
        facts.alternates += written.alternates;
        facts.images += written.images;
        facts.videos += written.videos;
        facts.news += written.news;
    }

    /// Takes the finished part out, and leaves one with what stands in the body from `start` on, its only entry.
    /// `spare` is an empty buffer for it: one that was in use before costs no new pages.
    pub fn split_off(&mut self, start: usize, written: &Written, spare: Vec<u8>) -> Part {
        let mut next = Part {
            body: spare,
            namespaces: written.namespaces,
            facts: Facts::default(),
        };
        next.body.extend_from_slice(&self.body[start..]);
        next.note(written);
        self.body.truncate(start);
        std::mem::replace(self, next)
    }

    /// Writes the part to a new file, compressed if the options say so. It is flushed to the disk when it is published, if it is.
    /// Returns what is known of the file, and the buffer, empty, for another part.
    pub fn save(self, path: &Path, options: &Options) -> io::Result<(Facts, Vec<u8>)> {
        let header = header("urlset", self.namespaces, options);
        let footer = footer("urlset", options);
        let mut facts = self.facts;
        facts.bytes = (header.len() + self.body.len() + footer.len()) as u64;
        save([&header, &self.body, &footer], path, options.gzip, &mut facts)?;
        let mut spare = self.body;
        spare.clear();
        Ok((facts, spare))
    }
}

/// Writes pieces to a new file, and notes its size and hash.
pub fn save(pieces: [&[u8]; 3], path: &Path, gzip: Option<u32>, facts: &mut Facts) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 16, Hashed::new(File::create_new(path)?));
    if let Some(level) = gzip {
        // No name and no time in the header, and an unknown system: the same bytes everywhere.
        let mut encoder = GzBuilder::new()
            .mtime(0)
            .operating_system(255)
            .write(file, Compression::new(level));
        for piece in pieces {
            encoder.write_all(piece)?;
        }
        file = encoder.finish()?;
    } else {
        for piece in pieces {
            file.write_all(piece)?;
        }
    }
    let hashed = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    facts.file_bytes = hashed.length;
    facts.sha256 = hashed
        .hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(())
}

/// A file whose bytes are counted and hashed as they go by.
struct Hashed {
    file: File,
    hash: Sha256,
    length: u64,
}

impl Hashed {
    fn new(file: File) -> Self {
        Self {
            file,
            hash: Sha256::new(),
            length: 0,
        }
    }
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The length of header and end, remembered: it depends on the namespaces alone.
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
