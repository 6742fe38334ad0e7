//! The tables of extension records (images, videos, news, hreflang links), built from lists of fields.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::column::{Float64Column, Int64Column, ListColumn, NumberListColumn, TextColumn, full, repeated};
use super::record_fields::{FieldSpec, Grammar};
use super::value_columns::{Columns, DateColumns};
use super::window::Place;
use crate::value::trim;
use crate::value::{datetime, decimal, hreflang, url};

/// A value under construction: one or several strings.
#[derive(Default)]
struct Cell {
    is_present: bool,
    text: String,
    list: Vec<Option<String>>,
}

/// One record as read; reused from record to record.
pub struct Record {
    pub place: Option<Place>,
    cells: Vec<Cell>,
    touched: Vec<usize>,
    /// Each field with a position, and the position of its first value.
    places: Vec<(usize, Place)>,
    repeats: Vec<String>,
}

/// Bytes that a position takes in the position columns: its numbers, and the name of its field.
const PLACE_BYTES: usize = 40;

impl Record {
    fn new(specs: &[FieldSpec]) -> Self {
        let cells = specs.iter().map(|_| Cell::default()).collect();
        Self {
            place: None,
            cells,
            touched: Vec::new(),
            places: Vec::new(),
            repeats: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for field in self.touched.drain(..) {
            let cell = &mut self.cells[field];
            cell.is_present = false;
            cell.text.clear();
            cell.list.clear();
        }
        self.places.clear();
        self.repeats.clear();
        self.place = None;
    }

    /// Bytes of its text and positions.
    pub fn bytes(&self) -> usize {
        let list = |cell: &Cell| cell.list.iter().flatten().map(String::len).sum::<usize>();
        let cells: usize = self.cells.iter().map(|cell| cell.text.len() + list(cell)).sum();
        cells + self.repeats.iter().map(String::len).sum::<usize>() + self.places.len() * PLACE_BYTES
    }

    pub fn has(&self, field: usize) -> bool {
        self.cells[field].is_present
    }
}

/// One table of records.
pub struct Records {
    specs: &'static [FieldSpec],
    ordinal: Vec<i32>,
    position: Vec<i32>,
    line: Vec<i32>,
    col: Vec<i32>,
    fields: Vec<FieldColumns>,
    /// `None` if no field has a position.
    places: Option<PlacesColumns>,
    /// `None` if the table has no such column: attributes cannot repeat.
    repeats: Option<ListColumn>,
    pub record: Record,
}

/// The positions of the fields of each record, in document order.
#[derive(Default)]
struct PlacesColumns {
    names: ListColumn,
    lines: NumberListColumn,
    cols: NumberListColumn,
}

impl PlacesColumns {
    fn put(&mut self, row: usize, specs: &[FieldSpec], places: &[(usize, Place)]) {
        self.names
            .put(row, places.iter().map(|(field, _)| Some(specs[*field].column)));
        self.lines
            .put(row, places.iter().map(|(_, place)| i64::from(place.line)));
        self.cols.put(row, places.iter().map(|(_, place)| i64::from(place.col)));
    }

    fn finish(&mut self, rows: usize, columns: &mut Columns) {
        columns.push("field_names", self.names.finish(rows));
        columns.push("field_lines", self.lines.finish(rows));
        columns.push("field_cols", self.cols.finish(rows));
    }
}

enum FieldColumns {
    Text(TextColumn),
    Url(TextColumn, TextColumn, url::Parser),
    HostedUrl(TextColumn, TextColumn, TextColumn, url::Parser, url::AsciiHosts),
    HashedUrl(TextColumn, TextColumn, Int64Column, url::Parser),
    HostedHashedUrl(
        TextColumn,
        TextColumn,
        TextColumn,
        Int64Column,
        url::Parser,
        url::AsciiHosts,
    ),
    Hreflang(TextColumn, TextColumn, hreflang::Parser),
    Number(TextColumn, Float64Column),
    Date(DateColumns),
    List(ListColumn),
}

impl Records {
    pub fn new(specs: &'static [FieldSpec]) -> Self {
        let has_places = specs.iter().any(|spec| spec.is_placed);
        let only_attributes = specs.iter().all(|spec| spec.attribute.is_some());
        Self {
            specs,
            ordinal: Vec::new(),
            position: Vec::new(),
            line: Vec::new(),
            col: Vec::new(),
            fields: specs.iter().map(FieldColumns::new).collect(),
            places: has_places.then(PlacesColumns::default),
            repeats: (!only_attributes).then(ListColumn::default),
            record: Record::new(specs),
        }
    }

    /// Returns the field that an element of this name is read into.
    pub fn field_of(&self, element: &str) -> Option<usize> {
        self.specs
            .iter()
            .position(|spec| spec.element == element && spec.attribute.is_none())
    }

    pub fn begin(&mut self, place: Place) {
        self.record.clear();
        self.record.place = Some(place);
    }

    /// Reads the attributes of an element at `place` that are fields themselves.
    pub fn set_attributes<'a>(&mut self, element: &str, place: Place, get: impl Fn(&str) -> Option<&'a str>) {
        for (field, spec) in self.specs.iter().enumerate() {
            let Some(name) = spec.attribute.filter(|_| spec.element == element) else {
                continue;
            };
            if spec.grammar == Grammar::List {
                self.touch(field, place);
                self.record.cells[field].list.push(get(name).map(str::to_owned));
            } else if let Some(value) = get(name)
                && !self.record.cells[field].is_present
            {
                self.set(field, trim(value), place);
            }
        }
    }

    /// Sets a field. Returns false if it was set already: the earlier value stays, and the new one is added to the
    /// repeats.
    pub fn set(&mut self, field: usize, value: &str, place: Place) -> bool {
        self.touch(field, place);
        let cell = &mut self.record.cells[field];
        if self.specs[field].grammar == Grammar::List {
            cell.list.push(Some(value.to_owned()));
            cell.is_present = true;
            return true;
        }
        let is_first = !cell.is_present;
        if is_first || cell.text.is_empty() {
            cell.is_present = true;
            cell.text.push_str(value);
        } else {
            self.record
                .repeats
                .push(format!("{}={value}", self.specs[field].element));
        }
        is_first
    }

    fn touch(&mut self, field: usize, place: Place) {
        let record = &mut self.record;
        if self.specs[field].is_placed && !record.places.iter().any(|(placed, _)| *placed == field) {
            record.places.push((field, place));
        }
        record.touched.push(field);
    }

    /// Appends the record as a row.
    pub fn push(&mut self, ordinal: i32, position: i32) {
        let place = self.record.place.unwrap_or(Place {
            line: 0,
            col: 0,
            byte_offset: 0,
        });
        let row = self.push_place(ordinal, position, place);
        for (columns, cell) in self.fields.iter_mut().zip(&self.record.cells) {
            columns.put(row, cell);
        }
        if let Some(places) = &mut self.places {
            places.put(row, self.specs, &self.record.places);
        }
        if let Some(repeats) = &mut self.repeats {
            repeats.put(row, self.record.repeats.iter().map(|text| Some(text.as_str())));
        }
    }

    /// Appends a row with these values in its first fields, and no others.
    #[inline]
    pub fn push_row(&mut self, ordinal: i32, position: i32, place: Place, values: &[Option<&str>]) {
        let row = self.push_place(ordinal, position, place);
        for (columns, value) in self.fields.iter_mut().zip(values) {
            if let Some(text) = value {
                columns.put_text(row, text);
            }
        }
    }

    #[inline]
    fn push_place(&mut self, ordinal: i32, position: i32, place: Place) -> usize {
        let row = self.ordinal.len();
        self.ordinal.push(ordinal);
        self.position.push(position);
        self.line.push(place.line);
        self.col.push(place.col);
        row
    }

    pub fn len(&self) -> usize {
        self.ordinal.len()
    }

    pub fn finish(&mut self, document_id: i32) -> Result<RecordBatch, ArrowError> {
        let rows = self.len();
        let mut columns = Columns::default();
        columns.push("document_id", repeated(document_id, rows));
        columns.push("ordinal", full(&mut self.ordinal));
        columns.push("position", full(&mut self.position));
        columns.push("line", full(&mut self.line));
        columns.push("col", full(&mut self.col));
        for (field, spec) in self.fields.iter_mut().zip(self.specs) {
            field.finish(spec, rows, &mut columns);
        }
        if let Some(places) = &mut self.places {
            places.finish(rows, &mut columns);
        }
        if let Some(repeats) = &mut self.repeats {
            columns.push("repeats", repeats.finish(rows));
        }
        columns.finish()
    }
}

impl FieldColumns {
    fn new(spec: &FieldSpec) -> Self {
        match spec.grammar {
            Grammar::Text => Self::Text(TextColumn::default()),
            Grammar::Url => Self::Url(TextColumn::default(), TextColumn::default(), url::Parser::default()),
            Grammar::HostedUrl => Self::HostedUrl(
                TextColumn::default(),
                TextColumn::default(),
                TextColumn::default(),
                url::Parser::default(),
                url::AsciiHosts::default(),
            ),
            Grammar::HashedUrl => Self::HashedUrl(
                TextColumn::default(),
                TextColumn::default(),
                Int64Column::default(),
                url::Parser::default(),
            ),
            Grammar::HostedHashedUrl => Self::HostedHashedUrl(
                TextColumn::default(),
                TextColumn::default(),
                TextColumn::default(),
                Int64Column::default(),
                url::Parser::default(),
                url::AsciiHosts::default(),
            ),
            Grammar::Hreflang => Self::Hreflang(
                TextColumn::default(),
                TextColumn::default(),
                hreflang::Parser::default(),
            ),
            Grammar::Decimal => Self::Number(TextColumn::default(), Float64Column::default()),
            Grammar::Date => Self::Date(DateColumns::new(spec.column)),
            Grammar::List => Self::List(ListColumn::default()),
        }
    }

    fn put(&mut self, row: usize, cell: &Cell) {
        match self {
            Self::List(list) => list.put(row, cell.list.iter().map(|item| item.as_deref())),
            _ if cell.is_present => self.put_text(row, &cell.text),
            _ => {}
        }
    }

    #[inline]
    fn put_text(&mut self, row: usize, text: &str) {
        match self {
            Self::Text(raw) => raw.put(row, text),
            Self::Url(raw, problem, parser) => {
                raw.put(row, text);
                problem.put_option(row, parser.parse(text).problem.map(|problem| problem.name()));
            }
            Self::HostedUrl(raw, problem, host, parser, hosts) => {
                let parts = parser.parse(text);
                raw.put(row, text);
                problem.put_option(row, parts.problem.map(|problem| problem.name()));
                host.put_option(row, hosts.of(&parts));
            }
            Self::HashedUrl(raw, problem, hashes, parser) => {
                let (parts, hash) = parser.hashed(text);
                raw.put(row, text);
                problem.put_option(row, parts.problem.map(|problem| problem.name()));
                hashes.put(row, hash);
            }
            Self::HostedHashedUrl(raw, problem, host, hashes, parser, hosts) => {
                let (parts, hash) = parser.hashed(text);
                raw.put(row, text);
                problem.put_option(row, parts.problem.map(|problem| problem.name()));
                host.put_option(row, hosts.of(&parts));
                hashes.put(row, hash);
            }
            Self::Hreflang(raw, problem, parser) => {
                raw.put(row, text);
                problem.put_option(row, parser.parse(text).map(|problem| problem.name()));
            }
            Self::Number(raw, value) => {
                raw.put(row, text);
                value.put_option(row, decimal::parse(text));
            }
            Self::Date(date) => date.put(row, text, datetime::parse_w3c(text)),
            Self::List(list) => list.put(row, std::iter::once(Some(text))),
        }
    }

    fn finish(&mut self, spec: &FieldSpec, rows: usize, columns: &mut Columns) {
        match self {
            Self::Text(raw) => columns.push(spec.column, raw.finish(rows)),
            Self::Url(raw, problem, _) | Self::Hreflang(raw, problem, _) => {
                columns.push(spec.column, raw.finish(rows));
                columns.push(format!("{}_problem", spec.column), problem.finish(rows));
            }
            Self::HostedUrl(raw, problem, host, ..) => {
                columns.push(spec.column, raw.finish(rows));
                columns.push(format!("{}_problem", spec.column), problem.finish(rows));
                columns.push(format!("{}_host", spec.column), host.finish(rows));
            }
            Self::HashedUrl(raw, problem, hashes, _) => {
                columns.push(spec.column, raw.finish(rows));
                columns.push(format!("{}_problem", spec.column), problem.finish(rows));
                columns.push(format!("{}_hash", spec.column), hashes.finish(rows));
            }
            Self::HostedHashedUrl(raw, problem, host, hashes, ..) => {
                columns.push(spec.column, raw.finish(rows));
                columns.push(format!("{}_problem", spec.column), problem.finish(rows));
                columns.push(format!("{}_host", spec.column), host.finish(rows));
                columns.push(format!("{}_hash", spec.column), hashes.finish(rows));
            }
            Self::Number(raw, value) => {
                columns.push(spec.column, raw.finish(rows));
                columns.push(format!("{}_value", spec.column), value.finish(rows));
            }
            Self::Date(date) => date.finish(rows, columns),
            Self::List(list) => columns.push(spec.column, list.finish(rows)),
        }
    }
}
