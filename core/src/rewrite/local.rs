//! Prefixes that are declared inside of an entry.

use std::collections::HashMap;

/// Prefixes that are declared from an element inwards: they come and go in the order of a stack.
#[derive(Default)]
pub struct Local {
    stack: Vec<String>,
    /// What each is bound to, the innermost last.
    uris: HashMap<String, Vec<String>>,
}

impl Local {
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    pub fn contains(&self, prefix: &str) -> bool {
        self.uris.contains_key(prefix)
    }

    /// What a prefix is bound to.
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
