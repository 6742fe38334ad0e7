//! JSON-LD: reads the dates of the page's main entity in one pass, and keeps nothing else of the JSON.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::limits::{MAX_PAGE_LIST, MAX_PAGE_VALUE};

/// Properties that are dates of the page, and the names of their facts. <https://schema.org/CreativeWork>
const DATES: [(&str, &str); 2] = [
    ("dateModified", "json-ld:dateModified"),
    ("datePublished", "json-ld:datePublished"),
];
/// Properties that can contain the page's main entity. Comments, reviews and parts have dates of their own.
const NESTED: [&str; 3] = ["@graph", "mainEntity", "mainEntityOfPage"];

/// Calls `found` for each date of a `<script type="application/ld+json">`. Invalid JSON has no dates. Returns false if
/// a limit was reached.
pub(super) fn dates(script: &str, mut found: impl FnMut(&'static str, &str)) -> bool {
    // Some generators wrap it as scripts once required: `<!-- … -->`, `//<![CDATA[ … //]]>`.
    let start = script.find(['{', '[']).unwrap_or(0);
    let end = script.rfind(['}', ']']).map_or(script.len(), |at| at + 1);
    let mut dates = Dates::default();
    // serde_json itself limits the depth.
    let mut json = serde_json::Deserializer::from_str(script.get(start..end).unwrap_or(""));
    let read = Thing(&mut dates).deserialize(&mut json).and_then(|()| json.end());
    if read.is_ok() {
        dates.list.iter().for_each(|(name, value)| found(name, value));
    }
    read.is_err() || !dates.is_cut
}

#[derive(Default)]
struct Dates {
    list: Vec<(&'static str, String)>,
    is_cut: bool,
}

impl Dates {
    fn add(&mut self, name: &'static str, value: &str) {
        if self.list.len() < MAX_PAGE_LIST && value.len() <= MAX_PAGE_VALUE {
            self.list.push((name, value.to_owned()));
        } else {
            self.is_cut = true;
        }
    }
}

/// Implements the visitor methods for JSON values that are ignored.
macro_rules! ignored {
    () => {
        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("JSON")
        }
        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            Ok(())
        }
        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            Ok(())
        }
        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            Ok(())
        }
        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            Ok(())
        }
        fn visit_unit<E>(self) -> Result<(), E> {
            Ok(())
        }
    };
}

/// A thing, or a list of things, whose dates are read.
struct Thing<'a>(&'a mut Dates);

impl<'de> DeserializeSeed<'de> for Thing<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Thing<'_> {
    type Value = ();
    ignored!();

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Thing(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(Key(property)) = object.next_key()? {
            if let Some((_, name)) = DATES.iter().find(|(date, _)| *date == property) {
                object.next_value_seed(Date(name, &mut *self.0))?;
            } else if NESTED.contains(&&*property) {
                object.next_value_seed(Thing(&mut *self.0))?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A key of an object; copied only if it has escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Name;
        impl<'de> Visitor<'de> for Name {
            type Value = Key<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(name.to_owned())))
            }
        }
        json.deserialize_str(Name)
    }
}

/// A date, `{"@value": date}`, or a list of either.
struct Date<'a>(&'static str, &'a mut Dates);

impl<'de> DeserializeSeed<'de> for Date<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Date<'_> {
    type Value = ();
    ignored!();

    fn visit_str<E>(self, date: &str) -> Result<(), E> {
        self.1.add(self.0, date);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Date(self.0, &mut *self.1))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(Key(property)) = object.next_key()? {
            if property == "@value" {
                object.next_value_seed(Date(self.0, &mut *self.1))?;
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(script: &str) -> (Vec<(&'static str, String)>, bool) {
        let mut all = Vec::new();
        let is_whole = dates(script, |name, value| all.push((name, value.to_owned())));
        (all, is_whole)
    }

    #[test]
    fn dates_of_the_main_entity_only() {
        let modified = |value: &str| ("json-ld:dateModified", value.to_owned());
        let cases = [
            (r#"{"dateModified":"2026-01-02"}"#, vec![modified("2026-01-02")]),
            (
                r#"[{"@graph":[{"dateModified":["a",{"@value":"b"}]}]}]"#,
                vec![modified("a"), modified("b")],
            ),
            (
                r#"{"comment":{"dateModified":"a"},"mainEntity":{"dateModified":"b"}}"#,
                vec![modified("b")],
            ),
            (r#"{"date\u004dodified":"a"}"#, vec![modified("a")]),
            (r#"{"dateModified":1,"datePublished":null}"#, vec![]),
            (r#"<!-- {"dateModified":"a"} -->"#, vec![modified("a")]),
            (r#"{"dateModified":"a"} {"dateModified":"b"}"#, vec![]),
            (r#"{"dateModified":"a""#, vec![]),
            ("", vec![]),
        ];
        for (script, wanted) in cases {
            assert_eq!(found(script), (wanted, true), "{script}");
        }
    }

    #[test]
    fn dates_are_limited() {
        let many = format!(r#"{{"dateModified":[{}"2026"]}}"#, r#""2026","#.repeat(MAX_PAGE_LIST));
        let (all, is_whole) = found(&many);
        assert_eq!((all.len(), is_whole), (MAX_PAGE_LIST, false));
        let long = format!(r#"{{"dateModified":"{}"}}"#, "2".repeat(MAX_PAGE_VALUE + 1));
        assert_eq!(found(&long), (vec![], false));
        let deep = format!(r#"{{"x":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(found(&deep), (vec![], true));
        assert_eq!(found(&deep.replace("\"x\"", "\"@graph\"")), (vec![], true));
    }
}
