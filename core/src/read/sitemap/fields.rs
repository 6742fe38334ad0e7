//! Text to the fields of entries and of records.

use super::{Core, Sitemap};
use crate::anomaly::AnomalyKind;
use crate::read::columns::Slot;
use crate::read::rows::{Extension, Rows};
use crate::read::window::Place;
use crate::read::xml::{Context, is_space};
use crate::value::trim;

/// The field whose text is being gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Core(Core),
    Field(Extension, u8),
}

impl Sitemap {
    pub(super) fn gather(&mut self, target: Target) {
        self.target = Some(target);
        self.text.clear();
        self.nested = None;
        self.place = None;
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
    }

    #[cold]
    pub(super) fn stray_text(&mut self, rows: &mut Rows, context: &mut Context, text: &str, at: usize) {
        let trimmed = trim(text);
        let bytes = context.window.bytes();
        let begin = (at..bytes.len()).find(|&here| !is_space(bytes[here])).unwrap_or(at);
        context.note(AnomalyKind::StrayText, begin, None, trimmed);
        // `<sitemap>https://…</sitemap>`: there is no doubt what was meant.
        if rows.open().is_some() && !rows.entry.loc.is_present && is_web_address(trimmed) {
            let place = context.window.place(begin);
            context.note(AnomalyKind::LocMissing, begin, Some("loc"), trimmed);
            set(&mut rows.entry.loc, trimmed, Some(place));
        }
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

    /// Takes the text gathered as the value of its field.
    pub(super) fn finish_field(&mut self, rows: &mut Rows, context: &mut Context, closed: bool) {
        let Some(target) = self.target.take() else { return };
        if !closed && let Some(nested) = self.nested {
            // `<loc>https://…<x>…</x></url>`: the field lacks its end tag, so what follows its text is not its own.
            if !trim(&self.text[..nested]).is_empty() {
                self.text.truncate(nested);
            }
        }
        let mut text = std::mem::take(&mut self.text);
        let value = trim(&text);
        if value.len() != text.len() || value.is_empty() {
            self.note_value(context, target, &text, value);
        }
        let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
        let core = match target {
            Target::Core(core) => core,
            Target::Field(extension, field) => {
                if !rows.records(extension).set(field as usize, value) {
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
            // The usual case: nothing was trimmed, and the text need not be copied.
            slot.is_present = true;
            slot.place = self.place;
            std::mem::swap(&mut slot.text, &mut text);
        } else {
            set(slot, value, self.place);
        }
        self.text = text;
    }

    /// Notes what is wrong with a value as such: white space around it, nothing in it.
    #[cold]
    fn note_value(&self, context: &mut Context, target: Target, text: &str, value: &str) {
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
        if value.is_empty() {
            let (kind, name) = match target {
                Target::Core(Core::Loc) => (AnomalyKind::LocEmpty, "loc"),
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
