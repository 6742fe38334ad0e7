//! Regular expressions of strangers for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::expression;

/// A regular expression that is matched in linear time. It never changes.
#[pyclass(frozen, module = "urlset._core")]
pub struct Expression {
    inner: expression::Expression,
}

#[pymethods]
impl Expression {
    /// Raises ValueError with the reason if the expression is refused.
    #[new]
    #[pyo3(signature = (pattern, *, ignore_case=false))]
    fn new(pattern: &str, ignore_case: bool) -> PyResult<Self> {
        let inner = expression::Expression::new(pattern, ignore_case).map_err(PyValueError::new_err)?;
        Ok(Self { inner })
    }

    /// The names of the groups; the first is the whole match.
    #[getter]
    fn names(&self) -> Vec<Option<&str>> {
        self.inner.names().collect()
    }

    /// The groups of the first match, the whole match first; None if there is no match.
    fn groups<'py>(&self, py: Python<'py>, text: &[u8]) -> Option<Vec<Option<Bound<'py, PyBytes>>>> {
        let found = self.inner.find(text)?;
        let groups = found
            .iter()
            .map(|group| group.map(|group| PyBytes::new(py, group.as_bytes())));
        Some(groups.collect())
    }

    fn matches(&self, text: &[u8]) -> bool {
        self.inner.is_match(text)
    }
}
