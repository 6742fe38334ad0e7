//! The path of a rule and the path of a URL, in the one form in which they are compared.
//!
//! <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2>: escapes of unreserved characters are undone, everything that
//! a URL cannot hold as it is gets escaped, hexadecimal digits are in upper case. Reserved characters stay as they are
//! written, so that `/` and `%2F` differ, <https://www.rfc-editor.org/rfc/rfc3986#section-2.2>. Only `*` and `$` in a URL
//! are escaped: a rule can name them by `%2A` and `%24` alone.

use std::borrow::Cow;

/// Written as it is: unreserved, or reserved without a meaning in patterns.
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

/// What of a URL rules are held against: its path and query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'a> {
    /// Begins with a slash, or is to be read as if it did.
    text: &'a str,
}

/// The part of an absolute URL, or of one without scheme, or of a path, that rules are held against. None for what is
/// none of these.
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
    /// The form that is compared.
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

/// Appends the character that `bytes` begins with in its normal form, and tells how many bytes it takes there.
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
    /// Octets, by which the most specific rule is found.
    pub length: usize,
    /// What stands before the first `*`.
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
    /// These in this order, with anything before and between them; and if `is_anchored`, nothing after the last.
    Parts { parts: Vec<Vec<u8>>, is_anchored: bool },
    /// It says nothing, or nothing can follow from it.
    Never,
}

impl Pattern {
    /// Takes a pattern apart. Bytes that are no UTF-8 are taken as they are.
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
            // A `$` that is not the last character means itself: one octet, however it is compared.
            length += if *first == b'$' { 1 } else { part.len() - before };
            rest = &rest[taken..];
        }
        let prefix = parts.remove(0);
        let has_star = !parts.is_empty();
        // Empty parts between stars match anything; so does an anchored one after the last star.
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

    /// Whether it is not empty and yet no path can match it.
    pub fn never_matches(&self) -> bool {
        self.tail == Tail::Never && self.length > 0
    }
}
