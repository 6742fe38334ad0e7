//! Namespaces in XML: which prefix means what, where; and which of the namespaces we know it is.
//! <https://www.w3.org/TR/xml-names/>

use std::collections::{HashMap, HashSet};

use crate::limits::MAX_FOREIGN_NAMESPACES;

/// What a namespace is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    Sitemap,
    Image,
    Video,
    News,
    Xhtml,
    Atom,
    Rss,
    Rdf,
    DublinCore,
    /// `xml:` and `xmlns:` themselves.
    Xml,
    /// A namespace that we know nothing of.
    Foreign,
    /// In no namespace.
    None,
}

impl Vocabulary {
    /// Whether its elements stand inside the entries of a sitemap.
    pub const fn is_extension(self) -> bool {
        matches!(self, Self::Image | Self::Video | Self::News | Self::Xhtml)
    }
}

pub const XML_URI: &str = "http://www.w3.org/XML/1998/namespace";
pub const XMLNS_URI: &str = "http://www.w3.org/2000/xmlns/";

/// The namespaces that we know, as their specifications give them.
const KNOWN: &[(&str, Vocabulary)] = &[
    ("http://www.sitemaps.org/schemas/sitemap/0.9", Vocabulary::Sitemap),
    ("http://www.google.com/schemas/sitemap-image/1.1", Vocabulary::Image),
    ("http://www.google.com/schemas/sitemap-video/1.1", Vocabulary::Video),
    ("http://www.google.com/schemas/sitemap-news/0.9", Vocabulary::News),
    ("http://www.w3.org/1999/xhtml", Vocabulary::Xhtml),
    ("http://www.w3.org/2005/Atom", Vocabulary::Atom),
    ("http://purl.org/atom/ns#", Vocabulary::Atom),
    ("http://purl.org/rss/1.0/", Vocabulary::Rss),
    ("http://my.netscape.com/rdf/simple/0.9/", Vocabulary::Rss),
    ("http://channel.netscape.com/rdf/simple/0.9/", Vocabulary::Rss),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", Vocabulary::Rdf),
    ("http://purl.org/dc/elements/1.1/", Vocabulary::DublinCore),
    ("http://purl.org/dc/terms/", Vocabulary::DublinCore),
    (XML_URI, Vocabulary::Xml),
    (XMLNS_URI, Vocabulary::Xml),
];

/// Prefixes that people use without declaring them, or bound to a mistyped namespace.
pub fn customary_prefix(prefix: &str) -> Option<Vocabulary> {
    match prefix {
        "image" => Some(Vocabulary::Image),
        "video" => Some(Vocabulary::Video),
        "news" => Some(Vocabulary::News),
        "xhtml" => Some(Vocabulary::Xhtml),
        "dc" => Some(Vocabulary::DublinCore),
        _ => None,
    }
}

/// The namespace of a vocabulary, as its specification gives it; the first of those that there are.
pub fn uri_of(vocabulary: Vocabulary) -> Option<&'static str> {
    KNOWN
        .iter()
        .find(|(_, known)| *known == vocabulary)
        .map(|(uri, _)| *uri)
}

/// What a namespace is meant to be, and whether it is written as its specification gives it.
pub fn classify(uri: &str) -> (Vocabulary, bool) {
    if let Some(&(_, vocabulary)) = KNOWN.iter().find(|(known, _)| *known == uri) {
        return (vocabulary, true);
    }
    let lower = uri.to_ascii_lowercase();
    // Seen in the wild: https://…/sitemap/0.9, a slash at the end, google.com/schemas/sitemap/0.84 and 0.90,
    // sitemap-image/1.0, and https://www.w3.org/TR/xhtml11/xhtml11_schema.html for xhtml.
    let meant = if lower.contains("schemas/sitemap-image") {
        Vocabulary::Image
    } else if lower.contains("schemas/sitemap-video") {
        Vocabulary::Video
    } else if lower.contains("schemas/sitemap-news") {
        Vocabulary::News
    } else if lower.contains("schemas/sitemap/") || lower.contains("sitemaps.org/schemas") {
        Vocabulary::Sitemap
    } else if lower.contains("w3.org") && lower.contains("xhtml") {
        Vocabulary::Xhtml
    } else if lower.contains("w3.org/2005/atom") {
        Vocabulary::Atom
    } else {
        Vocabulary::Foreign
    };
    (meant, false)
}

/// Whether a namespace's name is a URI reference, as it must be: <https://www.w3.org/TR/xml-names/#iri-use>.
/// The grammar is that of <https://www.rfc-editor.org/rfc/rfc3986#appendix-A>.
pub fn is_uri_reference(uri: &str) -> bool {
    let (rest, fragment) = uri.split_once('#').unwrap_or((uri, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let scheme = rest.split_once(':').filter(|(scheme, _)| is_scheme(scheme));
    let after_scheme = scheme.map_or(rest, |(_, after)| after);
    let path = match after_scheme.strip_prefix("//") {
        None => {
            let has_colon_in_first = after_scheme
                .split('/')
                .next()
                .is_some_and(|segment| segment.contains(':'));
            if scheme.is_none() && has_colon_in_first {
                return false;
            }
            after_scheme
        }
        Some(after) => {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
    };
    are_characters(path, b":@/") && are_characters(query, b":@/?") && are_characters(fragment, b":@/?")
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_authority(text: &str) -> bool {
    let (user, place) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, after)) => ("", after),
        None => place.split_at(place.find(':').unwrap_or(place.len())),
    };
    // RFC 3986 lets a port be empty; libxml2 does not, and refuses the document.
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    are_characters(user, b":") && are_characters(host, b"") && is_port
}

/// Whether a part of a URI is of unreserved characters, sub-delimiters, percent-encoded bytes and `others`.
fn are_characters(text: &str, others: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let is_encoded = |at: usize| {
        bytes
            .get(at + 1..at + 3)
            .is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    bytes.iter().enumerate().all(|(at, &byte)| {
        byte.is_ascii_alphanumeric()
            || b"-._~!$&'()*+,;=".contains(&byte)
            || others.contains(&byte)
            || (byte == b'%' && is_encoded(at))
    })
}

/// One namespace that occurs in the document.
pub struct Namespace {
    pub uri: String,
    pub vocabulary: Vocabulary,
    /// Whether the URI is exactly the one of its specification.
    pub exact: bool,
    /// Elements of it that were passed over.
    pub passed_over: i64,
}

/// A prefix that is bound, from the element that binds it on.
struct Binding {
    prefix: String,
    /// None: the default namespace is unset (`xmlns=""`).
    namespace: Option<u32>,
    /// How many namespaces were known before it.
    known: usize,
}

impl Binding {
    fn resolved(&self) -> Resolved {
        self.namespace.map_or(Resolved::None, Resolved::Namespace)
    }
}

/// What a name's prefix resolves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    Namespace(u32),
    None,
    Undeclared,
}

/// All namespaces of a document, and those in scope.
pub struct Namespaces {
    /// The first ones, and beyond `MAX_FOREIGN_NAMESPACES` those in scope only.
    all: Vec<Namespace>,
    /// Elements passed over of namespaces that are no longer known.
    passed_over_before: i64,
    by_uri: HashMap<String, u32>,
    bindings: Vec<Binding>,
    /// What names without a prefix resolve to: asked for at nearly every element.
    default: Option<u32>,
    /// What the default was around each element that sets it.
    defaults: Vec<Option<u32>>,
    /// The bindings of each prefix in `bindings`, the innermost last. Kept up only where there are `MANY`.
    by_prefix: HashMap<String, Vec<usize>>,
    /// Every `prefix=uri` declared, each once, in the order of the document.
    declared: Vec<String>,
    /// Line and column of each of those.
    places: Vec<(i64, i64)>,
    is_declared: HashSet<String>,
}

/// From so many bindings in scope on, a prefix is looked up in a map: a hostile document has a million of them.
const MANY: usize = 16;

/// More distinct declarations than this are not listed one by one.
const MAX_LISTED: usize = 1_000;

impl Namespaces {
    pub fn new() -> Self {
        let mut this = Self {
            all: Vec::new(),
            passed_over_before: 0,
            by_uri: HashMap::new(),
            bindings: Vec::new(),
            default: None,
            defaults: Vec::new(),
            by_prefix: HashMap::new(),
            declared: Vec::new(),
            places: Vec::new(),
            is_declared: HashSet::new(),
        };
        let xml = this.intern(XML_URI);
        this.bindings.push(Binding {
            prefix: "xml".to_owned(),
            namespace: Some(xml),
            known: 0,
        });
        this
    }

    fn intern(&mut self, uri: &str) -> u32 {
        if let Some(&id) = self.by_uri.get(uri) {
            return id;
        }
        let (vocabulary, exact) = classify(uri);
        let id = self.all.len() as u32;
        self.all.push(Namespace {
            uri: uri.to_owned(),
            vocabulary,
            exact,
            passed_over: 0,
        });
        self.by_uri.insert(uri.to_owned(), id);
        id
    }

    /// Whether a URI is a URI reference, or was bound before: it is complained of once.
    pub fn is_sound_or_known(&self, uri: &str) -> bool {
        uri.is_empty() || self.by_uri.contains_key(uri) || is_uri_reference(uri)
    }

    /// How many bindings are in scope: to be given back to `leave`.
    #[inline]
    pub fn mark(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Forgets the bindings of an element that ends.
    #[inline]
    pub fn leave(&mut self, mark: u32) {
        if self.bindings.len() > mark as usize {
            self.forget(mark as usize);
        }
    }

    fn forget(&mut self, mark: usize) {
        while self.bindings.len() > mark {
            let index = self.bindings.len() - 1;
            if let Some(binding) = self.bindings.pop() {
                if binding.prefix.is_empty() {
                    self.default = self.defaults.pop().flatten();
                } else if index >= MANY
                    && let Some(inner) = self.by_prefix.get_mut(&binding.prefix)
                {
                    inner.pop();
                    if inner.is_empty() {
                        self.by_prefix.remove(&binding.prefix);
                    }
                }
                for namespace in self
                    .all
                    .drain(binding.known.max(MAX_FOREIGN_NAMESPACES).min(self.all.len())..)
                {
                    self.passed_over_before += namespace.passed_over;
                    self.by_uri.remove(&namespace.uri);
                }
            }
        }
    }

    /// Binds a prefix from here on; `place` is asked for line and column where the declaration is listed.
    pub fn bind(&mut self, prefix: &str, uri: &str, place: impl FnOnce() -> (i64, i64)) {
        let known = self.all.len();
        let namespace = (!uri.is_empty()).then(|| self.intern(uri));
        if self.declared.len() < MAX_LISTED {
            let listed = shown(&format!("{prefix}={uri}"));
            if self.is_declared.insert(listed.clone()) {
                self.declared.push(listed);
                self.places.push(place());
            }
        }
        if prefix.is_empty() {
            self.defaults.push(self.default);
            self.default = namespace;
        } else if self.bindings.len() >= MANY {
            self.by_prefix
                .entry(prefix.to_owned())
                .or_default()
                .push(self.bindings.len());
        }
        self.bindings.push(Binding {
            prefix: prefix.to_owned(),
            namespace,
            known,
        });
    }

    #[inline]
    pub fn resolve(&self, prefix: &str) -> Resolved {
        if prefix.is_empty() {
            return self.default.map_or(Resolved::None, Resolved::Namespace);
        }
        if self.bindings.len() > MANY
            && let Some(&index) = self.by_prefix.get(prefix).and_then(|inner| inner.last())
        {
            return self.bindings[index].resolved();
        }
        let outer = &self.bindings[..self.bindings.len().min(MANY)];
        outer
            .iter()
            .rev()
            .find(|one| one.prefix == prefix)
            .map_or(Resolved::Undeclared, Binding::resolved)
    }

    #[inline]
    pub fn get(&self, id: u32) -> &Namespace {
        &self.all[id as usize]
    }

    pub fn pass_over(&mut self, id: u32) {
        self.all[id as usize].passed_over += 1;
    }

    pub fn declared(&self) -> &[String] {
        &self.declared
    }

    /// Lines and columns of `declared`.
    pub fn places(&self) -> (Vec<i64>, Vec<i64>) {
        self.places.iter().copied().unzip()
    }

    /// Namespaces whose elements were passed over, with how many; those beyond the bound together, as `OTHERS`.
    pub fn passed_over(&self) -> Vec<(String, i64)> {
        let mut found = self.all.iter().filter(|one| one.passed_over > 0);
        let listed = found.by_ref().take(MAX_FOREIGN_NAMESPACES);
        let mut all: Vec<_> = listed.map(|one| (shown(&one.uri), one.passed_over)).collect();
        let others = self.passed_over_before + found.map(|one| one.passed_over).sum::<i64>();
        if others > 0 {
            all.push((OTHERS.to_owned(), others));
        }
        all
    }
}

/// Stands for all namespaces beyond the bound.
pub const OTHERS: &str = "…";

/// Longest URI of a namespace that is listed whole, in bytes.
const MAX_SHOWN: usize = 2_048;

/// A URI, cut if it is long.
fn shown(uri: &str) -> String {
    if uri.len() <= MAX_SHOWN {
        return uri.to_owned();
    }
    let end = (0..=MAX_SHOWN)
        .rev()
        .find(|&end| uri.is_char_boundary(end))
        .unwrap_or(0);
    format!("{}…", &uri[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_beyond_the_bound_are_counted_together_and_forgotten() {
        let mut namespaces = Namespaces::new();
        let count = 3 * MAX_FOREIGN_NAMESPACES;
        for number in 0..count {
            let mark = namespaces.mark();
            namespaces.bind("x", &format!("urn:{number}"), || (1, 1));
            let Resolved::Namespace(id) = namespaces.resolve("x") else {
                panic!("x is bound");
            };
            assert_eq!(namespaces.get(id).uri, format!("urn:{number}"));
            namespaces.pass_over(id);
            namespaces.leave(mark);
        }
        let found = namespaces.passed_over();
        assert!(found.len() <= MAX_FOREIGN_NAMESPACES && namespaces.all.len() <= MAX_FOREIGN_NAMESPACES);
        assert_eq!(namespaces.by_uri.len(), namespaces.all.len());
        assert_eq!(found.iter().map(|(_, count)| *count).sum::<i64>(), count as i64);
        assert_eq!(found.last().map(|(uri, _)| uri.as_str()), Some(OTHERS));
    }

    #[test]
    fn an_inner_binding_does_not_end_with_its_namespace_known_outside() {
        let mut namespaces = Namespaces::new();
        for number in 0..2 * MAX_FOREIGN_NAMESPACES {
            namespaces.bind(&format!("p{number}"), &format!("urn:{number}"), || (1, 1));
        }
        let mark = namespaces.mark();
        namespaces.bind("again", "urn:1999", || (1, 1));
        namespaces.leave(mark);
        let outer = namespaces.resolve("p1999");
        namespaces.bind("new", "urn:1999", || (1, 1));
        assert_eq!(namespaces.resolve("new"), outer);
        namespaces.leave(1);
        assert!(namespaces.all.len() <= MAX_FOREIGN_NAMESPACES && namespaces.by_prefix.is_empty());
    }

    #[test]
    fn references_as_rfc_3986_has_them() {
        for good in [
            "http://www.sitemaps.org/schemas/sitemap/0.9",
            "urn:x",
            "a/b:c",
            "//host",
            "?q",
            "#f",
            "x:",
            "http://u:p@h:80/p",
            "http://[::1]:8080/",
            "%20",
            "a@b",
            "http://h/a;b=c,d?e/f?g#h/i?j",
            "",
        ] {
            assert!(is_uri_reference(good), "{good}");
        }
        for bad in [
            " ",
            "http://h /",
            // By libxml2: RFC 3986 has an empty port.
            "http://h:/",
            "http://h/é",
            "a:b c",
            "%2",
            "%zz",
            "1a:b",
            ":a",
            "http://h:80a/",
            "http://h/[",
            "http://a@b@c/",
            "http://h/a|b",
            "http://h/#a#b",
            "http://[::1/",
            "a\\b",
            "\"",
        ] {
            assert!(!is_uri_reference(bad), "{bad}");
        }
    }

    /// Bindings of elements inside one another, held to looking through all of them.
    #[test]
    fn prefixes_resolve_to_their_innermost_binding() {
        let mut namespaces = Namespaces::new();
        let mut model: Vec<(String, String)> = vec![("xml".to_owned(), XML_URI.to_owned())];
        let mut marks = Vec::new();
        // A fixed sequence of numbers without pattern: what to bind, and when elements end.
        let mut state = 1_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..20_000 {
            if next(3) > 0 || marks.is_empty() {
                marks.push((namespaces.mark(), model.len()));
                for _ in 0..next(5) {
                    let prefix = ["", "a", "b", "image", "xhtml", "p1", "p2", "p3"][next(8) as usize];
                    let uri = ["", "urn:1", "urn:2", "urn:3"][next(4) as usize];
                    namespaces.bind(prefix, uri, || (1, 1));
                    model.push((prefix.to_owned(), uri.to_owned()));
                }
            } else if let Some((mark, length)) = marks.pop() {
                namespaces.leave(mark);
                model.truncate(length);
            }
            let prefix = ["", "a", "b", "image", "p1", "xml", "none"][next(7) as usize];
            let expected = model
                .iter()
                .rev()
                .find(|(bound, _)| bound == prefix)
                .map(|(_, uri)| uri.as_str());
            let found = match namespaces.resolve(prefix) {
                Resolved::Namespace(id) => Some(namespaces.get(id).uri.as_str()),
                Resolved::None => Some(""),
                Resolved::Undeclared => None,
            };
            assert_eq!(
                found,
                expected.or(prefix.is_empty().then_some("")),
                "{prefix:?} in {model:?}"
            );
        }
    }
}
