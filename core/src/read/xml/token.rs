//! Bytes to tokens. The tokenizer knows XML's lexical grammar and how people break it; it never gives up.
//!
//! It works on a window: where a token may go on behind the window's end, it asks for more and starts the token again,
//! so that how the document was cut into pieces can never change how it is read.

mod markup;

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::chars::{is_space, may_start_name, name_end, skip_space};
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

    fn start_tag(&mut self, bytes: &[u8], at: usize, shown: Shown) -> Scan {
        let name = at + 1..name_end(bytes, at + 1);
        if name.is_empty() {
            return if bytes.len() - at < 5 && shown == Shown::Part {
                Scan::More
            } else {
                Scan::Literal
            };
        }
        let mut here = name.end;
        loop {
            let next = skip_space(bytes, here);
            let Some(&byte) = bytes.get(next) else {
                return self.unfinished_start(name, at, here, shown);
            };
            match byte {
                b'>' => return start(name, next + 1, false),
                b'/' => match bytes.get(next + 1) {
                    None => return self.unfinished_start(name, at, here, shown),
                    Some(b'>') => return start(name, next + 2, true),
                    Some(_) => {
                        self.fault(AnomalyKind::MalformedTag, next);
                        here = next + 1;
                    }
                },
                b'<' => {
                    // `<loc<lastmod>` lacks its >; the < of `a<b</loc>` was meant as text.
                    if !is_customary(&bytes[name.clone()]) {
                        return Scan::Literal;
                    }
                    self.fault(AnomalyKind::MalformedTag, next);
                    return start(name, next, false);
                }
                _ => {
                    if next == here {
                        self.fault(AnomalyKind::MalformedTag, next);
                    }
                    match self.attribute(bytes, next, shown) {
                        Some(end) => here = end,
                        None => return self.unfinished_start(name, at, here, shown),
                    }
                }
            }
        }
    }

    /// A start tag that does not end in these bytes; it was read up to `here`.
    #[cold]
    fn unfinished_start(&mut self, name: Range<usize>, at: usize, here: usize, shown: Shown) -> Scan {
        if shown != Shown::Longest {
            return shown.without_end();
        }
        self.only_fault(AnomalyKind::TokenTooLong, at);
        Scan::Token(Token::LongStart { name, end: here })
    }

    /// Reads the attribute at `at`; the offset behind it, or None if the bytes end before it does.
    fn attribute(&mut self, bytes: &[u8], at: usize, shown: Shown) -> Option<usize> {
        let name = at..name_end(bytes, at);
        if name.is_empty() {
            self.fault(AnomalyKind::MalformedTag, at);
            let junk = bytes[at + 1..]
                .iter()
                .position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'<'))?;
            return Some(at + 1 + junk);
        }
        let equals = skip_space(bytes, name.end);
        if *bytes.get(equals)? != b'=' {
            self.fault(AnomalyKind::MalformedTag, name.end);
            return Some(name.end);
        }
        let value = skip_space(bytes, equals + 1);
        let quote = *bytes.get(value)?;
        if quote != b'"' && quote != b'\'' {
            self.fault(AnomalyKind::MalformedTag, value);
            let end = unquoted_end(bytes, value)?;
            self.attributes.push(Attribute {
                name,
                value: value..end,
            });
            return Some(end);
        }
        let begin = value + 1;
        let mut search = begin;
        loop {
            let found = search + memchr2(quote, b'<', &bytes[search..])?;
            if bytes[found] == quote {
                self.attributes.push(Attribute {
                    name,
                    value: begin..found,
                });
                return Some(found + 1);
            }
            // A < in the value: either it was meant, and the quote comes before the next >, or the quote is missing.
            match memchr2(quote, b'>', &bytes[found..]).map(|offset| found + offset) {
                Some(next) if bytes[next] == quote => {
                    self.fault(AnomalyKind::BareLessThan, found);
                    search = next;
                }
                None if shown == Shown::Part => return None,
                _ => {
                    self.fault(AnomalyKind::MalformedTag, value);
                    let end = unquoted_end(bytes, begin)?;
                    self.attributes.push(Attribute {
                        name,
                        value: begin..end,
                    });
                    return Some(end);
                }
            }
        }
    }

    fn end_tag(&mut self, bytes: &[u8], at: usize, shown: Shown) -> Scan {
        let mut begin = at + 2;
        let mut end = name_end(bytes, begin);
        if end == begin && begin < bytes.len() {
            self.fault(AnomalyKind::MalformedTag, at);
            begin = skip_space(bytes, begin);
            end = name_end(bytes, begin);
        }
        let after = skip_space(bytes, end);
        if bytes.get(after) == Some(&b'>') && end > begin {
            return Scan::Token(Token::End {
                name: begin..end,
                end: after + 1,
            });
        }
        let Some(stop) = memchr2(b'>', b'<', &bytes[after..]).map(|offset| after + offset) else {
            return shown.without_end();
        };
        if self.faults.is_empty() {
            self.fault(AnomalyKind::MalformedTag, at);
        }
        let behind = if bytes[stop] == b'>' { stop + 1 } else { stop };
        Scan::Token(if end > begin {
            Token::End {
                name: begin..end,
                end: behind,
            }
        } else {
            Token::Junk { end: behind }
        })
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

fn start(name: Range<usize>, end: usize, empty: bool) -> Scan {
    Scan::Token(Token::Start { name, end, empty })
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

/// Where an attribute value without (closing) quotes ends: at white space, at the end of the tag, or at the next tag.
fn unquoted_end(bytes: &[u8], begin: usize) -> Option<usize> {
    let stop = begin
        + bytes[begin..]
            .iter()
            .position(|&byte| is_space(byte) || matches!(byte, b'>' | b'<'))?;
    let closes_empty = bytes[stop] == b'>' && stop > begin && bytes[stop - 1] == b'/';
    Some(if closes_empty { stop - 1 } else { stop })
}

/// Names that a sitemap or feed is made of: a tag that begins with one was surely meant as a tag.
fn is_customary(name: &[u8]) -> bool {
    let local = memchr(b':', name).map_or(name, |colon| &name[colon + 1..]);
    const NAMES: [&[u8]; 24] = [
        b"urlset",
        b"sitemapindex",
        b"url",
        b"sitemap",
        b"loc",
        b"lastmod",
        b"changefreq",
        b"priority",
        b"image",
        b"video",
        b"news",
        b"link",
        b"title",
        b"description",
        b"publication",
        b"publication_date",
        b"thumbnail_loc",
        b"content_loc",
        b"player_loc",
        b"item",
        b"entry",
        b"channel",
        b"guid",
        b"pubDate",
    ];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(local))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_TOKEN;

    #[test]
    fn texts_are_cut_where_nothing_goes_on() {
        for (before, after, back) in [
            ("plain", "text", 0),
            ("plain &am", "p; text", 3),
            ("a &amp;", "b", 0),
            ("a\r", "\nb", 1),
            ("a]", "]>b", 1),
            ("a]]", ">b", 2),
            ("é", "é", 0),
        ] {
            let filler = "-".repeat(70).replace("--", "-+");
            let text = format!("{filler}{before}{after}");
            let at = filler.len() + before.len();
            assert_eq!(cut_of(text.as_bytes(), at), at - back, "{before}|{after}");
        }
        // Between the bytes of a character there is no cut, and a run of what is looked for has to be cut somewhere.
        let text = format!("{}😀", "-+".repeat(40));
        assert_eq!(cut_of(text.as_bytes(), text.len() - 1), text.len() - 4);
        assert_eq!(cut_of("]".repeat(200).as_bytes(), 150), 150 - 64);
    }

    #[test]
    fn a_token_is_the_same_however_much_of_it_the_window_shows() {
        let document = "<a b='c' d=e>x &amp; y<!-- - --><![CDATA[z]]><?p q?></a><!DOCTYPE u [<!-- ]> -->]>< <b<c/>tail";
        let tokens = |step: usize| {
            let bytes = document.as_bytes();
            let (mut tokenizer, mut found) = (Tokenizer::new(MAX_TOKEN), Vec::new());
            let (mut at, mut shown) = (0, step.min(bytes.len()));
            while at < bytes.len() {
                match tokenizer.next(&document[..shown.max(at + 1)], at, shown >= bytes.len()) {
                    None => shown = (shown.max(at) + step).min(bytes.len()),
                    Some(token) => {
                        at = token.end().unwrap_or(bytes.len());
                        tokenizer.has_doctype |= matches!(token, Token::Doctype { .. });
                        found.push((token, tokenizer.faults.clone(), tokenizer.attributes.len()));
                    }
                }
            }
            found
        };
        let whole = tokens(document.len());
        assert!(whole.len() > 10);
        for step in 1..document.len() {
            assert_eq!(tokens(step), whole, "{step} bytes at a time");
        }
    }
}
