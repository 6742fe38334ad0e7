//! The root element, others that are merged into it, and the content before and after the body.

use std::collections::HashMap;

use super::Document;
use crate::read::rows::EntryKind;
use crate::rewrite::account::{Refusal, Repair};
use crate::rewrite::listen::Start;
use crate::rewrite::markup::{TagOut, push_attribute, push_end};
use crate::rewrite::names::own_declaration;
use crate::value::space::XML_SPACE;

/// The root element of the result.
pub(super) struct Root {
    pub(super) kind: EntryKind,
    tag: TagOut<'static>,
    /// Its start tag as written, without the end; `None` if the document has no root.
    raw: Option<String>,
    /// `<urlset/>`
    is_empty: bool,
    /// Its end tag, and what follows it.
    end_tag: String,
    pub(super) behind: String,
    pub(super) is_open: bool,
}

impl Document {
    /// Handles a root element: the first one stays, and the content of others is moved into it.
    pub(super) fn start_root(&mut self, start: &Start, raw: &str, is_faulty: bool) {
        let kind = match start.local.to_ascii_lowercase().as_str() {
            "urlset" => EntryKind::Url,
            "sitemapindex" => EntryKind::Child,
            "rss" | "rdf" | "feed" => return self.refuse(Refusal::Feed),
            _ if self.root.is_some() => {
                self.names.is_merged = true;
                return;
            }
            _ => return self.refuse(Refusal::UnknownRoot),
        };
        if let Some(first) = self.kind() {
            if start.seen.depth > 0 {
                self.outer.push(self.is_other_kind);
                self.is_after_removed = true;
            }
            self.is_other_kind = first != kind;
            self.names.merge(start);
            self.reopen();
            return;
        }
        if start.seen.depth > 0 {
            return self.refuse(Refusal::UnknownRoot);
        }
        let name = if kind == EntryKind::Url {
            "urlset"
        } else {
            "sitemapindex"
        };
        let mut tag = self.names.root(start, name, &mut self.account.left_out);
        let mut written: HashMap<&str, &str> = HashMap::new();
        for attribute in start.attributes() {
            written.entry(attribute.name).or_insert(attribute.value);
        }
        for (attribute, now) in tag
            .attributes
            .iter()
            .filter(|(attribute, _)| attribute.starts_with("xmlns"))
        {
            let before = written.get(attribute.as_ref());
            if before.is_some_and(|before| *before == now) {
                continue;
            }
            let is_own = *attribute == own_declaration(&self.names.prefix);
            let repair = if is_own {
                Repair::Namespace
            } else {
                Repair::ExtensionNamespace
            };
            let seen = before.map_or(String::new(), |value| format!("{attribute}=\"{value}\""));
            let now = format!("{attribute}=\"{now}\"");
            self.account.repair(repair, start.seen.line, &seen, &now);
        }
        tag.is_changed |= is_faulty;
        let is_empty = raw.ends_with("/>");
        let bare = raw.strip_suffix("/>").or_else(|| raw.strip_suffix('>')).unwrap_or(raw);
        self.root = Some(Root {
            kind,
            tag: tag.into_owned(),
            raw: Some(bare.to_owned()),
            is_empty,
            end_tag: String::new(),
            behind: String::new(),
            is_open: true,
        });
        self.output.around = (self.head().len() + 1024) as u64;
    }

    /// Moves the following content into the root, which had already ended.
    pub(super) fn reopen(&mut self) {
        if let Some(root) = &mut self.root
            && !root.is_open
        {
            self.between.push_str(&std::mem::take(&mut root.behind));
            root.end_tag.clear();
            root.is_open = true;
            self.names.is_merged = true;
        }
        if let Some(root) = &mut self.root {
            root.is_empty = false;
        }
    }

    /// Adds the root that entries without a root need.
    pub(super) fn assume_root(&mut self, kind: EntryKind) {
        let name = if kind == EntryKind::Url {
            "urlset"
        } else {
            "sitemapindex"
        };
        let uri = "http://www.sitemaps.org/schemas/sitemap/0.9".to_owned();
        self.names.bind("", &uri);
        self.root = Some(Root {
            kind,
            tag: TagOut {
                name: name.into(),
                attributes: vec![("xmlns".into(), uri.into())],
                is_changed: true,
            },
            raw: None,
            is_empty: false,
            end_tag: String::new(),
            behind: String::new(),
            is_open: true,
        });
        self.between.push('\n');
        self.output.around = (self.head().len() + 1024) as u64;
    }

    pub(super) fn end_root(&mut self, depth: usize, raw: &str, is_faulty: bool, at: usize) {
        if let Some(mut other) = self.entry.take() {
            other.finish_foreign(at, &mut self.around());
            self.write(other, None);
        }
        if depth > 0 {
            self.is_other_kind = self.outer.pop().unwrap_or(false);
            self.is_after_removed = true;
            return;
        }
        self.outer.clear();
        let Some(root) = &mut self.root else { return };
        if !root.is_open {
            return;
        }
        root.is_open = false;
        let name = raw
            .strip_prefix("</")
            .and_then(|rest| rest.strip_suffix('>'))
            .map(str::trim_end);
        let is_own = !is_faulty && name == Some(root.tag.name.as_ref());
        if is_own {
            root.end_tag = raw.to_owned();
        }
        self.is_other_kind = false;
    }

    /// Returns what precedes the body: declaration, comments, and the root's start tag with all namespaces that it must
    /// declare.
    pub(super) fn head(&self) -> String {
        let mut head = match &self.declaration {
            Some(written) if self.is_declaration_kept => written.clone(),
            Some(_) => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
            None => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
        };
        let prolog = if self.declaration.is_none() {
            self.prolog.trim_start_matches(XML_SPACE)
        } else {
            &self.prolog
        };
        head.push_str(prolog);
        let Some(root) = &self.root else { return head };
        match &root.raw {
            Some(raw) if !root.tag.is_changed => head.push_str(raw.trim_end_matches(XML_SPACE)),
            raw => head.push_str(&root.tag.opening_over_lines(raw.as_deref().map_or(" ", first_break))),
        }
        for (prefix, uri) in self.names.missing() {
            head.push(' ');
            push_attribute(&mut head, &format!("xmlns:{prefix}"), uri);
        }
        if let Some(raw) = root.raw.as_ref().filter(|_| !root.tag.is_changed) {
            let kept = raw.trim_end_matches(XML_SPACE).len();
            head.push_str(&raw[kept..]);
        }
        head.push_str(if root.is_empty { "/>" } else { ">" });
        head
    }

    /// Ends the document, and returns the content before and after its body.
    pub fn finish(&mut self) -> (String, String) {
        let needed: Vec<(String, String)> = self
            .names
            .missing()
            .map(|(prefix, uri)| (prefix.to_owned(), uri.to_owned()))
            .collect();
        for (prefix, uri) in needed {
            let now = format!("xmlns:{prefix}=\"{uri}\"");
            self.account
                .repair(Repair::ExtensionNamespace, 1, &format!("{prefix}: is undeclared"), &now);
        }
        if self.declaration.is_none() {
            self.account
                .repair(Repair::Declaration, 1, "", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        }
        let head = self.head();
        let Some(root) = &self.root else {
            return (head, String::new());
        };
        let mut tail = self.between.clone();
        if !root.is_empty {
            if root.end_tag.is_empty() {
                if !tail.ends_with('\n') {
                    tail.push('\n');
                }
                push_end(&mut tail, &root.tag.name);
                if root.behind.is_empty() {
                    tail.push('\n');
                }
            } else {
                tail.push_str(&root.end_tag);
            }
        }
        tail.push_str(&root.behind);
        (head, tail)
    }
}

/// Returns the first whitespace with a line break, which was used to separate the attributes of a tag.
pub(super) fn first_break(tag: &str) -> &str {
    let Some(at) = tag.find('\n') else { return " " };
    let is_space = |ch: char| matches!(ch, ' ' | '\t' | '\r' | '\n');
    let begin = tag[..at].trim_end_matches(is_space).len();
    let end = tag.len() - tag[at..].trim_start_matches(is_space).len();
    if end == tag.len() { " " } else { &tag[begin..end] }
}
