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
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyList, PyTuple};

use super::table::{Table, arrow_error};
use crate::page::{self, Facts, Links, Options, Target};
use crate::read::value_columns::Columns;

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

    /// Returns the http and https URLs that the page links to, each once.
    ///
    /// `page` is the URL at which the page was found, `url` the one at which it was read, and `nofollow` whether no
    /// link of the page may be followed.
    fn targets(&self, py: Python<'_>, page: String, url: &str, nofollow: bool) -> PageTargets {
        py.detach(|| PageTargets {
            targets: self.links.targets(url, self.base.as_deref(), nofollow),
            page,
        })
    }
}

/// The URLs that a page links to.
#[pyclass(frozen, module = "urlset._core")]
pub struct PageTargets {
    targets: Vec<Target>,
    page: String,
}

#[pymethods]
impl PageTargets {
    fn __len__(&self) -> usize {
        self.targets.len()
    }
}

/// Returns the rows of the table `links` of many pages, in one batch: DuckDB takes twice as long for small ones.
#[pyfunction]
pub fn links_table(py: Python<'_>, pages: Vec<Py<PageTargets>>) -> PyResult<Table> {
    let pages: Vec<&PageTargets> = pages.iter().map(Py::get).collect();
    let batch = py.detach(|| links_batch(&pages)).map_err(arrow_error)?;
    Table::of(vec![batch])
}

fn links_batch(pages: &[&PageTargets]) -> Result<RecordBatch, ArrowError> {
    let rows = pages.iter().map(|page| page.targets.len()).sum();
    let from_bytes = pages.iter().map(|page| page.targets.len() * page.page.len()).sum();
    let to_bytes = pages
        .iter()
        .flat_map(|page| &page.targets)
        .map(|target| target.url.len())
        .sum();
    let mut from_url = StringBuilder::with_capacity(rows, from_bytes);
    let mut to_url = StringBuilder::with_capacity(rows, to_bytes);
    let (mut from_hash, mut to_hash) = (Int64Builder::with_capacity(rows), Int64Builder::with_capacity(rows));
    let (mut nofollow, mut in_main) = (BooleanBuilder::with_capacity(rows), BooleanBuilder::with_capacity(rows));
    for page in pages {
        let hash = page::hash(&page.page);
        for target in &page.targets {
            from_url.append_value(&page.page);
            from_hash.append_value(hash);
            to_url.append_value(&target.url);
            to_hash.append_value(target.hash);
            nofollow.append_value(target.nofollow);
            in_main.append_value(target.in_main);
        }
    }
    let mut columns = Columns::default();
    let arrays: [(&str, ArrayRef); 6] = [
        ("from_url", Arc::new(from_url.finish())),
        ("from_hash", Arc::new(from_hash.finish())),
        ("to_url", Arc::new(to_url.finish())),
        ("to_hash", Arc::new(to_hash.finish())),
        ("nofollow", Arc::new(nofollow.finish())),
        ("in_main", Arc::new(in_main.finish())),
    ];
    for (name, array) in arrays {
        columns.push(name, array);
    }
    columns.finish()
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

/// A page: its content, the charset of its Content-Type, and whether to read its images and its links.
type Page = (PyBackedBytes, Option<String>, bool, bool);

/// Reads pages one after the other, without the interpreter lock. Returns a list with the facts of each, in the order of
/// the fields of `urlset.page.PageFacts`.
#[pyfunction]
pub fn read_pages<'py>(py: Python<'py>, pages: Vec<Page>) -> PyResult<Bound<'py, PyList>> {
    let read = |(content, charset, images, links): &Page| {
        let options = Options {
            charset: charset.as_deref(),
            images: *images,
            links: *links,
            ..Options::default()
        };
        page::read(content, options)
    };
    let facts: Vec<Facts> = py.detach(|| pages.iter().map(read).collect());
    let list = PyList::empty(py);
    for (facts, (.., links)) in facts.into_iter().zip(&pages) {
        list.append(tuple(py, facts, *links)?)?;
    }
    Ok(list)
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
