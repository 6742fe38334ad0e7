//! One entry being rewritten: its bytes as they are, and the replacements for those that cannot stay.
//!
//! The entry is a flat list of items, each with its range of bytes and the whitespace and comments before it. If
//! nothing changes, the bytes are copied as a whole; otherwise only the changed items are rewritten.

mod field;
mod outcome;
mod record;
mod values;

use std::ops::Range;

pub use self::outcome::Outcome;
use self::record::Level;
use self::values::Values;
use super::account::{Example, Omissions, Repair, Repairs};
use super::foreign::Foreign;
use super::listen::Start;
use super::markup::TagOut;
use super::names::Names;
use super::usual::Content;
use crate::read::rows::{EntryKind, Extension};
use crate::read::sitemap::Core;
use crate::read::sitemap::nesting::Nesting;

/// The field that a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Core(Core),
    Extension(Extension, u8),
}

enum Kind {
    /// With its value and its line.
    Core(Core, String, i32),
    /// A field of an extension.
    Extension,
    /// Any other element, which is not modified unless fields around it are reordered.
    Foreign,
}

struct Item {
    /// Whitespace and comments before it, in `Entry::leads`.
    lead: Range<usize>,
    range: Range<usize>,
    kind: Kind,
    /// Its replacement; `None` to copy the bytes of its range.
    out: Option<String>,
}

/// The value being collected.
struct Target {
    field: Field,
    tag: TagOut<'static>,
    begin: usize,
    text: String,
    nesting: Nesting,
    is_faulty: bool,
    /// It contains a reference to an invalid character.
    is_undecodable: bool,
    /// It refers to an entity that the document declares.
    has_declared_entity: bool,
    line: i32,
}

pub struct Entry {
    /// `None` for an element directly in the root that is not an entry.
    pub kind: Option<EntryKind>,
    pub raw: String,
    pub line: i32,
    tag: Option<(TagOut<'static>, usize)>,
    items: Vec<Item>,
    /// Whether a field of the protocol is inside a record, where it cannot stay.
    has_inner_core: bool,
    /// Whitespace and comments between the items, one after the other; those before the next item start at `lead`.
    leads: String,
    lead: usize,
    target: Option<Target>,
    /// The open record, then the open group in it.
    levels: Vec<Level>,
    foreign: Option<(Foreign, usize)>,
    /// Its content other than the fields of the protocol.
    content: Content,
    is_changed: bool,
    repairs: Repairs,
    /// Values of loc that cannot be kept.
    bad_locs: Omissions,
    /// Locs with a variable without a value, which stay as they are.
    unset_locs: Omissions,
    /// Elements that cannot be kept.
    lost: Omissions,
    /// The fields of the protocol so far, with their values.
    values: Values,
    pub is_other_root: bool,
    /// It refers to an entity that the document declares.
    has_declared_entity: bool,
}

/// What an entry needs from outside.
pub struct Surroundings<'a> {
    pub names: &'a mut Names,
    pub base: Option<&'a str>,
}

/// A start tag in the entry, and the range of its bytes.
pub struct StartTag<'a, 'b> {
    pub start: &'a Start<'b>,
    pub range: Range<usize>,
    /// Whether it must be rewritten.
    pub is_faulty: bool,
}

impl Entry {
    pub fn new(kind: Option<EntryKind>, line: i32, repairs: Repairs) -> Self {
        Self {
            kind,
            raw: String::new(),
            line,
            tag: None,
            items: Vec::new(),
            leads: String::new(),
            lead: 0,
            target: None,
            levels: Vec::new(),
            has_inner_core: false,
            foreign: None,
            content: Content::default(),
            is_changed: false,
            repairs,
            bad_locs: Omissions::default(),
            unset_locs: Omissions::default(),
            lost: Omissions::default(),
            values: Values::default(),
            is_other_root: false,
            has_declared_entity: false,
        }
    }

    /// Notes a repair: the text at a line before and after.
    pub fn change(&mut self, repair: Repair, line: i32, before: &str, after: &str) {
        self.change_times(repair, 1, || Example::new(line, before, after));
    }

    /// Notes several repairs of a kind with one example.
    pub fn change_times(&mut self, repair: Repair, count: u64, example: impl FnOnce() -> Example) {
        self.is_changed = true;
        self.repairs.add(repair, count, example);
    }

    /// Notes that an element was renamed.
    fn renamed(&mut self, repair: Repair, start: &Start, tag: &TagOut) {
        // The reader already noted a tag in uppercase.
        if !tag.name.eq_ignore_ascii_case(start.name) {
            let (before, after) = (format!("<{}>", start.name), format!("<{}>", tag.name));
            self.change(repair, start.seen.line, &before, &after);
        }
        self.is_changed |= tag.is_changed;
    }

    /// Handles the start tag of the entry itself, whose bytes end at `end`.
    pub fn open(&mut self, start: &Start, around: &mut Surroundings, end: usize, is_faulty: bool) {
        let local = if self.kind == Some(EntryKind::Child) {
            "sitemap"
        } else {
            "url"
        };
        let name = around.names.own(start, local);
        let (mut tag, renamespaced) = around.names.tag(start, name, true);
        tag.is_changed |= is_faulty;
        if renamespaced || !tag.name.eq_ignore_ascii_case(start.name) {
            let before = self.raw[..end].to_owned();
            self.change(
                Repair::Namespace,
                start.seen.line,
                &before,
                &format!("{}>", tag.opening()),
            );
        }
        self.is_changed |= tag.is_changed;
        self.tag = Some((tag.into_owned(), end));
    }

    /// Records a reference to a declared entity, in the field being collected if there is one.
    pub fn refers_to_entity(&mut self) {
        match &mut self.target {
            Some(target) => target.has_declared_entity = true,
            None => self.has_declared_entity = true,
        }
    }

    /// Takes anything for which the reader emitted no event: whitespace, comments and meaningless markup.
    pub fn quiet(&mut self, range: Range<usize>, keeps: bool) {
        if !keeps {
            self.is_changed = true;
            if let Some(target) = &mut self.target {
                target.is_faulty = true;
            }
            if let Some((foreign, _)) = &mut self.foreign {
                foreign.is_changed = true;
            }
        } else if let Some((foreign, _)) = &mut self.foreign {
            foreign.verbatim(&self.raw[range]);
        } else if self.target.is_none() {
            self.leads.push_str(&self.raw[range]);
        }
    }

    /// Splits off the field being collected with its bytes and those of the last token, as an entry of its own without
    /// tags. Also returns where the field starts.
    pub fn split(&mut self, length: usize) -> Option<(Entry, usize)> {
        let mut target = self.target.take()?;
        let at = std::mem::take(&mut target.begin);
        debug_assert!(at + length <= self.raw.len());
        let mut rest = Entry::new(self.kind, target.line, self.repairs.of_a_part());
        rest.raw = self.raw.split_off(at);
        rest.is_other_root = self.is_other_root;
        rest.target = Some(target);
        Some((rest, at))
    }

    fn item(&mut self, range: Range<usize>, kind: Kind, out: Option<String>) {
        self.has_inner_core |= matches!(kind, Kind::Core(..)) && !self.levels.is_empty();
        let lead = std::mem::replace(&mut self.lead, self.leads.len())..self.leads.len();
        self.items.push(Item { lead, range, kind, out });
    }

    /// Returns the whitespace and comments before the next item.
    fn open_lead(&self) -> &str {
        &self.leads[self.lead..]
    }

    /// Keeps an element other than a field, which the reader ignores.
    pub fn pass_over(&mut self, tag: &StartTag, around: &mut Surroundings) {
        let start = tag.start;
        let (foreign, _) = self
            .foreign
            .get_or_insert_with(|| (Foreign::new(start.seen.line, start.name.to_owned()), tag.range.start));
        foreign.is_changed |= tag.is_faulty;
        if let Some(repair) = foreign.start(start, around.names) {
            self.change(repair, start.seen.line, &format!("<{}>", start.name), "");
        }
    }

    pub fn is_passing_over(&self) -> bool {
        self.foreign.is_some()
    }

    /// Handles the end of an ignored element, and returns whether it was the outermost one.
    pub fn end_passed_over(&mut self, depth: usize, end: usize, is_clean: bool, around: &mut Surroundings) -> bool {
        let is_over = self.foreign.as_mut().is_some_and(|(foreign, _)| {
            foreign.is_changed |= !is_clean;
            foreign.end(depth, around.names)
        });
        if is_over {
            self.finish_foreign(end, around);
        }
        is_over
    }

    pub fn finish_foreign(&mut self, end: usize, around: &mut Surroundings) {
        let Some((mut foreign, begin)) = self.foreign.take() else {
            return;
        };
        foreign.close(around.names);
        if let Some(why) = foreign.lost {
            self.is_changed = true;
            let what = format!("<{}>", foreign.name);
            self.lost.add(why, foreign.line, &what);
            return;
        }
        self.lost.append(foreign.lost_inside);
        self.content.other(&foreign.xml);
        self.is_changed |= foreign.is_changed;
        let out = foreign.is_changed.then_some(foreign.xml);
        self.item(begin..end, Kind::Foreign, out);
    }
}
