//! Repairs URLs whose meaning is clear: characters that must be percent-encoded, and, with a base, relative URLs and
//! those on the host of a development server.

use super::account::Repair;
use crate::value::url::{UrlParts, parse, traits, xml_unescaped};
use crate::value::{Trait, UrlProblem};

/// What can be done about a URL.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Good,
    /// Its meaning is clear: the most significant repair, and the result.
    Repaired(Repair, String),
    Bad(UrlProblem),
}

pub fn judge(text: &str, base: Option<&str>) -> Verdict {
    if let Some(plain) = xml_unescaped(text) {
        return match judge(&plain, base) {
            Verdict::Good => Verdict::Repaired(Repair::EscapedTwice, plain),
            Verdict::Repaired(_, url) => Verdict::Repaired(Repair::EscapedTwice, url),
            bad => bad,
        };
    }
    let parts = parse(text);
    match parts.problem {
        None => match base.and_then(|base| on_public_host(base, text, &parts)) {
            Some(url) => Verdict::Repaired(Repair::UrlHost, url),
            None => Verdict::Good,
        },
        Some(UrlProblem::Relative) => {
            let resolved = base.and_then(|base| resolve(base, text));
            match resolved.map(|resolved| (judge(&resolved, base), resolved)) {
                Some((Verdict::Good, resolved)) => Verdict::Repaired(Repair::UrlResolved, resolved),
                Some((Verdict::Repaired(_, url), _)) => Verdict::Repaired(Repair::UrlResolved, url),
                _ => Verdict::Bad(UrlProblem::Relative),
            }
        }
        Some(problem @ (UrlProblem::Whitespace | UrlProblem::IllegalCharacter | UrlProblem::BadPercentEscape)) => {
            match escape(text) {
                Some((repair, escaped)) if parse(&escaped).problem.is_none() => match judge(&escaped, base) {
                    Verdict::Good => Verdict::Repaired(repair, escaped),
                    other => other,
                },
                _ => Verdict::Bad(problem),
            }
        }
        Some(problem) => Verdict::Bad(problem),
    }
}

/// Returns whether a URL is on a host that only one machine or network can reach.
pub fn is_on_inner_host(parts: &UrlParts) -> bool {
    traits::of_site(parts).has(Trait::InnerHost)
}

/// Returns a URL on an inner host with the scheme, host, and port of a base that is on a public one.
fn on_public_host(base: &str, text: &str, parts: &UrlParts) -> Option<String> {
    if !is_on_inner_host(parts) || is_on_inner_host(&parse(base)) {
        return None;
    }
    Some(format!(
        "{}{}",
        &base[..authority_end(base)?],
        &text[authority_end(text)?..]
    ))
}

/// Returns where the authority of an absolute URL ends.
fn authority_end(url: &str) -> Option<usize> {
    let begin = url.find("://")? + 3;
    Some(url[begin..].find(['/', '?', '#']).map_or(url.len(), |at| begin + at))
}

/// Percent-encodes spaces and all characters after the host that RFC 3986 does not allow, as every browser does, and a
/// % that starts no escape. Leaves backslashes, which browsers read as slashes, and line breaks and tabs, which they
/// drop.
fn escape(text: &str) -> Option<(Repair, String)> {
    let authority = text.find("://")? + 3;
    let begin = authority + text[authority..].find(['/', '?', '#'])?;
    let mut out = text[..begin].to_owned();
    let mut repair = Repair::PercentSign;
    for (at, ch) in text[begin..].char_indices() {
        match ch {
            ' ' | '"' | '<' | '>' | '^' | '`' | '{' | '|' | '}' | '[' | ']' => {
                repair = Repair::UrlEscaped;
                out.push_str(&format!("%{:02X}", u32::from(ch)));
            }
            '%' => match text.as_bytes()[begin + at + 1..] {
                [first, second, ..] if first.is_ascii_hexdigit() && second.is_ascii_hexdigit() => out.push('%'),
                // A JavaScript escape, `%u00E9`, was meant as a character.
                [b'u' | b'U', first, second, ..] if first.is_ascii_hexdigit() && second.is_ascii_hexdigit() => {
                    return None;
                }
                _ => out.push_str("%25"),
            },
            _ => out.push(ch),
        }
    }
    Some((repair, out))
}

/// Resolves a reference against a base. <https://www.rfc-editor.org/rfc/rfc3986#section-5.2>
///
/// Returns `None` if it is more likely a host without a scheme (`www.example.com/a`) than a path.
fn resolve(base: &str, reference: &str) -> Option<String> {
    let scheme_end = base.find("://")?;
    let (origin, rest) = base.split_at(authority_end(base)?);
    let rest = &rest[..rest.find('#').unwrap_or(rest.len())];
    let base_path = &rest[..rest.find('?').unwrap_or(rest.len())];
    if reference.starts_with("//") {
        return Some(format!("{}:{reference}", &base[..scheme_end]));
    }
    if reference.starts_with('#') {
        return Some(format!("{origin}{rest}{reference}"));
    }
    let tail = reference.find(['?', '#']).unwrap_or(reference.len());
    let (path, tail) = reference.split_at(tail);
    if path.is_empty() {
        return Some(format!("{origin}{base_path}{tail}"));
    }
    let path = if path.starts_with('/') {
        path.to_owned()
    } else if is_like_host(path) {
        return None;
    } else {
        let folder = base_path.rfind('/').map_or("/", |slash| &base_path[..=slash]);
        format!("{folder}{path}")
    };
    Some(format!("{origin}{}{tail}", without_dots(&path)))
}

fn is_like_host(path: &str) -> bool {
    const FILES: [&str; 11] = [
        "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "xml", "txt", "pdf",
    ];
    let first = path.split('/').next().unwrap_or(path);
    let is_dots = matches!(first, "." | "..");
    if is_dots || !first.contains(['.', ':', '@']) {
        return false;
    }
    let ending = first.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    first.contains([':', '@']) || first.len() < path.len() || !FILES.contains(&ending.as_str())
}

/// <https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4>, for an absolute path.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let escaped = |text: &str| Verdict::Repaired(Repair::UrlEscaped, text.to_owned());
        let percent = |text: &str| Verdict::Repaired(Repair::PercentSign, text.to_owned());
        let twice = |text: &str| Verdict::Repaired(Repair::EscapedTwice, text.to_owned());
        for (text, verdict) in [
            ("https://example.com/a", Verdict::Good),
            ("https://example.com/a b", escaped("https://example.com/a%20b")),
            (
                "https://example.com/?q=[x]|{y}",
                escaped("https://example.com/?q=%5Bx%5D%7C%7By%7D"),
            ),
            ("https://example.com/a\nb", Verdict::Bad(UrlProblem::Whitespace)),
            ("https://exa mple.com/", Verdict::Bad(UrlProblem::Whitespace)),
            ("https://example.com/a\\b", Verdict::Bad(UrlProblem::IllegalCharacter)),
            ("https://example.com/100%", percent("https://example.com/100%25")),
            (
                "https://example.com/50%-off?a=%20%4",
                percent("https://example.com/50%25-off?a=%20%254"),
            ),
            ("https://example.com/100% a", escaped("https://example.com/100%25%20a")),
            (
                "https://example.com/caf%u00E9",
                Verdict::Bad(UrlProblem::BadPercentEscape),
            ),
            ("https://ex%ample.com/", Verdict::Bad(UrlProblem::BadPercentEscape)),
            (
                "https://example.com/?a=1&amp;b=2",
                twice("https://example.com/?a=1&b=2"),
            ),
            (
                "https://example.com/?a=1&amp;amp;b=2",
                twice("https://example.com/?a=1&b=2"),
            ),
            (
                "https://example.com/?a=&amp;amp;#38;amp;b&c&amp;lt=d",
                twice("https://example.com/?a=&b&c&lt=d"),
            ),
            (
                "https://example.com/?a=1&#038;b=&lt;x&gt;",
                twice("https://example.com/?a=1&b=%3Cx%3E"),
            ),
            (
                "https://example.com/?a=1&amp;b=\\",
                Verdict::Bad(UrlProblem::IllegalCharacter),
            ),
            ("https://example.com/?a=1&lt=2&copy;=3&#x20ac;", Verdict::Good),
            ("ftp://example.com/", Verdict::Bad(UrlProblem::NotHttp)),
            ("/a", Verdict::Bad(UrlProblem::Relative)),
            ("", Verdict::Bad(UrlProblem::Empty)),
        ] {
            assert_eq!(judge(text, None), verdict, "{text}");
        }
    }

    #[test]
    fn references_as_rfc_3986_resolves_them() {
        let base = "https://example.com/b/c/d;p?q";
        for (reference, resolved) in [
            ("g", Some("https://example.com/b/c/g")),
            ("./g/", Some("https://example.com/b/c/g/")),
            ("/g", Some("https://example.com/g")),
            ("//g.org/h", Some("https://g.org/h")),
            ("?y", Some("https://example.com/b/c/d;p?y")),
            ("g?y#s", Some("https://example.com/b/c/g?y#s")),
            ("../g", Some("https://example.com/b/g")),
            ("../../../g", Some("https://example.com/g")),
            ("..", Some("https://example.com/b/")),
            ("a b.html", Some("https://example.com/b/c/a%20b.html")),
            ("www.example.org/g", None),
            ("example.org", None),
            ("localhost:80", None),
        ] {
            let expected = resolved.map_or(Verdict::Bad(UrlProblem::Relative), |url| {
                Verdict::Repaired(Repair::UrlResolved, url.to_owned())
            });
            assert_eq!(judge(reference, Some(base)), expected, "{reference}");
        }
        assert_eq!(
            judge("a", Some("https://example.com")),
            Verdict::Repaired(Repair::UrlResolved, "https://example.com/a".to_owned())
        );
    }

    #[test]
    fn hosts_of_development_servers_are_replaced_by_that_of_a_public_base() {
        let base = Some("https://site.example/docs/");
        for (text, repair, url) in [
            (
                "http://localhost:4321/a?b#c",
                Repair::UrlHost,
                "https://site.example/a?b#c",
            ),
            ("http://127.0.0.1:8000", Repair::UrlHost, "https://site.example"),
            ("http://me@app.test?a", Repair::UrlHost, "https://site.example?a"),
            ("http://[::1]:80/a b", Repair::UrlHost, "https://site.example/a%20b"),
            ("//localhost/a", Repair::UrlResolved, "https://site.example/a"),
        ] {
            assert_eq!(judge(text, base), Verdict::Repaired(repair, url.to_owned()), "{text}");
            assert_eq!(judge(url, base), Verdict::Good, "{url}");
        }
        assert_eq!(judge("http://localhost:4321/a", None), Verdict::Good);
        assert_eq!(
            judge("http://localhost:4321/a", Some("http://localhost:3000/")),
            Verdict::Good
        );
        assert_eq!(judge("https://staging.site.example/a", base), Verdict::Good);
    }
}
