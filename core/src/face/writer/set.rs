//! A set of sitemaps in a folder, and the index over it.

use std::path::Path;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::columns::Batches;
use super::feed::{Feed, busy, disk_error};
use super::options::options;
use crate::write::index::{Child, fitting, save_index};
use crate::write::part::Facts;
use crate::write::set::{Saved, Set};

struct State {
    set: Set,
    feed: Feed,
}

/// Writes entries to numbered files in a folder, split by the limits. `note` is told of what is left out: it gets the
/// number of the entry, its URL, the reason, the field, a detail, the value, and whether the whole entry was left out.
#[pyclass(frozen, module = "urlset._core")]
pub struct SetWriter {
    state: Mutex<State>,
    note: Py<PyAny>,
}

#[pymethods]
impl SetWriter {
    #[new]
    fn new(folder: String, given: &Bound<'_, PyDict>, note: Py<PyAny>) -> PyResult<Self> {
        let options = options(given)?;
        Ok(Self {
            state: Mutex::new(State {
                feed: Feed::new(&options),
                set: Set::new(folder.into(), options),
            }),
            note,
        })
    }

    /// Adds every entry of an iterable to a group; returns how many were written.
    fn extend(&self, py: Python<'_>, entries: &Bound<'_, PyAny>, group: &str) -> PyResult<u64> {
        let note = self.note.bind(py);
        // The iterable may be a generator that runs anything, so the lock is not held while it does.
        let mut taken = 0;
        for item in entries.try_iter()? {
            let item = item?;
            let mut state = self.lock()?;
            state.set.enter(group);
            let State { set, feed } = &mut *state;
            taken += feed.object(&item, set, note)?;
        }
        let State { set, feed } = &mut *self.lock()?;
        set.enter(group);
        Ok(taken + feed.flush(set, note)?)
    }

    /// Adds every row of an Arrow stream, read without copying it; returns how many were written.
    fn extend_arrow(&self, py: Python<'_>, stream: &Bound<'_, PyAny>, group: &str) -> PyResult<u64> {
        let note = self.note.bind(py);
        let mut batches = Batches::open(stream)?;
        let mut taken = 0;
        while let Some(batch) = batches.next_batch()? {
            let mut state = self.lock()?;
            state.set.enter(group);
            let State { set, feed } = &mut *state;
            taken += feed.batch(&batch, set, note)?;
        }
        Ok(taken)
    }

    /// Writes what is left; returns the facts of each file. With `empty`, a set without entries gets an empty sitemap.
    fn finish<'py>(&self, py: Python<'py>, empty: bool) -> PyResult<Bound<'py, PyList>> {
        let saved = py.detach(|| {
            let mut state = self.lock()?;
            let mut saved = state.set.finish().map_err(|error| disk_error(&error))?;
            if saved.is_empty() && empty {
                saved.push(state.set.save_empty().map_err(|error| disk_error(&error))?);
            }
            Ok::<_, PyErr>(saved)
        })?;
        let list = PyList::empty(py);
        for Saved { group, file, facts } in saved {
            let dict = facts_dict(py, &facts)?;
            dict.set_item("group", group)?;
            dict.set_item("file", file.to_string())?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// How many entries were offered.
    #[getter]
    fn offered(&self) -> PyResult<u64> {
        Ok(self.lock()?.feed.offered)
    }
}

impl SetWriter {
    fn lock(&self) -> PyResult<std::sync::MutexGuard<'_, State>> {
        self.state.try_lock().map_err(busy)
    }
}

fn facts_dict<'py>(py: Python<'py>, facts: &Facts) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("entries", facts.entries)?;
    dict.set_item("bytes", facts.bytes)?;
    dict.set_item("file_bytes", facts.file_bytes)?;
    dict.set_item("sha256", &facts.sha256)?;
    dict.set_item("newest", facts.newest)?;
    dict.set_item("alternates", facts.alternates)?;
    dict.set_item("images", facts.images)?;
    dict.set_item("videos", facts.videos)?;
    dict.set_item("news", facts.news)?;
    Ok(dict)
}

/// Writes an index of the children, or of as many of them as fit, to a new file; returns its facts.
#[pyfunction]
pub fn write_index<'py>(
    py: Python<'py>,
    path: &str,
    children: Vec<(String, Option<String>)>,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = options(given)?;
    let facts = py.detach(|| {
        let children: Vec<Child> = children
            .iter()
            .map(|(loc, lastmod)| Child {
                loc,
                lastmod: lastmod.as_deref(),
            })
            .collect();
        let count = fitting(&children, &options);
        save_index(&children[..count], Path::new(path), &options).map_err(|error| disk_error(&error))
    })?;
    facts_dict(py, &facts)
}
