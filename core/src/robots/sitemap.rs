//! What is wrong with the value of a `Sitemap:` line as a line of robots.txt, next to what is wrong with it as a URL.

use super::problem::RobotsProblem;
use crate::value::url::{self, UrlProblem};

/// Character references of XML, without the semicolon of a number.
const ESCAPES: [&str; 6] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"];

/// Returns the problem of a value that is not empty.
pub fn problem_of(value: &str) -> Option<RobotsProblem> {
    let lower = value.to_ascii_lowercase();
    let begins_again = lower.match_indices("http").map(|(at, _)| at).filter(|at| {
        let rest = &lower[at + 4..];
        *at > 0 && rest.strip_prefix('s').unwrap_or(rest).starts_with(":/")
    });
    for at in begins_again {
        let before = &lower[..at];
        if before.trim_end_matches('/').ends_with("http:") || before.trim_end_matches('/').ends_with("https:") {
            return Some(RobotsProblem::SitemapTwoSchemes);
        }
        // After these, a URL can be part of another one, or the value begins with a quotation mark.
        if !before.ends_with(['/', '=', '"', '\'', '<']) {
            return Some(RobotsProblem::SitemapSeveral);
        }
    }
    if value.split_ascii_whitespace().skip(1).any(|part| part.starts_with('/')) {
        return Some(RobotsProblem::SitemapSeveral);
    }
    if is_quoted(value) {
        return Some(RobotsProblem::SitemapQuoted);
    }
    if ESCAPES.iter().any(|escape| lower.contains(escape)) {
        return Some(RobotsProblem::SitemapEscaped);
    }
    if value.ends_with([';', ',']) {
        return Some(RobotsProblem::SitemapSeparator);
    }
    match url::parse(value).problem {
        None => None,
        Some(UrlProblem::Relative) => Some(RobotsProblem::SitemapRelative),
        Some(_) => Some(RobotsProblem::SitemapInvalid),
    }
}

fn is_quoted(value: &str) -> bool {
    value.starts_with(['"', '\'', '<', '\u{201c}', '\u{2018}']) || value.ends_with(['"', '\'', '>', '\u{201d}'])
}

#[cfg(test)]
mod tests {
    use super::problem_of;

    #[test]
    fn a_line_has_one_plain_url() {
        let cases = [
            ("https://a.test/s.xml", ""),
            ("https://a.test/s.xml?a=1&b=2;c", ""),
            ("https://a.test/web/2020/https://b.test/s.xml", ""),
            ("https://a.test/s?of=https://b.test/", ""),
            ("https://a.test/http-errors.xml", ""),
            ("https://a.test/s.xml https://a.test/t.xml", "sitemap-several"),
            ("https://a.test/s.xml;https://a.test/t.xml", "sitemap-several"),
            ("https://a.test/s.xml, HTTPS://a.test/t.xml", "sitemap-several"),
            ("https://a.test/s.xmlhttps://a.test/t.xml", "sitemap-several"),
            ("https://a.test/s.xml | http:/a.test/t.xml", "sitemap-several"),
            ("/s.xml /t.xml", "sitemap-several"),
            ("https://https://a.test/s.xml", "sitemap-two-schemes"),
            ("http:/https:/a.test/s.xml", "sitemap-two-schemes"),
            ("https:https://a.test/s.xml", "sitemap-two-schemes"),
            ("\"https://a.test/s.xml\"", "sitemap-quoted"),
            ("<https://a.test/s.xml>", "sitemap-quoted"),
            ("https://a.test/s.xml?a=1&amp;b=2", "sitemap-escaped"),
            ("https://a.test/s.xml?a=1&#38;b=2", "sitemap-escaped"),
            ("https://a.test/s.xml;", "sitemap-separator"),
            ("https://a.test/s.xml,", "sitemap-separator"),
            ("http:/a.test/s.xml", "sitemap-invalid"),
            ("https:a.test/s.xml", "sitemap-invalid"),
            ("https:///a.test/s.xml", "sitemap-invalid"),
            ("htps://a.test/s.xml", "sitemap-invalid"),
            ("https://a.test/my sitemap.xml", "sitemap-invalid"),
            ("/s.xml", "sitemap-relative"),
            ("www.a.test/s.xml", "sitemap-relative"),
        ];
        for (value, expected) in cases {
            assert_eq!(problem_of(value).map_or("", |kind| kind.name()), expected, "{value}");
        }
    }
}
