//! Content of another format around the root element: messages of PHP, scripts, debug bars, HTML pages. All of it is
//! skipped at once and noted once, as what it is.

use std::io;
use std::ops::Range;

use memchr::memchr_iter;

use super::chars::{is_space, name_end};
use super::skip::Skip;
use super::token::Token;
use super::{Sink, Xml};
use crate::anomaly::AnomalyKind;
use crate::read::window::boundary;

/// Bytes after the start of a document in which its root must start if something precedes it.
pub(super) const REACH: usize = 16 * 1024;

/// Bytes of the content that decide what it is.
const DESCRIBED: usize = 2048;

/// Bytes that show whether a root element starts: its prefix and name.
const ROOT_NAME: usize = 64;

/// Elements of HTML without an end tag.
const VOID: [&str; 8] = ["br", "hr", "img", "input", "link", "meta", "source", "wbr"];

impl<S: Sink> Xml<S> {
    /// Whether it takes more of the document to decide if this token starts content of another format.
    pub(super) fn is_near_outside(&self, token: &Token) -> bool {
        self.stack.is_empty()
            && !matches!(
                token,
                Token::Blank { .. } | Token::Comment { .. } | Token::Instruction { .. } | Token::Junk { .. }
            )
    }

    /// Returns how much of the window is content of another format, if it starts with this token, and whether it may
    /// continue after that.
    pub(super) fn outside(&self, token: &Token, at: usize) -> Option<(usize, bool)> {
        if !self.is_near_outside(token) || self.too_deep > 0 {
            return None;
        }
        let bytes = self.window.bytes();
        let first = match token {
            Token::Text { end } => *end,
            _ => at,
        };
        if bytes.get(first) != Some(&b'<') {
            return None;
        }
        let markup = self.window.text(first..bytes.len());
        let name = markup_name(markup);
        if !self.is_outside_markup(markup, name) {
            return None;
        }
        if self.sink.has_root() {
            // Text can start like a root element, as in `<a:rss <div>`, so the search begins after it.
            return Some(self.outside_until(first));
        }
        if self.roots > 0 {
            return None;
        }
        // Before the root, it may as well be an element around the root.
        let end = self.root_after(first)?;
        let lower = self.window.text(first..end).to_ascii_lowercase();
        let tag = lower.split_inclusive('>').next().unwrap_or_default();
        let has_ended = tag.ends_with("/>") || lower.contains(&format!("</{}", name.to_ascii_lowercase()));
        let is_void = VOID.iter().any(|void| void.eq_ignore_ascii_case(name));
        let declaration = self.window.text(first..end).find("<?xml ").map(|offset| first + offset);
        (has_ended || is_void).then(|| (declaration.unwrap_or(end), false))
    }

    /// Whether markup at the top level, which starts with this name, is not part of a sitemap or a feed.
    fn is_outside_markup(&self, markup: &str, name: &str) -> bool {
        if let Some(rest) = name.strip_prefix('/') {
            return !rest.is_empty() && !S::is_root(local(rest));
        }
        if name.starts_with('!') {
            return self.sink.has_root() && is_html_doctype(markup);
        }
        !name.is_empty() && !S::is_root(local(name))
    }

    /// Returns where a root starts after `at` in the window.
    fn root_after(&self, at: usize) -> Option<usize> {
        let text = self.window.as_str();
        memchr_iter(b'<', &text.as_bytes()[at..])
            .map(|offset| at + offset)
            .find(|&here| S::is_root(local(markup_name(&text[here..]))))
    }

    /// Returns where the content that starts at `at` ends in the window, and whether it may continue after that.
    fn outside_until(&self, at: usize) -> (usize, bool) {
        let bytes = self.window.bytes();
        match self.root_after(at) {
            Some(root) if self.window.is_last() || root + ROOT_NAME <= bytes.len() => (root, false),
            _ if self.window.is_last() => (bytes.len(), false),
            _ => {
                let kept = boundary(self.window.as_str(), bytes.len().saturating_sub(ROOT_NAME));
                (kept.max(at), true)
            }
        }
    }

    #[cold]
    pub(super) fn note_outside(&mut self, range: Range<usize>) {
        self.tokenizer.faults.clear();
        let seen = describe(self.window.text(range.clone()));
        self.note(AnomalyKind::ContentOutsideRoot, range.start, &seen);
        self.note_templates(range);
    }

    pub(super) fn skip_outside(&mut self) -> io::Result<bool> {
        let (end, continues) = self.outside_until(self.window.pos());
        self.pass(end);
        if !continues {
            self.skipping = None;
            return Ok(true);
        }
        self.fill()?;
        Ok(true)
    }

    /// Whether the part being read is content of another format around the root.
    pub fn is_outside(&self) -> bool {
        matches!(self.skipping, Some(Skip::Outside))
    }
}

/// Returns the name of the tag or declaration at the start of the text, with the `/` or `!` before it.
fn markup_name(text: &str) -> &str {
    let Some(rest) = text.strip_prefix('<') else { return "" };
    let sign = usize::from(rest.starts_with(['/', '!']));
    let end = name_end(rest.as_bytes(), sign);
    let is_over = rest
        .as_bytes()
        .get(end)
        .is_none_or(|&byte| is_space(byte) || matches!(byte, b'>' | b'/'));
    if is_over { &rest[..end] } else { "" }
}

fn is_html_doctype(markup: &str) -> bool {
    let head = &markup[..boundary(markup, ROOT_NAME)];
    let words: Vec<&str> = head
        .split([' ', '\t', '\r', '\n', '>'])
        .filter(|word| !word.is_empty())
        .take(2)
        .collect();
    matches!(words[..], [doctype, root] if doctype.eq_ignore_ascii_case("<!doctype") && root.eq_ignore_ascii_case("html"))
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Says what content is, and quotes the start of its text.
pub(super) fn describe(content: &str) -> String {
    let head = &content[..boundary(content, DESCRIBED)];
    let lower = head.to_ascii_lowercase();
    let text = words(head);
    let starts = |names: &[&str]| names.iter().any(|name| lower.trim_start().starts_with(name));
    let holds = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    let what = if let Some(what) = message(&text) {
        what
    } else if holds(&[
        "debugbar",
        "sf-toolbar",
        "sfwdt",
        "query-monitor",
        "id=\"profiler",
        "djdebug",
    ]) {
        "debug bar"
    } else if starts(&["<!doctype", "<html", "<head", "<body"]) {
        "HTML page"
    } else if starts(&["<script"]) {
        "script"
    } else if starts(&["<style", "<link"]) {
        "stylesheet"
    } else {
        "markup"
    };
    let shown = if text.is_empty() || matches!(what, "script" | "stylesheet") {
        head.trim()
    } else {
        text.as_str()
    };
    format!("{what} ({})", &shown[..boundary(shown, QUOTED)])
}

/// Says whose message a text is, if it is one of a program.
pub(super) fn message(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let levels = ["warning", "notice", "deprecated", "error", "standards"];
    if levels.iter().any(|level| lower.contains(&format!("{level}:"))) && lower.contains(" on line ") {
        return Some("PHP message");
    }
    lower
        .contains("traceback (most recent call last)")
        .then_some("Python traceback")
}

/// Bytes of the content that are quoted.
const QUOTED: usize = 120;

/// Returns the text outside tags, with single spaces.
fn words(markup: &str) -> String {
    let mut text = String::new();
    let mut rest = markup;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('>') else {
            rest = "";
            break;
        };
        rest = &rest[open + close + 1..];
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions() {
        for (content, expected) in [
            (
                "<br />\n<b>Warning</b>:  Undefined array key in <b>/a.php</b> on line <b>12</b><br />",
                "PHP message (Warning: Undefined array key in /a.php on line 12)",
            ),
            ("<!DOCTYPE html>\n<html><p>x</p>", "HTML page (x)"),
            ("<body></body>", "HTML page (<body></body>)"),
            (
                "<script>let a = 1 < 2;</script>",
                "script (<script>let a = 1 < 2;</script>)",
            ),
            ("<div class=\"phpdebugbar\">Time: 3 ms</div>", "debug bar (Time: 3 ms)"),
            ("<p>Hello", "markup (Hello)"),
        ] {
            assert_eq!(describe(content), expected);
        }
    }

    #[test]
    fn names_of_markup() {
        for (text, name) in [
            ("<br />", "br"),
            ("</div >", "/div"),
            ("<!DOCTYPE html>", "!DOCTYPE"),
            ("<s:urlset\n", "s:urlset"),
            ("<", ""),
            ("<!-- a", ""),
            ("< a", ""),
            ("<a&b>", ""),
        ] {
            assert_eq!(markup_name(text), name, "{text}");
        }
    }
}
