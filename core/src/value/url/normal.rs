//! Which URLs are the same: those with one normal form, and therefore one hash.
//!
//! <https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2>, <https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3>,
//! <https://www.rfc-editor.org/rfc/rfc3987#section-3.1>. This is the only place that decides it: `loc_hash`, `href_hash`
//! and `page_hash`, rules, comparisons, and repairs all ask it. Paths that differ in their case or in a slash at the
//! end, other queries, and other schemes are other URLs.

use std::borrow::Cow;
use std::fmt::Write as _;

use twox_hash::XxHash64;

use super::host::{Authority, ascii_host, port};
use super::percent::{escape, push_escape};
use super::rest::is_plain_rest;

/// Returns the normal form of an absolute http or https URL; any other text as it is.
#[inline]
pub fn normal(url: &str) -> Cow<'_, str> {
    if is_plain(url) {
        return Cow::Borrowed(url);
    }
    match written(url) {
        Some(form) if form != url => Cow::Owned(form),
        _ => Cow::Borrowed(url),
    }
}

/// Returns the hash of a URL in its normal form, by which URLs are compared.
pub fn hash(url: &str) -> i64 {
    text_hash(&normal(url))
}

/// Returns the hash of a text: XXH64 with Spark's seed.
#[inline]
pub fn text_hash(url: &str) -> i64 {
    XxHash64::oneshot(42, url.as_bytes()) as i64
}

/// Returns whether a URL is clearly in its normal form, as nearly every URL of a sitemap is.
fn is_plain(url: &str) -> bool {
    plain_authority(url).is_some_and(|end| {
        url[end..].starts_with('/') && (is_plain_rest(url, end) || is_encoded(&url.as_bytes()[end..]))
    })
}

/// Returns whether path and query are clearly encoded as in the normal form.
fn is_encoded(rest: &[u8]) -> bool {
    let (mut at, mut last) = (0, 0);
    while let Some(&byte) = rest.get(at) {
        if byte == b'%' {
            let is_upper = |place: usize| matches!(rest.get(place), Some(b'0'..=b'9' | b'A'..=b'F'));
            if !is_upper(at + 1) || !is_upper(at + 2) || escape(&rest[at..]).is_some_and(is_unreserved) {
                return false;
            }
            at += 2;
        } else if !IS_KEPT[usize::from(byte)] || byte == b'.' && last == b'/' {
            return false;
        }
        last = byte;
        at += 1;
    }
    true
}

/// Returns where the authority ends, if it is only a host in its one spelling, after a scheme in lowercase.
pub(super) fn plain_authority(url: &str) -> Option<usize> {
    let rest = url.strip_prefix("http")?;
    let host = rest.strip_prefix("s").unwrap_or(rest).strip_prefix("://")?;
    let is_of_name =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.');
    let length = host.bytes().take_while(is_of_name).count();
    let is_plain = length > 0
        && matches!(host.as_bytes().get(length), None | Some(b'/' | b'?' | b'#'))
        && host.as_bytes()[length - 1] != b'.';
    is_plain.then_some(url.len() - host.len() + length)
}

fn written(url: &str) -> Option<String> {
    let mut form = String::with_capacity(url.len() + 32);
    let tail = if let Some(end) = plain_authority(url) {
        form.push_str(&url[..end]);
        &url[end..]
    } else {
        write_authority(url, &mut form)?
    };
    let path_end = tail.find(['?', '#']).unwrap_or(tail.len());
    let path = form.len();
    encode(if path_end == 0 { "/" } else { &tail[..path_end] }, &mut form);
    if let Cow::Owned(shorter) = without_dots(&form[path..]) {
        form.truncate(path);
        form.push_str(&shorter);
    }
    let query_end = tail.find('#').unwrap_or(tail.len());
    encode(&tail[path_end..query_end], &mut form);
    if let Some(fragment) = tail.get(query_end + 1..) {
        form.push('#');
        encode(fragment, &mut form);
    }
    Some(form)
}

/// Appends scheme and authority in their normal form, and returns what follows them.
fn write_authority<'a>(url: &'a str, form: &mut String) -> Option<&'a str> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = ["http", "https"]
        .into_iter()
        .find(|known| scheme.eq_ignore_ascii_case(known))?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, place) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let site = site(scheme, place)?;
    form.extend([scheme, "://", user, &site]);
    Some(tail)
}

/// Returns host and port in their one spelling; `None` without a valid host and port.
pub fn site(scheme: &str, host_and_port: &str) -> Option<String> {
    let authority = Authority::split(host_and_port);
    let host = ascii_host(authority.host);
    if host.is_empty() || host.contains(|c: char| c <= ' ' || matches!(c, '%' | '"' | '<' | '>' | '^' | '|' | '`')) {
        return None;
    }
    let usual = if scheme == "https" { 443 } else { 80 };
    let digits = authority.port.unwrap_or("").trim_start_matches('0');
    let digits = if digits.is_empty() && authority.port.is_some_and(|port| !port.is_empty()) {
        "0"
    } else {
        digits
    };
    let mut named = host.into_owned();
    if let Some(number) = port(digits).ok()?.filter(|number| *number != usual) {
        let _ = write!(named, ":{number}");
    }
    Some(named)
}

/// Returns an absolute path without dot segments.
pub fn without_dots(path: &str) -> Cow<'_, str> {
    if !path.contains("/.") {
        return Cow::Borrowed(path);
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." if is_last => kept.push(""),
            "." => {}
            ".." => {
                kept.pop();
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    Cow::Owned(format!("/{}", kept.join("/")))
}

/// Appends a part of a URL in its normal form: escapes in uppercase, and only where they are required.
fn encode(part: &str, to: &mut String) {
    let bytes = part.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let kept = bytes[at..]
            .iter()
            .take_while(|&&byte| IS_KEPT[usize::from(byte)])
            .count();
        // Within a character, nothing is kept.
        if kept > 0 {
            to.push_str(&part[at..at + kept]);
            at += kept;
        }
        let Some(&byte) = bytes.get(at) else { break };
        let escaped = escape(&bytes[at..]);
        at += if escaped.is_some() { 3 } else { 1 };
        match escaped {
            Some(byte) if is_unreserved(byte) => to.push(char::from(byte)),
            _ => push_escape(escaped.unwrap_or(byte), to),
        }
    }
}

/// Whether a byte of a path or query stays as it is in the normal form.
const IS_KEPT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_sent(byte as u8) && byte != b'%' as usize;
        byte += 1;
    }
    table
};

/// `unreserved` of RFC 3986: an escape of it is the character itself.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Whether a byte of a path or query is sent as it is; see `urlset.fetch.request_url`.
pub const fn is_sent(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(
            byte,
            b'!' | b'$' | b'&'..=b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'%' | b'[' | b']'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Parser;
    use super::{hash, normal, without_dots};

    #[test]
    fn equal_urls_have_one_form() {
        for (url, form) in [
            ("https://example.com", "https://example.com/"),
            ("https://example.com?a=1", "https://example.com/?a=1"),
            ("https://example.com#top", "https://example.com/#top"),
            ("HTTPS://EXAMPLE.com:443/", "https://example.com/"),
            ("http://example.com:080/", "http://example.com/"),
            ("https://example.com:/", "https://example.com/"),
            ("https://example.com:0/", "https://example.com:0/"),
            ("https://example.com:08443/", "https://example.com:8443/"),
            ("https://example.com./", "https://example.com/"),
            ("https://ex%61mple.com/", "https://example.com/"),
            ("https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"),
            (
                "https://B\u{dc}CHER.example/\u{fc}",
                "https://xn--bcher-kva.example/%C3%BC",
            ),
            ("https://[2001:DB8:0::1]:443/", "https://[2001:db8::1]/"),
            ("https://me:Secret@EXAMPLE.com", "https://me:Secret@example.com/"),
            ("https://example.com/%d8%aF", "https://example.com/%D8%AF"),
            ("https://example.com/%7Ea%2Db%2d%5f", "https://example.com/~a-b-_"),
            ("https://example.com/a%2fb", "https://example.com/a%2Fb"),
            (
                "https://example.com/?a=%7e&b=%c3%bc#%7e",
                "https://example.com/?a=~&b=%C3%BC#~",
            ),
            ("https://example.com/a b", "https://example.com/a%20b"),
            ("https://example.com/a/./b/../%2e%2E/c", "https://example.com/c"),
            ("https://example.com/?/../", "https://example.com/?/../"),
            ("https://example.com/a#b#c", "https://example.com/a#b%23c"),
            (
                "https://example.com/100%/%zz%%41",
                "https://example.com/100%25/%25zz%25A",
            ),
        ] {
            assert_eq!(normal(url), form, "{url}");
            assert_eq!(normal(form), form, "{form}");
            assert_eq!(hash(url), hash(form), "{url}");
        }
    }

    #[test]
    fn other_urls_keep_their_forms() {
        for (one, other) in [
            ("https://example.com/a", "https://example.com/a/"),
            ("https://example.com/a", "https://example.com/A"),
            ("https://example.com/a", "https://example.com/a?"),
            ("https://example.com/a", "https://example.com/a#b"),
            ("https://example.com/a", "http://example.com/a"),
            ("https://example.com/a", "https://www.example.com/a"),
            ("https://example.com/a", "https://example.com:8443/a"),
            ("https://example.com/a", "https://example.com//a"),
            ("https://example.com/a+b", "https://example.com/a%2Bb"),
            ("https://example.com/a+b", "https://example.com/a%20b"),
            ("https://example.com/a/b", "https://example.com/a%2Fb"),
            ("https://example.com/\u{e9}", "https://example.com/e\u{301}"),
            ("https://example.com/%E9", "https://example.com/\u{e9}"),
            ("/a", "https://example.com/a"),
            ("ftp://EXAMPLE.com/", "ftp://example.com/"),
            ("https:///a", "https://a/"),
        ] {
            assert_ne!(hash(one), hash(other), "{one} {other}");
        }
    }

    #[test]
    fn dot_segments_are_removed() {
        for (path, shorter) in [
            ("/a/b/..", "/a/"),
            ("/..", "/"),
            ("/a/.", "/a/"),
            ("/.a/..b", "/.a/..b"),
            ("//h/..//..", "//"),
        ] {
            assert_eq!(without_dots(path), shorter, "{path}");
        }
    }

    const PIECES: &[&str] = &[
        "/",
        "/",
        "a",
        "B",
        ".",
        "..",
        "./",
        "//",
        "?",
        "#",
        "%",
        "%7e",
        "%7E",
        "%d8",
        "%D8",
        "%2f",
        "%41",
        "%",
        "\u{e9}",
        " ",
        ";",
        "+",
        "[",
        "\\",
        "%2e",
        ":",
        "@",
        "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz",
    ];

    proptest! {
        #![proptest_config(crate::properties::inputs(5_000))]

        /// Whether a URL is plain, or usual after another one, saves time only.
        #[test]
        fn forms_do_not_depend_on_the_way(
            sites in prop::collection::vec(prop::sample::select(&[
                "https://example.com", "https://example.com", "http://example.com", "https://Example.com:443",
                "https://example.com:443", "https://example.com:08443", "https://b\u{fc}cher.example", "HTTP://[::1]",
                "https://example.com.", "https://me@example.com", "//example.com", "https://ex%61mple.com",
            ][..]), 1..4),
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..9),
        ) {
            let (mut parser, tail) = (Parser::default(), pieces.concat());
            for site in sites {
                let url = format!("{site}{tail}");
                let form = super::written(&url).unwrap_or_else(|| url.clone());
                prop_assert_eq!(&*normal(&url), &*form, "{}", url);
                prop_assert_eq!(&*normal(&form), &*form, "{}", url);
                prop_assert_eq!(parser.see(&url).hash, hash(&url), "{}", url);
                prop_assert_eq!(parser.hashed(&url).1, hash(&url), "{}", url);
            }
        }
    }
}
