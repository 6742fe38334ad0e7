//! The characters of a page, up to a tag with more attributes than the tokenizer can take.

use std::cell::Cell;
use std::fmt;

use html5gum::{Readable, Reader, StringReader};

use crate::limits::MAX_PAGE_ATTRIBUTES;

/// Reads text until a tag has too many attributes in double quotes in a row. html5gum 0.9 calls itself for each of them,
/// so that 40,000 overflowed the stack.
pub(super) struct Bounded<'a> {
    text: StringReader<'a>,
    /// Attributes since the tokenizer last returned from a state.
    nested: &'a Cell<u32>,
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
    pub fn new(text: &'a str, nested: &'a Cell<u32>) -> Self {
        Self {
            text: text.to_reader(),
            nested,
        }
    }

    #[inline(always)]
    fn check(&self) -> Result<(), TooManyAttributes> {
        if self.nested.get() > MAX_PAGE_ATTRIBUTES {
            return Err(TooManyAttributes);
        }
        Ok(())
    }
}

impl Reader for Bounded<'_> {
    type Error = TooManyAttributes;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, TooManyAttributes> {
        self.check()?;
        match self.text.read_byte() {
            Ok(byte) => Ok(byte),
            Err(never) => match never {},
        }
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, TooManyAttributes> {
        match self.text.try_read_string(text, case_sensitive) {
            Ok(is_next) => Ok(is_next),
            Err(never) => match never {},
        }
    }

    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, TooManyAttributes> {
        self.check()?;
        match self.text.read_until(needle, buffer) {
            Ok(read) => Ok(read),
            Err(never) => match never {},
        }
    }
}
