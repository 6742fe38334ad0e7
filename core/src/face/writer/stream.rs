//! One sitemap as a stream of bytes, for a response that starts before the last entry is known.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::EntryError;
use super::batches::Batches;
use super::feed::{Feed, report};
use super::options::options;
use crate::face::lock::hold;
use crate::write::gathered::Gathered;
use crate::write::rows::Rows;
use crate::write::stream::Stream;

struct State {
    stream: Stream,
    feed: Feed,
    gathered: Gathered,
    /// The message when a limit is reached.
    full: String,
}

/// Builds one document. Entries are added in pieces, and bytes can be taken at any time; `note` as for `SetWriter`.
#[pyclass(frozen, module = "urlset._core")]
pub struct StreamWriter {
    state: Mutex<State>,
    note: Py<PyAny>,
}

#[pymethods]
impl StreamWriter {
    #[new]
    fn new(given: &Bound<'_, PyDict>, note: Py<PyAny>) -> PyResult<Self> {
        let options = options(given)?;
        Ok(Self {
            state: Mutex::new(State {
                full: format!(
                    "the limit of one sitemap is reached: {} entries, {} news records or {} bytes; write a set of sitemaps instead",
                    options.max_entries, options.max_news, options.max_bytes
                ),
                feed: Feed::new(&options),
                gathered: Gathered::default(),
                stream: Stream::new(options),
            }),
            note,
        })
    }

    /// Adds one entry.
    fn add(&self, py: Python<'_>, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = &mut *hold(&self.state, "writer")?;
        state.feed.object(entry, &mut state.gathered)?;
        if state.gathered.is_full() {
            state.settle(self.note.bind(py))?;
        }
        Ok(())
    }

    /// Returns the rows of an Arrow stream, one batch at a time, for `add_batch`.
    #[staticmethod]
    fn batches(stream: &Bound<'_, PyAny>) -> PyResult<Batches> {
        Batches::open(stream)
    }

    /// Adds the next batch of an Arrow stream; returns False at its end.
    fn add_batch(&self, py: Python<'_>, batches: &Bound<'_, Batches>) -> PyResult<bool> {
        let Some(batch) = batches.try_borrow_mut()?.next_batch()? else {
            return Ok(false);
        };
        let state = &mut *hold(&self.state, "writer")?;
        let first = state.feed.offered + 1;
        state.feed.offered += batch.len() as u64;
        for mut piece in batch.pieces(first)? {
            state.write(&mut piece, self.note.bind(py))?;
        }
        Ok(true)
    }

    /// Returns the bytes that are ready; the first ones start with the header.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = &mut *hold(&self.state, "writer")?;
        state.settle(self.note.bind(py))?;
        Ok(PyBytes::new(py, &state.stream.take()))
    }

    /// Returns the last bytes, with the end of the document.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = &mut *hold(&self.state, "writer")?;
        state.feed.flush(py, &mut state.gathered)?;
        state.settle(self.note.bind(py))?;
        Ok(PyBytes::new(py, &state.stream.finish()))
    }
}

impl State {
    /// Writes the gathered entries.
    fn settle(&mut self, note: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut gathered = std::mem::take(&mut self.gathered);
        self.write(&mut gathered, note)
    }

    fn write(&mut self, rows: &mut impl Rows, note: &Bound<'_, PyAny>) -> PyResult<()> {
        let stream = &mut self.stream;
        let omissions = note.py().detach(|| stream.add(rows));
        let omissions = omissions.map_err(|_| EntryError::new_err(self.full.clone()))?;
        omissions.iter().try_for_each(|one| report(note, one))
    }
}
