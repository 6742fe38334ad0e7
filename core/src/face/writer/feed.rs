//! From Python to the writer: an object or a batch of Arrow at a time, refusals told to Python.

use std::borrow::Cow;
use std::collections::HashSet;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use super::columns::Batch;
use super::objects::{Fields, named, shown};
use super::{EntryError, Trouble};
use crate::write::entry::{Entry, Link};
use crate::write::refusal::{Details, Reason, Refusal};
use crate::write::urls::Urls;
use crate::write::{Failure, Options, Sink};

/// Counts the entries on their way to a sink.
pub struct Feed {
    /// Entries offered so far, refused ones included.
    pub offered: u64,
    strip: bool,
    full: String,
    /// Language versions of one page, kept until the last of them is there; and what they have in common.
    members: Vec<(u64, Py<PyAny>)>,
    group: Option<Py<PyAny>>,
}

/// What is told of one refusal: number of the entry, its URL, why, and whether the whole entry was left out.
type Told = (u64, String, Refusal, bool);

impl Feed {
    pub fn new(options: &Options) -> Self {
        Self {
            offered: 0,
            strip: options.strip,
            members: Vec::new(),
            group: None,
            full: format!(
                "the limit of one sitemap is reached: {} entries, {} news records or {} bytes; write a set instead",
                options.max_entries, options.max_news, options.max_bytes
            ),
        }
    }

    /// Adds an object; returns how many entries were written: none while the members of a group are still gathered.
    #[inline]
    pub fn object(&mut self, item: &Bound<'_, PyAny>, sink: &mut impl Sink, note: &Bound<'_, PyAny>) -> PyResult<u64> {
        self.offered += 1;
        let Some(fields) = Fields::of(item)? else {
            let detail = format!("no entry is made from {}", named(item));
            let refusal = Refusal::new(Reason::NotAnEntry, "", &detail, &shown(item));
            tell(note, &(self.offered, String::new(), refusal, true))?;
            return Ok(0);
        };
        if let Some(group) = &fields.group {
            let mut taken = 0;
            if let Some(current) = &self.group
                && !current.bind(item.py()).eq(group)?
            {
                taken = self.flush(sink, note)?;
            }
            self.group = Some(group.clone().unbind());
            self.members.push((self.offered, item.clone().unbind()));
            return Ok(taken);
        }
        let before = self.flush(sink, note)?;
        Ok(before + self.fields(&fields, &[], self.offered, sink, note)?)
    }

    /// Adds the language versions that were kept, each with links to all; returns how many were written.
    pub fn flush(&mut self, sink: &mut impl Sink, note: &Bound<'_, PyAny>) -> PyResult<u64> {
        if self.members.is_empty() {
            return Ok(0);
        }
        self.group = None;
        let members = std::mem::take(&mut self.members)
            .into_iter()
            .map(|(number, member)| Ok((number, Fields::of(member.bind(note.py()))?)))
            .collect::<PyResult<Vec<_>>>()?;
        let mut links = Vec::new();
        for fields in members.iter().filter_map(|(_, fields)| fields.as_ref()) {
            // A bad member is refused below; the others do not link to it.
            if let Ok(entry) = fields.entry(self.strip)
                && let (Some(code), Some(loc)) = (&entry.hreflang, &entry.loc)
                && Urls::default().good(loc, "loc").is_ok()
            {
                links.push(Link {
                    hreflang: Cow::Owned(code.clone().into_owned()),
                    href: Cow::Owned(loc.clone().into_owned()),
                });
                links.extend(entry.alternates.into_iter().map(|link| Link {
                    hreflang: Cow::Owned(link.hreflang.into_owned()),
                    href: Cow::Owned(link.href.into_owned()),
                }));
            }
        }
        let mut taken = 0;
        for (number, fields) in &members {
            if let Some(fields) = fields {
                taken += self.fields(fields, &links, *number, sink, note)?;
            }
        }
        Ok(taken)
    }

    /// Adds what the fields stand for: one entry, or one for each of several URLs.
    #[inline]
    fn fields(
        &self,
        fields: &Fields,
        links: &[Link],
        number: u64,
        sink: &mut impl Sink,
        note: &Bound<'_, PyAny>,
    ) -> PyResult<u64> {
        let mut entry = match fields.entry(self.strip) {
            Ok(entry) => entry,
            Err(Trouble::Raised(error)) => return Err(error),
            Err(Trouble::Refused(refusal)) => {
                tell(note, &(number, fields.shown(), refusal, true))?;
                return Ok(0);
            }
        };
        if !links.is_empty() {
            entry.alternates = links.to_vec();
        }
        let mut told = Vec::new();
        let mut taken = 0;
        if entry.loc.is_some() || entry.alternates.is_empty() {
            taken += u64::from(self.push(&entry, number, sink, &mut told)?);
        } else {
            // Several URLs: the same for each.
            let mut locs: Vec<_> = entry.alternates.iter().map(|link| link.href.clone()).collect();
            let mut known = HashSet::new();
            locs.retain(|loc| known.insert(loc.clone()));
            for loc in locs {
                entry.loc = Some(loc);
                taken += u64::from(self.push(&entry, number, sink, &mut told)?);
            }
        }
        told.iter().try_for_each(|one| tell(note, one))?;
        Ok(taken)
    }

    /// Adds every row of a batch, without the interpreter's lock; returns how many were written.
    pub fn batch(&mut self, batch: &Batch, sink: &mut (impl Sink + Send), note: &Bound<'_, PyAny>) -> PyResult<u64> {
        let (taken, told) = note.py().detach(|| {
            let rows = batch.rows()?;
            let (mut taken, mut told) = (0, Vec::new());
            for row in 0..batch.len() {
                self.offered += 1;
                taken += u64::from(self.push(&rows.entry(row), self.offered, sink, &mut told)?);
            }
            Ok::<_, PyErr>((taken, told))
        })?;
        told.iter().try_for_each(|one| tell(note, one))?;
        Ok(taken)
    }

    /// Offers one entry to the sink; whether it was taken.
    #[inline]
    fn push(&self, entry: &Entry, number: u64, sink: &mut impl Sink, told: &mut Vec<Told>) -> PyResult<bool> {
        let loc = || entry.loc.as_deref().unwrap_or_default().to_owned();
        let taken = match sink.push(entry) {
            Ok(()) => true,
            Err(Failure::Refused(refusal)) => {
                told.push((number, loc(), refusal, true));
                false
            }
            Err(Failure::Full) => return Err(EntryError::new_err(self.full.clone())),
            Err(Failure::Disk(error)) => return Err(disk_error(&error)),
        };
        if sink.has_dropped() {
            let dropped = sink.take_dropped();
            told.extend(dropped.into_iter().map(|refusal| (number, loc(), refusal, false)));
        }
        Ok(taken)
    }
}

/// Tells Python of a refusal: `note(number, loc, reason, field, detail, value, whole)`.
fn tell(note: &Bound<'_, PyAny>, (number, loc, refusal, whole): &Told) -> PyResult<()> {
    let Details {
        reason,
        field,
        detail,
        value,
    } = &**refusal;
    note.call1((number, loc, reason.name(), field, detail, value, whole))?;
    Ok(())
}

/// An error of the disk as Python has it, with its number, so that a full disk can be told from others.
pub fn disk_error(error: &std::io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}

/// For a lock that is taken: the iterable that is being written writes to the same writer, or a thread does.
pub fn busy<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("the writer is in use by another thread, or failed before")
}
