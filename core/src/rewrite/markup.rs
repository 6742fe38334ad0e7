//! Writing XML: tags and text, escaped, without what XML forbids.

use std::borrow::Cow;

use crate::read::xml::chars::is_xml_char;

/// A start tag to be written.
#[derive(Clone, Debug, Default)]
pub struct TagOut {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// Whether it is not to be written as it stands.
    pub is_changed: bool,
}

impl TagOut {
    /// `<name a="b"`, without its end.
    pub fn opening(&self) -> String {
        self.opening_over_lines(" ")
    }

    /// The same, with this white space before each attribute but the first.
    pub fn opening_over_lines(&self, space: &str) -> String {
        let mut out = format!("<{}", self.name);
        for (index, (name, value)) in self.attributes.iter().enumerate() {
            let mut attribute = String::new();
            push_attribute(&mut attribute, name, value);
            if index > 0 {
                out.push_str(space);
                out.push_str(&attribute[1..]);
            } else {
                out.push_str(&attribute);
            }
        }
        out
    }

    /// The whole element, with this text in it.
    pub fn around(&self, text: &str) -> String {
        let mut out = self.opening();
        out.push('>');
        push_text(&mut out, text);
        push_end(&mut out, &self.name);
        out
    }
}

/// Text without the characters that XML forbids.
pub fn without_forbidden(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_xml_char) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|&ch| is_xml_char(ch)).collect())
    }
}

pub fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
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
    for ch in text.chars() {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\n' if in_attribute => out.push_str("&#10;"),
            '\t' if in_attribute => out.push_str("&#9;"),
            ch if is_xml_char(ch) => out.push(ch),
            _ => {}
        }
    }
}
