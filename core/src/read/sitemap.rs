//! urlset and sitemapindex: elements to entries, with the extensions inside them.

use std::collections::HashSet;

use super::rows::{EntryKind, Extension, Rows};
use super::xml::namespace::customary_prefix;
use super::xml::{Context, Tag, Vocabulary, is_space};
use crate::anomaly::AnomalyKind;
use crate::read::columns::Slot;
use crate::read::window::Place;
use crate::value::trim;

/// The fields of an entry that the protocol itself defines, in the order of the schema's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Core {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl Core {
    pub const fn name(self) -> &'static str {
        match self {
            Core::Loc => "loc",
            Core::Lastmod => "lastmod",
            Core::Changefreq => "changefreq",
            Core::Priority => "priority",
        }
    }
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Root,
    Entry(EntryKind),
    Core(Core),
    /// A record of an extension.
    Record(Extension),
    /// A field of the open record, by its index.
    Field(Extension, u8),
    /// An element of an extension that only holds others: news:publication, video:tvshow.
    Group,
    Link,
    /// An element inside a text field: its text is the field's.
    Wrapper,
    /// An element of ours that does not exist; it and all inside it is passed over.
    Unknown,
    /// The same, of a namespace that we know nothing of.
    Foreign,
}

/// The field whose text is being gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Core(Core),
    Field(Extension, u8),
}

pub struct Sitemap {
    target: Option<Target>,
    text: String,
    /// How long the text was where the first element inside the field began.
    nested: Option<usize>,
    /// Where the text begins, white space left out.
    place: Option<Place>,
    record: Option<Extension>,
    /// The root's namespace, if it is not the sitemap's: what is in it is read as if it were.
    assumed: Option<u32>,
    root_prefix: String,
    /// Whether the root is in a namespace that is meant as the sitemap's.
    has_sitemap_root: bool,
    /// What entries this root is made for.
    pub expects: EntryKind,
    /// The same of the roots around it.
    outer: Vec<EntryKind>,
    /// Depth of the element below which everything is passed over.
    passing_over: Option<usize>,
    /// Whether the entry that is open was assumed around its fields.
    is_loose: bool,
    /// The furthest field of the schema's sequence seen in this entry: `Core`, then 4 for extensions.
    furthest: u8,
    out_of_order: bool,
    /// Namespaces that were complained of already.
    complained: HashSet<u32>,
}

impl Sitemap {
    pub fn new() -> Self {
        Self {
            target: None,
            text: String::new(),
            nested: None,
            place: None,
            record: None,
            assumed: None,
            root_prefix: String::new(),
            has_sitemap_root: false,
            expects: EntryKind::Url,
            outer: Vec::new(),
            passing_over: None,
            is_loose: false,
            furthest: 0,
            out_of_order: false,
            complained: HashSet::new(),
        }
    }

    pub fn is_in_field(&self) -> bool {
        self.target.is_some()
    }

    pub fn field(&self) -> Option<&'static str> {
        self.target.map(target_name)
    }

    /// Whether the next element may be read as a whole: an entry of the kind that the root is made for.
    pub fn is_at_rest(&self) -> bool {
        self.expects == EntryKind::Url && self.target.is_none() && self.record.is_none() && self.passing_over.is_none()
    }

    /// The root element: which namespace it is in is noted once, here.
    pub fn root(&mut self, context: &mut Context, tag: &Tag, expects: EntryKind) {
        self.expects = expects;
        self.outer.clear();
        self.passing_over = None;
        self.check_namespace(context, tag);
        self.has_sitemap_root = tag.vocabulary == Vocabulary::Sitemap;
        self.root_prefix = tag.prefix.to_owned();
        if !self.has_sitemap_root {
            self.assumed = tag.namespace;
        }
    }

    /// A root inside another one.
    pub fn inner_root(&mut self, rows: &mut Rows, context: &mut Context, expects: EntryKind) {
        self.finish_entry(rows, context);
        self.outer.push(self.expects);
        self.expects = expects;
    }

    fn check_namespace(&mut self, context: &mut Context, tag: &Tag) {
        let kind = match tag.vocabulary {
            Vocabulary::Sitemap if tag.exact => return,
            // Its prefix is not declared, which was noted.
            Vocabulary::Foreign if tag.namespace.is_none() => return,
            Vocabulary::None => AnomalyKind::NamespaceMissing,
            _ => AnomalyKind::NamespaceWrong,
        };
        if tag.namespace.is_some_and(|id| !self.complained.insert(id)) {
            return;
        }
        let seen = if tag.uri.is_empty() {
            format!("<{}>", tag.local)
        } else {
            tag.uri.to_owned()
        };
        context.note(kind, tag.at, None, &seen);
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
            // An entry begins: what was passed over lacks its end tag.
            if !matches!(part, Part::Entry(_)) {
                return part;
            }
            self.passing_over = None;
        }
        if self.target.is_some() {
            let wraps = match part {
                // `<loc><url><![CDATA[…]]></url></loc>` has been seen: what stands inside is the URL.
                Part::Entry(_) => self.place.is_none() && self.target == Some(Target::Core(Core::Loc)),
                Part::Unknown | Part::Foreign => true,
                _ => false,
            };
            if wraps {
                let field = self.field();
                context.note(AnomalyKind::NestedElement, tag.at, field, &format!("<{}>", tag.local));
                self.nested.get_or_insert(self.text.len());
                return Part::Wrapper;
            }
            // The field lacks its end tag; if it turns out to have one, the other element was nested in it.
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
                rows.records(extension)
                    .set_attributes(element, |name| tag.attributes.get(name));
                self.gather(Target::Field(extension, field));
            }
            Part::Link => self.link(rows, context, tag),
            Part::Unknown => {
                context.note(AnomalyKind::UnknownElement, tag.at, None, &format!("<{}>", tag.local));
                self.passing_over = Some(tag.depth);
            }
            Part::Foreign => self.passing_over = Some(tag.depth),
            Part::Root | Part::Group | Part::Wrapper => {}
        }
        part
    }

    /// What an element is, by its namespace and name.
    fn part(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) -> Part {
        let vocabulary = match tag.vocabulary {
            Vocabulary::Sitemap if tag.exact => Vocabulary::Sitemap,
            _ if self.is_of_root(tag) => Vocabulary::Sitemap,
            _ => self.lenient_vocabulary(context, tag),
        };
        match vocabulary {
            Vocabulary::Sitemap => self.sitemap_part(rows, context, tag),
            Vocabulary::Image => self.extension_part(rows, context, tag, Extension::Image),
            Vocabulary::Video => self.extension_part(rows, context, tag, Extension::Video),
            Vocabulary::News => self.extension_part(rows, context, tag, Extension::News),
            Vocabulary::Xhtml if tag.local.eq_ignore_ascii_case("link") => Part::Link,
            Vocabulary::Xhtml => Part::Unknown,
            _ => Part::Foreign,
        }
    }

    /// Whether an element is in the namespace that is read as the sitemap's because the root is in it, or has the
    /// root's prefix where that is not declared.
    pub fn is_of_root(&self, tag: &Tag) -> bool {
        let has_its_prefix = tag.prefix == self.root_prefix;
        match tag.namespace {
            // The namespace of an extension may be the default one by mistake, and bound to its own prefix as well.
            Some(_) => tag.namespace == self.assumed && (has_its_prefix || tag.vocabulary == Vocabulary::Foreign),
            None => has_its_prefix && tag.vocabulary == Vocabulary::Foreign && !self.has_sitemap_root,
        }
    }

    /// A namespace that is not exactly what it should be: which one was meant, noted once for each.
    fn lenient_vocabulary(&mut self, context: &mut Context, tag: &Tag) -> Vocabulary {
        match tag.vocabulary {
            Vocabulary::Image | Vocabulary::Video | Vocabulary::News | Vocabulary::Xhtml => {
                if !tag.exact {
                    self.complain(context, tag);
                }
                tag.vocabulary
            }
            Vocabulary::None => {
                if is_entry(tag.local) && self.root_has_namespace() {
                    context.note(AnomalyKind::NamespaceMissing, tag.at, None, &format!("<{}>", tag.local));
                }
                Vocabulary::Sitemap
            }
            Vocabulary::Sitemap | Vocabulary::Foreign => {
                if let Some(extension) = self.meant_by_prefix(tag) {
                    self.complain(context, tag);
                    return extension;
                }
                let is_sitemap = tag.vocabulary == Vocabulary::Sitemap;
                if is_sitemap || (tag.prefix.is_empty() && is_entry(tag.local)) {
                    self.check_namespace(context, tag);
                    if !is_sitemap {
                        self.assumed = tag.namespace;
                    }
                    return Vocabulary::Sitemap;
                }
                Vocabulary::Foreign
            }
            other => other,
        }
    }

    /// The extension that the prefix of an element stands for, where it is bound to something else:
    /// `xmlns:news="http://www.google.com/news"`, `xmlns:image="http://www.google.com/schemas/sitemap/1.1"`.
    fn meant_by_prefix(&self, tag: &Tag) -> Option<Vocabulary> {
        let is_own = tag.prefix == self.root_prefix || is_entry(tag.local);
        let may_be = tag.namespace.is_some() && (tag.vocabulary == Vocabulary::Foreign || !is_own);
        customary_prefix(tag.prefix).filter(|meant| may_be && meant.is_extension())
    }

    /// Whether entries are expected in a namespace. Without one at the root, it was noted there for all.
    fn root_has_namespace(&self) -> bool {
        self.assumed.is_some() || self.has_sitemap_root
    }

    fn complain(&mut self, context: &mut Context, tag: &Tag) {
        let Some(id) = tag.namespace else { return };
        if self.complained.insert(id) {
            context.note(
                AnomalyKind::ExtensionNamespaceWrong,
                tag.at,
                None,
                &format!("{}={}", tag.prefix, tag.uri),
            );
        }
    }

    fn sitemap_part(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) -> Part {
        if let Some(extension) = self.record {
            // `<image:image><loc>`: a record's field without its prefix, unless the record has that field already.
            let records = rows.records(extension);
            if let Some(field) = records.field_of(tag.local)
                && !records.record.has(field)
                && core_of(tag.local).is_none_or(|core| core == Core::Loc)
            {
                context.note(
                    AnomalyKind::ExtensionNamespaceWrong,
                    tag.at,
                    None,
                    &format!("<{}>", tag.local),
                );
                return Part::Field(extension, field as u8);
            }
        }
        if let Some(part) = named_part(tag.local) {
            return part;
        }
        if tag.local == "link" && rows.open().is_some() && tag.attributes.get("hreflang").is_some() {
            context.note(AnomalyKind::ExtensionNamespaceWrong, tag.at, None, "<link>");
            return Part::Link;
        }
        match named_part(&tag.local.to_ascii_lowercase()) {
            Some(part) => {
                context.note(AnomalyKind::TagCase, tag.at, None, &format!("<{}>", tag.local));
                part
            }
            None => Part::Unknown,
        }
    }

    fn extension_part(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag, extension: Extension) -> Part {
        let lower;
        let local = if tag.local.bytes().any(|byte| byte.is_ascii_uppercase()) {
            context.note(
                AnomalyKind::TagCase,
                tag.at,
                None,
                &format!("<{}:{}>", tag.prefix, tag.local),
            );
            lower = tag.local.to_ascii_lowercase();
            lower.as_str()
        } else {
            tag.local
        };
        let record = match extension {
            Extension::Image => "image",
            Extension::Video => "video",
            Extension::News => "news",
            Extension::Alternate => "link",
        };
        if local == record {
            return Part::Record(extension);
        }
        if matches!(
            (extension, local),
            (Extension::News, "publication") | (Extension::Video, "tvshow")
        ) {
            return Part::Group;
        }
        match rows.records(extension).field_of(local) {
            Some(field) if self.record == Some(extension) => Part::Field(extension, field as u8),
            _ => Part::Unknown,
        }
    }

    fn start_entry(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag, kind: EntryKind) {
        if rows.open().is_some() && self.record.is_none() && rows.is_untouched() {
            // `<url><url>`: no entry ends where nothing was in it. Its end tag, if there is one, will be noted.
            rows.discard_entry(context.notes);
        }
        self.finish_entry(rows, context);
        rows.begin_entry(kind, context.notes);
        rows.entry.place = Some(context.window.place(tag.at));
        self.is_loose = false;
        self.furthest = 0;
        self.out_of_order = false;
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
            // `<loc>…</loc><loc>…</loc>` with nothing around them: each is an entry.
            self.finish_entry(rows, context);
        }
        if rows.open().is_none() {
            self.start_loose_entry(rows, context, tag);
        }
        if (core as u8) < self.furthest && !self.out_of_order {
            self.out_of_order = true;
            context.note(
                AnomalyKind::ElementOrder,
                tag.at,
                Some(core.name()),
                &format!("<{}>", tag.local),
            );
        }
        self.furthest = self.furthest.max(core as u8);
        check_attributes(context, tag, Some(core.name()));
        self.gather(Target::Core(core));
    }

    /// `<loc>` without `<url>` around it: somebody's entry all the same.
    #[cold]
    fn start_loose_entry(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) {
        rows.begin_entry(self.expects, context.notes);
        rows.entry.place = Some(context.window.place(tag.at));
        self.is_loose = true;
        self.furthest = 0;
        self.out_of_order = false;
        context.note(AnomalyKind::LooseField, tag.at, None, &format!("<{}>", tag.local));
    }

    fn start_record(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag, extension: Extension) {
        self.finish_record(rows);
        if rows.open().is_none() {
            context.note(
                AnomalyKind::UnknownElement,
                tag.at,
                None,
                &format!("<{}:{}>", tag.prefix, tag.local),
            );
            self.passing_over = Some(tag.depth);
            return;
        }
        self.furthest = 4;
        self.record = Some(extension);
        rows.records(extension).begin(context.window.place(tag.at));
    }

    fn link(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) {
        if rows.open().is_none() {
            context.note(
                AnomalyKind::UnknownElement,
                tag.at,
                None,
                &format!("<{}:{}>", tag.prefix, tag.local),
            );
            return;
        }
        self.furthest = 4;
        let records = rows.records(Extension::Alternate);
        records.begin(context.window.place(tag.at));
        records.set_attributes("link", |name| tag.attributes.get(name));
        rows.finish_record(Extension::Alternate);
    }

    fn gather(&mut self, target: Target) {
        self.target = Some(target);
        self.text.clear();
        self.nested = None;
        self.place = None;
    }

    pub fn text(&mut self, rows: &mut Rows, context: &mut Context, text: &str, at: usize) {
        if self.target.is_none() {
            if self.passing_over.is_none() {
                self.stray_text(rows, context, text, at);
            }
            return;
        }
        if self.place.is_none() {
            let bytes = context.window.bytes();
            let blank = text.bytes().take_while(|&byte| is_space(byte)).count();
            if blank < text.len() {
                let mut begin = at;
                while begin < bytes.len() && is_space(bytes[begin]) {
                    begin += 1;
                }
                self.place = Some(context.window.place(begin));
            }
        }
        self.text.push_str(text);
    }

    #[cold]
    fn stray_text(&mut self, rows: &mut Rows, context: &mut Context, text: &str, at: usize) {
        let trimmed = trim(text);
        let bytes = context.window.bytes();
        let begin = (at..bytes.len()).find(|&here| !is_space(bytes[here])).unwrap_or(at);
        context.note(AnomalyKind::StrayText, begin, None, trimmed);
        // `<sitemap>https://…</sitemap>`: there is no doubt what was meant.
        if rows.open().is_some() && !rows.entry.loc.is_present && is_web_address(trimmed) {
            let place = context.window.place(begin);
            context.note(AnomalyKind::LocMissing, begin, Some("loc"), trimmed);
            set(&mut rows.entry.loc, trimmed, Some(place));
        }
    }

    pub fn end(&mut self, rows: &mut Rows, context: &mut Context, part: Part, closed: bool) {
        match part {
            Part::Root => {
                self.finish_entry(rows, context);
                self.expects = self.outer.pop().unwrap_or(self.expects);
            }
            Part::Entry(_) if closed && rows.open().is_none() => {
                let seen = "the end tag of an entry that ended before";
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
            Part::Link | Part::Group | Part::Wrapper | Part::Unknown | Part::Foreign => {}
        }
    }

    /// An element at this depth has ended: if all below it was passed over, that is over.
    pub fn leave(&mut self, depth: usize) {
        if self.passing_over.is_some_and(|over| depth <= over) {
            self.passing_over = None;
        }
    }

    fn end_field(&mut self, rows: &mut Rows, context: &mut Context, target: Target, closed: bool) {
        if self.target == Some(target) {
            self.finish_field(rows, context, closed);
        } else if closed {
            let name = target_name(target);
            context.note(
                AnomalyKind::NestedElement,
                context.window.pos(),
                Some(name),
                &format!("</{name}>"),
            );
        }
    }

    /// Takes the text gathered as the value of its field.
    fn finish_field(&mut self, rows: &mut Rows, context: &mut Context, closed: bool) {
        let Some(target) = self.target.take() else { return };
        if !closed && let Some(nested) = self.nested {
            // `<loc>https://…<x>…</x></url>`: the field lacks its end tag, so what follows its text is not its own.
            if !trim(&self.text[..nested]).is_empty() {
                self.text.truncate(nested);
            }
        }
        let value = trim(&self.text);
        if value.len() != self.text.len() {
            let kind = if self
                .text
                .trim_matches(|ch: char| ch.is_ascii() && is_space(ch as u8))
                .len()
                == value.len()
            {
                AnomalyKind::OuterSpace
            } else {
                AnomalyKind::UnicodeSpace
            };
            let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
            let name = target_name(target);
            context.notes.add(kind, place, Some(name.into()), &self.text);
        }
        if value.is_empty() {
            let (kind, name) = match target {
                Target::Core(Core::Loc) => (AnomalyKind::LocEmpty, "loc"),
                _ => (AnomalyKind::FieldEmpty, target_name(target)),
            };
            context.note(kind, context.window.pos(), Some(name), "");
        }
        let place = self.place.unwrap_or_else(|| context.window.place(context.window.pos()));
        let mut note_repeated = || {
            context.notes.add(
                AnomalyKind::RepeatedField,
                place,
                Some(target_name(target).into()),
                value,
            );
        };
        let core = match target {
            Target::Core(core) => core,
            Target::Field(extension, field) => {
                if !rows.records(extension).set(field as usize, value) {
                    note_repeated();
                }
                return;
            }
        };
        let slot = slot_of(rows, core);
        if slot.is_present {
            note_repeated();
            if !slot.text.is_empty() {
                rows.entry.repeats.push(format!("{}={value}", core.name()));
                return;
            }
        }
        if value.len() == self.text.len() {
            // The usual case: nothing was trimmed, and the text need not be copied.
            slot.is_present = true;
            slot.place = self.place;
            std::mem::swap(&mut slot.text, &mut self.text);
        } else {
            set(slot, value, self.place);
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

    /// Ends the entry that is open, if one is.
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
        rows.finish_entry(context.notes);
    }

    pub fn discard_entry(&mut self) {
        self.target = None;
        self.record = None;
    }
}

fn slot_of(rows: &mut Rows, core: Core) -> &mut Slot {
    match core {
        Core::Loc => &mut rows.entry.loc,
        Core::Lastmod => &mut rows.entry.lastmod,
        Core::Changefreq => &mut rows.entry.changefreq,
        Core::Priority => &mut rows.entry.priority,
    }
}

fn set(slot: &mut Slot, value: &str, place: Option<Place>) {
    slot.is_present = true;
    slot.text.clear();
    slot.text.push_str(value);
    slot.place = place;
}

fn target_name(target: Target) -> &'static str {
    match target {
        Target::Core(core) => core.name(),
        Target::Field(extension, field) => extension.fields()[field as usize].element,
    }
}

fn core_of(local: &str) -> Option<Core> {
    match local {
        "loc" => Some(Core::Loc),
        "lastmod" => Some(Core::Lastmod),
        "changefreq" => Some(Core::Changefreq),
        "priority" => Some(Core::Priority),
        _ => None,
    }
}

fn named_part(local: &str) -> Option<Part> {
    match local {
        "url" => Some(Part::Entry(EntryKind::Url)),
        "sitemap" => Some(Part::Entry(EntryKind::Child)),
        _ => core_of(local).map(Part::Core),
    }
}

/// Whether the protocol has an element of this name.
pub fn is_ours(local: &str) -> bool {
    let local = local.to_ascii_lowercase();
    named_part(&local).is_some() || matches!(local.as_str(), "urlset" | "sitemapindex")
}

fn is_entry(local: &str) -> bool {
    matches!(local.len(), 3 | 7) && (local.eq_ignore_ascii_case("url") || local.eq_ignore_ascii_case("sitemap"))
}

pub fn is_web_address(text: &str) -> bool {
    let head = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    (head.starts_with("http://") || head.starts_with("https://")) && !text.contains(char::is_whitespace)
}

/// Elements of the protocol have no attributes; declarations of namespaces and hints for tools are none of ours.
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
