//! Writes the parts, each sorted by URL, so that the order of the input does not change them.

use std::collections::HashMap;
use std::io;

use super::arrange::Fate;
use super::ledger::push_line;
use super::record::Record;
use super::{Stable, share_of};
use crate::write::newest::Newest;
use crate::write::part::Part;
use crate::write::rows::Tally;
use crate::write::save::Saver;

impl Stable {
    /// Writes every part that has entries, and collects the next ledger.
    pub fn save(&mut self, saver: &mut Saver, newest: &mut Newest) -> io::Result<()> {
        for share in 0..self.placed.count() {
            let bytes = self.placed.take(share)?;
            let mut by_part: HashMap<u32, Vec<Record>> = HashMap::new();
            for record in Record::all(&bytes) {
                by_part.entry(record.part).or_default().push(record);
            }
            let mut parts: Vec<_> = by_part.into_iter().collect();
            parts.sort_unstable_by_key(|(part, _)| *part);
            for (part, records) in parts {
                let records = self.remaining(part as usize, records);
                if !records.is_empty() {
                    self.save_part(part, &records, saver, newest)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the entries of a part without those that moved elsewhere, sorted by URL.
    fn remaining<'a>(&self, part: usize, records: Vec<Record<'a>>) -> Vec<Record<'a>> {
        let (mut kept, placed): (Vec<_>, Vec<_>) = records.into_iter().partition(|record| record.is_kept);
        match self.parts[part].fate {
            Fate::Stays => {}
            Fate::Overflows => {
                let stays = self.admitted(&mut kept);
                kept.truncate(stays);
            }
            Fate::Merges => kept.clear(),
        }
        kept.extend(placed);
        // Every entry starts with its URL, followed by a character that no URL contains.
        kept.sort_unstable_by(|one, other| (one.entry, one.number).cmp(&(other.entry, other.number)));
        kept
    }

    fn save_part(&mut self, part: u32, records: &[Record], saver: &mut Saver, newest: &mut Newest) -> io::Result<()> {
        let length = records.iter().map(|record| record.entry.len()).sum();
        let mut bytes = Vec::with_capacity(length);
        let mut tally = Tally::default();
        for record in records {
            bytes.extend_from_slice(record.entry);
            tally.add(&record.written);
            newest.offer(record.written.lastmod, record.number, record.entry);
            self.ledger
                .push(share_of(record.key), |out| push_line(out, record.key, part))?;
        }
        saver.save(part as usize, Part::of(bytes, tally))
    }
}
