//! Applies tags to the current entry.

use super::Document;
use crate::anomaly::AnomalyKind;
use crate::read::rows::{EntryKind, Extension};
use crate::read::sink::Part;
use crate::read::sitemap;
use crate::rewrite::account::Refusal;
use crate::rewrite::entry::{Entry, Field, StartTag, Surroundings};
use crate::rewrite::listen::{End, Noted, Start, is_entry};
use crate::rewrite::usual::Checker;

impl Document {
    pub(super) fn start(
        &mut self,
        start: &Start,
        raw: &str,
        begin: usize,
        noted: &Noted,
        is_faulty: bool,
        checker: &mut Checker,
    ) {
        self.line = start.seen.line;
        if start.seen.entry.finished {
            self.finish_entry(begin, None, checker);
        }
        if start.seen.entry.discarded {
            self.entry = None;
        }
        if matches!(start.seen.part, Part::Root | Part::Sitemap(sitemap::Part::Root)) {
            return self.start_root(start, raw, is_faulty);
        }
        if matches!(start.seen.part, Part::Feed(_)) {
            return self.refuse(Refusal::Feed);
        }
        if start.seen.entry.began {
            self.begin_entry(start, raw, is_faulty);
            return self.note_entity(noted);
        }
        if self.root.is_none() {
            return self.refuse(Refusal::NoSitemap);
        }
        if self.entry.is_none() {
            self.reopen();
            let mut entry = Entry::new(None, start.seen.line, self.account.repairs.of_a_part());
            // An unknown element with the name of a field would become a field in the result.
            entry.is_other_root = self.is_other_kind || is_named_as_field(start.local);
            self.names.local.clear();
            entry.raw.push_str(raw);
            self.entry = Some(entry);
        }
        if let Some((entry, mut around)) = self.entry_around() {
            let begin = begin.min(entry.raw.len() - raw.len());
            let tag = StartTag {
                start,
                range: begin..begin + raw.len(),
                is_faulty,
            };
            inside(entry, &tag, &mut around);
        }
        self.note_entity(noted);
    }

    /// Records that this token refers to a declared entity in the current entry, if it does.
    fn note_entity(&mut self, noted: &Noted) {
        if noted.has(AnomalyKind::DeclaredEntity)
            && let Some(entry) = &mut self.entry
        {
            entry.refers_to_entity();
        }
    }

    pub(super) fn begin_entry(&mut self, start: &Start, raw: &str, is_faulty: bool) {
        let kind = match start.seen.part {
            Part::Sitemap(sitemap::Part::Entry(kind)) => kind,
            _ => self.kind().unwrap_or(EntryKind::Url),
        };
        if self.root.is_none() {
            self.assume_root(kind);
        }
        self.reopen();
        if let Some(mut other) = self.entry.take() {
            // The open element is not an entry and lacks its end tag.
            let at = other.raw.len() - raw.len();
            other.finish_foreign(at, &mut self.around());
            self.write(other, None);
        }
        self.names.local.clear();
        let mut entry = Entry::new(Some(kind), start.seen.line, self.account.repairs.of_a_part());
        entry.raw.push_str(raw);
        entry.is_other_root = self.is_other_kind;
        let mut around = self.around();
        if is_entry(start.seen.part) {
            entry.open(start, &mut around, raw.len(), is_faulty);
        } else {
            let tag = StartTag {
                start,
                range: 0..raw.len(),
                is_faulty,
            };
            inside(&mut entry, &tag, &mut around);
        }
        self.entry = Some(entry);
    }

    pub(super) fn end(&mut self, end: &End, raw: &str, begin: usize, is_faulty: bool, checker: &mut Checker) {
        let End {
            part, depth, closed, ..
        } = *end;
        if end.finished {
            // The root's end tag ends an entry without its own, but is not part of it.
            let own = (is_entry(part) && closed).then_some((begin..begin + raw.len(), !is_faulty));
            self.finish_entry(begin, own, checker);
            if matches!(part, Part::Root | Part::Sitemap(sitemap::Part::Root)) {
                self.end_root(depth, raw, is_faulty, begin);
            }
            return;
        }
        if matches!(part, Part::Root | Part::Sitemap(sitemap::Part::Root)) {
            return self.end_root(depth, raw, is_faulty, begin);
        }
        let Some((entry, mut around)) = self.entry_around() else {
            return;
        };
        let range = begin..entry.raw.len();
        let is_clean = closed && !is_faulty;
        let is_over = match part {
            Part::Sitemap(part) => match field_of(part) {
                Some(field) => {
                    if entry.is_target(field) {
                        let end = if closed { range.end } else { range.start };
                        entry.finish_field(end, closed, is_clean, &mut around);
                    }
                    false
                }
                None => match part {
                    sitemap::Part::Record(_) | sitemap::Part::Group if entry.is_passing_over() => {
                        entry.end_passed_over(depth, range.end, is_clean, &mut around)
                    }
                    sitemap::Part::Record(_) | sitemap::Part::Group => {
                        let is_record = part != sitemap::Part::Group;
                        if is_record {
                            entry.finish_field(range.start, false, false, &mut around);
                        }
                        let own = if closed { range } else { range.start..range.start };
                        entry.end_level(is_record, own, is_clean, &mut around);
                        false
                    }
                    sitemap::Part::Link if !entry.is_passing_over() => false,
                    sitemap::Part::Wrapper | sitemap::Part::Literal if !entry.is_passing_over() => {
                        let written = if raw.starts_with("</") { raw } else { "" };
                        entry.unwrap(closed.then_some(written));
                        false
                    }
                    _ => entry.end_passed_over(depth, range.end, is_clean, &mut around),
                },
            },
            _ => entry.end_passed_over(depth, range.end, is_clean, &mut around),
        };
        if is_over && entry.kind.is_none() {
            self.finish_entry(begin + raw.len(), None, checker);
        }
    }
}

pub(super) fn is_named_as_field(local: &str) -> bool {
    let names = ["loc", "lastmod", "changefreq", "priority"];
    names.iter().any(|name| name.eq_ignore_ascii_case(local))
}

pub(super) fn field_of(part: sitemap::Part) -> Option<Field> {
    match part {
        sitemap::Part::Core(core) => Some(Field::Core(core)),
        sitemap::Part::Field(extension, field) => Some(Field::Extension(extension, field)),
        _ => None,
    }
}

/// Handles a start tag inside an entry.
pub(super) fn inside(entry: &mut Entry, tag: &StartTag, around: &mut Surroundings) {
    let start = tag.start;
    let part = match start.seen.part {
        Part::Sitemap(part) => part,
        _ => sitemap::Part::Foreign,
    };
    if matches!(part, sitemap::Part::Wrapper | sitemap::Part::Literal) {
        let written = entry.raw[tag.range.clone()].to_owned();
        return entry.wrap(&written);
    }
    entry.finish_field(tag.range.start, false, false, around);
    if let Some(field) = field_of(part) {
        return entry.begin_field(field, tag, around);
    }
    let is_entry = entry.kind.is_some();
    match part {
        sitemap::Part::Link if is_entry => entry.link(tag, around),
        sitemap::Part::Record(extension) if is_entry => {
            let local = match extension {
                Extension::Image => "image",
                Extension::Video => "video",
                _ => "news",
            };
            entry.begin_level(extension, local, true, tag, around);
        }
        sitemap::Part::Group if is_entry && entry.has_record() && !entry.is_passing_over() => {
            let local = start.local.to_ascii_lowercase();
            let extension = if local == "publication" {
                Extension::News
            } else {
                Extension::Video
            };
            entry.begin_level(extension, &local, false, tag, around);
        }
        _ => entry.pass_over(tag, around),
    }
}
