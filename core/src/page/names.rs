//! Names used in metadata: those of dates, and those of crawlers that directives address.

/// Returns the date that a metadata name or property stands for. `name` is lowercase.
pub(super) fn meta_date(name: &str) -> Option<&'static str> {
    Some(match name {
        // https://ogp.me/#type_article
        "article:modified_time" => "article:modified_time",
        "article:published_time" => "article:published_time",
        "og:updated_time" => "og:updated_time",
        // https://www.dublincore.org/specifications/dublin-core/dcmi-terms/#modified, and its earlier spellings.
        "dcterms.modified" | "dc.date.modified" | "dcterms:modified" => "dcterms.modified",
        "last-modified" | "lastmod" | "last_modified" => "meta:last-modified",
        "revised" => "meta:revised",
        "datemodified" => "meta:dateModified",
        _ => return None,
    })
}

/// Returns whether a `<meta name>` addresses crawlers: `robots`, or the token of one crawler.
pub(super) fn is_robots_name(name: &str) -> bool {
    name == "robots" || name.ends_with("bot") || name.contains("bot-") || OTHER_CRAWLERS.contains(&name)
}

/// Crawlers that read `<meta>` directives and whose names do not end in "bot". `slurp` is Yahoo's, `teoma` was Ask's.
const OTHER_CRAWLERS: [&str; 7] = [
    "slurp",
    "teoma",
    "yandex",
    "baiduspider",
    "bytespider",
    "meta-externalagent",
    "google-extended",
];
