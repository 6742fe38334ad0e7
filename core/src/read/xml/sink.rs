//! What the reader hands on: start tags, text and ends, to whatever makes rows of them.

use super::attributes::Attributes;
use super::namespace::Namespaces;
use super::vocabulary::Vocabulary;
use crate::anomaly::AnomalyKind;
use crate::read::notes::Notes;
use crate::read::window::Window;

/// What a sink may use while it looks at one piece of the document.
pub struct Context<'a> {
    pub window: &'a Window,
    pub notes: &'a mut Notes,
}

impl Context<'_> {
    /// Notes an anomaly at an offset of the window.
    #[cold]
    pub fn note(&mut self, kind: AnomalyKind, at: usize, field: Option<&'static str>, seen: &str) {
        self.notes.add(kind, self.window.place(at), field.map(Into::into), seen);
    }
}

/// A start tag, read.
pub struct Tag<'a> {
    /// Offset of its < in the window.
    pub at: usize,
    /// The whole tag.
    pub written: &'a str,
    /// The whole name as written.
    pub name: &'a str,
    pub prefix: &'a str,
    pub local: &'a str,
    pub vocabulary: Vocabulary,
    /// The namespace, where there is one that was declared.
    pub namespace: Option<u32>,
    /// Its URI, likewise.
    pub uri: &'a str,
    /// Whether the URI is exactly the one of the vocabulary's specification.
    pub exact: bool,
    /// Whether its name breaks the rules of namespaces, or its prefix is not declared.
    pub is_unfit: bool,
    /// Elements around it.
    pub depth: usize,
    pub attributes: Attributes<'a>,
}

/// What makes rows of elements.
pub trait Sink {
    /// What an element turned out to be; given back when it ends.
    type Role: Copy;

    fn start(&mut self, context: &mut Context, tag: &Tag) -> Self::Role;

    /// Text inside an element, unescaped; `at` is the offset of its first byte as written.
    fn text(&mut self, context: &mut Context, text: &str, at: usize);

    /// `closed`: whether by an end tag of its own, and not by that of an element around it.
    fn end(&mut self, context: &mut Context, role: Self::Role, closed: bool);

    /// The document ended before its root did: what is half-read is to be left out. The number of the entry that it ends
    /// in, if that is kept.
    fn truncated(&mut self, context: &mut Context) -> Option<i32>;

    /// Whether text now belongs to a field; other text matters only if it is not white space.
    fn is_in_field(&self) -> bool;

    /// The field that is being read, for the anomalies in it.
    fn field(&self) -> Option<&'static str>;

    /// Whether an open element is text to the sink, which notes itself what is wrong with it.
    fn is_literal(&self, role: Self::Role) -> bool;

    /// Whether an element of this role is passed over as one of an unknown namespace.
    fn is_passed_over(role: Self::Role) -> bool;

    /// Reads a whole child of the root at the window's position, if the sink knows a faster way and all is as usual.
    fn express(&mut self, window: &mut Window, namespaces: &Namespaces) -> bool;

    /// Whether the rest of the document is of no interest.
    fn is_done(&self) -> bool;
}
