//! The facts of a page for Python. The interpreter lock is released while the page is read.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyList, PyString, PyTuple};

use super::table::{Table, arrow_error};
use crate::page::{self, Facts, Options, Targets};
use crate::read::value_columns::Columns;
use crate::value::whatwg_url;

/// The http and https URLs that a page links to, each once, and its anchors.
#[pyclass(frozen, module = "urlset._core")]
pub struct PageLinks {
    targets: Targets,
    /// Hashes of its anchors, in order.
    anchors: Vec<u32>,
    has_all_anchors: bool,
    skipped: u64,
}

#[pymethods]
impl PageLinks {
    /// Number of links beyond the limit, which were not kept.
    #[getter]
    fn skipped(&self) -> u64 {
        self.skipped
    }

    fn __len__(&self) -> usize {
        self.targets.list.len()
    }
}

/// Rows of the tables `links`, `linked_anchors`, and `anchors` that wait to be stored.
#[pyclass(module = "urlset._core")]
#[derive(Default)]
pub struct LinkRows {
    pages: VecDeque<LinkingPage>,
    /// Rows of the first page that were taken.
    taken: usize,
    rows: usize,
    linked_anchors: LinkedAnchors,
    anchors: PageAnchors,
}

struct LinkingPage {
    url: String,
    links: Py<PageLinks>,
    /// Whether no link of the page may be followed.
    nofollow: bool,
}

#[pymethods]
impl LinkRows {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    /// Adds the links of a page. `nofollow` says whether none of them may be followed, and `keeps_fragment` whether a
    /// fragment in the URL is still there when the page is shown.
    fn add(&mut self, url: String, links: Py<PageLinks>, nofollow: bool, keeps_fragment: bool) {
        let found = links.get();
        self.rows += found.targets.list.len();
        let hash = whatwg_url::hash(&url);
        self.linked_anchors.add(hash, &found.targets);
        self.anchors
            .add(hash, &found.anchors, found.has_all_anchors && keeps_fragment);
        self.pages.push_back(LinkingPage { url, links, nofollow });
    }

    /// Removes the first rows, at most this many, and returns them.
    fn take(&mut self, py: Python<'_>, most: usize) -> PyResult<Table> {
        let rows = most.min(self.rows);
        let batch = py.detach(|| self.first(rows)).map_err(arrow_error)?;
        self.rows -= rows;
        self.taken += rows;
        while let Some(page) = self.pages.front()
            && page.links.get().targets.list.len() <= self.taken
        {
            self.taken -= page.links.get().targets.list.len();
            self.pages.pop_front();
        }
        Table::of(vec![batch])
    }

    /// Removes the rows of `linked_anchors` and `anchors`, and returns them.
    fn take_anchors(&mut self) -> PyResult<(Table, Table)> {
        let linked = std::mem::take(&mut self.linked_anchors).finish().map_err(arrow_error)?;
        let anchors = std::mem::take(&mut self.anchors).finish().map_err(arrow_error)?;
        Ok((Table::of(vec![linked])?, Table::of(vec![anchors])?))
    }
}

impl LinkRows {
    fn first(&self, rows: usize) -> Result<RecordBatch, ArrowError> {
        let (mut from_url, mut to_url) = (StringBuilder::new(), StringBuilder::new());
        let (mut from_hash, mut to_hash) = (Int64Builder::with_capacity(rows), Int64Builder::with_capacity(rows));
        let (mut nofollow, mut in_main) = (BooleanBuilder::with_capacity(rows), BooleanBuilder::with_capacity(rows));
        let (mut start, mut left) = (self.taken, rows);
        for page in &self.pages {
            let targets = &page.links.get().targets;
            let end = targets.list.len().min(start + left);
            let hash = whatwg_url::hash(&page.url);
            for place in start..end {
                let target = &targets.list[place];
                from_url.append_value(&page.url);
                from_hash.append_value(hash);
                to_url.append_value(targets.url(place));
                to_hash.append_value(target.hash);
                nofollow.append_value(page.nofollow || target.nofollow);
                in_main.append_value(target.in_main);
            }
            left -= end - start;
            start = 0;
            if left == 0 {
                break;
            }
        }
        Columns::table([
            ("from_url", Arc::new(from_url.finish())),
            ("from_hash", Arc::new(from_hash.finish())),
            ("to_url", Arc::new(to_url.finish())),
            ("to_hash", Arc::new(to_hash.finish())),
            ("nofollow", Arc::new(nofollow.finish())),
            ("in_main", Arc::new(in_main.finish())),
        ])
    }
}

/// Rows of `linked_anchors`.
#[derive(Default)]
struct LinkedAnchors {
    from_hash: Int64Builder,
    to_hash: Int64Builder,
    fragment: StringBuilder,
    wanted: ListBuilder<Int64Builder>,
}

impl LinkedAnchors {
    fn add(&mut self, from_hash: i64, targets: &Targets) {
        for anchor in &targets.anchors {
            self.from_hash.append_value(from_hash);
            // A link to the URL where the page arrives leads to the page.
            let is_own = anchor.hash == targets.own_hash;
            self.to_hash.append_value(if is_own { from_hash } else { anchor.hash });
            self.fragment.append_value(&anchor.wanted.fragment);
            self.wanted
                .append_value(anchor.wanted.hashes.map(|hash| Some(i64::from(hash))));
        }
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        Columns::table([
            ("from_hash", Arc::new(self.from_hash.finish())),
            ("to_hash", Arc::new(self.to_hash.finish())),
            ("fragment", Arc::new(self.fragment.finish())),
            ("wanted", Arc::new(self.wanted.finish())),
        ])
    }
}

/// Rows of `anchors`.
#[derive(Default)]
struct PageAnchors {
    page_hash: Int64Builder,
    hashes: ListBuilder<Int64Builder>,
    complete: BooleanBuilder,
}

impl PageAnchors {
    fn add(&mut self, page_hash: i64, hashes: &[u32], complete: bool) {
        self.page_hash.append_value(page_hash);
        self.hashes
            .append_value(hashes.iter().map(|hash| Some(i64::from(*hash))));
        self.complete.append_value(complete);
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        Columns::table([
            ("page_hash", Arc::new(self.page_hash.finish())),
            ("hashes", Arc::new(self.hashes.finish())),
            ("complete", Arc::new(self.complete.finish())),
        ])
    }
}

/// Returns the normal form of the URL that is requested for a URL: without fragment and user. What cannot be requested
/// stays as it is.
#[pyfunction]
pub fn page_key<'py>(url: Bound<'py, PyString>) -> Bound<'py, PyString> {
    // A text with lone surrogates is not a URL.
    match url.to_str().ok().and_then(whatwg_url::key) {
        Some(key) => PyString::new(url.py(), &key),
        None => url,
    }
}

/// Returns `url_hash` of `page_key`: two URLs are of the same page if it is equal.
#[pyfunction]
pub fn page_hash(url: &str) -> i64 {
    whatwg_url::hash(url)
}

/// Returns a hash that all spellings of the URL of a page share.
#[pyfunction]
pub fn spelling_hash(url: &str) -> i64 {
    page::spelling_hash(url)
}

/// Reads a `Refresh` header: seconds, and the target as written; `None` if browsers ignore it.
#[pyfunction]
pub fn read_refresh(value: &str) -> Option<(f64, Option<String>)> {
    page::read_refresh(value)
}

/// A page: its content, the charset of its Content-Type, whether to read its images, and its URL; without it, its links
/// are not read.
type Page = (PyBackedBytes, Option<String>, bool, Option<String>);

/// The facts of a page, and the links in it if they were read.
type PageRead = (Facts, Option<PageLinks>);

/// Reads pages one after the other, without the interpreter lock. Returns a list with the facts of each, in the order of
/// the fields of `urlset.page.PageFacts`.
#[pyfunction]
pub fn read_pages<'py>(py: Python<'py>, pages: Vec<Page>) -> PyResult<Bound<'py, PyList>> {
    let read = |(content, charset, images, url): &Page| read_one(content, charset, *images, url);
    let read: Vec<_> = py.detach(|| pages.iter().map(read).collect());
    let list = PyList::empty(py);
    for page in read {
        list.append(tuple(py, page)?)?;
    }
    Ok(list)
}

fn read_one(content: &[u8], charset: &Option<String>, images: bool, url: &Option<String>) -> PageRead {
    let options = Options {
        charset: charset.as_deref(),
        images,
        links: url.is_some(),
        ..Options::default()
    };
    let facts = page::read(content, options);
    let links = url.as_deref().map(|url| {
        let anchors = facts.anchors.hashes();
        PageLinks {
            targets: facts.links.targets(url, facts.base.as_deref(), &anchors),
            anchors,
            has_all_anchors: facts.has_all_anchors(),
            skipped: facts.links.skipped,
        }
    });
    (facts, links)
}

/// Reads the main text of a page, in lines by block, and its headings. Returns them, and whether they are complete.
#[pyfunction]
pub fn read_text<'py>(
    py: Python<'py>,
    content: PyBackedBytes,
    charset: Option<String>,
) -> PyResult<(String, Bound<'py, PyAny>, bool)> {
    let facts = py.detach(|| {
        let options = Options {
            charset: charset.as_deref(),
            text: true,
            ..Options::default()
        };
        page::read(&content, options)
    });
    Ok((facts.text, texts(py, facts.headings)?, facts.complete))
}

/// A page in a file; otherwise as `Page`.
type PageFile = (PathBuf, Option<String>, bool, Option<String>);

/// Reads the pages in files, one after the other, without the interpreter lock. Returns a list with the facts of each, an
/// `OSError` if it cannot be read, or `None` if it is larger than `most` bytes.
#[pyfunction]
pub fn read_page_files<'py>(py: Python<'py>, files: Vec<PageFile>, most: u64) -> PyResult<Bound<'py, PyList>> {
    let read = |(path, charset, images, url): &PageFile| {
        let content = read_file(path, most)?;
        Ok(content.map(|content| read_one(&content, charset, *images, url)))
    };
    let pages: Vec<io::Result<Option<PageRead>>> = py.detach(|| files.iter().map(read).collect());
    let list = PyList::empty(py);
    for (page, (path, ..)) in pages.into_iter().zip(files) {
        match page {
            Ok(Some(page)) => list.append(tuple(py, page)?)?,
            Ok(None) => list.append(py.None())?,
            Err(error) => list.append(os_error(error, path).into_value(py))?,
        }
    }
    Ok(list)
}

/// Returns the content of a file, or `None` if it is larger than `most` bytes.
fn read_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    let file = File::open(path)?;
    // A `File` knows its size, and `Take` does not, so that the content would be copied whenever it grows.
    content.reserve(file.metadata()?.len().min(most + 1) as usize);
    file.take(most + 1).read_to_end(&mut content)?;
    Ok((content.len() as u64 <= most).then_some(content))
}

/// The same error as Python would raise.
pub fn os_error(error: io::Error, path: PathBuf) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, error.to_string(), path)),
        None => error.into(),
    }
}

fn tuple(py: Python<'_>, (facts, links): PageRead) -> PyResult<Bound<'_, PyTuple>> {
    let in_body = facts.in_body;
    let fields: [Bound<'_, PyAny>; 30] = [
        facts.title.into_pyobject(py)?,
        facts.heading.into_pyobject(py)?,
        facts.description.into_pyobject(py)?,
        facts.lang.into_pyobject(py)?,
        facts.base.into_pyobject(py)?,
        texts(py, facts.canonicals)?,
        pairs(py, facts.robots)?,
        pairs(py, facts.alternates)?,
        texts(py, in_body.canonicals)?,
        pairs(py, in_body.robots)?,
        pairs(py, in_body.alternates)?,
        facts.head_end.into_pyobject(py)?,
        facts.refresh.into_pyobject(py)?,
        facts.script_target.into_pyobject(py)?,
        PyTuple::new(py, facts.dates)?.into_any(),
        texts(py, facts.sitemaps)?,
        texts(py, facts.feeds)?,
        texts(py, facts.markdown)?,
        texts(py, facts.described_by)?,
        PyTuple::new(py, facts.indexnow_keys)?.into_any(),
        texts(py, facts.images)?,
        links.into_pyobject(py)?,
        facts.has_script.into_pyobject(py)?.to_owned().into_any(),
        facts.has_password_field.into_pyobject(py)?.to_owned().into_any(),
        facts.kind.name().into_pyobject(py)?.into_any(),
        (facts.content_hash as i64).into_pyobject(py)?.into_any(),
        facts.words.into_pyobject(py)?.into_any(),
        facts.bytes.into_pyobject(py)?.into_any(),
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
