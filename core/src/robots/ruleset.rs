//! The merged rules of an agent, ready to find the one that decides about a path.
//!
//! The rule with the most octets decides, and between equals the one that allows:
//! <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2>.

use std::cmp::Reverse;

use super::Rule;
use super::pattern::{Tail, Wild, bytes_in};

/// Where a rule stands: its group, and its number there.
pub type RuleId = (usize, usize);

/// Better rules have smaller ranks.
type Rank = u32;

const NO_RANK: Rank = Rank::MAX;

/// Rules that share the text before their first star.
#[derive(Debug)]
struct Prefix {
    text: Vec<u8>,
    /// The longest other prefix that this one begins with.
    shorter: Option<u32>,
    /// The best rule that wants nothing more.
    open: Rank,
    /// The best rule that wants nothing to follow.
    end: Rank,
    /// Best first.
    wild: Vec<(Rank, Wild)>,
}

/// Rules by their prefixes, which are sorted: those that a path begins with are found by one binary search.
#[derive(Debug)]
pub struct RuleSet {
    prefixes: Vec<Prefix>,
    by_rank: Vec<RuleId>,
    has_wild: bool,
}

impl RuleSet {
    pub(super) fn new<'a>(rules: impl Iterator<Item = (RuleId, &'a Rule)>) -> Self {
        let mut rules: Vec<(RuleId, &Rule)> = rules.filter(|(_, rule)| rule.compiled.tail != Tail::Never).collect();
        // The sort is stable: of the same rule given twice, the first decides.
        rules.sort_by_key(|(_, rule)| (Reverse(rule.compiled.length), !rule.allow));
        let by_rank = rules.iter().map(|(id, _)| *id).collect();
        let mut texts: Vec<&[u8]> = rules.iter().map(|(_, rule)| rule.compiled.prefix.as_slice()).collect();
        texts.sort_unstable();
        texts.dedup();
        let mut prefixes = linked(&texts);
        for (rank, (_, rule)) in rules.iter().enumerate() {
            let rank = rank as Rank;
            let Ok(at) = texts.binary_search(&rule.compiled.prefix.as_slice()) else {
                continue;
            };
            let prefix = &mut prefixes[at];
            match &rule.compiled.tail {
                Tail::Open => prefix.open = prefix.open.min(rank),
                Tail::End => prefix.end = prefix.end.min(rank),
                Tail::Parts { parts, is_anchored } => prefix.wild.push((rank, Wild::new(parts, *is_anchored))),
                Tail::Never => {}
            }
        }
        RuleSet {
            has_wild: prefixes.iter().any(|prefix| !prefix.wild.is_empty()),
            prefixes,
            by_rank,
        }
    }

    /// The rule that decides about a path in its normal form; None when none matches.
    pub fn deciding(&self, path: &[u8]) -> Option<RuleId> {
        let mut best = NO_RANK;
        // Every prefix that the path begins with is one that the greatest prefix not beyond the path begins with.
        let found = self.prefixes.partition_point(|prefix| prefix.text.as_slice() <= path);
        let mut at = found.checked_sub(1);
        let mut seen = None;
        while let Some(number) = at {
            let prefix = &self.prefixes[number];
            if path.starts_with(&prefix.text) {
                best = best.min(prefix.open);
                if path.len() == prefix.text.len() {
                    best = best.min(prefix.end);
                }
                if self.has_wild {
                    let bytes = *seen.get_or_insert_with(|| bytes_in(path));
                    best = best.min(prefix.best_wild(path, bytes, best));
                }
            }
            at = prefix.shorter.map(|shorter| shorter as usize);
        }
        self.by_rank.get(best as usize).copied()
    }
}

impl Prefix {
    /// The best matching rule with stars that is better than `best`.
    fn best_wild(&self, path: &[u8], bytes: u128, best: Rank) -> Rank {
        let rest = &path[self.text.len()..];
        self.wild
            .iter()
            .take_while(|(rank, _)| *rank < best)
            .find(|(_, wild)| wild.needs & !bytes == 0 && wild.matches(rest))
            .map_or(NO_RANK, |(rank, _)| *rank)
    }
}

/// A prefix for each text, each linked to the longest one that it begins with.
fn linked(texts: &[&[u8]]) -> Vec<Prefix> {
    let mut prefixes: Vec<Prefix> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut shorter = prefixes.len().checked_sub(1);
        while let Some(number) = shorter
            && !text.starts_with(&prefixes[number].text)
        {
            shorter = prefixes[number].shorter.map(|number| number as usize);
        }
        prefixes.push(Prefix {
            text: text.to_vec(),
            shorter: shorter.map(|number| number as u32),
            open: NO_RANK,
            end: NO_RANK,
            wild: Vec::new(),
        });
    }
    prefixes
}
