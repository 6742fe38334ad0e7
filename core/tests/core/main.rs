//! Tests of the public face of the core. They are one binary, because each takes time to link.

mod url;
mod url_traits;
