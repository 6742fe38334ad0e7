//! Plain text: one URL per line. <https://www.sitemaps.org/protocol.html#otherformats>

use std::io;

use memchr::memchr2;

use super::kind::HEAD;
use super::notes::Notes;
use super::rows::{EntryKind, Rows};
use super::template;
use super::window::{Window, boundary};
use crate::anomaly::AnomalyKind;
use crate::value::trim;
use crate::value::url::has_xml_escape;

pub struct Text {
    pub window: Window,
    pub notes: Notes,
    pub rows: Rows,
    /// Longest line that is read as a whole, in bytes.
    pub longest: usize,
    /// The last line that was read continues.
    pub in_long_line: bool,
    /// End of the front matter, as an offset in the document; its lines are not entries.
    pub front_matter: i64,
}

impl Text {
    /// Reads one line. Returns false at the end of the document.
    pub fn step(&mut self) -> io::Result<bool> {
        loop {
            let at = self.window.pos();
            let bytes = self.window.bytes();
            let found = memchr2(b'\n', b'\r', &bytes[at..]).map(|offset| at + offset);
            let end = match found {
                Some(end) if end - at <= self.longest => end,
                _ if bytes.len() - at > self.longest => {
                    let cut = boundary(self.window.as_str(), at + self.longest);
                    if !self.in_long_line {
                        let place = self.window.place(at);
                        self.notes.add(AnomalyKind::TokenTooLong, place, None, "");
                    }
                    cut
                }
                _ if self.window.is_last() && at == bytes.len() => return Ok(false),
                _ if self.window.is_last() && !self.window.is_complete() => {
                    self.leave_out_half_line(at);
                    return Ok(false);
                }
                _ if self.window.is_last() => bytes.len(),
                _ => {
                    self.window.fill()?;
                    continue;
                }
            };
            if !self.in_long_line {
                // An invalid byte is in a nonempty line, which becomes an entry.
                self.notes.ordinal = Some(self.rows.ordinal());
                super::note_decoded(&mut self.window, &mut self.notes, end);
                self.notes.ordinal = None;
                self.line(at, end);
            }
            super::note_decoded(&mut self.window, &mut self.notes, end);
            // The part of a long line beyond the limit is dropped.
            self.in_long_line = found != Some(end);
            self.window.consume(if found == Some(end) { end + 1 } else { end });
            return Ok(true);
        }
    }

    /// Drops the last line if bytes are missing at the end: it would be a truncated URL that looks complete.
    #[cold]
    fn leave_out_half_line(&mut self, at: usize) {
        let end = self.window.bytes().len();
        let seen = self.window.text(at..end).to_owned();
        self.notes
            .add(AnomalyKind::Truncated, self.window.place(at), None, &seen);
        self.window.consume(end);
    }

    fn line(&mut self, at: usize, end: usize) {
        let line = self.window.text(at..end);
        let url = trim(line);
        if url.is_empty() {
            return;
        }
        let only_space = line.trim_matches([' ', '\t']).len() == url.len();
        let begin = at + (url.as_ptr() as usize - line.as_ptr() as usize);
        let place = self.window.place(begin);
        if place.byte_offset < self.front_matter
            || (self.rows.ordinal() == 0 && self.front_matter == 0 && self.is_front_matter(begin))
        {
            return;
        }
        let line = self.window.text(at..end);
        let url = trim(line);
        self.rows.begin_entry(EntryKind::Url, &mut self.notes);
        self.rows.entry.place = Some(place);
        let slot = &mut self.rows.entry.loc;
        slot.is_present = true;
        slot.text.push_str(url);
        slot.place = Some(place);
        if has_xml_escape(url) {
            self.notes
                .add(AnomalyKind::EscapedTwice, place, Some("loc".into()), url);
        }
        if template::in_value(url).is_some() {
            self.notes
                .add(AnomalyKind::UnrenderedTemplate, place, Some("loc".into()), url);
        }
        if !only_space {
            self.notes
                .add(AnomalyKind::UnicodeSpace, place, Some("loc".into()), line);
        }
        self.rows.finish_entry(&mut self.notes);
    }

    /// Returns whether front matter starts here, before anything else, and notes it.
    #[cold]
    fn is_front_matter(&mut self, begin: usize) -> bool {
        let text = &self.window.as_str()[begin..];
        let text = &text[..boundary(text, HEAD)];
        let Some(length) = template::front_matter(text) else {
            return false;
        };
        let (place, seen) = (self.window.place(begin), text[..length].trim_end());
        self.notes.add(AnomalyKind::UnrenderedTemplate, place, None, seen);
        self.front_matter = place.byte_offset + length as i64;
        true
    }
}
