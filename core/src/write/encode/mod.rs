//! Encodes one entry as XML: checks it field by field, and appends it to a buffer or leaves the buffer as it was.

mod extensions;
pub mod namespaces;

use std::borrow::Cow;

use super::check::fault;
use super::days::Days;
use super::entry::{Entry, Value};
use super::escape::{has_forbidden, push_text, push_url, strip_forbidden};
use super::key::key_of;
use super::records::Kind;
use super::refusal::{Reason, Refusal};
use super::urls::{Good, Urls, has_parameter};
use super::{Options, dates};
use crate::limits::FIRST_DATE;
use crate::value::changefreq::CHANGEFREQS;
use crate::value::traits::{Trait, Traits};
use crate::value::trim;
use crate::value::url::traits::DOUBTS;
use crate::value::url::{ascii_host, has_xml_escape, hash, xml_unescaped};
use namespaces::{Namespaces, push_declarations};

/// Facts about an entry that was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    pub namespaces: Namespaces,
    /// lastmod as an instant, in microseconds since 1970.
    pub lastmod: Option<i64>,
    /// XXH64 of the normal form of the URL, seed 42.
    pub hash: u64,
    /// The key of the URL in the ledger, if there is one.
    pub key: u128,
    pub alternates: u32,
    pub images: u32,
    pub videos: u32,
    pub news: u32,
    /// Images with a field that Google has deprecated.
    pub deprecated: u32,
    /// Those fields: a bit for each of `DEPRECATED`.
    pub deprecated_fields: u8,
    /// Whether a URL had XML escapes, which were undone.
    pub unescaped: bool,
}

/// Encodes entries. Collects fields that were left out in `dropped`, for the caller to take.
pub struct Encoder {
    options: Options,
    urls: Urls,
    /// The host of the previous entry, which need not be checked again.
    host: String,
    days: Days,
    /// The namespaces that the document declares; any other is declared where it is used.
    declared: Namespaces,
    /// Whether a URL of the entry had XML escapes, which were undone.
    unescaped: bool,
    pub dropped: Vec<Refusal>,
}

type Outcome<T> = Result<T, Refusal>;

impl Encoder {
    /// Creates an encoder for documents that declare every namespace they use.
    pub fn new(options: Options) -> Self {
        Self {
            urls: Urls::new(options.base.clone()),
            options,
            host: String::new(),
            days: Days::new(),
            declared: Namespaces::MAX,
            unescaped: false,
            dropped: Vec::new(),
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// From here on, the document declares only these namespaces.
    pub fn declare(&mut self, namespaces: Namespaces) {
        self.declared = namespaces;
    }

    /// Appends the entry to `out`. If the entry is refused, `out` is unchanged.
    pub fn encode(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Outcome<Written> {
        self.whole(out, |encoder, out| {
            let mut written = Written::default();
            let loc = encoder.begin(entry.loc.as_deref().unwrap_or(""), entry.is_file, &mut written, out)?;
            written.lastmod = encoder.lastmod(entry.lastmod.as_ref(), out)?;
            encoder.hints(entry, out)?;
            if entry.is_extended() {
                encoder.extensions(entry, &loc, out, &mut written)?;
            }
            Ok(written)
        })
    }

    /// Same as `encode`, for an entry with at most these two fields, as most entries are.
    #[inline]
    pub fn encode_plain(&mut self, loc: &str, lastmod: Option<&Value>, out: &mut Vec<u8>) -> Outcome<Written> {
        self.whole(out, |encoder, out| {
            let mut written = Written::default();
            encoder.begin(loc, false, &mut written, out)?;
            written.lastmod = encoder.lastmod(lastmod, out)?;
            Ok(written)
        })
    }

    /// Writes an entry, and either ends it or removes it again.
    #[inline(always)]
    fn whole(
        &mut self,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Self, &mut Vec<u8>) -> Outcome<Written>,
    ) -> Outcome<Written> {
        let start = out.len();
        let dropped = self.dropped.len();
        let mut written = write(self, out);
        if std::mem::take(&mut self.unescaped)
            && let Ok(written) = &mut written
        {
            written.unescaped = true;
        }
        if written.is_err() {
            out.truncate(start);
            self.dropped.truncate(dropped);
        } else if self.options.pretty {
            self.line(out, 1);
            out.extend_from_slice(b"</url>");
        } else {
            out.extend_from_slice(b"</url>\n");
        }
        written
    }

    /// Starts an entry: checks and writes its URL, and returns it as written.
    #[inline]
    fn begin<'a>(
        &mut self,
        given: &'a str,
        is_file: bool,
        written: &mut Written,
        out: &mut Vec<u8>,
    ) -> Outcome<Cow<'a, str>> {
        let (loc, mut doubts) = if Urls::is_usual(given) {
            match self.urls.page(given, "loc") {
                Ok(found) => found,
                Err(refusal) => self.cleaned(given, refusal)?,
            }
        } else {
            self.unusual(given)?
        };
        if loc.host() != self.host {
            let hosts = &self.options.hosts;
            if !hosts.is_empty() && !hosts.iter().any(|host| ascii_host(loc.host()) == *host) {
                return Err(Refusal::new(Reason::OtherHost, "loc", loc.host(), &loc.text));
            }
            loc.host().clone_into(&mut self.host);
        }
        if let Some(names) = &self.options.sensitive {
            doubts = with_sensitive(doubts, &loc.text, names);
        }
        if is_file {
            doubts.remove(Trait::UnsetWord);
        }
        if doubts != Traits::default() && !self.options.doubtful {
            return Err(doubtful(doubts, &loc.text));
        }
        written.hash = hash(&loc.text) as u64;
        if self.options.merges.is_some() {
            written.key = key_of(&loc.text);
        }
        // Space for a typical entry, so that the buffer rarely grows.
        out.reserve(loc.text.len() * 6 + 128);
        if self.options.pretty {
            self.line(out, 1);
            out.extend_from_slice(b"<url>");
            self.line(out, 2);
            out.extend_from_slice(b"<loc>");
        } else {
            out.extend_from_slice(b"<url><loc>");
        }
        push_url(out, &loc.text);
        out.extend_from_slice(b"</loc>");
        Ok(loc.text)
    }

    /// Handles a URL that is relative, has XML escapes, or is neither http nor https.
    #[cold]
    fn unusual<'a>(&mut self, given: &str) -> Outcome<(Good<'a>, Traits)> {
        if trim(given).is_empty() {
            return Err(Refusal::new(Reason::LocMissing, "loc", "", ""));
        }
        self.unescaped |= has_xml_escape(given);
        let absolute = self.urls.absolute(given, "loc")?;
        let (good, doubts) = match self.urls.page(&absolute, "loc") {
            Ok((good, doubts)) => (good.into_owned(), doubts),
            Err(refusal) => self.cleaned(&absolute, refusal)?,
        };
        Ok((good, doubts))
    }

    /// Handles an invalid URL, which may be valid without the characters that XML forbids.
    #[cold]
    fn cleaned<'a>(&mut self, given: &str, refusal: Refusal) -> Outcome<(Good<'a>, Traits)> {
        if trim(given).is_empty() {
            return Err(Refusal::new(Reason::LocMissing, "loc", "", ""));
        }
        let cleaned = self.clean(given, "loc")?;
        if cleaned == given {
            return Err(refusal);
        }
        let (good, doubts) = self.urls.page(&cleaned, "loc")?;
        Ok((good.into_owned(), doubts))
    }

    #[inline]
    fn lastmod(&mut self, given: Option<&Value>, out: &mut Vec<u8>) -> Outcome<Option<i64>> {
        if let Some(Value::Day(days)) = given {
            let at = i64::from(*days) * 86_400_000_000;
            if at <= self.options.latest
                && (at >= FIRST_DATE || self.options.doubtful)
                && let Some(text) = self.days.get(*days)
            {
                push_lastmod(out, text, self.options.pretty);
                return Ok(Some(at));
            }
        }
        self.other_lastmod(given, out)
    }

    fn other_lastmod(&mut self, given: Option<&Value>, out: &mut Vec<u8>) -> Outcome<Option<i64>> {
        let missing = || Refusal::new(Reason::LastmodMissing, "lastmod", "", "");
        let read = match given.filter(|value| !is_empty(value)) {
            None => Ok(None),
            Some(value) => dates::lastmod(value, self.options.dates).and_then(|(text, at)| {
                if at > self.options.latest {
                    Err(Refusal::new(Reason::DateFuture, "lastmod", "", &value.text()))
                } else if at < FIRST_DATE && !self.options.doubtful {
                    Err(Refusal::new(Reason::DateDoubtful, "lastmod", "", &value.text()))
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

    /// Writes changefreq and priority.
    fn hints(&mut self, entry: &Entry, out: &mut Vec<u8>) -> Outcome<()> {
        if entry.changefreq.is_none() && entry.priority.is_none() {
            return Ok(());
        }
        let both = [
            ("changefreq", &entry.changefreq, Kind::OneOf(&CHANGEFREQS)),
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

    /// Returns the value as written, after checking that the field allows it.
    fn checked<'a>(&mut self, value: &'a Value, kind: Kind, name: &str) -> Outcome<Cow<'a, str>> {
        if let Kind::Date = kind {
            return dates::exact(value, name);
        }
        let given = match value {
            // An integer such as a number of seconds may be given as 12.0.
            Value::Float(number) if matches!(kind, Kind::Integer(..)) && number.fract() == 0.0 => {
                Cow::Owned(format!("{number:.0}"))
            }
            _ => value.text(),
        };
        let text = match given {
            Cow::Borrowed(text) => match self.clean(text, name)? {
                Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
                Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
            },
            Cow::Owned(text) => Cow::Owned(trim(&self.clean(&text, name)?).to_owned()),
        };
        if let Kind::Url = kind {
            let unescaped = xml_unescaped(&text);
            self.unescaped |= unescaped.is_some();
            let url = self.urls.good(unescaped.as_deref().unwrap_or(&text), name)?;
            return Ok(Cow::Owned(url.text.into_owned()));
        }
        match fault(&text, kind) {
            None => Ok(text),
            Some(wanted) => Err(Refusal::new(Reason::FieldInvalid, name, &wanted, &text)),
        }
    }

    /// Returns the text without forbidden characters, which are either refused or removed, depending on the options.
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

    /// Returns the result, or nothing if the field is optional and may be left out.
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

    /// Writes a new line indented to `depth` if the output is pretty.
    #[inline]
    fn line(&self, out: &mut Vec<u8>, depth: usize) {
        if self.options.pretty {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        }
    }

    /// Writes the declaration of a namespace that the document does not declare.
    fn declare_here(&self, out: &mut Vec<u8>, bit: Namespaces) {
        if self.declared & bit == 0 {
            push_declarations(out, bit, &self.options);
        }
    }
}

/// Adjusts the doubts about a URL for a custom list of sensitive parameters.
fn with_sensitive(mut doubts: Traits, loc: &str, names: &[String]) -> Traits {
    doubts.remove(Trait::Sensitive);
    if has_parameter(loc, names) {
        doubts.add(Trait::Sensitive);
    }
    doubts
}

/// Returns the refusal of a doubtful URL.
#[cold]
fn doubtful(doubts: Traits, loc: &str) -> Refusal {
    let found = DOUBTS.into_iter().filter(|&doubt| doubts.has(doubt));
    let detail = found.map(Trait::name).collect::<Vec<_>>().join(", ");
    Refusal::new(Reason::UrlDoubtful, "loc", &detail, loc)
}

/// Appends a lastmod that needs no escaping.
#[inline]
fn push_lastmod(out: &mut Vec<u8>, text: &str, pretty: bool) {
    out.extend_from_slice(if pretty { b"\n    <lastmod>" } else { b"<lastmod>" });
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(b"</lastmod>");
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Text(text) if trim(text).is_empty())
}
