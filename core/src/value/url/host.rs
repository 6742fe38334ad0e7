//! The authority of a URL: user info, host and port, and whether a host can exist.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::percent::escape;
use super::{AT, BRACKET, CLASS, COLON, ILLEGAL, NON_ASCII, PERCENT, PRIVATE, UPPER, UrlParts};

/// Longest host name and label. <https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4>
const MAX_HOST: usize = 253;
const MAX_LABEL: usize = 63;

/// Longest host that is converted, in bytes: each character takes at least one byte in DNS, and at most four in UTF-8.
const MAX_CONVERTED: usize = 4 * MAX_HOST;

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

/// The one spelling of a host: as in DNS (UTS 46), in lowercase, without percent escapes and without dots at the end; an
/// IPv6 address in brackets, compressed. A host that has no such spelling stays as written, in lowercase.
///
/// <https://www.unicode.org/reports/tr46/#ToASCII>, <https://www.rfc-editor.org/rfc/rfc5952>
pub fn ascii_host(host: &str) -> Cow<'_, str> {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match inner.parse::<Ipv6Addr>() {
            Ok(address) => same_or(host, format!("[{address}]")),
            Err(_) => lower(host),
        };
    }
    let name = without_root(host);
    let decoded = decoded(name);
    if decoded == name.as_bytes() && name.is_ascii() || name.len() > MAX_CONVERTED {
        return lower(name);
    }
    match idna::domain_to_ascii_cow(&decoded, idna::AsciiDenyList::URL) {
        // Dots beyond ASCII have become dots, and characters that are ignored have gone.
        Ok(ascii) if !ascii.is_empty() => Cow::Owned(without_root(&ascii).to_owned()),
        _ => lower(name),
    }
}

/// The bytes of a name, with its percent escapes decoded.
fn decoded(name: &str) -> Cow<'_, [u8]> {
    if !name.contains('%') {
        return Cow::Borrowed(name.as_bytes());
    }
    let (mut rest, mut bytes) = (name.as_bytes(), Vec::with_capacity(name.len()));
    while let Some((&first, after)) = rest.split_first() {
        let escaped = escape(rest);
        bytes.push(escaped.unwrap_or(first));
        rest = escaped.map_or(after, |_| &rest[3..]);
    }
    Cow::Owned(bytes)
}

/// A name without the dots that stand for the root of DNS.
fn without_root(name: &str) -> &str {
    match name.trim_end_matches('.') {
        "" => name,
        short => short,
    }
}

fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

fn same_or<'a>(text: &'a str, other: String) -> Cow<'a, str> {
    if text == other {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(other)
    }
}

/// Whether `ascii_host` leaves a host as it is.
#[inline]
pub(super) fn is_ascii_host(host: &str) -> bool {
    host.is_ascii() && matches!(ascii_host(host), Cow::Borrowed(same) if same.len() == host.len())
}

/// Converts hosts one after the other, remembering the last: a document repeats few of them.
#[derive(Default)]
pub struct AsciiHosts {
    written: String,
    ascii: String,
}

impl AsciiHosts {
    /// As `ascii_host`, of the host of a URL.
    #[inline]
    pub fn of<'a>(&'a mut self, parts: &UrlParts<'a>) -> Option<&'a str> {
        match parts.host {
            Some(host) if !parts.host_usual => Some(self.convert(host)),
            host => host,
        }
    }

    #[cold]
    pub fn convert(&mut self, host: &str) -> &str {
        if self.written != host {
            self.ascii.clear();
            self.ascii.push_str(&ascii_host(host));
            host.clone_into(&mut self.written);
        }
        &self.ascii
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
