//! Fields of an entry and of its records: collects, checks, and keeps or rewrites them.

use std::borrow::Cow;
use std::ops::Range;

use super::{Entry, Field, Kind, StartTag, Surroundings, Target};
use crate::anomaly::AnomalyKind;
use crate::read::record_fields::Grammar;
use crate::read::sitemap::nesting::Nesting;
use crate::read::sitemap::{Core, is_url_field};
use crate::rewrite::account::{LeftOut, Repair};
use crate::rewrite::address::{Verdict, judge};
use crate::rewrite::listen::Noted;
use crate::rewrite::markup::{TagOut, without_forbidden};
use crate::rewrite::names::join;
use crate::rewrite::values;
use crate::value::space::XML_SPACE;
use crate::value::trim;
use crate::value::url::xml_unescaped_once;

impl Entry {
    pub fn begin_field(&mut self, field: Field, written: &StartTag, around: &mut Surroundings) {
        let start = written.start;
        self.finish_foreign(written.range.start, around);
        let (name, is_own) = match field {
            Field::Core(core) => (around.names.own(start, core.name()), true),
            Field::Extension(extension, index) => {
                let local = extension.fields()[index as usize].element;
                (around.names.extension(start, extension, local), false)
            }
        };
        let locals = around.names.local.len();
        let (tag, renamespaced) = around.names.tag(start, name, is_own);
        // In the result, fields have no child elements.
        around.names.local.truncate(locals);
        let repair = if is_own {
            Repair::Namespace
        } else {
            Repair::ExtensionNamespace
        };
        self.renamed(repair, start, &tag);
        if renamespaced {
            self.change(repair, start.seen.line, &tag.name, "");
        }
        self.target = Some(Target {
            field,
            begin: written.range.start,
            text: String::new(),
            nesting: Nesting::default(),
            is_faulty: written.is_faulty || tag.is_changed,
            is_undecodable: false,
            has_declared_entity: false,
            line: start.seen.line,
            tag: tag.into_owned(),
        });
    }

    /// Handles an element inside a field.
    pub fn wrap(&mut self, tag: &str) {
        if let Some(target) = &mut self.target {
            let tag = xml_unescaped_once(tag).unwrap_or_else(|| tag.to_owned());
            target.nesting.open(&target.text, &tag);
            target.is_faulty = true;
        }
    }

    /// Handles its end; the tag is empty if the element is self-closing, and `None` if its end tag is missing.
    pub fn unwrap(&mut self, tag: Option<&str>) {
        if let Some(target) = &mut self.target {
            target.nesting.close(tag);
        }
    }

    /// Handles text; `raw` is its range.
    pub fn text(&mut self, text: &str, raw: Range<usize>, noted: &Noted, is_faulty: bool) {
        if noted.has(AnomalyKind::DeclaredEntity) {
            self.refers_to_entity();
        }
        if let Some(target) = &mut self.target {
            let is_undecodable = noted.has(AnomalyKind::InvalidCharReference);
            let is_loc = target.field == Field::Core(Core::Loc);
            let kept = if is_undecodable && !is_loc {
                &text.replace('\u{fffd}', "")
            } else {
                text
            };
            target.text.push_str(kept);
            target.nesting.text(kept);
            target.is_faulty |= is_faulty;
            target.is_undecodable |= is_undecodable;
        } else if let Some((foreign, _)) = &mut self.foreign {
            // In an unknown element of the sitemap namespace, the reader treats text as stray.
            if !noted.has(AnomalyKind::StrayText) {
                foreign.text(text);
            }
            foreign.is_changed |= is_faulty;
        } else {
            // It is removed, but the whitespace before the next element stays.
            let written = &self.raw[raw];
            let kept = written.trim_end_matches(XML_SPACE).len();
            self.leads.push_str(&written[kept..]);
            self.is_changed = true;
        }
    }

    /// Takes text that the reader used as the loc of the entry, which had none.
    pub fn adopt_loc(&mut self, text: &str, range: Range<usize>, line: i32, around: &mut Surroundings) {
        let tag = TagOut {
            name: join(&around.names.prefix, "loc").into(),
            attributes: Vec::new(),
            is_changed: true,
        };
        self.change(Repair::MissingLoc, line, text, &tag.around(text));
        self.target = Some(Target {
            field: Field::Core(Core::Loc),
            tag,
            begin: range.start,
            text: text.to_owned(),
            nesting: Nesting::default(),
            is_faulty: true,
            is_undecodable: false,
            has_declared_entity: false,
            line,
        });
        self.finish_field(range.end, true, true, around);
    }

    pub fn is_target(&self, field: Field) -> bool {
        self.target.as_ref().is_some_and(|target| target.field == field)
    }

    /// Ends the open field at `end`; `closed`: by its own end tag; `is_clean`: without any problem in it.
    pub fn finish_field(&mut self, end: usize, closed: bool, is_clean: bool, around: &mut Surroundings) {
        let Some(mut target) = self.target.take() else { return };
        target.is_faulty |= !is_clean;
        self.has_declared_entity |= target.has_declared_entity;
        let is_loc = target.field == Field::Core(Core::Loc);
        let Some(value) = self.value_of(&mut target, closed) else {
            return;
        };
        if value.is_empty() && (is_loc || target.tag.attributes.is_empty()) {
            self.is_changed = true;
            if !is_loc {
                self.change(Repair::EmptyField, target.line, &format!("<{}/>", target.tag.name), "");
            }
            return;
        }
        let repaired = match judge_value(&target, &value, around) {
            Ok(repaired) => repaired,
            Err(LeftOut::UnsetVariable) => {
                self.unset_locs.add(LeftOut::UnsetVariable, target.line, &value);
                None
            }
            Err(why) => {
                self.is_changed = true;
                let seen = if target.text.is_empty() { &value } else { &target.text };
                return self.bad_locs.add(why, target.line, seen);
            }
        };
        let now = repaired.as_ref().map_or(&value, |(_, now)| now);
        if self.is_repeated(target.field, now) {
            return self.change(Repair::RepeatedField, target.line, &target.tag.around(&value), "");
        }
        if is_loc && !self.levels.is_empty() && self.locs().any(|(loc, _)| !loc.is_empty()) {
            // For the reader it repeats the loc of the entry; in the result it would start another entry.
            self.is_changed = true;
            return self.lost.add(LeftOut::UrlInRecord, target.line, &value);
        }
        if let Some((repair, now)) = &repaired {
            self.change(*repair, target.line, &value, now);
        }
        let is_changed = target.is_faulty || repaired.is_some();
        self.is_changed |= is_changed;
        let value = repaired.map_or(value, |(_, now)| now);
        self.remember(&target, &value);
        let out = is_changed.then(|| target.tag.around(&value));
        let kind = match target.field {
            Field::Core(core) => Kind::Core(core, value, target.line),
            Field::Extension(..) => Kind::Extension,
        };
        self.item(target.begin..end, kind, out);
    }

    /// Returns the collected value, without what surrounds it; the text remains in place if it differs. Returns `None`
    /// for a loc whose meaning is not clear.
    fn value_of(&mut self, target: &mut Target, closed: bool) -> Option<String> {
        let is_loc = target.field == Field::Core(Core::Loc);
        let is_url = match target.field {
            Field::Core(_) => is_loc,
            Field::Extension(extension, field) => is_url_field(extension, field),
        };
        let cut = target.nesting.cut_of(&target.text).filter(|_| !closed);
        // `a<b>c</b>d` may be meant with or without its tags, and so may text after a < in a field without an end tag.
        let is_ambiguous = match cut {
            None => target.nesting.is_ambiguous(),
            Some(end) => !target.nesting.is_ambiguous() && !trim(&target.text[end..]).is_empty(),
        };
        if is_loc && is_ambiguous {
            self.is_changed = true;
            let literal = target.nesting.take_literal();
            self.bad_locs.add(LeftOut::Markup, target.line, trim(&literal));
            return None;
        }
        if let Some(end) = cut {
            target.text.truncate(end);
        } else if closed && is_url && target.nesting.is_literal() {
            target.text = target.nesting.take_literal();
        }
        match without_forbidden(trim(&target.text)) {
            Cow::Borrowed(value) if value.len() == target.text.len() => Some(std::mem::take(&mut target.text)),
            Cow::Borrowed(value) => {
                target.is_faulty = true;
                Some(value.to_owned())
            }
            Cow::Owned(kept) => {
                target.is_faulty = true;
                target.is_undecodable = true;
                Some(trim(&kept).to_owned())
            }
        }
    }

    /// Returns whether the entry or record already has this field with this value.
    pub(super) fn is_repeated(&self, field: Field, value: &str) -> bool {
        match field {
            Field::Core(core) => self.values.has(core as u8, value),
            Field::Extension(extension, index) => {
                extension.fields()[index as usize].grammar != Grammar::List
                    && self.levels.first().is_some_and(|level| level.values.has(index, value))
            }
        }
    }

    pub(super) fn remember(&mut self, target: &Target, value: &str) {
        match target.field {
            Field::Core(core) => self.values.add(core as u8, value),
            Field::Extension(extension, index) => {
                self.content.field(extension.fields()[index as usize].element, value);
                for (name, value) in &target.tag.attributes {
                    self.content.field(name, value);
                }
                if let Some(level) = self.levels.first_mut() {
                    level.values.add(index, value);
                }
            }
        }
    }
}

/// Returns the repaired value, if it needs repair, or the reason why it cannot be kept at all.
fn judge_value(target: &Target, value: &str, around: &Surroundings) -> Result<values::Repaired, LeftOut> {
    Ok(match target.field {
        Field::Core(Core::Loc) => {
            if target.is_undecodable || value.contains('\u{fffd}') {
                return Err(LeftOut::Undecodable);
            }
            match judge(value, around.base) {
                Verdict::Good => None,
                Verdict::Repaired(repair, url) => Some((repair, url)),
                Verdict::Bad(problem) => return Err(LeftOut::of(problem)),
            }
        }
        Field::Core(Core::Lastmod) => values::lastmod(value),
        Field::Core(Core::Changefreq) => values::changefreq(value),
        Field::Core(Core::Priority) => values::priority(value),
        Field::Extension(extension, index) => values::field(extension, index as usize, value, around.base),
    })
}
