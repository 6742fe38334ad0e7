//! The options of the writer, from a dictionary that Python has already checked.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::write::urls::Base;
use crate::write::{Dates, Options};

pub fn options(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    Ok(Options {
        max_entries: get(given, "max_entries")?,
        max_bytes: get(given, "max_bytes")?,
        max_news: get(given, "max_news")?,
        hosts: get(given, "hosts")?,
        base: get::<Option<String>>(given, "base")?
            .map(|text| {
                PyResult::Ok(Base {
                    text,
                    bare: get(given, "bare_paths")?,
                })
            })
            .transpose()?,
        dates: match get::<String>(given, "dates")?.as_str() {
            "datetime" => Dates::Time,
            "local-date" => Dates::LocalDay,
            _ => Dates::Day,
        },
        require_lastmod: get(given, "require_lastmod")?,
        latest: get(given, "latest")?,
        strip: get(given, "strip")?,
        drop_fields: get(given, "drop_fields")?,
        doubtful: get(given, "doubtful")?,
        sensitive: get(given, "sensitive")?,
        unique: get(given, "unique")?,
        pretty: get(given, "pretty")?,
        stylesheet: get(given, "stylesheet")?,
        gzip: get(given, "gzip")?,
        namespaces: get(given, "namespaces")?,
        newest: get(given, "newest")?,
        merges: get(given, "merges")?,
    })
}

fn get<'py, T>(given: &Bound<'py, PyDict>, name: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
    for<'a> <T as FromPyObject<'a, 'py>>::Error: Into<PyErr>,
{
    given.as_any().get_item(name)?.extract().map_err(Into::into)
}
