//! Turns tokens into elements: well-formedness, namespaces, and the repair of common mistakes.
//!
//! The stack of open elements follows XML strictly, so that "well-formed or not" agrees with a strict parser. The
//! meaning of elements is up to the sink: it may finish an entry without an end tag long before the stack detects that.

pub(crate) mod attributes;
pub(crate) mod chars;
mod content;
mod declaration;
mod elements;
mod entity_names;
mod markup;
pub(crate) mod namespace;
mod outside;
mod reference;
pub(crate) mod sink;
mod skip;
mod tags;
mod token;
pub(crate) mod uri;
pub(crate) mod vocabulary;

use std::io;

use self::attributes::ReadAttribute;
pub use self::attributes::{Attributes, Standing};
pub use self::chars::{is_all_space, is_local_name, is_space};
pub use self::markup::Prolog;
pub use self::namespace::{Namespaces, Resolved};
use self::reference::Entities;
pub use self::sink::{Context, Sink, Tag};
use self::skip::Skip;
use self::token::{Token, Tokenizer};
pub use self::vocabulary::Vocabulary;
use super::notes::Notes;
use super::window::{Place, Window, boundary};
use crate::anomaly::AnomalyKind;
use crate::limits::Bounds;

/// Positions of the texts of a start tag.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    pub window: &'a Window,
    pub namespaces: &'a Namespaces,
    pub attributes: Attributes<'a>,
}

struct Open<R> {
    /// Start of its name in `Xml::names`; it ends where the next one starts.
    name: usize,
    /// Number of namespace bindings in scope around it.
    mark: u32,
    role: R,
}

pub struct Xml<S: Sink> {
    pub window: Window,
    pub notes: Notes,
    pub sink: S,
    pub namespaces: Namespaces,
    pub prolog: Prolog,
    tokenizer: Tokenizer,
    entities: Entities,
    stack: Vec<Open<S::Role>>,
    names: Vec<u8>,
    /// Maximum depth of the stack.
    max_depth: usize,
    /// Number of open elements deeper than the stack.
    too_deep: usize,
    /// How many of those have the root's name.
    too_deep_roots: usize,
    roots: usize,
    /// Where the document is truncated, if it is, and the text there.
    pub cut: Option<(Place, String)>,
    skipping: Option<Skip>,
    read: Vec<ReadAttribute>,
    unescaped: String,
    scratch: String,
}

impl<S: Sink> Xml<S> {
    pub fn new(window: Window, notes: Notes, sink: S, bounds: &Bounds) -> Self {
        Self {
            window,
            notes,
            sink,
            namespaces: Namespaces::new(),
            prolog: Prolog::default(),
            tokenizer: Tokenizer::new(bounds.token_length),
            entities: Entities::default(),
            stack: Vec::new(),
            names: Vec::new(),
            max_depth: bounds.depth,
            too_deep: 0,
            too_deep_roots: 0,
            roots: 0,
            cut: None,
            skipping: None,
            read: Vec::new(),
            unescaped: String::new(),
            scratch: String::new(),
        }
    }

    /// Returns the last start tag, as long as nothing else has been read, and the sink.
    pub fn last_tag(&mut self) -> (Written<'_>, &mut S) {
        let written = Written {
            window: &self.window,
            namespaces: &self.namespaces,
            attributes: Attributes {
                text: self.window.as_str(),
                unescaped: &self.unescaped,
                list: &self.read,
            },
        };
        (written, &mut self.sink)
    }

    /// Reads one token. Returns false at the end of the document.
    pub fn step(&mut self) -> io::Result<bool> {
        match self.skipping {
            None => {}
            Some(Skip::Until(until)) => return self.skip(until),
            Some(Skip::Tag { quote, slash }) => return self.skip_tag(quote, slash),
            Some(Skip::Outside) => return self.skip_outside(),
        }
        loop {
            let at = self.window.pos();
            if at == self.window.bytes().len() {
                if self.fill()? {
                    continue;
                }
                self.finish();
                return Ok(false);
            }
            if self.stack.len() == 1 && self.sink.express(&mut self.window, &self.namespaces) {
                return Ok(true);
            }
            if self.matching_end_tag(at) {
                return Ok(true);
            }
            match self.tokenizer.next(self.window.as_str(), at, self.window.is_last()) {
                Some(token) => {
                    // The evidence quotes the token, and sometimes some text after it, which must be in the window,
                    // too.
                    let is_right =
                        matches!(token, Token::Text { .. } | Token::Blank { .. }) && self.tokenizer.faults.is_empty();
                    if !(is_right || self.shows(token.end().unwrap_or(at) + SNIPPET)) {
                        self.fill()?;
                        continue;
                    }
                    if self.is_near_outside(&token) && !self.shows(at + outside::REACH) {
                        self.fill()?;
                        continue;
                    }
                    if self.window.has_noticed() {
                        self.note_decoded(&token);
                    }
                    self.token(token, at);
                    return Ok(!self.sink.is_done());
                }
                None => {
                    self.fill()?;
                }
            }
        }
    }

    /// Reads the end tag of the innermost element, if it is next and nothing about it is unusual.
    #[inline]
    fn matching_end_tag(&mut self, at: usize) -> bool {
        let bytes = self.window.bytes();
        if !bytes[at..].starts_with(b"</") || self.too_deep > 0 {
            return false;
        }
        let Some(open) = self.stack.last() else { return false };
        let name = &self.names[open.name..];
        let end = at + 2 + name.len();
        if bytes.get(end) != Some(&b'>') || !is_same(&bytes[at + 2..end], name) || self.window.has_noticed_before(end) {
            return false;
        }
        self.pop(true);
        self.window.consume(end + 1);
        true
    }

    /// Whether the window reaches this far, or to the end of the document.
    #[inline]
    fn shows(&self, end: usize) -> bool {
        end <= self.window.bytes().len() || self.window.is_last()
    }

    /// Decodes more.
    fn fill(&mut self) -> io::Result<bool> {
        let pos = self.window.pos();
        let more = self.window.fill()?;
        self.tokenizer.shift(pos - self.window.pos());
        Ok(more || self.window.pos() < self.window.bytes().len())
    }

    fn token(&mut self, token: Token, at: usize) {
        if let Some((end, continues)) = self.outside(&token, at) {
            debug_assert!(end > at || continues, "no progress at byte {at}");
            self.note_outside(at..end);
            self.skipping = continues.then_some(Skip::Outside);
            return self.pass(end);
        }
        if !self.tokenizer.faults.is_empty() {
            self.note_faults();
        }
        let end = match token {
            Token::Text { end } => {
                self.text(at..end);
                end
            }
            Token::Blank { end } => {
                if self.wants_space() {
                    self.text(at..end);
                }
                end
            }
            Token::Start { name, end, empty } => {
                self.start(at..end, name, empty);
                end
            }
            Token::End { name, end } => {
                self.end(at, name);
                end
            }
            Token::Cdata { content, end } => {
                self.cdata(at, content);
                end
            }
            Token::Comment { content, end } => {
                self.comment(at, content);
                end
            }
            Token::Instruction { target, data, end } => {
                self.instruction(at, target, data);
                end
            }
            Token::Doctype { content, end, whole } => {
                self.doctype(at, content, whole);
                end
            }
            Token::Junk { end } => end,
            Token::TooLong { until, end } => {
                self.note_program(at);
                self.skipping = Some(Skip::Until(until));
                end
            }
            Token::LongStart { name, end } => {
                self.start(at..end, name, false);
                self.skipping = Some(Skip::Tag {
                    quote: None,
                    slash: false,
                });
                end
            }
            Token::Cut => {
                self.note_program(at);
                self.cut_off(at);
                self.window.bytes().len()
            }
        };
        self.window.consume(end);
    }

    /// Notes the decoder's anomalies in the token before the token is interpreted, by position.
    #[cold]
    fn note_decoded(&mut self, token: &Token) {
        if let Some(end) = token.end() {
            super::note_decoded(&mut self.window, &mut self.notes, end);
        }
    }

    #[cold]
    fn note_faults(&mut self) {
        for (kind, at) in std::mem::take(&mut self.tokenizer.faults) {
            let seen = snippet(&self.window, at);
            self.notes
                .add(kind, self.window.place(at), self.sink.field().map(Into::into), &seen);
        }
    }

    #[cold]
    fn note(&mut self, kind: AnomalyKind, at: usize, seen: &str) {
        self.notes.add(kind, self.window.place(at), None, seen);
    }

    /// Records that the document ends inside an element or a tag; this is noted at the end.
    #[cold]
    fn cut_off(&mut self, at: usize) {
        if self.cut.is_some() {
            return;
        }
        let open = self
            .stack
            .last()
            .map(|_| String::from_utf8_lossy(self.name_at(self.stack.len() - 1)).into_owned());
        let seen = open.map_or_else(|| snippet(&self.window, at), |name| format!("inside <{name}>"));
        self.cut = Some((self.window.place(at), seen));
    }

    fn finish(&mut self) {
        let end = self.window.pos();
        if !self.stack.is_empty() {
            self.cut_off(end);
        }
        if let Some((place, seen)) = &self.cut {
            let kept = self.sink.truncated(&mut Context {
                window: &self.window,
                notes: &mut self.notes,
            });
            self.notes.ordinal = kept;
            self.notes.add(AnomalyKind::Truncated, *place, None, seen);
            self.notes.ordinal = None;
        }
        if self.roots == 0 {
            self.note(AnomalyKind::NoRoot, end, "");
        }
    }
}

/// Returns whether two names are equal. Names are so short that a call would cost more than the comparison.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a == b)
}

/// Maximum bytes of the document that are quoted as evidence at a position.
const SNIPPET: usize = 80;

/// Returns the text at a position as evidence: up to the end of its line, limited in length.
fn snippet(window: &Window, at: usize) -> String {
    let text = &window.as_str()[at.min(window.bytes().len())..];
    let shown = &text[..boundary(text, SNIPPET)];
    shown.split('\n').next().unwrap_or(shown).to_owned()
}
