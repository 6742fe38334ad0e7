//! Tokens of tags: start tags with their attributes, end tags, and common mistakes in them.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::{Attribute, Scan, Shown, Token, Tokenizer};
use crate::anomaly::AnomalyKind;
use crate::read::xml::chars::{is_space, name_end, skip_space};

impl Tokenizer {
    pub(super) fn start_tag(&mut self, bytes: &[u8], at: usize, shown: Shown) -> Scan {
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
                    // `<loc<lastmod>` lacks its >; in `a<b</loc>` the first < was meant as text.
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

    /// Handles a start tag that does not end in these bytes and was read up to `here`.
    #[cold]
    fn unfinished_start(&mut self, name: Range<usize>, at: usize, here: usize, shown: Shown) -> Scan {
        if shown != Shown::Longest {
            return shown.without_end();
        }
        self.only_fault(AnomalyKind::TokenTooLong, at);
        Scan::Token(Token::LongStart { name, end: here })
    }

    /// Reads the attribute at `at`. Returns the offset after it, or `None` if the bytes end before it does.
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
            // A < in the value: either it is intended, and the quote comes before the next >, or the quote is missing.
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

    pub(super) fn end_tag(&mut self, bytes: &[u8], at: usize, shown: Shown) -> Scan {
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

fn start(name: Range<usize>, end: usize, empty: bool) -> Scan {
    Scan::Token(Token::Start { name, end, empty })
}

/// Returns where an attribute value without (closing) quotes ends: at whitespace, at the end of the tag, or at the next
/// tag.
fn unquoted_end(bytes: &[u8], begin: usize) -> Option<usize> {
    let stop = begin
        + bytes[begin..]
            .iter()
            .position(|&byte| is_space(byte) || matches!(byte, b'>' | b'<'))?;
    let closes_empty = bytes[stop] == b'>' && stop > begin && bytes[stop - 1] == b'/';
    Some(if closes_empty { stop - 1 } else { stop })
}

/// Names used in sitemaps and feeds: a tag that starts with one was certainly meant as a tag.
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
