//! One entry on its way through: its bytes as they stand, and what would be written where they cannot stay.
//!
//! The entry is a flat list of items, each with the white space and comments before it and its range of the bytes. If
//! nothing has to change, the bytes go through whole; otherwise only the items that change are written anew.

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

/// What a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Core(Core),
    Extension(Extension, u8),
}

enum Kind {
    /// With its value, and the line that it stands in.
    Core(Core, String, i32),
    /// Of an extension.
    Extension,
    /// Of neither, which is let be where it stands unless fields around it are put in order.
    Foreign,
}

struct Item {
    /// White space and comments before it, in `Entry::leads`.
    lead: Range<usize>,
    range: Range<usize>,
    kind: Kind,
    /// What is written in its place; the bytes of its range if None.
    out: Option<String>,
}

/// The value that is being gathered.
struct Target {
    field: Field,
    tag: TagOut<'static>,
    begin: usize,
    text: String,
    nesting: Nesting,
    is_faulty: bool,
    /// It holds a reference to a character that there is not.
    is_undecodable: bool,
    /// It refers to an entity that the document declares.
    has_declared_entity: bool,
    line: i32,
}

pub struct Entry {
    /// None for an element that is no entry, directly in the root.
    pub kind: Option<EntryKind>,
    pub raw: String,
    pub line: i32,
    tag: Option<(TagOut<'static>, usize)>,
    items: Vec<Item>,
    /// Whether a field of the protocol stands inside a record, which it cannot stay in.
    has_inner_core: bool,
    /// White space and comments between the items, one after the other; from `lead` on, what stands before the next.
    leads: String,
    lead: usize,
    target: Option<Target>,
    /// A record that is open, then a group in it.
    levels: Vec<Level>,
    foreign: Option<(Foreign, usize)>,
    /// What it says besides the fields of the protocol.
    content: Content,
    is_changed: bool,
    repairs: Repairs,
    /// Values of loc that cannot stay.
    bad_locs: Omissions,
    /// Elements that cannot stay.
    lost: Omissions,
    /// Fields of the protocol that it has had, with their values.
    values: Values,
    pub is_other_root: bool,
    /// It refers to an entity that the document declares.
    has_declared_entity: bool,
}

/// What an entry needs from outside to be read.
pub struct Surroundings<'a> {
    pub names: &'a mut Names,
    pub base: Option<&'a str>,
    /// Bytes that are not of the encoding have been met.
    pub is_lossy: bool,
}

/// A start tag in the entry, and where its bytes are.
pub struct StartTag<'a, 'b> {
    pub start: &'a Start<'b>,
    pub range: Range<usize>,
    /// Whether it is to be written anew.
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
            lost: Omissions::default(),
            values: Values::default(),
            is_other_root: false,
            has_declared_entity: false,
        }
    }

    /// Notes a repair: what stood at a line, and what stands there now.
    pub fn change(&mut self, repair: Repair, line: i32, before: &str, after: &str) {
        self.change_times(repair, 1, || Example::new(line, before, after));
    }

    /// Notes so many repairs of a kind, of which this is an example.
    pub fn change_times(&mut self, repair: Repair, count: u64, example: impl FnOnce() -> Example) {
        self.is_changed = true;
        self.repairs.add(repair, count, example);
    }

    /// Notes that the name of an element is another one now.
    fn rename(&mut self, repair: Repair, start: &Start, name: &str) {
        self.change_times(repair, 1, || {
            let (before, after) = (format!("<{}>", start.name), format!("<{name}>"));
            Example::new(start.seen.line, &before, &after)
        });
    }

    fn renamed(&mut self, start: &Start, tag: &TagOut) {
        // A tag in capitals was noted by the reader.
        if !tag.name.eq_ignore_ascii_case(start.name) {
            self.rename(Repair::ExtensionNamespace, start, &tag.name);
        }
        self.is_changed |= tag.is_changed;
    }

    /// The start tag of the entry itself, whose bytes end at `end`.
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
            self.rename(Repair::Namespace, start, &tag.name);
        }
        self.is_changed |= tag.is_changed;
        self.tag = Some((tag.into_owned(), end));
    }

    /// It refers to an entity that the document declares: the field that is being gathered does, if one is.
    pub fn refers_to_entity(&mut self) {
        match &mut self.target {
            Some(target) => target.has_declared_entity = true,
            None => self.has_declared_entity = true,
        }
    }

    /// Takes what the reader passed over in silence: white space, comments, and what makes no sense.
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

    /// Splits off the field that is being gathered, its bytes and those of the last token: an entry of its own, without
    /// tags. Where the field begins is given back as well.
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

    /// White space and comments before what comes next.
    fn open_lead(&self) -> &str {
        &self.leads[self.lead..]
    }

    /// An element that is no field: passed over by the reader, and kept.
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

    /// The end of an element that is passed over. Whether it was the outermost one.
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
        self.content.other(&foreign.xml);
        self.is_changed |= foreign.is_changed;
        let out = foreign.is_changed.then_some(foreign.xml);
        self.item(begin..end, Kind::Foreign, out);
    }
}
