//! The Python interface of the core: thin classes over the reader and its tables, and the vocabularies as data.

mod csv;
mod date;
mod entry;
mod expression;
mod lock;
mod log;
mod page;
mod reader;
mod rewriter;
mod robots;
mod sets;
mod table;
mod writer;

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::anomaly::AnomalyKind;
use crate::limits;
use crate::rewrite::{LeftOut, Refusal, Repair};
use crate::robots::{ExtensionKey, ExtensionProblem, RobotsProblem};
use crate::value::hreflang::COUNTRY_CODES;
use crate::value::url::ascii_host as ascii_host_of;
use crate::value::url::traits::{SECRETS, SENSITIVE, TRACKING};
use crate::value::{DateProblem, HreflangProblem, Precision, Trait, UrlProblem};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("TEXT_VERSION", crate::page::TEXT_VERSION)?;
    module.add_class::<csv::CsvColumns>()?;
    module.add_class::<csv::CsvRows>()?;
    module.add_class::<expression::Expression>()?;
    module.add_class::<reader::Reader>()?;
    module.add_class::<robots::Robots>()?;
    module.add_class::<rewriter::Rewriter>()?;
    module.add_class::<sets::OpenSets>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(date::read_date, module)?)?;
    module.add_class::<page::PageLinks>()?;
    module.add_class::<page::LinkRows>()?;
    module.add_function(wrap_pyfunction!(page::read_pages, module)?)?;
    module.add_function(wrap_pyfunction!(page::read_text, module)?)?;
    module.add_function(wrap_pyfunction!(page::read_page_files, module)?)?;
    module.add_function(wrap_pyfunction!(page::page_key, module)?)?;
    module.add_function(wrap_pyfunction!(page::page_hash, module)?)?;
    module.add_function(wrap_pyfunction!(page::spelling_hash, module)?)?;
    module.add_function(wrap_pyfunction!(reader_schemas, module)?)?;
    module.add_function(wrap_pyfunction!(url_hash, module)?)?;
    module.add_function(wrap_pyfunction!(normal_url, module)?)?;
    module.add_function(wrap_pyfunction!(url_host, module)?)?;
    module.add_function(wrap_pyfunction!(ascii_host, module)?)?;
    module.add_function(wrap_pyfunction!(robots_schemas, module)?)?;
    module.add_function(wrap_pyfunction!(robots::content_usage_problem, module)?)?;
    module.add_function(wrap_pyfunction!(page::read_refresh, module)?)?;
    module.add_function(wrap_pyfunction!(vocabularies, module)?)?;
    module.add_function(wrap_pyfunction!(protocol_limits, module)?)?;
    module.add_function(wrap_pyfunction!(parameter_lists, module)?)?;
    module.add_function(wrap_pyfunction!(return_large_memory, module)?)?;
    module.add_class::<log::LogReader>()?;
    module.add_class::<log::LogCounts>()?;
    module.add_function(wrap_pyfunction!(log::sample_log, module)?)?;
    module.add_function(wrap_pyfunction!(log::check_log_format, module)?)?;
    module.add_function(wrap_pyfunction!(log::log_names, module)?)?;
    entry::register(module)?;
    writer::register(module)
}

/// Returns an empty table for each one that the reader builds, by name.
#[pyfunction]
fn reader_schemas(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for (name, batch) in crate::read::rows::Rows::empty_tables().map_err(table::arrow_error)? {
        tables.set_item(name.name(), table::Table::of(vec![batch])?)?;
    }
    Ok(tables)
}

/// Returns the value of `loc_hash` and `href_hash` for a URL: two URLs are the same if it is equal.
#[pyfunction]
fn url_hash(url: &str) -> i64 {
    crate::value::url::hash(url)
}

/// Returns the normal form of a URL, of which `url_hash` is the hash.
#[pyfunction]
fn normal_url(url: &str) -> Cow<'_, str> {
    crate::value::url::normal(url)
}

/// Has the C library return pieces of memory to the system as soon as they are free, for the whole process: those of at
/// least `least` bytes.
///
/// The GNU C library keeps pieces of up to 32 MiB in its heaps once one of that size was freed: `mallopt(3)`. The
/// columns of a document are such pieces, of sizes that differ from document to document, so that the heaps get holes.
#[pyfunction]
#[allow(unused_variables)]
fn return_large_memory(least: i32) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it only changes a setting of the allocator, under its lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, least);
    }
}

/// The host of a URL as the columns of hosts have it.
#[pyfunction]
fn url_host(url: &str) -> Option<Cow<'_, str>> {
    crate::value::url::parse(url).host.map(ascii_host_of)
}

/// The one spelling of a host, which the columns of hosts have.
#[pyfunction]
fn ascii_host(host: &str) -> Cow<'_, str> {
    ascii_host_of(host)
}

/// Returns an empty table for each one that is built from a robots.txt, by name.
#[pyfunction]
fn robots_schemas(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for (name, batch) in crate::robots::empty_tables().map_err(table::arrow_error)? {
        tables.set_item(name, table::Table::of(vec![batch])?)?;
    }
    Ok(tables)
}

/// Returns the closed vocabularies: name of the vocabulary -> name of the member -> description. Anomaly kinds add
/// whether a document with them is not well-formed, traits add their bit. The codes behind the trait `country-code`
/// have no description.
#[pyfunction]
fn vocabularies(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    let anomalies = PyDict::new(py);
    for kind in AnomalyKind::ALL {
        anomalies.set_item(kind.name(), (kind.about(), kind.breaks_xml()))?;
    }
    all.set_item("anomaly_kinds", anomalies)?;
    macro_rules! add {
        ($name:literal, $enum:ty) => {
            let members = PyDict::new(py);
            for member in <$enum>::ALL {
                members.set_item(member.name(), member.about())?;
            }
            all.set_item($name, members)?;
        };
    }
    add!("url_problems", UrlProblem);
    add!("date_problems", DateProblem);
    add!("date_precisions", Precision);
    add!("hreflang_problems", HreflangProblem);
    add!("robots_problems", RobotsProblem);
    add!("extension_keys", ExtensionKey);
    add!("extension_problems", ExtensionProblem);
    add!("repairs", Repair);
    add!("left_out", LeftOut);
    add!("refusals", Refusal);
    let traits = PyDict::new(py);
    for one in Trait::ALL {
        traits.set_item(one.name(), (one.about(), one.bit()))?;
    }
    all.set_item("traits", traits)?;
    all.set_item("country_codes", PyTuple::new(py, COUNTRY_CODES)?)?;
    Ok(all)
}

/// Returns the limits of the protocol and of the reader, by the names that rules and options use.
#[pyfunction]
fn protocol_limits(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let numbers = PyDict::new(py);
    numbers.set_item("max_entries", limits::MAX_ENTRIES)?;
    numbers.set_item("max_bytes", limits::MAX_BYTES)?;
    numbers.set_item("max_url_length", limits::MAX_URL_LENGTH)?;
    numbers.set_item("max_images_per_url", limits::MAX_IMAGES_PER_URL)?;
    numbers.set_item("max_news_per_file", limits::MAX_NEWS_PER_FILE)?;
    numbers.set_item("default_max_inflated", limits::DEFAULT_MAX_INFLATED)?;
    numbers.set_item("most_inflated", limits::MOST_INFLATED)?;
    numbers.set_item("max_anomalies_per_kind", limits::MAX_ANOMALIES_PER_KIND)?;
    numbers.set_item("max_robots_bytes", limits::MAX_ROBOTS_BYTES)?;
    numbers.set_item("max_robots_rows", limits::MAX_ROBOTS_ROWS)?;
    numbers.set_item("max_robots_stars", limits::MAX_ROBOTS_STARS)?;
    Ok(numbers)
}

/// Returns the names of URL parameters behind the trait `sensitive`, in lowercase, by the name that rules use.
#[pyfunction]
fn parameter_lists(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let lists = PyDict::new(py);
    lists.set_item("tracking_parameters", PyTuple::new(py, TRACKING)?)?;
    lists.set_item("secret_parameters", PyTuple::new(py, SECRETS)?)?;
    lists.set_item("sensitive_parameters", PyTuple::new(py, SENSITIVE)?)?;
    Ok(lists)
}
