//! The ledger of a set whose URLs stay in their parts, as Arrow streams: columns `high` and `low`, the two halves of the
//! hash of a URL, and `part`. Rows are sorted by hash.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::types::UInt64Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, RecordBatchReader, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::columns::Column;
use crate::face::table::{arrow_error, capsule_of, stream_of};
use crate::write::stable::{self, Ledger, SHARES};

/// Reads a ledger share by share.
pub struct LedgerReader<'a> {
    reader: RecordBatchStreamReader,
    /// Index of each part by its name in the ledger.
    parts: HashMap<&'a str, u32>,
    /// Rows of the current batch that are not returned yet, in reverse order.
    waiting: Vec<(u128, u32)>,
    last: Option<u128>,
}

impl<'a> LedgerReader<'a> {
    pub fn open(object: &Bound<'_, PyAny>, parts: &'a [String]) -> PyResult<Self> {
        let parts = parts.iter().zip(0..).map(|(name, at)| (name.as_str(), at));
        Ok(Self {
            reader: stream_of(object)?,
            parts: parts.collect(),
            waiting: Vec::new(),
            last: None,
        })
    }

    /// Returns the rows of the next share.
    pub fn share(&mut self, share: usize) -> PyResult<Vec<(u128, u32)>> {
        let mut found = Vec::new();
        loop {
            while let Some((key, part)) = self.waiting.pop_if(|(key, _)| stable::share_of(*key) == share) {
                found.push((key, part));
            }
            if !self.waiting.is_empty() || !self.next_batch()? {
                return Ok(found);
            }
        }
    }

    fn next_batch(&mut self) -> PyResult<bool> {
        let Some(batch) = self.reader.next().transpose().map_err(arrow_error)? else {
            return Ok(false);
        };
        let damaged = || PyValueError::new_err("the ledger is damaged");
        let half = |name: &str| {
            let column = batch.column_by_name(name)?;
            column.as_primitive_opt::<UInt64Type>()
        };
        let (high, low) = half("high").zip(half("low")).ok_or_else(damaged)?;
        let names = batch.column_by_name("part").ok_or_else(damaged)?;
        let names = Column::of(names, "part")?;
        for row in 0..batch.num_rows() {
            let key = u128::from(high.value(row)) << 64 | u128::from(low.value(row));
            if self.last.is_some_and(|last| last >= key) {
                return Err(damaged());
            }
            self.last = Some(key);
            let name = names.text(row);
            let part = name.and_then(|name| self.parts.get(name.as_ref()).copied());
            self.waiting.push((key, part.unwrap_or(u32::MAX)));
        }
        self.waiting.reverse();
        Ok(true)
    }
}

/// A ledger as an Arrow stream, which is read from temporary files.
#[pyclass(frozen, module = "urlset._core")]
pub struct LedgerTable {
    ledger: Arc<Ledger>,
    schema: SchemaRef,
    names: ArrayRef,
}

impl LedgerTable {
    pub fn new(ledger: Ledger, names: &[String]) -> Self {
        let text = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let fields = vec![
            Field::new("high", DataType::UInt64, false),
            Field::new("low", DataType::UInt64, false),
            Field::new("part", text, false),
        ];
        Self {
            ledger: Arc::new(ledger),
            schema: Arc::new(Schema::new(fields)),
            names: Arc::new(StringArray::from_iter_values(names)),
        }
    }
}

#[pymethods]
impl LedgerTable {
    /// Returns the rows as a stream of Arrow record batches (capsule `arrow_array_stream`).
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let rows = LedgerRows {
            ledger: Arc::clone(&self.ledger),
            schema: Arc::clone(&self.schema),
            names: Arc::clone(&self.names),
            share: 0,
        };
        capsule_of(py, rows, requested_schema)
    }
}

struct LedgerRows {
    ledger: Arc<Ledger>,
    schema: SchemaRef,
    names: ArrayRef,
    share: usize,
}

impl LedgerRows {
    fn batch(&self) -> Result<RecordBatch, ArrowError> {
        let lines = self.ledger.share(self.share)?;
        let high = UInt64Array::from_iter_values(lines.iter().map(|(key, _)| (key >> 64) as u64));
        let low = UInt64Array::from_iter_values(lines.iter().map(|(key, _)| *key as u64));
        let part = Int32Array::from_iter_values(lines.iter().map(|(_, part)| *part as i32));
        let part = DictionaryArray::try_new(part, Arc::clone(&self.names))?;
        RecordBatch::try_new(
            Arc::clone(&self.schema),
            vec![Arc::new(high), Arc::new(low), Arc::new(part)],
        )
    }
}

impl Iterator for LedgerRows {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.share < SHARES).then(|| {
            let batch = self.batch();
            self.share += 1;
            batch
        })
    }
}

impl RecordBatchReader for LedgerRows {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
