//! The options of the writer, from the dictionary that Python gives. Python has checked them.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::write::{Dates, Options};

pub fn options(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    Ok(Options {
        max_entries: get(given, "max_entries")?,
        max_bytes: get(given, "max_bytes")?,
        max_news: get(given, "max_news")?,
        hosts: get(given, "hosts")?,
        dates: if get::<bool>(given, "times")? {
            Dates::Time
        } else {
            Dates::Day
        },
        require_lastmod: get(given, "require_lastmod")?,
        latest: get(given, "latest")?,
        strip: get(given, "strip")?,
        drop_fields: get(given, "drop_fields")?,
        doubtful: get(given, "doubtful")?,
        unique: get(given, "unique")?,
        pretty: get(given, "pretty")?,
        stylesheet: get(given, "stylesheet")?,
        gzip: get(given, "gzip")?,
        namespaces: get(given, "namespaces")?,
    })
}

fn get<'py, T>(given: &Bound<'py, PyDict>, name: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
    for<'a> <T as FromPyObject<'a, 'py>>::Error: Into<PyErr>,
{
    given.as_any().get_item(name)?.extract().map_err(Into::into)
}
