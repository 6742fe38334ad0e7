//! Bytes to tokens. The tokenizer knows XML's lexical grammar and how people break it; it never gives up.
//!
//! It works on a window: where a token may go on behind the window's end, it asks for more and starts the token again,
//! so that how the document was cut into pieces can never change how it is read.

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
    /// Text of nothing but white space.
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
    /// `whole`: whether it is the first one, and its end was found.
    Doctype {
        content: Range<usize>,
        end: usize,
        whole: bool,
    },
    /// Markup that makes no sense; it is passed over.
    Junk {
        end: usize,
    },
    /// The document ends inside the markup that begins here.
    Cut,
    /// A comment, CDATA section or instruction longer than the bound: pass over everything up to this sequence.
    TooLong {
        until: &'static [u8],
        end: usize,
    },
    /// A start tag longer than the bound: its attributes up to `end` were read, the others are to be passed over.
    LongStart {
        name: Range<usize>,
        end: usize,
    },
}

impl Token {
    /// The offset behind what was read of it; None for what has no end.
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

/// What a scan of the window ended in.
enum Scan {
    Token(Token),
    More,
    /// The < at this place begins no markup: it is text.
    Literal,
    /// It might begin some, were it not longer than the bound: it is text, too.
    TooLong,
}

/// What the bytes that are looked at end with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The window, which may grow.
    Part,
    /// The longest token that is read whole.
    Longest,
    /// The document.
    End,
}

impl Shown {
    /// What becomes of a token that does not end in these bytes, and of which nothing is read before its end is known.
    fn without_end(self) -> Scan {
        match self {
            Shown::Part => Scan::More,
            Shown::Longest => Scan::TooLong,
            Shown::End => Scan::Token(Token::Cut),
        }
    }
}

pub struct Tokenizer {
    /// Longest token that is read whole, in bytes. What is longer is found out from these bytes alone, so that it is
    /// read the same however much of it the window shows.
    longest: usize,
    /// The attributes of the start tag just read.
    pub attributes: Vec<Attribute>,
    /// What was wrong with the token just read, and where. A tag is malformed once, where it first goes wrong.
    pub faults: Vec<(AnomalyKind, usize)>,
    /// Whether that the tag is malformed is among them.
    is_malformed: bool,
    /// By `Closing`: up to where in the window the sequence was looked for in vain, so that a million openings without
    /// an end do not search the same text a million times.
    searched: [usize; 3],
    /// There was a document type declaration: only the first one is read as such, a second one is none.
    pub has_doctype: bool,
}

impl Tokenizer {
    /// A tokenizer of documents whose tokens are read whole up to so many bytes; at least 256.
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

    /// The token at `at`, or None if the window must grow first. There must be at least one byte at `at`.
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

    /// As much of the text as markup at `at` may take, and where that ends.
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

    /// What was taken for markup is none: what was wrong with it as markup does not matter.
    fn only_fault(&mut self, kind: AnomalyKind, at: usize) {
        self.faults.clear();
        self.is_malformed = false;
        self.fault(kind, at);
    }

    /// Says that so many bytes were dropped at the window's beginning.
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

/// The end of the white space between two pieces of markup, which is what most text of a document is.
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

/// Where to cut a text that is too long: at or before `at`, and not inside of a character, reference, line end or ]]>.
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
