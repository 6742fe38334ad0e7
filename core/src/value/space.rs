//! Whitespace, as XML defines it and as people leave it around values.

/// Whitespace as defined by XML. <https://www.w3.org/TR/xml/#NT-S>
pub const XML_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns whether a byte is whitespace in XML.
#[inline]
pub const fn is_xml_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns a value without outer whitespace, including Unicode whitespace and zero-width characters.
pub fn trim(text: &str) -> &str {
    let outer = |byte: Option<&u8>| byte.is_some_and(|&byte| byte <= b' ' || byte >= 0x80);
    if !outer(text.as_bytes().first()) && !outer(text.as_bytes().last()) {
        return text;
    }
    text.trim_matches(|ch: char| ch.is_whitespace() || matches!(ch, '\u{200b}' | '\u{feff}'))
}

/// Returns a document without leading whitespace and byte order marks.
pub fn trim_start(document: &str) -> &str {
    document.trim_start_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}')
}
