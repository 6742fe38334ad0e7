//! The characters of a page, up to a tag with more attributes than the tokenizer can take.

use std::cell::Cell;
use std::fmt;

use html5gum::{Readable, Reader, StringReader};

use crate::limits::MAX_PAGE_ATTRIBUTES;

/// A bit of `nested` beyond any limit, so that only who counts bytes pays for that.
const COUNTS_BYTES: u32 = 1 << 31;

/// How far the tokenizer is.
#[derive(Default)]
pub(super) struct Progress {
    /// Attributes since the tokenizer last returned from a state, and whether to count bytes.
    nested: Cell<u32>,
    /// Bytes read, if they are counted.
    pub at: Cell<usize>,
}

impl Progress {
    pub fn counting_bytes() -> Self {
        Progress {
            nested: Cell::new(COUNTS_BYTES),
            ..Progress::default()
        }
    }

    /// The tokenizer has returned from all states.
    pub fn return_from_states(&self) {
        self.nested.set(self.nested.get() & COUNTS_BYTES);
    }

    /// The tokenizer reads an attribute.
    pub fn nest(&self) {
        self.nested.set(self.nested.get() + 1);
    }

    fn count(&self, bytes: usize) {
        self.at.set(self.at.get() + bytes);
    }
}

/// Reads text until a tag has too many attributes in double quotes in a row. html5gum 0.9 calls itself for each of them,
/// so that 40,000 overflowed the stack.
pub(super) struct Bounded<'a> {
    text: StringReader<'a>,
    progress: &'a Progress,
}

/// A tag has too many attributes in double quotes.
#[derive(Debug)]
pub(super) struct TooManyAttributes;

impl fmt::Display for TooManyAttributes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "a tag has more than {MAX_PAGE_ATTRIBUTES} attributes in double quotes"
        )
    }
}

impl std::error::Error for TooManyAttributes {}

impl<'a> Bounded<'a> {
    pub fn new(text: &'a str, progress: &'a Progress) -> Self {
        Self {
            text: text.to_reader(),
            progress,
        }
    }

    /// Returns whether to count bytes.
    #[inline(always)]
    fn check(&self) -> Result<bool, TooManyAttributes> {
        let nested = self.progress.nested.get();
        if nested > MAX_PAGE_ATTRIBUTES {
            if !(COUNTS_BYTES..=COUNTS_BYTES + MAX_PAGE_ATTRIBUTES).contains(&nested) {
                return Err(TooManyAttributes);
            }
            return Ok(true);
        }
        Ok(false)
    }
}

impl Reader for Bounded<'_> {
    type Error = TooManyAttributes;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, TooManyAttributes> {
        let is_counted = self.check()?;
        match self.text.read_byte() {
            Ok(byte) => {
                if is_counted {
                    self.progress.count(usize::from(byte.is_some()));
                }
                Ok(byte)
            }
            Err(never) => match never {},
        }
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, TooManyAttributes> {
        match self.text.try_read_string(text, case_sensitive) {
            Ok(is_next) => {
                if is_next {
                    self.progress.count(text.len());
                }
                Ok(is_next)
            }
            Err(never) => match never {},
        }
    }

    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, TooManyAttributes> {
        let is_counted = self.check()?;
        match self.text.read_until(needle, buffer) {
            Ok(read) => {
                if is_counted {
                    self.progress.count(read.map_or(0, <[u8]>::len));
                }
                Ok(read)
            }
            Err(never) => match never {},
        }
    }
}
