//! Names and namespaces of the result: which prefix an element gets, and what its prefixes are bound to.

use std::collections::{BTreeMap, BTreeSet};

use super::listen::{Noted, Start};
use super::markup::TagOut;
use crate::anomaly::{AnomalyKind, evidence};
use crate::read::rows::Extension;
use crate::read::xml::Vocabulary;
use crate::read::xml::is_local_name;
use crate::read::xml::namespace::{XML_URI, XMLNS_URI, classify, customary_prefix, is_uri_reference, uri_of};

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

/// What is done with a declaration.
enum Fate {
    Keep,
    Set(&'static str),
    Remove,
}

/// The names that the result uses.
#[derive(Default)]
pub struct Names {
    /// The prefix of the sitemap's own elements.
    pub prefix: String,
    /// What the root element binds, as the result has it.
    pub bound: BTreeMap<String, String>,
    /// What the root element must bind besides.
    pub needed: BTreeMap<String, String>,
    /// Whether the elements at hand are of a root that was dropped, whose declarations went with it.
    pub is_merged: bool,
    /// Prefixes that the entry at hand declares, from its start tag inwards.
    pub local: Vec<String>,
    /// Prefixes whose declaration could not be kept: they mean nothing.
    dropped: BTreeSet<String>,
}

pub fn join(prefix: &str, local: &str) -> String {
    if prefix.is_empty() {
        local.to_owned()
    } else {
        format!("{prefix}:{local}")
    }
}

/// The attribute that declares a prefix.
pub fn own_declaration(prefix: &str) -> String {
    if prefix.is_empty() {
        "xmlns".to_owned()
    } else {
        format!("xmlns:{prefix}")
    }
}

/// The prefix that an attribute declares.
fn declares(name: &str) -> Option<&str> {
    match name.strip_prefix("xmlns") {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix(':').filter(|prefix| !prefix.is_empty()),
        None => None,
    }
}

impl Names {
    /// The name of an element of the protocol.
    pub fn own(&self, start: &Start, local: &str) -> String {
        let keeps_prefix =
            !self.is_merged && start.vocabulary == Vocabulary::Sitemap && start.exact && self.is_declared_around(start);
        let prefix = if keeps_prefix { &start.prefix } else { &self.prefix };
        join(prefix, local)
    }

    /// The name of an element of an extension.
    pub fn extension(&mut self, start: &Start, extension: Extension, local: &str) -> String {
        let vocabulary = vocabulary_of(extension);
        let is_its_own = start.vocabulary == vocabulary
            || (start.vocabulary == Vocabulary::Foreign && customary_prefix(&start.prefix) == Some(vocabulary));
        let uri = uri_of(vocabulary).unwrap_or_default();
        if is_its_own && start.is_bound {
            self.ensure(start, uri);
            return join(&start.prefix, local);
        }
        let customary = prefix_of(vocabulary);
        let known = self
            .bound
            .iter()
            .find(|(prefix, bound)| !prefix.is_empty() && bound.as_str() == uri);
        let prefix = match known {
            Some((prefix, _)) => prefix.clone(),
            None => {
                // The customary prefix, unless it stands for something else.
                let mut prefix = customary.to_owned();
                while self.bound.contains_key(&prefix) || self.needed.get(&prefix).is_some_and(|known| known != uri) {
                    prefix.push('_');
                }
                self.needed.insert(prefix.clone(), uri.to_owned());
                prefix
            }
        };
        join(&prefix, local)
    }

    /// Sees to it that a prefix is bound, when what bound it does not stand around the element any more.
    pub fn ensure(&mut self, start: &Start, uri: &str) {
        if !self.is_declared_around(start) && !uri.is_empty() && !start.prefix.is_empty() && start.prefix != "xml" {
            let uri = self.right_uri(&start.prefix, uri);
            if uri.is_empty() {
                self.dropped.insert(start.prefix.clone());
            } else {
                self.needed.entry(start.prefix.clone()).or_insert(uri);
            }
        }
    }

    /// Sees to it that the customary prefix of an extension is bound.
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

    /// Whether the result declares an element's prefix on the element or around it. What declared it in the document
    /// may have ended before, or not be written.
    fn is_declared_around(&self, start: &Start) -> bool {
        let own = own_declaration(&start.prefix);
        start.attributes.iter().any(|(attribute, _)| *attribute == own)
            || self.local.contains(&start.prefix)
            || self.bound.contains_key(&start.prefix)
    }

    /// What a prefix is to be bound to, where somebody else's declaration is made anew; empty where it cannot be.
    fn right_uri(&self, prefix: &str, uri: &str) -> String {
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

    /// The attributes of an element: each once, with names that mean something and namespaces put right. Whether any
    /// declaration was changed is told apart from other changes.
    pub fn tag(&mut self, start: &Start, name: String, noted: &Noted, is_own: bool) -> (TagOut, bool) {
        let mut tag = TagOut {
            is_changed: name != start.name,
            name,
            attributes: Vec::with_capacity(start.attributes.len()),
        };
        let mut renamespaced = false;
        for (attribute, value) in &start.attributes {
            if tag.attributes.iter().any(|(known, _)| known == attribute) {
                tag.is_changed = true;
                continue;
            }
            if let Some(prefix) = declares(attribute) {
                let uri = match self.fate(prefix, value, is_own) {
                    // A name that is no URI is complained of where it is met first.
                    Fate::Keep if is_noted(attribute, noted) || !is_uri_reference(value) => {
                        tag.is_changed = true;
                        sound(prefix, value)
                    }
                    Fate::Keep => Some(value.clone()),
                    Fate::Set(right) => {
                        (tag.is_changed, renamespaced) = (true, true);
                        may_be_bound(prefix).then(|| right.to_owned())
                    }
                    Fate::Remove => {
                        (tag.is_changed, renamespaced) = (true, true);
                        continue;
                    }
                };
                match uri {
                    Some(uri) => tag.attributes.push((attribute.clone(), uri)),
                    None => {
                        self.dropped.insert(prefix.to_owned());
                    }
                }
                continue;
            }
            if self.is_unfit(attribute, noted) {
                let is_xsi = attribute.strip_prefix("xsi:").is_some_and(is_local_name);
                if is_xsi && !self.bound.contains_key("xsi") {
                    self.needed.insert("xsi".to_owned(), XSI.to_owned());
                } else {
                    tag.is_changed = true;
                    continue;
                }
            }
            tag.attributes.push((attribute.clone(), value.clone()));
        }
        let declared = tag.attributes.iter().filter_map(|(attribute, _)| declares(attribute));
        self.local.extend(declared.map(str::to_owned));
        (tag, renamespaced)
    }

    /// The root element, with its namespaces put right.
    pub fn root(&mut self, start: &Start, name: &str, noted: &Noted) -> TagOut {
        // A prefix that breaks the rules of names is none.
        self.prefix = if start.prefix.is_empty() || noted.has(AnomalyKind::NamespaceMalformed) {
            String::new()
        } else {
            start.prefix.clone()
        };
        let (mut tag, _) = self.tag(start, join(&self.prefix, name), noted, true);
        let sitemap = uri_of(Vocabulary::Sitemap).unwrap_or_default();
        let own = own_declaration(&self.prefix);
        if !tag.attributes.iter().any(|(attribute, _)| *attribute == own) {
            tag.attributes.insert(0, (own, sitemap.to_owned()));
            tag.is_changed = true;
        }
        self.local.clear();
        for (attribute, value) in &tag.attributes {
            if let Some(prefix) = declares(attribute) {
                self.bound.insert(prefix.to_owned(), value.clone());
            }
        }
        tag
    }

    /// A root that is dropped: what it binds is still needed.
    pub fn merge(&mut self, start: &Start) {
        self.is_merged = true;
        for (attribute, value) in &start.attributes {
            let Some(prefix) = declares(attribute).filter(|prefix| !prefix.is_empty()) else {
                continue;
            };
            let uri = self.right_uri(prefix, value);
            if !self.bound.contains_key(prefix) && !uri.is_empty() && may_be_bound(prefix) {
                self.needed.insert(prefix.to_owned(), uri);
            }
        }
    }
}

/// A namespace's name that is no URI, made one; None where the declaration itself is against the rules.
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

/// Whether a prefix may be bound to a namespace of one's choice.
fn may_be_bound(prefix: &str) -> bool {
    prefix.is_empty() || (prefix != "xml" && prefix != "xmlns" && is_local_name(prefix))
}

/// Whether the reader complained of an attribute's prefix or name.
fn is_noted(name: &str, noted: &Noted) -> bool {
    noted.0.iter().any(|anomaly| {
        matches!(
            anomaly.kind,
            AnomalyKind::UndeclaredPrefix | AnomalyKind::NamespaceMalformed
        ) && anomaly.evidence == evidence(name)
    })
}

impl Names {
    /// Whether an attribute's name has a prefix that means nothing, or breaks the rules of names.
    fn is_unfit(&self, name: &str, noted: &Noted) -> bool {
        let prefix = name.split_once(':').map(|(prefix, _)| prefix);
        is_noted(name, noted) || prefix.is_some_and(|prefix| self.dropped.contains(prefix))
    }

    /// Whether an element's own name has a prefix that means nothing, or breaks the rules of names.
    pub fn is_nameless(&self, start: &Start, noted: &Noted) -> bool {
        let full = &start.name;
        let is_in_none = !start.prefix.is_empty() && !start.is_bound;
        is_in_none
            || self.dropped.contains(&start.prefix)
            || noted.0.iter().any(|anomaly| match anomaly.kind {
                AnomalyKind::UndeclaredPrefix => anomaly.evidence == evidence(&format!("<{full}>")),
                AnomalyKind::NamespaceMalformed => anomaly.evidence == evidence(full),
                _ => false,
            })
    }
}
