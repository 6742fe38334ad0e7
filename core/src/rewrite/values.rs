//! Repairs invalid values of fields whose meaning is clear.

use super::account::Repair;
use super::address::{self, Verdict};
use super::date;
use crate::read::record_fields::Grammar;
use crate::read::rows::Extension;
use crate::value::changefreq::is_changefreq;
use crate::value::codes;
use crate::value::url::xml_unescaped;
use crate::value::{datetime, decimal, hreflang};

pub type Repaired = Option<(Repair, String)>;

pub fn lastmod(text: &str) -> Repaired {
    datetime::parse_w3c(text).problem?;
    date::repair(text).map(|repaired| (Repair::Date, repaired))
}

pub fn changefreq(text: &str) -> Repaired {
    if is_changefreq(text) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    is_changefreq(&lower).then_some((Repair::Changefreq, lower))
}

/// `0,5` means 0.5 in half of the world; it cannot be a thousands separator, since no priority has thousands.
pub fn priority(text: &str) -> Repaired {
    if decimal::parse(text).is_some() {
        return None;
    }
    let pointed = text.replace(',', ".");
    let is_share = decimal::parse(&pointed).is_some_and(|value| (0.0..=1.0).contains(&value));
    is_share.then_some((Repair::Number, pointed))
}

pub fn url(text: &str, base: Option<&str>) -> Repaired {
    match address::judge(text, base) {
        Verdict::Repaired(repair, url) => Some((repair, url)),
        Verdict::Good => None,
        // Whatever else is wrong with it.
        Verdict::Bad(_) => xml_unescaped(text).map(|plain| (Repair::EscapedTwice, plain)),
    }
}

/// `en_GB` lacks its hyphen; `en-UK` means the United Kingdom, whose code is GB.
pub fn language_and_region(text: &str) -> Repaired {
    hreflang::parse(text)?;
    let hyphened = text.replace('_', "-");
    let written = match hyphened
        .len()
        .checked_sub(3)
        .and_then(|at| hyphened.split_at_checked(at))
    {
        Some((before, "-UK")) => format!("{before}-GB"),
        Some((before, "-uk")) => format!("{before}-gb"),
        _ => hyphened,
    };
    let is_repaired = written != text && hreflang::parse(&written).is_none();
    is_repaired.then_some((Repair::Code, written))
}

/// Repairs a field of an extension record.
pub fn field(extension: Extension, field: usize, text: &str, base: Option<&str>) -> Repaired {
    let spec = &extension.fields()[field];
    match (extension, spec.column) {
        (Extension::Video, "restriction") => countries(text),
        (Extension::News, "publication_language") => lower_language(text),
        _ => match spec.grammar {
            Grammar::Url | Grammar::HostedUrl | Grammar::HashedUrl | Grammar::HostedHashedUrl => url(text, base),
            Grammar::Date => lastmod(text),
            Grammar::Hreflang => language_and_region(text),
            Grammar::Text | Grammar::Decimal | Grammar::List => None,
        },
    }
}

/// Repairs country codes in lowercase where uppercase is required.
fn countries(text: &str) -> Repaired {
    let upper = text.to_ascii_uppercase();
    let are_codes = upper
        .split_ascii_whitespace()
        .all(|code| codes::is_region(code.as_bytes()));
    (upper != text && !upper.is_empty() && are_codes).then_some((Repair::Code, upper))
}

fn lower_language(text: &str) -> Repaired {
    let lower = text.to_ascii_lowercase();
    let is_code = matches!(lower.as_str(), "zh-cn" | "zh-tw")
        || codes::is_language(lower.as_bytes())
        || (lower.len() == 3 && lower.bytes().all(|byte| byte.is_ascii_lowercase()));
    (lower != text && is_code).then_some((Repair::Code, lower))
}
