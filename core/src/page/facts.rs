//! The facts of a page, as written in it. Lists are limited, and reaching a limit is reported.

use super::anchors::Anchors;
use super::kind::Kind;
use super::links::Links;
use crate::limits::{MAX_PAGE_LIST, MAX_REDIRECT_WORDS};

/// Links and directives in the body, where search engines ignore them or may ignore them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InBody {
    pub canonicals: Vec<String>,
    /// Lowercase name, content.
    pub robots: Vec<(String, String)>,
    /// hreflang, href.
    pub alternates: Vec<(String, String)>,
}

impl InBody {
    pub(super) fn is_empty(&self) -> bool {
        self.canonicals.is_empty() && self.robots.is_empty() && self.alternates.is_empty()
    }
}

/// The facts that one page states. Strings are as written, without outer whitespace.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The first `<title>`, with whitespace collapsed.
    pub title: Option<String>,
    /// The first `<h1>`, with whitespace collapsed.
    pub heading: Option<String>,
    /// The first `<meta name=description>`, with whitespace collapsed.
    pub description: Option<String>,
    /// `<html lang>`.
    pub lang: Option<String>,
    /// The first `<base href>`.
    pub base: Option<String>,
    /// `<link rel=canonical href>` in the head.
    pub canonicals: Vec<String>,
    /// `<meta name=robots>` and those of specific crawlers in the head: lowercase name, content.
    pub robots: Vec<(String, String)>,
    /// `<link rel=alternate hreflang href>` in the head: hreflang, href.
    pub alternates: Vec<(String, String)>,
    pub in_body: InBody,
    /// What ended the head, as a tag or the beginning of a text, and its line; only if `in_body` has something.
    pub head_end: Option<(String, u64)>,
    /// The first valid `<meta http-equiv=refresh>`: seconds, target.
    pub refresh: Option<(f64, Option<String>)>,
    /// The target of the redirect that a script of a page with little text does as soon as the page is loaded.
    pub script_target: Option<String>,
    /// The scripts that a browser runs, if requested.
    pub scripts: Vec<String>,
    /// Where a date was found, and its value.
    pub dates: Vec<(&'static str, String)>,
    /// `<link rel=sitemap href>`.
    pub sitemaps: Vec<String>,
    /// `<link rel=alternate href>` of RSS and Atom.
    pub feeds: Vec<String>,
    /// `<link rel=alternate type=text/markdown href>`: the Markdown versions of the page.
    pub markdown: Vec<String>,
    /// `<link rel=describedby href>`.
    pub described_by: Vec<String>,
    /// The URLs of IndexNow key files, and where each is: `link` for `<link rel=indexnow-key href>`, `meta` for
    /// `<meta name=indexnow-key-location content>`.
    pub indexnow_keys: Vec<(&'static str, String)>,
    /// `<img src>` outside of navigation, header, footer and similar, if requested.
    pub images: Vec<String>,
    /// `<a href>` and `<area href>`, if requested.
    pub links: Links,
    /// What fragments can lead to, if links are requested.
    pub anchors: Anchors,
    /// Whether the page has a script that a browser runs.
    pub has_script: bool,
    /// Whether the page has `<input type=password>`.
    pub has_password_field: bool,
    /// What the content is: a page, or something else under the name of a page.
    pub kind: Kind,
    /// The main text, and its headings with whitespace collapsed, if requested.
    pub text: String,
    pub headings: Vec<String>,
    /// Hash of the main text without the parts that change by themselves.
    pub content_hash: u64,
    /// Words of the main text.
    pub words: u64,
    /// Size of the page.
    pub bytes: u64,
    /// The encoding that was used, by its WHATWG name.
    pub encoding: &'static str,
    /// False if a limit was reached: facts may be missing.
    pub complete: bool,
}

impl Facts {
    /// Returns whether the page has no other anchors than these. It may have some if a limit cut it, or if its scripts
    /// make its content or answer to fragments.
    pub fn has_all_anchors(&self) -> bool {
        let is_made_by_script = self.has_script && (self.words < MAX_REDIRECT_WORDS || !self.anchors.are_known());
        self.complete && self.anchors.are_whole() && !is_made_by_script
    }
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            title: None,
            heading: None,
            description: None,
            lang: None,
            base: None,
            canonicals: Vec::new(),
            robots: Vec::new(),
            alternates: Vec::new(),
            in_body: InBody::default(),
            head_end: None,
            refresh: None,
            script_target: None,
            scripts: Vec::new(),
            dates: Vec::new(),
            sitemaps: Vec::new(),
            feeds: Vec::new(),
            markdown: Vec::new(),
            described_by: Vec::new(),
            indexnow_keys: Vec::new(),
            images: Vec::new(),
            links: Links::default(),
            anchors: Anchors::default(),
            has_script: false,
            has_password_field: false,
            kind: Kind::default(),
            text: String::new(),
            headings: Vec::new(),
            content_hash: 0,
            words: 0,
            bytes: 0,
            encoding: "UTF-8",
            complete: true,
        }
    }
}

/// Appends within the limit; returns false if the list is full.
pub(super) fn push<T>(list: &mut Vec<T>, value: T) -> bool {
    let has_room = list.len() < MAX_PAGE_LIST;
    if has_room {
        list.push(value);
    }
    has_room
}
