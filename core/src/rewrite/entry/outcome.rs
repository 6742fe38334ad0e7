//! The outcome of an entry at its end.

use std::borrow::Cow;
use std::ops::Range;

use super::{Entry, Kind, Surroundings};
use crate::anomaly::evidence;
use crate::read::rows::EntryKind;
use crate::read::sitemap::Core;
use crate::rewrite::account::{Account, LeftOut, Omissions, Repair};
use crate::rewrite::markup::push_end;
use crate::rewrite::names::join;
use crate::rewrite::usual::Content;

/// The outcome of an entry.
pub enum Outcome {
    /// Its rewritten bytes.
    Write(String),
    Raw(String),
    LeaveOut(Omissions),
    /// Its loc, and that of the earlier entry.
    Duplicate(String, String),
    Nothing,
}

impl Entry {
    /// Ends the entry at `at`. `end_tag`: its own end tag, and whether it has no problem.
    pub fn finish(
        mut self,
        at: usize,
        end_tag: Option<(Range<usize>, bool)>,
        around: &mut Surroundings,
        account: &mut Account,
        repeated: impl FnOnce(Content, &str) -> Option<String>,
    ) -> (Outcome, String) {
        self.finish_field(at, false, false, around);
        self.finish_foreign(at, around);
        self.end_levels(0, at, around);
        // Whitespace before a missing end tag belongs to the next item.
        let behind = if end_tag.is_none() {
            let lead = self.open_lead().to_owned();
            self.lead = self.leads.len();
            lead
        } else {
            String::new()
        };
        (self.outcome(at, end_tag, around, account, repeated), behind)
    }

    pub(super) fn outcome(
        mut self,
        at: usize,
        end_tag: Option<(Range<usize>, bool)>,
        around: &mut Surroundings,
        account: &mut Account,
        repeated: impl FnOnce(Content, &str) -> Option<String>,
    ) -> Outcome {
        if self.is_other_root {
            return Outcome::LeaveOut(self.all_out(LeftOut::OtherRoot));
        }
        if self.has_declared_entity {
            return Outcome::LeaveOut(self.all_out(LeftOut::Entity));
        }
        if self.kind.is_some() && self.locs().next().is_none() {
            let mut left_out = self.bad_locs;
            if left_out.is_empty() {
                left_out.add(LeftOut::NoLoc, self.line, "");
            }
            return Outcome::LeaveOut(left_out);
        }
        self.sort();
        // Such entries differ once they have their URLs.
        if self.kind.is_some() && self.unset_locs.is_empty() {
            let loc = self.locs().next().map_or_else(String::new, |(loc, _)| loc.to_owned());
            if let Some(kept) = repeated(self.says(), &loc) {
                account.left_out.append(self.bad_locs);
                return Outcome::Duplicate(loc, kept);
            }
        }
        account.left_out.append(std::mem::take(&mut self.bad_locs));
        account.left_out.append(std::mem::take(&mut self.lost));
        account.left_alone.append(std::mem::take(&mut self.unset_locs));
        account.repairs.append(&mut self.repairs);
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

    /// Returns the content of the entry, whose items are already in order.
    pub(super) fn says(&self) -> Content {
        let mut content = Content::default();
        for item in &self.items {
            if let Kind::Core(core, value, _) = &item.kind {
                content.core(*core as u8, value);
            }
        }
        content.append(&self.content);
        content
    }

    /// Returns every loc that can be kept, with its line.
    pub(super) fn locs(&self) -> impl Iterator<Item = (&str, i32)> {
        self.items.iter().filter_map(|item| match &item.kind {
            Kind::Core(Core::Loc, value, line) => Some((value.as_str(), *line)),
            _ => None,
        })
    }

    /// Returns all that is lost with the entry, with one reason: each of its URLs, or its start if it has none.
    pub fn all_out(self, why: LeftOut) -> Omissions {
        let mut left_out = Omissions::default();
        for (loc, line) in self.locs() {
            left_out.add(why, line, loc);
        }
        left_out.append(self.bad_locs.because_of(why));
        if left_out.is_empty() {
            left_out.add(why, self.line, &evidence(self.raw.trim()));
        }
        left_out
    }

    /// Sorts the fields of the protocol and puts them before everything else. If only other elements are between them,
    /// only the schema is violated: search engines read such entries, and generators write them.
    pub(super) fn sort(&mut self) {
        const OTHERS: u8 = u8::MAX;
        let mut furthest = 0;
        let late = self.items.iter().find(|item| {
            let rank = match item.kind {
                Kind::Core(core, ..) => core as u8,
                Kind::Extension if self.has_inner_core => OTHERS,
                Kind::Extension | Kind::Foreign => return false,
            };
            let is_late = rank < furthest;
            furthest = furthest.max(rank);
            is_late
        });
        let Some(late) = late else { return };
        let (line, late) = (self.line, late.range.clone());
        let raw = std::mem::take(&mut self.raw);
        self.change(Repair::Order, line, raw.get(late).unwrap_or_default(), "");
        self.raw = raw;
        self.items.sort_by_key(|item| match item.kind {
            Kind::Core(core, ..) => core as u8,
            Kind::Extension | Kind::Foreign => OTHERS,
        });
    }

    pub(super) fn compose(&self, end_tag: Range<usize>, is_clean: bool, around: &Surroundings) -> String {
        let mut out = String::with_capacity(self.raw.len() + 64);
        let local = if self.kind == Some(EntryKind::Child) {
            "sitemap"
        } else {
            "url"
        };
        let name: Cow<str> = match &self.tag {
            Some((tag, end)) => {
                if tag.is_changed || self.raw[..*end].ends_with("/>") {
                    out.push_str(&tag.opening());
                    out.push('>');
                } else {
                    out.push_str(&self.raw[..*end]);
                }
                Cow::Borrowed(&tag.name)
            }
            None => join(&around.names.prefix, local).into(),
        };
        if self.tag.is_none() && self.kind.is_some() {
            out.push('<');
            out.push_str(&name);
            out.push('>');
        }
        for item in &self.items {
            out.push_str(&self.leads[item.lead.clone()]);
            match &item.out {
                Some(written) => out.push_str(written),
                None => out.push_str(&self.raw[item.range.clone()]),
            }
        }
        if self.kind.is_none() {
            return out;
        }
        out.push_str(self.open_lead());
        let keeps = is_clean && self.tag.as_ref().is_some_and(|(tag, _)| !tag.is_changed);
        if keeps {
            out.push_str(&self.raw[end_tag]);
        } else {
            push_end(&mut out, &name);
        }
        out
    }
}
