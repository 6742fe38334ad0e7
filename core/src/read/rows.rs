//! The rows of one document under construction, and the totals that its facts are made of.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::columns::{Children, Entry, NO_DATE, TableName, Urls, anomalies};
use super::notes::Notes;
use super::records::{ALTERNATE, IMAGE, NEWS, Records, VIDEO};
use crate::anomaly::Anomaly;
use crate::value::{DateTime, datetime};

/// Which table an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Url,
    Child,
}

/// An extension whose records stand inside entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Extension {
    Alternate,
    Image,
    Video,
    News,
}

/// Which grammar an entry's date is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateGrammar {
    #[default]
    W3c,
    Rfc822,
}

/// What has been counted so far.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub entries: i64,
    /// By `Extension`.
    pub records: [i64; 4],
    pub lastmod_missing: i64,
    pub lastmod_oldest: Option<i64>,
    pub lastmod_newest: Option<i64>,
    /// Readable lastmods by month: months since year 0, and how many.
    pub lastmod_months: std::collections::BTreeMap<i32, i64>,
}

/// All tables of the entries read since the last flush.
pub struct Batch {
    pub tables: Vec<(TableName, RecordBatch)>,
}

pub struct Rows {
    pub document_id: i32,
    pub entry: Entry,
    pub totals: Totals,
    pub date_grammar: DateGrammar,
    next_ordinal: i32,
    urls: Urls,
    children: Children,
    records: [Records; 4],
    /// Records of the entry that is open, by `Extension`.
    positions: [i32; 4],
    open: Option<EntryKind>,
    /// The month that the last lastmod fell in, and its bounds: most entries fall into the same few.
    month: (i64, i64, i32),
}

impl Rows {
    pub fn new(document_id: i32) -> Self {
        Self {
            document_id,
            entry: Entry::default(),
            totals: Totals::default(),
            date_grammar: DateGrammar::W3c,
            next_ordinal: 0,
            urls: Urls::new(),
            children: Children::new(),
            records: [Records::new(ALTERNATE), Records::new(IMAGE), Records::new(VIDEO), Records::new(NEWS)],
            positions: [0; 4],
            open: None,
            month: (0, 0, 0),
        }
    }

    pub fn open(&self) -> Option<EntryKind> {
        self.open
    }

    pub fn begin_entry(&mut self, kind: EntryKind, notes: &mut Notes) {
        debug_assert!(self.open.is_none());
        self.entry.clear();
        self.positions = [0; 4];
        self.open = Some(kind);
        notes.ordinal = Some(self.next_ordinal);
    }

    pub fn finish_entry(&mut self, notes: &mut Notes) {
        let Some(kind) = self.open.take() else { return };
        let lastmod = match self.entry.lastmod.get() {
            None => NO_DATE,
            Some(text) if self.date_grammar == DateGrammar::Rfc822 => datetime::parse_rfc822(text),
            Some(text) => datetime::parse_w3c(text),
        };
        self.count(lastmod);
        match kind {
            EntryKind::Url => self.urls.push(self.document_id, self.next_ordinal, &self.entry, lastmod),
            EntryKind::Child => self.children.push(self.document_id, self.next_ordinal, &self.entry, lastmod),
        }
        self.next_ordinal += 1;
        notes.ordinal = None;
    }

    /// Leaves out the entry that is open. Its records are cut off when the rows are taken.
    pub fn discard_entry(&mut self, notes: &mut Notes) {
        self.open = None;
        notes.ordinal = None;
    }

    fn count(&mut self, lastmod: DateTime) {
        let totals = &mut self.totals;
        totals.entries += 1;
        for (total, positions) in totals.records.iter_mut().zip(self.positions) {
            *total += i64::from(positions);
        }
        totals.lastmod_missing += i64::from(!self.entry.lastmod.is_present);
        if let Some(at) = lastmod.at {
            totals.lastmod_oldest = Some(totals.lastmod_oldest.map_or(at, |oldest| oldest.min(at)));
            totals.lastmod_newest = Some(totals.lastmod_newest.map_or(at, |newest| newest.max(at)));
            if at < self.month.0 || at >= self.month.1 {
                self.month = month_of(at);
            }
            *totals.lastmod_months.entry(self.month.2).or_insert(0) += 1;
        }
        // Committed: what follows belongs to the next entry.
        self.positions = [0; 4];
    }

    pub fn records(&mut self, extension: Extension) -> &mut Records {
        &mut self.records[extension as usize]
    }

    /// Appends the record that was read as a row of its table.
    pub fn finish_record(&mut self, extension: Extension) {
        let index = extension as usize;
        self.records[index].push(self.document_id, self.next_ordinal, self.positions[index]);
        self.positions[index] += 1;
    }

    /// Rows waiting, over all tables. Only to be taken between entries.
    pub fn waiting(&self) -> usize {
        self.urls.len() + self.children.len() + self.records.iter().map(Records::len).sum::<usize>()
    }

    /// Takes what was read. Records of an entry that was never finished are cut off.
    pub fn take(&mut self, noted: &[Anomaly]) -> Result<Batch, ArrowError> {
        let mut tables = Vec::new();
        if self.urls.len() > 0 {
            tables.push((TableName::Urls, self.urls.finish()?));
        }
        if self.children.len() > 0 {
            tables.push((TableName::Children, self.children.finish()?));
        }
        let names = [TableName::Alternates, TableName::Images, TableName::Videos, TableName::News];
        for ((records, name), unfinished) in self.records.iter_mut().zip(names).zip(self.positions) {
            let keep = records.len() - unfinished as usize;
            if records.len() > 0 {
                let batch = records.finish()?;
                if keep > 0 {
                    tables.push((name, batch.slice(0, keep)));
                }
            }
        }
        self.positions = [0; 4];
        if !noted.is_empty() {
            tables.push((TableName::Anomalies, anomalies(self.document_id, noted)?));
        }
        Ok(Batch { tables })
    }

    /// An empty batch of every table: their schemas.
    pub fn empty_tables() -> Result<Vec<(TableName, RecordBatch)>, ArrowError> {
        let mut rows = Self::new(0);
        let mut tables =
            vec![(TableName::Urls, rows.urls.finish()?), (TableName::Children, rows.children.finish()?)];
        let names = [TableName::Alternates, TableName::Images, TableName::Videos, TableName::News];
        for (records, name) in rows.records.iter_mut().zip(names) {
            tables.push((name, records.finish()?));
        }
        tables.push((TableName::Anomalies, anomalies(0, &[])?));
        Ok(tables)
    }
}

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// The month that an instant falls in: its first microsecond, the first one after it, and months since year 0.
fn month_of(at: i64) -> (i64, i64, i32) {
    let (year, month) = civil(at.div_euclid(MICROS_PER_DAY));
    let months = year * 12 + month - 1;
    let (next_year, next_month) = ((months + 1).div_euclid(12), (months + 1).rem_euclid(12) + 1);
    (days(year, month) * MICROS_PER_DAY, days(next_year, next_month) * MICROS_PER_DAY, months)
}

/// Year and month of a day counted from 1970, in the proleptic Gregorian calendar.
fn civil(day: i64) -> (i32, i32) {
    let mut year = 1970 + (day.div_euclid(366)) as i32 - 1;
    while days(year + 1, 1) <= day {
        year += 1;
    }
    let month = (1..=12).rev().find(|&month| days(year, month) <= day).unwrap_or(1);
    (year, month)
}

/// The first day of a month, counted from 1970.
fn days(year: i32, month: i32) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let past = i64::from(year) - 1;
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    past * 365 + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400) + BEFORE[(month - 1) as usize]
        + i64::from(leap && month > 2)
        - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_hold_their_days() {
        for (at, months) in [(0, 1970 * 12), (-1, 1969 * 12 + 11), (951_782_400_000_000, 2000 * 12 + 1)] {
            let (from, to, found) = month_of(at);
            assert!(from <= at && at < to && found == months, "{at}: {from} {to} {found}");
        }
        let mut at = month_of(-62_135_596_800_000_000).0;
        for months in 12..12 * 2100 {
            let (from, to, found) = month_of(at);
            assert_eq!((from, found), (at, months));
            at = to;
        }
    }
}
