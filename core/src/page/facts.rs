//! The facts of a page, as written in it; lists are bounded, and reaching a bound is told.

use crate::limits::{MAX_PAGE_LIST, MAX_PAGE_VALUE};

/// Links and directives that stand in the body, where search engines pass over them or may.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InBody {
    pub canonicals: Vec<String>,
    /// Name in lower case, content.
    pub robots: Vec<(String, String)>,
    /// hreflang, href.
    pub alternates: Vec<(String, String)>,
}

/// What one page says of itself. Strings are as written, outer white space removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The first `<title>`, white space collapsed.
    pub title: Option<String>,
    /// The first `<h1>`, white space collapsed.
    pub heading: Option<String>,
    /// `<html lang>`.
    pub lang: Option<String>,
    /// The first `<base href>`.
    pub base: Option<String>,
    /// `<link rel=canonical href>` in the head.
    pub canonicals: Vec<String>,
    /// `<meta name=robots>` and those of single crawlers in the head: name in lower case, content.
    pub robots: Vec<(String, String)>,
    /// `<link rel=alternate hreflang href>` in the head: hreflang, href.
    pub alternates: Vec<(String, String)>,
    pub in_body: InBody,
    /// The first `<meta http-equiv=refresh>` that works: seconds, target.
    pub refresh: Option<(f64, Option<String>)>,
    /// Where a date stands, and its value.
    pub dates: Vec<(&'static str, String)>,
    /// `<link rel=sitemap href>`.
    pub sitemaps: Vec<String>,
    /// `<link rel=alternate href>` of RSS and Atom.
    pub feeds: Vec<String>,
    /// `<img src>` outside of navigation and the like, if asked for.
    pub images: Vec<String>,
    /// Whether there is `<input type=password>`.
    pub has_password_field: bool,
    /// Hash of the main text without what changes by itself.
    pub content_hash: u64,
    /// Words of the main text.
    pub words: u64,
    /// The encoding that was read, by its WHATWG name.
    pub encoding: &'static str,
    /// False if a bound was reached: something may be missing.
    pub complete: bool,
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            title: None,
            heading: None,
            lang: None,
            base: None,
            canonicals: Vec::new(),
            robots: Vec::new(),
            alternates: Vec::new(),
            in_body: InBody::default(),
            refresh: None,
            dates: Vec::new(),
            sitemaps: Vec::new(),
            feeds: Vec::new(),
            images: Vec::new(),
            has_password_field: false,
            content_hash: 0,
            words: 0,
            encoding: "UTF-8",
            complete: true,
        }
    }
}

/// Appends within the bound; false if the list is full.
pub(super) fn push<T>(list: &mut Vec<T>, value: T) -> bool {
    let has_room = list.len() < MAX_PAGE_LIST;
    if has_room {
        list.push(value);
    }
    has_room
}

/// Whether a value was cut at the bound.
pub(super) fn is_cut(value: &str) -> bool {
    value.len() >= MAX_PAGE_VALUE
}

/// HTML's white space. <https://infra.spec.whatwg.org/#ascii-whitespace>
pub(super) fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ')
}

/// Without outer white space.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// With each run of white space one space, none outside; None if nothing is left.
pub(super) fn collapse(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let mut collapsed = words.next()?.to_owned();
    for word in words {
        collapsed.push(' ');
        collapsed.push_str(word);
    }
    Some(collapsed)
}
