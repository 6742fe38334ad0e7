//! Finds the next byte that needs handling, sixteen at a time.

/// Returns the first byte from `at` on that is not plain text of an element, or the end: markup, a reference, `]`
/// (which can start `]]>`), a control character, `{` (which can start a template marker), or any non-ASCII byte.
#[inline]
pub fn plain_text_end(bytes: &[u8], at: usize) -> usize {
    run_end::<b']'>(bytes, at)
}

/// Same, for an attribute value in double quotes.
#[inline]
pub fn plain_quoted_end(bytes: &[u8], at: usize) -> usize {
    run_end::<b'"'>(bytes, at)
}

#[inline(always)]
fn ends<const ALSO: u8>(byte: u8) -> bool {
    !(0x20..0x80).contains(&byte) || matches!(byte, b'<' | b'&' | b'{') || byte == ALSO
}

#[inline(always)]
fn run_end<const ALSO: u8>(bytes: &[u8], mut at: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    while let Some(block) = bytes.get(at..at + 16) {
        let found = x86::ends_in::<ALSO>(block);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += 16;
    }
    while at < bytes.len() && !ends::<ALSO>(bytes[at]) {
        at += 1;
    }
    at
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };

    /// Returns a bit for each of sixteen bytes that ends a run.
    #[inline(always)]
    pub fn ends_in<const ALSO: u8>(block: &[u8]) -> u32 {
        assert!(block.len() == 16);
        // SAFETY: SSE2 is part of every x86-64, and the block is sixteen bytes long; the load needs no alignment.
        unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().cast());
            // As signed numbers, non-ASCII bytes are less than the space, too.
            let outside = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
            let markup = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'<' as i8));
            let reference = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'&' as i8));
            let brace = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'{' as i8));
            let also = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(ALSO as i8));
            _mm_movemask_epi8(_mm_or_si128(
                _mm_or_si128(outside, markup),
                _mm_or_si128(reference, _mm_or_si128(brace, also)),
            )) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        // Miri is slow.
        let step = if cfg!(miri) { 31 } else { 1 };
        for byte in (0..=255_u8).step_by(step) {
            for length in [1, 5, 15, 16, 17, 31, 40] {
                for place in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[place] = byte;
                    for from in 0..=place {
                        let expected = |also: u8| {
                            let stops =
                                !(0x20..0x80).contains(&byte) || matches!(byte, b'<' | b'&' | b'{') || byte == also;
                            if stops { place } else { length }
                        };
                        assert_eq!(plain_text_end(&bytes, from), expected(b']'));
                        assert_eq!(plain_quoted_end(&bytes, from), expected(b'"'));
                    }
                }
            }
        }
    }
}
