//! Matches entries with the ledger, share by share: which stay in their part, which need one, and which are repeated.

use std::io;

use super::record::Record;
use super::usage::Usage;
use super::{NOWHERE, Stable, repeated};
use crate::value::url::xml_unescaped_once;
use crate::write::newest::loc;
use crate::write::rows::{Omission, omission};

impl Stable {
    /// Matches one share with its lines of the ledger, which are sorted, and returns the repeated URLs.
    pub fn match_share(&mut self, share: usize, known: &[(u128, u32)]) -> io::Result<Vec<Omission>> {
        let bytes = self.entries.take(share)?;
        let mut records = Record::all(&bytes);
        records.sort_unstable_by_key(|record| (record.key, record.number));
        let mut omissions = Vec::new();
        let mut known = known.iter().copied().peekable();
        let mut last = None;
        let mut part = NOWHERE;
        for record in &records {
            if last == Some(record.key) {
                if self.options.unique {
                    let escaped = loc(record.entry);
                    let url = xml_unescaped_once(&escaped).unwrap_or(escaped);
                    let refusal = repeated(&url);
                    omissions.push(omission(omissions.len(), (record.number, url), refusal, true));
                    continue;
                }
            } else {
                while known.next_if(|(key, _)| *key < record.key).is_some() {
                    self.changes.removed += 1;
                }
                part = known
                    .next_if(|(key, _)| *key == record.key)
                    .map_or(NOWHERE, |(_, part)| part);
                last = Some(record.key);
            }
            self.take(record, part)?;
        }
        self.changes.removed += known.count() as u64;
        omissions.sort_by_key(|one| one.number);
        Ok(omissions)
    }

    /// Keeps an entry in its part; one without a part, or of another group than its part, is placed later.
    fn take(&mut self, record: &Record, part: u32) -> io::Result<()> {
        let Some(known) = self.parts.get_mut(part as usize) else {
            self.changes.added += 1;
            return self.place_later(record);
        };
        if known.name.group != record.group as usize {
            self.changes.regrouped += 1;
            return self.place_later(record);
        }
        known.usage = known.usage.with(Usage::of(&record.written, record.entry.len()));
        self.changes.kept += 1;
        let record = Record {
            part,
            is_kept: true,
            ..*record
        };
        let at = part as usize % self.placed.count();
        self.placed.push(at, |out| record.push(out))
    }

    /// Has an entry placed after all others are known, in the order of the input.
    pub fn place_later(&mut self, record: &Record) -> io::Result<()> {
        let count = self.fresh.count();
        let at = u128::from(record.number) * count as u128 / (u128::from(self.highest) + 1);
        let record = Record {
            is_kept: false,
            ..*record
        };
        self.fresh.push((at as usize).min(count - 1), |out| record.push(out))
    }
}
