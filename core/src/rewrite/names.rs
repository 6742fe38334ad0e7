//! Names and namespaces of the result: the prefix of each element, and the namespaces that prefixes are bound to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::account::{LeftOut, Omissions};
use super::listen::{Attribute, Start, has_lost_bytes};
use super::local::Local;
use super::markup::TagOut;
use crate::read::rows::Extension;
use crate::read::xml::uri::is_uri_reference;
use crate::read::xml::vocabulary::{XML_URI, XMLNS_URI, classify, customary_prefix, uri_of};
use crate::read::xml::{Standing, Vocabulary, is_local_name};

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

pub const fn vocabulary_of(extension: Extension) -> Vocabulary {
    match extension {
        Extension::Alternate => Vocabulary::Xhtml,
        Extension::Image => Vocabulary::Image,
        Extension::Video => Vocabulary::Video,
        Extension::News => Vocabulary::News,
    }
}

const fn prefix_of(vocabulary: Vocabulary) -> &'static str {
    match vocabulary {
        Vocabulary::Image => "image",
        Vocabulary::Video => "video",
        Vocabulary::News => "news",
        Vocabulary::Xhtml => "xhtml",
        _ => "",
    }
}

/// What happens to a declaration.
enum Fate {
    Keep,
    Set(&'static str),
    Remove,
}

/// The names used in the result.
#[derive(Default)]
pub struct Names {
    /// The prefix of elements in the sitemap namespace.
    pub prefix: String,
    /// The bindings of the root element in the result.
    bound: BTreeMap<String, String>,
    /// By namespace: the first prefix that the root element binds to it.
    prefixes: HashMap<String, String>,
    /// By namespace: the prefix assigned to an extension that the root element does not bind.
    given: HashMap<&'static str, String>,
    /// Additional bindings that the root element needs.
    needed: BTreeMap<String, String>,
    /// Whether the current elements belong to a root that was dropped together with its declarations.
    pub is_merged: bool,
    /// Prefixes that the current entry declares, from its start tag inwards.
    pub local: Local,
    /// Prefixes whose declaration could not be kept: they are undefined.
    dropped: BTreeSet<String>,
}

pub fn join(prefix: &str, local: &str) -> String {
    if prefix.is_empty() {
        local.to_owned()
    } else {
        format!("{prefix}:{local}")
    }
}

/// Returns the name of an element, borrowed from its tag if unchanged.
fn named<'a>(start: &Start<'a>, prefix: &str, local: &str) -> Cow<'a, str> {
    let colon = usize::from(!prefix.is_empty());
    let stays =
        start.local == local && start.prefix == prefix && start.name.len() == prefix.len() + colon + local.len();
    if stays {
        start.name.into()
    } else {
        join(prefix, local).into()
    }
}

/// Returns whether an element declares the prefix of its own name.
fn declares_its_prefix(start: &Start) -> bool {
    start
        .attributes()
        .any(|attribute| declares(attribute.name) == Some(start.prefix))
}

/// Returns the vocabulary that the reader assumed, because the prefix is a customary one that nothing declares.
fn assumed(start: &Start) -> Option<Vocabulary> {
    customary_prefix(start.prefix).filter(|&meant| !start.is_bound() && meant == start.seen.vocabulary)
}

/// Returns the attribute that declares a prefix.
pub fn own_declaration(prefix: &str) -> String {
    if prefix.is_empty() {
        "xmlns".to_owned()
    } else {
        format!("xmlns:{prefix}")
    }
}

/// Returns the prefix that an attribute declares.
fn declares(name: &str) -> Option<&str> {
    match name.strip_prefix("xmlns") {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(':').filter(|prefix| !prefix.is_empty()),
        None => None,
    }
}

impl Names {
    /// Returns the name of an element of the protocol.
    pub fn own<'a>(&self, start: &Start<'a>, local: &str) -> Cow<'a, str> {
        let keeps_prefix = !self.is_merged
            && start.seen.vocabulary == Vocabulary::Sitemap
            && start.seen.exact
            && self.is_declared_around(start);
        let prefix = if keeps_prefix { start.prefix } else { &self.prefix };
        named(start, prefix, local)
    }

    /// Returns the name of an element of an extension.
    pub fn extension<'a>(&mut self, start: &Start<'a>, extension: Extension, local: &str) -> Cow<'a, str> {
        let vocabulary = vocabulary_of(extension);
        let is_its_own = start.seen.vocabulary == vocabulary
            || (start.seen.vocabulary == Vocabulary::Foreign && customary_prefix(start.prefix) == Some(vocabulary));
        let uri = uri_of(vocabulary).unwrap_or_default();
        if is_its_own && start.is_bound() && self.may_mean(start, uri) {
            self.ensure(start, uri);
            return named(start, start.prefix, local);
        }
        if let Some(prefix) = self.prefixes.get(uri) {
            return named(start, prefix, local);
        }
        if let Some(prefix) = self.given.get(uri)
            && self.needed.get(prefix).is_some_and(|bound| bound == uri)
        {
            return named(start, prefix, local);
        }
        // The usual prefix, unless it is bound to something else.
        let mut prefix = prefix_of(vocabulary).to_owned();
        while self.bound.contains_key(&prefix) || self.needed.get(&prefix).is_some_and(|known| known != uri) {
            prefix.push('_');
        }
        self.needed.insert(prefix.clone(), uri.to_owned());
        self.given.insert(uri, prefix.clone());
        named(start, &prefix, local)
    }

    /// Returns whether an element's prefix has this namespace at its place in the result, or is still unbound.
    fn may_mean(&self, start: &Start, uri: &str) -> bool {
        let bound = self.bound.get(start.prefix).map(String::as_str);
        let around = self.local.uri(start.prefix).or(bound);
        around.is_none_or(|known| known == uri) || declares_its_prefix(start)
    }

    /// Records a binding of the root element.
    pub fn bind(&mut self, prefix: &str, uri: &str) {
        self.bound.insert(prefix.to_owned(), uri.to_owned());
        if !prefix.is_empty() {
            let first = self.prefixes.entry(uri.to_owned()).or_insert_with(|| prefix.to_owned());
            if prefix < first.as_str() {
                prefix.clone_into(first);
            }
        }
    }

    /// Returns the bindings that the root element needs in addition to its own.
    pub fn missing(&self) -> impl Iterator<Item = (&str, &str)> {
        self.needed
            .iter()
            .filter(|(prefix, _)| !self.bound.contains_key(*prefix))
            .map(|(prefix, uri)| (prefix.as_str(), uri.as_str()))
    }

    /// Ensures that a prefix is bound, if the element that bound it is no longer around this element, or if it is a
    /// customary one that the document does not declare.
    pub fn ensure(&mut self, start: &Start, uri: &str) {
        let uri = if uri.is_empty() {
            assumed(start).and_then(uri_of).unwrap_or_default()
        } else {
            uri
        };
        if !self.is_declared_around(start) && !uri.is_empty() && !start.prefix.is_empty() && start.prefix != "xml" {
            let uri = self.right_uri(start.prefix, uri);
            if uri.is_empty() {
                self.dropped.insert(start.prefix.to_owned());
            } else {
                self.needed.entry(start.prefix.to_owned()).or_insert(uri);
            }
        }
    }

    /// Ensures that the usual prefix of an extension is bound.
    pub fn ensure_customary(&mut self, extension: Extension) {
        let vocabulary = vocabulary_of(extension);
        let prefix = prefix_of(vocabulary);
        if !self.bound.contains_key(prefix)
            && !self.needed.contains_key(prefix)
            && let Some(uri) = uri_of(vocabulary)
        {
            self.needed.insert(prefix.to_owned(), uri.to_owned());
        }
    }

    /// Returns whether the result declares an element's prefix on the element or around it. The element that declared
    /// it in the document may have ended before, or may not be written.
    fn is_declared_around(&self, start: &Start) -> bool {
        self.bound.contains_key(start.prefix) || self.local.contains(start.prefix) || declares_its_prefix(start)
    }

    /// Returns the URI to bind a prefix to when a foreign declaration is rewritten; empty if it cannot be bound.
    pub fn right_uri(&self, prefix: &str, uri: &str) -> String {
        match self.fate(prefix, uri, false) {
            Fate::Set(right) => right.to_owned(),
            _ if is_uri_reference(uri) => uri.to_owned(),
            _ => sound(prefix, uri).unwrap_or_default(),
        }
    }

    fn fate(&self, prefix: &str, uri: &str, is_own: bool) -> Fate {
        let (vocabulary, exact) = classify(uri);
        let is_sitemap = vocabulary == Vocabulary::Sitemap && exact;
        if is_own && prefix == self.prefix {
            return if is_sitemap { Fate::Keep } else { Fate::Remove };
        }
        let meant = match vocabulary {
            Vocabulary::Foreign if !uri.is_empty() => customary_prefix(prefix).filter(|it| it.is_extension()),
            Vocabulary::Sitemap if !exact && customary_prefix(prefix).is_some_and(Vocabulary::is_extension) => {
                customary_prefix(prefix)
            }
            Vocabulary::Sitemap => Some(vocabulary),
            known if known.is_extension() => Some(known),
            _ => None,
        };
        match meant.and_then(uri_of) {
            Some(right) if !exact || vocabulary == Vocabulary::Foreign => Fate::Set(right),
            _ => Fate::Keep,
        }
    }

    /// Returns the attributes of an element: each once, with valid names and corrected namespaces. Whether a
    /// declaration was changed is returned separately from other changes.
    pub fn tag<'a>(&mut self, start: &Start<'a>, name: Cow<'a, str>, is_own: bool) -> (TagOut<'a>, bool) {
        let mut tag = TagOut {
            is_changed: name != start.name,
            name,
            attributes: Vec::new(),
        };
        let mut renamespaced = false;
        for attribute in start.attributes() {
            if matches!(attribute.standing, Standing::Repeated | Standing::RefersToEntity) {
                tag.is_changed = true;
                if let Some(prefix) = declares(attribute.name).filter(|_| attribute.standing != Standing::Repeated) {
                    self.dropped.insert(prefix.to_owned());
                }
                continue;
            }
            if let Some(prefix) = declares(attribute.name) {
                let fate = self.fate(prefix, attribute.value, is_own);
                tag.is_changed |= self.declare(attribute, prefix, &fate, &mut tag.attributes);
                renamespaced |= !matches!(fate, Fate::Keep);
                continue;
            }
            if self.is_unfit(attribute) {
                let is_xsi = attribute.name.strip_prefix("xsi:").is_some_and(is_local_name);
                if is_xsi && !has_lost_bytes(attribute.name) && !self.bound.contains_key("xsi") {
                    self.needed.insert("xsi".to_owned(), XSI.to_owned());
                } else {
                    tag.is_changed = true;
                    continue;
                }
            }
            tag.attributes.push((attribute.name.into(), attribute.value.into()));
        }
        for (attribute, uri) in &tag.attributes {
            if let Some(prefix) = declares(attribute) {
                self.local.push(prefix, uri);
            }
        }
        (tag, renamespaced)
    }

    /// Writes the declaration of a prefix, as far as it can be kept. Returns whether it was changed.
    fn declare<'a>(
        &mut self,
        attribute: Attribute<'a>,
        prefix: &str,
        fate: &Fate,
        attributes: &mut Vec<(Cow<'a, str>, Cow<'a, str>)>,
    ) -> bool {
        let value = attribute.value;
        let (uri, is_changed): (Option<Cow<str>>, bool) = match fate {
            // A namespace that is not a URI is reported where it occurs first.
            Fate::Keep if attribute.standing == Standing::Unfit || !is_uri_reference(value) => {
                (sound(prefix, value).map(Cow::Owned), true)
            }
            Fate::Keep => (Some(value.into()), false),
            Fate::Set(right) => (may_be_bound(prefix).then(|| (*right).into()), true),
            Fate::Remove => return true,
        };
        match uri {
            Some(uri) => attributes.push((attribute.name.into(), uri)),
            None => {
                self.dropped.insert(prefix.to_owned());
            }
        }
        is_changed
    }

    /// Returns the root element with corrected namespaces.
    pub fn root<'a>(&mut self, start: &Start<'a>, name: &str, left_out: &mut Omissions) -> TagOut<'a> {
        // A prefix that must not be bound is invalid, and so is one whose own declaration cannot be read; problems of
        // other attributes do not matter.
        let own = own_declaration(start.prefix);
        let is_lost = start
            .attributes()
            .any(|one| one.name == own && matches!(one.standing, Standing::RefersToEntity | Standing::Unfit));
        self.prefix = if is_lost || !may_be_bound(start.prefix) {
            String::new()
        } else {
            start.prefix.to_owned()
        };
        let (mut tag, _) = self.tag(start, named(start, &self.prefix, name), true);
        for attribute in start.attributes() {
            if attribute.standing == Standing::RefersToEntity {
                let what = format!("{}=\"{}\"", attribute.name, attribute.value);
                left_out.add(LeftOut::Entity, start.seen.line, &what);
            }
        }
        let sitemap = uri_of(Vocabulary::Sitemap).unwrap_or_default();
        let own = own_declaration(&self.prefix);
        if !tag.attributes.iter().any(|(attribute, _)| *attribute == own) {
            tag.attributes.insert(0, (own.into(), sitemap.into()));
            tag.is_changed = true;
        }
        self.local.clear();
        for (attribute, value) in &tag.attributes {
            if let Some(prefix) = declares(attribute) {
                self.bind(prefix, value);
            }
        }
        tag
    }

    /// Keeps the bindings of a root that is dropped, because they are still needed.
    pub fn merge(&mut self, start: &Start) {
        self.is_merged = true;
        for attribute in start.attributes() {
            let Some(prefix) = declares(attribute.name).filter(|prefix| !prefix.is_empty()) else {
                continue;
            };
            if attribute.standing == Standing::RefersToEntity {
                self.dropped.insert(prefix.to_owned());
                continue;
            }
            let uri = self.right_uri(prefix, attribute.value);
            if !self.bound.contains_key(prefix) && !uri.is_empty() && may_be_bound(prefix) {
                self.needed.insert(prefix.to_owned(), uri);
            }
        }
    }
}

/// Turns a namespace that is not a URI into one; returns `None` if the declaration itself violates the rules.
fn sound(prefix: &str, uri: &str) -> Option<String> {
    if prefix == "xsi" {
        return Some(XSI.to_owned());
    }
    if uri.is_empty() || !may_be_bound(prefix) {
        return None;
    }
    let mut escaped = String::with_capacity(uri.len());
    for ch in uri.chars() {
        if ch.is_ascii_graphic() && !matches!(ch, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}') {
            escaped.push(ch);
        } else {
            for byte in ch.encode_utf8(&mut [0; 4]).bytes() {
                escaped.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    (is_uri_reference(&escaped) && escaped != XML_URI && escaped != XMLNS_URI).then_some(escaped)
}

/// Returns whether a prefix may be bound to any namespace.
fn may_be_bound(prefix: &str) -> bool {
    let is_reserved = matches!(prefix, "xml" | "xmlns") || has_lost_bytes(prefix);
    prefix.is_empty() || (!is_reserved && is_local_name(prefix))
}

impl Names {
    /// Returns whether an attribute's name has an undefined prefix, or violates the rules of names.
    fn is_unfit(&self, attribute: Attribute) -> bool {
        let prefix = attribute.name.split_once(':').map(|(prefix, _)| prefix);
        attribute.standing == Standing::Unfit || prefix.is_some_and(|prefix| self.dropped.contains(prefix))
    }

    /// Returns whether an element's own name has an undefined prefix, or violates the rules of names.
    pub fn is_nameless(&self, start: &Start) -> bool {
        let is_unfit = if start.prefix.is_empty() || start.is_bound() {
            start.seen.is_unfit
        } else {
            assumed(start).is_none() || !is_local_name(start.local)
        };
        is_unfit || self.dropped.contains(start.prefix)
    }
}
