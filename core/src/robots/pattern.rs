//! The path of a rule and the path of a URL, in the normal form in which they are compared.
//!
//! <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2>: escapes of unreserved characters are undone, characters that
//! a URL cannot contain are escaped, and hexadecimal digits are uppercase. Reserved characters stay as they are
//! written, so that `/` and `%2F` differ, <https://www.rfc-editor.org/rfc/rfc3986#section-2.2>. In addition, `*` and
//! `$` in a URL are escaped: a rule can match them only with `%2A` and `%24`.

use std::borrow::Cow;

/// Kept as it is: unreserved, or reserved without a meaning in patterns.
const PLAIN: u8 = 0;
/// Must be escaped.
const ESCAPE: u8 = 1;
const PERCENT: u8 = 2;

const CLASS: [u8; 256] = {
    let mut table = [ESCAPE; 256];
    let mut byte = 0x21;
    while byte < 0x7F {
        table[byte] = match byte as u8 {
            b'%' => PERCENT,
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' | b'*' | b'$' => ESCAPE,
            _ => PLAIN,
        };
        byte += 1;
    }
    table
};

/// The part of a URL that rules are compared with: its path and query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'a> {
    /// Starts with a slash, or is read as if it did.
    text: &'a str,
}

/// Returns the part that rules are compared with, of an absolute URL, a URL without a scheme, or a path. Returns `None`
/// for anything else.
pub fn target(url: &str) -> Option<Target<'_>> {
    let authority = match url.find("://") {
        Some(end) if end > 0 && is_scheme(&url[..end]) => end + 3,
        _ if url.starts_with("//") => 2,
        _ if url.starts_with('/') => {
            return Some(Target {
                text: until_fragment(url),
            });
        }
        _ => return None,
    };
    let rest = &url[authority..];
    let begin = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Some(Target {
        text: until_fragment(&rest[begin..]),
    })
}

fn is_scheme(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn until_fragment(text: &str) -> &str {
    memchr::memchr(b'#', text.as_bytes()).map_or(text, |end| &text[..end])
}

impl<'a> Target<'a> {
    /// Returns the normal form, which is compared.
    #[inline]
    pub fn normalized(self) -> Cow<'a, [u8]> {
        let bytes = self.text.as_bytes();
        if bytes.first() == Some(&b'/') && bytes.iter().all(|byte| CLASS[*byte as usize] == PLAIN) {
            return Cow::Borrowed(bytes);
        }
        let mut out = Vec::with_capacity(bytes.len() + 16);
        if bytes.first() != Some(&b'/') {
            out.push(b'/');
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = &rest[put_next(rest, &mut out)..];
        }
        Cow::Owned(out)
    }
}

/// Appends the normal form of the first character of `bytes`, and returns the number of bytes that it takes there.
fn put_next(bytes: &[u8], out: &mut Vec<u8>) -> usize {
    match bytes {
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
            let byte = hex(*high) << 4 | hex(*low);
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                out.push(byte);
            } else {
                put_escape(byte, out);
            }
            3
        }
        [byte, ..] => {
            if CLASS[*byte as usize] == PLAIN {
                out.push(*byte);
            } else {
                put_escape(*byte, out);
            }
            1
        }
        [] => 0,
    }
}

fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

fn put_escape(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend_from_slice(&[b'%', DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]);
}

/// The path of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Length in octets, which determines the most specific rule.
    pub length: usize,
    /// The text before the first `*`.
    pub prefix: Vec<u8>,
    pub tail: Tail,
}

/// What must follow the prefix of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Anything.
    Open,
    /// Nothing.
    End,
    /// These parts in this order, with anything before and between them; if `is_anchored`, nothing after the last.
    Parts { parts: Vec<Vec<u8>>, is_anchored: bool },
    /// The pattern is empty or can never match.
    Never,
}

impl Pattern {
    /// Parses a pattern. Bytes that are invalid UTF-8 are kept as they are.
    pub fn compile(written: &[u8]) -> Self {
        let never = Pattern {
            length: 0,
            prefix: Vec::new(),
            tail: Tail::Never,
        };
        if !matches!(written, [b'/' | b'*', ..]) {
            return Pattern {
                length: written.len(),
                ..never
            };
        }
        let is_anchored = written.last() == Some(&b'$');
        let body = &written[..written.len() - usize::from(is_anchored)];
        let mut length = usize::from(is_anchored);
        let mut parts = vec![Vec::new()];
        let mut rest = body;
        while let [first, after @ ..] = rest {
            if *first == b'*' {
                length += 1;
                parts.push(Vec::new());
                rest = after;
                continue;
            }
            let part = parts.last_mut().expect("there is always one");
            let before = part.len();
            let taken = put_next(rest, part);
            // A `$` that is not the last character stands for itself: one octet, in whatever form it is compared.
            length += if *first == b'$' { 1 } else { part.len() - before };
            rest = &rest[taken..];
        }
        let prefix = parts.remove(0);
        let has_star = !parts.is_empty();
        // Empty parts between stars match anything; so does an anchored empty part after the last star.
        parts.retain(|part| !part.is_empty());
        let ends_in_star = body.last() == Some(&b'*');
        let tail = match (has_star, parts.is_empty()) {
            (false, _) if is_anchored => Tail::End,
            (false, _) | (true, true) => Tail::Open,
            (true, false) => Tail::Parts {
                parts,
                is_anchored: is_anchored && !ends_in_star,
            },
        };
        Pattern { length, prefix, tail }
    }

    /// Returns whether the pattern is not empty, but matches no path.
    pub fn never_matches(&self) -> bool {
        self.tail == Tail::Never && self.length > 0
    }
}
