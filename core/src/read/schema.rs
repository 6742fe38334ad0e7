//! The document according to the official schemas: notes what they do not allow, if requested.
//!
//! It follows the elements in parallel to the reading, and does not affect it. The schemas are small: a root, entries
//! in it, and in an entry a sequence of values, then elements of other namespaces. Those must have a declaration, and
//! the two schemas of the protocol declare none.

use super::rows::EntryKind;
use super::window::Place;
use super::xml::chars::{is_all_space, is_space};
use super::xml::namespace::{Namespaces, Resolved};
use super::xml::sink::{Context, Tag};
use super::xml::vocabulary::Vocabulary;
use crate::anomaly::AnomalyKind;
use crate::value::schema as types;

/// <https://www.w3.org/TR/xmlschema-1/#Instance_Document_Constructions>
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A value of an entry, in the order of the sequence.
struct Field {
    name: &'static str,
    place: u8,
    /// Names of its types in `sitemap.xsd` and in `siteindex.xsd`.
    types: [&'static str; 2],
    is_right: fn(&str) -> bool,
    /// The anomaly of a value that does not have the type.
    wrong: AnomalyKind,
}

const FIELDS: [Field; 4] = [
    Field {
        name: "loc",
        place: 0,
        types: ["tLoc", "tLocSitemap"],
        is_right: types::is_loc,
        wrong: AnomalyKind::SchemaLoc,
    },
    Field {
        name: "lastmod",
        place: 1,
        types: ["tLastmod", "tLastmodSitemap"],
        is_right: types::is_lastmod,
        wrong: AnomalyKind::SchemaLastmod,
    },
    Field {
        name: "changefreq",
        place: 2,
        types: ["tChangeFreq", ""],
        is_right: types::is_changefreq,
        wrong: AnomalyKind::SchemaChangefreq,
    },
    Field {
        name: "priority",
        place: 3,
        types: ["tPriority", ""],
        is_right: types::is_priority,
        wrong: AnomalyKind::SchemaPriority,
    },
];

/// After all fields: elements of other namespaces.
const OTHERS: u8 = 4;

enum Level {
    Root {
        kind: EntryKind,
        place: Place,
        is_empty: bool,
    },
    Entry {
        kind: EntryKind,
        place: Place,
        has_loc: bool,
        /// Index of the next element that the sequence allows.
        next: u8,
    },
    Value {
        field: &'static Field,
        /// The name of its type.
        type_name: &'static str,
        place: Place,
        text: String,
    },
}

#[derive(Default)]
pub struct Schema {
    /// The open elements that are known.
    levels: Vec<Level>,
    /// Open elements below one that is not allowed; they are not checked.
    passed_over: usize,
}

impl Schema {
    /// Whether all characters of the next text are part of a value.
    pub fn is_in_value(&self) -> bool {
        self.passed_over == 0 && matches!(self.levels.last(), Some(Level::Value { .. }))
    }

    pub fn start(&mut self, context: &mut Context, tag: &Tag, namespaces: &Namespaces) {
        let level = if self.passed_over == 0 {
            self.level(context, tag)
        } else {
            None
        };
        match level {
            Some(level) => {
                check_attributes(context, tag, namespaces, type_of(&level));
                self.levels.push(level);
            }
            None => {
                if self.passed_over == 0 {
                    let seen = match tag.prefix {
                        "" => format!("<{}>", tag.local),
                        prefix => format!("<{prefix}:{}>", tag.local),
                    };
                    context.note(AnomalyKind::SchemaElement, tag.at, None, &seen);
                }
                self.passed_over += 1;
            }
        }
    }

    /// Returns the type of an element in the schemas, or `None` if it is not allowed here.
    fn level(&mut self, context: &Context, tag: &Tag) -> Option<Level> {
        let is_ours = tag.vocabulary == Vocabulary::Sitemap && tag.exact;
        let place = context.window.place(tag.at);
        match self.levels.last_mut() {
            None => {
                let kind = match tag.local {
                    "urlset" if is_ours => EntryKind::Url,
                    "sitemapindex" if is_ours => EntryKind::Child,
                    _ => return None,
                };
                let is_empty = true;
                Some(Level::Root { kind, place, is_empty })
            }
            Some(Level::Root { kind, is_empty, .. }) => {
                let name = match kind {
                    EntryKind::Url => "url",
                    EntryKind::Child => "sitemap",
                };
                if !is_ours || tag.local != name {
                    return None;
                }
                *is_empty = false;
                Some(Level::Entry {
                    kind: *kind,
                    place,
                    has_loc: false,
                    next: 0,
                })
            }
            Some(Level::Entry {
                kind, has_loc, next, ..
            }) => {
                let fields = match kind {
                    EntryKind::Url => &FIELDS[..],
                    EntryKind::Child => &FIELDS[..2],
                };
                let Some(field) = fields.iter().find(|field| is_ours && field.name == tag.local) else {
                    *next = if is_ours { *next } else { OTHERS };
                    return None;
                };
                *has_loc |= field.place == 0;
                if field.place < *next {
                    return None;
                }
                *next = field.place + 1;
                Some(Level::Value {
                    field,
                    type_name: field.types[usize::from(*kind == EntryKind::Child)],
                    place,
                    text: String::new(),
                })
            }
            Some(Level::Value { .. }) => None,
        }
    }

    /// `refers`: whether the text contains an entity reference. libxml2 validates no element that has one.
    pub fn text(&mut self, context: &mut Context, text: &str, at: usize, refers: bool) {
        if self.passed_over > 0 {
            return;
        }
        let is_value = match self.levels.last_mut() {
            None => return,
            Some(Level::Value {
                text: gathered, place, ..
            }) => {
                if gathered.is_empty() {
                    let bytes = context.window.bytes();
                    let begin = (at..bytes.len()).find(|&here| !is_space(bytes[here])).unwrap_or(at);
                    *place = context.window.place(begin);
                }
                gathered.push_str(text);
                true
            }
            Some(_) => false,
        };
        if refers || !(is_value || is_all_space(text.as_bytes())) {
            let field = match self.levels.last() {
                Some(Level::Value { field, .. }) => Some(field.name),
                _ => None,
            };
            context.note(AnomalyKind::SchemaText, at, field, text.trim());
        }
    }

    /// The innermost element ends.
    pub fn end(&mut self, context: &mut Context) {
        if self.passed_over > 0 {
            self.passed_over -= 1;
            return;
        }
        match self.levels.pop() {
            Some(Level::Value { field, place, text, .. }) if !(field.is_right)(&text) => {
                context.notes.add(field.wrong, place, Some(field.name.into()), &text);
            }
            Some(Level::Entry {
                place, has_loc: false, ..
            }) => {
                context
                    .notes
                    .add(AnomalyKind::SchemaIncomplete, place, Some("loc".into()), "no loc");
            }
            Some(Level::Root {
                kind,
                place,
                is_empty: true,
            }) => {
                let seen = match kind {
                    EntryKind::Url => "no url",
                    EntryKind::Child => "no sitemap",
                };
                context.notes.add(AnomalyKind::SchemaIncomplete, place, None, seen);
            }
            _ => {}
        }
    }

    /// The element that started last is too deep to be followed to its end.
    pub fn leave_unfollowed(&mut self) {
        self.passed_over = self.passed_over.saturating_sub(1);
    }
}

/// Returns the name of an element's type, which `xsi:type` may repeat, or `None` if it has none.
fn type_of(level: &Level) -> Option<&'static str> {
    match level {
        Level::Root { .. } => None,
        Level::Entry {
            kind: EntryKind::Url, ..
        } => Some("tUrl"),
        Level::Entry {
            kind: EntryKind::Child, ..
        } => Some("tSitemap"),
        Level::Value { type_name, .. } => Some(type_name),
    }
}

/// The schemas define no attributes; those of XML Schema itself give the locations of schemas, or repeat the type.
fn check_attributes(context: &mut Context, tag: &Tag, namespaces: &Namespaces, type_name: Option<&str>) {
    for (name, value) in tag.attributes.iter() {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if prefix == "xmlns" || name == "xmlns" {
            continue;
        }
        let is_instance = !prefix.is_empty() && uri_of(namespaces, prefix) == INSTANCE;
        let is_right = match local {
            "schemaLocation" | "noNamespaceSchemaLocation" => is_instance,
            "type" => is_instance && type_name.is_some_and(|name| is_type(namespaces, value, name)),
            _ => false,
        };
        if !is_right {
            context.note(
                AnomalyKind::SchemaAttribute,
                tag.at,
                None,
                &format!("{name}=\"{value}\""),
            );
        }
    }
}

fn is_type(namespaces: &Namespaces, value: &str, type_name: &str) -> bool {
    // XML Schema allows whitespace around it, but libxml2 does not find the type then.
    let (prefix, local) = value.split_once(':').unwrap_or(("", value));
    let is_ours = match namespaces.resolve(prefix) {
        Resolved::Namespace(id) => {
            let namespace = namespaces.get(id);
            namespace.exact && namespace.vocabulary == Vocabulary::Sitemap
        }
        _ => false,
    };
    is_ours && local == type_name
}

fn uri_of<'a>(namespaces: &'a Namespaces, prefix: &str) -> &'a str {
    match namespaces.resolve(prefix) {
        Resolved::Namespace(id) => &namespaces.get(id).uri,
        _ => "",
    }
}
