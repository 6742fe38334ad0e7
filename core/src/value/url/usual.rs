//! The usual URL: same scheme and host as the URL before it, and a path of only ordinary characters.
//!
//! Nearly every URL of a sitemap is one. Its authority need not be parsed again, and the rest is checked sixteen bytes
//! at a time, and then escapes and non-ASCII characters one by one; anything that is not clearly valid goes to the full
//! parser.

use super::normal::{hash, plain_authority, text_hash};
use super::wide::is_good;
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

/// What follows the authority.
#[derive(Clone, Copy)]
struct Rest {
    path_end: usize,
    /// Whether there are two adjacent dots or slashes anywhere.
    has_dots: bool,
    /// Whether there are characters that are not ordinary.
    has_odd: bool,
    /// Number of bytes that continue a character.
    continued: usize,
}

impl Rest {
    /// Whether it is clearly as in the normal form of a URL.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        !self.has_odd && !self.has_dots
    }
}

/// Some bytes, as bits of a number: the first byte is the lowest bit.
#[derive(Clone, Copy)]
struct Block {
    /// Bytes that are not ordinary.
    odd: u32,
    question: u32,
    /// Dots and slashes.
    dots: u32,
    /// Bytes that continue a character; they are odd, too.
    continued: u32,
}

/// Reads blocks of up to 32 bytes.
struct Reading<'a> {
    text: &'a str,
    rest: Rest,
    last: u32,
}

impl<'a> Reading<'a> {
    #[inline(always)]
    fn new(text: &'a str) -> Self {
        let rest = Rest {
            path_end: text.len(),
            has_dots: false,
            has_odd: false,
            continued: 0,
        };
        Self { text, rest, last: 0 }
    }

    /// Adds the block of `width` bytes at `at`. Returns `None` if a character in it is not clearly valid.
    #[inline(always)]
    fn add(&mut self, at: usize, width: u32, block: Block) -> Option<()> {
        if block.odd != 0 {
            self.rest.has_odd = true;
            self.rest.continued += continued(self.text, at, block.odd, block.continued)?;
        }
        self.rest.has_dots |= block.dots & (block.dots << 1 | self.last) != 0;
        self.last = block.dots >> (width - 1);
        if block.question != 0 && self.rest.path_end == self.text.len() {
            self.rest.path_end = at + block.question.trailing_zeros() as usize;
        }
        Some(())
    }
}

/// Returns how many bytes of a block continue a character; `None` if a character in it is not clearly valid.
///
/// It gets numbers rather than references, so that the caller can keep its values in registers.
#[inline(never)]
fn continued(text: &str, at: usize, odd: u32, continued: u32) -> Option<usize> {
    let mut firsts = odd & !continued;
    while firsts != 0 {
        if !is_good(text, at + firsts.trailing_zeros() as usize) {
            return None;
        }
        firsts &= firsts - 1;
    }
    Some(continued.count_ones() as usize)
}

/// Returns whether the rest of a URL, from the end of its authority on, is clearly as in its normal form.
#[inline]
pub(super) fn is_plain_rest(text: &str, begin: usize) -> bool {
    rest(text, begin).is_some_and(|rest| rest.is_plain())
}

/// Reads the rest of a URL from `begin` on, if the authority ends there and everything after it is clearly valid.
#[inline(always)]
fn rest(text: &str, begin: usize) -> Option<Rest> {
    let bytes = text.as_bytes();
    if !matches!(bytes.get(begin), None | Some(b'/' | b'?')) {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= x86::WIDE && x86::is_wide() {
        // SAFETY: the processor has AVX2.
        return unsafe { x86::rest(text, begin) };
    }
    let mut reading = Reading::new(text);
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
    let mut at = begin;
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= 16 {
        while at < bytes.len() {
            // The last block starts earlier and repeats bytes, which are shifted out.
            let from = at.min(bytes.len() - 16);
            reading.add(at, 16, x86::block(&bytes[from..from + 16]).without(at - from))?;
            at = from + 16;
        }
    }
    for (offset, &byte) in bytes[at..].iter().enumerate() {
        let block = Block {
            odd: u32::from(!is_ordinary(byte)),
            question: u32::from(byte == b'?'),
            dots: u32::from(matches!(byte, b'.' | b'/')),
            continued: u32::from((byte as i8) < -0x40),
        };
        reading.add(at + offset, 1, block)?;
    }
    Some(reading.rest)
}

impl Block {
    /// Drops the first bytes.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn without(self, count: usize) -> Self {
        Self {
            odd: self.odd >> count,
            question: self.question >> count,
            dots: self.dots >> count,
            continued: self.continued >> count,
        }
    }
}

/// Returns whether a character is allowed anywhere in path and query, whatever its neighbors. RFC 3986, sections 3.3
/// and 3.4. The semicolon is left out, because it starts session parameters.
#[inline]
pub(super) const fn is_ordinary(byte: u8) -> bool {
    matches!(byte, b'!' | b'$' | b'&'..=b':' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~')
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256,
        _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
        _mm256_srli_epi16,
    };

    use super::{Block, Reading, Rest, is_ordinary};

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
    pub fn rest(text: &str, begin: usize) -> Option<Rest> {
        let bytes = text.as_bytes();
        assert!(bytes.len() >= WIDE);
        let mut reading = Reading::new(text);
        let mut at = begin;
        while at < bytes.len() {
            // The last block starts earlier and repeats bytes, which are shifted out.
            let from = at.min(bytes.len() - WIDE);
            reading.add(
                at,
                WIDE as u32,
                wide_block(&bytes[from..from + WIDE]).without(at - from),
            )?;
            at = from + WIDE;
        }
        Some(reading.rest)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_block(block: &[u8]) -> Block {
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
        let continued = _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), bytes);
        Block {
            odd: _mm256_movemask_epi8(odd) as u32,
            question: _mm256_movemask_epi8(question) as u32,
            dots: _mm256_movemask_epi8(dots) as u32,
            continued: _mm256_movemask_epi8(continued) as u32,
        }
    }

    #[inline(always)]
    pub fn block(block: &[u8]) -> Block {
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
            let continued = _mm_cmpgt_epi8(_mm_set1_epi8(-0x40), bytes);
            Block {
                odd: !_mm_movemask_epi8(good) as u32 & 0xffff,
                question: _mm_movemask_epi8(question) as u32,
                dots: _mm_movemask_epi8(dots) as u32,
                continued: _mm_movemask_epi8(continued) as u32,
            }
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
