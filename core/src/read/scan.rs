//! Finds the next byte that needs handling, sixteen at a time.

/// A run of plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first byte after it.
    pub end: usize,
    pub is_ascii: bool,
}

/// Returns the run of plain text of an element from `at` on: up to markup, a reference, `]` (which can start `]]>`), a
/// control character, `{` (which can start a template marker), or the end.
#[inline]
pub fn plain_text(bytes: &[u8], at: usize) -> Run {
    run::<b']'>(bytes, at)
}

/// Same, for an attribute value in double quotes.
#[inline]
pub fn plain_quoted(bytes: &[u8], at: usize) -> Run {
    run::<b'"'>(bytes, at)
}

#[inline(always)]
fn ends<const ALSO: u8>(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'<' | b'&' | b'{') || byte == ALSO
}

#[inline(always)]
fn run<const ALSO: u8>(bytes: &[u8], mut at: usize) -> Run {
    #[cfg(target_arch = "x86_64")]
    let mut wide = 0;
    #[cfg(target_arch = "x86_64")]
    while let Some(block) = bytes.get(at..at + 16) {
        let (found, beyond_ascii) = x86::ends_in::<ALSO>(block);
        if found != 0 {
            let before = found.trailing_zeros();
            return Run {
                end: at + before as usize,
                is_ascii: wide == 0 && beyond_ascii & ((1 << before) - 1) == 0,
            };
        }
        wide |= beyond_ascii;
        at += 16;
    }
    #[cfg(not(target_arch = "x86_64"))]
    let wide = 0_u32;
    let mut is_ascii = wide == 0;
    while at < bytes.len() && !ends::<ALSO>(bytes[at]) {
        is_ascii &= bytes[at].is_ascii();
        at += 1;
    }
    Run { end: at, is_ascii }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };

    /// Returns a bit for each of sixteen bytes that ends a run, and one for each that is not ASCII.
    #[inline(always)]
    pub fn ends_in<const ALSO: u8>(block: &[u8]) -> (u32, u32) {
        assert!(block.len() == 16);
        // SAFETY: SSE2 is part of every x86-64, and the block is sixteen bytes long; the load needs no alignment.
        unsafe {
            let bytes = _mm_loadu_si128(block.as_ptr().cast());
            let control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
            let markup = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'<' as i8));
            let reference = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'&' as i8));
            let brace = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'{' as i8));
            let also = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(ALSO as i8));
            let ends = _mm_movemask_epi8(_mm_or_si128(
                _mm_or_si128(control, markup),
                _mm_or_si128(reference, _mm_or_si128(brace, also)),
            ));
            (ends as u32, _mm_movemask_epi8(bytes) as u32)
        }
    }
}

/// Returns how many bytes of a text continue a character, if XML allows all its characters. None of it is ASCII control.
pub fn continued(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // U+FFFE and U+FFFF; they take three bytes, and the first is rare.
    let is_allowed = memchr::memchr_iter(0xef, bytes).all(|at| !matches!(bytes[at..], [_, 0xbf, 0xbe | 0xbf, ..]));
    is_allowed.then(|| bytes.iter().filter(|&&byte| (byte as i8) < -0x40).count())
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
                            let stops = byte < 0x20 || matches!(byte, b'<' | b'&' | b'{') || byte == also;
                            Run {
                                end: if stops { place } else { length },
                                is_ascii: byte < 0x80,
                            }
                        };
                        assert_eq!(plain_text(&bytes, from), expected(b']'));
                        assert_eq!(plain_quoted(&bytes, from), expected(b'"'));
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_that_continue_a_character() {
        for (text, count) in [
            ("", Some(0)),
            ("aé日😀\u{fffd}\u{fff0}", Some(1 + 2 + 3 + 2 + 2)),
            ("a\u{fffe}", None),
            ("é\u{ffff}é", None),
            ("\u{1fffe}", Some(3)),
        ] {
            assert_eq!(continued(text), count, "{text:?}");
        }
    }

    #[test]
    fn what_follows_a_run_does_not_matter_to_it() {
        for length in 0..40 {
            let text = format!("{}<{}", "a".repeat(length), "é".repeat(20));
            let end = length;
            assert_eq!(plain_text(text.as_bytes(), 0), Run { end, is_ascii: true });
        }
    }
}
