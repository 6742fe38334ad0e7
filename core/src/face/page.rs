//! The facts of a page for Python. The interpreter lock is released while the page is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

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
    let options = Options {
        charset,
        images,
        ..Options::default()
    };
    let facts = py.detach(|| page::read(content, options));
    tuple(py, facts)
}

/// Reads the pages in files, one after the other, without the interpreter lock. Returns a list with the facts of each, an
/// `OSError` if it cannot be read, or `None` if it is larger than `most` bytes.
#[pyfunction]
pub fn read_page_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    most: u64,
    images: bool,
) -> PyResult<Bound<'py, PyList>> {
    let options = Options {
        images,
        ..Options::default()
    };
    let pages: Vec<io::Result<Option<Facts>>> = py.detach(|| {
        let read = |path: &PathBuf| Ok(read_file(path, most)?.map(|content| page::read(&content, options)));
        paths.iter().map(read).collect()
    });
    let list = PyList::empty(py);
    for (page, path) in pages.into_iter().zip(paths) {
        match page {
            Ok(Some(facts)) => list.append(tuple(py, facts)?)?,
            Ok(None) => list.append(py.None())?,
            Err(error) => list.append(os_error(error, path).into_value(py))?,
        }
    }
    Ok(list)
}

/// Returns the content of a file, or `None` if it is larger than `most` bytes.
fn read_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut content)?;
    Ok((content.len() as u64 <= most).then_some(content))
}

/// The same error as Python would raise.
pub fn os_error(error: io::Error, path: PathBuf) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, error.to_string(), path)),
        None => error.into(),
    }
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
