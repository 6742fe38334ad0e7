//! The columns of single values: the value as written, its position, and its parsed parts.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};

use super::column::{Int32Column, Int64Column, TextColumn};
use super::survey::{Look, Survey};
use super::window::Place;
use crate::value::{DateTime, Trait, Traits, url};

/// Named columns under construction, which are finished into one record batch.
#[derive(Default)]
pub struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    /// Returns a table of these columns.
    pub fn table<const N: usize>(arrays: [(&str, ArrayRef); N]) -> Result<RecordBatch, ArrowError> {
        let mut columns = Self::default();
        for (name, array) in arrays {
            columns.push(name, array);
        }
        columns.finish()
    }

    pub fn push(&mut self, name: impl Into<String>, array: ArrayRef) {
        self.fields.push(Field::new(name, array.data_type().clone(), true));
        self.arrays.push(array);
    }

    pub fn finish(self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(SchemaRef::new(Schema::new(self.fields)), self.arrays)
    }
}

/// A value that is present, and its position; an empty value has none.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub text: &'a str,
    pub place: Option<Place>,
}

/// Characters beyond which a field other than a URL counts as long: the longest valid value has 30.
const LONG_FIELD: usize = 100;

impl Value<'_> {
    #[inline]
    pub fn is_long(&self) -> bool {
        self.text.len() > LONG_FIELD && self.text.chars().count() > LONG_FIELD
    }
}

#[derive(Default)]
pub struct PlaceColumns {
    pub line: Int32Column,
    pub col: Int32Column,
}

impl PlaceColumns {
    #[inline]
    pub fn put(&mut self, row: usize, place: Option<Place>) {
        if let Some(place) = place {
            self.line.put(row, place.line);
            self.col.put(row, place.col);
        }
    }

    pub fn finish(&mut self, name: &str, rows: usize, columns: &mut Columns) {
        columns.push(format!("{name}_line"), self.line.finish(rows));
        columns.push(format!("{name}_col"), self.col.finish(rows));
    }
}

/// loc and its parsed parts.
#[derive(Default)]
pub struct LocColumns {
    loc: TextColumn,
    problem: TextColumn,
    place: PlaceColumns,
    length: Int32Column,
    pub hash: Int64Column,
    scheme: TextColumn,
    host: TextColumn,
    port: Int32Column,
    path: TextColumn,
    lower: String,
    hosts: url::AsciiHosts,
    parser: url::Parser,
}

impl LocColumns {
    #[inline]
    pub fn put(&mut self, row: usize, value: Option<Value>) {
        self.put_and_look(row, value, &mut Survey::default());
    }

    /// Same as `put`; also adds the URL to the survey of the document, and returns its traits.
    #[inline]
    pub fn put_and_look(&mut self, row: usize, value: Option<Value>, survey: &mut Survey) -> Traits {
        let Some(value) = value else {
            let mut traits = Traits::default();
            traits.add(Trait::LocProblem);
            return traits;
        };
        let seen = self.parser.see(value.text);
        let parts = seen.parts;
        self.loc.put(row, value.text);
        self.problem
            .put_option(row, parts.problem.map(|problem| problem.name()));
        self.place.put(row, value.place);
        self.length.put(row, parts.length as i32);
        self.hash.put(row, seen.hash);
        if parts.scheme_upper {
            put_lower(&mut self.scheme, row, parts.scheme, &mut self.lower);
        } else {
            self.scheme.put_option(row, parts.scheme);
        }
        let host = self.hosts.of(&parts);
        self.host.put_option(row, host);
        self.port.put_option(row, parts.port.map(i32::from));
        self.path.put_option(row, parts.path);
        survey.loc(&Look {
            parts,
            host,
            ends_with_slash: value.text.ends_with('/'),
            is_same_site: seen.is_same_site,
        });
        seen.traits
    }

    pub fn finish(&mut self, rows: usize, columns: &mut Columns) {
        columns.push("loc", self.loc.finish(rows));
        columns.push("loc_problem", self.problem.finish(rows));
        self.place.finish("loc", rows, columns);
        columns.push("loc_length", self.length.finish(rows));
        columns.push("loc_hash", self.hash.finish(rows));
        columns.push("scheme", self.scheme.finish(rows));
        columns.push("host", self.host.finish(rows));
        columns.push("port", self.port.finish(rows));
        columns.push("path", self.path.finish(rows));
    }
}

#[cold]
fn put_lower(column: &mut TextColumn, row: usize, text: Option<&str>, lower: &mut String) {
    if let Some(text) = text {
        lower.clear();
        lower.push_str(text);
        lower.make_ascii_lowercase();
        column.put(row, lower);
    }
}

/// A date as written, its instant, and its problem.
pub struct DateColumns {
    name: &'static str,
    raw: TextColumn,
    at: Int64Column,
    precision: TextColumn,
    problem: TextColumn,
}

impl DateColumns {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            raw: TextColumn::default(),
            at: Int64Column::default(),
            precision: TextColumn::default(),
            problem: TextColumn::default(),
        }
    }

    #[inline]
    pub fn put(&mut self, row: usize, raw: &str, date: DateTime) {
        self.raw.put(row, raw);
        self.at.put_option(row, date.at);
        self.precision
            .put_option(row, date.precision.map(|precision| precision.name()));
        self.problem.put_option(row, date.problem.map(|problem| problem.name()));
    }

    pub fn finish(&mut self, rows: usize, columns: &mut Columns) {
        columns.push(self.name, self.raw.finish(rows));
        columns.push(format!("{}_at", self.name), self.at.finish_instants(rows));
        columns.push(format!("{}_precision", self.name), self.precision.finish(rows));
        columns.push(format!("{}_problem", self.name), self.problem.finish(rows));
    }
}

pub const NO_DATE: DateTime = DateTime {
    at: None,
    precision: None,
    problem: None,
};
