//! What the content of an HTML file is: exports and crawlers of sites also save feeds, JSON, and calendars under names
//! such as `index.html`, which are not pages.

use memchr::{memchr, memmem};
use serde::de::IgnoredAny;

/// Characters at the start of the content in which a NUL shows that it is not text.
const HEAD: usize = 512;

/// Root elements of XML documents that are not pages.
const ROOTS: [(&str, Kind); 6] = [
    ("rss", Kind::Feed),
    ("feed", Kind::Feed),
    ("rdf", Kind::Feed),
    ("urlset", Kind::Sitemap),
    ("sitemapindex", Kind::Sitemap),
    ("opensearchdescription", Kind::Xml),
];

/// Elements with which a page may begin after an XML declaration.
const HTML: [&str; 12] = [
    "html", "head", "body", "title", "meta", "link", "script", "style", "div", "main", "article", "p",
];

/// Parts of the URLs of scripts that turn a page into the login of a content management system.
const CMS_SCRIPTS: [&str; 5] = ["netlify-cms", "decap-cms", "sveltia-cms", "static-cms", "tinacms"];

/// What the content of an HTML file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A page, as far as its content tells.
    #[default]
    Page,
    /// The source of a template.
    Template,
    /// The login page of a content management system: it has no content of its own.
    CmsAdmin,
    /// Nothing but whitespace.
    Empty,
    Json,
    /// RSS or Atom.
    Feed,
    Sitemap,
    /// Another XML document.
    Xml,
    /// A calendar or a contact.
    Calendar,
    /// Not text, such as an image or a PDF.
    Binary,
}

impl Kind {
    /// The published name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Page => "page",
            Kind::Template => "template",
            Kind::CmsAdmin => "cms-admin",
            Kind::Empty => "empty",
            Kind::Json => "json",
            Kind::Feed => "feed",
            Kind::Sitemap => "sitemap",
            Kind::Xml => "xml",
            Kind::Calendar => "calendar",
            Kind::Binary => "binary",
        }
    }
}

/// Returns what a text is.
pub(super) fn of(text: &str, is_template: bool) -> Kind {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Kind::Empty;
    }
    if text.starts_with("%PDF-") || text.chars().take(HEAD).any(|one| one == '\0') {
        return Kind::Binary;
    }
    if text.starts_with("BEGIN:VC") {
        return Kind::Calendar;
    }
    if text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return Kind::Json;
    }
    if let Some(kind) = of_root(text) {
        return kind;
    }
    if is_template {
        return Kind::Template;
    }
    if has_cms_script(text.as_bytes()) {
        return Kind::CmsAdmin;
    }
    Kind::Page
}

/// Returns what the root element shows; None for HTML, and for elements that only mean something in HTML.
fn of_root(text: &str) -> Option<Kind> {
    let mut rest = text;
    let is_declared = text.starts_with("<?xml ");
    loop {
        let close = match rest.as_bytes() {
            [b'<', b'!', b'-', b'-', ..] => "-->",
            [b'<', b'?' | b'!', ..] => ">",
            _ => break,
        };
        rest = rest[rest.find(close)? + close.len()..].trim_start();
    }
    let name = rest.strip_prefix('<')?;
    let length = name
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b":-_".contains(byte))
        .count();
    let name = &name[..length];
    let local = name.rsplit(':').next().unwrap_or(name);
    if let Some((_, kind)) = ROOTS.iter().find(|(root, _)| local.eq_ignore_ascii_case(root)) {
        return Some(*kind);
    }
    let is_html = HTML.iter().any(|element| local.eq_ignore_ascii_case(element));
    (is_declared && !is_html).then_some(Kind::Xml)
}

/// Returns whether the URL of a script is that of a content management system.
fn has_cms_script(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(start) = memmem::find(rest, b"<script") {
        rest = &rest[start..];
        let Some(end) = memchr(b'>', rest) else {
            return false;
        };
        let (tag, after) = rest.split_at(end);
        if CMS_SCRIPTS
            .iter()
            .any(|name| memmem::find(tag, name.as_bytes()).is_some())
        {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::{Options, read};

    #[test]
    fn kinds_of_content() {
        for (text, kind) in [
            ("", "empty"),
            ("\u{feff} \n", "empty"),
            ("{\"name\": \"t\", \"routes\": {}}\n", "json"),
            ("[]", "json"),
            ("{a: 1}", "page"),
            ("[1] <p>A footnote", "page"),
            ("{{ title }} <p>a", "template"),
            (
                "<?xml version=\"1.0\"?><!-- x > y --><rss version=\"2.0\"><channel/></rss>",
                "feed",
            ),
            ("<feed xmlns=\"http://www.w3.org/2005/Atom\"></feed>", "feed"),
            ("<rdf:RDF xmlns:rdf=\"x\"></rdf:RDF>", "feed"),
            (
                "<?xml version=\"1.0\"?>\n<?xml-stylesheet href=\"a.xsl\"?><urlset></urlset>",
                "sitemap",
            ),
            ("<?xml version='1.0'?><wsdl:definitions></wsdl:definitions>", "xml"),
            ("<?xml version='1.0'?><oembed><html>&lt;p&gt;</html></oembed>", "xml"),
            ("<?xml version='1.0'?><div>a</div>", "page"),
            ("<?xml version='1.0'?><!DOCTYPE html><html><p>a</html>", "page"),
            ("<?xml version='1.0'?><!-- no root", "page"),
            ("<!doctype html><rssfeed>a", "page"),
            ("<p>How to write <code>{}</code>", "page"),
            ("<h1>RSS</h1><rss>", "page"),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR", "calendar"),
            ("%PDF-1.4", "binary"),
            ("\u{1}PNG\u{0}\u{0}", "binary"),
            (
                "<!doctype html><script src=\"https://unpkg.com/netlify-cms@^2/dist/netlify-cms.js\"></script>",
                "cms-admin",
            ),
            (
                "<p>On <a href=\"https://decapcms.org\">decap-cms</a><script src=a.js></script>",
                "page",
            ),
            ("<script>x</script><p>netlify-cms", "page"),
        ] {
            assert_eq!(read(text.as_bytes(), Options::default()).kind.name(), kind, "{text}");
        }
    }
}
