//! The rewriter as a Python iterator over the body of the result. The interpreter lock is released while it works.

use std::sync::Mutex;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::lock::hold;
use super::reader::{bounded, open};
use crate::limits::{self, Bounds};
use crate::rewrite::{self, Example, Limits, Options};

/// Rewrites one document: an iterator over the body of the result as bytes, then `result()`.
#[pyclass(frozen, module = "urlset._core")]
pub struct Rewriter {
    inner: Mutex<rewrite::Rewriter>,
}

#[pymethods]
impl Rewriter {
    /// `source`: bytes, the path of a file as str, or an object with `read(size) -> bytes`.
    #[new]
    #[pyo3(signature = (source, *, max_inflated=limits::DEFAULT_MAX_INFLATED, base_url=None, max_entries=limits::MAX_ENTRIES as u64, max_bytes=limits::MAX_BYTES as u64))]
    fn new(
        source: &Bound<'_, PyAny>,
        max_inflated: u64,
        base_url: Option<String>,
        max_entries: u64,
        max_bytes: u64,
    ) -> PyResult<Self> {
        let options = Options {
            max_inflated: bounded(max_inflated)?,
            base: base_url,
            limits: Limits {
                entries: max_entries.max(1),
                bytes: max_bytes,
            },
            express: true,
            bounds: Bounds::default(),
        };
        Ok(Self {
            inner: Mutex::new(rewrite::Rewriter::new(open(source)?, options)),
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let piece = py.detach(|| hold(&self.inner, "rewriter")?.next_piece().map_err(PyErr::from))?;
        py.check_signals()?;
        Ok(piece.map(|piece| PyBytes::new(py, &piece)))
    }

    /// Returns the outcome, once the document is rewritten.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rewriter = hold(&self.inner, "rewriter")?;
        let result = rewriter
            .result()
            .ok_or_else(|| PyRuntimeError::new_err("the document has not been rewritten completely"))?;
        let dict = PyDict::new(py);
        dict.set_item("kind", result.kind)?;
        dict.set_item("refusal", result.refusal.map(|refusal| refusal.name()))?;
        dict.set_item("head", PyBytes::new(py, result.head.as_bytes()))?;
        dict.set_item("tail", PyBytes::new(py, result.tail.as_bytes()))?;
        let parts: Vec<(u64, u64)> = result.parts.iter().map(|part| (part.end, part.entries)).collect();
        dict.set_item("parts", parts)?;
        dict.set_item("entries", result.entries)?;
        dict.set_item("is_gzip", result.is_gzip)?;
        dict.set_item("encoding", result.encoding)?;
        dict.set_item("was_well_formed", result.was_well_formed)?;
        let account = &result.account;
        let shown = |example: &Example| (example.line, example.before.clone(), example.after.clone());
        let repairs: Vec<(&str, u64, Vec<_>)> = account
            .repairs
            .iter()
            .map(|(repair, count, examples)| (repair.name(), count, examples.iter().map(shown).collect()))
            .collect();
        dict.set_item("repairs", repairs)?;
        let left_out: Vec<(&str, i32, String)> = account
            .left_out
            .listed
            .iter()
            .map(|(why, example)| (why.name(), example.line, example.before.clone()))
            .collect();
        dict.set_item("left_out", left_out)?;
        dict.set_item("left_out_count", account.left_out.count)?;
        dict.set_item("is_cut_off", account.is_cut_off)?;
        let alone = account.left_alone.listed.first();
        let alone = alone.map(|(_, example)| (example.line, example.before.clone()));
        dict.set_item("left_alone", alone)?;
        dict.set_item("left_alone_count", account.left_alone.count)?;
        Ok(dict)
    }
}
