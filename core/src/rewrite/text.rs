//! A text sitemap, line by line: one URL each, without surrounding whitespace.

use std::io;

use memchr::memchr2;

use super::account::{Account, LeftOut, Refusal, Repair};
use super::address::{Verdict, judge};
use super::output::Output;
use super::usual::{Checker, Content};
use crate::anomaly::AnomalyKind;
use crate::read::kind::HEAD;
use crate::read::template;
use crate::read::window::{Window, boundary};
use crate::value::{UrlProblem, trim};

pub struct Lines {
    pub account: Account,
    pub output: Output,
    pub refusal: Option<Refusal>,
    pub base: Option<String>,
    pub checker: Checker,
    /// Longest line that is read, in bytes.
    longest: usize,
    line: i32,
}

impl Lines {
    pub fn new(output: Output, base: Option<String>, checker: Checker, longest: usize) -> Self {
        Self {
            account: Account::default(),
            output,
            refusal: None,
            base,
            checker,
            longest,
            line: 0,
        }
    }

    /// Rewrites the complete lines in the window, and the last one at the end of the document.
    pub fn step(&mut self, window: &mut Window) -> io::Result<bool> {
        loop {
            let at = window.pos();
            let bytes = window.bytes();
            let found = memchr2(b'\n', b'\r', &bytes[at..]).map(|offset| at + offset);
            let (end, next) = match found {
                _ if found.unwrap_or(bytes.len()) - at > self.longest => {
                    self.refusal = Some(Refusal::TokenTooLong);
                    return Ok(false);
                }
                Some(end) if bytes[end] == b'\r' && end + 1 == bytes.len() && !window.is_last() => return Ok(true),
                Some(end) if bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n') => (end, end + 2),
                Some(end) => (end, end + 1),
                None if !window.is_last() => return Ok(true),
                None if at == bytes.len() => return Ok(false),
                None => (bytes.len(), bytes.len()),
            };
            self.line += 1;
            while let Some((anomaly, _)) = window.noticed_before(end) {
                self.note(anomaly.kind, &anomaly.evidence);
            }
            let is_half = found.is_none() && !window.is_complete();
            let (line, ending) = (window.text(at..end), window.text(end..next));
            let text = window.as_str();
            if template::in_value(line).is_some()
                || self.output.entries == 0 && template::front_matter(&text[at..boundary(text, at + HEAD)]).is_some()
            {
                self.refusal = Some(Refusal::Template);
                return Ok(false);
            }
            if is_half {
                self.account.leave_out(LeftOut::HalfRead, self.line, line);
            } else {
                self.take(line, ending);
            }
            window.consume(next);
        }
    }

    /// Handles anomalies of the decoder: invalid bytes, or damage around them.
    pub fn note(&mut self, kind: AnomalyKind, seen: &str) {
        match kind {
            AnomalyKind::EncodingInvalid => {
                self.account.leave_out(LeftOut::LostBytes, self.line, seen);
            }
            AnomalyKind::GzipTwice | AnomalyKind::GzipTrailingData => {
                self.account.repair(Repair::Gzip, 0, seen, "");
            }
            AnomalyKind::SizeLimit => self.refusal = Some(Refusal::TooLarge),
            _ => {}
        }
    }

    fn take(&mut self, written: &str, ending: &str) {
        let url = trim(written);
        if url.is_empty() {
            // An empty line is not an entry; anything that made it look like one is removed.
            if written.is_empty() {
                self.output.put(ending);
            } else {
                self.account.repair(Repair::Space, self.line, written, "");
                self.output.put(ending);
            }
            return;
        }
        let mut now = url.to_owned();
        if url.contains('\u{fffd}') {
            return self.account.leave_out(LeftOut::Undecodable, self.line, url);
        }
        match judge(url, self.base.as_deref()) {
            Verdict::Good => {}
            Verdict::Repaired(repair, repaired) => {
                self.account.repair(repair, self.line, url, &repaired);
                now = repaired;
            }
            Verdict::Bad(UrlProblem::UnsetVariable) => {
                self.account.left_alone.add(LeftOut::UnsetVariable, self.line, url);
                return self.output.put_entry("", &format!("{written}{ending}"));
            }
            Verdict::Bad(problem) => {
                let why = match LeftOut::of(problem) {
                    LeftOut::Relative if url.contains(char::is_whitespace) => LeftOut::BadLine,
                    why => why,
                };
                return self.account.leave_out(why, self.line, url);
            }
        }
        let mut content = Content::default();
        content.core(0, &now);
        if let Some(kept) = self.checker.repeated(content, &now) {
            return self.account.duplicate(self.line, url, &kept);
        }
        if url.len() != written.len() {
            self.account.repair(Repair::Space, self.line, written, &now);
        }
        now.push_str(ending);
        self.output.put_entry("", &now);
    }
}
