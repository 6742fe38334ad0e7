//! Invariants of reading a page.

use super::same;
use crate::page::{Anchors, Facts, Links, Options, read};
use crate::value::whatwg_url::resolve;

/// Maximum bytes of text in the facts for each byte of the page: a byte in a wrong encoding becomes three, and a text
/// can be a title, a heading and a date.
const EXPANSION: usize = 9;

fn text_bytes(facts: &Facts) -> usize {
    let one = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let list = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
    let pairs = |texts: &[(String, String)]| texts.iter().map(|(one, other)| one.len() + other.len()).sum::<usize>();
    let in_body = &facts.in_body;
    [&facts.title, &facts.heading, &facts.lang, &facts.base]
        .map(one)
        .iter()
        .sum::<usize>()
        + [
            &facts.canonicals,
            &facts.sitemaps,
            &facts.feeds,
            &facts.images,
            &in_body.canonicals,
        ]
        .map(|texts| list(texts))
        .iter()
        .sum::<usize>()
        + [&facts.robots, &facts.alternates, &in_body.robots, &in_body.alternates]
            .map(|texts| pairs(texts))
            .iter()
            .sum::<usize>()
        + facts.refresh.as_ref().map_or(0, |(_, target)| one(target))
        + [&facts.dates, &facts.indexnow_keys]
            .map(|found| found.iter().map(|(_, text)| text.len()).sum::<usize>())
            .iter()
            .sum::<usize>()
}

/// Reads the page with and without images and links, with the whole tree, and again with the encoding that was detected.
pub(super) fn hold(content: &[u8]) {
    let options = Options {
        images: true,
        links: true,
        ..Options::default()
    };
    let facts = read(content, options);
    let whole_tree = Options {
        whole_tree: true,
        ..options
    };
    same(
        "elements around nothing but text do not matter",
        read(content, whole_tree),
        facts.clone(),
    );
    assert!(facts.images.len() + facts.canonicals.len() <= content.len());
    assert!(facts.links.count() <= content.len());
    let anchors = facts.anchors.hashes();
    let targets = facts
        .links
        .targets("https://example.com/", facts.base.as_deref(), &anchors);
    assert!(targets.list.len() <= facts.links.count());
    assert!(targets.anchors.len() <= facts.links.count());
    assert!(anchors.len() <= content.len());
    for place in 0..targets.list.len() {
        let url = targets.url(place);
        let again = resolve(url, url);
        same("a resolved link is in its one spelling", again.as_deref(), Some(url));
    }
    let bytes = text_bytes(&facts);
    assert!(bytes <= EXPANSION * content.len(), "{bytes} bytes of {}", content.len());
    let named = Options {
        charset: Some(facts.encoding),
        ..options
    };
    same(
        "the detected encoding is the one that was used",
        &read(content, named),
        &facts,
    );
    let without = Options {
        images: false,
        links: false,
        ..options
    };
    let expected = Facts {
        images: Vec::new(),
        links: Links::default(),
        anchors: Anchors::default(),
        ..facts
    };
    same(
        "images and links change no other fact",
        read(content, without),
        expected,
    );
}
