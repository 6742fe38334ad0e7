//! The parts of an entry outside the protocol itself: language versions, records, elements of other namespaces.

use super::namespaces::{FIRST_OWN, IMAGES, NEWSES, Namespaces, VIDEOS, XHTML};
use super::{Encoder, Outcome, Written, is_empty};
use crate::value::trim;
use crate::value::url::has_xml_escape;
use crate::write::entry::{Entry, Item, Link, Record, Value};
use crate::write::escape::{push_attribute, push_text};
use crate::write::links::{code, link_order, push_link};
use crate::write::records::{Attribute, DEPRECATED, Field, IMAGE, NEWS, Spec, TV_SHOW, VIDEO};
use crate::write::refusal::{Reason, Refusal};

impl Encoder {
    pub(super) fn extensions(
        &mut self,
        entry: &Entry,
        loc: &str,
        out: &mut Vec<u8>,
        written: &mut Written,
    ) -> Outcome<()> {
        if !entry.alternates.is_empty() {
            written.alternates = self.alternates(entry, loc, out)?;
            written.namespaces |= if written.alternates > 0 { XHTML } else { 0 };
        }
        let kinds = [
            (&IMAGE, IMAGES, &entry.images, &mut written.images),
            (&VIDEO, VIDEOS, &entry.videos, &mut written.videos),
            (&NEWS, NEWSES, &entry.news, &mut written.news),
        ];
        for (spec, bit, records, count) in kinds {
            if records.len() > spec.most {
                let detail = format!("{} values; at most {} are allowed", records.len(), spec.most);
                return Err(Refusal::new(Reason::TooMany, spec.key, &detail, ""));
            }
            for record in records {
                let start = out.len();
                let done = self.record(spec, record, loc, bit, out);
                if done.is_err() {
                    out.truncate(start);
                }
                if self.or_without(done, false)?.is_some() {
                    *count += 1;
                    written.namespaces |= bit;
                    let deprecated = deprecated(spec, record);
                    written.deprecated += u32::from(deprecated != 0);
                    written.deprecated_fields |= deprecated;
                }
            }
        }
        for (name, value) in &entry.own {
            written.namespaces |= self.own(name, value, out)?;
        }
        Ok(())
    }

    /// Writes the links to the language versions of the page, including itself.
    fn alternates(&mut self, entry: &Entry, loc: &str, out: &mut Vec<u8>) -> Outcome<u32> {
        let mut links: Vec<(String, String)> = Vec::with_capacity(entry.alternates.len() + 1);
        for link in &entry.alternates {
            let good = self.link(link);
            if let Some(link) = self.or_without(good, false)? {
                push_link(&mut links, link)?;
            }
        }
        if let Some(given) = &entry.hreflang {
            let code = code(given, "hreflang")?;
            push_link(&mut links, (code, loc.to_owned()))?;
        } else if !links.iter().any(|(_, href)| href == loc) {
            return Err(Refusal::new(Reason::HreflangSelfMissing, "alternates", "", loc));
        }
        // The same order on every page of a group, whatever the order of the input.
        links.sort_by_key(|(code, _)| link_order(code));
        for (code, href) in &links {
            self.line(out, 2);
            out.extend_from_slice(b"<xhtml:link");
            self.declare_here(out, XHTML);
            out.extend_from_slice(b" rel=\"alternate\" hreflang=\"");
            push_attribute(out, code);
            out.extend_from_slice(b"\" href=\"");
            push_attribute(out, href);
            out.extend_from_slice(b"\"/>");
        }
        Ok(links.len() as u32)
    }

    fn link(&mut self, link: &Link) -> Outcome<(String, String)> {
        let code = code(&link.hreflang, "alternates.hreflang")?;
        let href = self.clean(&link.href, "alternates.href")?;
        self.unescaped |= has_xml_escape(&href);
        let href = self.urls.absolute(&href, "alternates.href")?;
        let good = self.urls.good(&href, "alternates.href")?;
        Ok((code, good.text.into_owned()))
    }

    fn record(&mut self, spec: &Spec, record: &Record, loc: &str, bit: Namespaces, out: &mut Vec<u8>) -> Outcome<()> {
        self.line(out, 2);
        out.push(b'<');
        out.extend_from_slice(spec.element.as_bytes());
        self.declare_here(out, bit);
        out.push(b'>');
        let given = |key: &str| find(record, key).is_some_and(|item| !item.is_empty());
        if spec
            .fields
            .iter()
            .any(|field| field.inside == TV_SHOW && given(field.key))
        {
            for key in ["tvshow_show_title", "tvshow_video_type"] {
                if !given(key) {
                    return Err(Refusal::new(
                        Reason::FieldMissing,
                        &path(spec, key),
                        "required in a tvshow",
                        "",
                    ));
                }
            }
        }
        let mut inside = "";
        let mut locations = 0;
        for field in spec.fields {
            let present = find(record, field.key).is_some_and(|item| !item.is_empty());
            if !present {
                if field.required {
                    return Err(Refusal::new(Reason::FieldMissing, &path(spec, field.key), "", ""));
                }
                continue;
            }
            if inside != field.inside {
                self.close(out, inside);
                inside = field.inside;
                self.open(out, inside);
            }
            let values = self.field(spec, field, record, out)?;
            if matches!(field.key, "content_loc" | "player_loc") && !values.is_empty() {
                if values == loc {
                    let detail = "must not be the URL of the page itself";
                    return Err(Refusal::new(
                        Reason::FieldInvalid,
                        &path(spec, field.key),
                        detail,
                        &values,
                    ));
                }
                locations += 1;
            }
        }
        self.close(out, inside);
        if std::ptr::eq(spec, &raw const VIDEO) && locations == 0 {
            let detail = "content_loc or player_loc is required";
            return Err(Refusal::new(
                Reason::FieldMissing,
                &path(spec, "content_loc"),
                detail,
                "",
            ));
        }
        self.line(out, 2);
        out.extend_from_slice(b"</");
        out.extend_from_slice(spec.element.as_bytes());
        out.push(b'>');
        Ok(())
    }

    /// Writes all values of one field of a record; returns the last one as written, or an empty string.
    fn field(&mut self, spec: &Spec, field: &Field, record: &Record, out: &mut Vec<u8>) -> Outcome<String> {
        let name = path(spec, field.key);
        let item = find(record, field.key);
        let values = item.map(Item::values).unwrap_or_default();
        let count = values
            .iter()
            .filter(|value| value.is_some_and(|it| !is_empty(it)))
            .count();
        if count > field.most {
            let detail = format!("{count} values; at most {} are allowed", field.most);
            return Err(Refusal::new(Reason::TooMany, &name, &detail, ""));
        }
        let mut last = String::new();
        for (position, value) in values.into_iter().enumerate() {
            let Some(value) = value.filter(|value| !is_empty(value)) else {
                continue;
            };
            let start = out.len();
            let done = self.field_value(spec, field, record, (position, value), out);
            if done.is_err() {
                out.truncate(start);
            }
            if let Some(text) = self.or_without(done, field.required)? {
                last = text;
            }
        }
        Ok(last)
    }

    fn field_value(
        &mut self,
        spec: &Spec,
        field: &Field,
        record: &Record,
        (position, value): (usize, &Value),
        out: &mut Vec<u8>,
    ) -> Outcome<String> {
        let text = self.checked(value, field.kind, &path(spec, field.key))?.into_owned();
        self.line(out, if field.inside.is_empty() { 3 } else { 4 });
        out.push(b'<');
        out.extend_from_slice(field.element.as_bytes());
        for attribute in field.attributes {
            self.attribute(spec, attribute, record, position, out)?;
        }
        out.push(b'>');
        push_text(out, &text);
        out.extend_from_slice(b"</");
        out.extend_from_slice(field.element.as_bytes());
        out.push(b'>');
        Ok(text)
    }

    fn attribute(
        &mut self,
        spec: &Spec,
        attribute: &Attribute,
        record: &Record,
        position: usize,
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        let values = find(record, attribute.key).map(Item::values).unwrap_or_default();
        let value = values.get(position).copied().flatten().filter(|value| !is_empty(value));
        let name = path(spec, attribute.key);
        let Some(value) = value else {
            if attribute.required {
                return Err(Refusal::new(Reason::FieldMissing, &name, "", ""));
            }
            return Ok(());
        };
        let text = self.checked(value, attribute.kind, &name)?;
        out.push(b' ');
        out.extend_from_slice(attribute.name.as_bytes());
        out.extend_from_slice(b"=\"");
        push_attribute(out, &text);
        out.push(b'"');
        Ok(())
    }

    /// Writes an element in a custom namespace; returns the bit of that namespace.
    fn own(&mut self, name: &str, value: &Value, out: &mut Vec<u8>) -> Outcome<Namespaces> {
        if is_empty(value) {
            return Ok(0);
        }
        let prefix = name.split(':').next().unwrap_or_default();
        let Some(number) = self.options.namespaces.iter().position(|(known, _)| known == prefix) else {
            return Err(Refusal::new(
                Reason::NotAnEntry,
                name,
                "undeclared namespace prefix; declare it in namespaces",
                "",
            ));
        };
        let bit = 1 << (FIRST_OWN + number as u32);
        let text = value.text();
        let text = self.clean(&text, name)?;
        self.line(out, 2);
        out.push(b'<');
        out.extend_from_slice(name.as_bytes());
        self.declare_here(out, bit);
        out.push(b'>');
        push_text(out, trim(&text));
        out.extend_from_slice(b"</");
        out.extend_from_slice(name.as_bytes());
        out.push(b'>');
        Ok(bit)
    }

    fn open(&self, out: &mut Vec<u8>, element: &str) {
        if !element.is_empty() {
            self.line(out, 3);
            out.push(b'<');
            out.extend_from_slice(element.as_bytes());
            out.push(b'>');
        }
    }

    fn close(&self, out: &mut Vec<u8>, element: &str) {
        if !element.is_empty() {
            self.line(out, 3);
            out.extend_from_slice(b"</");
            out.extend_from_slice(element.as_bytes());
            out.push(b'>');
        }
    }
}

impl Item<'_> {
    fn values(&self) -> Vec<Option<&Value<'_>>> {
        match self {
            Item::One(value) => vec![Some(value)],
            Item::Many(values) => values.iter().map(Option::as_ref).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Item::One(value) => is_empty(value),
            Item::Many(values) => values.iter().all(|value| value.as_ref().is_none_or(is_empty)),
        }
    }
}

fn find<'r, 'a>(record: &'r Record<'a>, key: &str) -> Option<&'r Item<'a>> {
    record.iter().find(|(name, _)| name == key).map(|(_, item)| item)
}

/// Returns which deprecated fields a record has: a bit for each, in their order.
fn deprecated(spec: &Spec, record: &Record) -> u8 {
    if !std::ptr::eq(spec, &raw const IMAGE) {
        return 0;
    }
    let has = |key| find(record, key).is_some_and(|it| !it.is_empty());
    (0..DEPRECATED.len())
        .map(|bit| u8::from(has(DEPRECATED[bit])) << bit)
        .sum()
}

fn path(spec: &Spec, key: &str) -> String {
    format!("{}.{key}", spec.name)
}
