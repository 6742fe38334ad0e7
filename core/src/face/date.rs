//! The core's grammar of dates for single values that are in no document.

use pyo3::prelude::*;

use crate::value::datetime::parse_w3c;

/// Microseconds since 1970, precision, problem.
type Read = (Option<i64>, Option<&'static str>, Option<&'static str>);

/// Reads a W3C datetime, or what is meant for one.
#[pyfunction]
pub fn read_date(text: &str) -> Read {
    let date = parse_w3c(text.trim());
    (
        date.at,
        date.precision.map(|precision| precision.name()),
        date.problem.map(|problem| problem.name()),
    )
}
