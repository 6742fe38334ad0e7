//! One entry on its way through: its bytes as they stand, and what would be written where they cannot stay.
//!
//! The entry is a flat list of items, each with the white space and comments before it and its range of the bytes. If
//! nothing has to change, the bytes go through whole; otherwise only the items that change are written anew.

use std::borrow::Cow;
use std::ops::Range;

use super::account::{Account, Example, LeftOut, Repair};
use super::address::{Verdict, judge};
use super::foreign::Foreign;
use super::listen::{Noted, Start};
use super::markup::{TagOut, push_end, without_forbidden};
use super::names::Names;
use super::usual::Content;
use super::values;
use crate::anomaly::AnomalyKind;
use crate::read::records::Grammar;
use crate::read::rows::{EntryKind, Extension};
use crate::read::sitemap::Core;
use crate::value::trim;

/// What a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Core(Core),
    Extension(Extension, u8),
}

enum Kind {
    Core(Core, String),
    /// Of an extension.
    Extension,
    /// Of neither, which is let be where it stands unless fields around it are put in order.
    Foreign,
}

struct Item {
    /// White space and comments before it.
    lead: String,
    range: Range<usize>,
    kind: Kind,
    /// What is written in its place; the bytes of its range if None.
    out: Option<String>,
}

/// The value that is being gathered.
struct Target {
    field: Field,
    tag: TagOut,
    begin: usize,
    text: String,
    /// How long the text was where the first element inside the field began.
    nested: Option<usize>,
    is_faulty: bool,
    line: i32,
}

/// A record or group that is open, and how its end tag is to be written.
struct Level {
    name: String,
    is_changed: bool,
    /// `<image:image/>`: there is no end tag to come.
    is_empty: bool,
    /// Prefixes that the entry declared before it.
    locals: usize,
    /// Fields that the record has had, with their values.
    values: Vec<(u8, String)>,
}

pub struct Entry {
    /// None for an element that is no entry, directly in the root.
    pub kind: Option<EntryKind>,
    pub raw: String,
    pub line: i32,
    tag: Option<(TagOut, usize)>,
    items: Vec<Item>,
    /// Whether a field of the protocol stands inside a record, which it cannot stay in.
    has_inner_core: bool,
    lead: String,
    target: Option<Target>,
    /// A record that is open, then a group in it.
    levels: Vec<Level>,
    foreign: Option<(Foreign, usize)>,
    /// What it says besides the fields of the protocol.
    content: Content,
    is_changed: bool,
    repairs: Vec<(Repair, Example)>,
    left_out: Option<(LeftOut, String)>,
    lost: Vec<(LeftOut, i32, String)>,
    pub is_other_root: bool,
    /// It refers to an entity that the document declares.
    has_declared_entity: bool,
}

/// What an entry became.
pub enum Outcome {
    /// Its bytes, and whether they are as they were.
    Write(String),
    Raw(String),
    LeaveOut(LeftOut, String),
    Duplicate(String),
    Nothing,
}

/// What an entry needs from outside to be read.
pub struct Surroundings<'a> {
    pub names: &'a mut Names,
    pub base: Option<&'a str>,
    /// Bytes that are not of the encoding have been met.
    pub is_lossy: bool,
}

/// A start tag in the entry: where its bytes are, and what was noted of them.
pub struct Token<'a> {
    pub start: &'a Start,
    pub noted: &'a Noted,
    pub range: Range<usize>,
    /// Whether it is to be written anew.
    pub is_faulty: bool,
}

impl Entry {
    pub fn new(kind: Option<EntryKind>, line: i32) -> Self {
        Self {
            kind,
            raw: String::new(),
            line,
            tag: None,
            items: Vec::new(),
            lead: String::new(),
            target: None,
            levels: Vec::new(),
            has_inner_core: false,
            foreign: None,
            content: Content::default(),
            is_changed: false,
            repairs: Vec::new(),
            left_out: None,
            lost: Vec::new(),
            is_other_root: false,
            has_declared_entity: false,
        }
    }

    pub fn change(&mut self, repair: Repair, example: Example) {
        self.is_changed = true;
        self.repairs.push((repair, example));
    }

    fn renamed(&mut self, start: &Start, tag: &TagOut) {
        // A tag in capitals was noted by the reader.
        if !tag.name.eq_ignore_ascii_case(&start.name) {
            let example = Example::new(start.line, &format!("<{}>", start.name), &format!("<{}>", tag.name));
            self.change(Repair::ExtensionNamespace, example);
        }
        self.is_changed |= tag.is_changed;
    }

    /// The start tag of the entry itself, whose bytes end at `end`.
    pub fn open(&mut self, start: &Start, noted: &Noted, around: &mut Surroundings, end: usize, is_faulty: bool) {
        let local = if self.kind == Some(EntryKind::Child) {
            "sitemap"
        } else {
            "url"
        };
        let name = around.names.own(start, local);
        let (mut tag, renamespaced) = around.names.tag(start, name, noted, true);
        tag.is_changed |= is_faulty;
        if renamespaced || !tag.name.eq_ignore_ascii_case(&start.name) {
            let example = Example::new(start.line, &format!("<{}>", start.name), &format!("<{}>", tag.name));
            self.change(Repair::Namespace, example);
        }
        self.is_changed |= tag.is_changed;
        self.tag = Some((tag, end));
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
            self.lead.push_str(&self.raw[range]);
        }
    }

    fn item(&mut self, range: Range<usize>, kind: Kind, out: Option<String>) {
        self.has_inner_core |= matches!(kind, Kind::Core(..)) && !self.levels.is_empty();
        let lead = std::mem::take(&mut self.lead);
        self.items.push(Item { lead, range, kind, out });
    }

    /// An element that is no field: passed over by the reader, and kept.
    pub fn pass_over(&mut self, token: &Token, around: &mut Surroundings) {
        let Token { start, noted, .. } = *token;
        let (foreign, _) = self
            .foreign
            .get_or_insert_with(|| (Foreign::new(start.line, start.name.clone()), token.range.start));
        foreign.is_changed |= token.is_faulty;
        if let Some(repair) = foreign.start(start, around.names, noted) {
            let example = Example::new(start.line, &format!("<{}>", start.name), "");
            self.change(repair, example);
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
        if foreign.is_lost {
            self.is_changed = true;
            self.lost
                .push((LeftOut::UnknownPrefix, foreign.line, format!("<{}>", foreign.name)));
            return;
        }
        self.content.other(&foreign.xml);
        self.is_changed |= foreign.is_changed;
        let out = foreign.is_changed.then_some(foreign.xml);
        self.item(begin..end, Kind::Foreign, out);
    }

    pub fn begin_field(&mut self, field: Field, token: &Token, around: &mut Surroundings) {
        let Token { start, noted, .. } = *token;
        self.finish_foreign(token.range.start, around);
        let (name, is_own) = match field {
            Field::Core(core) => (around.names.own(start, core.name()), true),
            Field::Extension(extension, index) => {
                let local = extension.fields()[index as usize].element;
                (around.names.extension(start, extension, local), false)
            }
        };
        let locals = around.names.local.len();
        let (tag, renamespaced) = around.names.tag(start, name, noted, is_own);
        // In the result, nothing is inside a field.
        around.names.local.truncate(locals);
        self.renamed(start, &tag);
        if renamespaced {
            self.change(Repair::ExtensionNamespace, Example::new(start.line, &tag.name, ""));
        }
        self.target = Some(Target {
            field,
            begin: token.range.start,
            text: String::new(),
            nested: None,
            is_faulty: token.is_faulty || tag.is_changed,
            line: start.line,
            tag,
        });
    }

    /// An element inside a field.
    pub fn wrap(&mut self) {
        if let Some(target) = &mut self.target {
            target.nested.get_or_insert(target.text.len());
            target.is_faulty = true;
        }
    }

    /// Text; `raw` is where it stands.
    pub fn text(&mut self, text: &str, raw: Range<usize>, noted: &Noted, is_faulty: bool) {
        self.has_declared_entity |= noted.has(AnomalyKind::DeclaredEntity);
        if let Some(target) = &mut self.target {
            target.text.push_str(text);
            target.is_faulty |= is_faulty;
            if noted.has(AnomalyKind::InvalidCharReference) && target.field == Field::Core(Core::Loc) {
                self.left_out = Some((LeftOut::Undecodable, text.to_owned()));
            }
        } else if let Some((foreign, _)) = &mut self.foreign {
            // In an element of ours that stands where it does not belong, the reader takes text for astray.
            if !noted.has(AnomalyKind::StrayText) {
                foreign.text(text);
            }
            foreign.is_changed |= is_faulty;
        } else {
            // It goes, but what sets off the next element stays.
            let written = &self.raw[raw];
            let kept = written.trim_end_matches([' ', '\t', '\r', '\n']).len();
            self.lead.push_str(&written[kept..]);
            self.is_changed = true;
        }
    }

    /// Text that the reader took for the loc of the entry, since it lacks one.
    pub fn adopt_loc(&mut self, text: &str, range: Range<usize>, line: i32, around: &mut Surroundings) {
        let tag = TagOut {
            name: super::names::join(&around.names.prefix, "loc"),
            attributes: Vec::new(),
            is_changed: true,
        };
        self.target = Some(Target {
            field: Field::Core(Core::Loc),
            tag,
            begin: range.start,
            text: text.to_owned(),
            nested: None,
            is_faulty: true,
            line,
        });
        self.finish_field(range.end, true, true, around);
    }

    pub fn is_target(&self, field: Field) -> bool {
        self.target.as_ref().is_some_and(|target| target.field == field)
    }

    /// Ends the field that is open, at `end`; `closed`: by an end tag of its own; `is_clean`: with nothing wrong in it.
    pub fn finish_field(&mut self, end: usize, closed: bool, is_clean: bool, around: &mut Surroundings) {
        let Some(mut target) = self.target.take() else { return };
        target.is_faulty |= !is_clean;
        if !closed
            && let Some(nested) = target.nested
            && !trim(&target.text[..nested]).is_empty()
        {
            target.text.truncate(nested);
        }
        let value = match without_forbidden(trim(&target.text)) {
            Cow::Borrowed(value) => value.to_owned(),
            Cow::Owned(kept) => {
                target.is_faulty = true;
                if target.field == Field::Core(Core::Loc) {
                    self.left_out.get_or_insert((LeftOut::Undecodable, target.text.clone()));
                }
                trim(&kept).to_owned()
            }
        };
        let range = target.begin..end;
        if value.is_empty() && target.tag.attributes.is_empty() {
            let is_loc = target.field == Field::Core(Core::Loc);
            if !is_loc {
                let example = Example::new(target.line, &format!("<{}/>", target.tag.name), "");
                self.change(Repair::EmptyField, example);
            }
            self.is_changed = true;
            return;
        }
        let repaired = self.judge(target.field, &value, around);
        let now = repaired.as_ref().map_or(&value, |(_, now)| now);
        if self.is_repeated(target.field, now) {
            let example = Example::new(target.line, &target.tag.around(&value), "");
            self.change(Repair::RepeatedField, example);
            return;
        }
        let is_changed = target.is_faulty || repaired.is_some() || value.len() != target.text.len();
        if let Some((repair, now)) = &repaired {
            self.change(*repair, Example::new(target.line, &value, now));
        }
        self.is_changed |= is_changed;
        let value = repaired.map_or(value, |(_, now)| now);
        self.remember(&target, &value);
        let out = is_changed.then(|| target.tag.around(&value));
        let kind = match target.field {
            Field::Core(core) => Kind::Core(core, value),
            Field::Extension(..) => Kind::Extension,
        };
        self.item(range, kind, out);
    }

    /// Whether the entry or record has this field with this value already.
    fn is_repeated(&self, field: Field, value: &str) -> bool {
        match field {
            Field::Core(core) => self
                .items
                .iter()
                .any(|item| matches!(&item.kind, Kind::Core(known, had) if *known == core && had == value)),
            Field::Extension(extension, index) => {
                extension.fields()[index as usize].grammar != Grammar::List
                    && self
                        .levels
                        .first()
                        .is_some_and(|level| level.values.iter().any(|(known, had)| *known == index && had == value))
            }
        }
    }

    fn judge(&mut self, field: Field, value: &str, around: &Surroundings) -> values::Repaired {
        match field {
            Field::Core(Core::Loc) => {
                if around.is_lossy && value.contains('\u{fffd}') {
                    self.left_out = Some((LeftOut::Undecodable, value.to_owned()));
                    return None;
                }
                match judge(value, around.base) {
                    Verdict::Good => None,
                    Verdict::Escaped(url) => Some((Repair::UrlEscaped, url)),
                    Verdict::Resolved(url) => Some((Repair::UrlResolved, url)),
                    Verdict::Bad(problem) => {
                        self.left_out.get_or_insert((LeftOut::of(problem), value.to_owned()));
                        None
                    }
                }
            }
            Field::Core(Core::Lastmod) => values::lastmod(value),
            Field::Core(Core::Changefreq) => values::changefreq(value),
            Field::Core(Core::Priority) => values::priority(value),
            Field::Extension(extension, index) => values::field(extension, index as usize, value, around.base),
        }
    }

    fn remember(&mut self, target: &Target, value: &str) {
        match target.field {
            Field::Core(_) => {}
            Field::Extension(extension, index) => {
                self.content.field(extension.fields()[index as usize].element, value);
                for (name, value) in &target.tag.attributes {
                    self.content.field(name, value);
                }
                if let Some(level) = self.levels.first_mut() {
                    level.values.push((index, value.to_owned()));
                }
            }
        }
    }

    /// A link: all of it is in its attributes.
    pub fn link(&mut self, token: &Token, around: &mut Surroundings) {
        let Token { start, noted, .. } = *token;
        let range = token.range.clone();
        self.finish_foreign(range.start, around);
        let name = around.names.extension(start, Extension::Alternate, "link");
        let locals = around.names.local.len();
        let (mut tag, renamespaced) = around.names.tag(start, name, noted, false);
        // In the result, nothing is inside a link.
        around.names.local.truncate(locals);
        self.renamed(start, &tag);
        if renamespaced {
            self.change(Repair::ExtensionNamespace, Example::new(start.line, &tag.name, ""));
        }
        tag.is_changed |= token.is_faulty;
        let mut repairs = Vec::new();
        for (name, value) in &mut tag.attributes {
            if let Cow::Owned(kept) = without_forbidden(value) {
                *value = kept;
            }
            let repaired = match name.as_str() {
                "hreflang" => values::language_and_region(trim(value)),
                "href" => values::url(trim(value), around.base),
                _ => None,
            };
            if let Some((repair, now)) = repaired {
                repairs.push((repair, Example::new(start.line, value, &now)));
                *value = now;
            }
        }
        tag.is_changed |= !repairs.is_empty();
        for (repair, example) in repairs {
            self.change(repair, example);
        }
        self.is_changed |= tag.is_changed;
        self.content.begin(Extension::Alternate);
        let mut attributes: Vec<_> = tag.attributes.iter().collect();
        attributes.sort_by_key(|(name, _)| ["rel", "hreflang", "href"].iter().position(|known| known == name));
        // What is not known comes first in that order, and is told apart by its name.
        for (name, value) in attributes {
            self.content.field(name, trim(value));
        }
        self.content.end();
        let is_whole = self.raw[range.clone()].ends_with("/>");
        let out = (tag.is_changed || !is_whole).then(|| format!("{}/>", tag.opening()));
        self.item(range, Kind::Extension, out);
    }

    /// The start tag of a record of an extension, or of a group of its fields.
    pub fn begin_level(
        &mut self,
        extension: Extension,
        local: &str,
        is_record: bool,
        token: &Token,
        around: &mut Surroundings,
    ) {
        let Token { start, noted, .. } = *token;
        let range = token.range.clone();
        self.finish_foreign(range.start, around);
        self.end_levels(usize::from(!is_record), range.start, around);
        let name = around.names.extension(start, extension, local);
        let locals = around.names.local.len();
        let (mut tag, renamespaced) = around.names.tag(start, name, noted, false);
        self.renamed(start, &tag);
        if renamespaced {
            self.change(Repair::ExtensionNamespace, Example::new(start.line, &tag.name, ""));
        }
        tag.is_changed |= token.is_faulty;
        self.is_changed |= tag.is_changed;
        if is_record {
            self.content.begin(extension);
        } else {
            self.content.field("(", &start.local);
        }
        for (name, value) in &tag.attributes {
            self.content.field(name, value);
        }
        let is_empty = self.raw[range.clone()].ends_with("/>") && !token.is_faulty;
        let out = tag.is_changed.then(|| {
            let end = if is_empty { "/>" } else { ">" };
            format!("{}{end}", tag.opening())
        });
        self.levels.push(Level {
            name: tag.name.clone(),
            is_changed: tag.is_changed,
            is_empty,
            locals,
            values: Vec::new(),
        });
        self.item(range, Kind::Extension, out);
    }

    pub fn has_record(&self) -> bool {
        !self.levels.is_empty()
    }

    /// The end tag of a record (`is_record`) or group; `range` is empty where there is none.
    pub fn end_level(&mut self, is_record: bool, range: Range<usize>, is_clean: bool, around: &mut Surroundings) {
        let keeps = usize::from(!is_record);
        if self.levels.len() <= keeps {
            self.is_changed = true;
            return;
        }
        self.end_levels(keeps + 1, range.start, around);
        let Some(level) = self.levels.pop() else { return };
        self.close_level(&level, range, is_clean, around);
    }

    fn close_level(&mut self, level: &Level, range: Range<usize>, is_clean: bool, around: &mut Surroundings) {
        around.names.local.truncate(level.locals);
        self.content.end();
        if level.is_empty {
            return;
        }
        let mut end = String::new();
        push_end(&mut end, &level.name);
        let is_changed = level.is_changed || !is_clean;
        self.is_changed |= is_changed;
        self.item(range, Kind::Extension, is_changed.then_some(end));
    }

    /// Ends the levels that lack their end tags, down to so many.
    fn end_levels(&mut self, keeps: usize, at: usize, around: &mut Surroundings) {
        while self.levels.len() > keeps
            && let Some(level) = self.levels.pop()
        {
            let lead = std::mem::take(&mut self.lead);
            self.close_level(&level, at..at, level.is_empty, around);
            self.lead = lead;
        }
    }

    /// Ends the entry at `at`. `end_tag`: its own end tag, and whether nothing is wrong with it.
    pub fn finish(
        mut self,
        at: usize,
        end_tag: Option<(Range<usize>, bool)>,
        around: &mut Surroundings,
        account: &mut Account,
        is_new: impl FnOnce(Content) -> bool,
    ) -> (Outcome, String) {
        self.finish_field(at, false, false, around);
        self.finish_foreign(at, around);
        self.end_levels(0, at, around);
        // White space before a tag that is not there sets off what comes next.
        let behind = if end_tag.is_none() {
            std::mem::take(&mut self.lead)
        } else {
            String::new()
        };
        (self.outcome(at, end_tag, around, account, is_new), behind)
    }

    fn outcome(
        mut self,
        at: usize,
        end_tag: Option<(Range<usize>, bool)>,
        around: &mut Surroundings,
        account: &mut Account,
        is_new: impl FnOnce(Content) -> bool,
    ) -> Outcome {
        let has_loc = self
            .items
            .iter()
            .any(|item| matches!(item.kind, Kind::Core(Core::Loc, _)));
        if self.is_other_root {
            self.left_out = Some((LeftOut::OtherRoot, self.loc()));
        } else if self.kind.is_some() {
            if self.has_declared_entity {
                self.left_out = Some((LeftOut::Entity, self.loc()));
            } else if !has_loc {
                self.left_out.get_or_insert((LeftOut::NoLoc, String::new()));
            }
        }
        if let Some((why, what)) = self.left_out {
            return Outcome::LeaveOut(why, what);
        }
        self.sort();
        if self.kind.is_some() && !is_new(self.says()) {
            return Outcome::Duplicate(self.loc());
        }
        for (why, line, what) in self.lost.drain(..) {
            account.leave_out(why, line, &what);
        }
        for (repair, example) in self.repairs.drain(..) {
            account.repair(repair, example);
        }
        let (range, is_clean) = end_tag.unwrap_or((at..at, false));
        let is_empty_tag = range.is_empty() && is_clean;
        if self.kind.is_none() && self.items.is_empty() {
            return Outcome::Nothing;
        }
        let lacks_tags = self.kind.is_some() && (self.tag.is_none() || !is_clean);
        if !self.is_changed && !lacks_tags {
            self.raw.truncate(range.end);
            return Outcome::Raw(self.raw);
        }
        Outcome::Write(self.compose(range, is_clean && !is_empty_tag, around))
    }

    /// What the entry says, its items being in order.
    fn says(&self) -> Content {
        let mut content = Content::default();
        for item in &self.items {
            if let Kind::Core(core, value) = &item.kind {
                content.core(*core as u8, value);
            }
        }
        content.append(&self.content);
        content
    }

    fn loc(&self) -> String {
        let found = self.items.iter().find_map(|item| match &item.kind {
            Kind::Core(Core::Loc, value) => Some(value.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Puts the fields of the protocol in their order, before everything else. Where only others stand between them,
    /// nothing is wrong but to the schema: engines read it, and generators write it.
    fn sort(&mut self) {
        const OTHERS: u8 = u8::MAX;
        let mut furthest = 0;
        let late = self.items.iter().find(|item| {
            let rank = match item.kind {
                Kind::Core(core, _) => core as u8,
                Kind::Extension if self.has_inner_core => OTHERS,
                Kind::Extension | Kind::Foreign => return false,
            };
            let is_late = rank < furthest;
            furthest = furthest.max(rank);
            is_late
        });
        let Some(late) = late else { return };
        let seen = self.raw.get(late.range.clone()).unwrap_or_default().to_owned();
        self.change(Repair::Order, Example::new(self.line, &seen, ""));
        self.items.sort_by_key(|item| match item.kind {
            Kind::Core(core, _) => core as u8,
            Kind::Extension | Kind::Foreign => OTHERS,
        });
    }

    fn compose(&self, end_tag: Range<usize>, is_clean: bool, around: &Surroundings) -> String {
        let mut out = String::with_capacity(self.raw.len() + 64);
        let local = if self.kind == Some(EntryKind::Child) {
            "sitemap"
        } else {
            "url"
        };
        let name = match &self.tag {
            Some((tag, end)) => {
                if tag.is_changed || self.raw[..*end].ends_with("/>") {
                    out.push_str(&tag.opening());
                    out.push('>');
                } else {
                    out.push_str(&self.raw[..*end]);
                }
                tag.name.clone()
            }
            None => super::names::join(&around.names.prefix, local),
        };
        if self.tag.is_none() && self.kind.is_some() {
            out.push_str(&format!("<{name}>"));
        }
        for item in &self.items {
            out.push_str(&item.lead);
            match &item.out {
                Some(written) => out.push_str(written),
                None => out.push_str(&self.raw[item.range.clone()]),
            }
        }
        if self.kind.is_none() {
            return out;
        }
        out.push_str(&self.lead);
        let keeps = is_clean && self.tag.as_ref().is_some_and(|(tag, _)| !tag.is_changed);
        if keeps {
            out.push_str(&self.raw[end_tag]);
        } else {
            push_end(&mut out, &name);
        }
        out
    }
}
