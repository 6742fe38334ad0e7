//! urlset's core: everything that is done once per URL. Bytes go in, Arrow record batches come out.
//!
//! `decode` turns bytes into text, `read` text into rows, `value` parses what has a grammar, `robots` reads
//! robots.txt, `page` HTML, `face` is what Python sees.

pub mod anomaly;
#[cfg(all(test, counted))]
mod cost;
pub mod decode;
mod face;
pub mod limits;
pub mod page;
pub mod read;
mod rewrite;
pub mod robots;
pub mod value;
pub mod write;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    face::register(module)
}
