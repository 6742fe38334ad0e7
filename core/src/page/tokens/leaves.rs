//! Elements around nothing but text, such as `<span>` and `<code>` in highlighted source code: a third of the tags of
//! documentation.
//!
//! Without attributes that are read, such an element has the position of its parent, and its text is that of its parent.
//! It is held back at its start tag, and forgotten if its end tag comes before any other element. This is exact, because
//! an element that would change anything else is given to the tree builder: before the body and in drawings, where it
//! moves the parser on; while a value is collected; a link in a link; and after formatting elements with attributes,
//! which the builder may open again. A property test compares with the whole tree.

use html5ever::tokenizer::Tag;
use html5ever::{Attribute, LocalName, local_name};

use super::super::tree::Tree;
use crate::limits::MAX_PAGE_DEPTH;

/// Maximum elements in each other that are held back.
const MOST: usize = 8;

pub(super) struct Leaves {
    /// Start tags, outermost first, each with the length of the text before it.
    held: Vec<(Tag, usize)>,
    is_enabled: bool,
    /// Whether a link was given to the builder, which may still be open.
    has_link: bool,
}

impl Leaves {
    pub fn new(is_enabled: bool) -> Self {
        Self {
            held: Vec::new(),
            is_enabled,
            has_link: false,
        }
    }

    /// Returns whether to hold back an element. Call it for every start tag that is not passed over.
    pub fn may_open(&mut self, name: &LocalName, attributes: &[Attribute], tree: &Tree) -> bool {
        if !self.is_enabled {
            return false;
        }
        let is_formatting = is_formatting(name);
        if !attributes.is_empty() {
            self.is_enabled = !is_formatting;
            return false;
        }
        if !(is_formatting || is_plain(name)) || self.held.len() >= MOST {
            return false;
        }
        let is_link = *name == local_name!("a");
        if is_link && (self.has_link || self.held.iter().any(|(tag, _)| tag.name == *name)) {
            return false;
        }
        tree.is_in_body() && usize::from(tree.depth()) + self.held.len() < usize::from(MAX_PAGE_DEPTH)
    }

    /// Holds back a start tag after this much text.
    pub fn open(&mut self, tag: Tag, text: usize) {
        self.held.push((tag, text));
    }

    /// Returns whether an end tag is that of the innermost element held back, which is forgotten then.
    pub fn close(&mut self, name: &[u8]) -> bool {
        let is_its = self.held.last().is_some_and(|(tag, _)| tag.name.as_bytes() == name);
        if is_its {
            self.held.pop();
        }
        is_its
    }

    /// Returns the start tags held back, which the builder must get now.
    pub fn take(&mut self) -> Vec<(Tag, usize)> {
        let held = std::mem::take(&mut self.held);
        self.has_link |= held.iter().any(|(tag, _)| tag.name == local_name!("a"));
        held
    }
}

/// Returns whether the builder opens the element again if it is not closed in order.
/// <https://html.spec.whatwg.org/multipage/parsing.html#formatting>
fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// Returns whether an inline element means nothing to the builder and to the facts.
fn is_plain(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("abbr")
            | local_name!("bdi")
            | local_name!("bdo")
            | local_name!("cite")
            | local_name!("data")
            | local_name!("del")
            | local_name!("dfn")
            | local_name!("ins")
            | local_name!("kbd")
            | local_name!("mark")
            | local_name!("q")
            | local_name!("samp")
            | local_name!("span")
            | local_name!("sub")
            | local_name!("sup")
            | local_name!("var")
    )
}
