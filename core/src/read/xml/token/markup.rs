//! Tokens of markup other than tags: comments, CDATA sections, instructions, document type declarations.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

use super::{Scan, Shown, Token, Tokenizer};
use crate::anomaly::AnomalyKind;
use crate::read::xml::chars::name_end;
use crate::read::xml::declaration;

/// Sequences that end markup, for which the rest of the document may already have been searched without success.
#[derive(Clone, Copy)]
enum Closing {
    Comment,
    Cdata,
    Instruction,
}

impl Closing {
    const fn sequence(self) -> &'static [u8] {
        match self {
            Closing::Comment => b"-->",
            Closing::Cdata => b"]]>",
            Closing::Instruction => b"?>",
        }
    }
}

impl Tokenizer {
    /// Returns the offset of a closing sequence after `from`, if it is in the window.
    fn closing(&mut self, closing: Closing, bytes: &[u8], from: usize) -> Option<usize> {
        let sequence = closing.sequence();
        let searched = &mut self.searched[closing as usize];
        // It can start in the searched part and end after it.
        let from = from.max((*searched).saturating_sub(sequence.len() - 1));
        let found = memmem::find(bytes.get(from..)?, sequence).map(|offset| from + offset);
        if found.is_none() {
            *searched = bytes.len();
        }
        found
    }

    pub(super) fn declaration(&mut self, text: &str, at: usize, shown: Shown) -> Scan {
        let bytes = text.as_bytes();
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            return self.until(bytes, at, b"<!--", Closing::Comment, shown);
        }
        if rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<![CDATA[") {
            if !rest.starts_with(b"<![CDATA[") {
                self.fault(AnomalyKind::MalformedMarkup, at);
            }
            return self.until(bytes, at, b"<![CDATA[", Closing::Cdata, shown);
        }
        if rest.len() < 9 && shown == Shown::Part {
            return Scan::More;
        }
        if rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE") {
            return self.doctype(text, at, shown);
        }
        self.fault(AnomalyKind::MalformedMarkup, at);
        match memchr2(b'>', b'<', &bytes[at + 1..]).map(|offset| at + 1 + offset) {
            Some(stop) => Scan::Token(Token::Junk {
                end: if bytes[stop] == b'>' { stop + 1 } else { stop },
            }),
            None => shown.without_end(),
        }
    }

    /// Reads a comment or CDATA section. Without its end, only the opening is skipped, and the text after it is read.
    fn until(&mut self, bytes: &[u8], at: usize, opening: &[u8], closing: Closing, shown: Shown) -> Scan {
        let begin = at + opening.len();
        let found = self.closing(closing, bytes, begin);
        let length = closing.sequence().len();
        match found {
            Some(end) => {
                let (content, end) = (begin..end, end + length);
                Scan::Token(match closing {
                    Closing::Cdata => Token::Cdata { content, end },
                    _ => Token::Comment { content, end },
                })
            }
            None if shown == Shown::Part => Scan::More,
            // There is another opening inside: a missing end is more likely than a section that contains all this.
            None if shown == Shown::End || memmem::find(&bytes[begin..], opening).is_some() => {
                self.only_fault(
                    match closing {
                        Closing::Cdata => AnomalyKind::MalformedMarkup,
                        _ => AnomalyKind::MalformedComment,
                    },
                    at,
                );
                Scan::Token(Token::Junk { end: begin })
            }
            None => {
                self.fault(AnomalyKind::TokenTooLong, at);
                Scan::Token(Token::TooLong {
                    until: closing.sequence(),
                    end: begin,
                })
            }
        }
    }

    pub(super) fn instruction(&mut self, bytes: &[u8], at: usize, shown: Shown) -> Scan {
        let target = at + 2..name_end(bytes, at + 2);
        if target.end == bytes.len() && shown == Shown::Part {
            return Scan::More;
        }
        let stop = |from: usize| memchr2(b'>', b'<', &bytes[from..]).map(|offset| from + offset);
        let is_declaration = bytes[target.clone()].eq_ignore_ascii_case(b"xml");
        let closing = if is_declaration {
            // `<?xml version="1.0">` lacks its question mark; no value of a declaration can contain > or <.
            match stop(target.end) {
                Some(end) if bytes[end] == b'>' && end > target.end && bytes[end - 1] == b'?' => Some(end - 1),
                Some(end) => return self.unclosed_instruction(bytes, at, target, Some(end)),
                None => None,
            }
        } else {
            self.closing(Closing::Instruction, bytes, target.end)
        };
        match closing {
            Some(end) => Scan::Token(Token::Instruction {
                data: target.end..end,
                target,
                end: end + 2,
            }),
            None if shown == Shown::Part => Scan::More,
            None => match stop(target.end) {
                None if shown == Shown::Longest => {
                    self.fault(AnomalyKind::TokenTooLong, at);
                    Scan::Token(Token::TooLong {
                        until: b"?>",
                        end: target.end,
                    })
                }
                end => self.unclosed_instruction(bytes, at, target, end),
            },
        }
    }

    /// Reads an instruction without its end, up to the next > or <.
    fn unclosed_instruction(&mut self, bytes: &[u8], at: usize, target: Range<usize>, stop: Option<usize>) -> Scan {
        self.fault(AnomalyKind::MalformedInstruction, at);
        Scan::Token(match stop {
            Some(stop) => Token::Instruction {
                data: target.end..stop,
                target,
                end: if bytes[stop] == b'>' { stop + 1 } else { stop },
            },
            None => Token::Cut,
        })
    }

    /// Skips a document type declaration including its internal subset, without parsing the declarations in it.
    fn doctype(&mut self, text: &str, at: usize, shown: Shown) -> Scan {
        let bytes = text.as_bytes();
        let begin = at + 9;
        if !self.has_doctype {
            match doctype_end(bytes, begin) {
                Some(end) if is_credible_doctype(&text[begin..end]) => {
                    return Scan::Token(Token::Doctype {
                        content: begin..end,
                        end: end + 1,
                        whole: true,
                    });
                }
                None if shown == Shown::Part => return Scan::More,
                _ => {}
            }
        }
        let Some(stop) = memchr2(b'>', b'<', &bytes[begin..]).map(|offset| begin + offset) else {
            return shown.without_end();
        };
        Scan::Token(Token::Doctype {
            content: begin..stop,
            end: if bytes[stop] == b'>' { stop + 1 } else { stop },
            whole: false,
        })
    }
}

/// Returns the offset of the > that ends a document type declaration, if it is in the window.
fn doctype_end(bytes: &[u8], begin: usize) -> Option<usize> {
    let mut here = begin;
    let mut brackets = 0_i32;
    loop {
        match *bytes.get(here)? {
            b'>' if brackets <= 0 => return Some(here),
            b'[' => brackets += 1,
            b']' => brackets -= 1,
            quote @ (b'"' | b'\'') => here += 1 + memchr(quote, &bytes[here + 1..])?,
            b'<' if bytes[here..].starts_with(b"<!--") => here += 4 + memmem::find(&bytes[here + 4..], b"-->")? + 2,
            b'<' if bytes[here..].starts_with(b"<?") => here += 2 + memmem::find(&bytes[here + 2..], b"?>")? + 1,
            _ => {}
        }
        here += 1;
    }
}

/// Returns whether a document type declaration can end here. One with a missing quote would otherwise end at the next
/// quote in the document, somewhere after the root's start tag.
fn is_credible_doctype(inside: &str) -> bool {
    let head = &inside[..inside.find('[').unwrap_or(inside.len())];
    !head.contains('<') || declaration::is_doctype(inside)
}
