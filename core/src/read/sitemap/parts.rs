//! Determines the role of an element from its namespace and name.

use super::Sitemap;
use crate::anomaly::AnomalyKind;
use crate::read::rows::{EntryKind, Extension, Rows};
use crate::read::xml::vocabulary::customary_prefix;
use crate::read::xml::{Context, Tag, Vocabulary};

/// The fields of an entry in the protocol itself, in the order of the schema's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Core {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

/// The role of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Root,
    Entry(EntryKind),
    Core(Core),
    /// A record of an extension.
    Record(Extension),
    /// A field of the open record, by its index.
    Field(Extension, u8),
    /// An element of an extension that only contains others: news:publication, video:tvshow.
    Group,
    Link,
    /// An element inside a text field: its text belongs to the field.
    Wrapper,
    /// The same next to the text of a URL: its tag is text with an unescaped <.
    Literal,
    /// An unknown element in a known namespace; it is ignored with its content.
    Unknown,
    /// The same, in an unknown namespace.
    Foreign,
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

impl Sitemap {
    pub(super) fn check_namespace(&mut self, context: &mut Context, tag: &Tag) {
        let kind = match tag.vocabulary {
            Vocabulary::Sitemap if tag.exact => return,
            // Its prefix is undeclared, which is already noted.
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

    /// Notes an entry or field that is not in the sitemap namespace, although the root is: once for each entry.
    pub(super) fn check_inner_namespace(&mut self, context: &mut Context, tag: &Tag) {
        let is_right = tag.vocabulary == Vocabulary::Sitemap && tag.exact;
        let is_of_root =
            tag.namespace == self.root_namespace || (!self.has_sitemap_root && tag.namespace == self.assumed);
        if is_right || is_of_root || self.is_misnamed || !self.root_has_namespace() {
            return;
        }
        let kind = match tag.vocabulary {
            Vocabulary::None => AnomalyKind::ElementNamespaceMissing,
            // Its prefix is undeclared, which is already noted.
            _ if tag.namespace.is_none() => return,
            _ => AnomalyKind::ElementNamespaceWrong,
        };
        self.is_misnamed = true;
        let seen = if tag.uri.is_empty() {
            format!("<{}>", tag.local)
        } else {
            format!("<{}> in the namespace {}", tag.name, tag.uri)
        };
        context.note(kind, tag.at, None, &seen);
    }

    /// Returns the role of an element, from its namespace and name.
    pub(super) fn part(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) -> Part {
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

    /// Returns whether an element is in the namespace that is read as the sitemap namespace because the root is in it,
    /// or has the root's prefix, if that is undeclared.
    pub fn is_of_root(&self, tag: &Tag) -> bool {
        let has_its_prefix = tag.prefix == self.root_prefix;
        match tag.namespace {
            // The default namespace may be that of an extension by mistake, while the extension's prefix is bound to it
            // as well.
            Some(_) => tag.namespace == self.assumed && (has_its_prefix || tag.vocabulary == Vocabulary::Foreign),
            None => has_its_prefix && tag.vocabulary == Vocabulary::Foreign && !self.has_sitemap_root,
        }
    }

    /// Returns the vocabulary that an inexact namespace stands for, and notes each such namespace once.
    pub(super) fn lenient_vocabulary(&mut self, context: &mut Context, tag: &Tag) -> Vocabulary {
        match tag.vocabulary {
            Vocabulary::Image | Vocabulary::Video | Vocabulary::News | Vocabulary::Xhtml => {
                if !tag.exact {
                    self.complain(context, tag);
                }
                tag.vocabulary
            }
            Vocabulary::None => Vocabulary::Sitemap,
            Vocabulary::Sitemap | Vocabulary::Foreign => {
                if let Some(extension) = self.meant_by_prefix(tag) {
                    self.complain(context, tag);
                    return extension;
                }
                let is_sitemap = tag.vocabulary == Vocabulary::Sitemap;
                if is_sitemap || (tag.prefix.is_empty() && is_entry(tag.local)) {
                    if !self.root_has_namespace() {
                        self.check_namespace(context, tag);
                    }
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

    /// Returns the extension that the prefix of an element stands for, if it is bound to something else:
    /// `xmlns:news="http://www.google.com/news"`, `xmlns:image="http://www.google.com/schemas/sitemap/1.1"`.
    pub(super) fn meant_by_prefix(&self, tag: &Tag) -> Option<Vocabulary> {
        let is_own = tag.prefix == self.root_prefix || is_entry(tag.local);
        let may_be = tag.namespace.is_some() && (tag.vocabulary == Vocabulary::Foreign || !is_own);
        customary_prefix(tag.prefix).filter(|meant| may_be && meant.is_extension())
    }

    /// Whether entries must be in a namespace. If the root is in none, that was noted there for all.
    pub(super) fn root_has_namespace(&self) -> bool {
        self.assumed.is_some() || self.has_sitemap_root
    }

    pub(super) fn complain(&mut self, context: &mut Context, tag: &Tag) {
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

    pub(super) fn sitemap_part(&mut self, rows: &mut Rows, context: &mut Context, tag: &Tag) -> Part {
        if let Some(extension) = self.record {
            // `<image:image><image:loc>` without the inner prefix: a field of the record, unless the record has that
            // field already.
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

    pub(super) fn extension_part(
        &mut self,
        rows: &mut Rows,
        context: &mut Context,
        tag: &Tag,
        extension: Extension,
    ) -> Part {
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
}

pub(super) fn core_of(local: &str) -> Option<Core> {
    match local {
        "loc" => Some(Core::Loc),
        "lastmod" => Some(Core::Lastmod),
        "changefreq" => Some(Core::Changefreq),
        "priority" => Some(Core::Priority),
        _ => None,
    }
}

pub(super) fn named_part(local: &str) -> Option<Part> {
    match local {
        "url" => Some(Part::Entry(EntryKind::Url)),
        "sitemap" => Some(Part::Entry(EntryKind::Child)),
        _ => core_of(local).map(Part::Core),
    }
}

/// Returns whether the protocol has an element of this name.
pub fn is_ours(local: &str) -> bool {
    let local = local.to_ascii_lowercase();
    named_part(&local).is_some() || matches!(local.as_str(), "urlset" | "sitemapindex")
}

pub(super) fn is_entry(local: &str) -> bool {
    matches!(local.len(), 3 | 7) && (local.eq_ignore_ascii_case("url") || local.eq_ignore_ascii_case("sitemap"))
}
