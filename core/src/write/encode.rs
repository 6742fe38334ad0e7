//! One entry to XML: judged field by field, written to the end of a buffer, or not at all.

use std::borrow::Cow;

use super::check::fault;
use super::dates::Days;
use super::entry::{Entry, Item, Link, Record, Value};
use super::escape::{has_forbidden, push_attribute, push_text, push_url, strip_forbidden};
use super::links::{code, link_order, push_link};
use super::records::{Attribute, Field, IMAGE, Kind, NEWS, Spec, TV_SHOW, VIDEO};
use super::refusal::{Reason, Refusal};
use super::seen::Seen;
use super::urls::Urls;
use super::{Options, dates};

/// The namespaces that a document uses, a bit each: those below, then those of the user's own from `OWN` on.
pub type Namespaces = u32;

const XHTML: Namespaces = 1;
const IMAGES: Namespaces = 1 << 1;
const VIDEOS: Namespaces = 1 << 2;
const NEWSES: Namespaces = 1 << 3;
const FIRST_OWN: u32 = 4;
/// How many namespaces of their own users may name.
pub const MAX_OWN: usize = (Namespaces::BITS - FIRST_OWN) as usize;

/// Prefix and address of each built-in namespace, in the order in which they are declared.
pub const BUILT_IN: [(&str, &str); FIRST_OWN as usize] = [
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
];

/// What is known of an entry that was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    pub namespaces: Namespaces,
    /// lastmod as an instant, in microseconds since 1970.
    pub lastmod: Option<i64>,
    /// XXH64 of the URL, seed 42.
    pub hash: u64,
    pub alternates: u64,
    pub images: u64,
    pub videos: u64,
    pub news: u64,
}

/// Writes entries. Fields that were left out gather in `dropped`, for the caller to take.
pub struct Encoder {
    options: Options,
    urls: Urls,
    seen: Seen,
    days: Days,
    /// The namespaces that the document declares; any other is declared where it is used.
    declared: Namespaces,
    pub dropped: Vec<Refusal>,
}

type Outcome<T> = Result<T, Refusal>;

impl Encoder {
    /// An encoder for documents that will declare every namespace they use.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            urls: Urls::default(),
            seen: Seen::new(),
            days: Days::new(),
            declared: Namespaces::MAX,
            dropped: Vec::new(),
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// From here on only these namespaces are declared by the document.
    pub fn declare(&mut self, namespaces: Namespaces) {
        self.declared = namespaces;
    }

    /// Appends the entry to `out`. Refused, `out` is as it was.
    pub fn encode(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Outcome<Written> {
        let start = out.len();
        let dropped = self.dropped.len();
        let written = self.entry(entry, out);
        if written.is_err() {
            out.truncate(start);
            self.dropped.truncate(dropped);
        }
        written
    }

    fn entry(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Outcome<Written> {
        let mut written = Written::default();
        let given = entry.loc.as_deref().unwrap_or("");
        // A good URL has no forbidden character.
        let cleaned;
        let loc = match self.urls.good(given, "loc") {
            Ok(loc) => loc,
            Err(_) if given.trim().is_empty() => return Err(Refusal::new(Reason::LocMissing, "loc", "", "")),
            Err(_) => {
                cleaned = self.clean(given, "loc")?;
                self.urls.good(&cleaned, "loc")?
            }
        };
        let hosts = &self.options.hosts;
        if !hosts.is_empty() && !hosts.iter().any(|host| loc.host().eq_ignore_ascii_case(host)) {
            return Err(Refusal::new(Reason::OtherHost, "loc", loc.host(), &loc.text));
        }
        written.hash = twox_hash::XxHash64::oneshot(42, loc.text.as_bytes());
        if self.options.unique {
            self.seen.prefetch(written.hash);
        }
        self.line(out, 1);
        out.extend_from_slice(b"<url>");
        self.line(out, 2);
        out.extend_from_slice(b"<loc>");
        push_url(out, &loc.text);
        out.extend_from_slice(b"</loc>");
        written.lastmod = self.lastmod(entry, out)?;
        self.hints(entry, out)?;
        let extended = !(entry.alternates.is_empty()
            && entry.images.is_empty()
            && entry.videos.is_empty()
            && entry.news.is_empty()
            && entry.own.is_empty());
        if extended {
            self.extensions(entry, &loc.text, out, &mut written)?;
        }
        self.line(out, 1);
        out.extend_from_slice(b"</url>");
        if !self.options.pretty {
            out.push(b'\n');
        }
        if self.options.unique && !self.seen.insert(written.hash) {
            return Err(Refusal::new(Reason::Duplicate, "loc", "", &loc.text));
        }
        Ok(written)
    }

    fn lastmod(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Outcome<Option<i64>> {
        if let Some(Value::Day(days)) = entry.lastmod {
            let at = i64::from(days) * 86_400_000_000;
            if at <= self.options.latest
                && let Some(text) = self.days.get(days)
            {
                push_lastmod(out, text, self.options.pretty);
                return Ok(Some(at));
            }
        }
        let missing = || Refusal::new(Reason::LastmodMissing, "lastmod", "", "");
        let given = entry.lastmod.as_ref();
        let read = match given.filter(|value| !is_empty(value)) {
            None => Ok(None),
            Some(value) => dates::lastmod(value, self.options.dates).and_then(|(text, at)| {
                if at > self.options.latest {
                    Err(Refusal::new(Reason::DateFuture, "lastmod", "", &value.text()))
                } else {
                    Ok(Some((text, at)))
                }
            }),
        };
        match self.or_without(read, self.options.require_lastmod)?.flatten() {
            None if self.options.require_lastmod => Err(missing()),
            None => Ok(None),
            Some((text, at)) => {
                self.element(out, 2, "lastmod", &text);
                Ok(Some(at))
            }
        }
    }

    /// changefreq and priority.
    fn hints(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Outcome<()> {
        if entry.changefreq.is_none() && entry.priority.is_none() {
            return Ok(());
        }
        const FREQUENCIES: Kind = Kind::OneOf(&["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]);
        let both = [
            ("changefreq", &entry.changefreq, FREQUENCIES),
            ("priority", &entry.priority, Kind::Decimal(0.0, 1.0)),
        ];
        for (name, value, kind) in both {
            let Some(value) = value.as_ref().filter(|value| !is_empty(value)) else {
                continue;
            };
            let checked = self.checked(value, kind, name);
            if let Some(text) = self.or_without(checked, false)? {
                self.element(out, 2, name, &text);
            }
        }
        Ok(())
    }

    fn extensions(&mut self, entry: &Entry, loc: &str, out: &mut Vec<u8>, written: &mut Written) -> Outcome<()> {
        if !entry.alternates.is_empty() {
            written.alternates = self.alternates(entry, loc, out)?;
            written.namespaces |= if written.alternates > 0 { XHTML } else { 0 };
        }
        let kinds = [
            (&IMAGE, IMAGES, &entry.images, &mut written.images),
            (&VIDEO, VIDEOS, &entry.videos, &mut written.videos),
            (&NEWS, NEWSES, &entry.news, &mut written.news),
        ];
        for (spec, bit, records, count) in kinds {
            if records.len() > spec.most {
                let detail = format!("{} given, {} at most", records.len(), spec.most);
                return Err(Refusal::new(Reason::TooMany, spec.key, &detail, ""));
            }
            for record in records {
                let start = out.len();
                let done = self.record(spec, record, loc, bit, out);
                if done.is_err() {
                    out.truncate(start);
                }
                if self.or_without(done, false)?.is_some() {
                    *count += 1;
                    written.namespaces |= bit;
                }
            }
        }
        for (name, value) in &entry.own {
            written.namespaces |= self.own(name, value, out)?;
        }
        Ok(())
    }

    /// The links to the language versions of the page, itself included.
    fn alternates(&mut self, entry: &Entry, loc: &str, out: &mut Vec<u8>) -> Outcome<u64> {
        let mut links: Vec<(String, String)> = Vec::with_capacity(entry.alternates.len() + 1);
        for link in &entry.alternates {
            let good = self.link(link);
            if let Some(link) = self.or_without(good, false)? {
                push_link(&mut links, link)?;
            }
        }
        if let Some(given) = &entry.hreflang {
            let code = code(given, "hreflang")?;
            push_link(&mut links, (code, loc.to_owned()))?;
        } else if !links.iter().any(|(_, href)| href == loc) {
            return Err(Refusal::new(Reason::HreflangSelfMissing, "alternates", "", loc));
        }
        // In one order on every page of a group, whatever the order in which they were given.
        links.sort_by_key(|(code, _)| link_order(code));
        for (code, href) in &links {
            self.line(out, 2);
            out.extend_from_slice(b"<xhtml:link");
            self.declare_here(out, XHTML);
            out.extend_from_slice(b" rel=\"alternate\" hreflang=\"");
            push_attribute(out, code);
            out.extend_from_slice(b"\" href=\"");
            push_attribute(out, href);
            out.extend_from_slice(b"\"/>");
        }
        Ok(links.len() as u64)
    }

    fn link(&mut self, link: &Link) -> Outcome<(String, String)> {
        let code = code(&link.hreflang, "alternates.hreflang")?;
        let href = self.clean(&link.href, "alternates.href")?;
        let href = self.urls.good(&href, "alternates.href")?;
        Ok((code, href.text.into_owned()))
    }

    fn record(&mut self, spec: &Spec, record: &Record, loc: &str, bit: Namespaces, out: &mut Vec<u8>) -> Outcome<()> {
        self.line(out, 2);
        out.push(b'<');
        out.extend_from_slice(spec.element.as_bytes());
        self.declare_here(out, bit);
        out.push(b'>');
        let given = |key: &str| find(record, key).is_some_and(|item| !item.is_empty());
        if spec
            .fields
            .iter()
            .any(|field| field.inside == TV_SHOW && given(field.key))
        {
            for key in ["tvshow_show_title", "tvshow_video_type"] {
                if !given(key) {
                    return Err(Refusal::new(
                        Reason::FieldMissing,
                        &path(spec, key),
                        "a tvshow needs it",
                        "",
                    ));
                }
            }
        }
        let mut inside = "";
        let mut locations = 0;
        for field in spec.fields {
            let present = find(record, field.key).is_some_and(|item| !item.is_empty());
            if !present {
                if field.required {
                    return Err(Refusal::new(Reason::FieldMissing, &path(spec, field.key), "", ""));
                }
                continue;
            }
            if inside != field.inside {
                self.close(out, inside);
                inside = field.inside;
                self.open(out, inside);
            }
            let values = self.field(spec, field, record, out)?;
            if matches!(field.key, "content_loc" | "player_loc") && !values.is_empty() {
                if values == loc {
                    let detail = "it must not be the page itself";
                    return Err(Refusal::new(
                        Reason::FieldInvalid,
                        &path(spec, field.key),
                        detail,
                        &values,
                    ));
                }
                locations += 1;
            }
        }
        self.close(out, inside);
        if std::ptr::eq(spec, &raw const VIDEO) && locations == 0 {
            let detail = "one of content_loc and player_loc is needed";
            return Err(Refusal::new(
                Reason::FieldMissing,
                &path(spec, "content_loc"),
                detail,
                "",
            ));
        }
        self.line(out, 2);
        out.extend_from_slice(b"</");
        out.extend_from_slice(spec.element.as_bytes());
        out.push(b'>');
        Ok(())
    }

    /// All values of one field of a record; returns the last as written, empty if none was.
    fn field(&mut self, spec: &Spec, field: &Field, record: &Record, out: &mut Vec<u8>) -> Outcome<String> {
        let name = path(spec, field.key);
        let item = find(record, field.key);
        let values = item.map(Item::values).unwrap_or_default();
        let count = values
            .iter()
            .filter(|value| value.is_some_and(|it| !is_empty(it)))
            .count();
        if count > field.most {
            let detail = format!("{count} given, {} at most", field.most);
            return Err(Refusal::new(Reason::TooMany, &name, &detail, ""));
        }
        let mut last = String::new();
        for (position, value) in values.into_iter().enumerate() {
            let Some(value) = value.filter(|value| !is_empty(value)) else {
                continue;
            };
            let start = out.len();
            let done = self.field_value(spec, field, record, (position, value), out);
            if done.is_err() {
                out.truncate(start);
            }
            if let Some(text) = self.or_without(done, field.required)? {
                last = text;
            }
        }
        Ok(last)
    }

    fn field_value(
        &mut self,
        spec: &Spec,
        field: &Field,
        record: &Record,
        (position, value): (usize, &Value),
        out: &mut Vec<u8>,
    ) -> Outcome<String> {
        let text = self.checked(value, field.kind, &path(spec, field.key))?.into_owned();
        self.line(out, if field.inside.is_empty() { 3 } else { 4 });
        out.push(b'<');
        out.extend_from_slice(field.element.as_bytes());
        for attribute in field.attributes {
            self.attribute(spec, attribute, record, position, out)?;
        }
        out.push(b'>');
        push_text(out, &text);
        out.extend_from_slice(b"</");
        out.extend_from_slice(field.element.as_bytes());
        out.push(b'>');
        Ok(text)
    }

    fn attribute(
        &mut self,
        spec: &Spec,
        attribute: &Attribute,
        record: &Record,
        position: usize,
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        let values = find(record, attribute.key).map(Item::values).unwrap_or_default();
        let value = values.get(position).copied().flatten().filter(|value| !is_empty(value));
        let name = path(spec, attribute.key);
        let Some(value) = value else {
            if attribute.required {
                return Err(Refusal::new(Reason::FieldMissing, &name, "", ""));
            }
            return Ok(());
        };
        let text = self.checked(value, attribute.kind, &name)?;
        out.push(b' ');
        out.extend_from_slice(attribute.name.as_bytes());
        out.extend_from_slice(b"=\"");
        push_attribute(out, &text);
        out.push(b'"');
        Ok(())
    }

    /// An element of a namespace of the user's own; returns the bit of that namespace.
    fn own(&mut self, name: &str, value: &Value, out: &mut Vec<u8>) -> Outcome<Namespaces> {
        if is_empty(value) {
            return Ok(0);
        }
        let prefix = name.split(':').next().unwrap_or_default();
        let Some(number) = self.options.namespaces.iter().position(|(known, _)| known == prefix) else {
            return Err(Refusal::new(
                Reason::NotAnEntry,
                name,
                "no namespace has this prefix",
                "",
            ));
        };
        let bit = 1 << (FIRST_OWN + number as u32);
        let text = value.text();
        let text = self.clean(&text, name)?;
        self.line(out, 2);
        out.push(b'<');
        out.extend_from_slice(name.as_bytes());
        self.declare_here(out, bit);
        out.push(b'>');
        push_text(out, text.trim());
        out.extend_from_slice(b"</");
        out.extend_from_slice(name.as_bytes());
        out.push(b'>');
        Ok(bit)
    }

    /// The value as it is written, once it is what such a field may hold.
    fn checked<'a>(&mut self, value: &'a Value, kind: Kind, name: &str) -> Outcome<Cow<'a, str>> {
        if let Kind::Date = kind {
            return dates::exact(value, name);
        }
        let given = match value {
            // A number of seconds or a count may come as 12.0.
            Value::Float(number) if matches!(kind, Kind::Integer(..)) && number.fract() == 0.0 => {
                Cow::Owned(format!("{number:.0}"))
            }
            _ => value.text(),
        };
        let text = match given {
            Cow::Borrowed(text) => match self.clean(text, name)? {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
                Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
            },
            Cow::Owned(text) => Cow::Owned(self.clean(&text, name)?.trim().to_owned()),
        };
        if let Kind::Url = kind {
            let url = self.urls.good(&text, name)?.text.into_owned();
            return Ok(Cow::Owned(url));
        }
        match fault(&text, kind) {
            None => Ok(text),
            Some(wanted) => Err(Refusal::new(Reason::FieldInvalid, name, &wanted, &text)),
        }
    }

    /// The text without forbidden characters, which are refused or, when asked for, left out.
    #[inline]
    fn clean<'a>(&self, text: &'a str, name: &str) -> Outcome<Cow<'a, str>> {
        if !has_forbidden(text) {
            return Ok(Cow::Borrowed(text));
        }
        if self.options.strip {
            return Ok(Cow::Owned(strip_forbidden(text)));
        }
        let found = text.chars().find(|ch| has_forbidden(ch.encode_utf8(&mut [0; 4])));
        let detail = found.map_or_else(String::new, |ch| format!("U+{:04X}", ch as u32));
        Err(Refusal::new(Reason::ForbiddenCharacter, name, &detail, text))
    }

    /// What was found, or nothing where the entry can do without it and fields may be left out.
    #[inline]
    fn or_without<T>(&mut self, found: Outcome<T>, required: bool) -> Outcome<Option<T>> {
        match found {
            Ok(value) => Ok(Some(value)),
            Err(refusal) if self.options.drop_fields && !required => {
                self.dropped.push(refusal);
                Ok(None)
            }
            Err(refusal) => Err(refusal),
        }
    }

    #[inline]
    fn element(&self, out: &mut Vec<u8>, depth: usize, name: &str, text: &str) {
        self.line(out, depth);
        out.push(b'<');
        out.extend_from_slice(name.as_bytes());
        out.push(b'>');
        push_text(out, text);
        out.extend_from_slice(b"</");
        out.extend_from_slice(name.as_bytes());
        out.push(b'>');
    }

    fn open(&self, out: &mut Vec<u8>, element: &str) {
        if !element.is_empty() {
            self.line(out, 3);
            out.push(b'<');
            out.extend_from_slice(element.as_bytes());
            out.push(b'>');
        }
    }

    fn close(&self, out: &mut Vec<u8>, element: &str) {
        if !element.is_empty() {
            self.line(out, 3);
            out.extend_from_slice(b"</");
            out.extend_from_slice(element.as_bytes());
            out.push(b'>');
        }
    }

    /// When pretty, a new line indented so deep; else nothing.
    #[inline]
    fn line(&self, out: &mut Vec<u8>, depth: usize) {
        if self.options.pretty {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        }
    }

    /// The declaration of a namespace that the document does not declare.
    fn declare_here(&self, out: &mut Vec<u8>, bit: Namespaces) {
        if self.declared & bit == 0 {
            push_declarations(out, bit, &self.options);
        }
    }
}

/// Appends a lastmod that needs no escaping.
#[inline]
fn push_lastmod(out: &mut Vec<u8>, text: &str, pretty: bool) {
    out.extend_from_slice(if pretty { b"\n    <lastmod>" } else { b"<lastmod>" });
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(b"</lastmod>");
}

/// Appends ` xmlns:…="…"` for each of the namespaces.
pub fn push_declarations(out: &mut Vec<u8>, namespaces: Namespaces, options: &Options) {
    let own = options
        .namespaces
        .iter()
        .map(|(prefix, uri)| (prefix.as_str(), uri.as_str()));
    for (number, (prefix, uri)) in BUILT_IN.into_iter().chain(own).enumerate() {
        if namespaces & (1 << number) != 0 {
            out.extend_from_slice(b" xmlns:");
            out.extend_from_slice(prefix.as_bytes());
            out.extend_from_slice(b"=\"");
            push_attribute(out, uri);
            out.push(b'"');
        }
    }
}

impl Item<'_> {
    fn values(&self) -> Vec<Option<&Value<'_>>> {
        match self {
            Item::One(value) => vec![Some(value)],
            Item::Many(values) => values.iter().map(Option::as_ref).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Item::One(value) => is_empty(value),
            Item::Many(values) => values.iter().all(|value| value.as_ref().is_none_or(is_empty)),
        }
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.trim().is_empty())
}

fn find<'r, 'a>(record: &'r Record<'a>, key: &str) -> Option<&'r Item<'a>> {
    record.iter().find(|(name, _)| name == key).map(|(_, item)| item)
}

fn path(spec: &Spec, key: &str) -> String {
    format!("{}.{key}", spec.name)
}
