//! Reads the attributes of a start tag: unescapes them, binds their namespaces, and detects duplicates.

use std::collections::HashSet;
use std::hash::Hash;

use super::Xml;
use super::attributes::{ReadAttribute, Standing, Value};
use super::chars::{Contents, is_local_name};
use super::namespace::Resolved;
use super::reference::{Setting, Unescape};
use super::sink::Sink;
use super::vocabulary::{Vocabulary, XML_URI, XMLNS_URI, classify};
use crate::anomaly::AnomalyKind;

impl<S: Sink> Xml<S> {
    /// Unescapes the attributes of the start tag just read, binds the namespaces that it declares, and checks both.
    pub(super) fn read_attributes(&mut self) {
        self.read.clear();
        self.unescaped.clear();
        let Self {
            window,
            notes,
            entities,
            tokenizer,
            read,
            unescaped,
            namespaces,
            ..
        } = self;
        for attribute in &tokenizer.attributes {
            let raw = window.text(attribute.value.clone());
            let contents = Contents::of(raw.as_bytes());
            let references = notes.count(AnomalyKind::DeclaredEntity);
            let value = if contents.is_plain() && !contents.line_or_tab {
                Value::Window(attribute.value.clone())
            } else {
                let begin = unescaped.len();
                Unescape {
                    window,
                    notes,
                    entities,
                    setting: Setting::Attribute,
                    field: None,
                }
                .append(raw, attribute.value.start, contents, unescaped);
                Value::Unescaped(begin..unescaped.len())
            };
            read.push(ReadAttribute {
                name: attribute.name.clone(),
                value,
                standing: if notes.count(AnomalyKind::DeclaredEntity) > references {
                    Standing::RefersToEntity
                } else {
                    Standing::Good
                },
            });
        }
        let text = window.as_str();
        let mut declared = Seen::new(read.len());
        for attribute in read.iter_mut() {
            let name = &text[attribute.name.clone()];
            let prefix = match name.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            if !declared.insert(name) {
                // Of two declarations with the same name, the first counts, too.
                continue;
            }
            let uri = attribute.value.text(text, unescaped);
            let reserved = match prefix {
                "" => uri == XML_URI || uri == XMLNS_URI,
                "xml" => uri != XML_URI,
                "xmlns" => true,
                _ => uri.is_empty() || uri == XML_URI || uri == XMLNS_URI || !is_local_name(prefix),
            };
            let is_nameless = name == "xmlns:";
            let is_malformed = reserved || is_nameless;
            if is_malformed {
                let place = window.place(attribute.name.start);
                notes.add(AnomalyKind::NamespaceMalformed, place, None, name);
                attribute.mark(Standing::Unfit);
            } else if !namespaces.is_sound_or_known(uri) {
                // A misspelled namespace of a known vocabulary is noted as that, where it is used.
                if classify(uri).0 == Vocabulary::Foreign {
                    let place = window.place(attribute.name.start);
                    notes.add(AnomalyKind::NamespaceNotUri, place, None, uri);
                }
                attribute.mark(Standing::Unfit);
            }
            if prefix != "xml" && !is_nameless {
                namespaces.bind(prefix, uri, || {
                    let place = window.place(attribute.name.start);
                    (i64::from(place.line), i64::from(place.col))
                });
            }
        }
        self.check_attribute_names();
    }

    /// Checks that no attribute occurs twice, by its name as written or by its namespace, and that no prefix is
    /// undeclared.
    pub(super) fn check_attribute_names(&mut self) {
        let Self {
            window,
            notes,
            read,
            namespaces,
            ..
        } = self;
        let text = window.as_str();
        let mut written = Seen::new(read.len());
        let mut expanded = Seen::new(read.len());
        for attribute in read.iter_mut() {
            let name = &text[attribute.name.clone()];
            let mut note = |kind, standing| {
                notes.add(kind, window.place(attribute.name.start), None, name);
                attribute.mark(standing);
            };
            if !written.insert(name) {
                note(AnomalyKind::DuplicateAttribute, Standing::Repeated);
                continue;
            }
            let Some((prefix, local)) = name.split_once(':') else {
                continue;
            };
            if prefix == "xmlns" {
                continue;
            }
            if prefix.is_empty() || !is_local_name(local) {
                note(AnomalyKind::NamespaceMalformed, Standing::Unfit);
                continue;
            }
            match namespaces.resolve(prefix) {
                Resolved::Undeclared => note(AnomalyKind::UndeclaredPrefix, Standing::Unfit),
                Resolved::None => {}
                Resolved::Namespace(id) => {
                    if !expanded.insert((id, local)) {
                        note(AnomalyKind::DuplicateAttribute, Standing::Repeated);
                    }
                }
            }
        }
    }
}

/// Items seen before. In any reasonable start tag they are few, and a linear search is cheapest.
enum Seen<T> {
    Few(Vec<T>),
    Many(HashSet<T>),
}

impl<T: Eq + Hash> Seen<T> {
    fn new(most: usize) -> Self {
        if most <= 16 {
            Self::Few(Vec::new())
        } else {
            Self::Many(HashSet::new())
        }
    }

    /// Returns false if it was there already.
    fn insert(&mut self, one: T) -> bool {
        match self {
            Self::Few(list) => {
                let is_new = !list.contains(&one);
                if is_new {
                    list.push(one);
                }
                is_new
            }
            Self::Many(set) => set.insert(one),
        }
    }
}
