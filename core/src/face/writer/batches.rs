//! Reads entries from Arrow streams: columns are read in place, through the PyCapsule interface.
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::borrow::Cow;

use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{Array, ArrayRef, RecordBatch};
use pyo3::prelude::*;

use super::EntryError;
use super::columns::{Column, Links, Records};
use crate::face::table::{arrow_error, stream_of};
use crate::read::rows::Rows as Tables;
use crate::write::encode::Encoder;
use crate::write::entry::{Entry, Value};
use crate::write::records::{IMAGE, NEWS, VIDEO};
use crate::write::rows::{Encoded, Rows};
use crate::write::stable::published_key;
use crate::write::urls::Urls;

/// The batches of a stream.
#[pyclass(module = "urlset._core", unsendable)]
pub struct Batches(RecordBatchStreamReader);

impl Batches {
    /// Opens the stream of an object that supports the interface.
    pub fn open(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        stream_of(object).map(Self)
    }

    pub fn next_batch(&mut self) -> PyResult<Option<Batch>> {
        self.0
            .next()
            .transpose()
            .map(|batch| batch.map(Batch))
            .map_err(arrow_error)
    }
}

/// A batch of rows.
pub struct Batch(RecordBatch);

/// Rows to encode at a time.
const ENOUGH: usize = 8192;
/// Approximate bytes of columns to encode at a time.
const HEAVY: usize = 1 << 20;

impl Batch {
    pub fn len(&self) -> usize {
        self.0.num_rows()
    }

    /// Returns the keys of the URLs in the column `loc`, without those that are not URLs.
    pub fn published_keys(&self) -> PyResult<Vec<u128>> {
        let rows = self.rows()?;
        let mut urls = Urls::default();
        let locs = (0..self.len()).filter_map(|row| rows.loc(row));
        Ok(locs.filter_map(|loc| published_key(&mut urls, &loc)).collect())
    }

    /// Splits the rows into pieces for one thread each, numbered from `first`. The columns are checked first.
    pub fn pieces(self, first: u64) -> PyResult<impl Iterator<Item = Piece>> {
        drop(self.rows()?);
        let bytes = |array: &ArrayRef| array.to_data().get_slice_memory_size().unwrap_or(0);
        let bytes: usize = self.0.columns().iter().map(bytes).sum();
        let length = self.len();
        let step = (length * HEAVY / bytes.max(1)).clamp(1, ENOUGH);
        Ok((0..length).step_by(step).map(move |begin| Piece {
            batch: Batch(self.0.slice(begin, step.min(length - begin))),
            first: first + begin as u64,
        }))
    }

    /// Returns the columns by their fields.
    pub fn rows(&self) -> PyResult<Entries<'_>> {
        let mut rows = Entries::default();
        let schema = self.0.schema_ref();
        let mut reader_columns = None;
        for (field, array) in schema.fields().iter().zip(self.0.columns()) {
            let name = field.name().as_str();
            match name {
                "loc" | "url" if rows.loc.is_some() => {
                    return Err(EntryError::new_err(
                        "columns loc and url are the same field; keep one of them",
                    ));
                }
                "loc" | "url" => rows.loc = Some(Column::of(array, name)?),
                "lastmod" => rows.lastmod = Some(Column::of(array, name)?),
                "changefreq" => rows.changefreq = Some(Column::of(array, name)?),
                "priority" => rows.priority = Some(Column::of(array, name)?),
                "hreflang" => rows.hreflang = Some(Column::of(array, name)?),
                "alternates" => rows.alternates = Some(Links::of(array)?),
                "images" => rows.images = Some(Records::of(array, &IMAGE)?),
                "videos" => rows.videos = Some(Records::of(array, &VIDEO)?),
                "news" => rows.news = Some(Records::of(array, &NEWS)?),
                _ if name.contains(':') => rows.own.push((name.to_owned(), Column::of(array, name)?)),
                _ => {
                    let known = match &reader_columns {
                        Some(known) => known,
                        None => reader_columns.insert(reader_urls()?),
                    };
                    if !known.contains(&field.name().as_str().to_owned()) {
                        return Err(EntryError::new_err(format!(
                            "column {name:?} is not a field of an entry; the fields are: loc (or url), lastmod, changefreq, \
                             priority, hreflang, alternates, images, videos, news, and prefix:name for custom \
                             namespaces; leave other columns out of the query"
                        )));
                    }
                }
            }
        }
        if rows.loc.is_none() {
            return Err(EntryError::new_err("no column loc, which contains the URLs"));
        }
        Ok(rows)
    }
}

/// Rows to be encoded by one thread.
pub struct Piece {
    batch: Batch,
    /// The number of the first row.
    first: u64,
}

impl Piece {
    fn rows(&self) -> Entries<'_> {
        // `Batch::pieces` has checked the columns.
        self.batch.rows().unwrap_or_default()
    }
}

impl Rows for Piece {
    fn encode(&mut self, encoder: &mut Encoder, out: &mut Encoded) {
        let rows = self.rows();
        for row in 0..self.batch.len() {
            let outcome = if rows.is_plain() {
                let loc = rows.loc(row).unwrap_or_default();
                encoder.encode_plain(&loc, rows.lastmod(row).as_ref(), &mut out.bytes)
            } else {
                encoder.encode(&rows.entry(row), &mut out.bytes)
            };
            out.note(row, outcome, encoder, || self.given(row));
        }
    }

    fn given(&self, place: usize) -> (u64, String) {
        let loc = self.rows().loc(place).unwrap_or_default().into_owned();
        (self.first + place as u64, loc)
    }

    fn number(&self, place: usize) -> u64 {
        self.first + place as u64
    }

    fn count(&self) -> usize {
        self.batch.len()
    }
}

/// Returns the columns of the reader's table `urls`: those that are not fields are facts about the document, and not
/// written.
fn reader_urls() -> PyResult<Vec<String>> {
    let tables = Tables::empty_tables().map_err(arrow_error)?;
    let urls = tables.into_iter().find(|(name, _)| name.name() == "urls");
    Ok(urls.map_or_else(Vec::new, |(_, batch)| {
        batch
            .schema()
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }))
}

/// The columns of a batch that are fields of entries.
#[derive(Default)]
pub struct Entries<'a> {
    loc: Option<Column<'a>>,
    lastmod: Option<Column<'a>>,
    changefreq: Option<Column<'a>>,
    priority: Option<Column<'a>>,
    hreflang: Option<Column<'a>>,
    alternates: Option<Links<'a>>,
    images: Option<Records<'a>>,
    videos: Option<Records<'a>>,
    news: Option<Records<'a>>,
    own: Vec<(String, Column<'a>)>,
}

impl<'a> Entries<'a> {
    /// Whether rows have at most `loc` and `lastmod`.
    fn is_plain(&self) -> bool {
        let others = [&self.changefreq, &self.priority, &self.hreflang];
        let records = [&self.images, &self.videos, &self.news];
        others.into_iter().all(Option::is_none)
            && records.into_iter().all(Option::is_none)
            && self.alternates.is_none()
            && self.own.is_empty()
    }

    #[inline]
    fn loc(&'a self, row: usize) -> Option<Cow<'a, str>> {
        self.loc.as_ref().and_then(|column| column.text(row))
    }

    #[inline]
    fn lastmod(&'a self, row: usize) -> Option<Value<'a>> {
        self.lastmod.as_ref().and_then(|column| column.value(row))
    }

    /// Returns the entry of one row.
    #[inline]
    pub fn entry(&'a self, row: usize) -> Entry<'a> {
        let value = |column: &'a Option<Column<'a>>| column.as_ref().and_then(|column| column.value(row));
        let records =
            |column: &'a Option<Records<'a>>| column.as_ref().map_or_else(Vec::new, |column| column.records(row));
        Entry {
            loc: self.loc(row),
            is_file: false,
            lastmod: self.lastmod(row),
            changefreq: value(&self.changefreq),
            priority: value(&self.priority),
            hreflang: self.hreflang.as_ref().and_then(|column| column.text(row)),
            alternates: self.alternates.as_ref().map_or_else(Vec::new, |links| links.links(row)),
            images: records(&self.images),
            videos: records(&self.videos),
            news: records(&self.news),
            own: self
                .own
                .iter()
                .filter_map(|(name, column)| Some((Cow::Borrowed(name.as_str()), column.value(row)?)))
                .collect(),
        }
    }
}
