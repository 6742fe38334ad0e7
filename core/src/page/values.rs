//! Values of attributes and text: whitespace, and the limit of their length.

use crate::limits::MAX_PAGE_VALUE;

/// Returns whether a value was cut at the limit.
pub(super) fn is_cut(value: &str) -> bool {
    value.len() >= MAX_PAGE_VALUE
}

/// HTML's whitespace. <https://infra.spec.whatwg.org/#ascii-whitespace>
pub(super) fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ')
}

/// Removes outer whitespace.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Removes outer whitespace and collapses each run inside to one space; returns `None` if nothing remains.
pub(super) fn collapse(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let mut collapsed = words.next()?.to_owned();
    for word in words {
        collapsed.push(' ');
        collapsed.push_str(word);
    }
    Some(collapsed)
}
