//! Reads entries from Python objects: strings, dictionaries, and anything with the attributes of a typed entry.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::records::{links, records};
use super::values::{named, shown, text, value};
use super::{EntryError, EntryFailure};
use crate::write::entry::Entry;
use crate::write::records::{IMAGE, NEWS, VIDEO};

/// The fields of an entry as Python objects, held while the entry borrows from them.
#[derive(Default)]
pub struct Fields<'py> {
    pub loc: Option<Bound<'py, PyAny>>,
    lastmod: Option<Bound<'py, PyAny>>,
    changefreq: Option<Bound<'py, PyAny>>,
    priority: Option<Bound<'py, PyAny>>,
    hreflang: Option<Bound<'py, PyAny>>,
    alternates: Option<Bound<'py, PyAny>>,
    images: Option<Bound<'py, PyAny>>,
    videos: Option<Bound<'py, PyAny>>,
    news: Option<Bound<'py, PyAny>>,
    /// True if the URL is that of a file that exists; sources of directories say so.
    is_file: Option<Bound<'py, PyAny>>,
    /// The group that language versions of one page share, if they are passed one after the other.
    pub group: Option<Bound<'py, PyAny>>,
    own: Vec<(String, Bound<'py, PyAny>)>,
}

/// The strings of an entry without other fields. They are held because comparing a key of the dictionary can run code
/// that removes them from the dictionary.
pub struct Plain<'py> {
    loc: Bound<'py, PyString>,
    lastmod: Option<Bound<'py, PyString>>,
}

impl Plain<'_> {
    pub fn loc(&self) -> PyResult<&str> {
        self.loc.to_str()
    }

    /// Empty if there is no lastmod.
    pub fn lastmod(&self) -> PyResult<&str> {
        self.lastmod.as_ref().map_or(Ok(""), |text| text.to_str())
    }
}

/// Reads what most entries are: only a URL, or a dictionary with `loc` and `lastmod`, both strings.
#[inline]
pub fn plain<'py>(object: &Bound<'py, PyAny>) -> Option<Plain<'py>> {
    if let Ok(dict) = object.cast_exact::<PyDict>() {
        return plain_dict(dict);
    }
    let loc = object.cast_exact::<PyString>().ok()?;
    has_characters(loc).then(|| Plain {
        loc: loc.clone(),
        lastmod: None,
    })
}

#[inline]
fn plain_dict<'py>(dict: &Bound<'py, PyDict>) -> Option<Plain<'py>> {
    let py = dict.py();
    let count = dict.len();
    let loc = text_in(dict, intern!(py, "loc"))?;
    let lastmod = match count {
        1 => None,
        2 => Some(text_in(dict, intern!(py, "lastmod"))?),
        _ => return None,
    };
    Some(Plain { loc, lastmod })
}

/// Returns the string of an item. If the item is missing, or comparing keys fails, the general path reads it again.
#[inline]
fn text_in<'py>(dict: &Bound<'py, PyDict>, key: &Bound<'py, PyString>) -> Option<Bound<'py, PyString>> {
    let item = dict.get_item(key).ok()??;
    let text = item.cast_into_exact::<PyString>().ok()?;
    has_characters(&text).then_some(text)
}

/// Returns whether a string is valid Unicode: half of a surrogate pair is not.
#[inline]
fn has_characters(text: &Bound<'_, PyString>) -> bool {
    text.to_str().is_ok()
}

const KNOWN: &str = "loc (or url), lastmod, changefreq, priority, hreflang, alternates, images, videos, news, group, and prefix:name for \
                     custom namespaces";

impl<'py> Fields<'py> {
    /// Reads the fields of an object; returns `None` if it cannot be an entry.
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(dict) = object.cast::<PyDict>() {
            return Self::of_dict(dict).map(Some);
        }
        if object.is_instance_of::<PyString>() {
            return Ok(Some(Self {
                loc: Some(object.clone()),
                ..Self::default()
            }));
        }
        let py = object.py();
        if object.hasattr(intern!(py, "loc"))? {
            return Self::of_attributes(object).map(Some);
        }
        if object.hasattr(intern!(py, "keys"))? {
            // Another kind of mapping, or a row of SQLite.
            let dict = py.get_type::<PyDict>().call1((object,))?;
            return Self::of_dict(dict.cast::<PyDict>()?).map(Some);
        }
        Ok(None)
    }

    fn of_dict(dict: &Bound<'py, PyDict>) -> PyResult<Self> {
        let mut fields = Self::default();
        for (key, value) in dict {
            let key = key
                .cast::<PyString>()
                .map_err(|_| EntryError::new_err(format!("a field name must be a string, not {}", named(&key))))?;
            let key = key.to_str()?;
            let slot = match key {
                "loc" | "url" if fields.loc.is_some() => {
                    return Err(EntryError::new_err(
                        "an entry has both loc and url, which are the same field; keep one of them",
                    ));
                }
                "loc" | "url" => &mut fields.loc,
                "lastmod" => &mut fields.lastmod,
                "changefreq" => &mut fields.changefreq,
                "priority" => &mut fields.priority,
                "hreflang" => &mut fields.hreflang,
                "alternates" => &mut fields.alternates,
                "images" => &mut fields.images,
                "videos" => &mut fields.videos,
                "news" => &mut fields.news,
                "group" => &mut fields.group,
                "is_file" => &mut fields.is_file,
                _ if key.contains(':') => {
                    fields.own.push((key.to_owned(), value));
                    continue;
                }
                _ => {
                    return Err(EntryError::new_err(format!(
                        "an entry has no field {key:?}; the fields are: {KNOWN}"
                    )));
                }
            };
            *slot = Some(value);
        }
        fields.group = fields.group.filter(|group| !group.is_none());
        Ok(fields)
    }

    fn of_attributes(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let get = |name: &Bound<'py, PyString>| object.getattr_opt(name);
        Ok(Self {
            loc: get(intern!(py, "loc"))?,
            lastmod: get(intern!(py, "lastmod"))?,
            changefreq: get(intern!(py, "changefreq"))?,
            priority: get(intern!(py, "priority"))?,
            hreflang: get(intern!(py, "hreflang"))?,
            alternates: get(intern!(py, "alternates"))?,
            images: get(intern!(py, "images"))?,
            videos: get(intern!(py, "videos"))?,
            news: get(intern!(py, "news"))?,
            is_file: None,
            group: None,
            own: Vec::new(),
        })
    }

    /// Returns the entry, borrowing its strings where possible. If `loc` is a mapping from language code to URL, the
    /// entry has no loc of its own, and `alternates` are those of the whole group.
    #[inline]
    pub fn entry(&self, strip: bool) -> Result<Entry<'_>, EntryFailure> {
        let mut entry = Entry {
            lastmod: value(self.lastmod.as_ref(), "lastmod", strip)?,
            changefreq: value(self.changefreq.as_ref(), "changefreq", strip)?,
            priority: value(self.priority.as_ref(), "priority", strip)?,
            is_file: self
                .is_file
                .as_ref()
                .is_some_and(|given| given.is_truthy().unwrap_or(false)),
            ..Entry::default()
        };
        if let Some(loc) = &self.loc
            && !loc.is_none()
        {
            match loc.cast::<PyDict>() {
                Ok(group) => entry.alternates = links(group.as_any(), strip)?,
                Err(_) => entry.loc = Some(text(loc, "loc", strip)?),
            }
        }
        if let Some(code) = self.hreflang.as_ref().filter(|code| !code.is_none()) {
            entry.hreflang = Some(text(code, "hreflang", strip)?);
        }
        if let Some(given) = self.alternates.as_ref().filter(|given| !given.is_none()) {
            entry.alternates.extend(links(given, strip)?);
        }
        entry.images = records(&IMAGE, self.images.as_ref(), strip)?;
        entry.videos = records(&VIDEO, self.videos.as_ref(), strip)?;
        entry.news = records(&NEWS, self.news.as_ref(), strip)?;
        for (name, given) in &self.own {
            if let Some(value) = value(Some(given), name, strip)? {
                entry.own.push((Cow::Borrowed(name), value));
            }
        }
        Ok(entry)
    }

    /// Returns the URL as given, for messages.
    pub fn shown(&self) -> String {
        self.loc.as_ref().map_or_else(String::new, shown)
    }
}
