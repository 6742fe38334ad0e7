//! The usual URL: the same scheme and host as the one before it, and a path of nothing but ordinary characters.
//!
//! Nearly every URL of a sitemap is one. Its authority need not be parsed again, and the rest is looked at sixteen bytes
//! at a time; whatever is not plainly good goes to the full grammar.

use super::{UrlParts, parse};

/// Parses one URL after the other, remembering the last good scheme and authority.
#[derive(Default)]
pub struct Parser {
    /// `https://www.example.com`, in lower case; empty at the beginning.
    prefix: String,
    scheme_end: usize,
    host_end: usize,
    port: Option<u16>,
}

impl Parser {
    /// As `url::parse`.
    #[inline]
    pub fn parse<'a>(&mut self, text: &'a str) -> UrlParts<'a> {
        if !self.prefix.is_empty() && text.as_bytes().starts_with(self.prefix.as_bytes()) {
            let begin = self.prefix.len();
            if let Some(path_end) = ordinary_path(text.as_bytes(), begin) {
                return UrlParts {
                    problem: None,
                    length: text.len() as u32,
                    scheme: Some(&text[..self.scheme_end]),
                    userinfo: None,
                    host: Some(&text[self.scheme_end + 3..self.host_end]),
                    port: self.port,
                    path: Some(&text[begin..path_end]),
                    is_ascii: true,
                    scheme_upper: false,
                    host_upper: false,
                };
            }
        }
        let parts = parse(text);
        self.remember(text, &parts);
        parts
    }

    fn remember(&mut self, text: &str, parts: &UrlParts) {
        let (None, Some(scheme), Some(host), Some(path)) = (parts.problem, parts.scheme, parts.host, parts.path) else {
            return;
        };
        if parts.userinfo.is_some() || parts.scheme_upper || parts.host_upper || !host.is_ascii() {
            return;
        }
        let authority_end = path.as_ptr() as usize - text.as_ptr() as usize;
        self.prefix.clear();
        self.prefix.push_str(&text[..authority_end]);
        self.scheme_end = scheme.len();
        self.host_end = scheme.len() + 3 + host.len();
        self.port = parts.port;
    }
}

/// The end of the path that begins at `begin`, if the authority ends there and everything after it is ordinary.
#[inline]
fn ordinary_path(bytes: &[u8], begin: usize) -> Option<usize> {
    if !matches!(bytes.get(begin), None | Some(b'/' | b'?')) {
        return None;
    }
    let mut at = begin;
    let mut path_end = None;
    #[cfg(target_arch = "x86_64")]
    while let Some(block) = bytes.get(at..at + 16) {
        let (odd, question) = x86::odd_and_question(block);
        if odd != 0 {
            return None;
        }
        if question != 0 && path_end.is_none() {
            path_end = Some(at + question.trailing_zeros() as usize);
        }
        at += 16;
    }
    for (offset, &byte) in bytes[at..].iter().enumerate() {
        if !is_ordinary(byte) {
            return None;
        }
        if byte == b'?' && path_end.is_none() {
            path_end = Some(at + offset);
        }
    }
    Some(path_end.unwrap_or(bytes.len()))
}

/// Characters that may stand anywhere in path and query, whatever stands beside them. RFC 3986, sections 3.3 and 3.4.
#[inline]
const fn is_ordinary(byte: u8) -> bool {
    matches!(byte, b'!' | b'$' | b'&'..=b';' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~')
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };

    /// A bit for each of sixteen bytes that is not ordinary, and one for each question mark.
    #[inline(always)]
    pub fn odd_and_question(block: &[u8]) -> (u32, u32) {
        assert!(block.len() == 16);
        // SAFETY: SSE2 is part of every x86-64, and the block is sixteen bytes long; the load needs no alignment.
        unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().cast());
            // Bytes above ASCII are negative, and so in none of the ranges.
            let mut good = between(bytes, b'&', b';');
            good = _mm_or_si128(good, between(bytes, b'?', b'Z'));
            good = _mm_or_si128(good, between(bytes, b'a', b'z'));
            for single in [b'!', b'$', b'=', b'_', b'~'] {
                good = _mm_or_si128(good, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(single as i8)));
            }
            let question = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'?' as i8));
            (
                !_mm_movemask_epi8(good) as u32 & 0xffff,
                _mm_movemask_epi8(question) as u32,
            )
        }
    }

    #[inline(always)]
    fn between(bytes: __m128i, first: u8, last: u8) -> __m128i {
        // SAFETY: SSE2 is part of every x86-64.
        unsafe {
            _mm_and_si128(
                _mm_cmpgt_epi8(bytes, _mm_set1_epi8(first as i8 - 1)),
                _mm_cmpgt_epi8(_mm_set1_epi8(last as i8 + 1), bytes),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_same(parser: &mut Parser, text: &str) {
        assert_eq!(parser.parse(text), parse(text), "{text:?}");
    }

    #[test]
    fn every_byte_at_every_place_of_the_path() {
        let mut parser = Parser::default();
        for byte in 0..=0x7f_u8 {
            for place in 0..40 {
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

    proptest! {
        #[test]
        fn one_after_the_other_is_as_each_alone(urls in prop::collection::vec(
            "(https?|HTTPS|ftp)://(user@)?(www\\.)?(example\\.(com|org)|EXAMPLE\\.com|éa\\.de|\\[::1\\])(:[0-9]{0,5})?([/?#][ -~é]{0,40})?", 1..20)) {
            let mut parser = Parser::default();
            for url in &urls {
                assert_same(&mut parser, url);
            }
        }
    }
}
