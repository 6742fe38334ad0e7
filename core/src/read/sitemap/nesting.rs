//! Elements inside a field that allows only text: markup around its value, or a < that was meant as text.

use crate::value::trim;

/// The content of a field from its first element on.
#[derive(Default)]
pub struct Nesting {
    /// Length of the text before the first element.
    begin: Option<usize>,
    /// The whole text of the field, tags included.
    literal: String,
    /// Number of open elements.
    open: usize,
    /// An element has its own end tag, or needs none.
    has_pair: bool,
    /// There is text next to an element, so the element does not wrap the whole value.
    is_partial: bool,
}

impl Nesting {
    /// Adds text of the field.
    pub fn text(&mut self, text: &str) {
        if self.begin.is_some() {
            self.literal.push_str(text);
            self.is_partial |= self.open == 0 && !trim(text).is_empty();
        }
    }

    /// Handles the start of an element; `before` is the text of the field so far. Returns whether the element is next
    /// to text.
    pub fn open(&mut self, before: &str, tag: &str) -> bool {
        if self.begin.is_none() {
            self.begin = Some(before.len());
            before.clone_into(&mut self.literal);
            self.is_partial = !trim(before).is_empty();
        }
        self.literal.push_str(tag);
        self.open += 1;
        self.is_partial
    }

    /// Handles the end of an element; `tag` is its end tag, empty if the start tag is self-closing, `None` if it is
    /// missing.
    pub fn close(&mut self, tag: Option<&str>) {
        if self.begin.is_none() || self.open == 0 {
            return;
        }
        self.open -= 1;
        if let Some(tag) = tag {
            self.literal.push_str(tag);
            self.has_pair = true;
        }
    }

    /// Whether the value of a URL is the text including the tags: `item<special>name`.
    pub fn is_literal(&self) -> bool {
        self.is_partial
    }

    /// Whether the value has two readings: `a<b>c</b>d` with or without its tags.
    pub fn is_ambiguous(&self) -> bool {
        self.is_partial && self.has_pair
    }

    /// Returns the text including the tags.
    pub fn take_literal(&mut self) -> String {
        std::mem::take(&mut self.literal)
    }

    /// Returns the length of the value in a field without an end tag: text after its own is not part of it.
    pub fn cut_of(&self, text: &str) -> Option<usize> {
        self.begin.filter(|&begin| !trim(&text[..begin]).is_empty())
    }
}
