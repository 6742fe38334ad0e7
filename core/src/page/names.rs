//! Names that metadata goes by: those of dates, and those of crawlers that directives are for.

/// The dates that metadata gives, by name or property in lower case.
pub(super) fn meta_date(name: &str) -> Option<&'static str> {
    Some(match name {
        // https://ogp.me/#type_article
        "article:modified_time" => "article:modified_time",
        "article:published_time" => "article:published_time",
        "og:updated_time" => "og:updated_time",
        // https://www.dublincore.org/specifications/dublin-core/dcmi-terms/#modified, and how it was written before.
        "dcterms.modified" | "dc.date.modified" | "dcterms:modified" => "dcterms.modified",
        "last-modified" | "lastmod" | "last_modified" => "meta:last-modified",
        "revised" => "meta:revised",
        "datemodified" => "meta:dateModified",
        _ => return None,
    })
}

/// Whether a `<meta name>` gives directives to crawlers: `robots`, or the token of one.
pub(super) fn is_robots_name(name: &str) -> bool {
    name == "robots" || name.ends_with("bot") || name.contains("bot-") || OTHER_CRAWLERS.contains(&name)
}

/// Crawlers that take `<meta>` directives and have no "bot" at the end of their names. `slurp` is Yahoo's,
/// `teoma` was Ask's.
const OTHER_CRAWLERS: [&str; 7] = [
    "slurp",
    "teoma",
    "yandex",
    "baiduspider",
    "bytespider",
    "meta-externalagent",
    "google-extended",
];
