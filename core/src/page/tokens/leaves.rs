//! Elements around nothing but text, such as `<span>` and `<code>` in highlighted source code: a third of the tags of
//! documentation.
//!
//! Without attributes that are read, such an element has the position of its parent, and its text is that of its parent.
//! The same holds for a link whose only attributes are those of links. It is held back at its start tag, and forgotten if its end tag comes before any other element. This is exact, because
//! an element that would change anything else is given to the tree builder: before the body and in drawings, where it
//! moves the parser on; while a value is collected; a link in a link; and after formatting elements with attributes,
//! which the builder may open again. A property test compares with the whole tree.

use html5ever::tokenizer::Tag;
use html5ever::{Attribute, LocalName, local_name};

use super::super::links::CONTROL;
use super::super::tree::Tree;
use crate::limits::MAX_PAGE_DEPTH;

/// Maximum elements in each other that are held back.
const MOST: usize = 8;

/// Maximum links that are forgotten before the builder gets their text.
const MOST_LINKS: usize = 256;

pub(super) struct Leaves {
    /// Start tags, outermost first, each with the length of the text before it.
    held: Vec<(Tag, usize)>,
    /// Attributes of links that were forgotten, each with the length of the text before it.
    links: Vec<(Vec<Attribute>, usize)>,
    is_enabled: bool,
    /// Whether links have attributes.
    reads_links: bool,
}

impl Leaves {
    pub fn new(is_enabled: bool, reads_links: bool) -> Self {
        Self {
            held: Vec::new(),
            links: Vec::new(),
            is_enabled,
            reads_links,
        }
    }

    /// Returns whether to hold back an element. Call it for every start tag that is not passed over.
    ///
    /// `is_link_open` says whether the builder may have a link open.
    pub fn may_open(&mut self, name: &LocalName, attributes: &[Attribute], tree: &Tree, is_link_open: bool) -> bool {
        if !self.is_enabled {
            return false;
        }
        let is_formatting = is_formatting(name);
        let is_link = *name == local_name!("a");
        if !(attributes.is_empty() || is_link && attributes.iter().all(is_of_link)) {
            self.is_enabled = !is_formatting;
            return false;
        }
        if !(is_formatting || is_plain(name)) || self.held.len() >= MOST {
            return false;
        }
        // The builder may open it again with its attributes, before the element.
        if is_link_open && (is_link || self.reads_links) {
            return false;
        }
        let has_link = || self.held.iter().any(|(tag, _)| tag.name == *name);
        if is_link && (self.links.len() >= MOST_LINKS || has_link()) {
            return false;
        }
        tree.is_in_body() && usize::from(tree.depth()) + self.held.len() < usize::from(MAX_PAGE_DEPTH)
    }

    /// Holds back a start tag after this much text.
    pub fn open(&mut self, tag: Tag, text: usize) {
        self.held.push((tag, text));
    }

    /// Returns whether an end tag after this text is that of the innermost element held back, which is forgotten then.
    /// A link is forgotten only with text in it, which tells its position.
    pub fn close(&mut self, name: &[u8], text: &[u8]) -> bool {
        let Some((tag, at)) = self.held.pop_if(|(tag, at)| {
            tag.name.as_bytes() == name && (tag.attrs.is_empty() || text[*at..].iter().any(|byte| *byte > b' '))
        }) else {
            return false;
        };
        if !tag.attrs.is_empty() {
            self.links.push((tag.attrs, at));
        }
        true
    }

    /// Returns the start tags held back, which the builder must get now.
    pub fn take(&mut self) -> Vec<(Tag, usize)> {
        std::mem::take(&mut self.held)
    }

    /// Returns the links around the text, which were forgotten.
    pub fn take_links(&mut self) -> Vec<(Vec<Attribute>, usize)> {
        std::mem::take(&mut self.links)
    }
}

fn is_of_link(attribute: &Attribute) -> bool {
    matches!(attribute.name.local, local_name!("href") | local_name!("rel")) || &*attribute.name.local == CONTROL
}

/// Returns whether the builder opens the element again if it is not closed in order.
/// <https://html.spec.whatwg.org/multipage/parsing.html#formatting>
pub(super) fn is_formatting(name: &LocalName) -> bool {
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
pub(super) fn is_plain(name: &LocalName) -> bool {
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
