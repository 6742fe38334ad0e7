//! The anchors of a page, which the fragment of a link leads to, and the anchors that a link looks for.
//!
//! A fragment leads to the element with that `id`, or else to the `<a>` with that `name`: first the fragment as it is in
//! the URL, then percent-decoded. <https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element>
//!
//! Of anchors only hashes are kept. The 32 bits of one make it a little likelier, by one in a million for a page with
//! 4,000 anchors, that a broken link passes as good.

use std::borrow::Cow;
use std::fmt::Write as _;

use memchr::memmem;
use twox_hash::XxHash64;

use crate::limits::MAX_PAGE_ANCHORS;

/// Begins the instructions to the browser at the end of a fragment, such as the text to scroll to.
/// <https://wicg.github.io/scroll-to-text-fragment/#the-fragment-directive>
const DIRECTIVE: &str = ":~:";

/// The anchors of a page. Those of elements that a browser drops or shows only later, such as in `<template>`, count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    hashes: Vec<u32>,
    /// Whether the page has more than are kept.
    is_cut: bool,
    /// Whether a script in the page reads the fragment of its URL.
    is_read_by_script: bool,
}

impl Anchors {
    /// Takes the value of an `id`, or of the `name` of a link.
    pub(super) fn meet(&mut self, value: &str) {
        if self.hashes.len() < MAX_PAGE_ANCHORS {
            self.hashes.push(hash(value));
        } else {
            self.is_cut = true;
        }
    }

    /// Takes the anchors of a part of the page.
    pub(super) fn take(&mut self, others: Anchors) {
        let room = MAX_PAGE_ANCHORS - self.hashes.len();
        self.is_cut |= others.is_cut || others.hashes.len() > room;
        self.hashes.extend(others.hashes.into_iter().take(room));
    }

    /// Takes the text of the page, if it has scripts.
    pub(super) fn read_scripts(&mut self, text: &str) {
        self.is_read_by_script = ["location.hash", "hashchange"]
            .iter()
            .any(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_some());
    }

    /// Returns the hash of each anchor, in order.
    pub fn hashes(&self) -> Vec<u32> {
        let mut hashes = self.hashes.clone();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    /// Returns whether no limit cut them.
    pub(super) fn are_whole(&self) -> bool {
        !self.is_cut
    }

    /// Returns whether no script in the page reads the fragment of its URL.
    pub(super) fn are_known(&self) -> bool {
        !self.is_read_by_script
    }
}

/// The anchor that a link looks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The fragment as it is in the URL.
    pub fragment: String,
    /// The hash of the anchor with this name, and of the one with the decoded name.
    pub hashes: [u32; 2],
}

impl Wanted {
    /// Returns what a link looks for; `None` if that is no anchor: it has no fragment or an empty one, leads to the top,
    /// or to a route of scripts (`#/…`, `#!…`).
    pub fn of(href: &str) -> Option<Self> {
        let (_, fragment) = href.trim_matches(|c: char| c <= ' ').split_once('#')?;
        let fragment = fragment.split(DIRECTIVE).next().unwrap_or_default();
        let fragment = encoded(fragment);
        let decoded = decoded(&fragment);
        if fragment.is_empty() || decoded.starts_with(['/', '!']) || decoded.eq_ignore_ascii_case("top") {
            return None;
        }
        let hashes = [hash(&fragment), hash(&decoded)];
        Some(Wanted { fragment, hashes })
    }

    /// Returns whether one of these anchors is it; they are in order.
    pub fn is_among(&self, anchors: &[u32]) -> bool {
        self.hashes.iter().any(|hash| anchors.binary_search(hash).is_ok())
    }
}

fn hash(anchor: &str) -> u32 {
    XxHash64::oneshot(0, anchor.as_bytes()) as u32
}

/// Returns a fragment as it is in a parsed URL. <https://url.spec.whatwg.org/#fragment-percent-encode-set>
fn encoded(fragment: &str) -> String {
    let mut written = String::with_capacity(fragment.len());
    for byte in fragment.bytes() {
        match byte {
            b'\t' | b'\n' | b'\r' => {}
            b'!' | b'#'..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'~' => written.push(char::from(byte)),
            _ => {
                let _ = write!(written, "%{byte:02X}");
            }
        }
    }
    written
}

fn decoded(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = after.first_chunk::<2>().filter(|_| *first == b'%');
        let value = escape.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        // `from_str_radix` accepts a sign.
        let is_escape = value.is_some() && after[0].is_ascii_hexdigit();
        bytes.push(value.filter(|_| is_escape).unwrap_or(*first));
        rest = if is_escape { &after[2..] } else { after };
    }
    let text = String::from_utf8_lossy(&bytes);
    Cow::Owned(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{Options, read};
    use super::*;

    const OF_LINKS: Options<'_> = Options {
        charset: None,
        images: false,
        links: true,
        text: false,
        scripts: false,
        in_noscript: false,
        whole_tree: false,
    };

    #[test]
    fn links_and_anchors() {
        for (href, page, is_there) in [
            ("#a", "<p id=a>", true),
            ("#a", "<p id=A>", false),
            ("x.html#a", "<p ID='a'>", true),
            (" #a\n", "<svg><g id=a></svg>", true),
            ("#a\tb", "<p id=ab>", true),
            ("#a", "<a name=a>", true),
            ("#a", "<p name=a>", false),
            ("#a", "<map name=a><meta name=a>", false),
            ("#a", "<!-- <p id=a> --><p title='id=a'>", false),
            ("#a", "<script>'<p id=a>'</script>", false),
            ("#a", "<p id=' a'>", false),
            ("#a", "<p id='a b'>", false),
            ("#a%20b", "<p id='a b'>", true),
            ("#a b", "<p id='a b'>", true),
            ("#a%20b", "<p id='a%20b'>", true),
            ("#a b", "<p id='a%20b'>", true),
            ("#%C3%A9", "<p id=é>", true),
            ("#é", "<p id=é>", true),
            ("#é", "<p id=&eacute;>", true),
            ("#é", "<p id=%C3%A9>", true),
            ("#é", "<p id=%c3%a9>", false),
            ("#%", "<p id=%>", true),
            ("#%+1", "<p id=%+1>", true),
            ("#a%2", "<p id=a%2>", true),
            ("#%FF", "<p id=\u{fffd}>", true),
            ("#%EF%BB%BFa", "<p id=a>", true),
            ("#a:~:text=b", "<p id=a>", true),
            ("#a#b", "<p id='a#b'>", true),
            ("#a", "<span><b id=a>x</b></span>", true),
            ("#a", "<template><p id=a></template>", true),
            ("#a", "<noscript><a href=b id=a>c</a></noscript>", true),
            ("#a", "<p id=b id=c>", false),
            ("#fn:1", "<p id=fn:1>", true),
            ("#a=b", "<p id=a>", false),
        ] {
            let anchors = read(page.as_bytes(), OF_LINKS).anchors.hashes();
            assert_eq!(Wanted::of(href).unwrap().is_among(&anchors), is_there, "{href} {page}");
        }
    }

    #[test]
    fn no_anchor_is_looked_for() {
        for href in [
            "",
            "a",
            "#",
            "a#",
            "#top",
            "#TOP",
            "#t%6fp",
            "#/a",
            "#!",
            "#!/a",
            "#%2Fa",
            "#:~:text=a",
            "# ",
            "#:~:",
        ] {
            assert_eq!(Wanted::of(href), None, "{href}");
        }
    }

    #[test]
    fn pages_that_may_have_other_anchors() {
        let words = "word ".repeat(60);
        for (page, are_all) in [
            (String::new(), true),
            ("<div id=root></div>".to_owned(), true),
            ("<div id=root></div><script src=a.js></script>".to_owned(), false),
            (format!("<p>{words}<script src=a.js></script>"), true),
            (
                format!("<p>{words}<script type=application/json>location.hash</script>"),
                true,
            ),
            (format!("<p>{words}<code>location.hash</code>"), true),
            (format!("<p>{words}<script>show(location.hash)</script>"), false),
            (format!("<p>{words}<script>window.onhashchange = show</script>"), false),
            ("<p id=a>".repeat(MAX_PAGE_ANCHORS), true),
            ("<p id=a>".repeat(MAX_PAGE_ANCHORS + 1), false),
            ("<i>".repeat(1_000), false),
        ] {
            let facts = read(page.as_bytes(), OF_LINKS);
            assert_eq!(facts.has_all_anchors(), are_all, "{}", &page[..page.len().min(400)]);
        }
    }
}
