//! Reads text into the fields of entries and records.

use memchr::memmem;

use super::nesting::Nesting;
use super::{Core, Part, Sitemap};
use crate::anomaly::AnomalyKind;
use crate::read::columns::Slot;
use crate::read::record_fields::Grammar;
use crate::read::rows::{EntryKind, Extension, Rows};
use crate::read::template;
use crate::read::window::Place;
use crate::read::xml::{Context, Tag, is_space};
use crate::value::trim;
use crate::value::url::{has_xml_escape, xml_unescaped_once};

/// The field whose text is being collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Core(Core),
    Field(Extension, u8),
}

impl Sitemap {
    pub(super) fn gather(&mut self, target: Target) {
        self.target = Some(target);
        self.text.clear();
        self.nesting = Nesting::default();
        self.literals.clear();
        self.place = None;
    }

    /// Handles an element inside the open field.
    #[cold]
    pub(super) fn nest(&mut self, context: &mut Context, tag: &Tag) -> Part {
        let seen = format!("<{}>", tag.local);
        let written = xml_unescaped_once(tag.written).unwrap_or_else(|| tag.written.to_owned());
        let is_beside = self.nesting.open(&self.text, &written);
        if is_beside && self.target.is_some_and(is_url) {
            self.literals.push((context.window.place(tag.at), seen));
            return Part::Literal;
        }
        context.note(AnomalyKind::NestedElement, tag.at, self.field(), &seen);
        Part::Wrapper
    }

    /// Handles the end of an element inside a field. If it is next to text and has an end tag, it is an element;
    /// otherwise its < was not meant as markup.
    #[cold]
    pub(super) fn end_nested(&mut self, context: &mut Context, part: Part, closed: bool) {
        let rest = &context.window.as_str()[context.window.pos()..];
        // An end tag without > ends where the next tag starts.
        let written = rest.strip_prefix("</").and_then(|inside| {
            let end = 2 + inside.find(['<', '>'])?;
            Some(&rest[..end + usize::from(rest[end..].starts_with('>'))])
        });
        let written = written.unwrap_or_default();
        self.nesting.close(closed.then_some(written));
        if part == Part::Literal
            && let Some((place, seen)) = self.literals.pop()
        {
            let kind = if closed {
                AnomalyKind::NestedElement
            } else {
                AnomalyKind::BareLessThan
            };
            context.notes.add(kind, place, self.field().map(Into::into), &seen);
        }
    }

    pub fn text(&mut self, rows: &mut Rows, context: &mut Context, text: &str, at: usize) {
        if self.target.is_none() {
            if self.passing_over.is_none() {
                self.stray_text(rows, context, text, at);
            }
            return;
        }
        if self.place.is_none() {
            let bytes = context.window.bytes();
            let blank = text.bytes().take_while(|&byte| is_space(byte)).count();
            if blank < text.len() {
                let mut begin = at;
                while begin < bytes.len() && is_space(bytes[begin]) {
                    begin += 1;
                }
                self.place = Some(context.window.place(begin));
            }
        }
        self.text.push_str(text);
        self.nesting.text(text);
    }

    #[cold]
    pub(super) fn stray_text(&mut self, rows: &mut Rows, context: &mut Context, text: &str, at: usize) {
        let trimmed = trim(text);
        let bytes = context.window.bytes();
        let begin = (at..bytes.len()).find(|&here| !is_space(bytes[here])).unwrap_or(at);
        // `<sitemap>https://…</sitemap>`: the meaning is clear.
        if rows.open().is_some() && !rows.entry.loc.is_present && is_web_address(trimmed) {
            let place = context.window.place(begin);
            context.note(AnomalyKind::LocMissing, begin, Some("loc"), trimmed);
            set(&mut rows.entry.loc, trimmed, Some(place));
        } else {
            context.note(AnomalyKind::StrayText, begin, None, trimmed);
        }
        note_template(context, begin, trimmed);
    }

    pub(super) fn end_field(&mut self, rows: &mut Rows, context: &mut Context, target: Target, closed: bool) {
        if self.target == Some(target) {
            self.finish_field(rows, context, closed);
        } else if closed {
            let name = target_name(target);
            context.note(
                AnomalyKind::NestedElement,
                context.window.pos(),
                Some(name),
                &format!("</{name}>"),
            );
        }
    }

    /// Stores the collected text as the value of its field.
    pub(super) fn finish_field(&mut self, rows: &mut Rows, context: &mut Context, closed: bool) {
        let Some(target) = self.target.take() else { return };
        for (place, seen) in std::mem::take(&mut self.literals) {
            // Another field starts inside it; the stack detects whether it has an end tag.
            let field = Some(target_name(target).into());
            context.notes.add(AnomalyKind::NestedElement, place, field, &seen);
        }
        if closed && self.nesting.is_literal() && is_url(target) {
            self.text = self.nesting.take_literal();
        } else if !closed && let Some(end) = self.nesting.cut_of(&self.text) {
            // `<loc>https://…<x>…</x></url>`: the field has no end tag, so text after its own is not part of it.
            self.text.truncate(end);
        }
        let mut text = std::mem::take(&mut self.text);
        let value = trim(&text);
        let is_escaped_twice = is_url(target) && has_xml_escape(value);
        if value.len() != text.len() || value.is_empty() || is_escaped_twice {
            let is_child = rows.open() == Some(EntryKind::Child);
            self.note_value(context, target, &text, value, is_child);
        }
        let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
        if may_be_template(target) && template::in_value(value).is_some() {
            let field = Some(target_name(target).into());
            context.notes.add(AnomalyKind::UnrenderedTemplate, place, field, value);
        }
        let core = match target {
            Target::Core(core) => core,
            Target::Field(extension, field) => {
                if !rows.records(extension).set(field as usize, value, place) {
                    note_repeated(context, target, place, value);
                }
                self.text = text;
                return;
            }
        };
        if core == Core::Loc
            && let Some(further) = self.further.take()
        {
            if !value.is_empty() && value != rows.entry.loc.text {
                self.split(rows, context, &further);
            } else if further.is_late {
                self.note_order(context, further.place, core);
            }
        }
        let slot = slot_of(rows, core);
        if slot.is_present {
            note_repeated(context, target, place, value);
            if !slot.text.is_empty() {
                rows.entry.repeats.push(format!("{}={value}", core.name()));
                self.text = text;
                return;
            }
        }
        if value.len() == text.len() {
            // The usual case: nothing was trimmed, so the text need not be copied.
            slot.is_present = true;
            slot.place = self.place;
            std::mem::swap(&mut slot.text, &mut text);
        } else {
            set(slot, value, self.place);
        }
        self.text = text;
    }

    /// Notes problems of a value as such: surrounding whitespace, or no content.
    #[cold]
    fn note_value(&self, context: &mut Context, target: Target, text: &str, value: &str, is_child: bool) {
        if value.len() != text.len() {
            let is_space = |ch: char| ch.is_ascii() && is_space(ch as u8);
            let kind = if text.trim_matches(is_space).len() == value.len() {
                AnomalyKind::OuterSpace
            } else {
                AnomalyKind::UnicodeSpace
            };
            let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
            context.notes.add(kind, place, Some(target_name(target).into()), text);
        }
        if is_url(target) && has_xml_escape(value) {
            let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
            let name = target_name(target);
            context
                .notes
                .add(AnomalyKind::EscapedTwice, place, Some(name.into()), value);
        }
        if value.is_empty() {
            let (kind, name) = match target {
                Target::Core(Core::Loc) => (AnomalyKind::LocEmpty, "loc"),
                Target::Core(Core::Lastmod) if is_child => (AnomalyKind::ChildLastmodEmpty, "lastmod"),
                _ => (AnomalyKind::FieldEmpty, target_name(target)),
            };
            context.note(kind, context.window.pos(), Some(name), "");
        }
    }
}

#[cold]
fn note_repeated(context: &mut Context, target: Target, place: Place, value: &str) {
    let name = target_name(target);
    context
        .notes
        .add(AnomalyKind::RepeatedField, place, Some(name.into()), value);
}

/// Returns whether template markers in the value of a field are more than part of its words.
fn may_be_template(target: Target) -> bool {
    match target {
        Target::Core(_) => true,
        Target::Field(extension, field) => {
            is_url_field(extension, field) || matches!(extension.fields()[field as usize].grammar, Grammar::Date)
        }
    }
}

/// Notes a template marker in text between elements, which starts at an offset of the window.
#[cold]
pub fn note_template(context: &mut Context, begin: usize, text: &str) {
    let Some(at) = template::in_text(text) else { return };
    let marker = &text[at..];
    let seen = marker.lines().next().unwrap_or_default();
    // Its offset in the document differs if something before it is escaped.
    let written = &context.window.bytes()[begin..];
    let written = &written[..written.len().min(text.len())];
    let offset = memmem::find(written, &marker.as_bytes()[..2]).unwrap_or(0);
    context.note(AnomalyKind::UnrenderedTemplate, begin + offset, None, seen);
}

/// Returns whether the value of a field is a URL.
pub(super) fn is_url(target: Target) -> bool {
    match target {
        Target::Core(core) => core == Core::Loc,
        Target::Field(extension, field) => is_url_field(extension, field),
    }
}

/// Returns whether the value of an extension field is a URL.
pub fn is_url_field(extension: Extension, field: u8) -> bool {
    matches!(
        extension.fields()[field as usize].grammar,
        Grammar::Url | Grammar::HostedUrl | Grammar::HashedUrl | Grammar::HostedHashedUrl
    )
}

pub(super) fn slot_of(rows: &mut Rows, core: Core) -> &mut Slot {
    match core {
        Core::Loc => &mut rows.entry.loc,
        Core::Lastmod => &mut rows.entry.lastmod,
        Core::Changefreq => &mut rows.entry.changefreq,
        Core::Priority => &mut rows.entry.priority,
    }
}

pub(super) fn set(slot: &mut Slot, value: &str, place: Option<Place>) {
    slot.is_present = true;
    slot.text.clear();
    slot.text.push_str(value);
    slot.place = place;
}

pub(super) fn target_name(target: Target) -> &'static str {
    match target {
        Target::Core(core) => core.name(),
        Target::Field(extension, field) => extension.fields()[field as usize].element,
    }
}

pub fn is_web_address(text: &str) -> bool {
    let head = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    (head.starts_with("http://") || head.starts_with("https://")) && !text.contains(char::is_whitespace)
}
