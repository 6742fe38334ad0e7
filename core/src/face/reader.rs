//! The reader as a Python iterator of batches. The interpreter lock is released while it reads.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::lock::hold;
use super::page::os_error;
use super::table::{Table, arrow_error};
use crate::limits::{self, Bounds};
use crate::read::{self, Facts, Options, ReadError};

/// Reads one document: an iterator of dictionaries from table name to `Table`, then `facts()`.
#[pyclass(frozen, module = "urlset._core")]
pub struct Reader {
    inner: Mutex<read::Reader>,
}

#[pymethods]
impl Reader {
    /// `source`: bytes, the path of a file as str, or an object with `read(size) -> bytes`. `url`: the URL of the
    /// document, against which the links of a feed are resolved. `express`: whether to use
    /// the express path; tests read without it, too.
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (source, *, document_id=0, url=None, max_inflated=limits::DEFAULT_MAX_INFLATED, batch_rows=16_384, hash=true, express=true))]
    fn new(
        source: &Bound<'_, PyAny>,
        document_id: i32,
        url: Option<String>,
        max_inflated: u64,
        batch_rows: usize,
        hash: bool,
        express: bool,
    ) -> PyResult<Self> {
        let options = Options {
            document_id,
            url,
            max_inflated: bounded(max_inflated)?,
            batch_rows: batch_rows.max(1),
            hash,
            express,
            bounds: Bounds::default(),
        };
        Ok(Self {
            inner: Mutex::new(read::Reader::new(open(source)?, options)),
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let batch = py.detach(|| hold(&self.inner, "reader")?.next_batch().map_err(read_error))?;
        py.check_signals()?;
        let Some(batch) = batch else { return Ok(None) };
        let tables = PyDict::new(py);
        for (name, batch) in batch.tables {
            tables.set_item(name.name(), Table::of(vec![batch])?)?;
        }
        Ok(Some(tables))
    }

    /// Returns the facts about the document, once it is read: columns of the table `documents`, and `lastmod_months`.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reader = hold(&self.inner, "reader")?;
        let facts = reader
            .facts()
            .ok_or_else(|| PyRuntimeError::new_err("the document has not been read completely"))?;
        facts_dict(py, facts)
    }
}

/// Checks the limit on the decompressed size: it must be small enough to count lines and columns.
pub fn bounded(max_inflated: u64) -> PyResult<u64> {
    if max_inflated > limits::MOST_INFLATED {
        let most = limits::MOST_INFLATED;
        return Err(PyValueError::new_err(format!(
            "max_inflated must be at most {most}, not {max_inflated}"
        )));
    }
    Ok(max_inflated)
}

fn facts_dict<'py>(py: Python<'py>, facts: &Facts) -> PyResult<Bound<'py, PyDict>> {
    let decoded = &facts.decoded;
    let totals = &facts.totals;
    let dict = PyDict::new(py);
    dict.set_item("kind", facts.kind)?;
    dict.set_item("version", &facts.version)?;
    dict.set_item("root", &facts.prolog.root)?;
    dict.set_item("first_line", &facts.first_line)?;
    dict.set_item("namespace", &facts.prolog.namespace)?;
    dict.set_item("wire_bytes", decoded.wire_bytes)?;
    dict.set_item("bytes", decoded.bytes)?;
    dict.set_item("compression", decoded.compression.name())?;
    dict.set_item("encoding", decoded.encoding)?;
    let declared = decoded.declared_encoding.as_ref();
    dict.set_item("declared_encoding", declared.or(facts.prolog.late_encoding.as_ref()))?;
    dict.set_item("has_bom", decoded.has_bom)?;
    dict.set_item("has_declaration", facts.prolog.has_declaration)?;
    dict.set_item("stylesheet", &facts.prolog.stylesheet)?;
    let stylesheet_host = facts.prolog.stylesheet.as_deref().and_then(super::url_host);
    dict.set_item("stylesheet_host", stylesheet_host)?;
    dict.set_item("namespaces", &facts.namespaces)?;
    dict.set_item("namespace_lines", &facts.namespace_places.0)?;
    dict.set_item("namespace_cols", &facts.namespace_places.1)?;
    dict.set_item(
        "foreign_namespaces",
        facts.foreign.iter().map(|(uri, _)| uri.as_str()).collect::<Vec<_>>(),
    )?;
    dict.set_item(
        "foreign_counts",
        facts.foreign.iter().map(|(_, count)| *count).collect::<Vec<_>>(),
    )?;
    dict.set_item("entries", totals.entries)?;
    let [alternates, images, videos, news] = totals.records;
    dict.set_item("images", images)?;
    dict.set_item("videos", videos)?;
    dict.set_item("news", news)?;
    dict.set_item("alternates", alternates)?;
    dict.set_item("lastmod_missing", totals.lastmod_missing)?;
    dict.set_item("lastmod_oldest", totals.lastmod_oldest)?;
    dict.set_item("lastmod_newest", totals.lastmod_newest)?;
    let survey = &totals.survey;
    dict.set_item("lastmod_days", survey.lastmod_days)?;
    dict.set_item("lastmod_times", survey.lastmod_times)?;
    dict.set_item("hints", survey.hints)?;
    dict.set_item("with_changefreq", survey.with_changefreq)?;
    dict.set_item("with_priority", survey.with_priority)?;
    dict.set_item("priorities", survey.priorities)?;
    let has_priority = survey.priorities > 0;
    dict.set_item("priority_lowest", has_priority.then_some(survey.priority_lowest))?;
    dict.set_item("priority_highest", has_priority.then_some(survey.priority_highest))?;
    dict.set_item("sites", &survey.sites)?;
    dict.set_item("loc_longest", survey.loc_longest)?;
    dict.set_item("loc_slashes", survey.loc_slashes)?;
    dict.set_item("loc_absolute", survey.loc_absolute)?;
    dict.set_item("loc_repeats", survey.loc_repeats())?;
    dict.set_item("traits", survey.traits.bits())?;
    dict.set_item("well_formed", facts.well_formed)?;
    dict.set_item("complete", facts.complete)?;
    dict.set_item("sha256", &decoded.sha256)?;
    let months: Vec<(i32, i32, i64)> = totals.lastmod_months.iter().collect();
    dict.set_item("lastmod_months", months)?;
    Ok(dict)
}

fn read_error(error: ReadError) -> PyErr {
    match error {
        ReadError::Source(error) => error.into(),
        ReadError::Arrow(error) => arrow_error(error),
    }
}

pub fn open(source: &Bound<'_, PyAny>) -> PyResult<Box<dyn Read + Send>> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(Box::new(Cursor::new(PyBackedBytes::from(bytes.clone()))));
    }
    if source.is_instance_of::<PyString>() {
        // Same as `os.fsencode`: a name need not be UTF-8.
        let path: PathBuf = source.extract()?;
        let file = File::open(&path).map_err(|error| os_error(error, path))?;
        return Ok(Box::new(file));
    }
    if source.hasattr("read")? {
        return Ok(Box::new(PythonFile {
            file: source.clone().unbind(),
            rest: None,
        }));
    }
    Err(PyTypeError::new_err(
        "a source must be bytes, a path as str, or an object with read(size)",
    ))
}

/// An object with `read(size)`, read piece by piece while holding the interpreter lock.
struct PythonFile {
    file: Py<PyAny>,
    /// The bytes it returned beyond those last requested.
    rest: Option<Cursor<PyBackedBytes>>,
}

/// Bytes to request at a time: each call takes the lock.
const PIECE: usize = 256 * 1024;

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(rest) = &mut self.rest {
                let read = rest.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                self.rest = None;
            }
            let piece = Python::attach(|py| -> PyResult<PyBackedBytes> {
                let piece = self.file.bind(py).call_method1("read", (PIECE,))?;
                if piece.is_none() {
                    return Err(PyTypeError::new_err(
                        "read(size) returned None: a source must not be non-blocking",
                    ));
                }
                match piece.cast::<PyBytes>() {
                    Ok(bytes) => Ok(PyBackedBytes::from(bytes.clone())),
                    Err(_) => Err(PyTypeError::new_err(
                        "read(size) must return bytes: open the file in binary mode",
                    )),
                }
            })
            .map_err(io::Error::other)?;
            if piece.is_empty() {
                return Ok(0);
            }
            self.rest = Some(Cursor::new(piece));
        }
    }
}
