//! The links of a page: `<a href>` and `<area href>`, and the URLs that they lead to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::element::{Element, Place};
use super::target;
use super::values::{is_cut, is_space};
use crate::limits::MAX_PAGE_LINKS;
use html5ever::local_name;

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
    /// Whether no link to it may be followed.
    pub nofollow: bool,
    /// Whether a link to it is in the main content.
    pub in_main: bool,
}

impl Links {
    /// Handles an `<a>` or `<area>` element.
    pub(super) fn meet(&mut self, element: &Element<'_>, place: Place) {
        let Some(href) = element.get(&local_name!("href")) else {
            return;
        };
        self.has_main |= place.in_main;
        if self.list.len() >= MAX_PAGE_LINKS || is_cut(href) {
            self.skipped += 1;
            return;
        }
        let rel = element.value(&local_name!("rel")).unwrap_or("");
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
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut targets: Vec<Target> = Vec::new();
        for link in &self.list {
            if link.href.trim_start().starts_with('#') {
                continue;
            }
            let Some(url) = base.resolve(&link.href) else {
                continue;
            };
            let in_main = !link.is_beside && (link.in_main || !self.has_main);
            let nofollow = nofollow || link.nofollow;
            match places.entry(url) {
                Entry::Vacant(entry) => {
                    targets.push(Target {
                        url: entry.key().clone(),
                        nofollow,
                        in_main,
                    });
                    entry.insert(targets.len() - 1);
                }
                Entry::Occupied(entry) => {
                    let target = &mut targets[*entry.get()];
                    target.nofollow &= nofollow;
                    target.in_main |= in_main;
                }
            }
        }
        targets
    }
}
