//! Markup other than elements: comments, processing instructions, the XML declaration, the DOCTYPE.

use std::ops::Range;

use memchr::memmem;

use super::chars::is_space;
use super::reference::forbidden_char;
use super::{Sink, Xml, declaration, snippet};
use crate::anomaly::AnomalyKind;
use crate::decode::declared_encoding;

/// Facts about the document from its prolog and root.
#[derive(Clone, Debug, Default)]
pub struct Prolog {
    pub has_declaration: bool,
    /// The encoding in an XML declaration that is not at the start, and which the decoder therefore ignored.
    pub late_encoding: Option<String>,
    pub root: Option<String>,
    pub namespace: Option<String>,
    pub is_html_doctype: bool,
    /// The `href` of the first `<?xml-stylesheet?>` before the root.
    pub stylesheet: Option<String>,
}

/// Maximum bytes of the URL of a stylesheet that are stored.
const MAX_STYLESHEET: usize = 4_096;

impl<S: Sink> Xml<S> {
    pub(super) fn comment(&mut self, at: usize, content: Range<usize>) {
        let inside = self.window.text(content.clone());
        let dashes = memmem::find(inside.as_bytes(), b"--").or(inside.ends_with('-').then(|| inside.len() - 1));
        let forbidden = forbidden_char(inside);
        if let Some(offset) = dashes {
            let seen = snippet(&self.window, at);
            self.note(AnomalyKind::MalformedComment, content.start + offset, &seen);
        }
        if let Some(offset) = forbidden {
            let seen = snippet(&self.window, content.start + offset);
            self.note(AnomalyKind::ControlCharacter, content.start + offset, &seen);
        }
    }

    pub(super) fn instruction(&mut self, at: usize, target: Range<usize>, data: Range<usize>) {
        let name = self.window.text(target).to_owned();
        let inside = self.window.text(data.clone()).to_owned();
        let begins_document = self.window.place(at).byte_offset == 0;
        let kind = if name == "xml" && begins_document {
            self.prolog.has_declaration = true;
            self.entities.is_standalone = declaration::is_standalone(&inside);
            declaration::fault(&inside).map(|()| AnomalyKind::DeclarationMalformed)
        } else if name == "xml" && self.roots == 0 && !self.prolog.has_declaration {
            self.prolog.has_declaration = true;
            self.prolog.late_encoding = declared_encoding(&format!("<?xml{inside}?>")).map(|(_, label)| label.into());
            // What precedes it was noted, as what it is.
            let is_noted = self.notes.count(AnomalyKind::ContentOutsideRoot) > 0;
            if is_noted {
                declaration::fault(&inside).map(|()| AnomalyKind::DeclarationMalformed)
            } else {
                Some(AnomalyKind::SpaceBeforeDeclaration)
            }
        } else if name == "xml" {
            Some(AnomalyKind::DeclarationMisplaced)
        } else if name.is_empty() || name.eq_ignore_ascii_case("xml") {
            Some(AnomalyKind::MalformedInstruction)
        } else if name.contains(':') {
            Some(AnomalyKind::NamespaceMalformed)
        } else if inside.as_bytes().first().is_some_and(|&byte| !is_space(byte)) {
            Some(AnomalyKind::MalformedInstruction)
        } else {
            forbidden_char(&inside).map(|_| AnomalyKind::ControlCharacter)
        };
        if name == "xml-stylesheet" && self.roots == 0 && self.prolog.stylesheet.is_none() {
            self.prolog.stylesheet = stylesheet(&inside);
        }
        if let Some(kind) = kind {
            let seen = snippet(&self.window, at);
            self.note(kind, at, &seen);
        }
        self.note_program(at);
    }

    pub(super) fn doctype(&mut self, at: usize, content: Range<usize>, whole: bool) {
        self.tokenizer.has_doctype = true;
        let inside = self.window.text(content.clone()).to_owned();
        let seen = snippet(&self.window, at);
        self.note(AnomalyKind::Doctype, at, &seen);
        self.prolog.is_html_doctype |= inside
            .trim_start()
            .get(..4)
            .is_some_and(|root| root.eq_ignore_ascii_case("html"));
        let keyword_ok = &self.window.bytes()[at..content.start] == b"<!DOCTYPE";
        if !keyword_ok || !whole || self.roots > 0 || !declaration::is_doctype(&inside) {
            self.note(AnomalyKind::DoctypeMalformed, at, &seen);
        }
        for offset in self.entities.declare(&inside) {
            let seen = snippet(&self.window, content.start + offset);
            self.note(AnomalyKind::EntityDeclaration, content.start + offset, &seen);
        }
    }
}

/// Returns the pseudo-attribute `href`, with references resolved.
/// <https://www.w3.org/TR/xml-stylesheet/#the-xml-stylesheet-processing-instruction>
fn stylesheet(data: &str) -> Option<String> {
    let mut rest = data;
    loop {
        let (name, after) = rest.trim_start().split_once('=')?;
        let value = after.trim_start();
        let quote = value.chars().next().filter(|&quote| matches!(quote, '"' | '\''))?;
        let (value, after) = value[1..].split_once(quote)?;
        if name.trim_end() == "href" {
            let plain = value
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&apos;", "'")
                .replace("&amp;", "&");
            return (plain.len() <= MAX_STYLESHEET).then(|| plain.trim().to_owned());
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::stylesheet;

    #[test]
    fn the_url_of_a_stylesheet() {
        let cases = [
            ("type=\"text/xsl\" href=\"/main.xsl\"", Some("/main.xsl")),
            ("href='a.css?b&amp;lt;c'", Some("a.css?b&lt;c")),
            (
                "\n\ttype = 'text/xsl'\n\thref\t=\n\" //example.com/a.xsl \" media='all'",
                Some("//example.com/a.xsl"),
            ),
            ("type=\"text/xsl\"", None),
            ("title=\"href='x'\" href=\"y\"", Some("y")),
            ("href=x", None),
            ("href=\"x", None),
            ("", None),
        ];
        for (data, address) in cases {
            assert_eq!(stylesheet(data).as_deref(), address, "{data}");
        }
    }
}
