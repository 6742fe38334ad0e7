//! One sitemap as a stream of bytes, for an answer that begins before its last entry is known.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::columns::Batches;
use super::feed::{Feed, busy};
use super::options::options;
use crate::write::stream::Stream;

struct State {
    stream: Stream,
    feed: Feed,
}

/// Makes one document. Entries are added in pieces, and bytes taken whenever it suits; `note` as for `SetWriter`.
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
                feed: Feed::new(&options),
                stream: Stream::new(options),
            }),
            note,
        })
    }

    /// Adds one entry; returns how many were written: a group has several.
    fn add(&self, py: Python<'_>, entry: &Bound<'_, PyAny>) -> PyResult<u64> {
        let State { stream, feed } = &mut *self.state.try_lock().map_err(busy)?;
        feed.object(entry, stream, self.note.bind(py))
    }

    /// The rows of an Arrow stream, a batch at a time, for `add_batch`.
    #[staticmethod]
    fn batches(stream: &Bound<'_, PyAny>) -> PyResult<Batches> {
        Batches::open(stream)
    }

    /// Adds the next batch of an Arrow stream; returns how many entries were written, or None at its end.
    fn add_batch(&self, py: Python<'_>, batches: &Bound<'_, Batches>) -> PyResult<Option<u64>> {
        let Some(batch) = batches.borrow_mut().next_batch()? else {
            return Ok(None);
        };
        let State { stream, feed } = &mut *self.state.try_lock().map_err(busy)?;
        feed.batch(&batch, stream, self.note.bind(py)).map(Some)
    }

    /// The bytes that are ready; the first ones begin with the header.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.state.try_lock().map_err(busy)?.stream.take();
        Ok(PyBytes::new(py, &bytes))
    }

    /// The last bytes, with the end of the document.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let State { stream, feed } = &mut *self.state.try_lock().map_err(busy)?;
        feed.flush(stream, self.note.bind(py))?;
        let bytes = stream.finish();
        Ok(PyBytes::new(py, &bytes))
    }
}
