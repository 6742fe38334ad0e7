//! Namespaces in XML: which prefix means what, where; and which of the namespaces we know it is.
//! <https://www.w3.org/TR/xml-names/>

use std::collections::{HashMap, HashSet};

use super::uri::is_uri_reference;
use super::vocabulary::{Vocabulary, XML_URI, classify};
use crate::limits::MAX_FOREIGN_NAMESPACES;

/// One namespace that occurs in the document.
pub struct Namespace {
    pub uri: String,
    pub vocabulary: Vocabulary,
    /// Whether the URI is exactly the one of its specification.
    pub exact: bool,
    /// Elements of it that were passed over.
    pub passed_over: i64,
}

/// A prefix that is bound, from the element that binds it on.
struct Binding {
    prefix: String,
    /// None: the default namespace is unset (`xmlns=""`).
    namespace: Option<u32>,
    /// How many namespaces were known before it.
    known: usize,
}

impl Binding {
    fn resolved(&self) -> Resolved {
        self.namespace.map_or(Resolved::None, Resolved::Namespace)
    }
}

/// What a name's prefix resolves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    Namespace(u32),
    None,
    Undeclared,
}

/// All namespaces of a document, and those in scope.
pub struct Namespaces {
    /// The first ones, and beyond `MAX_FOREIGN_NAMESPACES` those in scope only.
    all: Vec<Namespace>,
    /// Elements passed over of namespaces that are no longer known.
    passed_over_before: i64,
    by_uri: HashMap<String, u32>,
    bindings: Vec<Binding>,
    /// What names without a prefix resolve to: asked for at nearly every element.
    default: Option<u32>,
    /// What the default was around each element that sets it.
    defaults: Vec<Option<u32>>,
    /// The bindings of each prefix in `bindings`, the innermost last. Kept up only where there are `MANY`.
    by_prefix: HashMap<String, Vec<usize>>,
    /// Every `prefix=uri` declared, each once, in the order of the document.
    declared: Vec<String>,
    /// Line and column of each of those.
    places: Vec<(i64, i64)>,
    is_declared: HashSet<String>,
}

/// From so many bindings in scope on, a prefix is looked up in a map: a hostile document has a million of them.
const MANY: usize = 16;

/// More distinct declarations than this are not listed one by one.
const MAX_LISTED: usize = 1_000;

impl Namespaces {
    pub fn new() -> Self {
        let mut this = Self {
            all: Vec::new(),
            passed_over_before: 0,
            by_uri: HashMap::new(),
            bindings: Vec::new(),
            default: None,
            defaults: Vec::new(),
            by_prefix: HashMap::new(),
            declared: Vec::new(),
            places: Vec::new(),
            is_declared: HashSet::new(),
        };
        let xml = this.intern(XML_URI);
        this.bindings.push(Binding {
            prefix: "xml".to_owned(),
            namespace: Some(xml),
            known: 0,
        });
        this
    }

    fn intern(&mut self, uri: &str) -> u32 {
        if let Some(&id) = self.by_uri.get(uri) {
            return id;
        }
        let (vocabulary, exact) = classify(uri);
        let id = self.all.len() as u32;
        self.all.push(Namespace {
            uri: uri.to_owned(),
            vocabulary,
            exact,
            passed_over: 0,
        });
        self.by_uri.insert(uri.to_owned(), id);
        id
    }

    /// Whether a URI is a URI reference, or was bound before: it is complained of once.
    pub fn is_sound_or_known(&self, uri: &str) -> bool {
        uri.is_empty() || self.by_uri.contains_key(uri) || is_uri_reference(uri)
    }

    /// How many bindings are in scope: to be given back to `leave`.
    #[inline]
    pub fn mark(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Forgets the bindings of an element that ends.
    #[inline]
    pub fn leave(&mut self, mark: u32) {
        if self.bindings.len() > mark as usize {
            self.forget(mark as usize);
        }
    }

    fn forget(&mut self, mark: usize) {
        while self.bindings.len() > mark {
            let index = self.bindings.len() - 1;
            if let Some(binding) = self.bindings.pop() {
                if binding.prefix.is_empty() {
                    self.default = self.defaults.pop().flatten();
                } else if index >= MANY
                    && let Some(inner) = self.by_prefix.get_mut(&binding.prefix)
                {
                    inner.pop();
                    if inner.is_empty() {
                        self.by_prefix.remove(&binding.prefix);
                    }
                }
                for namespace in self
                    .all
                    .drain(binding.known.max(MAX_FOREIGN_NAMESPACES).min(self.all.len())..)
                {
                    self.passed_over_before += namespace.passed_over;
                    self.by_uri.remove(&namespace.uri);
                }
            }
        }
    }

    /// Binds a prefix from here on; `place` is asked for line and column where the declaration is listed.
    pub fn bind(&mut self, prefix: &str, uri: &str, place: impl FnOnce() -> (i64, i64)) {
        let known = self.all.len();
        let namespace = (!uri.is_empty()).then(|| self.intern(uri));
        if self.declared.len() < MAX_LISTED {
            let listed = shown(&format!("{prefix}={uri}"));
            if self.is_declared.insert(listed.clone()) {
                self.declared.push(listed);
                self.places.push(place());
            }
        }
        if prefix.is_empty() {
            self.defaults.push(self.default);
            self.default = namespace;
        } else if self.bindings.len() >= MANY {
            self.by_prefix
                .entry(prefix.to_owned())
                .or_default()
                .push(self.bindings.len());
        }
        self.bindings.push(Binding {
            prefix: prefix.to_owned(),
            namespace,
            known,
        });
    }

    #[inline]
    pub fn resolve(&self, prefix: &str) -> Resolved {
        if prefix.is_empty() {
            return self.default.map_or(Resolved::None, Resolved::Namespace);
        }
        if self.bindings.len() > MANY
            && let Some(&index) = self.by_prefix.get(prefix).and_then(|inner| inner.last())
        {
            return self.bindings[index].resolved();
        }
        let outer = &self.bindings[..self.bindings.len().min(MANY)];
        outer
            .iter()
            .rev()
            .find(|one| one.prefix == prefix)
            .map_or(Resolved::Undeclared, Binding::resolved)
    }

    #[inline]
    pub fn get(&self, id: u32) -> &Namespace {
        &self.all[id as usize]
    }

    pub fn pass_over(&mut self, id: u32) {
        self.all[id as usize].passed_over += 1;
    }

    pub fn declared(&self) -> &[String] {
        &self.declared
    }

    /// Lines and columns of `declared`.
    pub fn places(&self) -> (Vec<i64>, Vec<i64>) {
        self.places.iter().copied().unzip()
    }

    /// Namespaces whose elements were passed over, with how many; those beyond the bound together, as `OTHERS`.
    pub fn passed_over(&self) -> Vec<(String, i64)> {
        let mut found = self.all.iter().filter(|one| one.passed_over > 0);
        let listed = found.by_ref().take(MAX_FOREIGN_NAMESPACES);
        let mut all: Vec<_> = listed.map(|one| (shown(&one.uri), one.passed_over)).collect();
        let others = self.passed_over_before + found.map(|one| one.passed_over).sum::<i64>();
        if others > 0 {
            all.push((OTHERS.to_owned(), others));
        }
        all
    }
}

/// Stands for all namespaces beyond the bound.
pub const OTHERS: &str = "…";

/// Longest URI of a namespace that is listed whole, in bytes.
const MAX_SHOWN: usize = 2_048;

/// A URI, cut if it is long.
fn shown(uri: &str) -> String {
    if uri.len() <= MAX_SHOWN {
        return uri.to_owned();
    }
    let end = (0..=MAX_SHOWN)
        .rev()
        .find(|&end| uri.is_char_boundary(end))
        .unwrap_or(0);
    format!("{}…", &uri[..end])
}

#[cfg(test)]
mod tests;
