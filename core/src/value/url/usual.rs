//! The usual URL: same scheme and host as the URL before it, and a path of only ordinary characters.
//!
//! Nearly every URL of a sitemap is one. Its authority need not be parsed again, and the rest is checked in blocks; what
//! is not clearly valid goes to the full parser.

use super::normal::{hash, plain_authority, text_hash};
use super::rest::{Rest, rest};
use super::{UrlParts, parse, traits};
use crate::value::traits::Traits;

/// Parses one URL after the other and remembers the last valid scheme and authority.
#[derive(Default)]
pub struct Parser {
    /// `https://www.example.com`, in lowercase; empty at the start.
    prefix: String,
    scheme_end: usize,
    host_end: usize,
    port: Option<u16>,
    /// Whether the prefix is as in the normal form of a URL.
    is_normal: bool,
    /// The traits of the prefix's scheme, host and port.
    traits: Traits,
}

/// The parts of a URL and its traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen<'a> {
    pub parts: UrlParts<'a>,
    pub traits: Traits,
    /// As `url::hash`.
    pub hash: i64,
    /// Whether scheme and host are known to equal those of an earlier URL.
    pub is_same_site: bool,
}

impl Parser {
    /// Same as `url::parse`.
    #[inline]
    pub fn parse<'a>(&mut self, text: &'a str) -> UrlParts<'a> {
        if let Some((parts, _)) = self.usual(text) {
            return parts;
        }
        let parts = parse(text);
        self.remember(text, &parts);
        parts
    }

    /// Same as `parse`, and also returns the hash of the URL, as `url::hash`.
    #[inline]
    pub fn hashed<'a>(&mut self, text: &'a str) -> (UrlParts<'a>, i64) {
        if let Some((parts, rest)) = self.usual(text) {
            return (parts, self.hash_of_usual(text, rest));
        }
        let parts = parse(text);
        self.remember(text, &parts);
        (parts, hash(text))
    }

    /// Same as `parse`, and also returns the traits of the URL.
    #[inline]
    pub fn see<'a>(&mut self, text: &'a str) -> Seen<'a> {
        let Some((parts, rest)) = self.usual(text) else {
            let parts = parse(text);
            self.remember(text, &parts);
            return Seen {
                parts,
                traits: traits::of(text, &parts),
                hash: hash(text),
                is_same_site: false,
            };
        };
        let mut traits = self.traits;
        if let Some(path) = parts.path {
            traits |= traits::of_usual_path(path, rest.has_dots);
            let tail = &text.as_bytes()[self.prefix.len() + path.len()..];
            if !tail.is_empty() {
                traits |= traits::of_parameters(tail);
            }
        }
        Seen {
            parts,
            traits,
            hash: self.hash_of_usual(text, rest),
            is_same_site: true,
        }
    }

    #[inline(always)]
    fn hash_of_usual(&self, text: &str, rest: Rest) -> i64 {
        if self.is_normal && text.as_bytes().get(self.prefix.len()) == Some(&b'/') && rest.is_plain() {
            text_hash(text)
        } else {
            hash(text)
        }
    }

    /// Same as `parse`, and also returns which of `traits::DOUBTS` the URL has.
    #[inline]
    pub fn doubt<'a>(&mut self, text: &'a str) -> (UrlParts<'a>, Traits) {
        let Some((parts, rest)) = self.usual(text) else {
            let parts = parse(text);
            self.remember(text, &parts);
            return (parts, traits::doubts(text, &parts));
        };
        let path = parts.path.unwrap_or_default();
        let tail = &text.as_bytes()[self.prefix.len() + path.len()..];
        (parts, traits::usual_doubts(path, tail, rest.has_dots))
    }

    /// Returns a usual URL, and what follows its authority.
    #[inline(always)]
    fn usual<'a>(&self, text: &'a str) -> Option<(UrlParts<'a>, Rest)> {
        if self.prefix.is_empty() || !text.as_bytes().starts_with(self.prefix.as_bytes()) {
            return None;
        }
        let begin = self.prefix.len();
        let rest = rest(text, begin)?;
        let parts = UrlParts {
            problem: None,
            length: (text.len() - rest.continued) as u32,
            scheme: Some(&text[..self.scheme_end]),
            userinfo: None,
            host: Some(&text[self.scheme_end + 3..self.host_end]),
            port: self.port,
            path: Some(&text[begin..rest.path_end]),
            is_ascii: rest.continued == 0,
            scheme_upper: false,
            host_usual: true,
        };
        Some((parts, rest))
    }

    fn remember(&mut self, text: &str, parts: &UrlParts) {
        let (None, Some(scheme), Some(host), Some(path)) = (parts.problem, parts.scheme, parts.host, parts.path) else {
            return;
        };
        if parts.userinfo.is_some() || parts.scheme_upper || !parts.host_usual {
            return;
        }
        let authority_end = path.as_ptr() as usize - text.as_ptr() as usize;
        self.prefix.clear();
        self.prefix.push_str(&text[..authority_end]);
        self.scheme_end = scheme.len();
        self.host_end = scheme.len() + 3 + host.len();
        self.port = parts.port;
        self.is_normal = plain_authority(&self.prefix).is_some();
        self.traits = traits::of_site(parts);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_same(parser: &mut Parser, text: &str) {
        let parts = parse(text);
        let seen = parser.see(text);
        assert_eq!(seen.parts, parts, "{text:?}");
        assert_eq!(seen.traits, traits::of(text, &parts), "{text:?}");
        assert_eq!(parser.parse(text), parts, "{text:?}");
        let (doubted, doubts) = parser.doubt(text);
        assert_eq!(doubted, parts, "{text:?}");
        for doubt in traits::DOUBTS {
            assert_eq!(doubts.has(doubt), seen.traits.has(doubt), "{text:?}");
        }
    }

    #[test]
    fn every_byte_at_every_place_of_the_path() {
        let mut parser = Parser::default();
        // Miri takes a second for each of about a hundred positions.
        let step = if cfg!(miri) { 13 } else { 1 };
        for byte in (0..=0x7f_u8).step_by(step) {
            for place in (0..40).step_by(step) {
                let mut path = vec![b'a'; 40];
                path[place] = byte;
                let path = String::from_utf8(path).unwrap();
                for base in [
                    "https://example.com/",
                    "https://example.com",
                    "http://example.com:8080/x?",
                ] {
                    assert_same(&mut parser, "https://example.com/");
                    assert_same(&mut parser, &format!("{base}{path}"));
                }
            }
        }
    }

    /// Every character at every place of a block, and cut off.
    #[test]
    fn every_wide_character() {
        let mut parser = Parser::default();
        assert_same(&mut parser, "https://example.com/");
        let step = if cfg!(miri) { 0x1fff } else { 1 };
        for code in (0x80..=0x10_ffff_u32)
            .step_by(step)
            .filter(|code| *code < 0x3000 || code & 0xff >= 0xf0)
        {
            let Some(ch) = char::from_u32(code) else { continue };
            assert_same(&mut parser, &format!("https://example.com/a{ch}"));
        }
        for escape in [
            "%",
            "%2",
            "%20",
            "%zz",
            "%25",
            "%2G",
            "%c3%A9",
            "%%20",
            "%2520",
            "%c3%83%C2%A9",
            "Ã©",
            "â€™",
        ] {
            for place in 0..if cfg!(miri) { 2 } else { 40 } {
                let (before, after) = ("a".repeat(place), "b".repeat(40 - place));
                assert_same(&mut parser, &format!("https://example.com/{before}{escape}{after}"));
                assert_same(&mut parser, &format!("https://example.com/é?{before}{escape}"));
            }
        }
    }

    proptest! {
        #[test]
        fn traits_of_usual_urls(tails in prop::collection::vec(
            "/[a-c/.]{0,40}([.](png|html|js))?([?]([a-z]{0,3}[;&]){0,3}(utm_source|sid|a)=[0-9a-f]{0,20})?", 1..20)) {
            let mut parser = Parser::default();
            for tail in &tails {
                assert_same(&mut parser, &format!("https://staging.example.com{tail}"));
            }
        }

        #[test]
        fn traits_of_wide_urls(tails in prop::collection::vec(
            "/([a-c/.é日%;]|%C3|%2[05f]|😀|[\\u{80}-\\u{a1}]|[\\u{1670}-\\u{1690}\\u{1fff}-\\u{2060}]|[\\u{e000}\\u{f8ff}-\\u{f901}]|[\\u{fdce}-\\u{fdf1}\\u{ffee}-\\u{ffff}]|\\PC){0,30}([.](png|html|js))?([?]([a-zé%]{0,3}[;&]){0,3}(utm_source|sid|a)=[0-9a-f]{0,20})?", 1..20)) {
            let mut parser = Parser::default();
            assert_same(&mut parser, "https://staging.example.com/");
            for tail in &tails {
                assert_same(&mut parser, &format!("https://staging.example.com{tail}"));
            }
        }

        #[test]
        fn a_sequence_parses_like_each_value_alone(urls in prop::collection::vec(
            "(https?|HTTPS|ftp)://(user@)?(www\\.)?(example\\.(com|org)|EXAMPLE\\.com|éa\\.de|\\[::1\\])(:[0-9]{0,5})?([/?#][ -~é]{0,40})?", 1..20)) {
            let mut parser = Parser::default();
            for url in &urls {
                assert_same(&mut parser, url);
            }
        }
    }
}
