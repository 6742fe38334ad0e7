//! Prefixes declared inside an entry.

use std::collections::HashMap;

/// Prefixes declared by an element for its content: a stack.
#[derive(Default)]
pub struct Local {
    stack: Vec<String>,
    /// The URIs bound to each prefix, the innermost last.
    uris: HashMap<String, Vec<String>>,
}

impl Local {
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    pub fn contains(&self, prefix: &str) -> bool {
        self.uris.contains_key(prefix)
    }

    /// Returns the URI bound to a prefix.
    pub fn uri(&self, prefix: &str) -> Option<&str> {
        self.uris.get(prefix)?.last().map(String::as_str)
    }

    pub fn push(&mut self, prefix: &str, uri: &str) {
        self.uris.entry(prefix.to_owned()).or_default().push(uri.to_owned());
        self.stack.push(prefix.to_owned());
    }

    pub fn truncate(&mut self, length: usize) {
        for prefix in self.stack.drain(length.min(self.stack.len())..) {
            match self.uris.get_mut(&prefix) {
                Some(uris) if uris.len() > 1 => drop(uris.pop()),
                _ => drop(self.uris.remove(&prefix)),
            }
        }
    }

    pub fn clear(&mut self) {
        self.stack.clear();
        self.uris.clear();
    }
}
