//! Percent escapes: how each is read and written. <https://www.rfc-editor.org/rfc/rfc3986#section-2.1>

/// Appends the escape of a byte, in uppercase.
pub(super) fn push_escape(byte: u8, to: &mut String) {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    to.push('%');
    to.push(DIGITS[usize::from(byte >> 4)]);
    to.push(DIGITS[usize::from(byte & 15)]);
}

/// Returns the byte that an escape at the beginning stands for.
pub(super) fn escape(bytes: &[u8]) -> Option<u8> {
    let &[b'%', high, low, ..] = bytes else { return None };
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    Some(digit(high)? << 4 | digit(low)?)
}
