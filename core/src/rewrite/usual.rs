//! Checks whether entries in the form that nearly every sitemap uses also have valid values.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use super::{address, values};
use crate::read::express::Usual;
use crate::read::rows::Extension;
use crate::value::url::{self, has_xml_escape, normal};

/// The content of an entry, for comparison with other entries: the fields of the protocol in order, then everything
/// else as it comes.
#[derive(Default)]
pub struct Content(Vec<u8>);

/// A usual entry with nothing to repair in it.
#[derive(Debug)]
pub struct Checked {
    /// Its loc, and that of an earlier entry with the same content, if there is one.
    pub repeats: Option<(String, String)>,
    pub has_images: bool,
    pub has_links: bool,
    pub line: i32,
}

/// Half of a hash for which nobody can construct collisions: enough for any number of entries.
pub type Mark = [u8; 16];

impl Content {
    fn put(&mut self, kind: u8, text: &str) {
        self.0.push(kind);
        self.0.extend_from_slice(&(text.len() as u64).to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Returns its length, so that the caller can return to it.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Appends all of another content.
    pub fn append(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// Adds a field of the protocol, by its index in the sequence. The first one is loc: equal URLs are the same content.
    pub fn core(&mut self, field: u8, value: &str) {
        let value = if field == 0 { normal(value) } else { value.into() };
        self.put(b'0' + field, &value);
    }

    pub fn begin(&mut self, extension: Extension) {
        self.put(b'(', "");
        self.put(extension as u8, "");
    }

    pub fn field(&mut self, name: &str, value: &str) {
        self.put(b'n', name);
        self.put(b'v', value);
    }

    pub fn end(&mut self) {
        self.put(b')', "");
    }

    pub fn other(&mut self, xml: &str) {
        self.put(b'x', xml);
    }

    pub fn mark(self) -> Mark {
        let mut mark = [0; 16];
        mark.copy_from_slice(&Sha256::digest(&self.0)[..16]);
        mark
    }
}

/// Checks usual entries, and remembers the content of every entry.
pub struct Checker {
    seen: HashSet<Mark>,
    /// The locs of entries that are not in their normal form.
    spelled: HashMap<Mark, String>,
    parser: url::Parser,
    /// Whether URLs on inner hosts are repaired.
    has_base: bool,
}

impl Checker {
    pub fn new(has_base: bool) -> Self {
        Self {
            seen: HashSet::new(),
            spelled: HashMap::new(),
            parser: url::Parser::default(),
            has_base,
        }
    }

    /// Returns the loc of an earlier entry with the same content; `None` if there was none.
    pub fn repeated(&mut self, content: Content, loc: &str) -> Option<String> {
        let (mark, form) = (content.mark(), normal(loc));
        if !self.seen.insert(mark) {
            return Some(self.spelled.get(&mark).cloned().unwrap_or_else(|| form.into_owned()));
        }
        if form != loc {
            self.spelled.insert(mark, loc.to_owned());
        }
        None
    }

    /// Returns whether there is nothing to repair in a URL.
    fn is_right(&mut self, url: &str) -> bool {
        let parts = self.parser.parse(url);
        parts.problem.is_none() && !(self.has_base && address::is_on_inner_host(&parts)) && !has_xml_escape(url)
    }

    /// Returns the entry, if there is nothing to repair in it.
    pub fn check(&mut self, entry: &Usual) -> Option<Checked> {
        let loc = entry.field(0)?;
        if !self.is_right(loc) {
            return None;
        }
        let is_right = |field: usize, right: fn(&str) -> bool| entry.field(field).is_none_or(right);
        if !is_right(1, |lastmod| values::lastmod(lastmod).is_none())
            || !is_right(2, |changefreq| values::changefreq(changefreq).is_none())
            || !is_right(3, |priority| values::priority(priority).is_none())
        {
            return None;
        }
        let mut content = Content::default();
        for field in 0..4 {
            if let Some(value) = entry.field(field) {
                content.core(field as u8, value);
            }
        }
        let (mut has_images, mut has_links) = (false, false);
        for (extension, record) in entry.records() {
            content.begin(extension);
            let names = if extension == Extension::Alternate {
                has_links = true;
                ["rel", "hreflang", "href"]
            } else {
                has_images = true;
                ["loc", "", ""]
            };
            for (name, value) in names.into_iter().zip(record) {
                let Some(value) = value else { continue };
                let is_right = match name {
                    "href" | "loc" => self.is_right(value),
                    "hreflang" => values::language_and_region(value).is_none(),
                    _ => true,
                };
                if !is_right {
                    return None;
                }
                content.field(name, value);
            }
            content.end();
        }
        Some(Checked {
            repeats: self.repeated(content, loc).map(|kept| (loc.to_owned(), kept)),
            has_images,
            has_links,
            line: entry.place.line,
        })
    }
}
