//! Escapes text for XML: all five characters, once. Characters that XML 1.0 forbids are never written.

/// How to handle a byte: as it is, escaped in text, escaped only in attributes, or with a closer check.
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'&' | b'<' | b'>' | b'"' | b'\'' | b'\r' => ESCAPE,
            b'\t' | b'\n' => IN_ATTRIBUTE,
            0..=0x1F => FORBIDDEN,
            // U+FFFE and U+FFFF start with it, and are the only multi-byte characters that XML forbids.
            0xEF => LOOK,
            _ => 0,
        };
        byte += 1;
    }
    table
};

const ESCAPE: u8 = 1;
const IN_ATTRIBUTE: u8 = 2;
const FORBIDDEN: u8 = 3;
const LOOK: u8 = 4;

/// Returns whether `text` has a character that XML 1.0 forbids. <https://www.w3.org/TR/xml/#charsets>
pub fn has_forbidden(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, &byte)| match CLASS[byte as usize] {
        FORBIDDEN => true,
        LOOK => is_forbidden_look(bytes, at),
        _ => false,
    })
}

fn is_forbidden_look(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at..], [0xEF, 0xBF, 0xBE | 0xBF, ..])
}

/// Returns `text` without the characters that XML 1.0 forbids.
pub fn strip_forbidden(text: &str) -> String {
    text.chars()
        .filter(|&ch| !(ch < ' ' && !matches!(ch, '\t' | '\n' | '\r') || ch == '\u{FFFE}' || ch == '\u{FFFF}'))
        .collect()
}

/// Appends text without forbidden characters, escaped for the content of an element.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    push(out, text, false);
}

/// Appends a valid URL, escaped: it can contain two of the five characters.
#[inline]
pub fn push_url(out: &mut Vec<u8>, url: &str) {
    let bytes = url.as_bytes();
    let mut done = 0;
    for at in memchr::memchr2_iter(b'&', b'\'', bytes) {
        out.extend_from_slice(&bytes[done..at]);
        out.extend_from_slice(if bytes[at] == b'&' { b"&amp;" } else { b"&apos;" });
        done = at + 1;
    }
    out.extend_from_slice(&bytes[done..]);
}

/// Appends text without forbidden characters, escaped for the value of an attribute. Whitespace that a parser would
/// normalize to a space is preserved as a reference.
pub fn push_attribute(out: &mut Vec<u8>, text: &str) {
    push(out, text, true);
}

#[inline]
fn push(out: &mut Vec<u8>, text: &str, attribute: bool) {
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let class = CLASS[byte as usize];
        if class == 0 || class == LOOK || (class == IN_ATTRIBUTE && !attribute) {
            continue;
        }
        out.extend_from_slice(&bytes[done..at]);
        out.extend_from_slice(match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&apos;",
            b'\r' => b"&#13;",
            b'\n' => b"&#10;",
            _ => b"&#9;",
        });
        done = at + 1;
    }
    out.extend_from_slice(&bytes[done..]);
}
