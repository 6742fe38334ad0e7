//! A set whose URLs stay in their parts from build to build, however large it is.
//!
//! Entries are written to temporary files, divided by the hash of their URL. `matching` compares each of these with the
//! ledger, which has the part of each published URL; `arrange` decides which parts are merged (`merging`) and where
//! moved and new entries go; `save` writes the parts, sorted by URL, and collects the next ledger. Each step holds a
//! small share of the set in memory.

mod arrange;
mod buckets;
mod ledger;
mod matching;
mod merging;
mod record;
mod save;
#[cfg(test)]
mod tests;
mod usage;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Options;
pub use super::key::key_of;
use super::part::{Fit, Frame, Part};
use super::refusal::{Reason, Refusal};
use super::rows::{Encoded, Rows, omission};
use super::urls::Urls;
use arrange::PartState;
use buckets::Buckets;
pub use ledger::Ledger;
pub use merging::Merge;
use record::Record;

/// Number of shares of a set, by the first byte of the hash.
pub const SHARES: usize = 256;
/// Bytes of entries that one share of the parts should have: it is held in memory while its parts are written.
const SHARE: u64 = 32 << 20;
/// Marks an entry that has no part yet.
const NOWHERE: u32 = u32::MAX;

/// Returns the key of a published URL, which may be written differently than this writer does.
pub fn published_key(urls: &mut Urls, url: &str) -> Option<u128> {
    urls.good(url, "loc").ok().map(|good| key_of(&good.text))
}

/// A part by what identifies it across builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartName {
    pub group: usize,
    pub number: u64,
}

/// What a build changes, in URLs, and the parts that it merges.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// URLs that stay in their part.
    pub kept: u64,
    pub added: u64,
    pub removed: u64,
    /// URLs of another group than before.
    pub regrouped: u64,
    /// URLs that their part has no more room for.
    pub outgrown: u64,
    /// URLs of merged parts.
    pub merged: u64,
    pub merges: Vec<Merge>,
}

/// The entries of a set, until its parts are written.
pub struct Stable {
    folder: PathBuf,
    options: Arc<Options>,
    frame: Frame,
    /// Entries as they came, by hash.
    entries: Buckets,
    /// URLs of published parts by hash, if there is no ledger.
    published: Buckets,
    /// Entries that stay in their part, or were placed in one, by part.
    placed: Buckets,
    /// Entries without a part, in the order of the input.
    fresh: Buckets,
    /// The next ledger.
    ledger: Buckets,
    parts: Vec<PartState>,
    /// The highest number of an entry.
    highest: u64,
    changes: Changes,
}

impl Stable {
    pub fn new(folder: PathBuf, options: Arc<Options>) -> Self {
        let buckets = |name, count| Buckets::new(&folder, name, count);
        Self {
            entries: buckets("entries", SHARES),
            published: buckets("published", SHARES),
            placed: buckets("placed", 1),
            fresh: buckets("fresh", 1),
            ledger: buckets("ledger", SHARES),
            frame: Frame::default(),
            parts: Vec::new(),
            highest: 0,
            changes: Changes::default(),
            folder,
            options,
        }
    }

    /// Keeps encoded rows, and returns how many were taken. Repeated URLs are found later.
    pub fn put(&mut self, group: usize, rows: &dyn Rows, encoded: &mut Encoded, bytes: &[u8]) -> io::Result<u64> {
        let (mut taken, mut begin) = (0, 0);
        let empty = Part::default();
        let encoded_rows = std::mem::take(&mut encoded.rows);
        for row in &encoded_rows {
            let entry = &bytes[std::mem::replace(&mut begin, row.end)..row.end];
            if let Fit::TooLarge(size) = empty.fit(&row.written, entry.len(), &self.frame, &self.options) {
                let given = rows.given(row.place);
                let refusal = Refusal::too_large(&given.1, size, self.options.max_bytes);
                encoded.omissions.push(omission(row.place, given, refusal, true));
                continue;
            }
            let number = rows.number(row.place);
            self.highest = self.highest.max(number);
            let record = Record {
                key: row.written.key,
                number,
                group: group as u32,
                part: NOWHERE,
                is_kept: false,
                written: row.written,
                entry,
            };
            self.entries.push(share_of(record.key), |out| record.push(out))?;
            taken += 1;
        }
        encoded.rows = encoded_rows;
        Ok(taken)
    }

    /// Remembers that a URL is published in the known part at an index.
    pub fn add_published(&mut self, key: u128, part: u32) -> io::Result<()> {
        self.published
            .push(share_of(key), |out| ledger::push_line(out, key, part))
    }

    /// Returns the published URLs of a share that `add_published` got, sorted.
    pub fn published(&mut self, share: usize) -> io::Result<Vec<(u128, u32)>> {
        let mut lines = ledger::lines(&self.published.take(share)?);
        lines.sort_unstable();
        lines.dedup_by_key(|(key, _)| *key);
        Ok(lines)
    }

    /// Sets the known parts, before the first share is matched.
    pub fn know_parts(&mut self, names: Vec<PartName>) {
        self.parts = names.into_iter().map(PartState::known).collect();
        let shares = (self.entries.bytes() / SHARE + 1).min(SHARES as u64) as usize;
        self.placed = Buckets::new(&self.folder, "placed", shares);
        self.fresh = Buckets::new(&self.folder, "fresh", shares);
    }

    /// Returns the name of each part, also of those that no longer have URLs.
    pub fn names(&self) -> Vec<PartName> {
        self.parts.iter().map(|part| part.name.clone()).collect()
    }

    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Returns the next ledger, after the parts are written.
    pub fn take_ledger(&mut self) -> Ledger {
        Ledger::new(std::mem::replace(
            &mut self.ledger,
            Buckets::new(&self.folder, "ledger", SHARES),
        ))
    }
}

/// Returns the share of a URL. The shares are in the order of the hashes.
pub fn share_of(key: u128) -> usize {
    (key >> 120) as usize
}

/// Returns the refusal of a URL that the input has twice.
#[cold]
fn repeated(url: &str) -> Refusal {
    Refusal::new(Reason::Duplicate, "loc", "", url)
}
