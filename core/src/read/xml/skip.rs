//! Skips anything that is too long to be read as a whole, in constant memory.

use std::io;

use memchr::memmem;

use super::{SNIPPET, Sink, Xml, snippet};
use crate::anomaly::AnomalyKind;
use crate::read::note_decoded;

/// What ends the part that is too long to be read as a whole.
#[derive(Clone, Copy)]
pub enum Skip {
    Until(&'static [u8]),
    /// A start tag: the open quote, if any, and whether the last byte was a slash.
    Tag {
        quote: Option<u8>,
        slash: bool,
    },
    /// Content of another format around the root.
    Outside,
}

impl<S: Sink> Xml<S> {
    pub(super) fn skip(&mut self, until: &'static [u8]) -> io::Result<bool> {
        let at = self.window.pos();
        let bytes = self.window.bytes();
        match memmem::find(&bytes[at..], until) {
            Some(offset) => {
                self.pass(at + offset + until.len());
                self.skipping = None;
                Ok(true)
            }
            None => {
                // The sequence can start at the end of the window.
                let keep = bytes.len().saturating_sub(until.len() - 1).max(at);
                let keep = (at..=keep)
                    .rev()
                    .find(|&here| (bytes.get(here).copied().unwrap_or(0) as i8) >= -0x40);
                self.skip_on(keep.unwrap_or(at))
            }
        }
    }

    /// Skips the rest of a start tag. A < ends it, too: a tag without its end is better than a lost entry.
    pub(super) fn skip_tag(&mut self, mut quote: Option<u8>, mut slash: bool) -> io::Result<bool> {
        let at = self.window.pos();
        for (offset, &byte) in self.window.bytes()[at..].iter().enumerate() {
            match (quote, byte) {
                (_, b'<') if !self.shows(at + offset + SNIPPET) => {
                    // The text to quote from it is not available yet.
                    self.skipping = Some(Skip::Tag { quote, slash });
                    return self.skip_on(at + offset);
                }
                (_, b'<') | (None, b'>') => {
                    self.skipping = None;
                    if byte == b'<' {
                        let seen = snippet(&self.window, at + offset);
                        self.note(AnomalyKind::MalformedTag, at + offset, &seen);
                    }
                    self.pass(at + offset + usize::from(byte == b'>'));
                    if slash && byte == b'>' {
                        self.pop(true);
                    }
                    return Ok(true);
                }
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
            slash = byte == b'/' && quote.is_none();
        }
        self.skipping = Some(Skip::Tag { quote, slash });
        self.skip_on(self.window.bytes().len())
    }

    /// Skips the text up to `at`, which was searched, and continues after it if there is more.
    pub(super) fn skip_on(&mut self, at: usize) -> io::Result<bool> {
        if self.window.is_last() {
            self.cut_off(at);
            self.pass(self.window.bytes().len());
            self.finish();
            return Ok(false);
        }
        self.pass(at);
        self.fill()?;
        Ok(true)
    }

    /// Skips text up to an offset; only the decoder's anomalies in it are noted.
    pub(super) fn pass(&mut self, end: usize) {
        note_decoded(&mut self.window, &mut self.notes, end);
        self.window.consume(end);
    }
}
