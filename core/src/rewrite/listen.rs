//! Records what the reader makes of each token. The reader decides the role of each element, where an entry starts and
//! ends, and what is ignored: this sink passes everything on to the reader's own sink, and records the result.

use super::usual::{Checked, Checker};
use crate::anomaly::Anomaly;
use crate::limits::Bounds;
use crate::read::express::Express;
use crate::read::sink::{DocumentSink, Part, Role};
use crate::read::window::Window;
use crate::read::xml::{Attributes, Context, Namespaces, Sink, Standing, Tag, Vocabulary, Written};

/// A start tag, as the reader interpreted it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub part: Part,
    /// Start of its name in the window, and of the local part in its name.
    name: (usize, usize),
    local: usize,
    namespace: Option<u32>,
    pub vocabulary: Vocabulary,
    pub exact: bool,
    /// Whether its name violates the rules of namespaces, or its prefix is undeclared.
    pub is_unfit: bool,
    pub line: i32,
    pub depth: usize,
    pub entry: EntryChange,
    /// The loc that ends here started an entry of its own.
    pub splits: bool,
}

/// The same with its texts.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    pub seen: Seen,
    /// The name as written.
    pub name: &'a str,
    pub prefix: &'a str,
    pub local: &'a str,
    /// The namespace; empty if it is missing or undeclared.
    pub uri: &'a str,
    attributes: Attributes<'a>,
}

/// An attribute, with the problem that the reader found in it.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    pub name: &'a str,
    pub value: &'a str,
    pub standing: Standing,
}

impl<'a> Start<'a> {
    pub fn new(seen: &Seen, written: Written<'a>) -> Self {
        let name = written.window.text(seen.name.0..seen.name.1);
        Self {
            seen: *seen,
            name,
            prefix: &name[..seen.local.saturating_sub(1)],
            local: &name[seen.local..],
            uri: seen.namespace.map_or("", |id| &written.namespaces.get(id).uri),
            attributes: written.attributes,
        }
    }

    /// Whether its prefix is bound; names without a prefix are if there is a default namespace.
    pub fn is_bound(&self) -> bool {
        self.seen.namespace.is_some()
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        self.attributes
            .with_standing()
            .map(|(name, value, standing)| Attribute {
                name,
                value,
                standing: if has_lost_bytes(name) {
                    Standing::Unfit
                } else {
                    standing
                },
            })
    }
}

/// How a token changed the reader's current entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryChange {
    /// The open entry became a row.
    pub finished: bool,
    /// The open entry was dropped, because it was empty.
    pub discarded: bool,
    /// An entry starts here.
    pub began: bool,
}

/// The end of an element, as the reader interpreted it.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub part: Part,
    pub depth: usize,
    /// Whether by its own end tag.
    pub closed: bool,
    /// Whether the open entry became a row.
    pub finished: bool,
    /// The loc that ends here started an entry of its own.
    pub splits: bool,
}

/// An event of the reader for a token; one token can end several elements.
#[derive(Debug)]
pub enum Event {
    Start(Seen),
    /// Text, which is in `Listener::text`.
    Text {
        /// It was used as the loc of its entry.
        is_loc: bool,
        line: i32,
    },
    End(End),
    /// A whole entry without any problems.
    Usual(Checked),
    /// The document ends inside its root.
    CutOff {
        /// The entry that it ends in is kept, without its incomplete fields.
        keeps: bool,
    },
}

impl Event {
    /// Whether the loc that ends here started an entry of its own.
    pub fn splits(&self) -> bool {
        matches!(
            self,
            Event::Start(Seen { splits: true, .. }) | Event::End(End { splits: true, .. })
        )
    }
}

pub struct Listener {
    pub reader: DocumentSink,
    pub events: Vec<Event>,
    /// The last text; a token has at most one.
    pub text: String,
    pub usual: Checker,
    /// `None` if every entry must take the general path.
    express: Option<Express>,
}

impl Listener {
    pub fn new(reader: DocumentSink, usual: Checker, may_express: bool, bounds: &Bounds) -> Self {
        Self {
            reader,
            events: Vec::new(),
            text: String::new(),
            usual,
            express: may_express.then(|| Express::new(bounds.token_length)),
        }
    }

    /// Makes every further entry take the general path.
    pub fn stop_express(&mut self) {
        self.express = None;
    }

    /// Returns whether an entry is open, and how many were finished, except those that ended where another one started
    /// inside them.
    fn state(&self) -> (bool, i32) {
        let (rows, splits) = (&self.reader.rows, self.reader.splits());
        (rows.open().is_some(), rows.ordinal() - splits)
    }

    fn change(&self, (was_open, ordinal): (bool, i32), is_entry: bool) -> EntryChange {
        let (is_open, now) = self.state();
        let finished = was_open && now != ordinal;
        EntryChange {
            finished,
            discarded: was_open && !finished && is_entry,
            began: is_open && (!was_open || finished || is_entry),
        }
    }
}

/// Returns whether bytes of a name could not be decoded. The fifth edition of XML allows U+FFFD in names, earlier
/// editions, which some parsers follow, do not.
pub fn has_lost_bytes(name: &str) -> bool {
    name.contains('\u{fffd}')
}

/// Returns whether the reader's part is an entry.
pub fn is_entry(part: Part) -> bool {
    matches!(part, Part::Sitemap(crate::read::sitemap::Part::Entry(_)))
}

impl Sink for Listener {
    type Role = Role;

    fn start(&mut self, context: &mut Context, tag: &Tag) -> Role {
        let (before, splits) = (self.state(), self.reader.splits());
        let role = self.reader.start(context, tag);
        let name = tag.at + 1;
        self.events.push(Event::Start(Seen {
            part: role.part,
            name: (name, name + tag.name.len()),
            local: tag.name.len() - tag.local.len(),
            namespace: tag.namespace,
            vocabulary: tag.vocabulary,
            exact: tag.exact,
            is_unfit: tag.is_unfit,
            line: context.window.place(tag.at).line,
            depth: tag.depth,
            entry: self.change(before, is_entry(role.part)),
            splits: self.reader.splits() > splits,
        }));
        role
    }

    fn text(&mut self, context: &mut Context, text: &str, at: usize) {
        let in_field = self.reader.is_in_field();
        let had_loc = self.reader.rows.entry.loc.is_present;
        let line = context.window.place(at).line;
        self.reader.text(context, text, at);
        let is_loc = !in_field && !had_loc && self.reader.rows.entry.loc.is_present;
        self.text.clear();
        self.text.push_str(text);
        self.events.push(Event::Text { is_loc, line });
    }

    fn end(&mut self, context: &mut Context, role: Role, closed: bool) {
        let (before, splits) = (self.state(), self.reader.splits());
        self.reader.end(context, role, closed);
        let (is_open, ordinal) = self.state();
        self.events.push(Event::End(End {
            part: role.part,
            depth: role.depth as usize,
            closed,
            finished: before.0 && (!is_open || ordinal != before.1),
            splits: self.reader.splits() > splits,
        }));
    }

    fn truncated(&mut self, context: &mut Context) -> Option<i32> {
        let kept = self.reader.truncated(context);
        self.events.push(Event::CutOff { keeps: kept.is_some() });
        kept
    }

    fn is_in_field(&self) -> bool {
        self.reader.is_in_field()
    }

    fn is_literal(&self, role: Role) -> bool {
        self.reader.is_literal(role)
    }

    fn field(&self) -> Option<&'static str> {
        self.reader.field()
    }

    fn is_passed_over(role: Role) -> bool {
        DocumentSink::is_passed_over(role)
    }

    #[inline]
    fn express(&mut self, window: &mut Window, namespaces: &Namespaces) -> bool {
        let Some(express) = &mut self.express else {
            return false;
        };
        let Some(scope) = self.reader.scope_at_rest(namespaces) else {
            return false;
        };
        let (usual, mut seen) = (&mut self.usual, None);
        let passed = express.check(window, scope, |entry| {
            seen = usual.check(entry);
            seen.is_some()
        });
        if let (true, Some(checked)) = (passed, seen) {
            self.events.push(Event::Usual(checked));
        }
        passed
    }

    fn is_root(local: &str) -> bool {
        DocumentSink::is_root(local)
    }

    fn has_root(&self) -> bool {
        self.reader.has_root()
    }

    fn is_done(&self) -> bool {
        self.reader.is_done()
    }
}

/// The anomalies of one token.
pub struct Noted(pub Vec<Anomaly>);

impl Noted {
    pub fn has(&self, kind: crate::anomaly::AnomalyKind) -> bool {
        self.0.iter().any(|anomaly| anomaly.kind == kind)
    }
}
