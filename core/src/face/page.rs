//! The facts of a page for Python. The interpreter lock is released while the page is read.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::page::{self, Facts, Options};

/// Returns the facts in the order of the fields of `urlset.page.PageFacts`.
#[pyfunction]
#[pyo3(signature = (content, charset=None, images=false))]
pub fn read_page<'py>(
    py: Python<'py>,
    content: &[u8],
    charset: Option<&str>,
    images: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let facts = py.detach(|| page::read(content, Options { charset, images }));
    tuple(py, facts)
}

fn tuple(py: Python<'_>, facts: Facts) -> PyResult<Bound<'_, PyTuple>> {
    let in_body = facts.in_body;
    let fields: [Bound<'_, PyAny>; 20] = [
        facts.title.into_pyobject(py)?,
        facts.heading.into_pyobject(py)?,
        facts.lang.into_pyobject(py)?,
        facts.base.into_pyobject(py)?,
        texts(py, facts.canonicals)?,
        pairs(py, facts.robots)?,
        pairs(py, facts.alternates)?,
        texts(py, in_body.canonicals)?,
        pairs(py, in_body.robots)?,
        pairs(py, in_body.alternates)?,
        facts.refresh.into_pyobject(py)?,
        PyTuple::new(py, facts.dates)?.into_any(),
        texts(py, facts.sitemaps)?,
        texts(py, facts.feeds)?,
        texts(py, facts.images)?,
        facts.has_password_field.into_pyobject(py)?.to_owned().into_any(),
        (facts.content_hash as i64).into_pyobject(py)?.into_any(),
        facts.words.into_pyobject(py)?.into_any(),
        facts.encoding.into_pyobject(py)?.into_any(),
        facts.complete.into_pyobject(py)?.to_owned().into_any(),
    ];
    PyTuple::new(py, fields)
}

fn texts(py: Python<'_>, texts: Vec<String>) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyTuple::new(py, texts)?.into_any())
}

fn pairs(py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyTuple::new(py, pairs)?.into_any())
}
