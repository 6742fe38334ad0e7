//! The ordinary rows of a CSV file as an Arrow stream.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::lock::hold;
use super::page::os_error;
use super::table::capsule_of;
use crate::read::csv::{Csv, Options};

/// The rows of a CSV file up to the first line that is not ordinary, as columns of text. It can be read once.
#[pyclass(frozen, module = "urlset._core")]
pub struct CsvRows {
    csv: Arc<Mutex<Csv<File>>>,
}

#[pymethods]
impl CsvRows {
    /// `fields`: index and name of the columns, one of them `loc`. `width`: number of fields of every line. `place`: the
    /// URL that paths are relative to, with a trailing slash.
    #[new]
    fn new(
        path: PathBuf,
        separator: char,
        fields: Vec<(usize, String)>,
        width: usize,
        has_header: bool,
        place: String,
    ) -> PyResult<Self> {
        let wrong = |what: &str| PyValueError::new_err(what.to_owned());
        let options = Options {
            separator: u8::try_from(separator).map_err(|_| wrong("the separator is not an ASCII character"))?,
            loc: (fields.iter().position(|(_, name)| name == "loc")).ok_or_else(|| wrong("no column loc"))?,
            width,
            place,
            has_header,
            fields,
        };
        if options.fields.iter().any(|(index, _)| *index >= width) {
            return Err(wrong("the index of a field is too large"));
        }
        let file = File::open(&path).map_err(|error| os_error(error, path))?;
        Ok(Self {
            csv: Arc::new(Mutex::new(Csv::new(file, options))),
        })
    }

    /// Number of lines read before one that is not ordinary, including the header; None if all lines were read.
    fn stopped_after(&self) -> PyResult<Option<u64>> {
        let csv = hold(&self.csv, "CSV file")?;
        Ok(csv.is_stopped().then(|| csv.lines()))
    }

    /// Returns the rows as a stream of Arrow record batches (capsule `arrow_array_stream`).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let rows = Rows {
            schema: hold(&self.csv, "CSV file")?.schema(),
            csv: Arc::clone(&self.csv),
        };
        capsule_of(py, rows, requested_schema)
    }
}

struct Rows {
    csv: Arc<Mutex<Csv<File>>>,
    schema: SchemaRef,
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.csv.lock() {
            Ok(mut csv) => csv.next_batch().transpose(),
            Err(_) => Some(Err(ArrowError::ComputeError("reading has failed before".to_owned()))),
        }
    }
}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
