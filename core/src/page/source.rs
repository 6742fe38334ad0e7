//! Whether a page is the source of a template rather than its output: front matter, program code, or the tags of a
//! template language where a browser would show them.

use memchr::{memchr, memchr2_iter, memmem};

use crate::read::template::{front_matter, in_value, is_program};

/// Elements whose content may be about templates, or may be rendered by a script.
const OPAQUE: [&str; 9] = [
    "pre", "code", "samp", "kbd", "script", "style", "textarea", "template", "noscript",
];

/// Returns whether the text of a page is the source of a template.
///
/// `title` is its title. Frameworks in the browser render `{{ … }}` in text, too, so that it only counts in a page
/// without scripts, and in a title, which search engines read before that.
pub(super) fn is_template(text: &str, title: Option<&str>, has_script: bool) -> bool {
    if front_matter(text.trim_start_matches('\u{feff}')).is_some()
        || title.is_some_and(|title| in_value(title).is_some())
    {
        return true;
    }
    let bytes = text.as_bytes();
    if !["{%", "{{", "<%", "<?"]
        .iter()
        .any(|mark| memmem::find(bytes, mark.as_bytes()).is_some())
    {
        return false;
    }
    let last = |close: &str| memmem::rfind(bytes, close.as_bytes());
    let (tag, code, value) = (last("%}"), last("%>"), last("}}"));
    let mut from = 0;
    for at in memchr2_iter(b'<', b'{', bytes) {
        if at < from {
            continue;
        }
        let rest = &bytes[at..];
        let is_closed = |last: Option<usize>| last.is_some_and(|last| last >= at + 2);
        let is_marker = match rest.get(1) {
            Some(b'%') => is_closed(if rest[0] == b'{' { tag } else { code }),
            Some(b'{') => rest[0] == b'{' && !has_script && is_closed(value),
            Some(b'?') => rest[0] == b'<' && is_program(rest),
            _ => false,
        };
        if is_marker {
            return true;
        }
        match rest.get(1) {
            Some(b'!') if rest.starts_with(b"<!--") => from = at + end_of(rest, b"-->"),
            Some(first) if rest[0] == b'<' && first.is_ascii_alphabetic() => {
                let name = &rest[1..];
                let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                if let Some(opaque) = OPAQUE
                    .iter()
                    .find(|one| name[..length].eq_ignore_ascii_case(one.as_bytes()))
                {
                    from = at + end_of_element(rest, opaque.as_bytes());
                }
            }
            _ => {}
        }
    }
    false
}

fn end_of(text: &[u8], close: &[u8]) -> usize {
    memmem::find(text, close).unwrap_or(text.len())
}

/// Returns the position of the end tag of an element that starts here.
fn end_of_element(text: &[u8], name: &[u8]) -> usize {
    let mut at = 1;
    while let Some(next) = memchr(b'<', &text[at..]) {
        at += next + 1;
        if text[at..].starts_with(b"/")
            && text
                .get(at + 1..at + 1 + name.len())
                .is_some_and(|end| end.eq_ignore_ascii_case(name))
        {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Options, read};

    #[test]
    fn sources_of_templates() {
        for (text, is_template) in [
            ("<title>{{ page.title }}</title><p>a", true),
            ("<title>T</title>{% for x in y %}<p>a{% endfor %}", true),
            ("{% extends 'base.html' %}", true),
            ("---\nlayout: x\n---\n<p>a", true),
            ("<title><%= title %></title>", true),
            ("<p><% if (a) { %>b<% } %>", true),
            ("<?php include 'a.php' ?><p>a", true),
            ("<p>a<?= $b ?>", true),
            ("<p>{{ name }}", true),
            ("{{ define \"main\" }}<p>a{{ end }}", true),
            ("<p>{{ name }}<script src=vue.js></script>", false),
            ("<pre>{% raw %}</pre><p>{x}", false),
            ("<p>Write <code>{{ name }}</code> or <CODE>{% x %}</CODE>", false),
            ("<script>var a = '{% x %}';</script><p>a", false),
            ("<!-- {% x %} --><p>a", false),
            ("<?xml version='1.0'?><p>a", false),
            ("<p>{{ a", false),
            ("<p>a < b % c > d", false),
            ("<pre>{% x %}", false),
            ("", false),
        ] {
            assert_eq!(
                read(text.as_bytes(), Options::default()).kind == Kind::Template,
                is_template,
                "{text}"
            );
        }
    }
}
