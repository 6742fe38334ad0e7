//! The vocabularies that a sitemap can use, and the names of their namespaces.

pub const XML_URI: &str = "http://www.w3.org/XML/1998/namespace";
pub const XMLNS_URI: &str = "http://www.w3.org/2000/xmlns/";

/// The vocabulary of a namespace.
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
    /// An unknown namespace.
    Foreign,
    /// In no namespace.
    None,
}

impl Vocabulary {
    /// Whether its elements occur inside the entries of a sitemap.
    pub const fn is_extension(self) -> bool {
        matches!(self, Self::Image | Self::Video | Self::News | Self::Xhtml)
    }
}

/// The known namespaces, as given in their specifications.
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

/// Returns the vocabulary of a prefix that people use without declaring it, or bound to a mistyped namespace.
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

/// Returns the namespace of a vocabulary as given in its specification, the first one if there are several.
pub fn uri_of(vocabulary: Vocabulary) -> Option<&'static str> {
    KNOWN
        .iter()
        .find(|(_, known)| *known == vocabulary)
        .map(|(uri, _)| *uri)
}

/// Returns the vocabulary that a namespace stands for, and whether it is written as in its specification.
pub fn classify(uri: &str) -> (Vocabulary, bool) {
    if let Some(&(_, vocabulary)) = KNOWN.iter().find(|(known, _)| *known == uri) {
        return (vocabulary, true);
    }
    let lower = uri.to_ascii_lowercase();
    // Google's retired extensions: google.com/geo/schemas/sitemap/1.0 and google.com/codesearch/schemas/sitemap/1.0.
    let is_retired = ["google.com/geo/", "google.com/codesearch/"]
        .iter()
        .any(|part| lower.contains(part));
    // Seen in the wild: https://…/sitemap/0.9, a trailing slash, google.com/schemas/sitemap/0.84 and 0.90,
    // sitemap-image/1.0, and https://www.w3.org/TR/xhtml11/xhtml11_schema.html for xhtml.
    let meant = if lower.contains("schemas/sitemap-image") {
        Vocabulary::Image
    } else if lower.contains("schemas/sitemap-video") {
        Vocabulary::Video
    } else if lower.contains("schemas/sitemap-news") {
        Vocabulary::News
    } else if is_retired {
        Vocabulary::Foreign
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
