//! The client of a request: the address in a field as servers, proxies, and log shippers write it.

use std::net::IpAddr;

/// Who sent a request, by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// An address that may be a crawler's.
    Public(IpAddr),
    /// An address of a private network, as proxies have.
    Private,
    /// A text without an address, such as a host name.
    Unreadable,
    /// The log does not say.
    Missing,
}

impl Client {
    pub fn address(self) -> Option<IpAddr> {
        match self {
            Self::Public(address) => Some(address),
            _ => None,
        }
    }

    /// Reads a field. In a list, as of X-Forwarded-For, the first public address is the client's: proxies append theirs.
    pub fn of(text: &[u8]) -> Self {
        let mut client = Self::Missing;
        for item in items(text) {
            match address(item) {
                Some(address) if is_private(address) => client = Self::Private,
                Some(address) => return Self::Public(address),
                None if client == Self::Missing => client = Self::Unreadable,
                None => {}
            }
        }
        client
    }
}

pub fn has_address(text: &[u8]) -> bool {
    items(text).any(|item| address(item).is_some())
}

pub fn has_several_addresses(text: &[u8]) -> bool {
    items(text).filter(|item| address(item).is_some()).nth(1).is_some()
}

/// Splits a list. IIS writes a space as `+`.
fn items(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let items = text.split(|byte| b", \t+".contains(byte));
    items.filter(|item| item.iter().any(|byte| !b"-\"'[]\\".contains(byte)))
}

/// Reads an address with what may be around it: quotation marks, brackets, a port, a zone, or `for=` of RFC 7239.
pub fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?;
    let is_for = |pair: &&str| pair.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("for="));
    let text = text.split(';').find(is_for).map_or(text, |pair| &pair[4..]);
    let text = text
        .trim_matches(|mark: char| "\"'\\ ".contains(mark))
        .trim_start_matches(['[', '"', '\'']);
    let inner = text
        .split_once(']')
        .map_or(text, |(inner, _)| inner)
        .trim_end_matches(['"', '\'']);
    let parsed = |text: &str| text.split('%').next()?.parse::<IpAddr>().ok();
    let without_port = || {
        let (host, port) = inner.rsplit_once(':')?;
        let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        is_port.then(|| parsed(host))?
    };
    Some(parsed(inner).or_else(without_port)?.to_canonical())
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [first, second, ..] = v4.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_unspecified() || is_shared
        }
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unspecified() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}
