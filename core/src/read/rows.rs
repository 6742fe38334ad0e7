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
    const ALL: [Self; 4] = [Self::Alternate, Self::Image, Self::Video, Self::News];

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
            records: Extension::ALL.map(|extension| Records::new(extension.fields())),
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
        self.bytes = 0;
        let tables = self.finish(noted, false)?;
        self.positions = [0; 4];
        Ok(Batch { tables })
    }

    /// Returns an empty batch of every table, for its schema.
    pub fn empty_tables() -> Result<Vec<(TableName, RecordBatch)>, ArrowError> {
        Self::new(0, 1).finish(&[], true)
    }

    /// Returns the tables; those without rows only if `all` are wanted.
    fn finish(&mut self, noted: &[Anomaly], all: bool) -> Result<Vec<(TableName, RecordBatch)>, ArrowError> {
        let document = self.document_id;
        let mut tables: Vec<(TableName, RecordBatch)> = Vec::new();
        for table in TableName::ALL {
            let survey = &mut self.totals.survey;
            let batch = match table {
                TableName::Urls => (all || self.urls.len() > 0).then(|| self.urls.finish(document, survey)),
                TableName::Children => (all || self.children.len() > 0).then(|| self.children.finish(document, survey)),
                TableName::Alternates => self.finish_records(Extension::Alternate, all),
                TableName::LinkSets => self.link_sets(&tables).transpose().or_else(|| all.then(no_link_sets)),
                TableName::Images => self.finish_records(Extension::Image, all),
                TableName::Videos => self.finish_records(Extension::Video, all),
                TableName::News => self.finish_records(Extension::News, all),
                TableName::Anomalies => (all || !noted.is_empty()).then(|| anomalies(document, noted)),
            };
            tables.extend(batch.transpose()?.map(|batch| (table, batch)));
        }
        Ok(tables)
    }

    /// Returns the records of finished entries; `None` without any, unless they are wanted.
    fn finish_records(&mut self, extension: Extension, even_if_empty: bool) -> Option<Result<RecordBatch, ArrowError>> {
        let index = extension as usize;
        let records = &mut self.records[index];
        let keep = records.len() - self.positions[index] as usize;
        let batch = (even_if_empty || records.len() > 0).then(|| records.finish(self.document_id))?;
        (even_if_empty || keep > 0).then(|| batch.map(|batch| batch.slice(0, keep)))
    }

    /// Surveys the links of the tables before it, and returns their sets.
    fn link_sets(&mut self, tables: &[(TableName, RecordBatch)]) -> Result<Option<RecordBatch>, ArrowError> {
        let find = |wanted: TableName| tables.iter().find(|(name, _)| *name == wanted).map(|(_, batch)| batch);
        let (urls, alternates) = (find(TableName::Urls), find(TableName::Alternates));
        let Some(alternates) = alternates.filter(|alternates| alternates.num_rows() > 0) else {
            return Ok(None);
        };
        survey_links(urls, alternates, &mut self.codes, &mut self.totals.survey);
        let Some(urls) = urls else { return Ok(None) };
        let sets = link_sets(self.document_id, urls, alternates, &mut self.codes)?;
        self.totals.survey.traits |= self.codes.traits();
        Ok(sets)
    }
}
