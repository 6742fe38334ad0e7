//! Namespaces in XML: resolves prefixes in scope, and maps namespaces to the known vocabularies.
//! <https://www.w3.org/TR/xml-names/>

use std::collections::{HashMap, HashSet};

use super::uri::is_uri_reference;
use super::vocabulary::{Vocabulary, XML_URI, classify};
use crate::limits::MAX_FOREIGN_NAMESPACES;

/// One namespace that occurs in the document.
pub struct Namespace {
    pub uri: String,
    pub vocabulary: Vocabulary,
    /// Whether the URI is exactly that of its specification.
    pub exact: bool,
    /// Number of its elements that were ignored.
    pub passed_over: i64,
}

/// The binding of a prefix, from the element that declares it on.
struct Binding {
    prefix: String,
    /// `None`: the default namespace is unset (`xmlns=""`).
    namespace: Option<u32>,
    /// Number of namespaces known before it.
    known: usize,
}

impl Binding {
    fn resolved(&self) -> Resolved {
        self.namespace.map_or(Resolved::None, Resolved::Namespace)
    }
}

/// The result of resolving the prefix of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    Namespace(u32),
    None,
    Undeclared,
}

/// All namespaces of a document, and those in scope.
pub struct Namespaces {
    /// The first ones; beyond `MAX_FOREIGN_NAMESPACES`, only those in scope.
    all: Vec<Namespace>,
    /// Ignored elements of namespaces that are no longer stored.
    passed_over_before: i64,
    by_uri: HashMap<String, u32>,
    bindings: Vec<Binding>,
    /// The namespace of names without a prefix, needed for nearly every element.
    default: Option<u32>,
    /// The default namespace around each element that sets it.
    defaults: Vec<Option<u32>>,
    /// The bindings of each prefix in `bindings`, the innermost last. Maintained only if there are at least `MANY`.
    by_prefix: HashMap<String, Vec<usize>>,
    /// Every distinct `prefix=uri` declared, in document order.
    declared: Vec<String>,
    /// Line and column of each of those.
    places: Vec<(i64, i64)>,
    is_declared: HashSet<String>,
}

/// Number of bindings in scope from which prefixes are looked up in a map: a hostile document can have a million.
const MANY: usize = 16;

/// Maximum distinct declarations that are listed individually.
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

    /// Whether a URI is a URI reference, or was bound before: an invalid one is noted only once.
    pub fn is_sound_or_known(&self, uri: &str) -> bool {
        uri.is_empty() || self.by_uri.contains_key(uri) || is_uri_reference(uri)
    }

    /// Returns the number of bindings in scope, to pass to `leave`.
    #[inline]
    pub fn mark(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Drops the bindings of an element that ends.
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

    /// Binds a prefix from here on; `place` is called for line and column if the declaration is listed.
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

    /// Returns the lines and columns of `declared`.
    pub fn places(&self) -> (Vec<i64>, Vec<i64>) {
        self.places.iter().copied().unzip()
    }

    /// Returns namespaces with ignored elements and their counts; those beyond the limit are combined as `OTHERS`.
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

/// Represents all namespaces beyond the limit.
pub const OTHERS: &str = "…";

/// Longest URI of a namespace that is listed in full, in bytes.
const MAX_SHOWN: usize = 2_048;

/// Returns a URI, cut if it is long.
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
