//! The namespaces that a document uses, and their declarations.

use crate::write::Options;
use crate::write::escape::push_attribute;

/// The namespaces that a document uses, as bits: those below, then custom ones from `FIRST_OWN` on, of which
/// `options/writing.py` allows 28.
pub type Namespaces = u32;

pub const XHTML: Namespaces = 1;
pub const IMAGES: Namespaces = 1 << 1;
pub const VIDEOS: Namespaces = 1 << 2;
pub const NEWSES: Namespaces = 1 << 3;
pub const FIRST_OWN: u32 = 4;

/// Prefix and URI of each built-in namespace, in the order in which they are declared.
pub const BUILT_IN: [(&str, &str); FIRST_OWN as usize] = [
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
];

/// Appends ` xmlns:…="…"` for each of the namespaces.
pub fn push_declarations(out: &mut Vec<u8>, namespaces: Namespaces, options: &Options) {
    let own = options
        .namespaces
        .iter()
        .map(|(prefix, uri)| (prefix.as_str(), uri.as_str()));
    for (number, (prefix, uri)) in BUILT_IN.into_iter().chain(own).enumerate() {
        if namespaces & (1 << number) != 0 {
            out.extend_from_slice(b" xmlns:");
            out.extend_from_slice(prefix.as_bytes());
            out.extend_from_slice(b"=\"");
            push_attribute(out, uri);
            out.push(b'"');
        }
    }
}
