//! Turns bytes into tokens. The tokenizer handles XML's lexical grammar and common violations of it, and never gives
//! up.
//!
//! It works on a window: if a token may continue after the end of the window, it requests more input and restarts the
//! token, so that the way a document is split into pieces can never change how it is read.

mod markup;
mod tag;

use std::ops::Range;

use memchr::memchr;

use super::chars::{may_start_name, skip_space};
use crate::anomaly::AnomalyKind;
use crate::read::window::boundary;

/// A piece of markup or text; all ranges are offsets into the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Text {
        end: usize,
    },
    /// Text that is only whitespace.
    Blank {
        end: usize,
    },
    Start {
        name: Range<usize>,
        end: usize,
        empty: bool,
    },
    End {
        name: Range<usize>,
        end: usize,
    },
    Cdata {
        content: Range<usize>,
        end: usize,
    },
    Comment {
        content: Range<usize>,
        end: usize,
    },
    Instruction {
        target: Range<usize>,
        data: Range<usize>,
        end: usize,
    },
    /// `whole`: whether it is the first one and its end was found.
    Doctype {
        content: Range<usize>,
        end: usize,
        whole: bool,
    },
    /// Meaningless markup; it is ignored.
    Junk {
        end: usize,
    },
    /// The document ends inside the markup that starts here.
    Cut,
    /// A comment, CDATA section or instruction longer than the limit: skip everything up to this sequence.
    TooLong {
        until: &'static [u8],
        end: usize,
    },
    /// A start tag longer than the limit: its attributes up to `end` were read, the others must be skipped.
    LongStart {
        name: Range<usize>,
        end: usize,
    },
}

impl Token {
    /// Returns the offset after the part that was read, or `None` for a token without an end.
    #[inline]
    pub fn end(&self) -> Option<usize> {
        match *self {
            Token::Text { end }
            | Token::Blank { end }
            | Token::Start { end, .. }
            | Token::End { end, .. }
            | Token::Cdata { end, .. }
            | Token::Comment { end, .. }
            | Token::Instruction { end, .. }
            | Token::Doctype { end, .. }
            | Token::Junk { end }
            | Token::TooLong { end, .. }
            | Token::LongStart { end, .. } => Some(end),
            Token::Cut => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// The result of scanning the window.
enum Scan {
    Token(Token),
    More,
    /// The < here starts no markup: it is text.
    Literal,
    /// It might start markup, but that would be longer than the limit: it is text, too.
    TooLong,
}

/// What the bytes being scanned end with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The window, which can grow.
    Part,
    /// The longest token that is read as a whole.
    Longest,
    /// The document.
    End,
}

impl Shown {
    /// Returns the result for a token without an end in these bytes, if nothing of it is read before its end is known.
    fn without_end(self) -> Scan {
        match self {
            Shown::Part => Scan::More,
            Shown::Longest => Scan::TooLong,
            Shown::End => Scan::Token(Token::Cut),
        }
    }
}

pub struct Tokenizer {
    /// Longest token that is read as a whole, in bytes. A longer one is detected from these bytes alone, so that it is
    /// read the same however much of it is in the window.
    longest: usize,
    /// The attributes of the start tag just read.
    pub attributes: Vec<Attribute>,
    /// Problems of the token just read, and their offsets. A tag counts as malformed once, at its first error.
    pub faults: Vec<(AnomalyKind, usize)>,
    /// Whether a malformed tag is among them.
    is_malformed: bool,
    /// By `Closing`: the offset in the window up to which the sequence was searched without success, so that a million
    /// openings without an end do not search the same text a million times.
    searched: [usize; 3],
    /// A document type declaration was found: only the first one is read as such.
    pub has_doctype: bool,
}

impl Tokenizer {
    /// Creates a tokenizer that reads tokens as a whole up to this length in bytes, at least 256.
    pub fn new(longest: usize) -> Self {
        Self {
            longest,
            attributes: Vec::new(),
            faults: Vec::new(),
            is_malformed: false,
            searched: [0; 3],
            has_doctype: false,
        }
    }

    /// Returns the token at `at`, or `None` if the window must grow first. There must be at least one byte at `at`.
    pub fn next(&mut self, text: &str, at: usize, last: bool) -> Option<Token> {
        let bytes = text.as_bytes();
        self.faults.clear();
        self.is_malformed = false;
        let mut search = at;
        if bytes[at] == b'<' {
            self.attributes.clear();
            let (shown, text) = self.shown(text, at, last);
            match self.markup(text, at, shown) {
                Scan::Token(token) => return Some(token),
                Scan::More => return None,
                Scan::Literal => self.only_fault(AnomalyKind::BareLessThan, at),
                Scan::TooLong => {
                    self.only_fault(AnomalyKind::BareLessThan, at);
                    self.fault(AnomalyKind::TokenTooLong, at);
                }
            }
            search = at + 1;
        } else if let Some(end) = blank_end(bytes, at).filter(|end| end - at <= self.longest) {
            return Some(Token::Blank { end });
        }
        self.text(bytes, at, search, last)
    }

    /// Returns as much of the text as markup at `at` can take, and what ends it.
    #[inline]
    fn shown<'a>(&self, text: &'a str, at: usize, last: bool) -> (Shown, &'a str) {
        if text.len() - at > self.longest {
            (Shown::Longest, &text[..boundary(text, at + self.longest)])
        } else if last {
            (Shown::End, text)
        } else {
            (Shown::Part, text)
        }
    }

    fn fault(&mut self, kind: AnomalyKind, at: usize) {
        if kind == AnomalyKind::MalformedTag && std::mem::replace(&mut self.is_malformed, true) {
            return;
        }
        self.faults.push((kind, at));
    }

    /// Replaces all problems by one: the text is not markup after all, so its problems as markup do not matter.
    fn only_fault(&mut self, kind: AnomalyKind, at: usize) {
        self.faults.clear();
        self.is_malformed = false;
        self.fault(kind, at);
    }

    /// Adjusts offsets after bytes were dropped at the start of the window.
    pub fn shift(&mut self, dropped: usize) {
        for searched in &mut self.searched {
            *searched = searched.saturating_sub(dropped);
        }
    }

    fn text(&mut self, bytes: &[u8], at: usize, mut search: usize, last: bool) -> Option<Token> {
        loop {
            let found = memchr(b'<', &bytes[search..]).map(|offset| search + offset);
            let end = found.unwrap_or(bytes.len());
            if end - at > self.longest {
                self.fault(AnomalyKind::TokenTooLong, at);
                return Some(Token::Text {
                    end: cut_of(bytes, at + self.longest),
                });
            }
            match found {
                None if last => return Some(Token::Text { end }),
                None => return None,
                Some(open) => match bytes.get(open + 1) {
                    None if !last => return None,
                    Some(&next) if begins_markup(next) => {
                        return Some(Token::Text { end: open });
                    }
                    _ => {
                        self.fault(AnomalyKind::BareLessThan, open);
                        search = open + 1;
                    }
                },
            }
        }
    }

    #[inline]
    fn markup(&mut self, text: &str, at: usize, shown: Shown) -> Scan {
        let bytes = text.as_bytes();
        match bytes.get(at + 1) {
            None if shown == Shown::Part => Scan::More,
            None => Scan::Literal,
            Some(b'/') => self.end_tag(bytes, at, shown),
            Some(b'!') => self.declaration(text, at, shown),
            Some(b'?') => self.instruction(bytes, at, shown),
            Some(&next) if may_start_name(next) => self.start_tag(bytes, at, shown),
            Some(_) => Scan::Literal,
        }
    }
}

/// Returns the end of the whitespace between two pieces of markup, which most text of a document is.
#[inline]
fn blank_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = skip_space(bytes, at);
    match bytes.get(end..end + 2)? {
        [b'<', next] if end > at && begins_markup(*next) => Some(end),
        _ => None,
    }
}

#[inline]
fn begins_markup(next: u8) -> bool {
    matches!(next, b'/' | b'!' | b'?') || may_start_name(next)
}

/// Returns where to cut a text that is too long: at or before `at`, and not inside a character, reference, line end or
/// ]]>.
fn cut_of(bytes: &[u8], at: usize) -> usize {
    let nearest = at.saturating_sub(64);
    let recent = &bytes[nearest..at];
    let open = recent.iter().rposition(|byte| matches!(byte, b'&' | b'\r' | b']'));
    let mut cut = open
        .filter(|&open| !recent[open..].contains(&b';'))
        .map_or(at, |open| nearest + open);
    while cut > nearest && ((bytes[cut] as i8) < -0x40 || bytes[cut] == bytes[cut - 1]) {
        cut -= 1;
    }
    cut
}

#[cfg(test)]
mod tests;
