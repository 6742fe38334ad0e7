//! Python objects to entries: texts, dictionaries, and anything with the attributes of a typed entry.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use super::{EntryError, Trouble};
use crate::write::entry::{Entry, Item, Link, Record, Value};
use crate::write::records::{IMAGE, NEWS, Spec, VIDEO};
use crate::write::refusal::{Reason, Refusal};

/// The fields of an entry as Python has them, held while the entry borrows from them.
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
    /// What language versions of one page have in common, given one after the other.
    pub group: Option<Bound<'py, PyAny>>,
    own: Vec<(String, Bound<'py, PyAny>)>,
}

/// The texts of an entry that has nothing else, held: a key of the dictionary may run code when it is compared, and that
/// code may take them out of the dictionary.
pub struct Plain<'py> {
    loc: Bound<'py, PyString>,
    lastmod: Option<Bound<'py, PyString>>,
}

impl Plain<'_> {
    pub fn loc(&self) -> PyResult<&str> {
        self.loc.to_str()
    }

    /// Empty where there is none.
    pub fn lastmod(&self) -> PyResult<&str> {
        self.lastmod.as_ref().map_or(Ok(""), |text| text.to_str())
    }
}

/// What most entries are: a URL alone, or a dictionary with `loc` and `lastmod`, both text.
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

/// The text of an item. Where there is none, or the comparison of keys fails, the general way looks again.
#[inline]
fn text_in<'py>(dict: &Bound<'py, PyDict>, key: &Bound<'py, PyString>) -> Option<Bound<'py, PyString>> {
    let item = dict.get_item(key).ok()??;
    let text = item.cast_into_exact::<PyString>().ok()?;
    has_characters(&text).then_some(text)
}

/// Whether a text is of characters: half of a surrogate pair is none.
#[inline]
fn has_characters(text: &Bound<'_, PyString>) -> bool {
    text.to_str().is_ok()
}

const KNOWN: &str = "loc (or url), lastmod, changefreq, priority, hreflang, alternates, images, videos, news, group, and prefix:name for \
                     namespaces of your own";

impl<'py> Fields<'py> {
    /// Takes an object apart; `None` when it is nothing that could be an entry.
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
            // A mapping of another kind, or a row of SQLite.
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
                .map_err(|_| EntryError::new_err(format!("a field's name is text, and not {}", named(&key))))?;
            let key = key.to_str()?;
            let slot = match key {
                "loc" | "url" if fields.loc.is_some() => {
                    return Err(EntryError::new_err(
                        "an entry has both loc and url, which are one field",
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
                _ if key.contains(':') => {
                    fields.own.push((key.to_owned(), value));
                    continue;
                }
                _ => {
                    return Err(EntryError::new_err(format!(
                        "an entry has no field {key:?}; there are: {KNOWN}"
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
            group: None,
            own: Vec::new(),
        })
    }

    /// The entry, its texts borrowed where they can be. Where `loc` is a mapping from language code to URL, the entry
    /// has no loc of its own, and `alternates` are those of the whole group.
    #[inline]
    pub fn entry(&self, strip: bool) -> Result<Entry<'_>, Trouble> {
        let mut entry = Entry {
            lastmod: value(self.lastmod.as_ref(), "lastmod", strip)?,
            changefreq: value(self.changefreq.as_ref(), "changefreq", strip)?,
            priority: value(self.priority.as_ref(), "priority", strip)?,
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

    /// The URL for messages, as it was given.
    pub fn shown(&self) -> String {
        self.loc.as_ref().map_or_else(String::new, shown)
    }
}

/// An object as a message shows it.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = match object.cast::<PyString>() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => object
            .repr()
            .map_or_else(|_| named(object), |text| text.to_string_lossy().into_owned()),
    };
    text.chars().take(500).collect()
}

/// The name of an object's type.
pub fn named(object: &Bound<'_, PyAny>) -> String {
    object
        .get_type()
        .name()
        .map_or_else(|_| "an object".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn text<'a>(object: &'a Bound<'_, PyAny>, field: &str, strip: bool) -> Result<Cow<'a, str>, Trouble> {
    match object.cast::<PyString>() {
        Ok(text) => whole(text, field, strip),
        Err(_) => {
            let detail = format!("text is wanted, and not {}", named(object));
            Err(Refusal::new(Reason::NotAnEntry, field, &detail, &shown(object)).into())
        }
    }
}

/// The characters of a text. Half of a surrogate pair is none: XML forbids it, and no encoding has it.
#[inline]
fn whole<'a>(text: &'a Bound<'_, PyString>, field: &str, strip: bool) -> Result<Cow<'a, str>, Trouble> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text));
    }
    let shown = text.to_string_lossy().into_owned();
    if strip {
        let bytes = text.call_method1("encode", ("utf-8", "ignore"))?;
        return Ok(Cow::Owned(bytes.call_method1("decode", ("utf-8",))?.extract()?));
    }
    Err(Refusal::new(Reason::ForbiddenCharacter, field, "half of a surrogate pair", &shown).into())
}

#[inline]
fn value<'a>(given: Option<&'a Bound<'_, PyAny>>, field: &str, strip: bool) -> Result<Option<Value<'a>>, Trouble> {
    let Some(given) = given else { return Ok(None) };
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Some(Value::Text(whole(text, field, strip)?)));
    }
    if given.is_none() {
        return Ok(None);
    }
    unusual(given, field).map(Some)
}

/// The value of an object that is no text.
fn unusual(given: &Bound<'_, PyAny>, field: &str) -> Result<Value<'static>, Trouble> {
    let py = given.py();
    if let Ok(answer) = given.cast::<PyBool>() {
        return Ok(Value::Bool(answer.is_true()));
    }
    if given.is_instance_of::<PyInt>() {
        return Ok(match given.extract::<i64>() {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Text(Cow::Owned(given.str()?.to_string())),
        });
    }
    if let Ok(number) = given.cast::<PyFloat>() {
        return Ok(Value::Float(number.value()));
    }
    // Dates and times, those of pandas included; the reader's grammar reads what they write.
    if let Some(isoformat) = given.getattr_opt(intern!(py, "isoformat"))? {
        return Ok(Value::Text(Cow::Owned(isoformat.call0()?.extract()?)));
    }
    if given.hasattr(intern!(py, "as_tuple"))? {
        // A Decimal; `f` writes no exponent.
        return Ok(Value::Text(Cow::Owned(
            given.call_method1(intern!(py, "__format__"), ("f",))?.extract()?,
        )));
    }
    let detail = format!("no value is written from {}", named(given));
    Err(Refusal::new(Reason::NotAnEntry, field, &detail, &shown(given)).into())
}

/// Links given as a mapping from code to URL, or as a sequence of mappings or typed links.
fn links(given: &Bound<'_, PyAny>, strip: bool) -> Result<Vec<Link<'static>>, Trouble> {
    let py = given.py();
    let link = |code: &Bound<'_, PyAny>, href: &Bound<'_, PyAny>| -> Result<Link<'static>, Trouble> {
        Ok(Link {
            hreflang: Cow::Owned(text(code, "alternates.hreflang", strip)?.into_owned()),
            href: Cow::Owned(text(href, "alternates.href", strip)?.into_owned()),
        })
    };
    if let Ok(mapping) = given.cast::<PyMapping>() {
        return mapping
            .items()?
            .iter()
            .map(|pair| link(&pair.get_item(0)?, &pair.get_item(1)?))
            .collect();
    }
    sequence(given, "alternates")?
        .iter()
        .map(|item| {
            if let Ok(mapping) = item.cast::<PyMapping>() {
                for key in mapping.keys()?.iter() {
                    if !["rel", "hreflang", "href"].contains(&key.str()?.to_str()?) {
                        return Err(unknown("alternates", &key.str()?.to_string()));
                    }
                }
                let get = |name: &str| mapping.get_item(name).unwrap_or_else(|_| py.None().into_bound(py));
                return link(&get("hreflang"), &get("href"));
            }
            let get = |name: &str| {
                item.getattr_opt(name)
                    .map(|it| it.unwrap_or_else(|| py.None().into_bound(py)))
            };
            link(&get("hreflang")?, &get("href")?)
        })
        .collect()
}

fn unknown(holder: &str, key: &str) -> Trouble {
    Trouble::Raised(EntryError::new_err(format!("{holder} has no field {key:?}")))
}

/// The items of a list, tuple or other iterable that is no text.
fn sequence<'py>(given: &Bound<'py, PyAny>, field: &str) -> Result<Vec<Bound<'py, PyAny>>, Trouble> {
    if let Ok(list) = given.cast::<PyList>() {
        return Ok(list.iter().collect());
    }
    if let Ok(tuple) = given.cast::<PyTuple>() {
        return Ok(tuple.iter().collect());
    }
    if !given.is_instance_of::<PyString>() && given.hasattr("__iter__")? {
        return Ok(given.try_iter()?.collect::<PyResult<_>>()?);
    }
    let detail = format!("several values are wanted, and not {}", named(given));
    Err(Refusal::new(Reason::NotAnEntry, field, &detail, &shown(given)).into())
}

fn records(spec: &Spec, given: Option<&Bound<'_, PyAny>>, strip: bool) -> Result<Vec<Record<'static>>, Trouble> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(Vec::new());
    };
    let alone = given.is_instance_of::<PyString>() || given.cast::<PyMapping>().is_ok();
    if alone
        || spec
            .fields
            .iter()
            .any(|field| field.required && given.hasattr(field.key).unwrap_or(false))
    {
        return Ok(vec![record(spec, given, strip)?]);
    }
    sequence(given, spec.key)?
        .iter()
        .map(|item| record(spec, item, strip))
        .collect()
}

/// One record from a mapping, from an object with its fields as attributes, or from the one text that it may be.
fn record(spec: &Spec, given: &Bound<'_, PyAny>, strip: bool) -> Result<Record<'static>, Trouble> {
    let mut record = Record::new();
    if let (Some(short), Ok(alone)) = (spec.short, given.cast::<PyString>()) {
        let text = whole(alone, spec.name, strip)?.into_owned();
        record.push((Cow::Borrowed(short), Item::One(Value::Text(Cow::Owned(text)))));
        return Ok(record);
    }
    if let Ok(mapping) = given.cast::<PyMapping>() {
        for pair in mapping.items()?.iter() {
            let key = pair.get_item(0)?.str()?.to_string();
            if !spec.knows(&key) {
                return Err(unknown(&format!("a record of {}", spec.key), &key));
            }
            if let Some(item) = item(&pair.get_item(1)?, &key, strip)? {
                record.push((Cow::Owned(key), item));
            }
        }
        return Ok(record);
    }
    let keys = spec
        .fields
        .iter()
        .flat_map(|field| std::iter::once(field.key).chain(field.attributes.iter().map(|attribute| attribute.key)));
    let mut is_record = false;
    for key in keys {
        let Some(found) = given.getattr_opt(key)? else { continue };
        is_record = true;
        if let Some(item) = item(&found, key, strip)? {
            record.push((Cow::Borrowed(key), item));
        }
    }
    if !is_record {
        let detail = format!("a mapping or a typed record is wanted, and not {}", named(given));
        return Err(Refusal::new(Reason::NotAnEntry, spec.key, &detail, &shown(given)).into());
    }
    Ok(record)
}

fn item(given: &Bound<'_, PyAny>, field: &str, strip: bool) -> Result<Option<Item<'static>>, Trouble> {
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let mut values = Vec::new();
        for one in sequence(given, field)? {
            values.push(value(Some(&one), field, strip)?.map(Value::into_owned));
        }
        return Ok(Some(Item::Many(values)));
    }
    Ok(value(Some(given), field, strip)?.map(|value| Item::One(value.into_owned())))
}
