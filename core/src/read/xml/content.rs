//! Text between tags and in CDATA sections: unescapes it and passes it on where it matters.

use std::ops::Range;

use super::chars::{Contents, is_all_space, skip_space};
use super::reference::{Setting, Unescape};
use super::sink::{Context, Sink};
use super::{Xml, outside, snippet};
use crate::anomaly::AnomalyKind;
use crate::read::template;

impl<S: Sink> Xml<S> {
    /// Whether whitespace matters here.
    pub(super) fn wants_space(&self) -> bool {
        self.sink.is_in_field()
    }

    pub(super) fn text(&mut self, range: Range<usize>) {
        let bytes = &self.window.bytes()[range.clone()];
        if !self.wants_space() && is_all_space(bytes) {
            return;
        }
        if self.stack.is_empty() {
            if !is_all_space(bytes) {
                self.text_outside_root(range);
            }
            return;
        }
        let contents = Contents::of(bytes);
        let Self {
            window,
            notes,
            sink,
            entities,
            scratch,
            ..
        } = self;
        let raw = window.text(range.clone());
        if contents.is_plain() {
            sink.text(&mut Context { window, notes }, raw, range.start);
            return;
        }
        scratch.clear();
        let field = sink.field();
        Unescape {
            window,
            notes,
            entities,
            setting: Setting::Text,
            field,
        }
        .append(raw, range.start, contents, scratch);
        sink.text(&mut Context { window, notes }, scratch, range.start);
    }

    #[cold]
    pub(super) fn text_outside_root(&mut self, range: Range<usize>) {
        let begin = skip_space(self.window.bytes(), range.start).min(range.end);
        let seen = self.window.text(begin..range.end).to_owned();
        if outside::message(&seen).is_some() {
            self.note(AnomalyKind::ContentOutsideRoot, begin, &outside::describe(&seen));
        } else {
            self.note(AnomalyKind::TextOutsideRoot, begin, &seen);
        }
        self.note_templates(begin..range.end);
    }

    /// Notes the markers of templates in content outside the root.
    #[cold]
    pub(super) fn note_templates(&mut self, range: Range<usize>) {
        let begin = range.start;
        let seen = self.window.text(range).to_owned();
        let outside = [AnomalyKind::TextOutsideRoot, AnomalyKind::ContentOutsideRoot];
        let is_first = self.roots == 0 && outside.iter().map(|&kind| self.notes.count(kind)).sum::<i64>() == 1;
        let matter = is_first.then(|| template::front_matter(&seen)).flatten().unwrap_or(0);
        if matter > 0 {
            self.note(AnomalyKind::UnrenderedTemplate, begin, seen[..matter].trim_end());
        }
        if let Some(marker) = template::in_text(&seen[matter..]) {
            let marker = begin + matter + marker;
            let seen = snippet(&self.window, marker);
            self.note(AnomalyKind::UnrenderedTemplate, marker, &seen);
        }
    }

    /// Notes the program code that starts at this offset, if any.
    #[cold]
    pub(super) fn note_program(&mut self, at: usize) {
        if template::is_program(&self.window.bytes()[at..]) {
            let seen = snippet(&self.window, at);
            let field = self.sink.field().map(Into::into);
            self.notes
                .add(AnomalyKind::UnrenderedTemplate, self.window.place(at), field, &seen);
        }
    }

    pub(super) fn cdata(&mut self, at: usize, content: Range<usize>) {
        if self.stack.is_empty() {
            let seen = self.window.text(content).to_owned();
            return self.note(AnomalyKind::TextOutsideRoot, at, &seen);
        }
        let Self {
            window,
            notes,
            sink,
            entities,
            scratch,
            ..
        } = self;
        scratch.clear();
        let field = sink.field();
        let raw = window.text(content.clone());
        let contents = Contents::of(raw.as_bytes());
        Unescape {
            window,
            notes,
            entities,
            setting: Setting::Cdata,
            field,
        }
        .append(raw, content.start, contents, scratch);
        if sink.is_in_field() || !is_all_space(scratch.as_bytes()) {
            sink.text(&mut Context { window, notes }, scratch, content.start);
        }
    }
}
