//! The values that an entry or a record was given, for telling which is given again.

use std::collections::{HashMap, HashSet};

/// By field: nearly every one is given once.
#[derive(Default)]
pub(super) struct Values {
    first: Vec<(u8, String)>,
    more: HashMap<u8, HashSet<String>>,
}

impl Values {
    /// Whether a field was given with this value.
    pub(super) fn has(&self, field: u8, value: &str) -> bool {
        self.first
            .iter()
            .any(|(known, first)| *known == field && first == value)
            || self.more.get(&field).is_some_and(|values| values.contains(value))
    }

    pub(super) fn add(&mut self, field: u8, value: &str) {
        if self.first.iter().any(|(known, _)| *known == field) {
            self.more.entry(field).or_default().insert(value.to_owned());
        } else {
            self.first.push((field, value.to_owned()));
        }
    }
}
