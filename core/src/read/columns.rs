//! The columns of entries: the tables urls and children, with one row for each URL of a site.
//!
//! `src/urlset/tables.py` is the contract for names, types and units; a test checks these schemas against it.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;

use super::column::{Float64Column, Int64Column, ListColumn, TextColumn, full, repeated};
use super::survey::Survey;
use super::value_columns::{Columns, DateColumns, LocColumns, PlaceColumns, Value};
use super::window::Place;
use crate::anomaly::Anomaly;
use crate::value::changefreq::{is_changefreq, is_often};
use crate::value::{DateTime, Trait, Traits, decimal};

/// The tables that the reader builds, in the order of `tables.py`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableName {
    Urls,
    Children,
    Alternates,
    LinkSets,
    Images,
    Videos,
    News,
    Anomalies,
}

impl TableName {
    pub const ALL: [TableName; 8] = [
        TableName::Urls,
        TableName::Children,
        TableName::Alternates,
        TableName::LinkSets,
        TableName::Images,
        TableName::Videos,
        TableName::News,
        TableName::Anomalies,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            TableName::Urls => "urls",
            TableName::Children => "children",
            TableName::Alternates => "alternates",
            TableName::LinkSets => "link_sets",
            TableName::Images => "images",
            TableName::Videos => "videos",
            TableName::News => "news",
            TableName::Anomalies => "anomalies",
        }
    }
}

/// A value as read, and its position. Reused from entry to entry.
#[derive(Default)]
pub struct Slot {
    pub is_present: bool,
    pub text: String,
    pub place: Option<Place>,
}

impl Slot {
    pub fn clear(&mut self) {
        self.is_present = false;
        self.text.clear();
        self.place = None;
    }

    pub fn get(&self) -> Option<&str> {
        self.is_present.then_some(self.text.as_str())
    }

    fn value(&self) -> Option<Value<'_>> {
        self.is_present.then_some(Value {
            text: &self.text,
            place: self.place,
        })
    }
}

/// One entry as read; reused from entry to entry.
#[derive(Default)]
pub struct Entry {
    pub place: Option<Place>,
    pub loc: Slot,
    pub lastmod: Slot,
    /// The element of a feed that lastmod was read from.
    pub lastmod_from: Option<&'static str>,
    pub changefreq: Slot,
    pub priority: Slot,
    pub repeats: Vec<String>,
}

impl Entry {
    pub fn clear(&mut self) {
        self.place = None;
        self.loc.clear();
        self.lastmod.clear();
        self.lastmod_from = None;
        self.changefreq.clear();
        self.priority.clear();
        self.repeats.clear();
    }

    /// Whether the entry has no fields.
    pub fn is_empty(&self) -> bool {
        let fields = [&self.loc, &self.lastmod, &self.changefreq, &self.priority];
        self.repeats.is_empty() && fields.iter().all(|field| !field.is_present)
    }

    pub fn row(&self) -> EntryRow<'_> {
        EntryRow {
            place: self.place,
            loc: self.loc.value(),
            lastmod: self.lastmod.value(),
            lastmod_from: self.lastmod_from,
            changefreq: self.changefreq.value(),
            priority: self.priority.value(),
            repeats: &self.repeats,
        }
    }
}

/// One entry, ready to become a row.
#[derive(Clone, Copy, Default)]
pub struct EntryRow<'a> {
    pub place: Option<Place>,
    pub loc: Option<Value<'a>>,
    pub lastmod: Option<Value<'a>>,
    pub lastmod_from: Option<&'static str>,
    pub changefreq: Option<Value<'a>>,
    pub priority: Option<Value<'a>>,
    pub repeats: &'a [String],
}

impl EntryRow<'_> {
    /// Bytes of its text in the columns; a URL counts again for its parts.
    #[inline]
    pub fn bytes(&self) -> usize {
        let length = |value: Option<Value>| value.map_or(0, |value| value.text.len());
        2 * length(self.loc)
            + length(self.lastmod)
            + length(self.changefreq)
            + length(self.priority)
            + self.repeats.iter().map(String::len).sum::<usize>()
    }
}

/// The columns that urls and children share.
struct EntryColumns {
    ordinal: Vec<i32>,
    place: PlaceColumns,
    byte_offset: Int64Column,
    loc: LocColumns,
    lastmod: DateColumns,
    lastmod_place: PlaceColumns,
    repeats: ListColumn,
    traits: Vec<i32>,
}

impl EntryColumns {
    fn new() -> Self {
        Self {
            ordinal: Vec::new(),
            place: PlaceColumns::default(),
            byte_offset: Int64Column::default(),
            loc: LocColumns::default(),
            lastmod: DateColumns::new("lastmod"),
            lastmod_place: PlaceColumns::default(),
            repeats: ListColumn::default(),
            traits: Vec::new(),
        }
    }

    /// Appends a row. Returns its number and the traits of the entry, which `finish_row` needs.
    #[inline]
    fn push(&mut self, ordinal: i32, entry: &EntryRow, lastmod: DateTime, survey: &mut Survey) -> (usize, Traits) {
        let row = self.ordinal.len();
        self.ordinal.push(ordinal);
        self.place.put(row, entry.place);
        self.byte_offset
            .put_option(row, entry.place.map(|place| place.byte_offset));
        let mut traits = self.loc.put_and_look(row, entry.loc, survey);
        if let Some(value) = entry.lastmod {
            self.lastmod.put(row, value.text, lastmod);
            self.lastmod_place.put(row, value.place);
            survey.lastmod(lastmod);
            if lastmod.problem.is_some() {
                traits.add(Trait::LastmodProblem);
            }
            if value.is_long() {
                traits.add(Trait::LongField);
            }
        }
        self.repeats
            .put(row, entry.repeats.iter().map(|text| Some(text.as_str())));
        (row, traits)
    }

    #[inline]
    fn finish_row(&mut self, traits: Traits, survey: &mut Survey) {
        self.traits.push(traits.bits());
        survey.traits |= traits;
    }

    fn len(&self) -> usize {
        self.ordinal.len()
    }

    fn finish(&mut self, document_id: i32, survey: &mut Survey) -> (usize, Columns) {
        let rows = self.ordinal.len();
        survey.hashes(self.loc.hash.values());
        let mut columns = Columns::default();
        columns.push("document_id", repeated(document_id, rows));
        columns.push("ordinal", full(&mut self.ordinal));
        columns.push("line", self.place.line.finish(rows));
        columns.push("col", self.place.col.finish(rows));
        columns.push("byte_offset", self.byte_offset.finish(rows));
        self.loc.finish(rows, &mut columns);
        self.lastmod.finish(rows, &mut columns);
        self.lastmod_place.finish("lastmod", rows, &mut columns);
        (rows, columns)
    }
}

/// The table `urls`.
pub struct Urls {
    entry: EntryColumns,
    lastmod_from: TextColumn,
    changefreq: TextColumn,
    changefreq_place: PlaceColumns,
    priority: TextColumn,
    priority_value: Float64Column,
    priority_place: PlaceColumns,
}

impl Urls {
    pub fn new() -> Self {
        Self {
            entry: EntryColumns::new(),
            lastmod_from: TextColumn::default(),
            changefreq: TextColumn::default(),
            changefreq_place: PlaceColumns::default(),
            priority: TextColumn::default(),
            priority_value: Float64Column::default(),
            priority_place: PlaceColumns::default(),
        }
    }

    #[inline]
    pub fn push(&mut self, ordinal: i32, entry: &EntryRow, lastmod: DateTime, survey: &mut Survey) {
        let (row, mut traits) = self.entry.push(ordinal, entry, lastmod, survey);
        self.lastmod_from.put_option(row, entry.lastmod_from);
        if let Some(value) = entry.changefreq {
            self.changefreq.put(row, value.text);
            self.changefreq_place.put(row, value.place);
            traits |= traits_of_changefreq(&value);
        }
        let mut number = None;
        if let Some(value) = entry.priority {
            number = decimal::parse(value.text);
            self.priority.put(row, value.text);
            self.priority_value.put_option(row, number);
            self.priority_place.put(row, value.place);
            traits |= traits_of_priority(&value, number);
        }
        survey.hints(entry.changefreq.is_some(), entry.priority.is_some(), number);
        self.entry.finish_row(traits, survey);
    }

    pub fn len(&self) -> usize {
        self.entry.len()
    }

    pub fn finish(&mut self, document_id: i32, survey: &mut Survey) -> Result<RecordBatch, ArrowError> {
        let (rows, mut columns) = self.entry.finish(document_id, survey);
        columns.push("lastmod_from", self.lastmod_from.finish(rows));
        columns.push("changefreq", self.changefreq.finish(rows));
        self.changefreq_place.finish("changefreq", rows, &mut columns);
        columns.push("priority", self.priority.finish(rows));
        columns.push("priority_value", self.priority_value.finish(rows));
        self.priority_place.finish("priority", rows, &mut columns);
        columns.push("repeats", self.entry.repeats.finish(rows));
        columns.push("traits", full(&mut self.entry.traits));
        columns.finish()
    }
}

#[inline]
fn traits_of_changefreq(value: &Value) -> Traits {
    let mut traits = Traits::default();
    if is_often(value.text) {
        traits.add(Trait::ChangefreqOften);
    } else if !value.text.is_empty() && !is_changefreq(value.text) {
        traits.add(Trait::ChangefreqProblem);
    }
    if value.is_long() {
        traits.add(Trait::LongField);
    }
    traits
}

#[inline]
fn traits_of_priority(value: &Value, number: Option<f64>) -> Traits {
    let mut traits = Traits::default();
    if !number.is_some_and(|number| (0.0..=1.0).contains(&number)) && !value.text.is_empty() {
        traits.add(Trait::PriorityProblem);
    }
    if value.is_long() {
        traits.add(Trait::LongField);
    }
    traits
}

/// The table `children`.
pub struct Children {
    entry: EntryColumns,
}

impl Children {
    pub fn new() -> Self {
        Self {
            entry: EntryColumns::new(),
        }
    }

    pub fn push(&mut self, ordinal: i32, entry: &EntryRow, lastmod: DateTime, survey: &mut Survey) {
        let (_, traits) = self.entry.push(ordinal, entry, lastmod, survey);
        self.entry.finish_row(traits, survey);
    }

    pub fn len(&self) -> usize {
        self.entry.len()
    }

    pub fn finish(&mut self, document_id: i32, survey: &mut Survey) -> Result<RecordBatch, ArrowError> {
        let (rows, mut columns) = self.entry.finish(document_id, survey);
        columns.push("repeats", self.entry.repeats.finish(rows));
        columns.push("traits", full(&mut self.entry.traits));
        columns.finish()
    }
}

/// The table `anomalies`.
pub fn anomalies(document_id: i32, rows: &[Anomaly]) -> Result<RecordBatch, ArrowError> {
    let mut columns = Columns::default();
    let texts = |values: &mut dyn Iterator<Item = Option<&str>>| -> ArrayRef {
        Arc::new(values.collect::<arrow_array::StringArray>())
    };
    let ints = |values: &mut dyn Iterator<Item = Option<i32>>| -> ArrayRef {
        Arc::new(values.collect::<arrow_array::Int32Array>())
    };
    let longs = |values: &mut dyn Iterator<Item = Option<i64>>| -> ArrayRef {
        Arc::new(values.collect::<arrow_array::Int64Array>())
    };
    columns.push("document_id", ints(&mut rows.iter().map(|_| Some(document_id))));
    columns.push("ordinal", ints(&mut rows.iter().map(|row| row.ordinal)));
    columns.push("kind", texts(&mut rows.iter().map(|row| Some(row.kind.name()))));
    columns.push("field", texts(&mut rows.iter().map(|row| row.field.as_deref())));
    columns.push("line", ints(&mut rows.iter().map(|row| row.line)));
    columns.push("col", ints(&mut rows.iter().map(|row| row.col)));
    columns.push("byte_offset", longs(&mut rows.iter().map(|row| Some(row.byte_offset))));
    columns.push(
        "evidence",
        texts(&mut rows.iter().map(|row| Some(row.evidence.as_str()))),
    );
    columns.push("count", longs(&mut rows.iter().map(|row| Some(row.count))));
    columns.finish()
}
