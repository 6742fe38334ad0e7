//! Percent escapes and non-ASCII characters in the rest of a usual URL: most URLs in languages other than English have
//! some.

use super::class_beyond_ascii;

/// Returns whether the character at an offset after the authority is clearly valid, if it is not an ordinary one.
#[inline]
pub(super) fn is_good(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes[at] {
        b'%' => match bytes[at + 1..] {
            // It may be the beginning of an escape that was itself escaped.
            [b'2', b'5', ..] => false,
            [high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
            _ => false,
        },
        // From U+00C0 to U+D7FF, only the blocks of U+1000, U+2000 and U+3000 have spaces.
        0xc3..=0xe0 | 0xe4..=0xed => true,
        0xc2 | 0xe1..=0xe3 | 0xee..=0xf4 => text[at..].chars().next().is_some_and(|ch| class_beyond_ascii(ch) == 0),
        _ => false,
    }
}
