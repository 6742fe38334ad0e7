//! The only sink of the XML reader: the root element decides whether to read a sitemap or a feed.

use super::express::{Express, Scope};
use super::feed::{self, Family, Feed};
use super::kind::{self, Root};
use super::rows::{EntryKind, Rows};
use super::sitemap::{self, Sitemap};
use super::window::Window;
use super::xml::{Context, Namespaces, Resolved, Sink, Tag, Vocabulary};
use crate::anomaly::AnomalyKind;
use crate::limits::Bounds;

/// The role of an element, in the format that its root determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Root,
    Sitemap(sitemap::Part),
    Feed(feed::Part),
    Other,
    Foreign,
}

#[derive(Clone, Copy)]
pub struct Role {
    pub part: Part,
    pub depth: u32,
}

enum Mode {
    Undecided,
    Sitemap(Sitemap),
    Feed(Feed),
}

pub struct DocumentSink {
    pub rows: Rows,
    /// The kind of the document, from the first known root.
    pub kind: Option<&'static str>,
    pub version: Option<String>,
    /// The URL of the document, if it is known.
    pub url: Option<String>,
    mode: Mode,
    /// `None` if every entry must take the general path.
    express: Option<Express>,
    /// The meaning of the prefixes below the open root; `None` until it is looked up.
    scope: Option<Scope>,
    has_complained_of_root: bool,
}

impl DocumentSink {
    pub fn new(rows: Rows, may_express: bool, bounds: &Bounds) -> Self {
        Self {
            rows,
            kind: None,
            version: None,
            url: None,
            mode: Mode::Undecided,
            express: may_express.then(|| Express::new(bounds.token_length)),
            scope: None,
            has_complained_of_root: false,
        }
    }

    /// Returns the meaning of prefixes here, if the next element may be read as a whole.
    #[inline]
    pub fn scope_at_rest(&mut self, namespaces: &Namespaces) -> Option<Scope> {
        let Mode::Sitemap(sitemap) = &self.mode else {
            return None;
        };
        if !sitemap.is_at_rest() || self.rows.open().is_some() {
            return None;
        }
        let scope = match self.scope {
            Some(scope) => scope,
            None => *self.scope.insert(scope_of(namespaces)),
        };
        scope.is_sitemap.then_some(scope)
    }

    fn root(&mut self, context: &mut Context, tag: &Tag) -> Part {
        self.scope = None;
        let root = kind::root(tag.local, tag.vocabulary);
        self.finish_open(context);
        match root {
            Root::Urlset => self.sitemap_root(context, tag, "urlset", EntryKind::Url),
            Root::Sitemapindex => self.sitemap_root(context, tag, "sitemapindex", EntryKind::Child),
            Root::Entry => return self.bare_entry(context, tag),
            Root::Rss => self.feed_root(
                tag,
                "rss",
                Family::Rss,
                tag.attributes.get("version").map(str::to_owned),
            ),
            Root::Rdf => {
                let has_rss_090 = tag
                    .attributes
                    .iter()
                    .any(|(_, value)| value.contains("netscape.com/rdf/simple/0.9"));
                self.feed_root(
                    tag,
                    "rss",
                    Family::Rss,
                    Some(if has_rss_090 { "0.90" } else { "1.0" }.to_owned()),
                );
            }
            Root::Atom => {
                let version = if tag.uri == "http://purl.org/atom/ns#" {
                    "0.3"
                } else {
                    "1.0"
                };
                self.feed_root(tag, "atom", Family::Atom, Some(version.to_owned()));
            }
            Root::Html => {
                self.kind.get_or_insert("html");
            }
            Root::Unknown if !self.has_complained_of_root => {
                self.has_complained_of_root = true;
                let seen = if tag.uri.is_empty() {
                    format!("<{}>", tag.local)
                } else {
                    format!("<{}> in the namespace {}", tag.local, tag.uri)
                };
                context.note(AnomalyKind::UnknownRoot, tag.at, None, &seen);
            }
            Root::Unknown => {}
        }
        Part::Root
    }

    fn sitemap_root(&mut self, context: &mut Context, tag: &Tag, name: &'static str, expects: EntryKind) {
        self.kind.get_or_insert(name);
        if tag.local != name {
            context.note(AnomalyKind::TagCase, tag.at, None, &format!("<{}>", tag.local));
        }
        if !matches!(self.mode, Mode::Sitemap(_)) {
            self.mode = Mode::Sitemap(Sitemap::new());
        }
        if let Mode::Sitemap(sitemap) = &mut self.mode {
            sitemap.root(context, tag, expects);
        }
    }

    /// Handles an entry as the root: people concatenate documents and cut off their start.
    fn bare_entry(&mut self, context: &mut Context, tag: &Tag) -> Part {
        let expects = if tag.local.eq_ignore_ascii_case("url") {
            EntryKind::Url
        } else {
            EntryKind::Child
        };
        context.note(AnomalyKind::MissingRoot, tag.at, None, &format!("<{}>", tag.local));
        self.kind.get_or_insert(if expects == EntryKind::Url {
            "urlset"
        } else {
            "sitemapindex"
        });
        if !matches!(self.mode, Mode::Sitemap(_)) {
            let mut sitemap = Sitemap::new();
            sitemap.expects = expects;
            self.mode = Mode::Sitemap(sitemap);
        }
        match &mut self.mode {
            Mode::Sitemap(sitemap) => Part::Sitemap(sitemap.start(&mut self.rows, context, tag)),
            _ => Part::Other,
        }
    }

    fn feed_root(&mut self, tag: &Tag, name: &'static str, family: Family, version: Option<String>) {
        if self.kind.is_none() {
            self.kind = Some(name);
            self.version = version;
        }
        // RFC 4287, section 2; RSS says nothing of relative links.
        let url = self.url.clone().filter(|_| family == Family::Atom);
        let mut feed = Feed::new(family, url);
        feed.enter(tag);
        self.mode = Mode::Feed(feed);
    }

    /// Number of entries that started at an additional URL inside an entry element.
    pub fn splits(&self) -> i32 {
        match &self.mode {
            Mode::Sitemap(sitemap) => sitemap.splits,
            _ => 0,
        }
    }

    fn finish_open(&mut self, context: &mut Context) {
        match &mut self.mode {
            Mode::Sitemap(sitemap) => sitemap.finish_entry(&mut self.rows, context),
            Mode::Feed(feed) => feed.finish_item(&mut self.rows, context),
            Mode::Undecided => {}
        }
    }

    /// Handles a sitemapindex inside another element: most often an index pasted into an index.
    fn nested_root(&mut self, context: &mut Context, tag: &Tag) -> Option<Part> {
        let expects = match tag.local.len() {
            12 if tag.local.eq_ignore_ascii_case("sitemapindex") => EntryKind::Child,
            6 if tag.local.eq_ignore_ascii_case("urlset") => EntryKind::Url,
            _ => return None,
        };
        let Mode::Sitemap(sitemap) = &mut self.mode else {
            return None;
        };
        if tag.vocabulary == Vocabulary::Foreign && !sitemap.is_of_root(tag) {
            return None;
        }
        let kind = if expects == EntryKind::Child {
            AnomalyKind::NestedIndex
        } else {
            AnomalyKind::NestedUrlset
        };
        context.note(kind, tag.at, None, &format!("<{}>", tag.local));
        sitemap.inner_root(&mut self.rows, context, expects);
        Some(Part::Root)
    }
}

/// Returns whether an element inside an unknown root would be known as a root.
fn is_inner_root(tag: &Tag) -> bool {
    match kind::root(tag.local, tag.vocabulary) {
        Root::Urlset | Root::Sitemapindex => matches!(tag.vocabulary, Vocabulary::Sitemap | Vocabulary::None),
        Root::Entry => tag.vocabulary == Vocabulary::Sitemap,
        Root::Rss => tag.vocabulary == Vocabulary::None,
        Root::Rdf => tag.vocabulary == Vocabulary::Rdf,
        Root::Atom => tag.vocabulary == Vocabulary::Atom,
        Root::Html | Root::Unknown => false,
    }
}

/// Returns which prefixes the express path may rely on, if only the root's declarations are in scope.
fn scope_of(namespaces: &Namespaces) -> Scope {
    let means = |prefix: &str, vocabulary: Vocabulary| match namespaces.resolve(prefix) {
        Resolved::Namespace(id) => namespaces.get(id).exact && namespaces.get(id).vocabulary == vocabulary,
        _ => false,
    };
    Scope {
        is_sitemap: means("", Vocabulary::Sitemap),
        has_image: means("image", Vocabulary::Image),
        has_xhtml: means("xhtml", Vocabulary::Xhtml),
    }
}

impl Sink for DocumentSink {
    type Role = Role;

    #[inline]
    fn start(&mut self, context: &mut Context, tag: &Tag) -> Role {
        let part = if tag.depth == 0 || (matches!(self.mode, Mode::Undecided) && is_inner_root(tag)) {
            self.root(context, tag)
        } else if let Some(nested) = self.nested_root(context, tag) {
            nested
        } else {
            match &mut self.mode {
                Mode::Sitemap(sitemap) => Part::Sitemap(sitemap.start(&mut self.rows, context, tag)),
                Mode::Feed(feed) => Part::Feed(feed.start(&mut self.rows, context, tag)),
                Mode::Undecided if tag.vocabulary == Vocabulary::Foreign => Part::Foreign,
                Mode::Undecided => Part::Other,
            }
        };
        Role {
            part,
            depth: tag.depth as u32,
        }
    }

    #[inline]
    fn text(&mut self, context: &mut Context, text: &str, at: usize) {
        match &mut self.mode {
            Mode::Sitemap(sitemap) => sitemap.text(&mut self.rows, context, text, at),
            Mode::Feed(feed) => feed.text(context, text, at),
            Mode::Undecided => {}
        }
    }

    #[inline]
    fn end(&mut self, context: &mut Context, role: Role, closed: bool) {
        match (&mut self.mode, role.part) {
            (Mode::Sitemap(sitemap), part) => {
                match part {
                    Part::Root => sitemap.end(&mut self.rows, context, sitemap::Part::Root, closed),
                    Part::Sitemap(part) => sitemap.end(&mut self.rows, context, part, closed),
                    _ => {}
                }
                sitemap.leave(role.depth as usize);
            }
            (Mode::Feed(feed), part) => {
                match part {
                    Part::Root => feed.finish_item(&mut self.rows, context),
                    Part::Feed(part) => feed.end(&mut self.rows, context, part, closed),
                    _ => {}
                }
                feed.leave(role.depth as usize);
            }
            (Mode::Undecided, _) => {}
        }
    }

    fn truncated(&mut self, context: &mut Context) -> Option<i32> {
        let kept = self.rows.has_url().then(|| self.rows.ordinal());
        match &mut self.mode {
            Mode::Sitemap(sitemap) => sitemap.cut_off(&mut self.rows, context),
            Mode::Feed(feed) => feed.cut_off(&mut self.rows, context),
            Mode::Undecided => self.rows.discard_entry(context.notes),
        }
        kept
    }

    #[inline]
    fn is_in_field(&self) -> bool {
        match &self.mode {
            Mode::Sitemap(sitemap) => sitemap.is_in_field(),
            Mode::Feed(feed) => feed.is_in_field(),
            Mode::Undecided => false,
        }
    }

    fn is_literal(&self, role: Role) -> bool {
        match (&self.mode, role.part) {
            (Mode::Sitemap(sitemap), Part::Sitemap(part)) => sitemap.is_literal(part),
            _ => false,
        }
    }

    fn field(&self) -> Option<&'static str> {
        match &self.mode {
            Mode::Sitemap(sitemap) => sitemap.field(),
            Mode::Feed(feed) => feed.field(),
            Mode::Undecided => None,
        }
    }

    fn is_passed_over(role: Role) -> bool {
        matches!(
            role.part,
            Part::Foreign | Part::Sitemap(sitemap::Part::Foreign) | Part::Feed(feed::Part::Foreign)
        )
    }

    #[inline]
    fn express(&mut self, window: &mut Window, namespaces: &Namespaces) -> bool {
        if self.express.is_none() {
            return false;
        }
        let Some(scope) = self.scope_at_rest(namespaces) else {
            return false;
        };
        match &mut self.express {
            Some(express) => express.entries(window, &mut self.rows, scope),
            None => false,
        }
    }

    fn is_root(local: &str) -> bool {
        !matches!(kind::root(local, Vocabulary::None), Root::Html | Root::Unknown) || local.eq_ignore_ascii_case("rdf")
    }

    fn has_root(&self) -> bool {
        self.kind.is_some()
    }

    fn is_done(&self) -> bool {
        self.kind == Some("html")
    }
}
