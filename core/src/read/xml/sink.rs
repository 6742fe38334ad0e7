//! The interface between the reader and whatever builds rows: start tags, text and ends.

use super::attributes::Attributes;
use super::namespace::Namespaces;
use super::vocabulary::Vocabulary;
use crate::anomaly::AnomalyKind;
use crate::read::notes::Notes;
use crate::read::window::Window;

/// What a sink can use while it processes one piece of the document.
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

/// A parsed start tag.
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
    /// The namespace, if there is one and it is declared.
    pub namespace: Option<u32>,
    /// The URI of the namespace, or an empty string.
    pub uri: &'a str,
    /// Whether the URI is exactly that of the vocabulary's specification.
    pub exact: bool,
    /// Whether its name violates the rules of namespaces, or its prefix is undeclared.
    pub is_unfit: bool,
    /// Number of elements around it.
    pub depth: usize,
    pub attributes: Attributes<'a>,
}

/// Builds rows from elements.
pub trait Sink {
    /// The role of an element, passed back when it ends.
    type Role: Copy;

    fn start(&mut self, context: &mut Context, tag: &Tag) -> Self::Role;

    /// Text inside an element, unescaped; `at` is the offset of its first byte as written.
    fn text(&mut self, context: &mut Context, text: &str, at: usize);

    /// `closed`: whether by its own end tag rather than by that of an element around it.
    fn end(&mut self, context: &mut Context, role: Self::Role, closed: bool);

    /// The document ended before its root did: incomplete content must be dropped. Returns the number of the entry that
    /// it ends in, if that is kept.
    fn truncated(&mut self, context: &mut Context) -> Option<i32>;

    /// Whether text here belongs to a field; other text matters only if it is not whitespace.
    fn is_in_field(&self) -> bool;

    /// The field being read, for the anomalies in it.
    fn field(&self) -> Option<&'static str>;

    /// Whether the sink treats an open element as text and notes its problems itself.
    fn is_literal(&self, role: Self::Role) -> bool;

    /// Whether an element with this role is ignored because its namespace is unknown.
    fn is_passed_over(role: Self::Role) -> bool;

    /// Reads a whole child of the root at the window's position, if the sink has an express path and everything is
    /// usual.
    fn express(&mut self, window: &mut Window, namespaces: &Namespaces) -> bool;

    /// Whether an element with this local name can be the root of a document that is read.
    fn is_root(local: &str) -> bool;

    /// Whether such a root was read.
    fn has_root(&self) -> bool;

    /// Whether the rest of the document can be skipped.
    fn is_done(&self) -> bool;
}
