//! The merged rules of a user agent, prepared to find the one that decides for a path.
//!
//! The rule with the most octets decides; of equally long ones, the one that allows:
//! <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2>.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::Rule;
use super::pattern::{Pattern, Tail};
use super::wild::{NO_RANK, Rank, Wilds, bytes_in};

/// The identity of a rule: its group, and its number in the group.
pub type RuleId = (usize, usize);

/// The crawler whose reading of rules applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    #[default]
    Rfc,
    /// `Allow: /folder/index.htm` and any pattern with that prefix also allows `/folder/`:
    /// <https://github.com/google/robotstxt/blob/master/robots.cc>, `RobotsMatcher::HandleAllow`.
    Google,
    /// Like `Google`, but groups for `*` do not apply:
    /// <https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers>.
    GoogleSpecial,
}

/// The rule that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub rule: RuleId,
    /// Whether it decides because it names the index page of the folder.
    pub is_index_page: bool,
}

/// Rules with the same text before their first star.
#[derive(Debug)]
struct Prefix {
    text: Vec<u8>,
    /// The longest other prefix that this one starts with.
    shorter: Option<u32>,
    /// The best rule that allows anything to follow.
    open: Rank,
    /// The best rule that allows nothing to follow.
    end: Rank,
    wild: Wilds,
}

/// Rules by prefix. The prefixes are sorted: one binary search finds those that a path starts with.
#[derive(Debug)]
pub struct RuleSet {
    prefixes: Vec<Prefix>,
    by_rank: Vec<Decision>,
    has_wild: bool,
}

impl RuleSet {
    pub(super) fn new<'a>(rules: impl Iterator<Item = (RuleId, &'a Rule)>, dialect: Dialect) -> Self {
        let mut rules: Vec<Candidate> = rules
            .filter(|(_, rule)| rule.compiled.tail != Tail::Never)
            .flat_map(|(id, rule)| Candidate::of(id, rule, dialect))
            .collect();
        // The sort is stable: if the same rule occurs twice, the first decides.
        rules.sort_by_key(|rule| (Reverse(rule.pattern.length), !rule.allow));
        let mut texts: Vec<&[u8]> = rules.iter().map(|rule| rule.pattern.prefix.as_slice()).collect();
        texts.sort_unstable();
        texts.dedup();
        let mut prefixes = linked(&texts);
        for (rank, rule) in rules.iter().enumerate() {
            let rank = rank as Rank;
            let Ok(at) = texts.binary_search(&rule.pattern.prefix.as_slice()) else {
                continue;
            };
            let prefix = &mut prefixes[at];
            match &rule.pattern.tail {
                Tail::Open => prefix.open = prefix.open.min(rank),
                Tail::End => prefix.end = prefix.end.min(rank),
                Tail::Parts { parts, is_anchored } => prefix.wild.push(rank, parts, *is_anchored),
                Tail::Never => {}
            }
        }
        for prefix in &mut prefixes {
            prefix.wild.index(|rank| match &rules[rank as usize].pattern.tail {
                Tail::Parts { parts, .. } => parts,
                _ => &[],
            });
        }
        RuleSet {
            has_wild: prefixes.iter().any(|prefix| !prefix.wild.is_empty()),
            prefixes,
            by_rank: rules.iter().map(|rule| rule.decision).collect(),
        }
    }

    /// Returns the rule that decides for a path in its normal form, or `None` if no rule matches.
    pub fn deciding(&self, path: &[u8]) -> Option<Decision> {
        let mut best = NO_RANK;
        // Every prefix that the path starts with is also a prefix of the greatest prefix not beyond the path.
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
                    best = best.min(prefix.wild.best(&path[prefix.text.len()..], bytes, best));
                }
            }
            at = prefix.shorter.map(|shorter| shorter as usize);
        }
        self.by_rank.get(best as usize).copied()
    }
}

/// A rule as it is compared: one rule can be compared in two ways.
struct Candidate<'a> {
    decision: Decision,
    allow: bool,
    pattern: Cow<'a, Pattern>,
}

impl<'a> Candidate<'a> {
    fn of(id: RuleId, rule: &'a Rule, dialect: Dialect) -> impl Iterator<Item = Self> {
        let candidate = |is_index_page, pattern| Candidate {
            decision: Decision {
                rule: id,
                is_index_page,
            },
            allow: rule.allow,
            pattern,
        };
        let folder = (dialect != Dialect::Rfc && rule.allow)
            .then(|| folder_of(&rule.pattern))
            .flatten();
        [
            Some(candidate(false, Cow::Borrowed(&rule.compiled))),
            folder.map(|folder| candidate(true, Cow::Owned(Pattern::compile(folder.as_bytes())))),
        ]
        .into_iter()
        .flatten()
    }
}

/// Returns the pattern of the folder alone, `/folder/$`, if the pattern names its index page.
fn folder_of(pattern: &str) -> Option<String> {
    let slash = pattern.rfind('/')?;
    let (folder, name) = pattern.split_at(slash + 1);
    name.starts_with("index.htm").then(|| format!("{folder}$"))
}

/// Creates a prefix for each text, and links each to the longest one that it starts with.
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
            wild: Wilds::default(),
        });
    }
    prefixes
}
