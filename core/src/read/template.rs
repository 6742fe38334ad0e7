//! Templates that were never rendered: front matter, and the markers of common template languages.
//!
//! Liquid, Jinja, Twig, Go and Handlebars use `{{ … }}` and `{% … %}`, ERB, EJS, JSP and ASP `<% … %>`, PHP `<?php …
//! ?>` and `<?= … ?>`, and FreeMarker, JSP and JavaScript `${…}`.

use memchr::{memchr2_iter, memmem};

use super::kind::UNKNOWN;
use crate::value::space::trim_start;

const MARKERS: [(&str, &str); 3] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>")];

/// Returns the start of the first marker in the value of a field. Its end must follow: `{{` alone can be part of a URL.
pub fn in_value(value: &str) -> Option<usize> {
    openings(value)
        .find(|&(at, close)| memmem::find(&value.as_bytes()[at + 2..], close.as_bytes()).is_some())
        .map(|(at, _)| at)
        .or_else(|| in_dollars(value))
}

/// Returns the start of `${…}` or `{$…}`, as in FreeMarker, JSP, Thymeleaf, template literals of JavaScript, and Smarty.
fn in_dollars(value: &str) -> Option<usize> {
    let begin = memmem::find(value.as_bytes(), b"${").or_else(|| memmem::find(value.as_bytes(), b"{$"))?;
    value[begin..].contains('}').then_some(begin)
}

/// Returns the start of the first marker in text where none belongs; the marker can contain markup.
pub fn in_text(text: &str) -> Option<usize> {
    openings(text).next().map(|(at, _)| at)
}

fn openings(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    memchr2_iter(b'{', b'<', text.as_bytes()).filter_map(move |at| {
        let (_, close) = MARKERS.iter().find(|(open, _)| text[at..].starts_with(open))?;
        Some((at, *close))
    })
}

/// Returns the length of the front matter at the start of the text, including the closing line.
pub fn front_matter(text: &str) -> Option<usize> {
    let fence = text.lines().next()?.trim_end();
    if !matches!(fence, "---" | "+++") {
        return None;
    }
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        end += line.len();
        if number > 0 && line.trim_end() == fence {
            return Some(end);
        }
    }
    None
}

/// Returns what is template code in the head of a document that is not read, most often a text sitemap: offsets and
/// the code, from the front matter to the first marker.
pub fn in_head<'a>(head: &'a str, kind: &str) -> Vec<(usize, &'a str)> {
    let start = head.len() - trim_start(head).len();
    let text = &head[start..];
    let marker = match kind {
        UNKNOWN => in_text(text),
        // Markers in JSON strings concern only the reader of the JSON.
        "json" => in_text(text).filter(|&at| at == 0),
        _ => return Vec::new(),
    };
    let front = front_matter(text).map(|length| (start, text[..length].trim_end()));
    let marked = marker.map(|at| (start + at, text[at..].lines().next().unwrap_or_default()));
    front.into_iter().chain(marked).collect()
}

/// Returns whether a processing instruction starts here that is program code.
pub fn is_program(markup: &[u8]) -> bool {
    let is_php = markup.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"<?php"));
    markup.starts_with(b"<?=") || is_php && markup.get(5).is_none_or(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_markers() {
        for (text, value, any) in [
            ("https://example.com/{{ page.url }}", Some(20), Some(20)),
            ("{% if a %}x", Some(0), Some(0)),
            ("a <%= url %>", Some(2), Some(2)),
            ("{{ {% a %}", Some(3), Some(0)),
            ("https://example.com/{{", None, Some(20)),
            ("https://example.com/}}{{", None, Some(22)),
            ("https://example.com/{id}", None, None),
            ("https://example.com/${page.url}", Some(20), None),
            ("{$url}", Some(0), None),
            ("https://example.com/$id}{", None, None),
            ("https://example.com/%7B%7Bid%7D%7D", None, None),
            ("a < b % c", None, None),
            ("", None, None),
        ] {
            assert_eq!((in_value(text), in_text(text)), (value, any), "{text}");
        }
    }

    #[test]
    fn front_matters() {
        for (text, length) in [
            ("---\nlayout: null\n---\n<?xml", Some(21)),
            ("---\r\n---\r\n", Some(10)),
            ("+++\na = 1\n+++", Some(13)),
            ("---\nlayout: null\n", None),
            ("----\n---\n---\n", None),
            ("---\n+++\n", None),
            ("x\n---\n---\n", None),
            ("---", None),
            ("", None),
        ] {
            assert_eq!(front_matter(text), length, "{text:?}");
        }
    }

    #[test]
    fn program_code() {
        for (markup, is) in [
            ("<?php echo 1 ?>", true),
            ("<?PHP\n", true),
            ("<?php", true),
            ("<?= 1 ?>", true),
            ("<?php-x a?>", false),
            ("<?xml-stylesheet href='a'?>", false),
            ("<? echo ?>", false),
        ] {
            assert_eq!(is_program(markup.as_bytes()), is, "{markup}");
        }
    }
}
