//! Elements: the stack of open elements, and how it recovers from end tags that do not match.

use std::ops::Range;

use super::attributes::Attributes;
use super::chars::{is_local_name, name_end, skip_space};
use super::namespace::Resolved;
use super::sink::{Context, Sink, Tag};
use super::vocabulary::{Vocabulary, customary_prefix};
use super::{Open, Xml, is_same, snippet};
use crate::anomaly::AnomalyKind;

impl<S: Sink> Xml<S> {
    pub(super) fn start(&mut self, written: Range<usize>, name: Range<usize>, empty: bool) {
        let at = written.start;
        let mark = self.namespaces.mark();
        if self.tokenizer.attributes.is_empty() {
            self.read.clear();
        } else {
            self.read_attributes();
        }
        if self.stack.is_empty() {
            self.root(at, &name);
        }
        let text = self.window.as_str();
        let full = &text[name.clone()];
        let (prefix, local) = match full.bytes().position(|byte| byte == b':') {
            None => ("", full),
            Some(colon) => (&full[..colon], &full[colon + 1..]),
        };
        let resolved = self.namespaces.resolve(prefix);
        let (namespace, uri, vocabulary, exact) = match resolved {
            Resolved::Namespace(id) => {
                let known = self.namespaces.get(id);
                (Some(id), known.uri.as_str(), known.vocabulary, known.exact)
            }
            Resolved::None => (None, "", Vocabulary::None, true),
            Resolved::Undeclared => (None, "", customary_prefix(prefix).unwrap_or(Vocabulary::Foreign), true),
        };
        let breaks_rules = full.len() != local.len() && (prefix.is_empty() || !is_local_name(local));
        let is_undeclared = resolved == Resolved::Undeclared;
        if breaks_rules {
            self.notes
                .add(AnomalyKind::NamespaceMalformed, self.window.place(at), None, full);
        } else if is_undeclared {
            self.notes.add(
                AnomalyKind::UndeclaredPrefix,
                self.window.place(at),
                None,
                &format!("<{full}>"),
            );
        }
        if self.stack.is_empty() && self.prolog.root.is_none() {
            self.prolog.root = Some(full.to_owned());
            self.prolog.namespace = (!uri.is_empty()).then(|| uri.to_owned());
        }
        let tag = Tag {
            at,
            written: &text[written],
            name: full,
            prefix,
            local,
            vocabulary,
            namespace,
            uri,
            exact,
            is_unfit: breaks_rules || is_undeclared,
            depth: self.stack.len() + self.too_deep,
            attributes: Attributes {
                text,
                unescaped: &self.unescaped,
                list: &self.read,
            },
        };
        let mut context = Context {
            window: &self.window,
            notes: &mut self.notes,
        };
        let role = self.sink.start(&mut context, &tag);
        if let Some(id) = namespace
            && S::is_passed_over(role)
        {
            self.namespaces.pass_over(id);
        }
        if empty {
            self.sink.end(&mut context, role, true);
            self.namespaces.leave(mark);
        } else if self.stack.len() < self.max_depth {
            self.stack.push(Open {
                name: self.names.len(),
                mark,
                role,
            });
            self.names.extend_from_slice(&self.window.bytes()[name]);
        } else {
            self.go_too_deep(at, &name);
        }
    }

    #[cold]
    pub(super) fn go_too_deep(&mut self, at: usize, name: &Range<usize>) {
        if self.too_deep == 0 {
            let seen = snippet(&self.window, at);
            self.note(AnomalyKind::TooDeep, at, &seen);
        }
        self.too_deep += 1;
        self.too_deep_roots += usize::from(&self.window.bytes()[name.clone()] == self.name_at(0));
    }

    /// Handles the end of an element that the stack does not track. The root's end is still recognized by its name.
    #[cold]
    pub(super) fn end_too_deep(&mut self, at: usize, name: Range<usize>) {
        let is_root = &self.window.bytes()[name] == self.name_at(0);
        if is_root && self.too_deep_roots == 0 {
            self.too_deep = 0;
            return self.mismatched_end(at);
        }
        self.too_deep_roots -= usize::from(is_root);
        self.too_deep -= 1;
    }

    #[cold]
    pub(super) fn root(&mut self, at: usize, name: &Range<usize>) {
        self.roots += 1;
        if self.roots > 1 {
            let seen = format!("<{}>", self.window.text(name.clone()));
            self.note(AnomalyKind::SecondRoot, at, &seen);
        }
    }

    pub(super) fn end(&mut self, at: usize, name: Range<usize>) {
        if self.too_deep > 0 {
            return self.end_too_deep(at, name);
        }
        let name = &self.window.bytes()[name];
        match self.stack.last() {
            Some(open) if is_same(&self.names[open.name..], name) => self.pop(true),
            _ => self.mismatched_end(at),
        }
    }

    #[inline]
    pub(super) fn pop(&mut self, closed: bool) {
        if let Some(open) = self.stack.pop() {
            self.names.truncate(open.name);
            self.namespaces.leave(open.mark);
            let mut context = Context {
                window: &self.window,
                notes: &mut self.notes,
            };
            self.sink.end(&mut context, open.role, closed);
        }
    }

    /// Returns the name of the open element at this height of the stack.
    pub(super) fn name_at(&self, height: usize) -> &[u8] {
        let end = self.stack.get(height + 1).map_or(self.names.len(), |next| next.name);
        &self.names[self.stack[height].name..end]
    }

    /// Handles an end tag that does not match the innermost element: closes the nearest element of that name and all
    /// inside it.
    #[cold]
    pub(super) fn mismatched_end(&mut self, at: usize) {
        let written = snippet(&self.window, at);
        let begin = skip_space(self.window.bytes(), at + 2);
        let end = name_end(self.window.bytes(), begin);
        let name = self.window.bytes()[begin..end].to_vec();
        // Searches only near the top and near the root: hostile documents must not make every end tag search a deep
        // stack.
        let height = self.stack.len();
        let candidates = || (0..height).rev().take(64).chain((0..height.saturating_sub(64)).take(8));
        let exact = candidates().find(|&one| self.name_at(one) == name);
        let found = exact.or_else(|| candidates().find(|&one| self.name_at(one).eq_ignore_ascii_case(&name)));
        let Some(found) = found else {
            return self.note(AnomalyKind::StrayEndTag, at, &written);
        };
        while self.stack.len() > found {
            let open = String::from_utf8_lossy(self.name_at(self.stack.len() - 1)).into_owned();
            let is_innermost = self.stack.last().is_some_and(|open| self.sink.is_literal(open.role));
            if !is_innermost && (self.stack.len() - 1 > found || exact.is_none()) {
                let place = self.window.place(at);
                let local = open.rsplit(':').next().unwrap_or(&open).to_ascii_lowercase();
                let seen = format!("<{open}> closed by {written}");
                self.notes
                    .add(AnomalyKind::UnclosedElement, place, Some(local.into()), &seen);
            }
            self.pop(self.stack.len() - 1 == found);
        }
    }
}
