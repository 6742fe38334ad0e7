//! An element that is inserted into the tree, and what its position means for its content.

use html5ever::interface::{Attribute, QualName};
use html5ever::{LocalName, local_name, ns};

use super::values::trim;

/// The position of a node; children inherit it.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub in_head: bool,
    /// In a template, and therefore not part of the document.
    pub is_inert: bool,
    /// In navigation, the page's header or footer, or anything else that is not the page's own content.
    pub is_beside: bool,
    /// In `<main>`.
    pub in_main: bool,
    /// In an article, section or `<main>`, whose headers are not those of the page.
    pub in_section: bool,
    /// In the first `<h1>`.
    pub in_heading: bool,
    /// In a heading of any level, while those are collected.
    pub in_any_heading: bool,
    /// Its text is not displayed.
    pub is_silent: bool,
    /// In a button.
    pub in_button: bool,
    /// The nearest block: text in different blocks never forms one word.
    pub block: u32,
    pub depth: u16,
}

/// What the attributes of an element say of its position.
#[derive(Clone, Copy, Default)]
pub(super) struct Roles {
    is_beside: bool,
    is_main: bool,
}

impl Roles {
    pub fn of(attributes: &[Attribute]) -> Self {
        let role = get(attributes, &local_name!("role")).map_or("", trim);
        let is_hidden = get(attributes, &local_name!("hidden")).is_some_and(|value| value != "until-found");
        Roles {
            is_beside: is_hidden
                || ["navigation", "banner", "contentinfo", "complementary", "search"]
                    .iter()
                    .any(|beside| role.eq_ignore_ascii_case(beside)),
            is_main: role.eq_ignore_ascii_case("main"),
        }
    }
}

/// An element that is inserted into the tree.
pub(super) struct Element<'a> {
    pub name: &'a QualName,
    pub attributes: &'a [Attribute],
    /// The position of its parent.
    pub above: Place,
}

impl Element<'_> {
    pub fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    pub fn get(&self, name: &LocalName) -> Option<&str> {
        get(self.attributes, name)
    }

    /// Returns an attribute without outer whitespace, or `None` if nothing remains.
    pub fn value(&self, name: &LocalName) -> Option<&str> {
        self.get(name).map(trim).filter(|value| !value.is_empty())
    }

    /// Returns the position of the element, which is also that of its content.
    pub fn place(&self, node: u32, roles: Roles) -> Place {
        let mut place = self.above;
        place.depth = place.depth.saturating_add(1);
        if !self.is_html() {
            // Titles and descriptions of drawings, and formulas, are not text of the page.
            place.is_silent |= self.name.ns == ns!(svg);
            return place;
        }
        place.is_beside |= roles.is_beside;
        match self.name.local {
            local_name!("head") => place.in_head = true,
            local_name!("body") => place.in_head = false,
            local_name!("main") => (place.in_main, place.in_section) = (true, true),
            local_name!("article") | local_name!("section") => place.in_section = true,
            local_name!("nav") | local_name!("aside") | local_name!("footer") | local_name!("dialog") => {
                place.is_beside = true;
            }
            // https://www.w3.org/TR/html-aam-1.0/#el-header: only the header of the whole page is its banner.
            local_name!("header") => place.is_beside |= !place.in_section,
            local_name!("script")
            | local_name!("style")
            | local_name!("title")
            | local_name!("noscript")
            | local_name!("iframe")
            | local_name!("object")
            | local_name!("select")
            | local_name!("textarea")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("canvas")
            | local_name!("audio")
            | local_name!("video") => place.is_silent = true,
            local_name!("button") => place.in_button = true,
            _ => {}
        }
        if roles.is_main {
            (place.in_main, place.in_section) = (true, true);
        }
        if is_block(&self.name.local) {
            place.block = node;
        }
        place
    }
}

pub(super) fn is_heading(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("h1")
            | local_name!("h2")
            | local_name!("h3")
            | local_name!("h4")
            | local_name!("h5")
            | local_name!("h6")
    )
}

/// Returns the value of an attribute.
pub(super) fn get<'a>(attributes: &'a [Attribute], name: &LocalName) -> Option<&'a str> {
    let attribute = attributes.iter().find(|attribute| attribute.name.local == *name)?;
    Some(&attribute.value)
}

/// Returns whether an element breaks the line of text: all that are not inline in the default stylesheet of browsers.
/// <https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3>
pub(super) fn is_block(name: &LocalName) -> bool {
    !matches!(
        *name,
        local_name!("a")
            | local_name!("abbr")
            | local_name!("acronym")
            | local_name!("b")
            | local_name!("bdi")
            | local_name!("bdo")
            | local_name!("big")
            | local_name!("cite")
            | local_name!("code")
            | local_name!("data")
            | local_name!("del")
            | local_name!("dfn")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("ins")
            | local_name!("kbd")
            | local_name!("label")
            | local_name!("mark")
            | local_name!("nobr")
            | local_name!("q")
            | local_name!("ruby")
            | local_name!("s")
            | local_name!("samp")
            | local_name!("script")
            | local_name!("small")
            | local_name!("span")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("style")
            | local_name!("sub")
            | local_name!("sup")
            | local_name!("template")
            | local_name!("time")
            | local_name!("tt")
            | local_name!("u")
            | local_name!("var")
            | local_name!("wbr")
    )
}
