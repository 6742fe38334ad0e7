//! The values of an entry or record so far, to detect repetitions.

use std::collections::{HashMap, HashSet};

/// Values by field: nearly every field occurs once.
#[derive(Default)]
pub(super) struct Values {
    first: Vec<(u8, String)>,
    more: HashMap<u8, HashSet<String>>,
}

impl Values {
    /// Returns whether a field already occurred with this value.
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
