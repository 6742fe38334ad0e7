//! The character classes of XML 1.0 (fifth edition). <https://www.w3.org/TR/xml/#NT-Char>

use crate::value::space::is_xml_space;

const SPACE: u8 = 1;
const NAME_START: u8 = 2;
const NAME: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        classes[byte] = match b {
            _ if is_xml_space(b) => SPACE,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b':' => NAME_START | NAME,
            b'0'..=b'9' | b'-' | b'.' => NAME,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Whitespace as defined by XML, by table lookup.
#[inline]
pub fn is_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

#[inline]
pub fn is_all_space(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| is_space(byte))
}

/// Returns the offset after the whitespace at `at`.
#[inline]
pub fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && is_space(bytes[at]) {
        at += 1;
    }
    at
}

/// Returns whether a byte can start a name. Accepts every non-ASCII byte; `name_end` checks the character.
#[inline]
pub fn may_start_name(byte: u8) -> bool {
    byte >= 0x80 || CLASSES[byte as usize] & NAME_START != 0
}

/// Returns the offset after the name that starts at `at`, or `at` itself if no name starts there. Colons count as name
/// characters.
#[inline]
pub fn name_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() && CLASSES[bytes[end] as usize] & NAME != 0 {
        end += 1;
    }
    if end < bytes.len() && bytes[end] >= 0x80 {
        end = long_name_end(bytes, at);
    } else if end > at && CLASSES[bytes[at] as usize] & NAME_START == 0 {
        return at;
    }
    end
}

#[cold]
fn long_name_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() {
        let (ch, width) = char_at(bytes, end);
        let fits = if end == at { is_name_start(ch) } else { is_name(ch) };
        if !fits {
            break;
        }
        end += width;
    }
    end
}

/// Returns the character at an offset of valid UTF-8, and its width in bytes.
pub fn char_at(bytes: &[u8], at: usize) -> (char, usize) {
    let width = match bytes[at] {
        0..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    let end = (at + width).min(bytes.len());
    match std::str::from_utf8(&bytes[at..end])
        .ok()
        .and_then(|text| text.chars().next())
    {
        Some(ch) => (ch, width),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

/// <https://www.w3.org/TR/xml/#NT-NameStartChar>
pub fn is_name_start(ch: char) -> bool {
    matches!(ch, ':' | '_' | 'A'..='Z' | 'a'..='z'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// <https://www.w3.org/TR/xml/#NT-NameChar>
pub fn is_name(ch: char) -> bool {
    is_name_start(ch)
        || matches!(ch, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// <https://www.w3.org/TR/xml/#NT-Char>
pub fn is_xml_char(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Which special characters a piece of text contains.
#[derive(Clone, Copy, Default)]
pub struct Contents {
    pub control: bool,
    pub ampersand: bool,
    pub bracket: bool,
    pub carriage_return: bool,
    pub line_or_tab: bool,
    pub non_ascii: bool,
}

impl Contents {
    /// Visits every byte once, without branching on any, so that the compiler can vectorize it.
    #[inline]
    pub fn of(bytes: &[u8]) -> Self {
        let (mut control, mut ampersand, mut bracket, mut carriage_return, mut line_or_tab, mut high) =
            (false, false, false, false, false, false);
        for &byte in bytes {
            let line = byte == b'\n' || byte == b'\t';
            let carriage = byte == b'\r';
            control |= byte < 0x20 && !line && !carriage;
            line_or_tab |= line;
            carriage_return |= carriage;
            ampersand |= byte == b'&';
            bracket |= byte == b']';
            high |= byte >= 0x80;
        }
        Self {
            control,
            ampersand,
            bracket,
            carriage_return,
            line_or_tab,
            non_ascii: high,
        }
    }

    /// Whether the text can be used as it is.
    #[inline]
    pub fn is_plain(self) -> bool {
        !(self.control || self.ampersand || self.bracket || self.carriage_return || self.non_ascii)
    }

    /// Whether only references need handling.
    #[inline]
    pub fn only_ampersands(self) -> bool {
        !(self.control || self.bracket || self.carriage_return || self.non_ascii)
    }
}

/// Returns whether a name has no colon, as namespaces in XML require for prefixes and local names.
pub fn is_local_name(name: &str) -> bool {
    !name.is_empty() && name_end(name.as_bytes(), 0) == name.len() && !name.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_as_specified() {
        for (text, length) in [
            ("loc>", 3),
            ("a:b c", 3),
            ("9a", 0),
            ("-a", 0),
            ("é>", 2),
            ("a\u{b7}b", 4),
            ("\u{b7}a", 0),
            ("", 0),
            ("a×", 1),
        ] {
            assert_eq!(name_end(text.as_bytes(), 0), length, "{text:?}");
        }
    }

    #[test]
    fn contents_flag_every_special_character() {
        assert!(Contents::of(b"https://example.com/").is_plain());
        assert!(
            Contents::of(b"a\x01").control && Contents::of(b"a&").ampersand && Contents::of("é".as_bytes()).non_ascii
        );
        assert!(Contents::of(b"\r").carriage_return && !Contents::of(b"\r\n\t").control);
    }
}
