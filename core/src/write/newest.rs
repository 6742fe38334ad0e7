//! The entries with the newest lastmod, for a feed of recent changes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Remembers the requested number of entries; of those with the same instant, the first ones.
pub struct Newest {
    most: usize,
    /// The oldest on top: lastmod, number of the entry, and its URL as written in XML.
    kept: BinaryHeap<Reverse<(i64, Reverse<u64>, String)>>,
}

impl Newest {
    pub fn new(most: usize) -> Self {
        Self {
            most,
            kept: BinaryHeap::new(),
        }
    }

    /// Considers a written entry: its lastmod in microseconds since 1970, its number, and its bytes.
    pub fn offer(&mut self, lastmod: Option<i64>, number: u64, entry: &[u8]) {
        let Some(at) = lastmod.filter(|_| self.most > 0) else {
            return;
        };
        if self.kept.len() >= self.most {
            let is_older = |Reverse((oldest, last, _)): &Reverse<(i64, Reverse<u64>, String)>| {
                (at, Reverse(number)) <= (*oldest, *last)
            };
            if self.kept.peek().is_some_and(is_older) {
                return;
            }
            self.kept.pop();
        }
        self.kept.push(Reverse((at, Reverse(number), loc(entry))));
    }

    /// Returns the URL and lastmod of each, the newest first. URLs are escaped as in XML.
    pub fn sorted(&self) -> Vec<(String, i64)> {
        let mut found: Vec<_> = self.kept.iter().map(|Reverse(one)| one).collect();
        found.sort_by(|one, other| other.cmp(one));
        found.into_iter().map(|(at, _, loc)| (loc.clone(), *at)).collect()
    }
}

/// Returns the content of the first loc, which every entry starts with.
pub fn loc(entry: &[u8]) -> String {
    let text = String::from_utf8_lossy(entry);
    let after = text.split_once("<loc>").map_or("", |(_, after)| after);
    after.split_once("</loc>").map_or("", |(loc, _)| loc).to_owned()
}
