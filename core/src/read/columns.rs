//! The columns that entries are built in: urls and children, which hold one row for each URL of a site.
//!
//! `src/urlset/tables.py` is the contract for names, types and units; a test holds these schemas to it.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use super::window::Place;
use crate::anomaly::Anomaly;
use crate::value::{DateTime, decimal, url};

/// The tables that the reader builds, in the order of `tables.py`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableName {
    Urls,
    Children,
    Alternates,
    Images,
    Videos,
    News,
    Anomalies,
}

impl TableName {
    pub const ALL: [TableName; 7] = [
        TableName::Urls,
        TableName::Children,
        TableName::Alternates,
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
            TableName::Images => "images",
            TableName::Videos => "videos",
            TableName::News => "news",
            TableName::Anomalies => "anomalies",
        }
    }
}

/// Columns under construction, with their names: finished into one record batch.
#[derive(Default)]
pub struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    pub fn push(&mut self, name: impl Into<String>, array: ArrayRef) {
        self.fields.push(Field::new(name, array.data_type().clone(), true));
        self.arrays.push(array);
    }

    pub fn finish(self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(SchemaRef::new(Schema::new(self.fields)), self.arrays)
    }
}

/// An instant: microseconds since 1970 in UTC, without a zone, so that every engine reads the same number.
pub const TIMESTAMP: DataType = DataType::Timestamp(TimeUnit::Microsecond, None);

pub fn finish<B: ArrayBuilder>(builder: &mut B) -> ArrayRef {
    ArrayBuilder::finish(builder)
}

/// A list of texts, null where the list is empty.
pub fn append_list(builder: &mut ListBuilder<StringBuilder>, items: &[String]) {
    for item in items {
        builder.values().append_value(item);
    }
    builder.append(!items.is_empty());
}

/// A value as it was read, and where it stands. Reused from entry to entry.
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
}

#[derive(Default)]
struct PlaceColumns {
    line: Int32Builder,
    col: Int32Builder,
}

impl PlaceColumns {
    #[inline]
    fn push(&mut self, place: Option<Place>) {
        self.line.append_option(place.map(|place| place.line));
        self.col.append_option(place.map(|place| place.col));
    }

    fn finish(&mut self, name: &str, columns: &mut Columns) {
        columns.push(format!("{name}_line"), finish(&mut self.line));
        columns.push(format!("{name}_col"), finish(&mut self.col));
    }
}

/// loc and what its grammar tells.
#[derive(Default)]
struct LocColumns {
    loc: StringBuilder,
    problem: StringBuilder,
    place: PlaceColumns,
    length: Int32Builder,
    scheme: StringBuilder,
    host: StringBuilder,
    port: Int32Builder,
    path: StringBuilder,
    lower: String,
}

impl LocColumns {
    fn push(&mut self, slot: &Slot) {
        self.place.push(slot.place.filter(|_| slot.is_present));
        let Some(loc) = slot.get() else {
            self.loc.append_null();
            self.problem.append_null();
            self.length.append_null();
            self.scheme.append_null();
            self.host.append_null();
            self.port.append_null();
            self.path.append_null();
            return;
        };
        let parts = url::parse(loc);
        self.loc.append_value(loc);
        self.problem.append_option(parts.problem.map(|problem| problem.name()));
        self.length.append_value(parts.length as i32);
        append_lower(&mut self.scheme, parts.scheme, parts.scheme_upper, &mut self.lower);
        append_lower(&mut self.host, parts.host, parts.host_upper, &mut self.lower);
        self.port.append_option(parts.port.map(i32::from));
        self.path.append_option(parts.path);
    }

    fn finish(&mut self, columns: &mut Columns) {
        columns.push("loc", finish(&mut self.loc));
        columns.push("loc_problem", finish(&mut self.problem));
        self.place.finish("loc", columns);
        columns.push("loc_length", finish(&mut self.length));
        columns.push("scheme", finish(&mut self.scheme));
        columns.push("host", finish(&mut self.host));
        columns.push("port", finish(&mut self.port));
        columns.push("path", finish(&mut self.path));
    }
}

#[inline]
fn append_lower(builder: &mut StringBuilder, text: Option<&str>, has_upper: bool, lower: &mut String) {
    match text {
        Some(text) if has_upper => {
            lower.clear();
            lower.push_str(text);
            lower.make_ascii_lowercase();
            builder.append_value(&lower);
        }
        other => builder.append_option(other),
    }
}

/// A date as written, as an instant, and what is wrong with it.
pub struct DateColumns {
    name: &'static str,
    raw: StringBuilder,
    at: TimestampMicrosecondBuilder,
    precision: StringBuilder,
    problem: StringBuilder,
}

impl DateColumns {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            raw: StringBuilder::new(),
            at: TimestampMicrosecondBuilder::new(),
            precision: StringBuilder::new(),
            problem: StringBuilder::new(),
        }
    }

    pub fn push(&mut self, raw: Option<&str>, date: DateTime) {
        self.raw.append_option(raw);
        self.at.append_option(date.at);
        self.precision.append_option(date.precision.map(|precision| precision.name()));
        self.problem.append_option(date.problem.map(|problem| problem.name()));
    }

    pub fn finish(&mut self, columns: &mut Columns) {
        columns.push(self.name, finish(&mut self.raw));
        columns.push(format!("{}_at", self.name), finish(&mut self.at));
        columns.push(format!("{}_precision", self.name), finish(&mut self.precision));
        columns.push(format!("{}_problem", self.name), finish(&mut self.problem));
    }
}

pub const NO_DATE: DateTime = DateTime { at: None, precision: None, problem: None };

/// One entry, read; reused from entry to entry.
#[derive(Default)]
pub struct Entry {
    pub place: Option<Place>,
    pub loc: Slot,
    pub lastmod: Slot,
    pub changefreq: Slot,
    pub priority: Slot,
    pub repeats: Vec<String>,
}

impl Entry {
    pub fn clear(&mut self) {
        self.place = None;
        self.loc.clear();
        self.lastmod.clear();
        self.changefreq.clear();
        self.priority.clear();
        self.repeats.clear();
    }
}

/// The columns that urls and children share.
struct EntryColumns {
    document_id: Int32Builder,
    ordinal: Int32Builder,
    place: (Int32Builder, Int32Builder, Int64Builder),
    loc: LocColumns,
    lastmod: DateColumns,
    lastmod_place: PlaceColumns,
}

impl EntryColumns {
    fn new() -> Self {
        Self {
            document_id: Int32Builder::new(),
            ordinal: Int32Builder::new(),
            place: Default::default(),
            loc: LocColumns::default(),
            lastmod: DateColumns::new("lastmod"),
            lastmod_place: PlaceColumns::default(),
        }
    }

    fn push(&mut self, document_id: i32, ordinal: i32, entry: &Entry, lastmod: DateTime) {
        self.document_id.append_value(document_id);
        self.ordinal.append_value(ordinal);
        self.place.0.append_option(entry.place.map(|place| place.line));
        self.place.1.append_option(entry.place.map(|place| place.col));
        self.place.2.append_option(entry.place.map(|place| place.byte_offset));
        self.loc.push(&entry.loc);
        self.lastmod.push(entry.lastmod.get(), lastmod);
        self.lastmod_place.push(entry.lastmod.place.filter(|_| entry.lastmod.is_present));
    }

    fn finish(&mut self) -> Columns {
        let mut columns = Columns::default();
        columns.push("document_id", finish(&mut self.document_id));
        columns.push("ordinal", finish(&mut self.ordinal));
        columns.push("line", finish(&mut self.place.0));
        columns.push("col", finish(&mut self.place.1));
        columns.push("byte_offset", finish(&mut self.place.2));
        self.loc.finish(&mut columns);
        self.lastmod.finish(&mut columns);
        self.lastmod_place.finish("lastmod", &mut columns);
        columns
    }
}

/// The table `urls`.
pub struct Urls {
    entry: EntryColumns,
    changefreq: StringBuilder,
    changefreq_place: PlaceColumns,
    priority: StringBuilder,
    priority_value: Float64Builder,
    priority_place: PlaceColumns,
    repeats: ListBuilder<StringBuilder>,
}

impl Urls {
    pub fn new() -> Self {
        Self {
            entry: EntryColumns::new(),
            changefreq: StringBuilder::new(),
            changefreq_place: PlaceColumns::default(),
            priority: StringBuilder::new(),
            priority_value: Float64Builder::new(),
            priority_place: PlaceColumns::default(),
            repeats: ListBuilder::new(StringBuilder::new()),
        }
    }

    pub fn push(&mut self, document_id: i32, ordinal: i32, entry: &Entry, lastmod: DateTime) {
        self.entry.push(document_id, ordinal, entry, lastmod);
        self.changefreq.append_option(entry.changefreq.get());
        self.changefreq_place.push(entry.changefreq.place.filter(|_| entry.changefreq.is_present));
        self.priority.append_option(entry.priority.get());
        self.priority_value.append_option(entry.priority.get().and_then(decimal::parse));
        self.priority_place.push(entry.priority.place.filter(|_| entry.priority.is_present));
        append_list(&mut self.repeats, &entry.repeats);
    }

    pub fn len(&self) -> usize {
        self.entry.ordinal.len()
    }

    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns = self.entry.finish();
        columns.push("changefreq", finish(&mut self.changefreq));
        self.changefreq_place.finish("changefreq", &mut columns);
        columns.push("priority", finish(&mut self.priority));
        columns.push("priority_value", finish(&mut self.priority_value));
        self.priority_place.finish("priority", &mut columns);
        columns.push("repeats", finish(&mut self.repeats));
        columns.finish()
    }
}

/// The table `children`.
pub struct Children {
    entry: EntryColumns,
    repeats: ListBuilder<StringBuilder>,
}

impl Children {
    pub fn new() -> Self {
        Self { entry: EntryColumns::new(), repeats: ListBuilder::new(StringBuilder::new()) }
    }

    pub fn push(&mut self, document_id: i32, ordinal: i32, entry: &Entry, lastmod: DateTime) {
        self.entry.push(document_id, ordinal, entry, lastmod);
        append_list(&mut self.repeats, &entry.repeats);
    }

    pub fn len(&self) -> usize {
        self.entry.ordinal.len()
    }

    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns = self.entry.finish();
        columns.push("repeats", finish(&mut self.repeats));
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
    columns.push("evidence", texts(&mut rows.iter().map(|row| Some(row.evidence.as_str()))));
    columns.push("count", longs(&mut rows.iter().map(|row| Some(row.count))));
    columns.finish()
}
