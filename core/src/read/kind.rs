//! Detects the kind of a document from its first bytes and its root element, never from its name or headers.

use super::xml::Vocabulary;
use crate::decode::Magic;
use crate::value::space::trim_start;

/// Bytes of text that are checked before a document is read as XML, plain text or something else.
pub const HEAD: usize = 4096;

/// The kind of a text that matches no other kind.
pub const UNKNOWN: &str = "unknown";

/// How to read a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Xml,
    /// One URL per line.
    Text,
    /// Not a document that urlset reads; only its kind is known.
    Other(&'static str),
}

/// Detects the syntax from the start of the decoded text.
pub fn syntax(head: &str, magic: Option<Magic>) -> Syntax {
    if let Some(magic) = magic {
        return Syntax::Other(magic.name());
    }
    let start = trim_start(head);
    if start.is_empty() {
        return Syntax::Other("empty");
    }
    let lower = start.to_ascii_lowercase();
    // A warning of the generating program can precede the document.
    let holds_xml = ["<?xml", "<urlset", "<sitemapindex", "<rss", "<feed", "<rdf:rdf"]
        .iter()
        .any(|it| lower.contains(it));
    if start.starts_with('<') || holds_xml {
        return if is_page(&lower) {
            Syntax::Other("html")
        } else if is_product_feed(&lower) {
            Syntax::Other("product-feed")
        } else {
            Syntax::Xml
        };
    }
    if is_robots(&lower) {
        return Syntax::Other("robots");
    }
    if is_url_list(start) {
        return Syntax::Text;
    }
    if matches!(start.as_bytes()[0], b'{' | b'[') {
        return Syntax::Other("json");
    }
    Syntax::Other(UNKNOWN)
}

/// Returns whether the text starts like an HTML page. A DOCTYPE alone does not count: templates put it before sitemaps,
/// too.
fn is_page(lower: &str) -> bool {
    let first = |names: &[&str]| names.iter().filter_map(|name| lower.find(name)).min();
    if !lower.starts_with("<!doctype html") {
        return is_html_tag(lower);
    }
    let ours = first(&["<urlset", "<sitemapindex", "<rss", "<feed", "<rdf:rdf"]);
    match (ours, first(&["<html", "<head", "<body"])) {
        (Some(ours), Some(page)) => page < ours,
        (Some(_), None) => false,
        (None, _) => true,
    }
}

/// Returns whether the text is a feed for Google Merchant Center whose items have their URLs in `<g:link>` only, which
/// crawlers do not read. With `<link>`, it is RSS or Atom like any other.
/// <https://support.google.com/merchants/answer/7052112>
fn is_product_feed(lower: &str) -> bool {
    const NAMESPACE: &str = "http://base.google.com/ns/1.0";
    let of = || {
        let (before, after) = lower.split_once(NAMESPACE)?;
        let prefix = before.rsplit_once("xmlns:")?.1.split(['=', ' ']).next()?;
        let items = &after[after.find("<item").or_else(|| after.find("<entry"))?..];
        let has = |name: &str| items.contains(&format!("<{prefix}:{name}"));
        Some((has("link") || has("id")) && !items.contains("<link"))
    };
    of().unwrap_or_default()
}

fn is_html_tag(lower: &str) -> bool {
    lower
        .strip_prefix("<html")
        .is_some_and(|rest| rest.starts_with(|ch: char| ch == '>' || ch == '/' || ch.is_whitespace()))
}

/// <https://www.rfc-editor.org/rfc/rfc9309#section-2.2>
fn is_robots(lower: &str) -> bool {
    let mut lines = lower
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| {
        let key = line.split(':').next().unwrap_or("").trim_end();
        line.contains(':')
            && matches!(
                key,
                "user-agent" | "disallow" | "allow" | "sitemap" | "crawl-delay" | "host"
            )
    })
}

/// Returns whether a line of the head is a URL, or the first line is a common misspelling of one.
fn is_url_list(start: &str) -> bool {
    let looks_absolute = |line: &str| {
        let line = line.trim().to_ascii_lowercase();
        line.starts_with("http://") || line.starts_with("https://")
    };
    let first = start.lines().next().unwrap_or("").trim();
    let looks_relative = (first.starts_with('/') || first.starts_with("www.")) && !first.contains(char::is_whitespace);
    looks_relative || start.lines().any(looks_absolute) || is_list_of_paths(start)
}

/// Returns whether the text is a list like `blog/`, `about.html`, `docs/start`: lines without whitespace, each with a
/// slash or a dot, and at least one with a slash.
fn is_list_of_paths(start: &str) -> bool {
    let is_path = |line: &str| {
        line.contains(['/', '.'])
            && line
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !b"\"'<>{}(),;:".contains(&byte))
    };
    let is_entry = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let mut lines: Vec<&str> = start.lines().map(str::trim).filter(is_entry).collect();
    if lines.len() > 2 && !start.ends_with('\n') {
        lines.pop(); // The head can end inside this line.
    }
    lines.len() > 1 && lines.iter().all(|line| is_path(line)) && lines.iter().any(|line| line.contains('/'))
}

/// The kind of document that a root element stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Urlset,
    Sitemapindex,
    /// `<url>` or `<sitemap>` without a parent.
    Entry,
    Rss,
    Rdf,
    Atom,
    Html,
    Unknown,
}

pub fn root(local: &str, vocabulary: Vocabulary) -> Root {
    match local.to_ascii_lowercase().as_str() {
        "urlset" => Root::Urlset,
        "sitemapindex" => Root::Sitemapindex,
        "url" | "sitemap" if matches!(vocabulary, Vocabulary::Sitemap | Vocabulary::None) => Root::Entry,
        "rss" => Root::Rss,
        "rdf" if matches!(vocabulary, Vocabulary::Rdf | Vocabulary::Foreign) => Root::Rdf,
        "feed" if matches!(vocabulary, Vocabulary::Atom | Vocabulary::None) => Root::Atom,
        "html" | "head" | "body" if vocabulary != Vocabulary::Foreign => Root::Html,
        _ => Root::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_heads() {
        for (head, expected) in [
            ("<?xml version=\"1.0\"?><urlset/>", Syntax::Xml),
            ("\n\n <urlset/>", Syntax::Xml),
            (
                "Warning: foo in bar.php on line 3\n<?xml version=\"1.0\"?>",
                Syntax::Xml,
            ),
            ("<!DOCTYPE HTML><html>", Syntax::Other("html")),
            ("<!doctype html>\n<title>x", Syntax::Other("html")),
            ("<!doctype html>\n<body><rss>", Syntax::Other("html")),
            ("<!doctype html>\n<urlset>", Syntax::Xml),
            ("  <html lang=en>", Syntax::Other("html")),
            ("<html5:page xmlns:html5=\"urn:x\">", Syntax::Xml),
            (
                "<rss xmlns:g=\"http://base.google.com/ns/1.0\"><channel><link>x</link><item><g:link>y</g:link>",
                Syntax::Other("product-feed"),
            ),
            (
                "<feed xmlns:p = 'http://base.google.com/ns/1.0'><entry><p:id>1</p:id><title>a",
                Syntax::Other("product-feed"),
            ),
            (
                "<rss xmlns:g=\"http://base.google.com/ns/1.0\"><item><g:id>1</g:id><link>y</link>",
                Syntax::Xml,
            ),
            (
                "<rss xmlns:g=\"http://base.google.com/ns/1.0\"><item><title>a",
                Syntax::Xml,
            ),
            ("", Syntax::Other("empty")),
            (" \n\t", Syntax::Other("empty")),
            ("{\"a\": 1}", Syntax::Other("json")),
            ("[\"https://example.com/\"]", Syntax::Other("json")),
            ("https://example.com/\n", Syntax::Text),
            ("url,lastmod\nhttps://example.com/,2024", Syntax::Text),
            ("/a\n/b\n", Syntax::Text),
            ("www.example.com\n", Syntax::Text),
            (
                "User-agent: *\nDisallow:\nSitemap: https://example.com/s.xml",
                Syntax::Other("robots"),
            ),
            ("# hello\nSitemap: https://example.com/s.xml", Syntax::Other("robots")),
            ("blog/\ndocs/start\nabout.html\n", Syntax::Text),
            ("blog/\ndocs/start\nabo", Syntax::Text),
            ("# pages\nblog/post\n\nabout/team", Syntax::Text),
            ("ABC", Syntax::Other("unknown")),
            ("about.html\nteam.html", Syntax::Other("unknown")),
            ("see docs/start\nblog/", Syntax::Other("unknown")),
            ("blog/", Syntax::Other("unknown")),
        ] {
            assert_eq!(syntax(head, None), expected, "{head:?}");
        }
    }
}
