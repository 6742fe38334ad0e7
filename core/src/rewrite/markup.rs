//! Writes XML tags and text: escaped, and without characters that XML forbids.

use std::borrow::Cow;

use crate::read::xml::chars::is_xml_char;

/// A start tag to write.
#[derive(Clone, Debug, Default)]
pub struct TagOut<'a> {
    pub name: Cow<'a, str>,
    pub attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Whether it differs from the original.
    pub is_changed: bool,
}

impl TagOut<'_> {
    /// Returns the same tag without borrowed data.
    pub fn into_owned(self) -> TagOut<'static> {
        let owned = |text: Cow<str>| Cow::Owned(text.into_owned());
        TagOut {
            name: owned(self.name),
            attributes: self
                .attributes
                .into_iter()
                .map(|(name, value)| (owned(name), owned(value)))
                .collect(),
            is_changed: self.is_changed,
        }
    }

    /// Returns `<name a="b"`, without its end.
    pub fn opening(&self) -> String {
        self.opening_over_lines(" ")
    }

    /// Same, with this whitespace before each attribute except the first.
    pub fn opening_over_lines(&self, space: &str) -> String {
        let mut out = String::with_capacity(self.name.len() + 2);
        out.push('<');
        out.push_str(&self.name);
        for (index, (name, value)) in self.attributes.iter().enumerate() {
            out.push_str(if index > 0 { space } else { " " });
            push_attribute(&mut out, name, value);
        }
        out
    }

    /// Returns the whole element, with this text in it.
    pub fn around(&self, text: &str) -> String {
        let mut out = self.opening();
        out.push('>');
        push_text(&mut out, text);
        push_end(&mut out, &self.name);
        out
    }
}

/// Returns text without the characters that XML forbids.
pub fn without_forbidden(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || text.chars().all(is_xml_char) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|&ch| is_xml_char(ch)).collect())
    }
}

/// Writes an attribute; the separator before it is already written.
pub fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push_str("=\"");
    push_escaped(out, value, true);
    out.push('"');
}

pub fn push_text(out: &mut String, text: &str) {
    push_escaped(out, text, false);
}

pub fn push_end(out: &mut String, name: &str) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn push_escaped(out: &mut String, text: &str, in_attribute: bool) {
    let mut copied = 0;
    for (at, ch) in text.char_indices() {
        let written = match ch {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' if in_attribute => "&quot;",
            '\r' => "&#13;",
            '\n' if in_attribute => "&#10;",
            '\t' if in_attribute => "&#9;",
            ch if is_xml_char(ch) => continue,
            _ => "",
        };
        out.push_str(&text[copied..at]);
        out.push_str(written);
        copied = at + ch.len_utf8();
    }
    out.push_str(&text[copied..]);
}
