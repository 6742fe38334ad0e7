//! The entries of tables in document order, each with its records.

use std::sync::Mutex;

use arrow_array::{Array, Int32Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::columns::{Field, Repeated, instants, ints, text, texts};
use super::{Alternate, Child, Image, Instant, News, Record, Url, Video};
use crate::face::lock::hold;
use crate::face::table::Table;

/// Iterates over the entries of tables, as `Reader` returns them.
#[pyclass(frozen, module = "urlset._core")]
pub struct Entries {
    state: Mutex<State>,
}

struct State {
    urls: Rows<UrlColumns>,
    children: Rows<EntryColumns>,
    alternates: Rows<RecordColumns>,
    images: Rows<RecordColumns>,
    videos: Rows<RecordColumns>,
    news: Rows<RecordColumns>,
}

#[pymethods]
impl Entries {
    /// `tables` maps names of tables to `Table`. A missing table has no rows.
    #[new]
    fn new(tables: &Bound<'_, PyDict>) -> PyResult<Self> {
        let batches = |name: &str| -> PyResult<Vec<RecordBatch>> {
            let Some(table) = tables.get_item(name)? else {
                return Ok(Vec::new());
            };
            Ok(table.cast::<Table>()?.get().batches().to_vec())
        };
        let state = State {
            urls: Rows::new(batches("urls")?, UrlColumns::of),
            children: Rows::new(batches("children")?, EntryColumns::of),
            alternates: Rows::new(batches("alternates")?, RecordColumns::of::<Alternate>),
            images: Rows::new(batches("images")?, RecordColumns::of::<Image>),
            videos: Rows::new(batches("videos")?, RecordColumns::of::<Video>),
            news: Rows::new(batches("news")?, RecordColumns::of::<News>),
        };
        Ok(Self {
            state: Mutex::new(state),
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        hold(&self.state, "iterator")?.next(py)
    }
}

impl State {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match (self.urls.ordinal()?, self.children.ordinal()?) {
            (None, None) => Ok(None),
            (Some(url), child) if child.is_none_or(|child| url <= child) => self.url(py, url).map(Some),
            _ => self.child(py).map(Some),
        }
    }

    fn url(&mut self, py: Python<'_>, ordinal: i32) -> PyResult<Py<PyAny>> {
        let alternates = self.alternates.of_entry::<Alternate>(py, ordinal)?;
        let images = self.images.of_entry::<Image>(py, ordinal)?;
        let videos = self.videos.of_entry::<Video>(py, ordinal)?;
        let news = self.news.of_entry::<News>(py, ordinal)?;
        let (columns, row) = self.urls.take();
        let entry = &columns.entry;
        let url = Url {
            loc: text(py, &entry.loc, row),
            lastmod: text(py, &entry.lastmod, row),
            lastmod_at: entry.instant(row),
            changefreq: columns.changefreq.1.text(py, &columns.changefreq.0, row),
            priority: columns.priority.1.text(py, &columns.priority.0, row),
            line: entry.line(py, row)?,
            alternates,
            images,
            videos,
            news,
        };
        Ok(Py::new(py, url)?.into_any())
    }

    fn child(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (entry, row) = self.children.take();
        let child = Child {
            loc: text(py, &entry.loc, row),
            lastmod: text(py, &entry.lastmod, row),
            lastmod_at: entry.instant(row),
            line: entry.line(py, row)?,
        };
        Ok(Py::new(py, child)?.into_any())
    }
}

/// The columns of one batch, with the entry that each row belongs to.
trait Ordinals {
    fn ordinals(&self) -> &Int32Array;
}

/// The rows of a table, in order. Columns are found when their batch is reached.
struct Rows<C> {
    batches: std::vec::IntoIter<RecordBatch>,
    find: fn(&RecordBatch) -> PyResult<C>,
    columns: Option<C>,
    row: usize,
}

impl<C: Ordinals> Rows<C> {
    fn new(batches: Vec<RecordBatch>, find: fn(&RecordBatch) -> PyResult<C>) -> Self {
        Self {
            batches: batches.into_iter(),
            find,
            columns: None,
            row: 0,
        }
    }

    /// Returns the ordinal of the next row.
    #[inline]
    fn ordinal(&mut self) -> PyResult<Option<i32>> {
        loop {
            if let Some(columns) = &self.columns
                && self.row < columns.ordinals().len()
            {
                return Ok(Some(columns.ordinals().value(self.row)));
            }
            let Some(batch) = self.batches.next() else {
                return Ok(None);
            };
            self.columns = Some((self.find)(&batch)?);
            self.row = 0;
        }
    }

    /// Takes the next row, which must exist: `ordinal` returned its ordinal.
    #[inline]
    fn take(&mut self) -> (&mut C, usize) {
        let row = self.row;
        self.row += 1;
        let columns = self.columns.as_mut().expect("`ordinal` found a row");
        (columns, row)
    }
}

impl Rows<RecordColumns> {
    /// Takes the records of an entry as a tuple, and skips those of entries before it.
    #[inline]
    fn of_entry<R: Record>(&mut self, py: Python<'_>, ordinal: i32) -> PyResult<Py<PyAny>>
    where
        Py<R>: for<'py> IntoPyObject<'py>,
    {
        let mut found: Vec<Py<R>> = Vec::new();
        while let Some(owner) = self.ordinal()?
            && owner <= ordinal
        {
            let (columns, row) = self.take();
            if owner == ordinal {
                found.push(columns.record(py, row)?);
            }
        }
        if found.is_empty() {
            return Ok(PyTuple::empty(py).into_any().unbind());
        }
        Ok(PyTuple::new(py, found)?.into_any().unbind())
    }
}

struct EntryColumns {
    ordinal: Int32Array,
    loc: StringArray,
    lastmod: StringArray,
    lastmod_at: TimestampMicrosecondArray,
    line: Int32Array,
}

impl EntryColumns {
    fn of(batch: &RecordBatch) -> PyResult<Self> {
        Ok(Self {
            ordinal: ints(batch, "ordinal")?,
            loc: texts(batch, "loc")?,
            lastmod: texts(batch, "lastmod")?,
            lastmod_at: instants(batch, "lastmod_at")?,
            line: ints(batch, "line")?,
        })
    }

    fn instant(&self, row: usize) -> Instant {
        Instant::Read(self.lastmod_at.is_valid(row).then(|| self.lastmod_at.value(row)))
    }

    fn line(&self, py: Python<'_>, row: usize) -> PyResult<Py<PyAny>> {
        if self.line.is_null(row) {
            return Ok(py.None());
        }
        Ok(self.line.value(row).into_pyobject(py)?.into_any().unbind())
    }
}

impl Ordinals for EntryColumns {
    fn ordinals(&self) -> &Int32Array {
        &self.ordinal
    }
}

struct UrlColumns {
    entry: EntryColumns,
    changefreq: (StringArray, Repeated),
    priority: (StringArray, Repeated),
}

impl UrlColumns {
    fn of(batch: &RecordBatch) -> PyResult<Self> {
        Ok(Self {
            entry: EntryColumns::of(batch)?,
            changefreq: (texts(batch, "changefreq")?, Repeated::default()),
            priority: (texts(batch, "priority")?, Repeated::default()),
        })
    }
}

impl Ordinals for UrlColumns {
    fn ordinals(&self) -> &Int32Array {
        &self.entry.ordinal
    }
}

struct RecordColumns {
    ordinal: Int32Array,
    fields: Vec<Field>,
}

impl RecordColumns {
    fn of<R: Record>(batch: &RecordBatch) -> PyResult<Self> {
        let fields = R::COLUMNS.iter().map(|name| Field::of(batch, name));
        Ok(Self {
            ordinal: ints(batch, "ordinal")?,
            fields: fields.collect::<PyResult<_>>()?,
        })
    }

    fn record<R: Record>(&mut self, py: Python<'_>, row: usize) -> PyResult<Py<R>> {
        let mut fields = self.fields.iter_mut();
        R::create(py, || match fields.next() {
            Some(field) => field.value(py, row),
            None => Ok(py.None()),
        })
    }
}

impl Ordinals for RecordColumns {
    fn ordinals(&self) -> &Int32Array {
        &self.ordinal
    }
}
