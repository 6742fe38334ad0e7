//! urlset and sitemapindex: turns elements into entries, with the extensions inside them.

mod fields;
pub(crate) mod nesting;
mod parts;

use std::collections::HashSet;

use self::fields::{Target, slot_of, target_name};
pub use self::fields::{is_url_field, is_web_address, note_template};
use self::nesting::Nesting;
use self::parts::is_entry;
pub use self::parts::{Core, Part, is_ours};
use super::rows::{EntryKind, Extension, Rows};
use super::xml::{Context, Tag, Vocabulary};
use crate::anomaly::AnomalyKind;
use crate::read::template;
use crate::read::window::Place;
use crate::value::url::has_xml_escape;

pub struct Sitemap {
    target: Option<Target>,
    text: String,
    nesting: Nesting,
    /// Open elements that are next to text inside the field.
    literals: Vec<(Place, String)>,
    /// Where the text starts, after whitespace.
    place: Option<Place>,
    record: Option<Extension>,
    /// The root's namespace, if it is not the sitemap namespace: its elements are read as if it were.
    assumed: Option<u32>,
    root_prefix: String,
    root_namespace: Option<u32>,
    /// Whether the root is in a namespace that was meant as the sitemap namespace.
    has_sitemap_root: bool,
    /// The kind of entry that this root is for.
    pub expects: EntryKind,
    /// The same for the roots around it.
    outer: Vec<EntryKind>,
    /// Depth of the element whose descendants are all ignored.
    passing_over: Option<usize>,
    /// Whether the open entry was assumed around loose fields.
    is_loose: bool,
    /// The furthest field of the schema's sequence in this entry: `Core`, then 4 for extensions.
    furthest: u8,
    out_of_order: bool,
    /// Whether the namespace of the entry, or of one of its fields, is already noted.
    is_misnamed: bool,
    /// Where the element of the entry starts.
    element: Option<Place>,
    /// The number of the first entry from the current element.
    first: i32,
    /// The loc being read, if the entry has one already.
    further: Option<Further>,
    /// Number of entries that started at a second loc or later.
    pub splits: i32,
    /// Namespaces with an anomaly already noted.
    complained: HashSet<u32>,
}

/// A loc in an entry that has one already. Its end decides whether it repeats the same URL or starts an entry of its
/// own, as seen in `<url><loc>a</loc><lastmod/><loc>b</loc>`.
struct Further {
    place: Place,
    /// Number of pending anomalies when it started.
    noted: usize,
    /// It follows a field that comes after it in the schema's sequence.
    is_late: bool,
}

impl Sitemap {
    pub fn new() -> Self {
        Self {
            target: None,
            text: String::new(),
            nesting: Nesting::default(),
            literals: Vec::new(),
            place: None,
            record: None,
            assumed: None,
            root_prefix: String::new(),
            root_namespace: None,
            has_sitemap_root: false,
            expects: EntryKind::Url,
            outer: Vec::new(),
            passing_over: None,
            is_loose: false,
            furthest: 0,
            out_of_order: false,
            is_misnamed: false,
            element: None,
            first: 0,
            further: None,
            splits: 0,
            complained: HashSet::new(),
        }
    }

    /// Whether the end of this element without its tag is noted as that of text.
    pub fn is_literal(&self, part: Part) -> bool {
        part == Part::Literal && !self.literals.is_empty()
    }

    pub fn is_in_field(&self) -> bool {
        self.target.is_some()
    }

    pub fn field(&self) -> Option<&'static str> {
        self.target.map(target_name)
    }

    /// Whether the next element may be read as a whole: an entry of the kind that the root is for.
    pub fn is_at_rest(&self) -> bool {
        self.expects == EntryKind::Url && self.target.is_none() && self.record.is_none() && self.passing_over.is_none()
    }

    /// Handles the root element. Its namespace is checked once, here.
    pub fn root(&mut self, context: &mut Context, tag: &Tag, expects: EntryKind) {
        self.expects = expects;
        self.outer.clear();
        self.passing_over = None;
        self.check_namespace(context, tag);
        self.has_sitemap_root = tag.vocabulary == Vocabulary::Sitemap;
        self.root_prefix = tag.prefix.to_owned();
        self.root_namespace = tag.namespace;
        if !self.has_sitemap_root {
            self.assumed = tag.namespace;
        }
    }

    /// Handles a root inside another one.
    pub fn inner_root(&mut self, rows: &mut Rows, context: &mut Context, expects: EntryKind) {
        self.finish_entry(rows, context);
        self.outer.push(self.expects);
        self.expects = expects;
    }

    pub fn start(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) -> Part {
        let is_passed_over = self.passing_over.is_some_and(|depth| tag.depth > depth);
        if is_passed_over && !is_entry(tag.local) {
            return if tag.vocabulary == Vocabulary::Foreign {
                Part::Foreign
            } else {
                Part::Unknown
            };
        }
        let part = self.part(rows, context, tag);
        if is_passed_over {
            // An entry starts, so the ignored element has no end tag.
            if !matches!(part, Part::Entry(_)) {
                return part;
            }
            self.passing_over = None;
        }
        if self.target.is_some() {
            let wraps = match part {
                // `<loc><url><![CDATA[…]]></url></loc>` was seen in the wild: the content is the URL.
                Part::Entry(_) => self.place.is_none() && self.target == Some(Target::Core(Core::Loc)),
                Part::Unknown | Part::Foreign => true,
                _ => false,
            };
            if wraps {
                return self.nest(context, tag);
            }
            // The field has no end tag; if one follows after all, the other element was nested in it.
            self.finish_field(rows, context, false);
        }
        let is_child = rows.open().unwrap_or(self.expects) == EntryKind::Child;
        let part = match part {
            Part::Core(Core::Changefreq | Core::Priority) if is_child => Part::Unknown,
            other => other,
        };
        match part {
            Part::Entry(kind) => self.start_entry(rows, context, tag, kind),
            Part::Core(core) => self.start_core(rows, context, tag, core),
            Part::Record(extension) => self.start_record(rows, context, tag, extension),
            Part::Field(extension, field) => {
                let element = extension.fields()[field as usize].element;
                let place = context.window.place(tag.at);
                rows.records(extension)
                    .set_attributes(element, place, |name| tag.attributes.get(name));
                self.gather(Target::Field(extension, field));
            }
            Part::Link => self.link(rows, context, tag),
            Part::Unknown => {
                context.note(AnomalyKind::UnknownElement, tag.at, None, &format!("<{}>", tag.local));
                self.passing_over = Some(tag.depth);
            }
            Part::Foreign => self.passing_over = Some(tag.depth),
            Part::Root | Part::Group | Part::Wrapper | Part::Literal => {}
        }
        part
    }

    fn start_entry(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag, kind: EntryKind) {
        if rows.open().is_some() && self.record.is_none() && rows.is_untouched() {
            // `<url><url>`: an empty entry is not finished. Its end tag, if any, is noted.
            rows.discard_entry(context.notes);
        }
        self.finish_entry(rows, context);
        self.begin_entry(rows, context, kind, tag.at);
        self.is_loose = false;
        self.check_inner_namespace(context, tag);
        if kind != self.expects {
            let noted = match kind {
                EntryKind::Url => AnomalyKind::MisplacedUrl,
                EntryKind::Child => AnomalyKind::MisplacedSitemap,
            };
            context.note(noted, tag.at, None, &format!("<{}>", tag.local));
        }
        check_attributes(context, tag, None);
    }

    fn start_core(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag, core: Core) {
        if self.is_loose && rows.open().is_some() && slot_of(rows, core).is_present {
            // `<loc>…</loc><loc>…</loc>` without a parent: each is an entry.
            self.finish_entry(rows, context);
        }
        if rows.open().is_none() {
            self.start_loose_entry(rows, context, tag);
        }
        let is_late = (core as u8) < self.furthest;
        let is_further = core == Core::Loc && self.record.is_none() && !rows.entry.loc.text.is_empty();
        self.further = is_further.then(|| Further {
            place: context.window.place(tag.at),
            noted: context.notes.pending(),
            is_late,
        });
        if is_late && !is_further {
            self.note_order(context, context.window.place(tag.at), core);
        }
        self.furthest = self.furthest.max(core as u8);
        self.check_inner_namespace(context, tag);
        check_attributes(context, tag, Some(core.name()));
        self.gather(Target::Core(core));
    }

    fn note_order(&mut self, context: &mut Context, place: Place, core: Core) {
        if !std::mem::replace(&mut self.out_of_order, true) {
            let name = core.name();
            let seen = format!("<{name}>");
            context
                .notes
                .add(AnomalyKind::ElementOrder, place, Some(name.into()), &seen);
        }
    }

    fn begin_entry(&mut self, rows: &mut Rows, context: &mut Context, kind: EntryKind, at: usize) {
        let place = context.window.place(at);
        self.first = rows.ordinal();
        self.element = Some(place);
        rows.begin_entry(kind, context.notes);
        rows.entry.place = Some(place);
        self.furthest = 0;
        self.out_of_order = false;
        self.is_misnamed = false;
    }

    /// The loc differs from that of the entry: everything from its start tag on is another entry.
    #[cold]
    fn split(&mut self, rows: &mut Rows, context: &mut Context, further: &Further) {
        let Some(kind) = rows.open() else { return };
        rows.finish_entry(context.notes);
        rows.begin_entry(kind, context.notes);
        rows.entry.place = Some(further.place);
        context.notes.claim(further.noted);
        self.furthest = 0;
        self.out_of_order = false;
        self.splits += 1;
    }

    /// Starts an entry for a `<loc>` without `<url>` around it.
    #[cold]
    fn start_loose_entry(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) {
        self.begin_entry(rows, context, self.expects, tag.at);
        self.is_loose = true;
        context.note(AnomalyKind::LooseField, tag.at, None, &format!("<{}>", tag.local));
    }

    fn start_record(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag, extension: Extension) {
        self.finish_record(rows);
        if rows.open().is_none() {
            note_outside(context, tag);
            self.passing_over = Some(tag.depth);
            return;
        }
        self.furthest = 4;
        self.record = Some(extension);
        rows.records(extension).begin(context.window.place(tag.at));
    }

    fn link(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) {
        if rows.open().is_none() {
            note_outside(context, tag);
            return;
        }
        self.furthest = 4;
        if let Some(href) = tag.attributes.get("href").filter(|href| has_xml_escape(href)) {
            context.note(AnomalyKind::EscapedTwice, tag.at, Some("href"), href);
        }
        if let Some(href) = tag
            .attributes
            .get("href")
            .filter(|href| template::in_value(href).is_some())
        {
            context.note(AnomalyKind::UnrenderedTemplate, tag.at, Some("href"), href);
        }
        let (records, place) = (rows.records(Extension::Alternate), context.window.place(tag.at));
        records.begin(place);
        records.set_attributes("link", place, |name| tag.attributes.get(name));
        rows.finish_record(Extension::Alternate);
    }

    pub fn end(&mut self, rows: &mut Rows, context: &mut Context, part: Part, closed: bool) {
        match part {
            Part::Root => {
                self.finish_entry(rows, context);
                self.expects = self.outer.pop().unwrap_or(self.expects);
            }
            Part::Entry(_) if closed && rows.open().is_none() => {
                let seen = "end tag of an entry that was already closed";
                context.note(AnomalyKind::NestedEntry, context.window.pos(), None, seen);
            }
            Part::Entry(_) => self.finish_entry(rows, context),
            Part::Core(core) => self.end_field(rows, context, Target::Core(core), closed),
            Part::Field(extension, field) => self.end_field(rows, context, Target::Field(extension, field), closed),
            Part::Record(extension) => {
                if self.record == Some(extension) {
                    self.finish_record_text(rows, context);
                }
            }
            Part::Wrapper | Part::Literal => self.end_nested(context, part, closed),
            Part::Link | Part::Group | Part::Unknown | Part::Foreign => {}
        }
    }

    /// Handles the end of an element at this depth, which may end the ignored part.
    pub fn leave(&mut self, depth: usize) {
        if self.passing_over.is_some_and(|over| depth <= over) {
            self.passing_over = None;
        }
    }

    fn finish_record_text(&mut self, rows: &mut Rows, context: &mut Context) {
        self.finish_field(rows, context, false);
        self.finish_record(rows);
    }

    fn finish_record(&mut self, rows: &mut Rows) {
        if let Some(extension) = self.record.take() {
            rows.finish_record(extension);
        }
    }

    /// Finishes the open entry, if any.
    pub fn finish_entry(&mut self, rows: &mut Rows, context: &mut Context) {
        if rows.open().is_none() {
            self.target = None;
            self.record = None;
            return;
        }
        self.finish_record_text(rows, context);
        self.passing_over = None;
        let entry = &rows.entry;
        if !entry.loc.is_present
            && let Some(place) = entry.place
        {
            context
                .notes
                .add(AnomalyKind::LocMissing, place, Some("loc".into()), "");
        }
        if rows.ordinal() != self.first
            && let Some(place) = self.element
        {
            let name = match rows.open() {
                Some(EntryKind::Child) => "sitemap",
                _ => "url",
            };
            let seen = format!("{} URLs in one <{name}>", rows.ordinal() - self.first + 1);
            context
                .notes
                .add_for(self.first, AnomalyKind::SeveralUrls, place, "loc", &seen);
        }
        rows.finish_entry(context.notes);
    }

    /// Handles a document that ends inside an entry. If its URL is complete, the entry is kept without its incomplete
    /// fields.
    pub fn cut_off(&mut self, rows: &mut Rows, context: &mut Context) {
        self.target = None;
        self.record = None;
        if rows.has_url() {
            self.finish_entry(rows, context);
        } else {
            rows.discard_entry(context.notes);
        }
    }
}

/// Elements of the protocol have no attributes. Namespace declarations and hints for tools are not checked here.
fn check_attributes(context: &mut Context, tag: &Tag, field: Option<&'static str>) {
    for (name, value) in tag.attributes.iter() {
        if !name.starts_with("xmlns") && !name.contains(':') {
            context.note(
                AnomalyKind::UnknownAttribute,
                tag.at,
                field,
                &format!("{name}=\"{value}\""),
            );
        }
    }
}

/// Notes an element of an extension outside any entry.
fn note_outside(context: &mut Context, tag: &Tag) {
    context.note(
        AnomalyKind::UnknownElement,
        tag.at,
        None,
        &format!("<{}:{}>", tag.prefix, tag.local),
    );
}
