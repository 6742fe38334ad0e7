//! The authority of a URL: user info, host and port, and whether a host can exist.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{AT, BRACKET, CLASS, COLON, ILLEGAL, NON_ASCII, PERCENT, PRIVATE, UPPER};

/// Longest host name and label. <https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4>
const MAX_HOST: usize = 253;
const MAX_LABEL: usize = 63;

/// The parts of the authority, as written and unchecked.
pub(super) struct Authority<'a> {
    pub userinfo: Option<&'a str>,
    pub host: &'a str,
    pub port: Option<&'a str>,
}

impl<'a> Authority<'a> {
    pub fn split(text: &'a str) -> Self {
        let (userinfo, rest) = match text.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, text),
        };
        let (host, port) = Self::split_port(rest);
        Authority { userinfo, host, port }
    }

    fn split_port(rest: &'a str) -> (&'a str, Option<&'a str>) {
        if rest.starts_with('[') {
            let Some(close) = rest.find(']') else {
                return (rest, None);
            };
            return match rest[close + 1..].strip_prefix(':') {
                Some(port) => (&rest[..=close], Some(port)),
                None => (rest, None),
            };
        }
        match rest.split_once(':') {
            // An IPv6 address without its brackets: http://2001:db8::1/
            Some((_, port))
                if port.contains(':') && rest.bytes().all(|b| b.is_ascii_hexdigit() || b == b':' || b == b'.') =>
            {
                (rest, None)
            }
            Some((host, port)) => (host, Some(port)),
            None => (rest, None),
        }
    }
}

/// Returns the port as a number; an empty port is valid and has no effect.
pub(super) fn port(text: &str) -> Result<Option<u16>, ()> {
    match text.len() {
        0 => Ok(None),
        1..=5 if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().map(Some).map_err(|_| ()),
        _ => Err(()),
    }
}

/// Returns whether a nonempty host, with characters of class `seen`, is valid. Percent signs are not checked.
pub(super) fn host_is_good(host: &str, seen: u16) -> bool {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().is_ok() || is_ip_future(inner);
    }
    if seen & (ILLEGAL | BRACKET | COLON | AT | PRIVATE) != 0 {
        return false;
    }
    if seen & (NON_ASCII | PERCENT) == 0 {
        plain_name_is_good(host)
    } else {
        wide_name_is_good(host)
    }
}

/// `IPvFuture` of RFC 3986: `v`, a hexadecimal version, a dot, an address.
fn is_ip_future(inner: &str) -> bool {
    let Some((version, address)) = inner.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) else {
        return false;
    };
    let legal = |byte: u8| byte.is_ascii() && CLASS[byte as usize] & !(UPPER | COLON) == 0;
    !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !address.is_empty()
        && address.bytes().all(legal)
}

/// Returns whether an ASCII host is a valid DNS name or an IPv4 address. A trailing dot stands for the DNS root.
#[inline]
pub(super) fn plain_name_is_good(host: &str) -> bool {
    let bytes = host.as_bytes();
    let bytes = bytes.strip_suffix(b".").unwrap_or(bytes);
    let mut label = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if byte == b'.' {
            if at == label || at - label > MAX_LABEL {
                return false;
            }
            label = at + 1;
        }
    }
    let last = &bytes[label..];
    if last.is_empty() || last.len() > MAX_LABEL || bytes.len() > MAX_HOST {
        return false;
    }
    // RFC 3986 would accept 1.2.3.400 as a name, but nobody can have meant that.
    label == 0 || !last.iter().all(u8::is_ascii_digit) || host[..bytes.len()].parse::<Ipv4Addr>().is_ok()
}

/// Same as `plain_name_is_good`, for a host with non-ASCII characters or escapes. Lengths are those of the shortest
/// name that it can stand for, so that no valid host is rejected: IDNA writes `xn--` and at least one letter for each
/// non-ASCII character.
fn wide_name_is_good(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let mut total = 0;
    for label in name.split('.') {
        let length = least_length(label.as_bytes());
        if length == 0 || length > MAX_LABEL {
            return false;
        }
        total += length + 1;
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let numeric = last.len() < name.len() && last.bytes().all(|byte| byte.is_ascii_digit());
    total - 1 <= MAX_HOST && !numeric
}

fn least_length(label: &[u8]) -> usize {
    let mut length = 0;
    let mut wide = false;
    let mut at = 0;
    while at < label.len() {
        let escaped = match &label[at..] {
            [b'%', high, low, ..] => Some((*high as char).to_digit(16).zip((*low as char).to_digit(16))),
            _ => None,
        };
        let byte = match escaped {
            Some(Some((high, low))) => {
                at += 2;
                (high * 16 + low) as u8
            }
            _ => label[at],
        };
        at += 1;
        wide |= byte >= 0x80;
        // UTF-8 continuation bytes belong to a character that is already counted.
        length += usize::from(!(0x80..0xC0).contains(&byte));
    }
    if wide { length + "xn--".len() } else { length }
}
