//! Checks the grammar of the XML declaration and the document type declaration.

use super::chars::{is_space, is_xml_char, name_end, skip_space};
use crate::value::space::XML_SPACE;

/// Returns whether the inside of `<?xml …?>` violates its grammar. <https://www.w3.org/TR/xml/#NT-XMLDecl>
pub fn fault(inside: &str) -> Option<()> {
    if is_declaration(inside) { None } else { Some(()) }
}

/// Returns whether it says that no declaration outside the document matters. <https://www.w3.org/TR/xml/#NT-SDDecl>
pub fn is_standalone(inside: &str) -> bool {
    let from = inside.find("standalone").map_or("", |at| &inside[at + 10..]);
    let value = from.trim_start_matches(|ch| ch == '=' || XML_SPACE.contains(&ch));
    value.starts_with("'yes'") || value.starts_with("\"yes\"")
}

fn is_declaration(inside: &str) -> bool {
    let bytes = inside.as_bytes();
    let Some((version, mut here)) = pseudo_attribute(bytes, 0, b"version") else {
        return false;
    };
    if !is_version(version) {
        return false;
    }
    if let Some((encoding, end)) = pseudo_attribute(bytes, here, b"encoding") {
        if !is_encoding_name(encoding) {
            return false;
        }
        here = end;
    }
    if let Some((standalone, end)) = pseudo_attribute(bytes, here, b"standalone") {
        if standalone != b"yes" && standalone != b"no" {
            return false;
        }
        here = end;
    }
    skip_space(bytes, here) == bytes.len()
}

/// Reads whitespace, the name, an equals sign and a quoted value. Returns the value and the offset after it.
fn pseudo_attribute<'a>(bytes: &'a [u8], at: usize, name: &[u8]) -> Option<(&'a [u8], usize)> {
    let begin = skip_space(bytes, at);
    if begin == at || !bytes[begin..].starts_with(name) {
        return None;
    }
    let equals = skip_space(bytes, begin + name.len());
    if bytes.get(equals) != Some(&b'=') {
        return None;
    }
    let open = skip_space(bytes, equals + 1);
    let quote = *bytes.get(open).filter(|&&byte| byte == b'"' || byte == b'\'')?;
    let length = bytes[open + 1..].iter().position(|&byte| byte == quote)?;
    Some((&bytes[open + 1..open + 1 + length], open + length + 2))
}

/// Accepts 1.0, and any other 1.x, which a processor of 1.0 reads as 1.0. <https://www.w3.org/TR/xml/#NT-VersionNum>
fn is_version(version: &[u8]) -> bool {
    version
        .strip_prefix(b"1.")
        .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
}

/// <https://www.w3.org/TR/xml/#NT-EncName>
fn is_encoding_name(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// Returns whether the inside of `<!DOCTYPE …>` is valid outside the brackets, whose content is not parsed.
/// <https://www.w3.org/TR/xml/#NT-doctypedecl>
pub fn is_doctype(inside: &str) -> bool {
    let bytes = inside.as_bytes();
    let name = skip_space(bytes, 0);
    let mut here = name_end(bytes, name);
    if name == 0 || here == name {
        return false;
    }
    let next = skip_space(bytes, here);
    let literals = if bytes[next..].starts_with(b"SYSTEM") {
        1
    } else if bytes[next..].starts_with(b"PUBLIC") {
        2
    } else {
        0
    };
    if literals > 0 {
        if next == here {
            return false;
        }
        here = next + 6;
        for which in 0..literals {
            let open = skip_space(bytes, here);
            let Some(&quote) = bytes.get(open).filter(|&&byte| byte == b'"' || byte == b'\'') else {
                return false;
            };
            let Some(length) = bytes[open + 1..].iter().position(|&byte| byte == quote) else {
                return false;
            };
            let literal = &inside[open + 1..open + 1 + length];
            let is_public = literals == 2 && which == 0;
            let is_sound = if is_public {
                literal.bytes().all(is_public_id)
            } else {
                literal.chars().all(is_xml_char)
            };
            if open == here || !is_sound {
                return false;
            }
            here = open + length + 2;
        }
    }
    let rest = &bytes[skip_space(bytes, here)..];
    let rest = match rest.first() {
        Some(b'[') => match rest.iter().rposition(|&byte| byte == b']') {
            Some(close) => &rest[close + 1..],
            None => return false,
        },
        _ => rest,
    };
    rest.iter().all(|&byte| is_space(byte))
}

/// <https://www.w3.org/TR/xml/#NT-PubidChar>
fn is_public_id(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" \r\n-'()+,./:=?;!*#@$_%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        for good in [
            " version=\"1.0\"",
            " version='1.0' encoding='UTF-8'",
            " version=\"1.1\" standalone=\"yes\" ",
            " version = \"1.0\" encoding=\"iso-8859-1\" standalone='no'",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in [
            "",
            " encoding='UTF-8'",
            " version=1.0",
            " version=\"2.0\"",
            " version=\"1.0\"encoding=\"UTF-8\"",
            " version=\"1.0\" encoding=\"\"",
            " version=\"1.0\" standalone=\"maybe\"",
            " version=\"1.0\" x=\"y\"",
            " version=\"1.0\" standalone=\"no\" encoding=\"UTF-8\"",
        ] {
            assert_eq!(fault(bad), Some(()), "{bad}");
        }
    }

    #[test]
    fn doctypes() {
        for good in [
            " urlset",
            " a SYSTEM \"x\"",
            " a PUBLIC \"p\" 'x' [ <!ENTITY a \"b\"> ] ",
            " a[]",
        ] {
            assert!(is_doctype(good), "{good}");
        }
        for bad in [
            "",
            "urlset",
            " ",
            " a SYSTEM",
            " a PUBLIC \"p\"",
            " a b",
            " a SYSTEM\"x\"",
            " a PUBLIC \"&\" \"x\"",
        ] {
            assert!(!is_doctype(bad), "{bad}");
        }
    }
}
