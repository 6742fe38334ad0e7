//! Turns Python objects into gathered entries, and reports refusals to Python.

use std::borrow::Cow;
use std::collections::HashSet;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use super::EntryFailure;
use super::objects::{Fields, plain};
use super::values::{named, shown};
use crate::write::Options;
use crate::write::entry::Link;
use crate::write::gathered::Gathered;
use crate::write::refusal::{Details, Reason, Refusal};
use crate::write::rows::Omission;
use crate::write::urls::Urls;

/// Counts the entries passed in, and keeps the language versions of a page until all are there.
pub struct Feed {
    /// Number of entries so far, including refused ones.
    pub offered: u64,
    strip: bool,
    urls: Urls,
    /// Language versions of one page, kept until the last one is there, and the group that they share.
    members: Vec<(u64, Py<PyAny>)>,
    group: Option<Py<PyAny>>,
}

impl Feed {
    pub fn new(options: &Options) -> Self {
        Self {
            offered: 0,
            strip: options.strip,
            urls: Urls::new(options.base.clone()),
            members: Vec::new(),
            group: None,
        }
    }

    /// Adds an object; the members of a group wait until the group is complete.
    #[inline]
    pub fn object(&mut self, item: &Bound<'_, PyAny>, out: &mut Gathered) -> PyResult<()> {
        self.offered += 1;
        if self.members.is_empty()
            && let Some(texts) = plain(item)
        {
            out.plain(self.offered, texts.loc()?, texts.lastmod()?);
            return Ok(());
        }
        self.other(item, out)
    }

    fn other(&mut self, item: &Bound<'_, PyAny>, out: &mut Gathered) -> PyResult<()> {
        let Some(fields) = Fields::of(item)? else {
            let detail = format!("{} is not supported as an entry", named(item));
            let refusal = Refusal::new(Reason::NotAnEntry, "", &detail, &shown(item));
            out.refuse(self.offered, String::new(), refusal);
            return Ok(());
        };
        if let Some(group) = &fields.group {
            if let Some(current) = &self.group
                && !current.bind(item.py()).eq(group)?
            {
                self.flush(item.py(), out)?;
            }
            self.group = Some(group.clone().unbind());
            self.members.push((self.offered, item.clone().unbind()));
            return Ok(());
        }
        self.flush(item.py(), out)?;
        self.fields(&fields, &[], self.offered, out)
    }

    /// Adds the language versions kept so far, each with links to all.
    pub fn flush(&mut self, py: Python<'_>, out: &mut Gathered) -> PyResult<()> {
        if self.members.is_empty() {
            return Ok(());
        }
        self.group = None;
        let members = std::mem::take(&mut self.members)
            .into_iter()
            .map(|(number, member)| Ok((number, Fields::of(member.bind(py))?)))
            .collect::<PyResult<Vec<_>>>()?;
        let mut links = Vec::new();
        for fields in members.iter().filter_map(|(_, fields)| fields.as_ref()) {
            // An invalid member is refused below; the others do not link to it.
            if let Ok(entry) = fields.entry(self.strip)
                && let (Some(code), Some(loc)) = (&entry.hreflang, &entry.loc)
                && self
                    .urls
                    .absolute(loc, "loc")
                    .is_ok_and(|url| Urls::default().good(&url, "loc").is_ok())
            {
                links.push(Link {
                    hreflang: Cow::Owned(code.clone().into_owned()),
                    href: Cow::Owned(loc.clone().into_owned()),
                });
                links.extend(entry.alternates.into_iter().map(Link::into_owned));
            }
        }
        for (number, fields) in &members {
            if let Some(fields) = fields {
                self.fields(fields, &links, *number, out)?;
            }
        }
        Ok(())
    }

    /// Adds the entry of the fields, or one entry for each URL if there are several.
    fn fields(&self, fields: &Fields, links: &[Link], number: u64, out: &mut Gathered) -> PyResult<()> {
        let mut entry = match fields.entry(self.strip) {
            Ok(entry) => entry,
            Err(EntryFailure::Raised(error)) => return Err(error),
            Err(EntryFailure::Refused(refusal)) => {
                out.refuse(number, fields.shown(), refusal);
                return Ok(());
            }
        };
        if !links.is_empty() {
            entry.alternates = links.to_vec();
        }
        if entry.loc.is_some() || entry.alternates.is_empty() {
            out.push(number, entry);
            return Ok(());
        }
        // Several URLs: the same for each.
        let mut known = HashSet::new();
        let locs: Vec<_> = entry.alternates.iter().map(|link| link.href.clone()).collect();
        for loc in locs.into_iter().filter(|loc| known.insert(loc.clone())) {
            entry.loc = Some(loc);
            out.push(number, entry.clone());
        }
        Ok(())
    }
}

/// Reports a refusal to Python: `note(number, loc, reason, field, detail, value, whole)`.
pub fn report(note: &Bound<'_, PyAny>, omission: &Omission) -> PyResult<()> {
    let Details {
        reason,
        field,
        detail,
        value,
    } = &*omission.refusal;
    note.call1((
        omission.number,
        &omission.loc,
        reason.name(),
        field,
        detail,
        value,
        omission.whole,
    ))?;
    Ok(())
}

/// Returns a disk error as a Python exception with its error number, so that callers can detect a full disk.
pub fn disk_error(error: &std::io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}
