//! The usual URL: same scheme and host as the URL before it, and a path of only ordinary characters.
//!
//! Nearly every URL of a sitemap is one. Its authority need not be parsed again, and the rest is checked sixteen bytes
//! at a time; anything that is not clearly valid goes to the full parser.

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
    /// The traits of the prefix's scheme, host and port.
    traits: Traits,
}

/// The parts of a URL and its traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen<'a> {
    pub parts: UrlParts<'a>,
    pub traits: Traits,
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

    /// Same as `parse`, and also returns the traits of the URL.
    #[inline]
    pub fn see<'a>(&mut self, text: &'a str) -> Seen<'a> {
        let Some((parts, has_dots)) = self.usual(text) else {
            let parts = parse(text);
            self.remember(text, &parts);
            return Seen {
                parts,
                traits: traits::of(text, &parts),
                is_same_site: false,
            };
        };
        let mut traits = self.traits;
        if let Some(path) = parts.path {
            traits |= traits::of_usual_path(path, has_dots);
            let tail = &text.as_bytes()[self.prefix.len() + path.len()..];
            if !tail.is_empty() {
                traits |= traits::of_parameters(tail);
            }
        }
        Seen {
            parts,
            traits,
            is_same_site: true,
        }
    }

    /// Same as `parse`, and also returns which of `traits::DOUBTS` the URL has.
    #[inline]
    pub fn doubt<'a>(&mut self, text: &'a str) -> (UrlParts<'a>, Traits) {
        let Some((parts, has_dots)) = self.usual(text) else {
            let parts = parse(text);
            self.remember(text, &parts);
            return (parts, traits::doubts(text, &parts));
        };
        let path = parts.path.unwrap_or_default();
        let tail = &text.as_bytes()[self.prefix.len() + path.len()..];
        (parts, traits::usual_doubts(path, tail, has_dots))
    }

    /// Returns a usual URL, and whether it has adjacent dots or slashes.
    #[inline(always)]
    fn usual<'a>(&self, text: &'a str) -> Option<(UrlParts<'a>, bool)> {
        if self.prefix.is_empty() || !text.as_bytes().starts_with(self.prefix.as_bytes()) {
            return None;
        }
        let begin = self.prefix.len();
        let (path_end, has_dots) = ordinary_path(text.as_bytes(), begin)?;
        let parts = UrlParts {
            problem: None,
            length: text.len() as u32,
            scheme: Some(&text[..self.scheme_end]),
            userinfo: None,
            host: Some(&text[self.scheme_end + 3..self.host_end]),
            port: self.port,
            path: Some(&text[begin..path_end]),
            is_ascii: true,
            scheme_upper: false,
            host_usual: true,
        };
        Some((parts, has_dots))
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
        self.traits = traits::of_site(parts);
    }
}

/// Returns the end of the path that starts at `begin`, if the authority ends there and everything after it is ordinary;
/// and whether there are two adjacent dots or slashes anywhere.
#[inline(always)]
fn ordinary_path(bytes: &[u8], begin: usize) -> Option<(usize, bool)> {
    if !matches!(bytes.get(begin), None | Some(b'/' | b'?')) {
        return None;
    }
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
    let mut at = begin;
    let mut path_end = None;
    let (mut pairs, mut last) = (0, 0);
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= x86::WIDE && x86::is_wide() {
        // SAFETY: the processor has AVX2.
        return unsafe { x86::ordinary_path(bytes, begin) };
    }
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= 16 {
        while at < bytes.len() {
            // The last block starts earlier and repeats bytes, which are shifted out.
            let begin = at.min(bytes.len() - 16);
            let (odd, question, dots) = x86::odd_question_dots(&bytes[begin..begin + 16]);
            let twice = at - begin;
            if odd >> twice != 0 {
                return None;
            }
            let dots = dots >> twice;
            pairs |= dots & (dots << 1 | last);
            last = dots >> 15;
            if question >> twice != 0 && path_end.is_none() {
                path_end = Some(at + (question >> twice).trailing_zeros() as usize);
            }
            at = begin + 16;
        }
    }
    for (offset, &byte) in bytes[at..].iter().enumerate() {
        if !is_ordinary(byte) {
            return None;
        }
        if byte == b'?' && path_end.is_none() {
            path_end = Some(at + offset);
        }
        let dot = u32::from(matches!(byte, b'.' | b'/'));
        pairs |= dot & last;
        last = dot;
    }
    Some((path_end.unwrap_or(bytes.len()), pairs != 0))
}

/// Returns whether a character is allowed anywhere in path and query, whatever its neighbors. RFC 3986, sections 3.3
/// and 3.4. The semicolon is left out, because it starts session parameters.
#[inline]
const fn is_ordinary(byte: u8) -> bool {
    matches!(byte, b'!' | b'$' | b'&'..=b':' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~')
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    };

    use super::is_ordinary;

    /// Bytes checked together with AVX2.
    pub const WIDE: usize = 32;

    /// Returns whether the processor has AVX2.
    #[inline]
    pub fn is_wide() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
    }

    /// For the lower half of a byte, one bit for each upper half that makes it ordinary; in both halves of a register.
    const BY_LOWER: [u8; WIDE] = {
        let mut table = [0; WIDE];
        let mut byte = 0;
        while byte < 128 {
            if is_ordinary(byte) {
                table[(byte & 15) as usize] |= 1 << (byte >> 4);
                table[16 + (byte & 15) as usize] |= 1 << (byte >> 4);
            }
            byte += 1;
        }
        table
    };

    /// For the upper half of a byte, its bit.
    const BY_UPPER: [u8; WIDE] = {
        let mut table = [0; WIDE];
        let mut half = 0;
        while half < 8 {
            table[half] = 1 << half;
            table[16 + half] = 1 << half;
            half += 1;
        }
        table
    };

    /// Same as the outer function, thirty-two bytes at a time; there must be at least that many.
    #[target_feature(enable = "avx2")]
    pub fn ordinary_path(bytes: &[u8], begin: usize) -> Option<(usize, bool)> {
        assert!(bytes.len() >= WIDE);
        let mut at = begin;
        let mut path_end = bytes.len();
        let (mut pairs, mut last) = (0, 0);
        while at < bytes.len() {
            // The last block starts earlier and repeats bytes, which are shifted out.
            let from = at.min(bytes.len() - WIDE);
            let (odd, question, dots) = wide_odd_question_dots(&bytes[from..from + WIDE]);
            let twice = at - from;
            if odd >> twice != 0 {
                return None;
            }
            let dots = dots >> twice;
            pairs |= dots & (dots << 1 | last);
            last = dots >> 31;
            let question = question >> twice;
            if question != 0 && path_end == bytes.len() {
                path_end = at + question.trailing_zeros() as usize;
            }
            at = from + WIDE;
        }
        Some((path_end, pairs != 0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_odd_question_dots(block: &[u8]) -> (u32, u32, u32) {
        assert!(block.len() == WIDE);
        // SAFETY: the block and the tables are as long as the register; the loads need no alignment.
        let (bytes, by_lower, by_upper) = unsafe {
            (
                _mm256_loadu_si256(block.as_ptr().cast()),
                _mm256_loadu_si256(BY_LOWER.as_ptr().cast()),
                _mm256_loadu_si256(BY_UPPER.as_ptr().cast()),
            )
        };
        // A shuffle looks up the lower half of each byte, and returns 0 for non-ASCII bytes.
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
        let good = _mm256_and_si256(
            _mm256_shuffle_epi8(by_lower, bytes),
            _mm256_shuffle_epi8(by_upper, upper),
        );
        let odd = _mm256_cmpeq_epi8(good, _mm256_setzero_si256());
        let question = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'?' as i8));
        // The two differ only in the lowest bit.
        let dots = _mm256_cmpeq_epi8(
            _mm256_or_si256(bytes, _mm256_set1_epi8(1)),
            _mm256_set1_epi8(b'/' as i8),
        );
        (
            _mm256_movemask_epi8(odd) as u32,
            _mm256_movemask_epi8(question) as u32,
            _mm256_movemask_epi8(dots) as u32,
        )
    }

    /// Returns a bit for each of sixteen bytes that is not ordinary, for each question mark, and for each dot or slash.
    #[inline(always)]
    pub fn odd_question_dots(block: &[u8]) -> (u32, u32, u32) {
        assert!(block.len() == 16);
        // SAFETY: SSE2 is part of every x86-64, and the block is sixteen bytes long; the load needs no alignment.
        unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().cast());
            // Non-ASCII bytes are negative, and therefore in none of the ranges.
            let mut good = between(bytes, b'&', b':');
            good = _mm_or_si128(good, between(bytes, b'?', b'Z'));
            good = _mm_or_si128(good, between(bytes, b'a', b'z'));
            for single in [b'!', b'$', b'=', b'_', b'~'] {
                good = _mm_or_si128(good, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(single as i8)));
            }
            let question = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'?' as i8));
            // The two differ only in the lowest bit.
            let dots = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(b'/' as i8));
            (
                !_mm_movemask_epi8(good) as u32 & 0xffff,
                _mm_movemask_epi8(question) as u32,
                _mm_movemask_epi8(dots) as u32,
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
        fn a_sequence_parses_like_each_value_alone(urls in prop::collection::vec(
            "(https?|HTTPS|ftp)://(user@)?(www\\.)?(example\\.(com|org)|EXAMPLE\\.com|éa\\.de|\\[::1\\])(:[0-9]{0,5})?([/?#][ -~é]{0,40})?", 1..20)) {
            let mut parser = Parser::default();
            for url in &urls {
                assert_same(&mut parser, url);
            }
        }
    }
}
