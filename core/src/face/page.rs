//! The facts of a page for Python. The interpreter lock is released while the page is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::table::{Table, arrow_error};
use crate::page::{self, Facts, Links, Options};
use crate::read::value_columns::{Columns, hash};

/// The links of a page, as written. They are resolved only once the URL of the page is known.
#[pyclass(frozen, module = "urlset._core")]
pub struct PageLinks {
    links: Links,
    base: Option<String>,
}

#[pymethods]
impl PageLinks {
    /// Number of links beyond the limit, which were not kept.
    #[getter]
    fn skipped(&self) -> u64 {
        self.links.skipped
    }

    fn __len__(&self) -> usize {
        self.links.list.len()
    }

    /// Returns the rows of the table `links`: each http and https URL that the page links to, once.
    ///
    /// `page` is the URL at which the page was found, `url` the one at which it was read, and `nofollow` whether no
    /// link of the page may be followed.
    fn table(&self, py: Python<'_>, page: &str, url: &str, nofollow: bool) -> PyResult<Table> {
        let batch = py.detach(|| self.batch(page, url, nofollow)).map_err(arrow_error)?;
        Table::of(vec![batch])
    }
}

impl PageLinks {
    fn batch(&self, page: &str, url: &str, nofollow: bool) -> Result<RecordBatch, ArrowError> {
        let targets = self.links.targets(url, self.base.as_deref(), nofollow);
        let from_hash = hash(&page_key(page));
        let mut from_url = StringBuilder::with_capacity(targets.len(), targets.len() * page.len());
        let mut to_url = StringBuilder::with_capacity(targets.len(), targets.iter().map(|one| one.url.len()).sum());
        let mut from_hashes = Int64Builder::with_capacity(targets.len());
        let mut to_hashes = Int64Builder::with_capacity(targets.len());
        let mut nofollows = BooleanBuilder::with_capacity(targets.len());
        let mut in_mains = BooleanBuilder::with_capacity(targets.len());
        for target in &targets {
            from_url.append_value(page);
            from_hashes.append_value(from_hash);
            to_url.append_value(&target.url);
            to_hashes.append_value(target.hash);
            nofollows.append_value(target.nofollow);
            in_mains.append_value(target.in_main);
        }
        let mut columns = Columns::default();
        let arrays: [(&str, ArrayRef); 6] = [
            ("from_url", Arc::new(from_url.finish())),
            ("from_hash", Arc::new(from_hashes.finish())),
            ("to_url", Arc::new(to_url.finish())),
            ("to_hash", Arc::new(to_hashes.finish())),
            ("nofollow", Arc::new(nofollows.finish())),
            ("in_main", Arc::new(in_mains.finish())),
        ];
        for (name, array) in arrays {
            columns.push(name, array);
        }
        columns.finish()
    }
}

/// Returns the one spelling of a URL, in which links name it; a URL that cannot be requested stays as it is.
#[pyfunction]
pub fn page_key(url: &str) -> String {
    page::key(url).unwrap_or_else(|| url.to_owned())
}

/// Returns `url_hash` of the one spelling of a URL.
#[pyfunction]
pub fn page_hash(url: &str) -> i64 {
    page::hash(url)
}

/// Returns the facts in the order of the fields of `urlset.page.PageFacts`.
#[pyfunction]
#[pyo3(signature = (content, charset=None, images=false, links=false))]
pub fn read_page<'py>(
    py: Python<'py>,
    content: &[u8],
    charset: Option<&str>,
    images: bool,
    links: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let options = Options {
        charset,
        images,
        links,
        ..Options::default()
    };
    let facts = py.detach(|| page::read(content, options));
    tuple(py, facts, links)
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
            Ok(Some(facts)) => list.append(tuple(py, facts, false)?)?,
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

fn tuple(py: Python<'_>, facts: Facts, links: bool) -> PyResult<Bound<'_, PyTuple>> {
    let in_body = facts.in_body;
    let page_links = links.then(|| PageLinks {
        links: facts.links,
        base: facts.base.clone(),
    });
    let fields: [Bound<'_, PyAny>; 23] = [
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
        PyTuple::new(py, facts.indexnow_keys)?.into_any(),
        texts(py, facts.images)?,
        page_links.into_pyobject(py)?,
        facts.has_script.into_pyobject(py)?.to_owned().into_any(),
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
