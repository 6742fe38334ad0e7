//! Tokens to elements: well-formedness, namespaces, and the repair of what people break.
//!
//! The stack of open elements follows XML strictly, so that "well-formed or not" agrees with a strict parser. What an
//! element means is the sink's business: it may end an entry that lacks its end tag long before the stack notices.

mod attributes;
pub(crate) mod chars;
mod declaration;
mod entity_names;
mod markup;
pub(crate) mod namespace;
mod reference;
mod skip;
mod token;

use std::io;
use std::ops::Range;

use self::attributes::ReadAttribute;
pub use self::attributes::{Attributes, Standing};
use self::chars::{Contents, skip_space};
pub use self::chars::{is_all_space, is_space};
pub use self::markup::Prolog;
use self::namespace::customary_prefix;
pub use self::namespace::{Namespaces, Resolved, Vocabulary};
use self::reference::{Entities, Setting, Unescape};
use self::skip::Skip;
use self::token::{Token, Tokenizer};
use super::notes::Notes;
use super::schema::Schema;
use super::template;
use super::window::{Place, Window, boundary};
use crate::anomaly::AnomalyKind;
use crate::limits::Bounds;

/// What a sink may use while it looks at one piece of the document.
pub struct Context<'a> {
    pub window: &'a Window,
    pub notes: &'a mut Notes,
}

impl Context<'_> {
    /// Notes an anomaly at an offset of the window.
    #[cold]
    pub fn note(&mut self, kind: AnomalyKind, at: usize, field: Option<&'static str>, seen: &str) {
        self.notes.add(kind, self.window.place(at), field.map(Into::into), seen);
    }
}

/// A start tag, read.
pub struct Tag<'a> {
    /// Offset of its < in the window.
    pub at: usize,
    /// The whole tag.
    pub written: &'a str,
    /// The whole name as written.
    pub name: &'a str,
    pub prefix: &'a str,
    pub local: &'a str,
    pub vocabulary: Vocabulary,
    /// The namespace, where there is one that was declared.
    pub namespace: Option<u32>,
    /// Its URI, likewise.
    pub uri: &'a str,
    /// Whether the URI is exactly the one of the vocabulary's specification.
    pub exact: bool,
    /// Whether its name breaks the rules of namespaces, or its prefix is not declared.
    pub is_unfit: bool,
    /// Elements around it.
    pub depth: usize,
    pub attributes: Attributes<'a>,
}

/// What makes rows of elements.
pub trait Sink {
    /// What an element turned out to be; given back when it ends.
    type Role: Copy;

    fn start(&mut self, context: &mut Context, tag: &Tag) -> Self::Role;

    /// Text inside an element, unescaped; `at` is the offset of its first byte as written.
    fn text(&mut self, context: &mut Context, text: &str, at: usize);

    /// `closed`: whether by an end tag of its own, and not by that of an element around it.
    fn end(&mut self, context: &mut Context, role: Self::Role, closed: bool);

    /// The document ended before its root did: what is half-read is to be left out. The number of the entry that it ends
    /// in, if that is kept.
    fn truncated(&mut self, context: &mut Context) -> Option<i32>;

    /// Whether text now belongs to a field; other text matters only if it is not white space.
    fn is_in_field(&self) -> bool;

    /// The field that is being read, for the anomalies in it.
    fn field(&self) -> Option<&'static str>;

    /// Whether an open element is text to the sink, which notes itself what is wrong with it.
    fn is_literal(&self, role: Self::Role) -> bool;

    /// Whether an element of this role is passed over as one of an unknown namespace.
    fn is_passed_over(role: Self::Role) -> bool;

    /// Reads a whole child of the root at the window's position, if the sink knows a faster way and all is as usual.
    fn express(&mut self, window: &mut Window, namespaces: &Namespaces) -> bool;

    /// Whether the rest of the document is of no interest.
    fn is_done(&self) -> bool;
}

struct Open<R> {
    /// Where its name begins in `Xml::names`; it goes to the next one's beginning.
    name: usize,
    /// Bindings of namespaces in scope around it.
    mark: u32,
    role: R,
}

pub struct Xml<S: Sink> {
    pub window: Window,
    pub notes: Notes,
    pub sink: S,
    /// What holds the document against the official schemas, where that is asked for.
    schema: Option<Schema>,
    pub namespaces: Namespaces,
    pub prolog: Prolog,
    tokenizer: Tokenizer,
    entities: Entities,
    stack: Vec<Open<S::Role>>,
    names: Vec<u8>,
    /// How deep the stack may be.
    max_depth: usize,
    /// Elements open beyond the deepest that the stack follows.
    too_deep: usize,
    /// Those of them that have the root's name.
    too_deep_roots: usize,
    roots: usize,
    /// Where the document is cut off, if it is, and what stands there.
    pub cut: Option<(Place, String)>,
    skipping: Option<Skip>,
    read: Vec<ReadAttribute>,
    unescaped: String,
    scratch: String,
}

impl<S: Sink> Xml<S> {
    pub fn new(window: Window, notes: Notes, sink: S, schema: Option<Schema>, bounds: &Bounds) -> Self {
        Self {
            window,
            notes,
            sink,
            schema,
            namespaces: Namespaces::new(),
            prolog: Prolog::default(),
            tokenizer: Tokenizer::new(bounds.token),
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

    /// Reads one token. False at the end of the document.
    pub fn step(&mut self) -> io::Result<bool> {
        match self.skipping {
            None => {}
            Some(Skip::Until(until)) => return self.skip(until),
            Some(Skip::Tag { quote, slash }) => return self.skip_tag(quote, slash),
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
                    // What is wrong with a token is quoted, and perhaps a bit of what follows it: that is to be there, too.
                    let is_right =
                        matches!(token, Token::Text { .. } | Token::Blank { .. }) && self.tokenizer.faults.is_empty();
                    if !(is_right || self.shows(token.end().unwrap_or(at) + SNIPPET)) {
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

    /// Reads the end tag of the innermost element, if that is what stands here and nothing is odd about it.
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

    /// Notes what the decoder noticed in the token, before what it means is known: as of where it stands.
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

    /// Whether white space matters here.
    fn wants_space(&self) -> bool {
        self.sink.is_in_field() || self.schema.as_ref().is_some_and(Schema::is_in_value)
    }

    fn text(&mut self, range: Range<usize>) {
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
            schema,
            entities,
            scratch,
            ..
        } = self;
        let raw = window.text(range.clone());
        if contents.is_plain() {
            if let Some(schema) = schema {
                schema.text(&mut Context { window, notes }, raw, range.start, false);
            }
            sink.text(&mut Context { window, notes }, raw, range.start);
            return;
        }
        scratch.clear();
        let field = sink.field();
        let references = entity_references(notes);
        Unescape {
            window,
            notes,
            entities,
            setting: Setting::Text,
            field,
        }
        .append(raw, range.start, contents, scratch);
        if let Some(schema) = schema {
            let refers = entity_references(notes) > references;
            schema.text(&mut Context { window, notes }, scratch, range.start, refers);
        }
        sink.text(&mut Context { window, notes }, scratch, range.start);
    }

    #[cold]
    fn text_outside_root(&mut self, range: Range<usize>) {
        let begin = skip_space(self.window.bytes(), range.start).min(range.end);
        let seen = self.window.text(begin..range.end).to_owned();
        self.note(AnomalyKind::TextOutsideRoot, begin, &seen);
        let is_first = self.roots == 0 && self.notes.count(AnomalyKind::TextOutsideRoot) == 1;
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

    /// Notes the program that begins at this offset, if one does.
    #[cold]
    fn note_program(&mut self, at: usize) {
        if template::is_program(&self.window.bytes()[at..]) {
            let seen = snippet(&self.window, at);
            let field = self.sink.field().map(Into::into);
            self.notes
                .add(AnomalyKind::UnrenderedTemplate, self.window.place(at), field, &seen);
        }
    }

    fn cdata(&mut self, at: usize, content: Range<usize>) {
        if self.stack.is_empty() {
            let seen = self.window.text(content).to_owned();
            return self.note(AnomalyKind::TextOutsideRoot, at, &seen);
        }
        let Self {
            window,
            notes,
            sink,
            schema,
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
        if let Some(schema) = schema {
            schema.text(&mut Context { window, notes }, scratch, content.start, false);
        }
        if sink.is_in_field() || !is_all_space(scratch.as_bytes()) {
            sink.text(&mut Context { window, notes }, scratch, content.start);
        }
    }

    fn start(&mut self, written: Range<usize>, name: Range<usize>, empty: bool) {
        let at = written.start;
        let mark = self.namespaces.mark();
        if self.tokenizer.attributes.is_empty() {
            self.read.clear();
        } else {
            self.read_attributes();
        }
        if self.stack.is_empty() {
            self.root(at, &name);
        }
        let text = self.window.as_str();
        let full = &text[name.clone()];
        let (prefix, local) = match full.bytes().position(|byte| byte == b':') {
            None => ("", full),
            Some(colon) => (&full[..colon], &full[colon + 1..]),
        };
        let resolved = self.namespaces.resolve(prefix);
        let (namespace, uri, vocabulary, exact) = match resolved {
            Resolved::Namespace(id) => {
                let known = self.namespaces.get(id);
                (Some(id), known.uri.as_str(), known.vocabulary, known.exact)
            }
            Resolved::None => (None, "", Vocabulary::None, true),
            Resolved::Undeclared => (None, "", customary_prefix(prefix).unwrap_or(Vocabulary::Foreign), true),
        };
        let breaks_rules = full.len() != local.len() && (prefix.is_empty() || !is_local_name(local));
        let is_undeclared = resolved == Resolved::Undeclared;
        if breaks_rules {
            self.notes
                .add(AnomalyKind::NamespaceMalformed, self.window.place(at), None, full);
        } else if is_undeclared {
            self.notes.add(
                AnomalyKind::UndeclaredPrefix,
                self.window.place(at),
                None,
                &format!("<{full}>"),
            );
        }
        if self.stack.is_empty() && self.prolog.root.is_none() {
            self.prolog.root = Some(full.to_owned());
            self.prolog.namespace = (!uri.is_empty()).then(|| uri.to_owned());
        }
        let tag = Tag {
            at,
            written: &text[written],
            name: full,
            prefix,
            local,
            vocabulary,
            namespace,
            uri,
            exact,
            is_unfit: breaks_rules || is_undeclared,
            depth: self.stack.len() + self.too_deep,
            attributes: Attributes {
                text,
                unescaped: &self.unescaped,
                list: &self.read,
            },
        };
        let mut context = Context {
            window: &self.window,
            notes: &mut self.notes,
        };
        let role = self.sink.start(&mut context, &tag);
        if let Some(schema) = &mut self.schema {
            schema.start(&mut context, &tag, &self.namespaces);
        }
        if let Some(id) = namespace
            && S::is_passed_over(role)
        {
            self.namespaces.pass_over(id);
        }
        if empty {
            if let Some(schema) = &mut self.schema {
                schema.end(&mut context);
            }
            self.sink.end(&mut context, role, true);
            self.namespaces.leave(mark);
        } else if self.stack.len() < self.max_depth {
            self.stack.push(Open {
                name: self.names.len(),
                mark,
                role,
            });
            self.names.extend_from_slice(&self.window.bytes()[name]);
        } else {
            self.go_too_deep(at, &name);
        }
    }

    #[cold]
    fn go_too_deep(&mut self, at: usize, name: &Range<usize>) {
        if self.too_deep == 0 {
            let seen = snippet(&self.window, at);
            self.note(AnomalyKind::TooDeep, at, &seen);
        }
        if let Some(schema) = &mut self.schema {
            schema.leave_unfollowed();
        }
        self.too_deep += 1;
        self.too_deep_roots += usize::from(&self.window.bytes()[name.clone()] == self.name_at(0));
    }

    /// The end of an element that the stack does not follow. The root's end is known by its name all the same.
    #[cold]
    fn end_too_deep(&mut self, at: usize, name: Range<usize>) {
        let is_root = &self.window.bytes()[name] == self.name_at(0);
        if is_root && self.too_deep_roots == 0 {
            self.too_deep = 0;
            return self.mismatched_end(at);
        }
        self.too_deep_roots -= usize::from(is_root);
        self.too_deep -= 1;
    }

    #[cold]
    fn root(&mut self, at: usize, name: &Range<usize>) {
        self.roots += 1;
        if self.roots > 1 {
            let seen = format!("<{}>", self.window.text(name.clone()));
            self.note(AnomalyKind::SecondRoot, at, &seen);
        }
    }

    fn end(&mut self, at: usize, name: Range<usize>) {
        if self.too_deep > 0 {
            return self.end_too_deep(at, name);
        }
        let name = &self.window.bytes()[name];
        match self.stack.last() {
            Some(open) if is_same(&self.names[open.name..], name) => self.pop(true),
            _ => self.mismatched_end(at),
        }
    }

    #[inline]
    fn pop(&mut self, closed: bool) {
        if let Some(open) = self.stack.pop() {
            self.names.truncate(open.name);
            self.namespaces.leave(open.mark);
            let mut context = Context {
                window: &self.window,
                notes: &mut self.notes,
            };
            if let Some(schema) = &mut self.schema {
                schema.end(&mut context);
            }
            self.sink.end(&mut context, open.role, closed);
        }
    }

    /// The name of the open element at this height of the stack.
    fn name_at(&self, height: usize) -> &[u8] {
        let end = self.stack.get(height + 1).map_or(self.names.len(), |next| next.name);
        &self.names[self.stack[height].name..end]
    }

    /// An end tag that is not the innermost element's: closes the nearest element of that name and all inside it.
    #[cold]
    fn mismatched_end(&mut self, at: usize) {
        let written = snippet(&self.window, at);
        let begin = skip_space(self.window.bytes(), at + 2);
        let end = chars::name_end(self.window.bytes(), begin);
        let name = self.window.bytes()[begin..end].to_vec();
        // Near the top or near the root: a hostile document must not make every end tag search a deep stack.
        let height = self.stack.len();
        let candidates = || (0..height).rev().take(64).chain((0..height.saturating_sub(64)).take(8));
        let exact = candidates().find(|&one| self.name_at(one) == name);
        let found = exact.or_else(|| candidates().find(|&one| self.name_at(one).eq_ignore_ascii_case(&name)));
        let Some(found) = found else {
            return self.note(AnomalyKind::StrayEndTag, at, &written);
        };
        while self.stack.len() > found {
            let open = String::from_utf8_lossy(self.name_at(self.stack.len() - 1)).into_owned();
            let is_innermost = self.stack.last().is_some_and(|open| self.sink.is_literal(open.role));
            if !is_innermost && (self.stack.len() - 1 > found || exact.is_none()) {
                let place = self.window.place(at);
                let local = open.rsplit(':').next().unwrap_or(&open).to_ascii_lowercase();
                let seen = format!("<{open}> closed by {written}");
                self.notes
                    .add(AnomalyKind::UnclosedElement, place, Some(local.into()), &seen);
            }
            self.pop(self.stack.len() - 1 == found);
        }
    }

    /// Remembers that the document ends inside an element or a tag, to be noted at the end.
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

/// How many references to entities were not replaced, since nothing is ever expanded.
fn entity_references(notes: &Notes) -> i64 {
    use AnomalyKind::{DeclaredEntity, HtmlEntity, UndefinedEntity};
    [DeclaredEntity, HtmlEntity, UndefinedEntity]
        .map(|kind| notes.count(kind))
        .iter()
        .sum()
}

/// Whether two names are equal; names are so short that a call to compare them would cost more than the comparison.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a == b)
}

/// A name without colon, as namespaces in XML want it for prefixes and local names.
pub fn is_local_name(name: &str) -> bool {
    !name.is_empty() && chars::name_end(name.as_bytes(), 0) == name.len() && !name.contains(':')
}

/// Bytes of the document that are quoted as evidence of what is wrong at a place, at most.
const SNIPPET: usize = 80;

/// What stands at a place, for the evidence: up to the end of its line, bounded.
fn snippet(window: &Window, at: usize) -> String {
    let text = &window.as_str()[at.min(window.bytes().len())..];
    let shown = &text[..boundary(text, SNIPPET)];
    shown.split('\n').next().unwrap_or(shown).to_owned()
}
