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
            [b'C' | b'c', b'3', ..] => !is_misread(&bytes[at..]),
            [high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
            _ => false,
        },
        // From U+00C0 to U+D7FF, only the blocks of U+1000, U+2000 and U+3000 have spaces.
        0xc3 => !is_misread(&bytes[at..]),
        0xc4..=0xe0 | 0xe4..=0xed => true,
        0xc2 | 0xe1..=0xe3 | 0xee..=0xf4 => text[at..].chars().next().is_some_and(|ch| class_beyond_ascii(ch) == 0),
        _ => false,
    }
}

/// Returns whether text, percent-encoded or not, begins with a letter of Latin-1 that is followed by a character as
/// which windows-1252 reads a byte from 0x80 to 0xBF: `é` in UTF-8, read byte by byte, is `Ã©`.
pub(super) fn is_misread(bytes: &[u8]) -> bool {
    // The first byte of these characters in UTF-8.
    match bytes {
        [0xc3, _, next, ..] => matches!(next, 0xc2 | 0xc5 | 0xc6 | 0xcb | 0xe2),
        [b'%', b'C' | b'c', b'3', b'%', _, _, b'%', high, low, ..] => {
            matches!(
                (high.to_ascii_uppercase(), low.to_ascii_uppercase()),
                (b'C', b'2' | b'5' | b'6' | b'B') | (b'E', b'2')
            )
        }
        _ => false,
    }
}
