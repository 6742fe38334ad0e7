//! Decides where entries go that cannot stay: those of merged parts, those that no longer fit, and new ones.

use std::collections::HashMap;
use std::io;

use super::merging::{Candidate, merges};
use super::record::Record;
use super::usage::Usage;
use super::{PartName, Stable};

/// A part while its entries are arranged.
pub struct PartState {
    pub name: PartName,
    pub usage: Usage,
    pub fate: Fate,
}

/// What happens to the entries that were in a part before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They stay.
    Stays,
    /// They exceed a limit: the first ones stay.
    Overflows,
    /// They move to other parts.
    Merges,
}

impl PartState {
    pub fn known(name: PartName) -> Self {
        Self {
            name,
            usage: Usage::default(),
            fate: Fate::Stays,
        }
    }
}

/// The part of each group that new entries go to.
#[derive(Default)]
struct Open(HashMap<usize, usize>);

impl Stable {
    /// Places every entry, after all shares are matched.
    ///
    /// At most `most_merges` parts are merged into others.
    pub fn arrange(&mut self, most_merges: usize) -> io::Result<()> {
        self.move_outgrown()?;
        let mut open = self.open_parts();
        self.merge(most_merges, &mut open)?;
        for share in 0..self.fresh.count() {
            let bytes = self.fresh.take(share)?;
            let mut records = Record::all(&bytes);
            records.sort_unstable_by_key(|record| record.number);
            for record in &records {
                self.place(record, &[], &mut open)?;
            }
        }
        Ok(())
    }

    /// Returns the part with the highest number of each group that still has URLs.
    fn open_parts(&self) -> Open {
        let mut open = Open::default();
        for (at, part) in self.parts.iter().enumerate() {
            let last = open.0.entry(part.name.group).or_insert(at);
            let is_later = part.name.number > self.parts[*last].name.number || self.parts[*last].usage.entries == 0;
            if part.usage.entries > 0 && is_later {
                *last = at;
            }
        }
        open.0.retain(|_, at| self.parts[*at].usage.entries > 0);
        open
    }

    /// Has those entries placed elsewhere that their part no longer has room for.
    fn move_outgrown(&mut self) -> io::Result<()> {
        for part in 0..self.parts.len() {
            if self.parts[part].usage.is_within(&self.frame, &self.options) {
                continue;
            }
            let bytes = self.placed.read(part % self.placed.count())?;
            let mut records = Record::all(&bytes);
            records.retain(|record| record.part as usize == part);
            let stays = self.admitted(&mut records);
            for record in &records[stays..] {
                self.changes.outgrown += 1;
                self.changes.kept -= 1;
                self.place_later(record)?;
            }
            let usage = |record: &Record| Usage::of(&record.written, record.entry.len());
            self.parts[part].usage = records[..stays].iter().map(usage).fold(Usage::default(), Usage::with);
            self.parts[part].fate = Fate::Overflows;
        }
        Ok(())
    }

    /// Sorts the entries of a part that are too many, and returns how many of them stay.
    pub fn admitted(&self, records: &mut [Record]) -> usize {
        records.sort_unstable_by_key(|record| record.number);
        let mut usage = Usage::default();
        let mut fits = |record: &Record| {
            usage = usage.with(Usage::of(&record.written, record.entry.len()));
            usage.is_within(&self.frame, &self.options)
        };
        records.iter().position(|record| !fits(record)).unwrap_or(records.len())
    }

    fn merge(&mut self, most: usize, open: &mut Open) -> io::Result<()> {
        let candidate = |(at, part): (usize, &PartState)| Candidate {
            part: at,
            group: part.name.group,
            usage: part.usage,
            is_open: open.0.get(&part.name.group) == Some(&at),
        };
        let is_candidate = |(_, part): &(usize, &PartState)| part.usage.entries > 0 && part.fate == Fate::Stays;
        let candidates = self.parts.iter().enumerate().filter(is_candidate).map(candidate);
        let found = merges(candidates.collect(), most, &self.frame, &self.options);
        for merge in &found {
            let bytes = self.placed.read(merge.part % self.placed.count())?;
            let mut records = Record::all(&bytes);
            records.retain(|record| record.part as usize == merge.part && record.is_kept);
            records.sort_unstable_by_key(|record| record.number);
            self.parts[merge.part].fate = Fate::Merges;
            self.parts[merge.part].usage = Usage::default();
            for record in &records {
                self.changes.merged += 1;
                self.changes.kept -= 1;
                self.place(record, &merge.into, open)?;
            }
        }
        self.changes.merges = found;
        Ok(())
    }

    /// Places an entry in the first of these parts that has room, otherwise in the open part, or in a new one.
    fn place(&mut self, record: &Record, into: &[usize], open: &mut Open) -> io::Result<()> {
        let more = Usage::of(&record.written, record.entry.len());
        let group = record.group as usize;
        let has_room = |at: &&usize| {
            let usage = self.parts[**at].usage.with(more);
            usage.is_within(&self.frame, &self.options)
        };
        let part = match into.iter().chain(open.0.get(&group)).find(has_room) {
            Some(&part) => part,
            None => self.begin(group, open),
        };
        self.parts[part].usage = self.parts[part].usage.with(more);
        let record = Record {
            part: part as u32,
            is_kept: false,
            ..*record
        };
        let at = part % self.placed.count();
        self.placed.push(at, |out| record.push(out))
    }

    /// Begins a part with the next number of its group.
    fn begin(&mut self, group: usize, open: &mut Open) -> usize {
        let number = open.0.get(&group).map_or(1, |&at| self.parts[at].name.number + 1);
        let name = PartName { group, number };
        let known = self.parts.iter().position(|part| part.name == name);
        let at = known.unwrap_or_else(|| {
            self.parts.push(PartState::known(name));
            self.parts.len() - 1
        });
        open.0.insert(group, at);
        at
    }
}
