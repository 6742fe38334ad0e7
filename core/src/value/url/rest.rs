//! What follows the authority of a URL, checked in blocks of sixteen bytes, and then escapes and non-ASCII
//! characters one by one.

use super::wide::is_good;

/// What follows the authority.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub path_end: usize,
    /// Whether there are two adjacent dots or slashes anywhere.
    pub has_dots: bool,
    /// Whether there are characters that are not ordinary.
    has_odd: bool,
    /// Number of bytes that continue a character.
    pub continued: usize,
}

impl Rest {
    /// Whether it is clearly as in the normal form of a URL.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
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

/// Reads blocks of up to 16 bytes.
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
pub(super) fn rest(text: &str, begin: usize) -> Option<Rest> {
    let bytes = text.as_bytes();
    if !matches!(bytes.get(begin), None | Some(b'/' | b'?')) {
        return None;
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
const fn is_ordinary(byte: u8) -> bool {
    matches!(byte, b'!' | b'$' | b'&'..=b':' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~')
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };

    use super::Block;

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
