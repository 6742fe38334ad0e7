//! Extension records, groups in them, and links.

use std::borrow::Cow;
use std::ops::Range;

use super::values::Values;
use super::{Entry, Kind, StartTag, Surroundings};
use crate::read::rows::Extension;
use crate::rewrite::account::Repair;
use crate::rewrite::markup::{push_end, without_forbidden};
use crate::rewrite::values;
use crate::value::trim;

/// An open record or group, and how to write its end tag.
pub(super) struct Level {
    name: String,
    is_changed: bool,
    /// `<image:image/>`: no end tag follows.
    is_empty: bool,
    /// Number of prefixes that the entry declared before it.
    locals: usize,
    /// Bytes of the entry's content before it.
    content: usize,
    /// Number of items of the entry before it.
    items: usize,
    /// The fields of the record so far, with their values.
    pub(super) values: Values,
}

impl Entry {
    /// Handles a link: all of its content is in attributes.
    pub fn link(&mut self, written: &StartTag, around: &mut Surroundings) {
        let start = written.start;
        let range = written.range.clone();
        self.finish_foreign(range.start, around);
        let name = around.names.extension(start, Extension::Alternate, "link");
        let locals = around.names.local.len();
        let (mut tag, renamespaced) = around.names.tag(start, name, false);
        // In the result, links have no child elements.
        around.names.local.truncate(locals);
        self.renamed(Repair::ExtensionNamespace, start, &tag);
        if renamespaced {
            self.change(Repair::ExtensionNamespace, start.seen.line, &tag.name, "");
        }
        tag.is_changed |= written.is_faulty;
        for (name, value) in &mut tag.attributes {
            if let Cow::Owned(kept) = without_forbidden(value) {
                *value = kept.into();
            }
            let repaired = match name.as_ref() {
                "hreflang" => values::language_and_region(trim(value)),
                "href" => values::url(trim(value), around.base),
                _ => None,
            };
            if let Some((repair, now)) = repaired {
                self.change(repair, start.seen.line, value, &now);
                tag.is_changed = true;
                *value = now.into();
            }
        }
        self.is_changed |= tag.is_changed;
        self.content.begin(Extension::Alternate);
        let mut attributes: Vec<_> = tag.attributes.iter().collect();
        attributes.sort_by_key(|(name, _)| ["rel", "hreflang", "href"].iter().position(|known| known == name));
        // Unknown attributes come first in that order, distinguished by name.
        for (name, value) in attributes {
            self.content.field(name, trim(value));
        }
        self.content.end();
        let is_whole = self.raw[range.clone()].ends_with("/>");
        let out = (tag.is_changed || !is_whole).then(|| format!("{}/>", tag.opening()));
        self.item(range, Kind::Extension, out);
    }

    /// Handles the start tag of an extension record, or of a group of its fields.
    pub fn begin_level(
        &mut self,
        extension: Extension,
        local: &str,
        is_record: bool,
        written: &StartTag,
        around: &mut Surroundings,
    ) {
        let start = written.start;
        let range = written.range.clone();
        self.finish_foreign(range.start, around);
        self.end_levels(usize::from(!is_record), range.start, around);
        let name = around.names.extension(start, extension, local);
        let locals = around.names.local.len();
        let (mut tag, renamespaced) = around.names.tag(start, name, false);
        self.renamed(Repair::ExtensionNamespace, start, &tag);
        if renamespaced {
            self.change(Repair::ExtensionNamespace, start.seen.line, &tag.name, "");
        }
        tag.is_changed |= written.is_faulty;
        self.is_changed |= tag.is_changed;
        let content = self.content.len();
        if is_record {
            self.content.begin(extension);
        } else {
            self.content.field("(", start.local);
        }
        for (name, value) in &tag.attributes {
            self.content.field(name, value);
        }
        let is_empty = self.raw[range.clone()].ends_with("/>") && !written.is_faulty;
        let out = tag.is_changed.then(|| {
            let end = if is_empty { "/>" } else { ">" };
            format!("{}{end}", tag.opening())
        });
        self.levels.push(Level {
            name: tag.name.into_owned(),
            is_changed: tag.is_changed,
            is_empty,
            locals,
            values: Values::default(),
            items: self.items.len(),
            content,
        });
        self.item(range, Kind::Extension, out);
    }

    /// Drops the incomplete part at the end of the document: an open record or field, or an ignored element. Returns
    /// its bytes.
    pub fn drop_half(&mut self, around: &mut Surroundings) -> String {
        let mut begin = self.raw.len();
        if let Some(target) = self.target.take() {
            begin = begin.min(target.begin);
        }
        if let Some((_, at)) = self.foreign.take() {
            begin = begin.min(at);
        }
        if !self.levels.is_empty() {
            let record = self.levels.remove(0);
            self.levels.clear();
            around.names.local.truncate(record.locals);
            begin = begin.min(self.items.get(record.items).map_or(begin, |item| item.range.start));
            let inside = self.items.split_off(record.items);
            // A field of the entry inside the record does not belong to the record.
            self.items
                .extend(inside.into_iter().filter(|item| matches!(item.kind, Kind::Core(..))));
            self.content.truncate(record.content);
        }
        self.is_changed = true;
        self.raw[begin..].to_owned()
    }

    pub fn has_record(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Handles the end tag of a record (`is_record`) or group; `range` is empty if the tag is missing.
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

    pub(super) fn close_level(
        &mut self,
        level: &Level,
        range: Range<usize>,
        is_clean: bool,
        around: &mut Surroundings,
    ) {
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

    /// Ends the levels without end tags, until `keeps` levels remain.
    pub(super) fn end_levels(&mut self, keeps: usize, at: usize, around: &mut Surroundings) {
        while self.levels.len() > keeps
            && let Some(level) = self.levels.pop()
        {
            // A missing end tag has no whitespace before it.
            let lead = std::mem::replace(&mut self.lead, self.leads.len());
            self.close_level(&level, at..at, level.is_empty, around);
            self.lead = lead;
        }
    }
}
