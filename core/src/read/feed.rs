//! RSS (0.9 to 2.0, RDF) and Atom (0.3, 1.0): turns items into entries.
//!
//! <https://www.rssboard.org/rss-specification>, <https://web.resource.org/rss/1.0/spec>,
//! <https://www.rfc-editor.org/rfc/rfc4287>

use super::columns::Slot;
use super::rows::{DateGrammar, EntryKind, Rows};
use super::sitemap::{is_web_address, note_template};
use super::template;
use super::window::Place;
use super::xml::{Context, Tag, Vocabulary, is_space};
use crate::anomaly::AnomalyKind;
use crate::robots::resolve;
use crate::value::url::{parse, xml_unescaped};
use crate::value::{UrlProblem, trim};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Rss,
    Atom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Item,
    Link,
    /// RSS: guid, which is the URL if it is declared permanent.
    Guid,
    /// The element's name is stored with each value of this kind.
    Date(DateRank, DateGrammar, &'static str),
    /// Atom: source, which describes another feed.
    Source,
    Other,
    Foreign,
}

/// Dates of an item, ranked by how well they represent its last modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DateRank {
    Created,
    Published,
    Modified,
}

pub struct Feed {
    family: Family,
    target: Option<Part>,
    text: String,
    place: Option<Place>,
    /// The URL to use if the item has no link.
    fallback: Slot,
    guid_is_link: bool,
    rank: Option<DateRank>,
    /// Depth of the open Atom source.
    source: Option<usize>,
    /// Depth of the open element whose text is free-form: a title, the content.
    prose: Option<usize>,
    /// The base of relative links, if there is one: the URL of the document, and the `xml:base` of each open element
    /// that has one, with its depth.
    bases: Vec<(usize, String)>,
}

impl Feed {
    pub fn new(family: Family, url: Option<String>) -> Self {
        Self {
            family,
            target: None,
            text: String::new(),
            place: None,
            fallback: Slot::default(),
            guid_is_link: false,
            rank: None,
            source: None,
            prose: None,
            bases: url.map(|url| (0, url)).into_iter().collect(),
        }
    }

    /// Takes the `xml:base` of a start tag. <https://www.w3.org/TR/xmlbase/>
    pub fn enter(&mut self, tag: &Tag) {
        if let Some(written) = tag.attributes.get("xml:base") {
            let base = self.resolved(trim(written));
            self.bases.push((tag.depth, base));
        }
    }

    /// Returns an absolute URL for a relative one, if there is a base for it.
    fn resolved(&self, url: &str) -> String {
        match self.bases.last() {
            Some((_, base)) if is_relative(url) && !is_relative(base) => resolve::against(base, url),
            _ => url.to_owned(),
        }
    }

    pub fn is_in_field(&self) -> bool {
        self.target.is_some()
    }

    pub fn field(&self) -> Option<&'static str> {
        self.target.map(|part| match part {
            Part::Guid => "guid",
            Part::Date(..) => "date",
            _ => "link",
        })
    }

    pub fn start(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) -> Part {
        self.enter(tag);
        let part = self.part(tag);
        if matches!(part, Part::Other | Part::Foreign) && !matches!(tag.local, "channel" | "items") {
            self.prose.get_or_insert(tag.depth);
        }
        if self.source.is_some_and(|depth| tag.depth > depth) {
            return Part::Other;
        }
        if self.target.is_some() && part != Part::Other && part != Part::Foreign {
            self.finish_field(rows, context);
        }
        let is_of_rss = matches!(part, Part::Item | Part::Link | Part::Date(_, DateGrammar::Rfc822, _));
        if self.family == Family::Rss && is_of_rss && !matches!(tag.local, "item" | "link" | "pubDate") {
            context.note(AnomalyKind::TagCase, tag.at, None, &format!("<{}>", tag.local));
        }
        match part {
            Part::Item => {
                self.finish_item(rows, context);
                rows.begin_entry(EntryKind::Url, context.notes);
                rows.entry.place = Some(context.window.place(tag.at));
                rows.date_grammar = DateGrammar::W3c;
                self.fallback.clear();
                self.rank = None;
                // RSS 1.0: `<item rdf:about="…">` gives the URL of the item.
                if let Some((_, about)) = tag.attributes.iter().find(|(name, _)| name.ends_with(":about")) {
                    self.fall_back(about, context.window.place(tag.at));
                }
            }
            Part::Link if self.family == Family::Atom => self.atom_link(rows, context, tag),
            Part::Link | Part::Guid | Part::Date(..) if rows.open().is_some() => {
                self.guid_is_link = tag
                    .attributes
                    .get("isPermaLink")
                    .is_none_or(|value| value.trim() != "false");
                self.target = Some(part);
                self.text.clear();
                self.place = None;
            }
            Part::Source => self.source = Some(tag.depth),
            _ => {}
        }
        part
    }

    fn part(&self, tag: &Tag) -> Part {
        let local = tag.local;
        match (self.family, tag.vocabulary) {
            (Family::Rss, Vocabulary::Rss | Vocabulary::None) => match local {
                "item" => Part::Item,
                "link" => Part::Link,
                "guid" => Part::Guid,
                "pubDate" => Part::Date(DateRank::Modified, DateGrammar::Rfc822, "pubDate"),
                _ if local.eq_ignore_ascii_case("item") => Part::Item,
                _ if local.eq_ignore_ascii_case("link") => Part::Link,
                _ if local.eq_ignore_ascii_case("pubdate") => {
                    Part::Date(DateRank::Modified, DateGrammar::Rfc822, "pubDate")
                }
                _ => Part::Other,
            },
            (Family::Atom, Vocabulary::Atom | Vocabulary::None) => match local {
                "entry" => Part::Item,
                "link" => Part::Link,
                "updated" => Part::Date(DateRank::Modified, DateGrammar::W3c, "updated"),
                "modified" => Part::Date(DateRank::Modified, DateGrammar::W3c, "modified"),
                "published" => Part::Date(DateRank::Published, DateGrammar::W3c, "published"),
                "issued" => Part::Date(DateRank::Published, DateGrammar::W3c, "issued"),
                "created" => Part::Date(DateRank::Created, DateGrammar::W3c, "created"),
                "source" => Part::Source,
                _ => Part::Other,
            },
            (_, Vocabulary::DublinCore) => match local {
                "date" => Part::Date(DateRank::Published, DateGrammar::W3c, "dc:date"),
                "modified" => Part::Date(DateRank::Published, DateGrammar::W3c, "dcterms:modified"),
                _ => Part::Other,
            },
            (_, Vocabulary::Foreign) => Part::Foreign,
            _ => Part::Other,
        }
    }

    /// Handles an Atom link: the alternate link is the URL; a self link is the fallback. RFC 4287, section 4.2.7.
    fn atom_link(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) {
        if rows.open().is_none() {
            return;
        }
        let Some(href) = tag.attributes.get("href") else { return };
        let place = context.window.place(tag.at);
        note_escaped(context, place, href);
        if template::in_value(href).is_some() {
            context.note(AnomalyKind::UnrenderedTemplate, tag.at, Some("link"), href);
        }
        match tag.attributes.get("rel").unwrap_or("alternate") {
            "alternate" if rows.entry.loc.text.is_empty() => {
                set(&mut rows.entry.loc, &self.resolved(trim(href)), place)
            }
            "alternate" => rows.entry.repeats.push(format!("link={}", self.resolved(trim(href)))),
            "self" => self.fall_back(href, place),
            _ => {}
        }
    }

    fn fall_back(&mut self, address: &str, place: Place) {
        if !self.fallback.is_present {
            let url = self.resolved(trim(address));
            set(&mut self.fallback, &url, place);
        }
    }

    pub fn text(&mut self, context: &mut Context, text: &str, at: usize) {
        if self.target.is_none() {
            if self.prose.is_none() {
                let bytes = context.window.bytes();
                let begin = (at..bytes.len()).find(|&here| !is_space(bytes[here])).unwrap_or(at);
                note_template(context, begin, trim(text));
            }
            return;
        }
        if self.place.is_none() && !text.bytes().all(is_space) {
            let bytes = context.window.bytes();
            let begin = (at..bytes.len()).find(|&here| !is_space(bytes[here])).unwrap_or(at);
            self.place = Some(context.window.place(begin));
        }
        self.text.push_str(text);
    }

    pub fn end(&mut self, rows: &mut Rows, context: &mut Context, part: Part, closed: bool) {
        match part {
            Part::Item if closed && rows.open().is_none() => {
                let seen = "end tag of an item that was already closed";
                context.note(AnomalyKind::NestedEntry, context.window.pos(), None, seen);
            }
            Part::Item => self.finish_item(rows, context),
            Part::Link | Part::Guid | Part::Date(..) if self.target == Some(part) => self.finish_field(rows, context),
            Part::Link if self.family == Family::Atom => {}
            Part::Link | Part::Guid | Part::Date(..) if closed && rows.open().is_some() => {
                let seen = "end tag of a field that another field closed";
                context.note(AnomalyKind::NestedElement, context.window.pos(), None, seen);
            }
            _ => {}
        }
    }

    pub fn leave(&mut self, depth: usize) {
        if self.prose.is_some_and(|prose| depth <= prose) {
            self.prose = None;
        }
        if self.source.is_some_and(|source| depth <= source) {
            self.source = None;
        }
        // The first one is that of the document or of its root, which both last to the end.
        while self.bases.last().is_some_and(|(base, _)| *base >= depth && *base > 0) {
            self.bases.pop();
        }
    }

    fn finish_field(&mut self, rows: &mut Rows, context: &mut Context) {
        let Some(part) = self.target.take() else { return };
        let value = trim(&self.text);
        let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
        if template::in_value(value).is_some() {
            let field = match part {
                Part::Date(..) => "date",
                Part::Guid => "guid",
                _ => "link",
            };
            context
                .notes
                .add(AnomalyKind::UnrenderedTemplate, place, Some(field.into()), value);
        }
        if part == Part::Link {
            note_escaped(context, place, value);
        }
        match part {
            Part::Link if rows.entry.loc.text.is_empty() => set(&mut rows.entry.loc, &self.resolved(value), place),
            Part::Link => rows.entry.repeats.push(format!("link={}", self.resolved(value))),
            Part::Guid if self.guid_is_link && is_web_address(value) && !self.fallback.is_present => {
                set(&mut self.fallback, value, place);
            }
            Part::Date(rank, grammar, name) if self.rank.is_none_or(|known| rank > known) => {
                self.rank = Some(rank);
                rows.date_grammar = grammar;
                set(&mut rows.entry.lastmod, value, place);
                rows.entry.lastmod_from = Some(name);
            }
            _ => {}
        }
    }

    /// Finishes the open item, if any.
    pub fn finish_item(&mut self, rows: &mut Rows, context: &mut Context) {
        if rows.open().is_none() {
            return;
        }
        self.finish_field(rows, context);
        let has_link = rows.entry.loc.is_present && !rows.entry.loc.text.is_empty();
        if !has_link && self.fallback.is_present {
            std::mem::swap(&mut rows.entry.loc, &mut self.fallback);
        } else if !has_link && let Some(place) = rows.entry.place {
            let kind = if rows.entry.loc.is_present {
                AnomalyKind::LocEmpty
            } else {
                AnomalyKind::LocMissing
            };
            context.notes.add(kind, place, Some("link".into()), "");
        }
        rows.finish_entry(context.notes);
    }

    /// Handles a document that ends inside an item. If its URL is complete, the item is kept without its incomplete
    /// fields.
    pub fn cut_off(&mut self, rows: &mut Rows, context: &mut Context) {
        self.target = None;
        if rows.has_url() {
            self.finish_item(rows, context);
        } else {
            rows.discard_entry(context.notes);
        }
    }
}

fn is_relative(url: &str) -> bool {
    parse(url).problem == Some(UrlProblem::Relative)
}

fn note_escaped(context: &mut Context, place: Place, url: &str) {
    if xml_unescaped(url).is_some() {
        context
            .notes
            .add(AnomalyKind::EscapedTwice, place, Some("link".into()), url);
    }
}

fn set(slot: &mut Slot, value: &str, place: Place) {
    slot.is_present = true;
    slot.text.clear();
    slot.text.push_str(value);
    slot.place = Some(place);
}
