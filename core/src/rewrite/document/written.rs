//! Writes finished entries.

use std::ops::Range;

use super::Document;
use crate::read::rows::Extension;
use crate::rewrite::account::LeftOut;
use crate::rewrite::entry::{Entry, Outcome, Surroundings};
use crate::rewrite::usual::{Checked, Checker};
use crate::value::space::XML_SPACE;
use crate::value::trim;
use crate::value::url::xml_unescaped_once;

impl Document {
    /// Returns whether usual entries can be written as they are: names without a prefix have a different meaning in a
    /// root with one that the entries of another root were moved into.
    pub fn takes_usual(&self) -> bool {
        !self.names.is_merged || self.names.prefix.is_empty()
    }

    pub(super) fn usual(&mut self, raw: &str, entry: &Checked) {
        if entry.has_images {
            self.names.ensure_customary(Extension::Image);
        }
        if entry.has_links {
            self.names.ensure_customary(Extension::Alternate);
        }
        self.reopen();
        if self.is_other_kind {
            self.account.leave_out(LeftOut::OtherRoot, entry.line, &loc_of(raw));
            return self.trim_between();
        }
        if let Some((loc, kept)) = &entry.repeats {
            self.account.duplicate(entry.line, loc, kept);
            return self.trim_between();
        }
        self.output.put_entry(&self.between, raw);
        self.between.clear();
    }

    /// Removes the whitespace before an entry that is removed; comments stay.
    pub(super) fn trim_between(&mut self) {
        let kept = self.between.trim_end_matches(XML_SPACE).len();
        self.between.truncate(kept);
    }

    pub(super) fn finish_entry(&mut self, at: usize, end_tag: Option<(Range<usize>, bool)>, checker: &mut Checker) {
        let Some(entry) = self.entry.take() else { return };
        let line = entry.line;
        let is_entry = entry.kind.is_some();
        let mut around = Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
        };
        let (outcome, behind) = entry.finish(at, end_tag, &mut around, &mut self.account, |content, loc| {
            checker.repeated(content, loc)
        });
        match outcome {
            Outcome::Raw(text) | Outcome::Write(text) => {
                if is_entry {
                    self.output.put_entry(&self.between, &text);
                } else {
                    self.output.put(&self.between);
                    self.output.put(&text);
                }
                self.between.clear();
            }
            Outcome::LeaveOut(left_out) => {
                self.account.left_out.append(left_out);
                self.trim_between();
            }
            Outcome::Duplicate(loc, kept) => {
                self.account.duplicate(line, &loc, &kept);
                self.trim_between();
            }
            Outcome::Nothing => self.trim_between(),
        }
        self.between.push_str(&behind);
    }

    /// Splits the current entry: the loc being read differs from that of the entry and starts an entry of its own. The
    /// last `length` bytes are those of the current token.
    pub(super) fn split_entry(&mut self, length: usize, checker: &mut Checker) {
        let Some((rest, at)) = self.entry.as_mut().and_then(|entry| entry.split(length)) else {
            return;
        };
        self.finish_entry(at, None, checker);
        self.names.local.clear();
        self.entry = Some(rest);
    }

    /// Writes an element other than an entry.
    pub(super) fn write(&mut self, entry: Entry, end_tag: Option<(Range<usize>, bool)>) {
        let at = entry.raw.len();
        self.entry = Some(entry);
        self.finish_entry(at, end_tag, &mut Checker::new(self.base.is_some()));
    }

    pub(super) fn cut_off(&mut self, keeps: bool, checker: &mut Checker) {
        self.account.is_cut_off = true;
        if keeps && self.entry.as_ref().is_some_and(|entry| entry.kind.is_some()) {
            if let Some((entry, mut around)) = self.entry_around() {
                let half = entry.drop_half(&mut around);
                let (line, at) = (entry.line, entry.raw.len());
                if !trim(&half).is_empty() {
                    self.account.leave_out(LeftOut::HalfRead, line, &half);
                }
                self.finish_entry(at, None, checker);
            }
            return;
        }
        if let Some(entry) = self.entry.take() {
            self.account.left_out.append(entry.all_out(LeftOut::HalfRead));
        }
        self.trim_between();
    }
}

/// Returns the loc of a usual entry.
fn loc_of(raw: &str) -> String {
    let value = raw.split_once("<loc>").map_or(raw, |(_, value)| value);
    let value = trim(value.split_once("</loc>").map_or(raw, |(value, _)| value));
    xml_unescaped_once(value).unwrap_or_else(|| value.to_owned())
}
