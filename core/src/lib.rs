//! urlset's core: everything that is done once per URL. Bytes go in, Arrow record batches come out.
//!
//! `decode` turns bytes into text, `read` text into rows, `value` parses what has a grammar, `robots` reads
//! robots.txt, `page` HTML, `face` is what Python sees. `invariants` says what must be true of any bytes.

// Without the Python interface, much is not called.
#![cfg_attr(not(feature = "python"), allow(dead_code, unused_imports))]

pub mod anomaly;
#[cfg(all(test, counted))]
mod cost;
pub mod decode;
#[cfg(feature = "python")]
mod face;
#[cfg(any(test, feature = "invariants"))]
pub mod invariants;
pub mod limits;
pub mod page;
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
