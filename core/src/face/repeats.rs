//! Hashes that may be repeated, for Python. The interpreter lock is released while hashes are added.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::ArrowError;
use pyo3::prelude::*;

use super::table::{Table, arrow_error, batches_of};
use crate::read::repeats;
use crate::read::value_columns::Columns;

/// The hashes in a column that may be repeated.
#[pyclass(module = "urlset._core")]
pub struct Repeats {
    inner: repeats::Repeats,
    column: String,
}

#[pymethods]
impl Repeats {
    /// `column`: the name of the column, of 64-bit integers.
    #[new]
    fn new(column: String) -> Self {
        Self {
            inner: repeats::Repeats::new(),
            column,
        }
    }

    /// Adds the hashes in rows, an object with `__arrow_c_stream__`; null is not a hash.
    fn add(&mut self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let batches = batches_of(rows)?;
        py.detach(|| batches.iter().try_for_each(|batch| self.add_batch(batch)))
            .map_err(arrow_error)
    }

    /// Returns the hashes that may be repeated, each once, and begins anew; None if there are too many.
    ///
    /// All repeated hashes are among them, and about one in thirty of the others.
    fn take(&mut self, py: Python<'_>) -> PyResult<Option<Table>> {
        let Some(found) = py.detach(|| self.inner.take()) else {
            return Ok(None);
        };
        let hashes: ArrayRef = Arc::new(Int64Array::from(found));
        let rows = Columns::table([(self.column.as_str(), hashes)]).map_err(arrow_error)?;
        Table::of(vec![rows]).map(Some)
    }
}

impl Repeats {
    fn add_batch(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let column = batch
            .column_by_name(&self.column)
            .and_then(|column| column.as_primitive_opt::<Int64Type>())
            .ok_or_else(|| ArrowError::SchemaError(format!("no column {} of 64-bit integers", self.column)))?;
        if column.null_count() == 0 {
            self.inner.add(column.values());
        } else {
            self.inner.add(&column.iter().flatten().collect::<Vec<_>>());
        }
        Ok(())
    }
}
