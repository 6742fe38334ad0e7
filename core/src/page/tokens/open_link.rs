//! Whether the tree builder has a link open, or opens it again before the next element.
//!
//! It forgets a link at its end tag if the elements in the link are closed in order, and cells of tables and the like are
//! not among them: nothing then keeps the end tag from closing the link. Otherwise it may have the link open for the rest
//! of the page.

use html5ever::tokenizer::{Tag, TagKind};
use html5ever::{LocalName, local_name};

use super::is_void;
use super::leaves::{is_formatting, is_plain};

/// Maximum elements in each other that are tracked.
const MOST: usize = 16;

#[derive(Default)]
pub(super) struct OpenLink {
    is_open: bool,
    is_lost: bool,
    /// The elements that are open in the link.
    inside: Vec<LocalName>,
}

impl OpenLink {
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Takes a tag before the builder gets it. Returns whether it is the end tag of the link.
    pub fn take(&mut self, tag: &Tag) -> bool {
        let is_start = tag.kind == TagKind::StartTag;
        if tag.name == local_name!("a") {
            return self.take_link(is_start);
        }
        if !self.is_open || self.is_lost || is_void(tag.name.as_bytes()) {
            return false;
        }
        if !is_tracked(&tag.name) {
            self.lose();
        } else if !is_start {
            if self.inside.pop_if(|name| *name == tag.name).is_none() {
                self.lose();
            }
        } else if !(tag.self_closing && is_shape(&tag.name)) {
            self.inside.push(tag.name.clone());
            self.is_lost = self.inside.len() > MOST;
        }
        false
    }

    fn take_link(&mut self, is_start: bool) -> bool {
        if is_start {
            self.is_lost |= self.is_open;
            self.is_open = true;
            self.inside.clear();
            return false;
        }
        self.is_lost |= self.is_open && !self.inside.is_empty();
        let is_end = self.is_open && !self.is_lost;
        self.is_open &= !is_end;
        is_end
    }

    /// The builder may have the link open from now on.
    pub fn lose(&mut self) {
        (self.is_open, self.is_lost) = (true, true);
    }
}

/// Returns whether elements with this name need no more than their end tags to leave the link as it was.
fn is_tracked(name: &LocalName) -> bool {
    is_plain(name)
        || is_shape(name)
        || is_formatting(name) && *name != local_name!("nobr")
        || matches!(
            *name,
            local_name!("article")
                | local_name!("div")
                | local_name!("figcaption")
                | local_name!("figure")
                | local_name!("h1")
                | local_name!("h2")
                | local_name!("h3")
                | local_name!("h4")
                | local_name!("h5")
                | local_name!("h6")
                | local_name!("header")
                | local_name!("p")
                | local_name!("picture")
                | local_name!("section")
                | local_name!("svg")
                | local_name!("time")
        )
}

/// Returns whether an element is a part of a drawing, where a slash ends it.
fn is_shape(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("circle")
            | local_name!("ellipse")
            | local_name!("g")
            | local_name!("line")
            | local_name!("path")
            | local_name!("polygon")
            | local_name!("polyline")
            | local_name!("rect")
            | local_name!("use")
    )
}
