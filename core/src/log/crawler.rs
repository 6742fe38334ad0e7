//! Who sent a request: the crawler that the user agent names, and whether its address confirms it.

use std::collections::HashMap;
use std::net::IpAddr;

use memchr::memmem::Finder;

/// Number of user agents to remember, beyond which they are forgotten: a client can send a new one with each request.
const MOST_REMEMBERED: usize = 4_096;
/// Number of looked-up addresses to remember.
pub const MOST_ADDRESSES: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Unverified,
    Verified,
    Impostor,
}

impl Verdict {
    pub const ALL: [Self; 3] = [Self::Unverified, Self::Verified, Self::Impostor];

    pub fn name(self) -> &'static str {
        match self {
            Self::Unverified => "unverified",
            Self::Verified => "verified",
            Self::Impostor => "impostor",
        }
    }
}

/// A crawler.
pub struct Crawler {
    pub name: String,
    /// The first and the last address of each of its prefixes; `None` if they are not known.
    pub ranges: Option<Vec<(u128, u128)>>,
    /// Whether its addresses can be confirmed by DNS.
    pub has_names: bool,
}

/// All known crawlers.
pub struct Crawlers {
    crawlers: Vec<Crawler>,
    /// Whether the prefixes of any are known.
    pub have_ranges: bool,
    /// The product tokens in lowercase, the longest first, and their crawlers.
    tokens: Vec<(Finder<'static>, usize, usize)>,
    remembered: HashMap<Box<[u8]>, Option<usize>>,
    lower: Vec<u8>,
    /// What DNS said about an address that claims to be a crawler.
    confirmed: HashMap<(usize, IpAddr), Verdict>,
}

impl Crawlers {
    pub fn new(mut crawlers: Vec<Crawler>) -> Self {
        let mut tokens: Vec<(Finder, usize, usize)> = Vec::new();
        for (number, crawler) in crawlers.iter_mut().enumerate() {
            let token = crawler.name.to_ascii_lowercase();
            tokens.push((Finder::new(token.as_bytes()).into_owned(), token.len(), number));
            if let Some(ranges) = &mut crawler.ranges {
                *ranges = merged(std::mem::take(ranges));
            }
        }
        tokens.sort_by_key(|(_, length, _)| usize::MAX - length);
        Self {
            have_ranges: crawlers.iter().any(|crawler| crawler.ranges.is_some()),
            crawlers,
            tokens,
            remembered: HashMap::new(),
            lower: Vec::new(),
            confirmed: HashMap::new(),
        }
    }

    /// Returns the crawler that a user agent names: the longest product token in it.
    pub fn by_agent(&mut self, agent: &[u8]) -> Option<usize> {
        if let Some(known) = self.remembered.get(agent) {
            return *known;
        }
        self.lower.clear();
        self.lower.extend(agent.iter().map(u8::to_ascii_lowercase));
        let found = self.tokens.iter().find(|(finder, length, _)| {
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            finder.find_iter(&self.lower).any(|at| {
                let before = at.checked_sub(1).and_then(|before| self.lower.get(before));
                !is_word(before) && before != Some(&b'-') && !is_word(self.lower.get(at + length))
            })
        });
        let found = found.map(|(.., number)| *number);
        if self.remembered.len() >= MOST_REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(agent.into(), found);
        found
    }

    /// Returns the crawler whose published prefixes contain an address, for logs without user agents.
    pub fn by_address(&self, client: IpAddr) -> Option<usize> {
        let at = number(client);
        self.crawlers
            .iter()
            .position(|crawler| crawler.ranges.as_ref().is_some_and(|ranges| contains(ranges, at)))
    }

    /// Returns what the address of a client says about the crawler that it claims to be.
    pub fn verdict(&self, crawler: usize, client: Option<IpAddr>) -> Verdict {
        // The address of a proxy says nothing.
        let Some(client) = client else {
            return Verdict::Unverified;
        };
        let of = &self.crawlers[crawler];
        let listed = of.ranges.as_ref().map(|ranges| contains(ranges, number(client)));
        match (listed, self.confirmed.get(&(crawler, client))) {
            (Some(true), _) => Verdict::Verified,
            (_, Some(verdict)) => *verdict,
            (Some(false), None) => Verdict::Impostor,
            (None, None) => Verdict::Unverified,
        }
    }

    /// Returns the address to ask DNS for, if it could say more about a crawler than the prefixes.
    pub fn question(&self, crawler: usize, client: Option<IpAddr>) -> Option<IpAddr> {
        let of = &self.crawlers[crawler];
        let client = client.filter(|_| of.has_names)?;
        let is_listed = of
            .ranges
            .as_ref()
            .is_some_and(|ranges| contains(ranges, number(client)));
        let is_asked = is_listed || self.confirmed.contains_key(&(crawler, client));
        (!is_asked && self.confirmed.len() < MOST_ADDRESSES).then_some(client)
    }

    pub fn confirm(&mut self, crawler: usize, client: IpAddr, verdict: Verdict) {
        self.confirmed.insert((crawler, client), verdict);
    }
}

/// The address as a number; IPv4 addresses are where IPv6 maps them.
pub fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

/// Sorts ranges, and joins those that overlap.
fn merged(mut ranges: Vec<(u128, u128)>) -> Vec<(u128, u128)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u128, u128)> = Vec::with_capacity(ranges.len());
    for (first, last) in ranges {
        match merged.last_mut() {
            Some(before) if first <= before.1 => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

fn contains(ranges: &[(u128, u128)], at: u128) -> bool {
    let after = ranges.partition_point(|(first, _)| *first <= at);
    after > 0 && at <= ranges[after - 1].1
}
