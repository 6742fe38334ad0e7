//! urlset's core: all work that is done once per URL. Bytes go in, Arrow record batches come out.
//!
//! `decode` turns bytes into text, `read` turns text into rows, `value` parses URLs, dates and other values, `robots`
//! parses robots.txt, `expression` matches regular expressions of strangers, `page` parses HTML, `log` reads access logs, `rewrite` repairs documents, `write` builds sitemaps, and `face` is the
//! interface to Python. `core/testing` holds what only tests use: `invariants`, which defines what must hold for
//! any input, `cost`, which counts the work that an input causes, and `properties`, which says how many inputs they take.

// Without the Python interface, much of the code is unused.
#![cfg_attr(not(feature = "python"), allow(dead_code, unused_imports))]

pub mod anomaly;
#[cfg(all(test, counted))]
#[path = "../testing/cost/mod.rs"]
mod cost;
pub mod decode;
pub mod expression;
#[cfg(feature = "python")]
mod face;
#[cfg(any(test, feature = "invariants"))]
#[path = "../testing/invariants/mod.rs"]
pub mod invariants;
pub mod limits;
pub mod log;
pub mod page;
#[cfg(test)]
#[path = "../testing/properties.rs"]
mod properties;
pub mod read;
mod rewrite;
pub mod robots;
pub mod value;
pub mod write;

#[cfg(feature = "python")]
#[pyo3::pymodule]
fn _core(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    face::register(module)
}
