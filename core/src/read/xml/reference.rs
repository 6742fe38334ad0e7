//! Resolves references and line ends in text, and detects characters that XML forbids.

use std::collections::HashSet;

use memchr::{memchr, memmem};

use super::chars::{Contents, char_at, is_space, is_xml_char, may_start_name, name_end, skip_space};
use super::entity_names::html_entity;
use crate::anomaly::AnomalyKind;
use crate::read::notes::Notes;
use crate::read::window::Window;

/// The context of a piece of text, which determines which characters are special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Text,
    Cdata,
    Attribute,
}

/// The entities that a document type declaration defines.
#[derive(Default)]
pub struct Entities {
    declared: HashSet<String>,
    /// Some declarations are external, so an unknown entity is not necessarily an error.
    elsewhere: bool,
    /// The document declares that it needs no external declarations.
    pub is_standalone: bool,
}

impl Entities {
    /// Reads the names that a document type declaration declares, and returns the offsets of the declarations in it.
    pub fn declare(&mut self, doctype: &str) -> Vec<usize> {
        let bytes = doctype.as_bytes();
        let begin = doctype.find('[').unwrap_or(doctype.len());
        // An external subset, or a reference to a parameter entity. <https://www.w3.org/TR/xml/#wf-entdeclared>
        self.elsewhere |= doctype[..begin].contains("SYSTEM") || doctype[..begin].contains("PUBLIC");
        let mut found = Vec::new();
        let mut at = begin;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            let skipped = match byte {
                b'<' if rest.starts_with(b"<!--") => memmem::find(&rest[4..], b"-->").map(|offset| offset + 7),
                b'<' if rest.starts_with(b"<?") => memmem::find(&rest[2..], b"?>").map(|offset| offset + 4),
                b'<' if rest.starts_with(b"<!ENTITY") => {
                    found.push(at);
                    self.declare_entity(doctype, at + 8);
                    Some(8)
                }
                b'"' | b'\'' => memchr(byte, &rest[1..]).map(|offset| offset + 2),
                b'%' => {
                    self.elsewhere |= rest.get(1).is_some_and(|&next| may_start_name(next));
                    Some(1)
                }
                _ => Some(1),
            };
            let Some(skipped) = skipped else { break };
            at += skipped;
        }
        found
    }

    /// A name with a % before it is a parameter entity, which text cannot refer to.
    fn declare_entity(&mut self, doctype: &str, at: usize) {
        let begin = skip_space(doctype.as_bytes(), at);
        let name = &doctype[begin..name_end(doctype.as_bytes(), begin)];
        if !name.is_empty() {
            self.declared.insert(name.to_owned());
        }
    }

    /// Whether an entity that is not declared here may be declared externally.
    fn may_be_elsewhere(&self) -> bool {
        self.elsewhere && !self.is_standalone
    }
}

/// Resolves the references and line ends of one piece of text, once, and notes its problems.
pub struct Unescape<'a> {
    pub window: &'a Window,
    pub notes: &'a mut Notes,
    pub entities: &'a Entities,
    pub setting: Setting,
    pub field: Option<&'static str>,
}

impl Unescape<'_> {
    /// Appends the resolved text of `raw`, which is at `at` in the window, to `out`.
    pub fn append(&mut self, raw: &str, at: usize, contents: Contents, out: &mut String) {
        let bytes = raw.as_bytes();
        let mut copied = 0;
        let mut here = 0;
        let only_references = contents.only_ampersands() && self.setting == Setting::Text;
        while here < bytes.len() {
            if only_references {
                // By far the most common case: `&amp;` in an otherwise plain URL.
                here = memchr(b'&', &bytes[here..]).map_or(bytes.len(), |offset| here + offset);
                if here == bytes.len() {
                    break;
                }
            }
            let byte = bytes[here];
            match byte {
                b'&' if self.setting != Setting::Cdata => {
                    out.push_str(&raw[copied..here]);
                    here = self.reference(raw, here, at, out);
                    copied = here;
                }
                b'\r' => {
                    out.push_str(&raw[copied..here]);
                    out.push(if self.setting == Setting::Attribute { ' ' } else { '\n' });
                    here += if bytes.get(here + 1) == Some(&b'\n') { 2 } else { 1 };
                    copied = here;
                }
                b'\n' | b'\t' if self.setting == Setting::Attribute => {
                    out.push_str(&raw[copied..here]);
                    out.push(' ');
                    here += 1;
                    copied = here;
                }
                b']' if self.setting == Setting::Text && bytes[here..].starts_with(b"]]>") => {
                    self.note(AnomalyKind::CdataEndInText, at + here, "]]>");
                    here += 3;
                }
                0x00..=0x1f if !is_space(byte) => {
                    self.note(AnomalyKind::ControlCharacter, at + here, &raw[here..=here]);
                    here += 1;
                }
                0xef if matches!(bytes[here..], [0xef, 0xbf, 0xbe | 0xbf, ..]) => {
                    self.note(AnomalyKind::ControlCharacter, at + here, &raw[here..here + 3]);
                    here += 3;
                }
                _ => here += 1,
            }
        }
        out.push_str(&raw[copied..]);
    }

    /// Reads the reference at `here`, and returns the offset after it.
    fn reference(&mut self, raw: &str, here: usize, at: usize, out: &mut String) -> usize {
        let bytes = raw.as_bytes();
        if bytes.get(here + 1) == Some(&b'#') {
            return self.char_reference(raw, here, at, out);
        }
        let end = name_end(bytes, here + 1);
        let name = &raw[here + 1..end];
        if name.is_empty() || bytes.get(end) != Some(&b';') {
            return self.bare_ampersand(raw, here, at, out);
        }
        let written = &raw[here..=end];
        match name {
            "amp" => out.push('&'),
            "lt" => out.push('<'),
            "gt" => out.push('>'),
            "quot" => out.push('"'),
            "apos" => out.push('\''),
            _ if self.entities.declared.contains(name) => {
                self.note(AnomalyKind::DeclaredEntity, at + here, written);
                out.push_str(written);
            }
            _ => match html_entity(name) {
                Some(ch) => {
                    self.note_unless_elsewhere(AnomalyKind::HtmlEntity, at + here, written);
                    out.push(ch);
                }
                None => {
                    self.note_unless_elsewhere(AnomalyKind::UndefinedEntity, at + here, written);
                    out.push_str(written);
                }
            },
        }
        end + 1
    }

    fn char_reference(&mut self, raw: &str, here: usize, at: usize, out: &mut String) -> usize {
        let bytes = raw.as_bytes();
        let (radix, begin) = if bytes.get(here + 2) == Some(&b'x') {
            (16, here + 3)
        } else {
            (10, here + 2)
        };
        let digits = bytes[begin..]
            .iter()
            .take_while(|byte| char::from(**byte).is_digit(radix))
            .count();
        let end = begin + digits;
        if digits == 0 || bytes.get(end) != Some(&b';') {
            return self.bare_ampersand(raw, here, at, out);
        }
        let code = u32::from_str_radix(&raw[begin..end], radix).unwrap_or(u32::MAX);
        if let Some(ch) = char::from_u32(code).filter(|&ch| is_xml_char(ch)) {
            out.push(ch);
            return end + 1;
        }
        if let Some((ch, end)) = low_surrogate(raw, end + 1).and_then(|(low, end)| Some((paired(code, low)?, end))) {
            self.note(AnomalyKind::SurrogateReferences, at + here, &raw[here..end]);
            out.push(ch);
            return end;
        }
        self.note(AnomalyKind::InvalidCharReference, at + here, &raw[here..=end]);
        out.push(char::REPLACEMENT_CHARACTER);
        end + 1
    }

    fn bare_ampersand(&mut self, raw: &str, here: usize, at: usize, out: &mut String) -> usize {
        let mut shown = (here + 24).min(raw.len());
        while !raw.is_char_boundary(shown) {
            shown += 1;
        }
        self.note(AnomalyKind::BareAmpersand, at + here, &raw[here..shown]);
        out.push('&');
        here + 1
    }

    fn note(&mut self, kind: AnomalyKind, at: usize, seen: &str) {
        self.notes
            .add(kind, self.window.place(at), self.field.map(Into::into), seen);
    }

    fn note_unless_elsewhere(&mut self, kind: AnomalyKind, at: usize, seen: &str) {
        if self.entities.may_be_elsewhere() {
            self.notes
                .add_forgiven(kind, self.window.place(at), self.field.map(Into::into), seen);
        } else {
            self.note(kind, at, seen);
        }
    }
}

/// Returns the code and the end of the numeric reference at `here`, if there is one.
fn low_surrogate(raw: &str, here: usize) -> Option<(u32, usize)> {
    let written = raw[here..].strip_prefix("&#")?.split_once(';')?.0;
    let code = match written.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => written.parse(),
    };
    Some((code.ok()?, here + written.len() + 3))
}

/// Returns the character that two surrogates of UTF-16 stand for.
fn paired(high: u32, low: u32) -> Option<char> {
    let units = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    let mut chars = char::decode_utf16(units);
    match (chars.next(), chars.next()) {
        (Some(Ok(ch)), None) => Some(ch),
        _ => None,
    }
}

/// Returns the first character that XML forbids, in text that is not read as a value (comments, instructions, names).
pub fn forbidden_char(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut here = 0;
    while here < bytes.len() {
        let (ch, width) = char_at(bytes, here);
        if !is_xml_char(ch) {
            return Some(here);
        }
        here += width;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_in_a_doctype() {
        for (doctype, declared, elsewhere) in [
            (" a", "", false),
            (" a SYSTEM 'x'", "", true),
            (" a PUBLIC 'x' 'y'", "", true),
            (" a [<!ENTITY b 'c'>]", "b", false),
            (" a [<!ENTITY b SYSTEM 'PUBLIC'><!ENTITY c 'd'>]", "b c", false),
            (" a [<!ENTITY % p 'x'>]", "", false),
            (" a [<!ENTITY % p 'x'> %p;]", "", true),
            (" a [<!-- <!ENTITY b 'c'> %p; -->]", "", false),
            (" a [<?x <!ENTITY b 'c'> %p; ?>]", "", false),
            (" a [<!ENTITY b '<!ENTITY c \"100%p;\">'>]", "b", false),
            (" a [<!ENTITY b 'never closed", "b", false),
        ] {
            let mut entities = Entities::default();
            entities.declare(doctype);
            let mut names: Vec<&str> = entities.declared.iter().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(
                (names.join(" ").as_str(), entities.elsewhere),
                (declared, elsewhere),
                "{doctype}"
            );
        }
    }
}
