//! One line of a robots.txt: its key, its value, and what had to be repaired to read them.

use super::problem::{ExtensionKey, RobotsProblem};
use crate::limits::MAX_ROBOTS_LINE;

/// A position in the file: line and column in code points, starting at 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub line: i32,
    pub col: i32,
}

/// The key of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    Extension(ExtensionKey),
    Other,
}

/// Spellings that Google accepts for the keys, <https://github.com/google/robotstxt/blob/master/robots.cc>; the first
/// of each is the correct one. A longer word with one as its prefix is accepted, too: `Sitemaps`, `Disallowed`.
const SPELLINGS: [(Key, &[&str]); 4] = [
    (Key::UserAgent, &["user-agent", "useragent", "user agent"]),
    (
        Key::Disallow,
        &["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"],
    ),
    (Key::Allow, &["allow"]),
    (Key::Sitemap, &["sitemap", "site-map"]),
];

/// The user agent that a group applies to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProductToken {
    /// A product token, in lowercase.
    Name(String),
    /// `*`
    Any,
    /// No user agent.
    None,
}

/// A line with a key.
pub struct Line<'a> {
    pub key: Key,
    pub key_written: &'a [u8],
    pub place: Place,
    pub value: &'a [u8],
    pub value_place: Place,
    pub problems: Vec<(RobotsProblem, String)>,
}

impl<'a> Line<'a> {
    /// Parses a line. Returns `None` if it is empty except for a comment, and an error if it has no effect.
    pub fn read(number: i32, bytes: &'a [u8]) -> Result<Option<Self>, (RobotsProblem, Place, String)> {
        let comment = bytes.iter().position(|byte| *byte == b'#').unwrap_or(bytes.len());
        let text = trim(&bytes[..comment]);
        if text.is_empty() {
            return Ok(None);
        }
        let place = |part: &[u8]| Place {
            line: number,
            col: column(bytes, part),
        };
        let shown = || String::from_utf8_lossy(text).into_owned();
        if text.len() > MAX_ROBOTS_LINE {
            return Err((RobotsProblem::LineTooLong, place(text), shown()));
        }
        let mut problems = Vec::new();
        if std::str::from_utf8(text).is_err() {
            problems.push((RobotsProblem::InvalidBytes, shown()));
        }
        let (written, value) = match split(text) {
            Split::Colon(key, value) => (key, value),
            Split::Space(key, value) => {
                problems.push((RobotsProblem::MissingColon, shown()));
                (key, value)
            }
            Split::Url => return Err((RobotsProblem::BareUrl, place(text), shown())),
            Split::Nothing => return Err((RobotsProblem::NoKey, place(text), shown())),
        };
        let (key, is_exact) = key_of(written);
        if key == Key::Other {
            problems.push((RobotsProblem::UnknownKey, shown()));
        } else if !is_exact {
            problems.push((RobotsProblem::MisspelledKey, shown()));
        }
        Ok(Some(Line {
            key,
            key_written: written,
            place: place(written),
            value,
            value_place: place(value),
            problems,
        }))
    }

    /// Returns the value as text, with U+FFFD for invalid UTF-8.
    pub fn value_text(&self) -> String {
        String::from_utf8_lossy(self.value).into_owned()
    }
}

enum Split<'a> {
    Colon(&'a [u8], &'a [u8]),
    Space(&'a [u8], &'a [u8]),
    Url,
    Nothing,
}

fn split(text: &[u8]) -> Split<'_> {
    if begins_with(text, b"http://") || begins_with(text, b"https://") {
        return Split::Url;
    }
    if let Some(colon) = text.iter().position(|byte| *byte == b':') {
        let key = trim(&text[..colon]);
        if !key.is_empty() && (!key.iter().any(is_space) || key.eq_ignore_ascii_case(b"user agent")) {
            return Split::Colon(key, trim(&text[colon + 1..]));
        }
    }
    // Like Google, only if there are two words, so that prose is not read as a rule: `Sitemap
    // https://example.com/s.xml`.
    let end = text.iter().position(is_space).unwrap_or(text.len());
    let (key, value) = (&text[..end], trim(&text[end..]));
    let is_standard = !matches!(key_of(key).0, Key::Extension(_) | Key::Other);
    if is_standard && !value.is_empty() && !value.iter().any(is_space) {
        return Split::Space(key, value);
    }
    Split::Nothing
}

/// Returns the key that a word stands for, and whether it is spelled correctly.
fn key_of(written: &[u8]) -> (Key, bool) {
    for (key, spellings) in SPELLINGS {
        for (number, spelling) in spellings.iter().enumerate() {
            if begins_with(written, spelling.as_bytes()) {
                return (key, number == 0 && written.len() == spelling.len());
            }
        }
    }
    ExtensionKey::of(written).map_or((Key::Other, true), |(key, is_exact)| (Key::Extension(key), is_exact))
}

/// Returns the product token at the start of a value, and the text after it, which is ignored.
///
/// RFC 9309 allows letters, `_` and `-` in a token; digits are accepted, because MJ12bot and others have them. A
/// version (`Googlebot/2.1`) and a star (`Googlebot*`) are ignored, as Google documents:
/// <https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#user-agent>.
pub fn product_token_of(value: &[u8]) -> (ProductToken, &[u8]) {
    match value {
        [b'*'] => return (ProductToken::Any, b""),
        [b'*', next, rest @ ..] if is_space(next) => return (ProductToken::Any, rest),
        _ => {}
    }
    let end = value
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')))
        .unwrap_or(value.len());
    if end == 0 {
        return (ProductToken::None, value);
    }
    let name = String::from_utf8_lossy(&value[..end]).to_ascii_lowercase();
    let rest = match &value[end..] {
        [b'/' | b'*', ..] => b"",
        rest => rest,
    };
    (ProductToken::Name(name), rest)
}

/// Whitespace, and NUL, which is used as padding.
fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0B | 0x0C | 0)
}

fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(last)
    {
        text = rest;
    }
    text
}

fn begins_with(text: &[u8], prefix: &[u8]) -> bool {
    text.len() >= prefix.len() && text[..prefix.len()].eq_ignore_ascii_case(prefix)
}

/// Returns the column in code points of a part of a line, or of its end if the part is empty.
fn column(line: &[u8], part: &[u8]) -> i32 {
    let offset = (part.as_ptr() as usize)
        .saturating_sub(line.as_ptr() as usize)
        .min(line.len());
    String::from_utf8_lossy(&line[..offset]).chars().count() as i32 + 1
}
