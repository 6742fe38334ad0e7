//! Which parts to merge: those that removals left mostly empty.

use super::usage::{UNDERUSED, Usage};
use crate::write::Options;
use crate::write::part::Frame;

/// A part that is less than 70% full.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub part: usize,
    pub group: usize,
    pub usage: Usage,
    /// Whether new URLs go into it: others are merged into it, but it is not merged into others.
    pub is_open: bool,
}

/// A part that is removed, and the parts that its entries go to, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merge {
    pub part: usize,
    pub into: Vec<usize>,
}

/// Returns at most `most` merges, the emptiest parts first. Each makes the set one part smaller, and no URL moves twice.
pub fn merges(mut left: Vec<Candidate>, most: usize, frame: &Frame, options: &Options) -> Vec<Merge> {
    let used = |usage: &Usage| usage.thousandths(frame, options);
    let mut found: Vec<Merge> = Vec::new();
    let mut at = 0;
    prepare(&mut left, used);
    while found.len() < most && at < left.len() {
        let has_received = found.iter().any(|merge| merge.into.contains(&left[at].part));
        if left[at].is_open || has_received {
            at += 1;
            continue;
        }
        let Some(into) = receivers(&left, at, frame, options) else {
            at += 1;
            continue;
        };
        let source = left[at].clone();
        let parts = into.iter().map(|&one| left[one].part).collect();
        if let [only] = into[..] {
            left[only].usage = left[only].usage.with(source.usage);
        } else {
            into.iter()
                .for_each(|&one| left[one].usage.entries = options.max_entries);
        }
        left.retain(|one| one.part != source.part);
        prepare(&mut left, used);
        found.push(Merge {
            part: source.part,
            into: parts,
        });
        at = 0;
    }
    found
}

/// Keeps the parts that are less than 70% full, the emptiest first.
fn prepare(left: &mut Vec<Candidate>, used: impl Fn(&Usage) -> u64) {
    left.retain(|one| used(&one.usage) < UNDERUSED);
    left.sort_by_key(|one| (used(&one.usage), one.part));
}

/// Returns the parts that have room for all entries of the one at an index: the fullest that has room for all of them,
/// otherwise several, the fullest first.
fn receivers(left: &[Candidate], at: usize, frame: &Frame, options: &Options) -> Option<Vec<usize>> {
    let source = &left[at];
    let others = || {
        (0..left.len())
            .rev()
            .filter(|&one| one != at && left[one].group == source.group)
    };
    let fits = |&one: &usize| left[one].usage.with(source.usage).is_within(frame, options);
    if let Some(one) = others().find(fits) {
        return Some(vec![one]);
    }
    let mut room = Usage::default();
    let mut into = Vec::new();
    for one in others() {
        let usage = &left[one].usage;
        let header = frame.length(usage.namespaces | source.usage.namespaces, options);
        into.push(one);
        room.entries += options.max_entries - usage.entries;
        room.news += options.max_news - usage.news;
        room.bytes += options.max_bytes.saturating_sub(header + usage.bytes);
        if room.entries >= source.usage.entries && room.news >= source.usage.news && room.bytes >= source.usage.bytes {
            return Some(into);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::options;
    use super::*;

    fn candidates(entries: &[u64], open: usize) -> Vec<Candidate> {
        let candidate = |(part, &entries): (usize, &u64)| Candidate {
            part,
            group: part % 2,
            usage: Usage {
                entries,
                bytes: entries * 60,
                ..Usage::default()
            },
            is_open: part == open,
        };
        entries.iter().enumerate().map(candidate).collect()
    }

    proptest! {
        #[test]
        fn merges_make_a_set_smaller(entries in prop::collection::vec(1_u64..=100, 1..12), most in 0_usize..6) {
            let options = options(100);
            let frame = Frame::default();
            let open = entries.len() - 1;
            let found = merges(candidates(&entries, open), most, &frame, &options);
            prop_assert!(found.len() <= most);
            let mut room: Vec<_> = entries.iter().map(|used| 100 - used).collect();
            let mut removed = Vec::new();
            for merge in &found {
                prop_assert!(merge.part != open && entries[merge.part] < 70 && !removed.contains(&merge.part));
                removed.push(merge.part);
                let mut left = entries[merge.part];
                for &into in &merge.into {
                    prop_assert!(into != merge.part && !removed.contains(&into) && into % 2 == merge.part % 2);
                    let taken = left.min(room[into]);
                    room[into] -= taken;
                    left -= taken;
                }
                prop_assert_eq!(left, 0);
            }
            // No URL moves twice: what receives is not merged itself.
            prop_assert!(found.iter().all(|merge| merge.into.iter().all(|into| !removed.contains(into))));
        }
    }
}
