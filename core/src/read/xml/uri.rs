//! Valid namespace names: URI references.

/// Returns whether a namespace name is a URI reference, as required: <https://www.w3.org/TR/xml-names/#iri-use>. The
/// grammar is that of <https://www.rfc-editor.org/rfc/rfc3986#appendix-A>.
pub fn is_uri_reference(uri: &str) -> bool {
    let (rest, fragment) = uri.split_once('#').unwrap_or((uri, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let scheme = rest.split_once(':').filter(|(scheme, _)| is_scheme(scheme));
    let after_scheme = scheme.map_or(rest, |(_, after)| after);
    let path = match after_scheme.strip_prefix("//") {
        None => {
            let has_colon_in_first = after_scheme
                .split('/')
                .next()
                .is_some_and(|segment| segment.contains(':'));
            if scheme.is_none() && has_colon_in_first {
                return false;
            }
            after_scheme
        }
        Some(after) => {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
    };
    are_characters(path, b":@/") && are_characters(query, b":@/?") && are_characters(fragment, b":@/?")
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_authority(text: &str) -> bool {
    let (user, place) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, after)) => ("", after),
        None => place.split_at(place.find(':').unwrap_or(place.len())),
    };
    // RFC 3986 allows an empty port; libxml2 does not, and rejects the document.
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    are_characters(user, b":") && are_characters(host, b"") && is_port
}

/// Returns whether a part of a URI consists of unreserved characters, sub-delimiters, percent-encoded bytes and
/// `others`.
fn are_characters(text: &str, others: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let is_encoded = |at: usize| {
        bytes
            .get(at + 1..at + 3)
            .is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    bytes.iter().enumerate().all(|(at, &byte)| {
        byte.is_ascii_alphanumeric()
            || b"-._~!$&'()*+,;=".contains(&byte)
            || others.contains(&byte)
            || (byte == b'%' && is_encoded(at))
    })
}
