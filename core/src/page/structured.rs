//! JSON-LD: the dates of what the page is about.

use serde_json::Value;

/// Properties that are dates of the page, and how a fact names them. <https://schema.org/CreativeWork>
const DATES: [(&str, &str); 2] = [
    ("dateModified", "json-ld:dateModified"),
    ("datePublished", "json-ld:datePublished"),
];
/// Where a page's own thing may stand inside another one. Comments, reviews and parts have dates of their own.
const NESTED: [&str; 3] = ["@graph", "mainEntity", "mainEntityOfPage"];

/// Calls `found` for each date of a `<script type="application/ld+json">`; JSON that is none has none.
pub(super) fn dates(script: &str, mut found: impl FnMut(&'static str, &str)) {
    // Some generators wrap it as scripts once had to be: `<!-- … -->`, `//<![CDATA[ … //]]>`.
    let start = script.find(['{', '[']).unwrap_or(0);
    let end = script.rfind(['}', ']']).map_or(script.len(), |at| at + 1);
    if let Ok(value) = serde_json::from_str::<Value>(script.get(start..end).unwrap_or("")) {
        walk(&value, &mut found);
    }
}

/// serde_json itself bounds the depth.
fn walk(value: &Value, found: &mut impl FnMut(&'static str, &str)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, found)),
        Value::Object(object) => {
            for (property, name) in DATES {
                for date in one_or_more(object.get(property)) {
                    if let Some(text) = date.as_str().or_else(|| date.get("@value")?.as_str()) {
                        found(name, text);
                    }
                }
            }
            for property in NESTED {
                if let Some(inner) = object.get(property) {
                    walk(inner, found);
                }
            }
        }
        _ => {}
    }
}

fn one_or_more(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::Array(values)) => values,
        Some(value) => std::slice::from_ref(value),
        None => &[],
    }
}
