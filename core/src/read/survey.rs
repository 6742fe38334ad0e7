//! Facts about all entries of one document, for the table `documents`, so that rules need not query whole documents.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use crate::value::traits::{Trait, Traits};
use crate::value::{DateTime, Precision, UrlParts};

/// Maximum distinct sites remembered per document.
const MAX_SITES: usize = 100;

/// Maximum URLs remembered per document, by hash: twenty times what the protocol allows.
const MAX_REMEMBERED: usize = 1_000_000;

/// One loc to examine.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub parts: UrlParts<'a>,
    /// Its host in its one spelling.
    pub host: Option<&'a str>,
    pub ends_with_slash: bool,
    /// Whether scheme and host equal those of the URL before it.
    pub is_same_site: bool,
}

/// Facts about all entries so far.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Every trait that any entry has.
    pub traits: Traits,
    pub loc_longest: i32,
    pub loc_slashes: i64,
    pub loc_absolute: i64,
    /// Scheme and host of valid URLs, `https://example.com`, each once.
    pub sites: Vec<String>,
    pub lastmod_days: i64,
    pub lastmod_times: i64,
    pub hints: i64,
    pub with_changefreq: i64,
    pub with_priority: i64,
    pub priorities: i64,
    /// Lowest and highest number; valid only once `priorities` has a count.
    pub priority_lowest: f64,
    pub priority_highest: f64,
    repeats: i64,
    seen: HashSeen,
    has_links: bool,
    /// Hashes of the hrefs of links to other entries or URLs, until all entries are known.
    linked: Vec<i64>,
}

impl Survey {
    #[inline]
    pub fn loc(&mut self, look: &Look) {
        self.loc_longest = self.loc_longest.max(look.parts.length as i32);
        self.loc_slashes += i64::from(look.ends_with_slash);
        self.loc_absolute += i64::from(look.parts.scheme.is_some());
        if !look.is_same_site {
            self.site(look);
        }
    }

    /// Adds many hashes at once, so that the memory of one is fetched while another is checked.
    pub fn hashes(&mut self, hashes: &[i64]) {
        for &hash in hashes {
            self.repeats += i64::from(self.seen.is_repeated(hash as u64));
        }
    }

    /// Adds a hreflang link.
    #[inline]
    pub fn link(&mut self, href_hash: i64, is_to_itself: bool) {
        self.has_links = true;
        if !is_to_itself && self.linked.len() < MAX_REMEMBERED {
            self.linked.push(href_hash);
        }
    }

    /// Completes the traits after the last entry.
    pub fn finish(&mut self) {
        let linked = std::mem::take(&mut self.linked);
        // The entry of a repeated URL that a link points to may be another one than its own.
        let is_unclear = self.has_links && self.loc_repeats() != Some(0) || linked.len() >= MAX_REMEMBERED;
        if is_unclear || linked.iter().any(|&hash| self.seen.has(hash as u64)) {
            self.traits.add(Trait::LinkWithin);
        }
        self.seen.finish();
    }

    #[inline(never)]
    fn site(&mut self, look: &Look) {
        let (None, Some(scheme), Some(host)) = (look.parts.problem, look.parts.scheme, look.host) else {
            return;
        };
        let has = |site: &String| {
            site.len() == scheme.len() + 3 + host.len()
                && site[..scheme.len()].eq_ignore_ascii_case(scheme)
                && site[scheme.len() + 3..] == *host
        };
        if self.sites.len() < MAX_SITES && !self.sites.iter().any(has) {
            self.sites.push(format!("{}://{host}", scheme.to_ascii_lowercase()));
        }
    }

    #[inline]
    pub fn lastmod(&mut self, lastmod: DateTime) {
        match lastmod.precision {
            Some(Precision::Day) => self.lastmod_days += 1,
            Some(Precision::Minute | Precision::Second | Precision::Fraction) => self.lastmod_times += 1,
            _ => {}
        }
    }

    /// Counts the hints of an entry: whether it has each of them, and the number of its priority.
    #[inline]
    pub fn hints(&mut self, has_changefreq: bool, has_priority: bool, number: Option<f64>) {
        self.hints += i64::from(has_changefreq || has_priority);
        self.with_changefreq += i64::from(has_changefreq);
        self.with_priority += i64::from(has_priority);
        if let Some(value) = number {
            if self.priorities == 0 {
                (self.priority_lowest, self.priority_highest) = (value, value);
            }
            self.priorities += 1;
            self.priority_lowest = self.priority_lowest.min(value);
            self.priority_highest = self.priority_highest.max(value);
        }
    }

    /// Returns how many URLs have the hash of an earlier one, or `None` if there were too many to remember.
    pub fn loc_repeats(&self) -> Option<i64> {
        (self.seen.count < MAX_REMEMBERED).then_some(self.repeats)
    }
}

/// A set of hashes, which need not be hashed again. 0 marks a free slot and an absent URL: it is never in the set.
#[derive(Clone, Debug, Default)]
struct HashSeen {
    places: Vec<u64>,
    count: usize,
}

/// Numbers of places that are worth keeping for the next document.
const SPARE_PLACES: RangeInclusive<usize> = 1 << 13..=1 << 18;

thread_local! {
    /// Free places of an earlier document. New memory would cost two page faults per page, each of which can interrupt
    /// the other threads.
    static SPARE: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// A random odd number of this process that decides the place of a hash, so that nobody can choose URLs that all collide.
static SPREAD: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0) | 1);

impl HashSeen {
    /// Adds a hash, and returns whether it was there already.
    #[inline]
    fn is_repeated(&mut self, hash: u64) -> bool {
        if hash == 0 {
            return false;
        }
        if 2 * self.count >= self.places.len() {
            if self.count >= MAX_REMEMBERED {
                return false;
            }
            self.grow();
        }
        let at = Self::place(&self.places, hash);
        if self.places[at] == hash {
            return true;
        }
        self.places[at] = hash;
        self.count += 1;
        false
    }

    fn has(&self, hash: u64) -> bool {
        !self.places.is_empty() && self.places[Self::place(&self.places, hash)] == hash
    }

    /// Returns the slot of a hash, or the slot to put it into.
    #[inline]
    fn place(places: &[u64], hash: u64) -> usize {
        let mask = places.len() - 1;
        let mut at = (hash.wrapping_mul(*SPREAD) >> (64 - places.len().ilog2())) as usize;
        while places[at] != 0 && places[at] != hash {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let wanted = (4 * self.places.len()).max(2048);
        let mut places = if SPARE_PLACES.contains(&wanted) {
            SPARE.take()
        } else {
            Vec::new()
        };
        if places.len() < wanted {
            places = vec![0; wanted];
        }
        for &hash in self.places.iter().filter(|&&hash| hash != 0) {
            let at = Self::place(&places, hash);
            places[at] = hash;
        }
        self.places = places;
    }

    /// Ends the search for repeated hashes; `count` remains.
    fn finish(&mut self) {
        let mut places = std::mem::take(&mut self.places);
        if SPARE_PLACES.contains(&places.len()) {
            places.fill(0);
            SPARE.set(places);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_like_a_set(hashes in prop::collection::vec(prop_oneof![0..50_u64, any::<u64>()], 0..3000)) {
            let mut seen = HashSeen::default();
            let mut wanted = HashSet::new();
            for hash in hashes {
                assert_eq!(seen.is_repeated(hash), hash != 0 && !wanted.insert(hash), "{hash}");
            }
            seen.finish();
            assert_eq!(seen.count, wanted.len());
        }
    }
}
