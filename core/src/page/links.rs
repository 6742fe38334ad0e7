//! The links of a page: `<a href>` and `<area href>`, and the URLs that they lead to.

use std::borrow::Cow;

use super::anchors::Wanted;
use super::element::{Place, get};
use super::values::{is_cut, is_space};
use crate::limits::MAX_PAGE_LINKS;
use crate::value::url::{hash, normal};
use crate::value::whatwg_url;
use html5ever::{Attribute, LocalName, local_name};

/// The attribute that stands for all by which a link is a control for a script.
pub(super) const CONTROL: &str = "onclick";

/// A link as written.
#[derive(Clone, Debug, PartialEq)]
struct Link {
    /// Where its href ends in the text of all of them.
    end: usize,
    /// Whether rel asks search engines not to follow it.
    nofollow: bool,
    /// Whether it is a control for a script, which may never lead to an anchor of the page itself.
    is_control: bool,
    /// In `<main>`.
    in_main: bool,
    /// In navigation, the page's header or footer, or similar.
    is_beside: bool,
}

/// The links of a page in page order, within the limit; those in `<noscript>` come last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    /// The href of each, one after the other.
    hrefs: String,
    list: Vec<Link>,
    /// Links beyond the limit, which are only counted.
    pub skipped: u64,
    has_main: bool,
}

/// Where a page leads to: each URL once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// `page_hash` of the page.
    pub own_hash: i64,
    /// The URLs, one after the other.
    pub urls: String,
    pub list: Vec<Target>,
    /// The anchors that links look for, each once; without those of the page itself that it has.
    pub anchors: Vec<LinkedAnchor>,
}

/// An anchor that a link of a page looks for.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedAnchor {
    /// `page_hash` of the URL without the fragment.
    pub hash: i64,
    pub wanted: Wanted,
}

/// A URL of `Targets`.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Where it ends in `urls`.
    pub end: usize,
    /// `page_hash` of the URL.
    pub hash: i64,
    /// Whether no link to it may be followed.
    pub nofollow: bool,
    /// Whether a link to it is in the main content.
    pub in_main: bool,
}

impl Links {
    /// Handles an `<a>` or `<area>` element with these attributes.
    pub(super) fn meet(&mut self, attributes: &[Attribute], place: Place) {
        let Some(href) = get(attributes, &local_name!("href")) else {
            return;
        };
        self.has_main |= place.in_main;
        if self.list.len() >= MAX_PAGE_LINKS || is_cut(href) {
            self.skipped += 1;
            return;
        }
        let rel = get(attributes, &local_name!("rel")).unwrap_or("");
        // https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links
        let nofollow = rel.split(is_space).any(|word| {
            ["nofollow", "ugc", "sponsored"]
                .iter()
                .any(|name| word.eq_ignore_ascii_case(name))
        });
        self.hrefs.push_str(href);
        let has_role = get(attributes, &local_name!("role")).is_some_and(|role| role.eq_ignore_ascii_case("button"));
        self.list.push(Link {
            end: self.hrefs.len(),
            nofollow,
            is_control: has_role || get(attributes, &LocalName::from(CONTROL)).is_some(),
            in_main: place.in_main,
            is_beside: place.is_beside,
        });
    }

    /// Takes the links of a part of the page.
    pub(super) fn take(&mut self, others: Links, place: Place) {
        self.has_main |= place.in_main && others.count() > 0;
        self.skipped += others.skipped;
        let mut start = 0;
        for link in others.list {
            let href = &others.hrefs[start..link.end];
            start = link.end;
            if self.list.len() >= MAX_PAGE_LINKS {
                self.skipped += 1;
                continue;
            }
            self.hrefs.push_str(href);
            self.list.push(Link {
                end: self.hrefs.len(),
                nofollow: link.nofollow,
                is_control: link.is_control,
                in_main: link.in_main || place.in_main,
                is_beside: link.is_beside || place.is_beside,
            });
        }
    }

    /// Returns the number of links.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Returns the http and https URLs that the links lead to. Links within the page are left out.
    ///
    /// `page` is the URL of the page, `base` its `<base href>`, and `own` the hashes of its anchors, in order.
    pub fn targets(&self, page: &str, base: Option<&str>, own: &[u32]) -> Targets {
        let own_hash = whatwg_url::hash(page);
        let base = base.and_then(|base| whatwg_url::resolve(page, base));
        let within_hash = base.as_deref().map_or(own_hash, whatwg_url::hash);
        let base = whatwg_url::Base::new(base.as_deref().unwrap_or(page));
        let mut targets = Targets {
            own_hash,
            urls: String::with_capacity(self.hrefs.len() + self.list.len() * base.origin().len()),
            list: Vec::with_capacity(self.list.len()),
            anchors: Vec::new(),
        };
        let mut start = 0;
        for link in &self.list {
            let href = &self.hrefs[start..link.end];
            start = link.end;
            let before = targets.urls.len();
            let mut leads_to = within_hash;
            if !is_within_page(href) {
                if !base.append(href, &mut targets.urls) {
                    continue;
                }
                leads_to = hash(&targets.urls[before..]);
                targets.list.push(Target {
                    end: targets.urls.len(),
                    hash: leads_to,
                    nofollow: link.nofollow,
                    in_main: !link.is_beside && (link.in_main || !self.has_main),
                });
            }
            // On another page, no script of this page can show what the control is for.
            if !(link.is_control && leads_to == own_hash)
                && let Some(wanted) = Wanted::of(href)
                && !(leads_to == own_hash && wanted.is_among(own))
            {
                targets.anchors.push(LinkedAnchor { hash: leads_to, wanted });
            }
        }
        let key = |anchor: &LinkedAnchor| (anchor.hash, anchor.wanted.hashes[0]);
        targets.anchors.sort_unstable_by_key(key);
        targets.anchors.dedup_by_key(|anchor| key(anchor));
        targets.merged()
    }
}

/// Returns whether a link leads to a place in the page itself.
fn is_within_page(href: &str) -> bool {
    // Most links begin with a letter or slash.
    match href.as_bytes().first() {
        Some(b'#') => true,
        Some(b'!'..=b'~') => false,
        _ => href.trim_start().starts_with('#'),
    }
}

impl Targets {
    /// Returns the URL of a target, by its place in `list`.
    pub fn url(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.list[before].end);
        &self.urls[start..self.list[place].end]
    }

    fn normal(&self, place: usize) -> Cow<'_, str> {
        normal(self.url(place))
    }

    /// Merges targets with the same URL, in the place of the first of them.
    fn merged(mut self) -> Targets {
        // Sorting takes as long for a page that is made to have equal hashes, unlike a table of hashes.
        let mut order: Vec<(i64, usize)> = self.list.iter().map(|target| target.hash).zip(0..).collect();
        order.sort_unstable();
        let mut is_repeated = vec![false; order.len()];
        let mut repeated = 0;
        for same in order
            .chunk_by_mut(|one, other| one.0 == other.0)
            .filter(|same| same.len() > 1)
        {
            same.sort_unstable_by(|one, other| self.normal(one.1).cmp(&self.normal(other.1)).then(one.1.cmp(&other.1)));
            let mut first = same[0].1;
            for &(_, at) in &same[1..] {
                if self.normal(at) == self.normal(first) {
                    self.list[first].nofollow &= self.list[at].nofollow;
                    self.list[first].in_main |= self.list[at].in_main;
                    is_repeated[at] = true;
                    repeated += 1;
                } else {
                    first = at;
                }
            }
        }
        if repeated == 0 {
            return self;
        }
        let mut kept = Targets {
            own_hash: self.own_hash,
            urls: String::with_capacity(self.urls.len()),
            list: Vec::with_capacity(self.list.len() - repeated),
            anchors: std::mem::take(&mut self.anchors),
        };
        for (place, target) in self.list.iter().enumerate().filter(|&(place, _)| !is_repeated[place]) {
            kept.urls.push_str(self.url(place));
            let end = kept.urls.len();
            kept.list.push(Target { end, ..target.clone() });
        }
        kept
    }
}
