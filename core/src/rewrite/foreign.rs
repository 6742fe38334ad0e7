//! Elements that are no sitemap's: kept as they are, and written anew where they break XML.

use super::account::{LeftOut, Repair};
use super::listen::{Start, has_lost_bytes};
use super::markup::{push_end, push_text};
use super::names::Names;
use crate::read::sink::Part;
use crate::read::sitemap;

/// An element that is open.
struct Open {
    depth: usize,
    name: String,
    /// Prefixes that were declared around it in the entry.
    locals: usize,
}

/// An element with all that is in it, as it would be written anew.
pub struct Foreign {
    pub xml: String,
    open: Vec<Open>,
    /// Why it cannot be kept: its name, or one in it, means nothing.
    pub lost: Option<LeftOut>,
    pub is_changed: bool,
    pub line: i32,
    /// Its first name, for whom it is left out from.
    pub name: String,
}

/// Whether an element would mean something else if it were in the sitemap's namespace.
fn would_be_own(start: &Start) -> bool {
    matches!(start.seen.part, Part::Foreign | Part::Sitemap(sitemap::Part::Foreign))
        || (start.seen.vocabulary.is_extension() && sitemap::is_ours(start.local))
}

impl Foreign {
    pub fn new(line: i32, name: String) -> Self {
        Self {
            xml: String::new(),
            open: Vec::new(),
            lost: None,
            is_changed: false,
            line,
            name,
        }
    }

    /// Takes a start tag. Gives whether a namespace was put right in it.
    pub fn start(&mut self, start: &Start, names: &mut Names) -> Option<Repair> {
        let locals = names.local.len();
        let (tag, renamespaced) = names.tag(start, start.name.into(), false);
        // One that would become the sitemap's own with the namespace put right cannot stay as what it was, and neither
        // can one in whose namespace another element stands by now, since what declared its own is not written.
        let is_in_another = match names.local.uri(start.prefix) {
            Some(uri) => uri != names.right_uri(start.prefix, start.uri),
            None => start.prefix == names.prefix,
        };
        let is_usurper = is_in_another && would_be_own(start);
        names.ensure(start, start.uri);
        if has_lost_bytes(start.name) {
            self.lost = Some(LeftOut::LostBytes);
        } else if is_usurper || names.is_nameless(start) {
            self.lost.get_or_insert(LeftOut::UnknownPrefix);
        }
        self.is_changed |= tag.is_changed;
        self.xml.push_str(&tag.opening());
        self.xml.push('>');
        self.open.push(Open {
            depth: start.seen.depth,
            name: tag.name.into_owned(),
            locals,
        });
        renamespaced.then_some(Repair::ExtensionNamespace)
    }

    pub fn text(&mut self, text: &str) {
        push_text(&mut self.xml, text);
    }

    /// White space and comments, as they are.
    pub fn verbatim(&mut self, raw: &str) {
        self.xml.push_str(raw);
    }

    /// Ends the element at this depth, if it is the innermost one. Whether all are closed then.
    pub fn end(&mut self, depth: usize, names: &mut Names) -> bool {
        if self.open.last().is_some_and(|open| open.depth == depth) {
            self.end_innermost(names);
        }
        self.open.is_empty()
    }

    /// Ends all that is open.
    pub fn close(&mut self, names: &mut Names) {
        while !self.open.is_empty() {
            self.end_innermost(names);
            self.is_changed = true;
        }
    }

    fn end_innermost(&mut self, names: &mut Names) {
        if let Some(open) = self.open.pop() {
            push_end(&mut self.xml, &open.name);
            names.local.truncate(open.locals);
        }
    }
}
