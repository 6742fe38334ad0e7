//! The links of a page: `<a href>` and `<area href>`, and the URLs that they lead to.

use super::element::{Place, get};
use super::target;
use super::values::{is_cut, is_space};
use crate::limits::MAX_PAGE_LINKS;
use crate::read::value_columns::hash;
use html5ever::{Attribute, local_name};

/// A link as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub href: String,
    /// Whether rel asks search engines not to follow it.
    pub nofollow: bool,
    /// In `<main>`.
    in_main: bool,
    /// In navigation, the page's header or footer, or similar.
    is_beside: bool,
}

/// The links of a page in page order, within the limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Links {
    pub list: Vec<Link>,
    /// Links beyond the limit, which are only counted.
    pub skipped: u64,
    has_main: bool,
}

/// Where a page leads to: each URL once.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub url: String,
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
        self.list.push(Link {
            href: href.to_owned(),
            nofollow,
            in_main: place.in_main,
            is_beside: place.is_beside,
        });
    }

    /// Returns the http and https URLs that the links lead to. Links within the page are left out.
    ///
    /// `page` is the URL of the page, `base` its `<base href>`, and `nofollow` whether no link of it may be followed.
    pub fn targets(&self, page: &str, base: Option<&str>, nofollow: bool) -> Vec<Target> {
        let base = base.and_then(|base| target::resolve(page, base));
        let base = target::Base::new(base.as_deref().unwrap_or(page));
        let mut targets = Vec::with_capacity(self.list.len());
        for link in &self.list {
            if link.is_within_page() {
                continue;
            }
            if let Some(url) = base.resolve(&link.href) {
                targets.push(Target {
                    hash: hash(&url),
                    url,
                    nofollow: nofollow || link.nofollow,
                    in_main: !link.is_beside && (link.in_main || !self.has_main),
                });
            }
        }
        merged(targets)
    }
}

impl Link {
    fn is_within_page(&self) -> bool {
        // Most links begin with a letter or slash.
        match self.href.as_bytes().first() {
            Some(b'#') => true,
            Some(b'!'..=b'~') => false,
            _ => self.href.trim_start().starts_with('#'),
        }
    }
}

/// Merges targets with the same URL, in the place of the first of them.
fn merged(mut targets: Vec<Target>) -> Vec<Target> {
    // Sorting takes as long for a page that is made to have equal hashes, unlike a table of hashes.
    let mut order: Vec<usize> = (0..targets.len()).collect();
    order.sort_unstable_by(|&one, &other| {
        let (a, b) = (&targets[one], &targets[other]);
        a.hash
            .cmp(&b.hash)
            .then_with(|| a.url.cmp(&b.url))
            .then(one.cmp(&other))
    });
    let mut is_repeated = vec![false; targets.len()];
    let mut first = 0;
    for (place, &at) in order.iter().enumerate() {
        let kept = order[first];
        if place == first || targets[at].hash != targets[kept].hash || targets[at].url != targets[kept].url {
            first = place;
            continue;
        }
        is_repeated[at] = true;
        targets[kept].nofollow &= targets[at].nofollow;
        targets[kept].in_main |= targets[at].in_main;
    }
    let mut is_repeated = is_repeated.into_iter();
    targets.retain(|_| !is_repeated.next().unwrap_or_default());
    targets
}
