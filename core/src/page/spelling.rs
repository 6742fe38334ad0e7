//! What the spellings of a page's URL share: those that differ only in scheme, `www.`, file extension, the name of an
//! index file, or a final slash.
//!
//! Many hosts serve a page under several of them, or redirect from one to another. Whether this host does is decided by
//! its responses (`links/link_graph.py`): two URLs with the same key may still be different pages.

use crate::value::url::text_hash;
use crate::value::whatwg_url;

/// Extensions of pages that hosts leave out of URLs. https://developers.cloudflare.com/pages/configuration/serving-pages/
const EXTENSIONS: [&str; 7] = [".html", ".htm", ".xhtml", ".shtml", ".php", ".aspx", ".asp"];

/// Names of the file that a host serves for its folder. https://httpd.apache.org/docs/2.4/mod/mod_dir.html#directoryindex
const INDEXES: [&str; 2] = ["index", "default"];

/// Returns the hash of what the spellings of a URL share; of the URL as it is if it cannot be requested.
pub fn hash(url: &str) -> i64 {
    let key = whatwg_url::key(url);
    text_hash(&key.as_deref().map_or_else(|| url.to_owned(), stem))
}

/// Returns what the spellings of a URL share, from its one spelling (`whatwg_url::key`).
fn stem(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest
        .strip_prefix("www.")
        .filter(|rest| rest[..rest.find('/').unwrap_or(rest.len())].contains('.'))
        .unwrap_or(rest);
    let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
    let (folder, name) = path.split_at(path.rfind('/').map_or(path.len(), |at| at + 1));
    let bare = EXTENSIONS
        .into_iter()
        .find_map(|extension| without_ending(name, extension))
        .unwrap_or(name);
    let bare = if INDEXES.into_iter().any(|index| bare.eq_ignore_ascii_case(index)) {
        ""
    } else {
        bare
    };
    let mut stem = format!("{folder}{bare}");
    stem.truncate(stem.trim_end_matches('/').len());
    stem.push_str(query);
    stem
}

/// Returns a name without its extension; `None` if it has another one, or nothing else.
fn without_ending<'a>(name: &'a str, extension: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(extension.len()).filter(|at| *at > 0)?;
    let (bare, end) = name.split_at_checked(at)?;
    end.eq_ignore_ascii_case(extension).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn spellings_of_a_page_have_one_hash() {
        for spellings in [
            &[
                "https://www.example.org/blog/",
                "https://www.example.org/blog",
                "http://example.org/blog/index.html",
                "HTTPS://EXAMPLE.org:443/blog/index",
                "https://example.org/blog.html",
                "https://example.org/blog/default.aspx",
                "https://example.org/%62log",
            ][..],
            &[
                "https://example.org",
                "http://www.example.org/",
                "https://example.org/INDEX.HTM",
            ],
            &[
                "https://example.org/a?b=1",
                "https://example.org/a/?b=1",
                "https://example.org/a/index.php?b=1",
            ],
        ] {
            for spelling in spellings {
                assert_eq!(hash(spelling), hash(spellings[0]), "{spelling}");
            }
        }
    }

    #[test]
    fn other_urls_have_other_hashes() {
        let urls = [
            "https://example.org/",
            "https://example.org/blog",
            "https://example.org/Blog",
            "https://example.org/blog?a",
            "https://example.org/blog?a/",
            "https://example.org/blog.pdf",
            "https://example.org/blog/.html",
            "https://example.org/index/blog",
            "https://www.org/",
            "https://docs.example.org/",
            "mailto:a@example.org",
        ];
        for (number, url) in urls.iter().enumerate() {
            for other in &urls[number + 1..] {
                assert_ne!(hash(url), hash(other), "{url} {other}");
            }
        }
    }
}
