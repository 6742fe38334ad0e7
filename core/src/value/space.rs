//! White space: as XML counts it, and as people leave it around values.

/// White space as XML counts it. <https://www.w3.org/TR/xml/#NT-S>
pub const XML_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// Whether a byte is white space as XML counts it.
#[inline]
pub const fn is_xml_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// A value without the white space around it, that of Unicode and the zero-width kinds included.
pub fn trim(text: &str) -> &str {
    let outer = |byte: Option<&u8>| byte.is_some_and(|&byte| byte <= b' ' || byte >= 0x80);
    if !outer(text.as_bytes().first()) && !outer(text.as_bytes().last()) {
        return text;
    }
    text.trim_matches(|ch: char| ch.is_whitespace() || matches!(ch, '\u{200b}' | '\u{feff}'))
}

/// A document without the white space and byte order marks that it begins with.
pub fn trim_start(document: &str) -> &str {
    document.trim_start_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}')
}
