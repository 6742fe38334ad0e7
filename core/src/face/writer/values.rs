//! Single Python values: as they are written, and as they appear in messages.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::{EntryError, EntryFailure};
use crate::write::entry::Value;
use crate::write::refusal::{Reason, Refusal};

/// Returns an object as a message shows it.
pub fn shown(object: &Bound<'_, PyAny>) -> String {
    let text = match object.cast::<PyString>() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => object
            .repr()
            .map_or_else(|_| named(object), |text| text.to_string_lossy().into_owned()),
    };
    text.chars().take(500).collect()
}

/// Returns the name of an object's type.
pub fn named(object: &Bound<'_, PyAny>) -> String {
    object
        .get_type()
        .name()
        .map_or_else(|_| "an object".to_owned(), |name| name.to_string_lossy().into_owned())
}

pub(super) fn text<'a>(object: &'a Bound<'_, PyAny>, field: &str, strip: bool) -> Result<Cow<'a, str>, EntryFailure> {
    match object.cast::<PyString>() {
        Ok(text) => whole(text, field, strip),
        Err(_) => {
            let detail = format!("must be a string, not {}", named(object));
            Err(Refusal::new(Reason::NotAnEntry, field, &detail, &shown(object)).into())
        }
    }
}

/// Returns the characters of a string. Rejects half of a surrogate pair: XML forbids it, and no encoding can represent
/// it.
#[inline]
pub(super) fn whole<'a>(text: &'a Bound<'_, PyString>, field: &str, strip: bool) -> Result<Cow<'a, str>, EntryFailure> {
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
pub(super) fn value<'a>(
    given: Option<&'a Bound<'_, PyAny>>,
    field: &str,
    strip: bool,
) -> Result<Option<Value<'a>>, EntryFailure> {
    let Some(given) = given else { return Ok(None) };
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Some(Value::Text(whole(text, field, strip)?)));
    }
    if given.is_none() {
        return Ok(None);
    }
    unusual(given, field).map(Some)
}

/// Converts an object that is not a string.
fn unusual(given: &Bound<'_, PyAny>, field: &str) -> Result<Value<'static>, EntryFailure> {
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
    // Dates and times, including those of pandas; the reader's grammar parses their ISO format.
    if let Some(isoformat) = given.getattr_opt(intern!(py, "isoformat"))? {
        return Ok(Value::Text(Cow::Owned(isoformat.call0()?.extract()?)));
    }
    if given.hasattr(intern!(py, "as_tuple"))? {
        // A Decimal; `f` writes no exponent.
        return Ok(Value::Text(Cow::Owned(
            given.call_method1(intern!(py, "__format__"), ("f",))?.extract()?,
        )));
    }
    let detail = format!("{} is not supported as a value", named(given));
    Err(Refusal::new(Reason::NotAnEntry, field, &detail, &shown(given)).into())
}

pub(super) fn unknown(holder: &str, key: &str) -> EntryFailure {
    EntryFailure::Raised(EntryError::new_err(format!("{holder} has no field {key:?}")))
}

/// Returns the items of a list, tuple or other iterable that is not a string.
pub(super) fn sequence<'py>(given: &Bound<'py, PyAny>, field: &str) -> Result<Vec<Bound<'py, PyAny>>, EntryFailure> {
    if let Ok(list) = given.cast::<PyList>() {
        return Ok(list.iter().collect());
    }
    if let Ok(tuple) = given.cast::<PyTuple>() {
        return Ok(tuple.iter().collect());
    }
    if !given.is_instance_of::<PyString>() && given.hasattr("__iter__")? {
        return Ok(given.try_iter()?.collect::<PyResult<_>>()?);
    }
    let detail = format!("must be a list of values, not {}", named(given));
    Err(Refusal::new(Reason::NotAnEntry, field, &detail, &shown(given)).into())
}
