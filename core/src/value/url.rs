//! Absolute http and https URLs: RFC 3986 with the wider character set of RFC 3987, and the exact problem of an invalid
//! one.
//!
//! <https://www.rfc-editor.org/rfc/rfc3986#appendix-A>, <https://www.rfc-editor.org/rfc/rfc3987#section-2.2>. Stricter
//! than the grammar where a name could never be resolved or a port never be opened: host names obey the length limits
//! of DNS (<https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4>) and have no empty label, a dotted host that ends in
//! a number is an IPv4 address, a port fits into 16 bits, and Unicode whitespace is rejected.
//!
//! This judges a URL as it is written; `whatwg_url` says what a browser requests for it.
//!
//! This runs once per URL: a plain URL is parsed in a single pass over a class table, without allocation.

mod escapes;
mod host;
mod normal;
mod percent;
mod rest;
#[cfg(test)]
mod tests;
pub mod traits;
mod unset;
mod usual;
mod wide;

pub use escapes::{has_xml_escape, xml_unescaped, xml_unescaped_once};
pub use host::{AsciiHosts, ascii_host};
pub use normal::{hash, is_sent, normal, site, text_hash, without_dots};
pub use usual::Parser;

use host::{Authority, host_is_good, is_ascii_host, plain_name_is_good, port};

vocabulary! {
    /// The first problem of a URL that a person would name.
    UrlProblem {
        Empty, "empty", "The value is empty.";
        UnsetVariable, "unset-variable", "A variable without a value is in the place of the URL or a part of it, such as None or undefined.";
        Relative, "relative", "The URL has no scheme: it is relative, or only a host name.";
        NotHttp, "not-http", "The scheme is neither http nor https.";
        NoHost, "no-host", "The URL has no host: the two slashes or the host after them is missing.";
        BadHost, "bad-host", "The host is neither a valid DNS name nor a valid IP address.";
        BadPort, "bad-port", "The port is not a number from 0 to 65535, written with at most five digits.";
        Whitespace, "whitespace", "The URL contains whitespace.";
        ControlCharacter, "control-character", "The URL contains a control character.";
        BadPercentEscape, "bad-percent-escape", "A percent sign is not followed by two hexadecimal digits.";
        IllegalCharacter, "illegal-character", "The URL contains a character that must be percent-encoded there.";
    }
}

/// The result of parsing one URL. Parts are as written, and set wherever they can be located, even if there is a
/// problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlParts<'a> {
    pub problem: Option<UrlProblem>,
    /// Code points in the whole URL.
    pub length: u32,
    pub scheme: Option<&'a str>,
    pub userinfo: Option<&'a str>,
    /// Never empty; an IPv6 address keeps its brackets.
    pub host: Option<&'a str>,
    pub port: Option<u16>,
    /// Without query and fragment; empty if the URL ends with its authority.
    pub path: Option<&'a str>,
    pub is_ascii: bool,
    /// Whether the scheme has uppercase ASCII letters, so that a caller lowercases it only then.
    pub scheme_upper: bool,
    /// Whether the host is in its one spelling (`ascii_host`), so that a caller converts it only otherwise.
    pub host_usual: bool,
}

const UPPER: u16 = 1;
const NON_ASCII: u16 = 1 << 1;
const PERCENT: u16 = 1 << 2;
const SPACE: u16 = 1 << 3;
const CONTROL: u16 = 1 << 4;
const ILLEGAL: u16 = 1 << 5;
const BRACKET: u16 = 1 << 6;
const SLASH: u16 = 1 << 7;
const QUESTION: u16 = 1 << 8;
const HASH: u16 = 1 << 9;
const AT: u16 = 1 << 10;
const COLON: u16 = 1 << 11;
/// A private-use character, which RFC 3987 allows only in a query.
const PRIVATE: u16 = 1 << 12;

/// The class of every byte; 0 for bytes that are allowed anywhere after the scheme.
const CLASS: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' => UPPER,
            b'\t'..=b'\r' | b' ' => SPACE,
            0..=0x1F | 0x7F => CONTROL,
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => ILLEGAL,
            b'[' | b']' => BRACKET,
            b'%' => PERCENT,
            b'/' => SLASH,
            b'?' => QUESTION,
            b'#' => HASH,
            b'@' => AT,
            b':' => COLON,
            0x80..=0xFF => NON_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Parses one URL. The caller has already removed outer whitespace. Never fails: see `UrlParts::problem`.
pub fn parse(text: &str) -> UrlParts<'_> {
    let bytes = text.as_bytes();
    if bytes.starts_with(b"https://") {
        hierarchical(text, 5, 8)
    } else if bytes.starts_with(b"http://") {
        hierarchical(text, 4, 7)
    } else {
        unusual(text)
    }
}

/// Returns the position of the first byte of class `stop` from `start` on (or the end), and the classes of all bytes
/// before it.
#[inline(always)]
fn scan(bytes: &[u8], start: usize, stop: u16) -> (usize, u16) {
    let mut seen = 0;
    let mut at = start;
    while at < bytes.len() {
        let class = CLASS[bytes[at] as usize];
        if class & stop != 0 {
            break;
        }
        seen |= class;
        at += 1;
    }
    (at, seen)
}

/// Parses a URL whose authority starts at `start`, after a scheme of `scheme_end` bytes (0: no scheme) and `://` or
/// `//`.
#[inline]
fn hierarchical(text: &str, scheme_end: usize, start: usize) -> UrlParts<'_> {
    let bytes = text.as_bytes();
    let (authority_end, in_authority) = scan(bytes, start, SLASH | QUESTION | HASH);
    if unset::in_authority(&text[start..authority_end]) {
        return bare(text, UrlProblem::UnsetVariable);
    }
    let (path_end, in_path) = scan(bytes, authority_end, QUESTION | HASH);
    let (query_end, in_query) = scan(bytes, path_end, HASH);
    let (_, in_fragment) = scan(bytes, query_end + 1, 0);

    let mut parts = UrlParts {
        problem: None,
        length: text.len() as u32,
        scheme: if scheme_end == 0 {
            None
        } else {
            Some(&text[..scheme_end])
        },
        userinfo: None,
        host: None,
        port: None,
        path: Some(&text[authority_end..path_end]),
        is_ascii: true,
        scheme_upper: false,
        host_usual: in_authority & UPPER == 0 && !text[..authority_end].ends_with('.'),
    };
    let all = in_authority | in_path | in_query | in_fragment;
    let host = &text[start..authority_end];
    let plain_host = in_authority & !UPPER == 0 && plain_name_is_good(host);
    const FAULT: u16 = SPACE | CONTROL | ILLEGAL | BRACKET;
    const WIDE: u16 = NON_ASCII | PERCENT;
    if plain_host && all & FAULT == 0 && in_fragment & HASH == 0 {
        let tail = &text[authority_end..];
        if all & WIDE == 0 || wide_is_good(tail, all) {
            parts.host = Some(host);
            if all & NON_ASCII != 0 {
                parts.is_ascii = false;
                parts.length = (authority_end + tail.chars().count()) as u32;
            }
            return parts;
        }
    }
    let spans = Spans {
        authority: (start, authority_end),
        path_end,
        query_end,
    };
    diagnose(text, spans, all, &mut parts);
    parts
}

/// Returns whether path, query and fragment are valid, given that they have escapes or non-ASCII characters but no
/// ASCII problem.
fn wide_is_good(tail: &str, seen: u16) -> bool {
    (seen & PERCENT == 0 || escapes_are_good(tail.as_bytes()))
        && (seen & NON_ASCII == 0 || classes(tail) & (SPACE | CONTROL | ILLEGAL | PRIVATE) == 0)
}

/// Positions of the parts of a URL, in bytes.
struct Spans {
    authority: (usize, usize),
    path_end: usize,
    query_end: usize,
}

/// Fills `parts` for a URL that is not plain: one with user info, port, IP literal, escapes, non-ASCII characters or
/// problems.
#[inline(never)]
fn diagnose<'a>(text: &'a str, spans: Spans, all: u16, parts: &mut UrlParts<'a>) {
    let Spans {
        authority: (start, authority_end),
        path_end,
        query_end,
    } = spans;
    let authority = Authority::split(&text[start..authority_end]);
    let userinfo = authority.userinfo.unwrap_or("");
    let path = &text[authority_end..path_end];
    let query = &text[path_end..query_end];
    let fragment = text.get(query_end + 1..).unwrap_or("");

    let in_host = classes(authority.host);
    let mut elsewhere = classes(userinfo) | classes(path) | classes(fragment) | classes(authority.port.unwrap_or(""));
    if elsewhere & PRIVATE != 0 {
        elsewhere |= ILLEGAL;
    }
    if userinfo.contains('@') || fragment.contains('#') {
        elsewhere |= ILLEGAL;
    }
    elsewhere |= classes(query);
    let seen = all | in_host | elsewhere;

    parts.is_ascii = seen & NON_ASCII == 0;
    if !parts.is_ascii {
        parts.length = text.chars().count() as u32;
    }
    parts.userinfo = authority.userinfo;
    parts.host = if authority.host.is_empty() {
        None
    } else {
        Some(authority.host)
    };
    parts.host_usual = is_ascii_host(authority.host);
    let port = authority.port.map_or(Ok(None), port);
    parts.port = port.unwrap_or(None);
    parts.problem = if authority.host.is_empty() {
        Some(UrlProblem::NoHost)
    } else if seen & SPACE != 0 {
        Some(UrlProblem::Whitespace)
    } else if seen & CONTROL != 0 {
        Some(UrlProblem::ControlCharacter)
    } else if !host_is_good(authority.host, in_host) {
        Some(UrlProblem::BadHost)
    } else if port.is_err() {
        Some(UrlProblem::BadPort)
    } else if all & PERCENT != 0 && !escapes_are_good(text.as_bytes()) {
        Some(UrlProblem::BadPercentEscape)
    } else if elsewhere & (ILLEGAL | BRACKET) != 0 {
        Some(UrlProblem::IllegalCharacter)
    } else {
        None
    };
    if parts.problem.is_some_and(|problem| problem != UrlProblem::NoHost) && unset::has_leftover(text) {
        *parts = bare(text, UrlProblem::UnsetVariable);
    }
}

/// Returns the classes of all characters of a part, including non-ASCII characters.
fn classes(part: &str) -> u16 {
    let (_, seen) = scan(part.as_bytes(), 0, 0);
    if seen & NON_ASCII == 0 {
        return seen;
    }
    part.chars()
        .filter(|ch| !ch.is_ascii())
        .fold(seen, |seen, ch| seen | class_beyond_ascii(ch))
}

/// Returns the class of a non-ASCII character: `ucschar` and `iprivate` of RFC 3987, section 2.2.
fn class_beyond_ascii(ch: char) -> u16 {
    match ch as u32 {
        0xA1..=0x167F => 0,
        _ if ch.is_whitespace() => SPACE,
        0x80..=0x9F => CONTROL,
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => 0,
        0xE000..=0xF8FF => PRIVATE,
        0xFFF0..=0xFFFF | 0xFDD0..=0xFDEF => ILLEGAL,
        // The last two code points of every plane are noncharacters; plane 14 starts with tags.
        wide if wide & 0xFFFF >= 0xFFFE => ILLEGAL,
        0xE_0000..=0xE_0FFF => ILLEGAL,
        0xF_0000.. => PRIVATE,
        _ => 0,
    }
}

/// Returns whether two hexadecimal digits follow every percent sign.
fn escapes_are_good(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            at += 1;
        } else if at + 2 < bytes.len() && bytes[at + 1].is_ascii_hexdigit() && bytes[at + 2].is_ascii_hexdigit() {
            at += 3;
        } else {
            return false;
        }
    }
    true
}

/// Parses anything that does not start with `http://` or `https://` in lowercase.
#[cold]
fn unusual(text: &str) -> UrlParts<'_> {
    let rest = text.trim_start();
    if rest.is_empty() {
        return bare(text, UrlProblem::Empty);
    }
    if unset::starts(rest) {
        return bare(text, UrlProblem::UnsetVariable);
    }
    if rest.len() < text.len() {
        let mut parts = parse(rest);
        parts.length = text.chars().count() as u32;
        parts.is_ascii = text.is_ascii();
        let earlier = [
            UrlProblem::Relative,
            UrlProblem::NotHttp,
            UrlProblem::NoHost,
            UrlProblem::UnsetVariable,
        ]
        .map(Some);
        if !earlier.contains(&parts.problem) {
            parts.problem = Some(UrlProblem::Whitespace);
        }
        return parts;
    }
    let Some(end) = scheme_end(text.as_bytes()) else {
        return relative(text);
    };
    let (scheme, rest) = (&text[..end], &text[end + 1..]);
    let http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if !http && (scheme.contains('.') || begins_with_port(rest)) {
        // localhost:8080/x, example.com:80/: here nobody means a scheme.
        return bare(text, UrlProblem::Relative);
    }
    let problem = if http { UrlProblem::NoHost } else { UrlProblem::NotHttp };
    let mut parts = if rest.starts_with("//") {
        hierarchical(text, end, end + 3)
    } else {
        bare(text, problem)
    };
    if parts.problem == Some(UrlProblem::UnsetVariable) {
        return parts;
    }
    if !http {
        parts.problem = Some(UrlProblem::NotHttp);
    } else if !rest.starts_with("//") {
        parts.path = Some(without_query(rest));
    }
    parts.scheme = Some(scheme);
    parts.scheme_upper = scheme.bytes().any(|byte| byte.is_ascii_uppercase());
    parts
}

fn bare(text: &str, problem: UrlProblem) -> UrlParts<'_> {
    UrlParts {
        problem: Some(problem),
        length: text.chars().count() as u32,
        scheme: None,
        userinfo: None,
        host: None,
        port: None,
        path: None,
        is_ascii: text.is_ascii(),
        scheme_upper: false,
        host_usual: true,
    }
}

fn relative(text: &str) -> UrlParts<'_> {
    let mut parts = if text.starts_with("//") {
        hierarchical(text, 0, 2)
    } else {
        bare(text, UrlProblem::Relative)
    };
    if parts.problem == Some(UrlProblem::UnsetVariable) {
        return parts;
    }
    parts.problem = Some(UrlProblem::Relative);
    if parts.path.is_none() {
        parts.path = Some(without_query(text));
    }
    parts
}

fn without_query(text: &str) -> &str {
    &text[..text.find(['?', '#']).unwrap_or(text.len())]
}

/// Returns the position of the colon after a scheme: a letter, then letters, digits, plus, minus and dot.
fn scheme_end(bytes: &[u8]) -> Option<usize> {
    if !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    let end = bytes
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))?;
    (bytes[end] == b':').then_some(end)
}

/// Returns whether the text after a colon is a port: only digits up to the end or the path.
fn begins_with_port(rest: &str) -> bool {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    (1..=5).contains(&end) && rest.bytes().take(end).all(|byte| byte.is_ascii_digit())
}
