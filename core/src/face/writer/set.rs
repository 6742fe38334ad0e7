//! A set of sitemaps in a folder, and its index.

use std::path::Path;
use std::sync::Mutex;
use std::thread::available_parallelism;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use super::batches::Batches;
use super::feed::{Feed, disk_error, report};
use super::ledger::{LedgerReader, LedgerTable};
use super::options::options;
use crate::face::lock::hold;
use crate::write::file::digest;
use crate::write::gathered::Gathered;
use crate::write::index::{Child, document, fitting, save_index};
use crate::write::part::Facts;
use crate::write::records::DEPRECATED;
use crate::write::rows::Rows;
use crate::write::set::Set;
use crate::write::stable::SHARES;

/// Maximum encoding threads: beyond that, ordering their output takes longest.
const MOST_THREADS: usize = 8;

struct State {
    set: Set,
    is_stable: bool,
    feed: Feed,
    gathered: Gathered,
    /// Running calls, by number, and how many entries each has written: an iterable may itself write to the writer that
    /// consumes it.
    calls: Vec<(u64, u64)>,
    last_call: u64,
    /// The call that the gathered entries belong to, and their group.
    owner: (u64, String),
}

/// Writes entries to numbered files in a folder, split by the limits. Calls `note` for everything left out, with the
/// number of the entry, its URL, the reason, the field, a detail, the value, and whether the whole entry was left out.
#[pyclass(frozen, module = "urlset._core")]
pub struct SetWriter {
    state: Mutex<State>,
    note: Py<PyAny>,
}

#[pymethods]
impl SetWriter {
    /// `threads` is the number of encoding threads, by default the number of cores.
    #[new]
    #[pyo3(signature = (folder, given, note, threads=None))]
    fn new(folder: String, given: &Bound<'_, PyDict>, note: Py<PyAny>, threads: Option<usize>) -> PyResult<Self> {
        let options = options(given)?;
        let cores = || available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(cores).clamp(1, MOST_THREADS);
        Ok(Self {
            state: Mutex::new(State {
                feed: Feed::new(&options),
                is_stable: options.merges.is_some(),
                set: Set::new(folder.into(), options, threads),
                gathered: Gathered::default(),
                calls: Vec::new(),
                last_call: 0,
                owner: (0, String::new()),
            }),
            note,
        })
    }

    /// Adds every entry of an iterable to a group, and returns how many were written.
    fn extend(&self, py: Python<'_>, entries: &Bound<'_, PyAny>, group: &str) -> PyResult<u64> {
        let note = self.note.bind(py);
        let call = self.lock()?.begin();
        let fed = self.feed(entries, call, group);
        let mut state = self.lock()?;
        let ended = state.end(call, note);
        fed.and(ended)
    }

    /// Adds every row of an Arrow stream without copying it, and returns how many were written.
    fn extend_arrow(&self, py: Python<'_>, stream: &Bound<'_, PyAny>, group: &str) -> PyResult<u64> {
        let note = self.note.bind(py);
        let mut batches = Batches::open(stream)?;
        let mut state = self.lock()?;
        let call = state.begin();
        let fed = (|| {
            state.own(call, group, note)?;
            while let Some(batch) = batches.next_batch()? {
                let first = state.feed.offered + 1;
                state.feed.offered += batch.len() as u64;
                for piece in batch.pieces(first)? {
                    state.add(Box::new(piece), note)?;
                }
            }
            Ok(())
        })();
        let ended = state.end(call, note);
        fed.and(ended)
    }

    /// Writes the remaining entries and returns the facts of each file. With `empty`, a set without entries gets an
    /// empty sitemap.
    fn finish<'py>(&self, py: Python<'py>, empty: bool) -> PyResult<Bound<'py, PyList>> {
        let mut state = self.lock()?;
        let set = &mut state.set;
        let saved = py
            .detach(|| {
                let mut saved = set.finish()?;
                if saved.is_empty() && empty {
                    saved.push(set.save_empty()?);
                }
                Ok(saved)
            })
            .map_err(|error| disk_error(&error))?;
        let list = PyList::empty(py);
        let names = if state.is_stable {
            state.set.part_names().map_err(|error| disk_error(&error))?
        } else {
            Vec::new()
        };
        for one in saved {
            let dict = facts_dict(py, &one.facts)?;
            // The number of a part is its own if URLs stay in their part; otherwise it follows from the order.
            let (group, number) = match names.get(one.group) {
                Some((group, number)) => (group.as_str(), Some(*number)),
                None => (state.set.group(one.group), None),
            };
            dict.set_item("group", group)?;
            dict.set_item("number", number)?;
            dict.set_item("file", one.file.to_string())?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// Sets the published parts, by group and number, of a set whose URLs stay in their parts. All entries are added.
    fn know_parts(&self, py: Python<'_>, parts: Vec<(String, u64)>) -> PyResult<()> {
        let set = &mut self.lock()?.set;
        py.detach(|| set.know_parts(&parts)).map_err(|error| disk_error(&error))
    }

    /// Adds the URLs of a published part, if there is no ledger: the column `loc` of an Arrow stream. Returns how many
    /// are URLs.
    fn add_published(&self, part: u32, stream: &Bound<'_, PyAny>) -> PyResult<u64> {
        let mut batches = Batches::open(stream)?;
        let set = &mut self.lock()?.set;
        let mut count = 0;
        while let Some(batch) = batches.next_batch()? {
            for key in batch.published_keys()? {
                set.with_stable(|stable| stable.add_published(key, part))
                    .map_err(|error| disk_error(&error))?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Matches the entries with a ledger, an Arrow stream whose parts have these names in the order of `know_parts`;
    /// without one, with the URLs of `add_published`. Reports repeated URLs.
    fn match_published(&self, py: Python<'_>, names: Vec<String>, ledger: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut reader = ledger.map(|ledger| LedgerReader::open(ledger, &names)).transpose()?;
        let note = self.note.bind(py);
        for share in 0..SHARES {
            py.check_signals()?;
            let known = reader.as_mut().map(|reader| reader.share(share)).transpose()?;
            let set = &mut self.lock()?.set;
            let omissions = py.detach(|| {
                set.with_stable(|stable| {
                    let known = known.map_or_else(|| stable.published(share), Ok)?;
                    stable.match_share(share, &known)
                })
            });
            let omissions = omissions.map_err(|error| disk_error(&error))?;
            omissions.iter().try_for_each(|one| report(note, one))?;
        }
        Ok(())
    }

    /// Returns the group and number of each part, and what the build changes, after `finish`.
    #[allow(clippy::type_complexity)]
    fn stable_changes<'py>(&self, py: Python<'py>) -> PyResult<(Vec<(String, u64)>, Bound<'py, PyDict>)> {
        let set = &mut self.lock()?.set;
        let names = set.part_names().map_err(|error| disk_error(&error))?;
        let changes = set
            .with_stable(|stable| Ok(stable.changes().clone()))
            .map_err(|error| disk_error(&error))?;
        let dict = PyDict::new(py);
        for (name, count) in [
            ("kept", changes.kept),
            ("added", changes.added),
            ("removed", changes.removed),
            ("regrouped", changes.regrouped),
            ("outgrown", changes.outgrown),
            ("merged", changes.merged),
        ] {
            dict.set_item(name, count)?;
        }
        let merges: Vec<_> = changes
            .merges
            .into_iter()
            .map(|merge| (merge.part, merge.into))
            .collect();
        dict.set_item("merges", merges)?;
        Ok((names, dict))
    }

    /// Returns the next ledger, once, after `finish`; `names` are those of all parts.
    fn ledger(&self, names: Vec<String>) -> PyResult<LedgerTable> {
        let set = &mut self.lock()?.set;
        let ledger = set.with_stable(|stable| Ok(stable.take_ledger()));
        Ok(LedgerTable::new(ledger.map_err(|error| disk_error(&error))?, &names))
    }

    /// Returns the URL, escaped as in XML, and the lastmod in microseconds since 1970 of the newest entries, after
    /// `finish`.
    fn newest(&self, py: Python<'_>) -> PyResult<Vec<(String, i64)>> {
        let mut state = self.lock()?;
        let set = &mut state.set;
        py.detach(|| set.newest()).map_err(|error| disk_error(&error))
    }

    /// Ends the set: no thread writes to the folder after this.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        let set = &mut self.lock()?.set;
        py.detach(|| set.stop());
        Ok(())
    }

    /// Returns how many entries were passed in.
    #[getter]
    fn offered(&self) -> PyResult<u64> {
        Ok(self.lock()?.feed.offered)
    }
}

impl SetWriter {
    fn lock(&self) -> PyResult<std::sync::MutexGuard<'_, State>> {
        hold(&self.state, "writer")
    }

    /// The iterable can be a generator that runs any code, so the lock is not held meanwhile.
    fn feed(&self, entries: &Bound<'_, PyAny>, call: u64, group: &str) -> PyResult<()> {
        let note = self.note.bind(entries.py());
        for item in entries.try_iter()? {
            let item = item?;
            let mut state = self.lock()?;
            if state.owner.0 != call {
                state.own(call, group, note)?;
            }
            let State { feed, gathered, .. } = &mut *state;
            feed.object(&item, gathered)?;
            if gathered.is_full() {
                state.hand_over(note)?;
            }
        }
        let mut state = self.lock()?;
        state.own(call, group, note)?;
        let State { feed, gathered, .. } = &mut *state;
        feed.flush(entries.py(), gathered)
    }
}

impl State {
    fn begin(&mut self) -> u64 {
        self.last_call += 1;
        self.calls.push((self.last_call, 0));
        self.last_call
    }

    /// Assigns the following entries to this call and this group.
    fn own(&mut self, call: u64, group: &str, note: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.owner.0 != call {
            self.hand_over(note)?;
            self.owner = (call, group.to_owned());
        }
        Ok(())
    }

    /// Passes on the gathered entries.
    fn hand_over(&mut self, note: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let gathered = std::mem::take(&mut self.gathered);
        self.add(Box::new(gathered), note)
    }

    fn add(&mut self, rows: Box<dyn Rows>, note: &Bound<'_, PyAny>) -> PyResult<()> {
        let (call, group) = &self.owner;
        let set = &mut self.set;
        // Waiting here must not block other users of the interpreter.
        let added = note.py().detach(|| set.add(group, rows, *call));
        self.settle(note)?;
        added.map_err(|error| disk_error(&error))
    }

    /// Counts written entries, and reports those left out.
    fn settle(&mut self, note: &Bound<'_, PyAny>) -> PyResult<()> {
        let outcomes = self.set.outcomes();
        for outcome in &outcomes {
            if let Some((_, taken)) = self.calls.iter_mut().find(|(call, _)| *call == outcome.tag) {
                *taken += outcome.taken;
            }
        }
        let mut omissions = outcomes.iter().flat_map(|outcome| &outcome.omissions);
        omissions.try_for_each(|one| report(note, one))
    }

    /// Waits until everything added is done, and returns how many entries the call has written.
    fn end(&mut self, call: u64, note: &Bound<'_, PyAny>) -> PyResult<u64> {
        let handed = self.hand_over(note);
        let set = &mut self.set;
        let waited = note.py().detach(|| set.wait());
        self.settle(note)?;
        handed?;
        waited.map_err(|error| disk_error(&error))?;
        let at = self.calls.iter().position(|(known, _)| *known == call);
        Ok(at.map_or(0, |at| self.calls.swap_remove(at).1))
    }
}

fn facts_dict<'py>(py: Python<'py>, facts: &Facts) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let tally = &facts.tally;
    dict.set_item("entries", tally.entries)?;
    dict.set_item("bytes", facts.bytes)?;
    dict.set_item("file_bytes", facts.file_bytes)?;
    dict.set_item("digest", &facts.digest)?;
    dict.set_item("newest", tally.newest)?;
    dict.set_item("dated", tally.dated)?;
    dict.set_item("alternates", tally.alternates)?;
    dict.set_item("images", tally.images)?;
    dict.set_item("videos", tally.videos)?;
    dict.set_item("news", tally.news)?;
    dict.set_item("deprecated", tally.deprecated)?;
    let is_used = |bit: &usize| tally.deprecated_fields & (1 << bit) != 0;
    let fields: Vec<&str> = (0..DEPRECATED.len())
        .filter(is_used)
        .map(|bit| DEPRECATED[bit])
        .collect();
    dict.set_item("deprecated_fields", fields)?;
    dict.set_item("unescaped", tally.unescaped)?;
    Ok(dict)
}

/// Writes an index of the children, or of as many as fit, to a new file, and returns its facts.
#[pyfunction]
pub fn write_index<'py>(
    py: Python<'py>,
    path: &str,
    children: Vec<(String, Option<String>)>,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = options(given)?;
    let facts = py.detach(|| {
        let children = borrowed(&children);
        let count = fitting(&children, &options);
        save_index(&children[..count], Path::new(path), &options).map_err(|error| disk_error(&error))
    })?;
    facts_dict(py, &facts)
}

/// Returns an index of the children as bytes, or `None` if they do not fit into one.
#[pyfunction]
pub fn index_document<'py>(
    py: Python<'py>,
    children: Vec<(String, Option<String>)>,
    given: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let options = options(given)?;
    let children = borrowed(&children);
    let fit = fitting(&children, &options) == children.len();
    Ok(fit.then(|| PyBytes::new(py, &document(&children, &options))))
}

fn borrowed(children: &[(String, Option<String>)]) -> Vec<Child<'_>> {
    children
        .iter()
        .map(|(loc, lastmod)| Child {
            loc,
            lastmod: lastmod.as_deref(),
        })
        .collect()
}

/// Returns the digest of a file, comparable with that in the facts of a written file.
#[pyfunction]
pub fn file_digest(py: Python<'_>, path: &str) -> PyResult<String> {
    py.detach(|| digest(Path::new(path)))
        .map_err(|error| disk_error(&error))
}
