//! Elements inside a field that holds text only: markup around its value, or a < that was meant as text.

use crate::value::trim;

/// What stands in a field from its first element on.
#[derive(Default)]
pub struct Nesting {
    /// How long the text was where the first element began.
    begin: Option<usize>,
    /// The whole text of the field, tags included.
    literal: String,
    /// Elements that are open.
    open: usize,
    /// An element has its own end tag, or needs none.
    has_pair: bool,
    /// Text stands beside an element, so that it does not wrap the whole value.
    is_partial: bool,
}

impl Nesting {
    /// More text of the field.
    pub fn text(&mut self, text: &str) {
        if self.begin.is_some() {
            self.literal.push_str(text);
            self.is_partial |= self.open == 0 && !trim(text).is_empty();
        }
    }

    /// An element begins, `before` being the text of the field so far. Whether it stands beside text.
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

    /// An element ends; `tag` is its own end tag, empty where its start tag ends it, None where it lacks one.
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

    /// Whether the value of a URL is the text with the tags in it: `item<special>name`.
    pub fn is_literal(&self) -> bool {
        self.is_partial
    }

    /// Whether the value has two readings: `a<b>c</b>d` may be with its tags or without.
    pub fn is_ambiguous(&self) -> bool {
        self.is_partial && self.has_pair
    }

    /// The text with the tags in it.
    pub fn take_literal(&mut self) -> String {
        std::mem::take(&mut self.literal)
    }

    /// How long the value is of a field that lacks its end tag: what follows its text is not its own.
    pub fn cut_of(&self, text: &str) -> Option<usize> {
        self.begin.filter(|&begin| !trim(&text[..begin]).is_empty())
    }
}
