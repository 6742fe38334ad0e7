//! The tree under construction: for each element what decides its position and its text, and the facts found so far.
//!
//! Of text and attributes only the facts are stored. A node that the parser moves later (formatting elements that are
//! not closed in order, content between table cells) keeps its first position.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{Attribute, ElementFlags, NodeOrText, QualName, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, local_name, ns};

use super::Options;
use super::element::{Element, Place, Roles};
use super::facts::Facts;
use super::found::Found;

const DOCUMENT: u32 = 0;

struct Node {
    name: QualName,
    parent: u32,
    place: Place,
    roles: Roles,
    /// Whether it is in the tree already. The parser recreates formatting elements and moves content into them before
    /// they are inserted; that content keeps its position.
    is_placed: bool,
}

pub(super) struct Tree {
    nodes: RefCell<Vec<Node>>,
    /// The last node created and its attributes, which count once it is inserted.
    newest: RefCell<(u32, Vec<Attribute>)>,
    depth: Cell<u16>,
    /// How often the builder visited an element.
    steps: Cell<u64>,
    found: RefCell<Found>,
    /// How many links were created.
    links: Cell<u32>,
    has_body: Cell<bool>,
}

impl Tree {
    pub fn new(options: Options<'_>) -> Self {
        let document = Node {
            name: QualName::new(None, ns!(), LocalName::default()),
            parent: DOCUMENT,
            place: Place::default(),
            roles: Roles::default(),
            is_placed: true,
        };
        Tree {
            nodes: RefCell::new(vec![document]),
            newest: RefCell::new((DOCUMENT, Vec::new())),
            depth: Cell::new(0),
            steps: Cell::new(0),
            found: RefCell::new(Found::new(options)),
            links: Cell::new(0),
            has_body: Cell::new(false),
        }
    }

    pub fn nodes(&self) -> usize {
        self.nodes.borrow().len()
    }

    /// Depth of the last element that was opened and is still open.
    pub fn depth(&self) -> u16 {
        self.depth.get()
    }

    /// Whether the body has begun.
    pub fn has_body(&self) -> bool {
        self.has_body.get()
    }

    /// Whether the parser is past the head, and no value is being collected.
    pub fn is_in_body(&self) -> bool {
        self.has_body.get() && !self.found.borrow().is_capturing()
    }

    /// Whether the text of the last node created matters.
    pub fn is_heard(&self) -> bool {
        let node = self.newest.borrow().0;
        let place = self.nodes.borrow()[node as usize].place;
        self.found.borrow().hears(node, place)
    }

    /// How often the builder visited an element: its work, which grows with the depth of the tree.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    fn step(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// How many links were created.
    pub fn links(&self) -> u32 {
        self.links.get()
    }

    /// Takes a link that is not built, around a part of the next text.
    pub fn link_around(&self, attributes: Vec<Attribute>) {
        self.found.borrow_mut().link_around(attributes);
    }

    /// Drops links around text that the builder dropped.
    pub fn drop_links_around(&self) {
        self.found.borrow_mut().drop_links_around();
    }

    /// Returns the facts and leaves none here.
    pub fn finish_facts(&self) -> Facts {
        self.found.borrow_mut().finish()
    }

    /// Returns the content of each `<noscript>` whose links are requested, and leaves none here.
    pub fn take_noscripts(&self) -> Vec<(String, Place)> {
        self.found.borrow_mut().take_noscripts()
    }

    fn add(&self, node: Node) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(node);
        (nodes.len() - 1) as u32
    }

    fn parent_of(&self, node: u32) -> u32 {
        self.nodes.borrow()[node as usize].parent
    }

    fn append_to(&self, parent: u32, child: NodeOrText<u32>) {
        match child {
            NodeOrText::AppendNode(node) => self.place(parent, node),
            NodeOrText::AppendText(text) => {
                let place = self.nodes.borrow()[parent as usize].place;
                self.found.borrow_mut().hear(&text, parent, place);
            }
        }
    }

    fn place(&self, parent: u32, node: u32) {
        let mut nodes = self.nodes.borrow_mut();
        let (above, is_above_placed) = (nodes[parent as usize].place, nodes[parent as usize].is_placed);
        let Some(it) = nodes.get_mut(node as usize) else {
            return;
        };
        it.parent = parent;
        let is_new = !it.is_placed;
        if !is_new && !is_above_placed {
            return;
        }
        it.is_placed = true;
        let newest = self.newest.borrow();
        let attributes = if newest.0 == node { &newest.1[..] } else { &[] };
        let element = Element {
            name: &it.name,
            attributes,
            above,
        };
        if is_new {
            it.roles = Roles::of(attributes);
        }
        it.place = element.place(node, it.roles);
        self.depth.set(it.place.depth);
        if element.name.local == local_name!("body") {
            self.has_body.set(true);
        }
        if is_new {
            self.found.borrow_mut().meet(&element, node, &mut it.place);
        }
    }
}

impl TreeSink for Tree {
    type Handle = u32;
    type Output = Self;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> Ref<'a, QualName> {
        self.step();
        Ref::map(self.nodes.borrow(), |nodes| &nodes[*target as usize].name)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> u32 {
        if name.local == local_name!("a") && name.ns == ns!(html) {
            self.links.set(self.links.get() + 1);
        }
        let node = self.add(Node {
            name: name.clone(),
            parent: DOCUMENT,
            place: Place::default(),
            roles: Roles::default(),
            is_placed: false,
        });
        if flags.template {
            // Its content is a child of it.
            let inert = Place {
                is_inert: true,
                ..Place::default()
            };
            self.add(Node {
                name,
                parent: node,
                place: inert,
                roles: Roles::default(),
                is_placed: true,
            });
        }
        *self.newest.borrow_mut() = (node, attributes);
        node
    }

    fn create_comment(&self, _: StrTendril) -> u32 {
        u32::MAX
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        u32::MAX
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.append_to(*parent, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        // An element without a parent has the position of the document here.
        match self.parent_of(*element) {
            DOCUMENT => self.append_to(*previous, child),
            parent => self.append_to(parent, child),
        }
    }

    fn append_before_sibling(&self, sibling: &u32, new: NodeOrText<u32>) {
        self.append_to(self.parent_of(*sibling), new);
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &u32) -> u32 {
        target + 1
    }

    fn same_node(&self, one: &u32, other: &u32) -> bool {
        self.step();
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn pop(&self, node: &u32) {
        let depth = self.nodes.borrow()[*node as usize].place.depth;
        self.depth.set(depth.saturating_sub(1));
        self.found.borrow_mut().leave(*node);
    }

    fn add_attrs_if_missing(&self, target: &u32, attributes: Vec<Attribute>) {
        // A second `<html>`; its lang counts if the first one has none.
        let nodes = self.nodes.borrow();
        let element = Element {
            name: &nodes[*target as usize].name,
            attributes: &attributes,
            above: Place::default(),
        };
        if element.is_html() && element.name.local == local_name!("html") {
            self.found.borrow_mut().lang(&element);
        }
    }

    fn remove_from_parent(&self, _: &u32) {}

    fn reparent_children(&self, _: &u32, _: &u32) {}
}
