//! Fields of an entry and of its records: gathered, judged, kept or written anew.

use std::borrow::Cow;
use std::ops::Range;

use super::{Entry, Field, Kind, Surroundings, Target, Token};
use crate::anomaly::AnomalyKind;
use crate::read::records::Grammar;
use crate::read::sitemap::nesting::Nesting;
use crate::read::sitemap::{Core, is_url_field};
use crate::rewrite::account::{Example, LeftOut, Repair};
use crate::rewrite::address::{Verdict, judge};
use crate::rewrite::listen::Noted;
use crate::rewrite::markup::{TagOut, without_forbidden};
use crate::rewrite::names::join;
use crate::rewrite::values;
use crate::value::trim;
use crate::value::url::xml_unescaped;

impl Entry {
    pub fn begin_field(&mut self, field: Field, token: &Token, around: &mut Surroundings) {
        let start = token.start;
        self.finish_foreign(token.range.start, around);
        let (name, is_own) = match field {
            Field::Core(core) => (around.names.own(start, core.name()), true),
            Field::Extension(extension, index) => {
                let local = extension.fields()[index as usize].element;
                (around.names.extension(start, extension, local), false)
            }
        };
        let locals = around.names.local.len();
        let (tag, renamespaced) = around.names.tag(start, name, is_own);
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
            nesting: Nesting::default(),
            is_faulty: token.is_faulty || tag.is_changed,
            is_undecodable: false,
            line: start.line,
            tag,
        });
    }

    /// An element inside a field.
    pub fn wrap(&mut self, tag: &str) {
        if let Some(target) = &mut self.target {
            let tag = xml_unescaped(tag).unwrap_or_else(|| tag.to_owned());
            target.nesting.open(&target.text, &tag);
            target.is_faulty = true;
        }
    }

    /// Its end; the tag is empty where its start tag ended it, and None where it lacks one.
    pub fn unwrap(&mut self, tag: Option<&str>) {
        if let Some(target) = &mut self.target {
            target.nesting.close(tag);
        }
    }

    /// Text; `raw` is where it stands.
    pub fn text(&mut self, text: &str, raw: Range<usize>, noted: &Noted, is_faulty: bool) {
        self.has_declared_entity |= noted.has(AnomalyKind::DeclaredEntity);
        if let Some(target) = &mut self.target {
            target.text.push_str(text);
            target.nesting.text(text);
            target.is_faulty |= is_faulty;
            target.is_undecodable |= noted.has(AnomalyKind::InvalidCharReference);
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
            name: join(&around.names.prefix, "loc"),
            attributes: Vec::new(),
            is_changed: true,
        };
        self.target = Some(Target {
            field: Field::Core(Core::Loc),
            tag,
            begin: range.start,
            text: text.to_owned(),
            nesting: Nesting::default(),
            is_faulty: true,
            is_undecodable: false,
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
        let is_loc = target.field == Field::Core(Core::Loc);
        let is_url = match target.field {
            Field::Core(core) => core == Core::Loc,
            Field::Extension(extension, field) => is_url_field(extension, field),
        };
        let cut = target.nesting.cut_of(&target.text).filter(|_| !closed);
        // `a<b>c</b>d` may be meant with its tags or without, and so may what follows a < in a field without its end.
        let is_ambiguous = match cut {
            None => target.nesting.is_ambiguous(),
            Some(end) => !target.nesting.is_ambiguous() && !trim(&target.text[end..]).is_empty(),
        };
        if is_loc && is_ambiguous {
            self.is_changed = true;
            let literal = target.nesting.take_literal();
            self.bad_locs.add(LeftOut::Markup, target.line, trim(&literal));
            return;
        }
        if let Some(end) = cut {
            target.text.truncate(end);
        } else if closed && is_url && target.nesting.is_literal() {
            target.text = target.nesting.take_literal();
        }
        let value = match without_forbidden(trim(&target.text)) {
            Cow::Borrowed(value) => value.to_owned(),
            Cow::Owned(kept) => {
                target.is_faulty = true;
                target.is_undecodable = true;
                trim(&kept).to_owned()
            }
        };
        let range = target.begin..end;
        if value.is_empty() && (is_loc || target.tag.attributes.is_empty()) {
            if !is_loc {
                let example = Example::new(target.line, &format!("<{}/>", target.tag.name), "");
                self.change(Repair::EmptyField, example);
            }
            self.is_changed = true;
            return;
        }
        if is_loc && let Some(why) = why_not(&value, target.is_undecodable, around) {
            self.is_changed = true;
            self.bad_locs.add(why, target.line, &target.text);
            return;
        }
        let repaired = judge_value(target.field, &value, around);
        let now = repaired.as_ref().map_or(&value, |(_, now)| now);
        if self.is_repeated(target.field, now) {
            let example = Example::new(target.line, &target.tag.around(&value), "");
            self.change(Repair::RepeatedField, example);
            return;
        }
        if target.field == Field::Core(Core::Loc)
            && !self.levels.is_empty()
            && self.locs().any(|(loc, _)| !loc.is_empty())
        {
            // The reader takes it for a loc of the entry given twice; in the result it would begin another entry.
            self.is_changed = true;
            self.lost.add(LeftOut::UrlInRecord, target.line, &value);
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
            Field::Core(core) => Kind::Core(core, value, target.line),
            Field::Extension(..) => Kind::Extension,
        };
        self.item(range, kind, out);
    }

    /// Whether the entry or record has this field with this value already.
    pub(super) fn is_repeated(&self, field: Field, value: &str) -> bool {
        match field {
            Field::Core(core) => self.values.contains(&(core as u8, value.to_owned())),
            Field::Extension(extension, index) => {
                extension.fields()[index as usize].grammar != Grammar::List
                    && self
                        .levels
                        .first()
                        .is_some_and(|level| level.values.contains(&(index, value.to_owned())))
            }
        }
    }

    pub(super) fn remember(&mut self, target: &Target, value: &str) {
        match target.field {
            Field::Core(core) => {
                self.values.insert((core as u8, value.to_owned()));
            }
            Field::Extension(extension, index) => {
                self.content.field(extension.fields()[index as usize].element, value);
                for (name, value) in &target.tag.attributes {
                    self.content.field(name, value);
                }
                if let Some(level) = self.levels.first_mut() {
                    level.values.insert((index, value.to_owned()));
                }
            }
        }
    }
}

/// Why a loc cannot stay, whatever is done to it.
fn why_not(value: &str, is_undecodable: bool, around: &Surroundings) -> Option<LeftOut> {
    if is_undecodable || (around.is_lossy && value.contains('\u{fffd}')) {
        return Some(LeftOut::Undecodable);
    }
    match judge(value, around.base) {
        Verdict::Bad(problem) => Some(LeftOut::of(problem)),
        Verdict::Good | Verdict::Repaired(..) => None,
    }
}

fn judge_value(field: Field, value: &str, around: &Surroundings) -> values::Repaired {
    match field {
        Field::Core(Core::Loc) => values::url(value, around.base),
        Field::Core(Core::Lastmod) => values::lastmod(value),
        Field::Core(Core::Changefreq) => values::changefreq(value),
        Field::Core(Core::Priority) => values::priority(value),
        Field::Extension(extension, index) => values::field(extension, index as usize, value, around.base),
    }
}
