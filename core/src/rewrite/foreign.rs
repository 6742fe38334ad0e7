//! Elements of other namespaces: kept as they are, and rewritten only if they break XML.

use super::account::{LeftOut, Omissions, Repair};
use super::listen::{Start, has_lost_bytes};
use super::markup::{push_end, push_text};
use super::names::Names;
use crate::read::sink::Part;
use crate::read::sitemap;

/// An open element.
struct Open {
    depth: usize,
    name: String,
    /// Number of prefixes declared around it in the entry.
    locals: usize,
}

/// An element with its content, in rewritten form.
pub struct Foreign {
    pub xml: String,
    open: Vec<Open>,
    /// The reason why it cannot be kept: its name is undefined.
    pub lost: Option<LeftOut>,
    /// The elements inside it that cannot be kept for the same reason.
    pub lost_inside: Omissions,
    /// The depth of the one that is open.
    skipping: Option<usize>,
    pub is_changed: bool,
    pub line: i32,
    /// Its first name, for the report of omissions.
    pub name: String,
}

/// Returns whether an element would have a different meaning in the sitemap namespace.
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
            lost_inside: Omissions::default(),
            skipping: None,
            is_changed: false,
            line,
            name,
        }
    }

    /// Takes a start tag, and returns whether a namespace was corrected in it.
    pub fn start(&mut self, start: &Start, names: &mut Names) -> Option<Repair> {
        if self.skipping.is_some() {
            return None;
        }
        let locals = names.local.len();
        let (tag, renamespaced) = names.tag(start, start.name.into(), false);
        // An element cannot be kept if the corrected namespace would make it part of the sitemap, or if the element
        // that declares its namespace is not written and its prefix now means another namespace.
        let is_in_another = match names.local.uri(start.prefix) {
            Some(uri) => uri != names.right_uri(start.prefix, start.uri),
            None => start.prefix == names.prefix,
        };
        let is_usurper = is_in_another && would_be_own(start);
        names.ensure(start, start.uri);
        let lost = if has_lost_bytes(start.name) {
            Some(LeftOut::LostBytes)
        } else if is_usurper || names.is_nameless(start) {
            Some(LeftOut::UnknownPrefix)
        } else {
            None
        };
        if self.open.is_empty() {
            self.lost = lost;
        } else if let Some(why) = lost {
            self.lost_inside.add(why, start.seen.line, &format!("<{}>", start.name));
            self.skipping = Some(start.seen.depth);
            self.is_changed = true;
            names.local.truncate(locals);
            return None;
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
        if self.skipping.is_none() {
            push_text(&mut self.xml, text);
        }
    }

    /// Copies whitespace and comments.
    pub fn verbatim(&mut self, raw: &str) {
        if self.skipping.is_none() {
            self.xml.push_str(raw);
        }
    }

    /// Ends the element at this depth, if it is the innermost one. Returns whether all are closed now.
    pub fn end(&mut self, depth: usize, names: &mut Names) -> bool {
        if let Some(skipped) = self.skipping {
            if depth <= skipped {
                self.skipping = None;
            }
            if depth >= skipped {
                return false;
            }
        }
        if self.open.last().is_some_and(|open| open.depth == depth) {
            self.end_innermost(names);
        }
        self.open.is_empty()
    }

    /// Ends all open elements.
    pub fn close(&mut self, names: &mut Names) {
        self.skipping = None;
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
