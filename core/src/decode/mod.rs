//! Decoding: turns a source of bytes into clean UTF-8, piece by piece in limited memory. Sniff, decompress, convert.
//!
//! The size of the source's reads cannot matter: each level fills its buffer completely before the next one sees it.

mod charset;
mod inflate;
mod level;
mod sniff;

#[cfg(test)]
mod tests;

use std::io::Read;

use encoding_rs::UTF_8;

use crate::anomaly::AnomalyKind;
use charset::Charset;
use inflate::Input;
use level::{Level, Source};
use sniff::{HEAD, Sniffed, sniff};
pub use sniff::{Magic, declared_encoding};

/// Maximum bytes to take in one step.
const STEP: usize = 256 * 1024;
/// Bytes received that are read beyond twice the limit: headers and junk that decompress to nothing must end, too.
const WIRE_SLACK: u64 = 64 * 1024;

/// How to decode.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Limit on the bytes of every level: those of a plain source and those of each gzip stream.
    pub max_inflated: u64,
    /// Whether to hash the bytes received.
    pub hash: bool,
}

/// A problem found while decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeAnomaly {
    pub kind: AnomalyKind,
    /// Offset in the decoded text, in bytes, counted from the first text returned. For an invalid sequence it is that
    /// of its U+FFFD, for a conflict that of the name in the declaration. A problem outside the text has the length of
    /// the text at its end, or 0 if it was found at the start.
    pub byte_offset: i64,
    /// Whether it has a position in the text. Problems of the gzip stream and of the size have none, nor does an
    /// anomaly that represents many.
    pub in_text: bool,
    /// Whether a document with it is not well-formed. Depends on the kind, except that a conflict without a byte order
    /// mark always counts, because libxml2 rejects it as well.
    pub breaks_xml: bool,
    /// Number of occurrences: 1, except for the last anomaly of invalid sequences, which represents all those beyond
    /// the limit on individual ones (its evidence says "… and N more", its offset is that of the first of them).
    pub count: i64,
    /// Safe to print.
    pub evidence: String,
}

/// How the received bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    None,
    Gzip,
}

impl Compression {
    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
        }
    }
}

/// Facts about the bytes; final after the end of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Bytes read from the source.
    pub wire_bytes: u64,
    /// Bytes after decompression and before the charset conversion, including a byte order mark.
    pub bytes: u64,
    pub compression: Compression,
    /// The encoding that was used, by its WHATWG name.
    pub encoding: &'static str,
    /// The encoding in the XML declaration, as written; cut at 100 characters.
    pub declared_encoding: Option<String>,
    pub has_bom: bool,
    /// The type of the document, if it is not text.
    pub magic: Option<Magic>,
    /// False if bytes are missing: a gzip stream was damaged or truncated, the limit was reached, or the source failed.
    pub complete: bool,
    /// SHA-256 of the bytes read from the source, in lowercase hexadecimal, if requested.
    pub sha256: Option<String>,
}

/// The decoder of one document.
pub struct Decoder {
    level: Level,
    options: Options,
    compression: Compression,
    /// Known after the first read.
    opened: Option<Opened>,
    anomalies: Vec<DecodeAnomaly>,
    ended: bool,
    failed: Option<(std::io::ErrorKind, String)>,
}

struct Opened {
    sniffed: Sniffed,
    charset: Charset,
}

impl Decoder {
    pub fn new(source: Box<dyn Read + Send>, options: Options) -> Self {
        let max = options.max_inflated.saturating_mul(2).saturating_add(WIRE_SLACK);
        Decoder {
            level: Level::wire(Source::new(source, options.hash), max),
            options,
            compression: Compression::None,
            opened: None,
            anomalies: Vec::new(),
            ended: false,
            failed: None,
        }
    }

    /// Appends the next piece of text to `out`, about `want` bytes and at least one, and returns its length; 0 at the
    /// end. A piece never ends inside a character.
    ///
    /// # Errors
    ///
    /// Returns an error of the source after all text before the error has been returned. Later calls repeat its kind
    /// and message.
    pub fn read(&mut self, out: &mut String, want: usize) -> std::io::Result<usize> {
        let start = out.len();
        if self.opened.is_none() {
            self.open();
        }
        let want = want.clamp(1, STEP);
        while !self.ended && out.len() == start {
            self.step(out, want);
        }
        if out.len() > start {
            return Ok(out.len() - start);
        }
        if let Some(error) = self.level.source_mut().take_error() {
            self.failed = Some((error.kind(), error.to_string()));
            return Err(error);
        }
        match &self.failed {
            Some((kind, message)) => Err(std::io::Error::new(*kind, message.clone())),
            None => Ok(0),
        }
    }

    /// Checks the first bytes, decompresses up to two gzip streams, and finds the encoding.
    fn open(&mut self) {
        for depth in 0..2 {
            if !inflate::is_gzip(self.level.peek(HEAD)) {
                break;
            }
            if depth == 1 {
                self.note(AnomalyKind::GzipTwice, "the decompressed data is gzip again".to_owned());
            }
            self.compression = Compression::Gzip;
            self.level.inflate(self.options.max_inflated);
        }
        self.level.set_max(self.options.max_inflated);
        let sniffed = sniff(self.level.peek(HEAD));
        self.anomalies.extend(sniffed.anomaly.clone());
        self.level.fill(&mut [0; 3][..sniffed.bom]);
        self.opened = Some(Opened {
            charset: Charset::new(sniffed.encoding),
            sniffed,
        });
    }

    fn step(&mut self, out: &mut String, want: usize) {
        let Some(Opened { sniffed, charset }) = &mut self.opened else {
            return;
        };
        let goes_on = if sniffed.magic.is_some() {
            // Not text, but its size and hash are still needed.
            self.level.fill(&mut vec![0; STEP]) > 0
        } else {
            charset.step(&mut self.level, out, want)
        };
        self.anomalies.append(&mut charset.take_anomalies());
        if !goes_on {
            self.ended = true;
            for fault in self.level.take_faults() {
                self.note(fault.kind, fault.evidence);
            }
        }
    }

    fn note(&mut self, kind: AnomalyKind, evidence: String) {
        let byte_offset = self.opened.as_ref().map_or(0, |opened| opened.charset.text_bytes()) as i64;
        let breaks_xml = kind.breaks_xml();
        self.anomalies.push(DecodeAnomaly {
            kind,
            byte_offset,
            in_text: false,
            breaks_xml,
            count: 1,
            evidence,
        });
    }

    /// Returns the facts known so far; they are final after the end of the text.
    pub fn facts(&self) -> Facts {
        let sniffed = self.opened.as_ref().map(|opened| &opened.sniffed);
        Facts {
            wire_bytes: self.level.source().bytes(),
            bytes: self.level.bytes(),
            compression: self.compression,
            encoding: sniffed.map_or(UTF_8, |sniffed| sniffed.encoding).name(),
            declared_encoding: sniffed.and_then(|sniffed| sniffed.declared.clone()),
            has_bom: sniffed.is_some_and(|sniffed| sniffed.bom > 0),
            magic: sniffed.and_then(|sniffed| sniffed.magic),
            complete: self.ended && self.level.is_complete(),
            sha256: self.level.source().sha256(),
        }
    }

    /// Returns the anomalies found since the last call, in text order; those without a position come at the end.
    pub fn take_anomalies(&mut self) -> Vec<DecodeAnomaly> {
        std::mem::take(&mut self.anomalies)
    }
}
