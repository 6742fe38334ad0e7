//! The core's date grammar, for single values outside a document.

use pyo3::prelude::*;

use crate::value::datetime::parse_w3c;

/// Microseconds since 1970, precision, problem.
type Read = (Option<i64>, Option<&'static str>, Option<&'static str>);

/// Parses a W3C datetime, or a text that was meant as one.
#[pyfunction]
pub fn read_date(text: &str) -> Read {
    let date = parse_w3c(text.trim());
    (
        date.at,
        date.precision.map(|precision| precision.name()),
        date.problem.map(|problem| problem.name()),
    )
}
