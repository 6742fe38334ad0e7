//! A sitemap or index in XML, token by token: the content before, between and after its entries.

mod root;
mod tags;
mod written;

use self::root::Root;
use super::account::{Account, Example, LeftOut, Refusal, Repair, repair_of};
use super::entry::{Entry, Surroundings};
use super::listen::{Event, Listener, Noted, Start, has_lost_bytes};
use super::names::Names;
use super::output::Output;
use crate::anomaly::AnomalyKind;
use crate::decode::declared_encoding;
use crate::limits::MAX_FIXED_ENTRY;
use crate::read::rows::EntryKind;
use crate::read::sink::Part;
use crate::read::sitemap::{self, is_web_address};
use crate::read::xml::{Written, is_all_space};
use crate::value::trim;

pub struct Document {
    pub account: Account,
    pub output: Output,
    pub refusal: Option<Refusal>,
    names: Names,
    base: Option<String>,
    declaration: Option<String>,
    /// Whether to keep the declaration. False if it names an encoding other than UTF-8, or for another reason.
    pub is_declaration_kept: bool,
    /// Comments and instructions before the root.
    prolog: String,
    root: Option<Root>,
    /// Whitespace and comments between entries, not yet written.
    between: String,
    /// Whether the last token was a tag that is removed: its whitespace goes with it if more follows.
    is_after_removed: bool,
    entry: Option<Entry>,
    /// The current entries belong to a second root of another kind.
    is_other_kind: bool,
    /// The same for the roots around the current one.
    outer: Vec<bool>,
    line: i32,
}

impl Document {
    pub fn new(output: Output, base: Option<String>, is_declaration_kept: bool) -> Self {
        Self {
            account: Account::default(),
            output,
            refusal: None,
            names: Names::default(),
            base,
            declaration: None,
            is_declaration_kept,
            prolog: String::new(),
            root: None,
            between: String::new(),
            is_after_removed: false,
            entry: None,
            is_other_kind: false,
            outer: Vec::new(),
            line: 1,
        }
    }

    fn around(&mut self) -> Surroundings<'_> {
        Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
        }
    }

    /// Returns the current entry, with what it needs from outside.
    fn entry_around(&mut self) -> Option<(&mut Entry, Surroundings<'_>)> {
        let around = Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
        };
        Some((self.entry.as_mut()?, around))
    }

    pub fn refuse(&mut self, why: Refusal) {
        self.refusal.get_or_insert(why);
    }

    pub fn kind(&self) -> Option<EntryKind> {
        self.root.as_ref().map(|root| root.kind)
    }

    /// Takes one token: its bytes, the reader's events for it, and its anomalies.
    pub fn token(&mut self, written: Written, raw: &str, said: &mut Listener, noted: &Noted) {
        let Listener {
            events, text, usual, ..
        } = said;
        let is_unknown = events
            .iter()
            .any(|event| matches!(event, Event::Start(start) if !is_known(start.part, self.entry.is_some())));
        let is_faulty = self.take_notes(noted, is_unknown);
        if self.refusal.is_some() {
            return;
        }
        let mut begin = match &mut self.entry {
            Some(entry) => {
                let begin = entry.raw.len();
                entry.raw.push_str(raw);
                if entry.raw.len() > MAX_FIXED_ENTRY {
                    self.refuse(Refusal::EntryTooLarge);
                }
                begin
            }
            None => 0,
        };
        if events.is_empty() {
            if noted.has(AnomalyKind::TextOutsideRoot) {
                self.name_stray_url(raw, self.line);
            }
            return self.quiet(raw, begin, is_faulty || noted.has(AnomalyKind::EntityDeclaration));
        }
        self.is_after_removed = false;
        for event in events.iter() {
            if event.splits() {
                self.split_entry(raw.len(), usual);
                begin = self.entry.as_ref().map_or(0, |entry| entry.raw.len() - raw.len());
            }
            let begin = begin.min(self.entry.as_ref().map_or(0, |entry| entry.raw.len()));
            match event {
                Event::Start(seen) => {
                    let start = Start::new(seen, written);
                    self.start(&start, raw, begin, noted, is_faulty, usual);
                }
                Event::Text { is_loc, line } => self.text(text, *is_loc, *line, begin, noted, is_faulty),
                Event::End(end) => self.end(end, raw, begin, is_faulty, usual),
                Event::Usual(entry) => self.usual(raw, entry),
                Event::CutOff { keeps } => self.cut_off(*keeps, usual),
            }
        }
    }

    /// Handles text, which starts at `begin` in the current entry, if there is one.
    fn text(&mut self, text: &str, is_loc: bool, line: i32, begin: usize, noted: &Noted, is_faulty: bool) {
        if !is_loc && noted.has(AnomalyKind::StrayText) {
            self.name_stray_url(text, line);
        }
        if let Some((entry, mut around)) = self.entry_around() {
            let range = begin..entry.raw.len();
            if is_loc {
                entry.adopt_loc(text.trim(), range, line, &mut around);
            } else {
                entry.text(text, range, noted, is_faulty);
            }
        }
    }

    /// Reports stray text that is removed but is a URL.
    fn name_stray_url(&mut self, text: &str, line: i32) {
        let text = trim(text);
        if is_web_address(text) {
            self.account.leave_out(LeftOut::StrayUrl, line, text);
        }
    }

    /// Counts the reader's anomalies as repairs, and returns whether the token must be rewritten.
    pub fn take_notes(&mut self, noted: &Noted, is_unknown: bool) -> bool {
        let mut is_faulty = false;
        for anomaly in &noted.0 {
            let line = anomaly.line.unwrap_or(self.line);
            self.line = line;
            match anomaly.kind {
                AnomalyKind::TokenTooLong => self.refuse(Refusal::TokenTooLong),
                AnomalyKind::TooDeep => self.refuse(Refusal::TooDeep),
                AnomalyKind::SizeLimit => self.refuse(Refusal::TooLarge),
                AnomalyKind::UnrenderedTemplate => self.refuse(Refusal::Template),
                AnomalyKind::UnknownRoot => self.refuse(Refusal::UnknownRoot),
                AnomalyKind::NoRoot if self.root.is_none() => self.refuse(Refusal::NoSitemap),
                AnomalyKind::EncodingInvalid => {
                    for _ in 0..anomaly.count {
                        self.account.leave_out(LeftOut::LostBytes, line, &anomaly.evidence);
                    }
                }
                _ => {}
            }
            let Some(repair) = repair_of(anomaly.kind) else {
                continue;
            };
            if is_unknown && repair == Repair::TagCase {
                // Whatever it is, it would be unknown in lowercase, too.
                continue;
            }
            if repair == Repair::Gzip {
                // It is reported when its bytes arrive, which says nothing about the line or the entry.
                self.account.repairs.add(repair, anomaly.count as u64, || Example {
                    line: 0,
                    before: anomaly.evidence.clone(),
                    after: String::new(),
                });
                continue;
            }
            is_faulty = true;
            let example = || Example {
                line,
                before: anomaly.evidence.clone(),
                after: String::new(),
            };
            // XML errors around the root belong to no entry.
            match &mut self.entry {
                Some(entry) if repair != Repair::Closed => entry.change_times(repair, anomaly.count as u64, example),
                _ => self.account.repairs.add(repair, anomaly.count as u64, example),
            }
        }
        is_faulty
    }

    /// Handles whitespace, comments, declarations and meaningless markup, for which the reader emitted no event.
    fn quiet(&mut self, raw: &str, begin: usize, is_faulty: bool) {
        if raw.is_empty() {
            return;
        }
        let is_space = is_all_space(raw.as_bytes());
        let is_declaration = raw.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("<?xml"))
            && !raw
                .as_bytes()
                .get(5)
                .is_some_and(|&next| next == b'-' || !next.is_ascii() || next.is_ascii_alphanumeric());
        let is_instruction = raw.starts_with("<?") && !is_declaration;
        let is_markup = raw.starts_with("<!--") || is_instruction || raw.starts_with("<![CDATA[");
        let is_lost = is_instruction && has_lost_bytes(raw);
        let keeps = !is_faulty && !is_lost && (is_space || is_markup);
        if let Some(entry) = &mut self.entry {
            entry.quiet(begin..begin + raw.len(), keeps);
            return;
        }
        if self.root.is_none() {
            if is_declaration && self.declaration.is_none() {
                // After other text, the decoder has not seen it.
                let is_utf8 = declared_encoding(raw).is_none_or(|(_, label)| label.eq_ignore_ascii_case("utf-8"));
                self.is_declaration_kept &= !is_faulty && is_utf8;
                self.declaration = Some(raw.to_owned());
                if is_all_space(self.prolog.as_bytes()) {
                    self.prolog.clear();
                }
            } else if keeps {
                self.prolog.push_str(raw);
            }
            return;
        }
        if !keeps {
            return;
        }
        if std::mem::take(&mut self.is_after_removed) && is_space {
            self.trim_between();
        }
        match &mut self.root {
            Some(root) if !root.is_open => root.behind.push_str(raw),
            _ => self.between.push_str(raw),
        }
    }
}

/// Returns whether a start tag is that of a known element; those of extensions are, in an entry.
fn is_known(part: Part, is_in_entry: bool) -> bool {
    match part {
        Part::Foreign | Part::Other | Part::Sitemap(sitemap::Part::Unknown | sitemap::Part::Foreign) => false,
        Part::Sitemap(sitemap::Part::Record(_) | sitemap::Part::Group | sitemap::Part::Field(..)) => is_in_entry,
        _ => true,
    }
}
