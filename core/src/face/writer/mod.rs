//! The writer for Python: entries come in, and the files of a set or the bytes of one document come out.

mod batches;
mod columns;
mod feed;
mod ledger;
mod objects;
mod options;
mod records;
mod set;
mod stream;
mod values;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::write::records::{IMAGE, NEWS, VIDEO};
use crate::write::refusal::{Reason, Refusal};
use crate::write::urls::Urls;

create_exception!(
    _core,
    EntryError,
    PyException,
    "The input is invalid: an unknown field, or a column of the wrong type."
);

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EntryError", module.py().get_type::<EntryError>())?;
    module.add_class::<set::SetWriter>()?;
    module.add_class::<stream::StreamWriter>()?;
    module.add_class::<ledger::LedgerTable>()?;
    module.add_function(wrap_pyfunction!(set::write_index, module)?)?;
    module.add_function(wrap_pyfunction!(set::index_document, module)?)?;
    module.add_function(wrap_pyfunction!(set::file_digest, module)?)?;
    module.add_function(wrap_pyfunction!(refusal_reasons, module)?)?;
    module.add_function(wrap_pyfunction!(good_url, module)?)?;
    module.add_function(wrap_pyfunction!(record_fields, module)?)?;
    Ok(())
}

/// Returns the reasons for which entries are refused: name -> description.
#[pyfunction]
fn refusal_reasons(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let reasons = PyDict::new(py);
    for reason in Reason::ALL {
        reasons.set_item(reason.name(), reason.about())?;
    }
    Ok(reasons)
}

/// Returns the fields of the records inside an entry: key of the entry -> (field, element or attribute, whether it is
/// required).
#[pyfunction]
fn record_fields(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let records = PyDict::new(py);
    for spec in [&IMAGE, &VIDEO, &NEWS] {
        let mut fields = Vec::new();
        for field in spec.fields {
            fields.push((field.key, field.element.to_owned(), field.required));
            for attribute in field.attributes {
                fields.push((
                    attribute.key,
                    format!("{} of {}", attribute.name, field.element),
                    attribute.required,
                ));
            }
        }
        records.set_item(spec.key, fields)?;
    }
    Ok(records)
}

/// Returns a URL as the writer writes it, percent-encoded and punycoded where necessary, or `None` if it is invalid.
#[pyfunction]
fn good_url(text: &str) -> Option<String> {
    let good = Urls::default().good(text, "loc").ok()?;
    Some(good.text.into_owned())
}

/// Why an object became no entry: it was refused, or Python raised an exception.
enum EntryFailure {
    Refused(Refusal),
    Raised(PyErr),
}

impl From<PyErr> for EntryFailure {
    fn from(error: PyErr) -> Self {
        EntryFailure::Raised(error)
    }
}

impl From<Refusal> for EntryFailure {
    fn from(refusal: Refusal) -> Self {
        EntryFailure::Refused(refusal)
    }
}
