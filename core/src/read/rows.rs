//! The rows of one document under construction, and the totals for its facts.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::columns::{Children, Entry, EntryRow, TableName, Urls, anomalies};
use super::link_sets::{Codes, link_sets, no_link_sets, survey_links};
use super::months::Months;
use super::notes::Notes;
use super::record_fields::{ALTERNATE, FieldSpec, IMAGE, NEWS, VIDEO};
use super::records::Records;
use super::survey::Survey;
use super::value_columns::NO_DATE;
use super::window::Place;
use crate::anomaly::Anomaly;
use crate::value::{DateTime, datetime};

/// Bytes of text in all tables after which a batch is returned, however few rows it has.
const BATCH_BYTES: usize = 32 * 1024 * 1024;

/// The table of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Url,
    Child,
}

/// An extension whose records are inside entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Extension {
    Alternate,
    Image,
    Video,
    News,
}

impl Extension {
    /// The fields of its records.
    pub const fn fields(self) -> &'static [FieldSpec] {
        match self {
            Extension::Alternate => ALTERNATE,
            Extension::Image => IMAGE,
            Extension::Video => VIDEO,
            Extension::News => NEWS,
        }
    }
}

/// The grammar of an entry's date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateGrammar {
    #[default]
    W3c,
    Rfc822,
}

/// The counts so far.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub entries: i64,
    /// By `Extension`.
    pub records: [i64; 4],
    pub lastmod_missing: i64,
    pub lastmod_oldest: Option<i64>,
    pub lastmod_newest: Option<i64>,
    pub lastmod_months: Months,
    pub survey: Survey,
}

/// All tables of the entries read since the last flush.
pub struct Batch {
    pub tables: Vec<(TableName, RecordBatch)>,
}

pub struct Rows {
    pub document_id: i32,
    /// Rows per batch.
    batch_rows: usize,
    pub entry: Entry,
    pub totals: Totals,
    pub date_grammar: DateGrammar,
    next_ordinal: i32,
    /// Bytes of text not yet returned.
    bytes: usize,
    urls: Urls,
    children: Children,
    records: [Records; 4],
    /// Number of records in the open entry, by `Extension`.
    positions: [i32; 4],
    open: Option<EntryKind>,
    codes: Codes,
}

impl Rows {
    pub fn new(document_id: i32, batch_rows: usize) -> Self {
        Self {
            document_id,
            batch_rows,
            entry: Entry::default(),
            totals: Totals::default(),
            date_grammar: DateGrammar::W3c,
            next_ordinal: 0,
            bytes: 0,
            urls: Urls::new(),
            children: Children::new(),
            records: [
                Records::new(ALTERNATE),
                Records::new(IMAGE),
                Records::new(VIDEO),
                Records::new(NEWS),
            ],
            positions: [0; 4],
            open: None,
            codes: Codes::default(),
        }
    }

    pub fn open(&self) -> Option<EntryKind> {
        self.open
    }

    /// The number of the open entry, or of the next one.
    pub fn ordinal(&self) -> i32 {
        self.next_ordinal
    }

    pub fn begin_entry(&mut self, kind: EntryKind, notes: &mut Notes) {
        debug_assert!(self.open.is_none());
        self.entry.clear();
        self.positions = [0; 4];
        self.open = Some(kind);
        notes.ordinal = Some(self.next_ordinal);
    }

    /// Appends an entry that was read as a whole; its records were appended before it.
    #[inline]
    pub fn push_url(&mut self, row: &EntryRow) {
        let lastmod = row.lastmod.map_or(NO_DATE, |value| datetime::parse_w3c(value.text));
        self.count(row.lastmod.is_some(), lastmod);
        self.bytes += row.bytes();
        self.urls.push(self.next_ordinal, row, lastmod, &mut self.totals.survey);
        self.next_ordinal += 1;
    }

    /// Appends a record with these values in its first fields.
    #[inline]
    pub fn push_record(&mut self, extension: Extension, place: Place, values: &[Option<&str>]) {
        let index = extension as usize;
        self.bytes += values.iter().flatten().map(|text| text.len()).sum::<usize>();
        self.records[index].push_row(self.next_ordinal, self.positions[index], place, values);
        self.positions[index] += 1;
    }

    pub fn finish_entry(&mut self, notes: &mut Notes) {
        let Some(kind) = self.open.take() else { return };
        let lastmod = match self.entry.lastmod.get() {
            None => NO_DATE,
            Some(text) if self.date_grammar == DateGrammar::Rfc822 => datetime::parse_rfc822(text),
            Some(text) => datetime::parse_w3c(text),
        };
        self.count(self.entry.lastmod.is_present, lastmod);
        self.bytes += self.entry.row().bytes();
        let survey = &mut self.totals.survey;
        match kind {
            EntryKind::Url => self.urls.push(self.next_ordinal, &self.entry.row(), lastmod, survey),
            EntryKind::Child => self
                .children
                .push(self.next_ordinal, &self.entry.row(), lastmod, survey),
        }
        self.next_ordinal += 1;
        notes.ordinal = None;
    }

    /// Whether an entry with a URL is open.
    pub fn has_url(&self) -> bool {
        self.open.is_some() && !self.entry.loc.text.is_empty()
    }

    /// Whether nothing of the open entry has been read yet.
    pub fn is_untouched(&self) -> bool {
        self.entry.is_empty() && self.positions == [0; 4]
    }

    /// Drops the open entry. Its records are removed when the rows are taken.
    pub fn discard_entry(&mut self, notes: &mut Notes) {
        self.open = None;
        notes.ordinal = None;
    }

    fn count(&mut self, has_lastmod: bool, lastmod: DateTime) {
        let totals = &mut self.totals;
        totals.entries += 1;
        for (total, positions) in totals.records.iter_mut().zip(self.positions) {
            *total += i64::from(positions);
        }
        totals.lastmod_missing += i64::from(!has_lastmod);
        if let Some(at) = lastmod.at {
            totals.lastmod_oldest = Some(totals.lastmod_oldest.map_or(at, |oldest| oldest.min(at)));
            totals.lastmod_newest = Some(totals.lastmod_newest.map_or(at, |newest| newest.max(at)));
            totals.lastmod_months.count(at);
        }
        // Committed: what follows belongs to the next entry.
        self.positions = [0; 4];
    }

    pub fn records(&mut self, extension: Extension) -> &mut Records {
        &mut self.records[extension as usize]
    }

    /// Appends the record just read as a row of its table.
    pub fn finish_record(&mut self, extension: Extension) {
        let index = extension as usize;
        self.bytes += self.records[index].record.bytes();
        self.records[index].push(self.next_ordinal, self.positions[index]);
        self.positions[index] += 1;
    }

    /// Whether the pending rows, with this number of anomalies, are enough for a batch. Call it only between entries.
    #[inline]
    pub fn is_ripe(&self, anomalies: usize) -> bool {
        let records: usize = self.records.iter().map(Records::len).sum();
        self.urls.len() + self.children.len() + records + anomalies >= self.batch_rows || self.bytes >= BATCH_BYTES
    }

    /// Takes the rows read so far. Removes records of an entry that was never finished.
    pub fn take(&mut self, noted: &[Anomaly]) -> Result<Batch, ArrowError> {
        let mut tables = Vec::new();
        self.bytes = 0;
        if self.urls.len() > 0 {
            tables.push((
                TableName::Urls,
                self.urls.finish(self.document_id, &mut self.totals.survey)?,
            ));
        }
        if self.children.len() > 0 {
            tables.push((
                TableName::Children,
                self.children.finish(self.document_id, &mut self.totals.survey)?,
            ));
        }
        let names = [
            TableName::Alternates,
            TableName::Images,
            TableName::Videos,
            TableName::News,
        ];
        for ((records, name), unfinished) in self.records.iter_mut().zip(names).zip(self.positions) {
            let keep = records.len() - unfinished as usize;
            if records.len() > 0 {
                let batch = records.finish(self.document_id)?;
                if keep > 0 {
                    tables.push((name, batch.slice(0, keep)));
                }
            }
        }
        self.positions = [0; 4];
        let find = |wanted: TableName| tables.iter().find(|(name, _)| *name == wanted).map(|(_, batch)| batch);
        let mut sets = None;
        if let Some(alternates) = find(TableName::Alternates) {
            let urls = find(TableName::Urls);
            survey_links(urls, alternates, &mut self.codes, &mut self.totals.survey);
            if let Some(urls) = urls {
                sets = link_sets(self.document_id, urls, alternates, &mut self.codes)?;
                self.totals.survey.traits |= self.codes.traits();
            }
        }
        tables.extend(sets.map(|sets| (TableName::LinkSets, sets)));
        if !noted.is_empty() {
            tables.push((TableName::Anomalies, anomalies(self.document_id, noted)?));
        }
        Ok(Batch { tables })
    }

    /// Returns an empty batch of every table, for its schema.
    pub fn empty_tables() -> Result<Vec<(TableName, RecordBatch)>, ArrowError> {
        let mut rows = Self::new(0, 1);
        let mut tables = vec![
            (TableName::Urls, rows.urls.finish(0, &mut rows.totals.survey)?),
            (TableName::Children, rows.children.finish(0, &mut rows.totals.survey)?),
        ];
        let names = [
            TableName::Alternates,
            TableName::Images,
            TableName::Videos,
            TableName::News,
        ];
        for (records, name) in rows.records.iter_mut().zip(names) {
            tables.push((name, records.finish(0)?));
        }
        tables.insert(3, (TableName::LinkSets, no_link_sets()?));
        tables.push((TableName::Anomalies, anomalies(0, &[])?));
        Ok(tables)
    }
}
