//! The URL that a browser requests for a link: absolute, in one spelling, without fragment, user name, and password.
//!
//! This is for what leads to a page, such as links and the identity of pages; `url` judges a URL as it is written.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser> for http and https. A character that urlset percent-encodes
//! in a request is percent-encoded here, too.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::url::{self, is_sent, site, without_dots};

/// Longest URL, in bytes: servers refuse longer ones.
const LONGEST: usize = 16 * 1024;

/// The URL that links are relative to.
pub struct Base {
    scheme: &'static str,
    /// Host and port in their one spelling.
    authority: String,
    /// The path, in one spelling.
    path: String,
    query: String,
    /// Scheme, host, and port of an absolute URL without path; empty if links lead nowhere.
    origin: String,
}

impl Base {
    /// Takes an absolute URL; links relative to any other lead nowhere.
    pub fn new(url: &str) -> Self {
        let mut base = Base {
            scheme: "",
            authority: String::new(),
            path: String::new(),
            query: String::new(),
            origin: String::new(),
        };
        let cleaned = clean(url);
        if let Some((scheme, rest)) = scheme_of(&cleaned)
            && let Some((authority, path, query)) = split(scheme, rest)
        {
            base.scheme = scheme;
            base.origin = format!("{scheme}://{authority}");
            base.authority = authority;
            base.path = path_of(path);
            base.query = query_of(query);
        }
        base
    }

    /// Returns scheme, host, and port; empty if links lead nowhere.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Appends the URL of a link. Returns false if it is not an http or https URL, or too long.
    pub fn append(&self, href: &str, to: &mut String) -> bool {
        if let Some(parts) = self.parts_of_plain(href) {
            let is_wanted = parts.iter().map(|part| part.len()).sum::<usize>() <= LONGEST;
            if is_wanted {
                to.extend(parts);
            }
            return is_wanted;
        }
        let Some(url) = self.resolve_any(href).filter(|url| url.len() <= LONGEST) else {
            return false;
        };
        to.push_str(&url);
        true
    }

    /// Returns the parts of the URL of a link as most sites write them: an absolute path, an absolute URL of the same
    /// origin, or a relative path, in characters that are sent as they are and without dot segments; `None` for any
    /// other link.
    fn parts_of_plain<'a>(&'a self, href: &'a str) -> Option<[&'a str; 3]> {
        let end = href.bytes().position(|byte| !IS_SENT[usize::from(byte)]);
        let end = end.unwrap_or(href.len());
        if self.origin.is_empty() || end == 0 || end < href.len() && href.as_bytes()[end] != b'#' {
            return None;
        }
        let href = &href[..end];
        let of_origin = href
            .strip_prefix(&*self.origin)
            .filter(|path| path.starts_with('/'))
            .or_else(|| Some(href).filter(|path| path.starts_with('/') && !path.starts_with("//")));
        let (folder, path) = match of_origin {
            Some(path) => ("", path),
            None if href.starts_with(['/', '?', '.']) || memchr::memchr(b':', href.as_bytes()).is_some() => {
                return None;
            }
            None => (self.folder(), href),
        };
        let query = memchr::memchr(b'?', path.as_bytes()).unwrap_or(path.len());
        if path.as_bytes()[..query].windows(2).any(|pair| pair == b"/.") {
            return None;
        }
        let path = if query + 1 == path.len() { &path[..query] } else { path };
        Some([&self.origin, folder, path])
    }

    /// Returns the path up to the last slash.
    fn folder(&self) -> &str {
        &self.path[..self.path.rfind('/').map_or(0, |at| at + 1)]
    }

    fn resolve_any(&self, href: &str) -> Option<String> {
        let cleaned = clean(href);
        let absolute = match scheme_of(&cleaned) {
            Some((scheme, rest)) => Some((scheme, rest)),
            None if has_scheme(&cleaned) => return None,
            None => {
                let rest = cleaned.strip_prefix(['/', '\\']);
                let rest = rest.and_then(|rest| rest.strip_prefix(['/', '\\']));
                rest.map(|rest| (self.scheme, rest))
            }
        };
        let url = if let Some((scheme, rest)) = absolute {
            spelled(scheme, rest)?
        } else {
            let (path, query) = cleaned.split_at(cleaned.find('?').unwrap_or(cleaned.len()));
            let query = if path.is_empty() && query.is_empty() {
                Cow::Borrowed(&*self.query)
            } else {
                Cow::Owned(query_of(query))
            };
            let path = if path.is_empty() {
                Cow::Borrowed(&*self.path)
            } else if path.starts_with(['/', '\\']) {
                Cow::Owned(path_of(path))
            } else {
                Cow::Owned(path_of(&format!("{}{path}", self.folder())))
            };
            joined(self.scheme, &self.authority, &path, &query)
        };
        (!url.starts_with(':')).then_some(url)
    }
}

/// Returns the URL of a link on a page; `None` if it is not an http or https URL.
pub fn resolve(page: &str, href: &str) -> Option<String> {
    let mut url = String::new();
    Base::new(page).append(href, &mut url).then_some(url)
}

/// Returns the URL that a browser requests for an absolute http or https URL, in its normal form; `None` if it is not one.
pub fn key(url: &str) -> Option<String> {
    let url = requested(url)?;
    Some(match url::normal(&url) {
        Cow::Owned(form) => form,
        Cow::Borrowed(_) => url,
    })
}

/// Returns the hash of the URL that a browser requests; of the URL as it is if it cannot be requested.
pub fn hash(url: &str) -> i64 {
    url::hash(requested(url).as_deref().unwrap_or(url))
}

/// Returns the URL that a browser requests for an absolute http or https URL, as for a link to it.
fn requested(url: &str) -> Option<String> {
    let cleaned = clean(url);
    let (scheme, rest) = scheme_of(&cleaned)?;
    spelled(scheme, rest).filter(|url| url.len() <= LONGEST)
}

fn spelled(scheme: &str, rest: &str) -> Option<String> {
    let (authority, path, query) = split(scheme, rest)?;
    Some(joined(scheme, &authority, &path_of(path), &query_of(query)))
}

fn joined(scheme: &str, authority: &str, path: &str, query: &str) -> String {
    let mut url = String::with_capacity(scheme.len() + 3 + authority.len() + path.len() + query.len());
    for part in [scheme, "://", authority, path, query] {
        url.push_str(part);
    }
    url
}

/// Removes outer spaces and control characters, line breaks and tabs, and the fragment.
fn clean(href: &str) -> Cow<'_, str> {
    let href = href.trim_matches(|c: char| c <= ' ');
    let href = &href[..href.find('#').unwrap_or(href.len())];
    if href.contains(['\t', '\n', '\r']) {
        Cow::Owned(href.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(href)
    }
}

/// Returns the scheme of an absolute http or https URL, and what follows the slashes.
fn scheme_of(href: &str) -> Option<(&'static str, &str)> {
    let (scheme, rest) = href.split_once(':')?;
    let scheme = ["http", "https"]
        .into_iter()
        .find(|known| scheme.eq_ignore_ascii_case(known))?;
    let rest = rest.strip_prefix(['/', '\\'])?.strip_prefix(['/', '\\'])?;
    Some((scheme, rest))
}

fn has_scheme(href: &str) -> bool {
    let end = href
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
        .unwrap_or(href.len());
    href[end..].starts_with(':') && href.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Splits what follows the slashes: host and port in their one spelling, path, and query; `None` without a valid host.
fn split<'a>(scheme: &str, rest: &'a str) -> Option<(String, &'a str, &'a str)> {
    let end = rest.find(['/', '\\', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    Some((site(scheme, authority)?, path, query))
}

/// Returns a path in its one spelling: slashes forward, without dot segments, encoded.
fn path_of(path: &str) -> String {
    let slashed = if path.contains('\\') {
        Cow::Owned(path.replace('\\', "/"))
    } else {
        Cow::Borrowed(path)
    };
    let resolved = without_dots(&slashed);
    let mut written = String::with_capacity(resolved.len() + 1);
    if !resolved.starts_with('/') {
        written.push('/');
    }
    encode(&resolved, &mut written);
    written
}

/// Returns a query with its question mark, encoded; an empty one is left out.
fn query_of(query: &str) -> String {
    let mut written = String::with_capacity(query.len());
    if query.len() > 1 {
        encode(query, &mut written);
    }
    written
}

fn encode(text: &str, to: &mut String) {
    if text.bytes().all(|byte| IS_SENT[usize::from(byte)]) {
        to.push_str(text);
        return;
    }
    for byte in text.bytes() {
        if IS_SENT[usize::from(byte)] {
            to.push(char::from(byte));
        } else {
            let _ = write!(to, "%{byte:02X}");
        }
    }
}

/// `is_sent` of every byte.
const IS_SENT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_sent(byte as u8);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Base, key, resolve};
    use crate::value::url;

    #[test]
    fn links_resolve_as_in_a_browser() {
        let page = "https://Example.com/a/b?c=d#e";
        for (href, url) in [
            ("x", Some("https://example.com/a/x")),
            ("./x", Some("https://example.com/a/x")),
            ("../x/", Some("https://example.com/x/")),
            ("../../..", Some("https://example.com/")),
            (".", Some("https://example.com/a/")),
            ("/x/./y/../z", Some("https://example.com/x/z")),
            ("?q=1", Some("https://example.com/a/b?q=1")),
            ("", Some("https://example.com/a/b?c=d")),
            ("#top", Some("https://example.com/a/b?c=d")),
            ("x#top", Some("https://example.com/a/x")),
            ("//other.example", Some("https://other.example/")),
            ("HTTP://other.example:80/?", Some("http://other.example/")),
            ("https://ex%61mple%2Ecom/x", Some("https://example.com/x")),
            ("https://exa%20mple.com/", None),
            ("https://other.example:8443?a", Some("https://other.example:8443/?a")),
            ("https://me:secret@other.example/", Some("https://other.example/")),
            (
                "https:\\\\other.example\\x\\y?a\\b",
                Some("https://other.example/x/y?a%5Cb"),
            ),
            (
                "https://b\u{fc}cher.example/\u{fc} x",
                Some("https://xn--bcher-kva.example/%C3%BC%20x"),
            ),
            ("https://[::1]:80/", Some("https://[::1]:80/")),
            (" \n/x\ty ", Some("https://example.com/xy")),
            ("mailto:me@example.com", None),
            ("javascript:void(0)", None),
            ("tel:+123", None),
            ("https:/x", None),
            ("https://", None),
            ("https://example.com:99999/", None),
            ("a:b", None),
            ("a/b:c", Some("https://example.com/a/a/b:c")),
        ] {
            assert_eq!(resolve(page, href).as_deref(), url, "{href}");
            let form = resolve(href, href).map(|url| url::normal(&url).into_owned());
            assert_eq!(key(href), form, "{href}");
        }
        assert_eq!(resolve("sitemap.html", "x"), None);
    }

    #[test]
    fn resolving_again_changes_nothing() {
        for href in ["/a b/../\u{e9}?x y", "//h/..//..", "/%zz", "/a//b/."] {
            let url = resolve("http://example.com/", href).unwrap();
            assert_eq!(resolve(&url, &url).as_deref(), Some(&*url), "{href}");
        }
    }

    /// Parts of links: what plain links are made of, and what makes a link not plain.
    const PIECES: &[&str] = &[
        "/",
        "/",
        "a",
        "b.html",
        "?",
        "x=1",
        "&",
        "#",
        "top",
        ".",
        "..",
        "./",
        "//",
        "\\",
        ":",
        "https:",
        "http://",
        " ",
        "\t",
        "%20",
        "\u{e9}",
        "https://example.com",
        "https://Example.com",
        "http://example.com:8080",
        "example.com",
        "@",
        ":80",
        "[",
        "<",
        "mailto:",
    ];

    proptest! {
        #![proptest_config(crate::properties::inputs(20_000))]

        #[test]
        fn plain_links_resolve_as_any_other(
            page in prop::sample::select(&[
                "https://example.com/", "https://example.com/a/b?c=d", "http://example.com:8080/.a/b/", "https://example.com",
                "https://example.com/%zz/a//b", "sitemap.html", "https://b\u{fc}cher.example/\u{fc}/x",
            ][..]),
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..7),
        ) {
            let (base, href) = (Base::new(page), pieces.concat());
            if let Some(parts) = base.parts_of_plain(&href) {
                prop_assert_eq!(base.resolve_any(&href), Some(parts.concat()), "{} on {}", href, page);
            }
        }
    }
}
