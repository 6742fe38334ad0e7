//! The rows of CSV files for Python, and their columns as Arrow streams.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::iter::from_fn;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use arrow_array::RecordBatchIterator;
use flate2::bufread::MultiGzDecoder;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::lock::hold;
use super::reader::open;
use super::table::capsule_of;
use crate::read::csv::{Columns, Options, Rows};

type Source = Box<dyn Read + Send>;

/// The rows of a CSV file with any value: an iterator of the line on which a row ends, the number of its values, and
/// those of some columns, all of them without surrounding blanks. Bytes that are no text, and NUL, become U+FFFD.
#[pyclass(frozen, module = "urlset._core")]
pub struct CsvRows {
    rows: Mutex<Rows<Source>>,
    /// The columns to return, by index; all if `None`.
    columns: Option<Vec<usize>>,
}

#[pymethods]
impl CsvRows {
    /// `source`: bytes, the path of a file as str, or an object with `read(size) -> bytes`.
    #[new]
    #[pyo3(signature = (source, separator, columns=None))]
    fn new(source: &Bound<'_, PyAny>, separator: char, columns: Option<Vec<usize>>) -> PyResult<Self> {
        Ok(Self {
            rows: Mutex::new(Rows::new(open(source)?, ascii(separator)?)),
            columns,
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Raises ValueError for what is not CSV, and the errors of the file.
    fn __next__(&self) -> PyResult<Option<(u64, usize, Vec<String>)>> {
        let mut rows = hold(&self.rows, "CSV reader")?;
        loop {
            let Some(row) = rows.next_row().map_err(error)? else {
                return Ok(None);
            };
            if row.iter().all(|value| text(value).is_empty()) {
                continue;
            }
            let values = match &self.columns {
                None => row.iter().map(text).collect(),
                Some(columns) => columns
                    .iter()
                    .map(|index| row.get(*index).map_or_else(String::new, text))
                    .collect(),
            };
            let width = row.len();
            return Ok(Some((rows.line(), width, values)));
        }
    }
}

fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).trim().replace('\0', "\u{fffd}")
}

/// Returns the error of a Python file, or one of the reader as ValueError.
fn error(error: io::Error) -> PyErr {
    if error.get_ref().is_some_and(|inner| inner.is::<PyErr>()) {
        return error.into();
    }
    PyValueError::new_err(error.to_string())
}

fn ascii(separator: char) -> PyResult<u8> {
    let byte = u8::try_from(separator).ok().filter(u8::is_ascii);
    byte.ok_or_else(|| PyValueError::new_err("the separator is not an ASCII character"))
}

/// Columns of a CSV file as text, which may be compressed with gzip. Each stream opens the file anew. Reading it does not
/// call Python, because it can take place in the threads of DuckDB.
#[pyclass(frozen, module = "urlset._core")]
pub struct CsvColumns {
    path: PathBuf,
    options: Options,
}

#[pymethods]
impl CsvColumns {
    /// `columns`: their index and name. `width`: number of values of every row. `place`: the URL that paths of the column
    /// `loc` are relative to, with a trailing slash; values are then trimmed. Without it, they are returned as written.
    #[new]
    #[pyo3(signature = (path, separator, columns, width, has_header, place=None))]
    fn new(
        path: PathBuf,
        separator: char,
        columns: Vec<(usize, String)>,
        width: usize,
        has_header: bool,
        place: Option<String>,
    ) -> PyResult<Self> {
        if columns.iter().any(|(index, _)| *index >= width) {
            return Err(PyValueError::new_err("the index of a column is too large"));
        }
        let separator = ascii(separator)?;
        let options = Options {
            separator,
            width,
            columns,
            has_header,
            place,
        };
        Ok(Self { path, options })
    }

    /// Returns the rows as a stream of Arrow record batches (capsule `arrow_array_stream`).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let mut columns = Columns::new(ListFile::Named(self.path.clone()), self.options.clone());
        let batches = from_fn(move || columns.next_batch().transpose());
        let reader = RecordBatchIterator::new(batches, self.options.schema());
        capsule_of(py, reader, requested_schema)
    }
}

/// A file, which is opened when it is read, so that a missing one is an error of its stream.
enum ListFile {
    Named(PathBuf),
    Open(Source),
}

impl Read for ListFile {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                Self::Named(path) => *self = Self::Open(open_list(path)?),
                Self::Open(source) => return source.read(to),
            }
        }
    }
}

fn open_list(path: &Path) -> io::Result<Source> {
    let mut file = BufReader::new(File::open(path)?);
    let is_gzip = file.fill_buf()?.starts_with(b"\x1f\x8b");
    Ok(if is_gzip {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    })
}
