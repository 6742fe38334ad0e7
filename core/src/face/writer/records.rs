//! Reads links and extension records from Python objects.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyString, PyTuple};

use super::EntryFailure;
use super::values::{named, sequence, shown, text, unknown, value, whole};
use crate::write::entry::{Item, Link, Record, Value};
use crate::write::records::Spec;
use crate::write::refusal::{Reason, Refusal};

/// Reads links from a mapping from code to URL, or from a sequence of mappings or typed links.
pub(super) fn links(given: &Bound<'_, PyAny>, strip: bool) -> Result<Vec<Link<'static>>, EntryFailure> {
    let py = given.py();
    let link = |code: &Bound<'_, PyAny>, href: &Bound<'_, PyAny>| -> Result<Link<'static>, EntryFailure> {
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

pub(super) fn records(
    spec: &Spec,
    given: Option<&Bound<'_, PyAny>>,
    strip: bool,
) -> Result<Vec<Record<'static>>, EntryFailure> {
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

/// Reads one record from a mapping, from an object with its fields as attributes, or from a string as its short form.
fn record(spec: &Spec, given: &Bound<'_, PyAny>, strip: bool) -> Result<Record<'static>, EntryFailure> {
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
                return Err(unknown(&format!("a record in {}", spec.key), &key));
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
        let detail = format!("must be a mapping or a typed record, not {}", named(given));
        return Err(Refusal::new(Reason::NotAnEntry, spec.key, &detail, &shown(given)).into());
    }
    Ok(record)
}

fn item(given: &Bound<'_, PyAny>, field: &str, strip: bool) -> Result<Option<Item<'static>>, EntryFailure> {
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let mut values = Vec::new();
        for one in sequence(given, field)? {
            values.push(value(Some(&one), field, strip)?.map(Value::into_owned));
        }
        return Ok(Some(Item::Many(values)));
    }
    Ok(value(Some(given), field, strip)?.map(|value| Item::One(value.into_owned())))
}
