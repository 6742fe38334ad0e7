//! Gathers single entries until there are enough for a thread to encode.

use super::encode::Encoder;
use super::entry::{Entry, Value};
use super::refusal::Refusal;
use super::rows::{Encoded, Omission, Rows, omission};

/// Number of entries to gather.
const ENOUGH: usize = 4096;
/// Approximate number of bytes to gather.
const HEAVY: usize = 1 << 20;

/// Owned entries: those with only a URL and a date are stored as two strings, the others as a whole.
#[derive(Default)]
pub struct Gathered {
    /// URL and lastmod of the plain entries, one after the other.
    text: String,
    lines: Vec<Line>,
    whole: Vec<Entry<'static>>,
    weight: usize,
    omissions: Vec<Omission>,
}

struct Line {
    /// The number of the entry among all passed in.
    number: u64,
    /// Ends of its strings; the first one starts where the last one of the previous line ends.
    loc: usize,
    lastmod: usize,
    /// Its index among those stored as a whole, from 1; 0 for a plain one.
    whole: usize,
}

impl Gathered {
    /// Adds an entry with at most these two fields.
    #[inline]
    pub fn plain(&mut self, number: u64, loc: &str, lastmod: &str) {
        self.text.push_str(loc);
        let loc = self.text.len();
        self.text.push_str(lastmod);
        self.lines.push(Line {
            number,
            loc,
            lastmod: self.text.len(),
            whole: 0,
        });
    }

    pub fn push(&mut self, number: u64, entry: Entry) {
        self.weight += entry.weight();
        self.whole.push(entry.into_owned());
        self.lines.push(Line {
            number,
            loc: self.text.len(),
            lastmod: self.text.len(),
            whole: self.whole.len(),
        });
    }

    /// Adds the refusal of an input that never became an entry.
    #[cold]
    pub fn refuse(&mut self, number: u64, loc: String, refusal: Refusal) {
        self.omissions
            .push(omission(self.lines.len(), (number, loc), refusal, true));
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.omissions.is_empty()
    }

    /// Whether there are enough, by number or size.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.lines.len() + self.omissions.len() >= ENOUGH || self.text.len() + self.weight >= HEAVY
    }

    /// Returns the strings of the line at an index.
    #[inline]
    fn texts(&self, place: usize) -> (&str, &str) {
        let line = &self.lines[place];
        let begin = place.checked_sub(1).map_or(0, |before| self.lines[before].lastmod);
        (&self.text[begin..line.loc], &self.text[line.loc..line.lastmod])
    }
}

impl Rows for Gathered {
    fn encode(&mut self, encoder: &mut Encoder, out: &mut Encoded) {
        out.omissions.append(&mut self.omissions);
        for (place, line) in self.lines.iter().enumerate() {
            let outcome = match line.whole.checked_sub(1) {
                None => {
                    let (loc, lastmod) = self.texts(place);
                    let lastmod = (!lastmod.is_empty()).then(|| Value::Text(lastmod.into()));
                    encoder.encode_plain(loc, lastmod.as_ref(), &mut out.bytes)
                }
                Some(at) => encoder.encode(&self.whole[at], &mut out.bytes),
            };
            out.note(place, outcome, encoder, || self.given(place));
        }
    }

    fn given(&self, place: usize) -> (u64, String) {
        let line = &self.lines[place];
        let loc = match line.whole.checked_sub(1) {
            None => self.texts(place).0,
            Some(at) => self.whole[at].loc.as_deref().unwrap_or_default(),
        };
        (line.number, loc.to_owned())
    }

    fn number(&self, place: usize) -> u64 {
        self.lines[place].number
    }

    fn count(&self) -> usize {
        self.lines.len() + self.omissions.len()
    }
}
