//! Finds hashes that may be repeated among millions, in one to three bytes per hash: Bloom filters of one word per
//! lookup.
//! Burton H. Bloom, Space/Time Trade-offs in Hash Coding with Allowable Errors, 1970.

use super::survey::SPREAD;

/// Words of the first filter: 512 KiB.
const FIRST_WORDS: usize = 1 << 16;

/// How many times as large each further filter is.
const GROWTH: usize = 4;

/// Maximum number of filters: 10.5 MiB in all.
const MOST_FILTERS: usize = 3;

/// Hashes per word, from which on another filter is begun; about one hash in thirty is then found by accident.
const HASHES_PER_WORD: usize = 5;

/// Maximum number of hashes to return: 8 MiB.
const MOST_REPEATED: usize = 1 << 20;

/// Hashes to add before the limits are checked again.
const HASHES_AT_ONCE: usize = 1 << 14;

struct Filter {
    words: Vec<u64>,
    hashes: usize,
}

impl Filter {
    fn new(words: usize) -> Self {
        Self {
            words: vec![0; words],
            hashes: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.hashes >= self.words.len() * HASHES_PER_WORD
    }

    /// Returns the place of the word of a hash, and its three bits.
    #[inline]
    fn place(&self, mixed: u64) -> (usize, u64) {
        let place = (mixed >> (64 - self.words.len().ilog2())) as usize;
        let bits = 1 << (mixed & 63) | 1 << (mixed >> 6 & 63) | 1 << (mixed >> 12 & 63);
        (place, bits)
    }

    #[inline]
    fn has(&self, mixed: u64) -> bool {
        let (place, bits) = self.place(mixed);
        self.words[place] & bits == bits
    }

    /// Adds a hash, and returns whether it may have been there already.
    #[inline]
    fn add(&mut self, mixed: u64) -> bool {
        let (place, bits) = self.place(mixed);
        let word = &mut self.words[place];
        let is_there = *word & bits == bits;
        *word |= bits;
        self.hashes += usize::from(!is_there);
        is_there
    }
}

/// Hashes that may be repeated: all that are, and some others.
pub struct Repeats {
    /// All but the last are full.
    filters: Vec<Filter>,
    /// None if there are too many.
    repeated: Option<Vec<i64>>,
}

impl Repeats {
    pub fn new() -> Self {
        Self {
            filters: Vec::new(),
            repeated: Some(Vec::new()),
        }
    }

    /// Adds hashes.
    pub fn add(&mut self, hashes: &[i64]) {
        let mut rest = hashes;
        while let Some(repeated) = &mut self.repeated
            && !rest.is_empty()
        {
            if self.filters.len() < MOST_FILTERS && self.filters.last().is_none_or(Filter::is_full) {
                self.filters
                    .push(Filter::new(FIRST_WORDS * GROWTH.pow(self.filters.len() as u32)));
            }
            let (last, full) = self.filters.split_last_mut().expect("there is a filter");
            let now;
            (now, rest) = rest.split_at(rest.len().min(HASHES_AT_ONCE));
            for &hash in now {
                let mixed = (hash as u64).wrapping_mul(*SPREAD);
                if full.iter().any(|filter| filter.has(mixed)) || last.add(mixed) {
                    repeated.push(hash);
                }
            }
            if repeated.len() > MOST_REPEATED {
                (self.repeated, self.filters) = (None, Vec::new());
            }
        }
    }

    /// Returns the hashes, each once, and begins anew; None if there are too many.
    pub fn take(&mut self) -> Option<Vec<i64>> {
        let mut repeated = std::mem::replace(self, Self::new()).repeated?;
        repeated.sort_unstable();
        repeated.dedup();
        Some(repeated)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Returns different hashes that look random.
    fn hashes(count: i64) -> Vec<i64> {
        (1..=count)
            .map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64))
            .collect()
    }

    proptest! {
        #[test]
        fn every_repeated_hash_is_found(hashes in prop::collection::vec(prop_oneof![0..50_i64, any::<i64>()], 0..3000)) {
            let mut seen = HashSet::new();
            let repeated: HashSet<i64> = hashes.iter().copied().filter(|&hash| !seen.insert(hash)).collect();
            let mut repeats = Repeats::new();
            repeats.add(&hashes);
            let found = repeats.take().unwrap();
            prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(repeated.iter().all(|hash| found.binary_search(hash).is_ok()));
        }
    }

    #[test]
    fn hashes_are_found_in_every_filter() {
        let mut repeats = Repeats::new();
        repeats.add(&hashes(4_000_000));
        assert_eq!(repeats.filters.len(), 3);
        let again: Vec<i64> = hashes(4_000_000).into_iter().step_by(1000).collect();
        repeats.add(&again);
        let found: HashSet<i64> = repeats.take().unwrap().into_iter().collect();
        assert!(again.iter().all(|hash| found.contains(hash)));
        assert!(found.len() < 4_000_000 / 10, "{}", found.len());
    }

    #[test]
    fn too_many_are_not_kept() {
        let mut repeats = Repeats::new();
        repeats.add(&hashes(1_100_000));
        repeats.add(&hashes(1_100_000));
        assert!(repeats.filters.is_empty());
        assert_eq!(repeats.take(), None);
        repeats.add(&[7, 7]);
        assert_eq!(repeats.take(), Some(vec![7]));
    }
}
