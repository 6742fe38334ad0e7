//! Sets of hreflang links for Python. The interpreter lock is released while rows are added.

use pyo3::prelude::*;

use super::table::{Table, arrow_error, batches_of};
use crate::read::open_sets;

/// The hreflang sets that are not closed, with their entries and links.
#[pyclass(module = "urlset._core")]
pub struct OpenSets {
    inner: open_sets::OpenSets,
}

#[pymethods]
impl OpenSets {
    /// `between_removals`: the minimum number of entries between two removals of closed sets.
    #[new]
    fn new(between_removals: usize) -> Self {
        Self {
            inner: open_sets::OpenSets::new(between_removals),
        }
    }

    /// Memory of the rows, in bytes.
    #[getter]
    fn nbytes(&self) -> usize {
        self.inner.bytes()
    }

    /// Adds rows of whole documents, and returns how many of their sets they do not close by themselves.
    ///
    /// `link_sets` and `alternates` are objects with `__arrow_c_stream__`, in the order of documents and entries.
    fn add(&mut self, py: Python<'_>, link_sets: &Bound<'_, PyAny>, alternates: &Bound<'_, PyAny>) -> PyResult<usize> {
        let (link_sets, alternates) = (batches_of(link_sets)?, batches_of(alternates)?);
        py.detach(|| self.inner.add(&link_sets, &alternates))
            .map_err(arrow_error)
    }

    /// Number of entries that `closed` would return.
    #[getter]
    fn closed_entries(&self) -> usize {
        self.inner.closed_entries()
    }

    /// Returns columns of the entries of closed sets that were removed since the last call.
    fn closed(&mut self, py: Python<'_>, columns: Vec<String>) -> PyResult<Table> {
        let rows = py.detach(|| self.inner.closed(&columns)).map_err(arrow_error)?;
        Table::of(vec![rows])
    }

    /// Removes all open sets, and returns their entries, with these columns, their links, and the first links of each
    /// document with their text: `open_sets`, `open_links`, and `open_hrefs`.
    fn drain(&mut self, py: Python<'_>, columns: Vec<String>) -> PyResult<(Table, Table, Table)> {
        let [sets, links, hrefs] = py.detach(|| self.inner.drain(&columns)).map_err(arrow_error)?;
        Ok((Table::of(vec![sets])?, Table::of(vec![links])?, Table::of(vec![hrefs])?))
    }
}
