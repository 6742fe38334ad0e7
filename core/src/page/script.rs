//! The redirect that the scripts of a page do as soon as it is loaded: `location.replace("/new")` and its like.
//!
//! Scripts are not run. Only a statement that runs in any case counts: at the top level, or in a function that is called
//! at once, after a delay, when the page is loaded, or by name. What depends on a condition may not happen.

use std::collections::HashMap;

use memchr::memmem;

/// Names of the object that has `location`.
const OWNERS: [&str; 7] = ["window", "document", "self", "top", "parent", "globalThis", "this"];

/// What runs a function by itself.
const TRIGGERS: [&str; 6] = [
    "setTimeout",
    "requestAnimationFrame",
    "onload",
    "onpageshow",
    "ready",
    "then",
];

/// Events that happen without the visitor.
const EVENTS: [&str; 3] = ["load", "DOMContentLoaded", "pageshow"];

/// Keywords after which a statement runs only sometimes.
const CONDITIONS: [&str; 7] = ["if", "else", "switch", "case", "for", "while", "catch"];

/// Names of what a redirect keeps of the URL that was requested.
const KEPT: [&str; 9] = [
    "hash", "search", "anchor", "fragment", "query", "params", "location", "suffix", "qs",
];

/// Maximum nesting of scripts in strings: `setTimeout("location = '/new'", 0)`.
const MAX_NESTED: u8 = 2;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A name, keyword, or number.
    Word(String),
    Text(String),
    Sign(char),
    /// A line break that may end a statement.
    Line,
}

impl Token {
    fn is(&self, sign: char) -> bool {
        *self == Token::Sign(sign)
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        matches!(self, Token::Word(word) if words.contains(&&**word))
    }
}

/// Returns whether a page can have such a script.
pub(super) fn may_redirect(page: &str) -> bool {
    let bytes = page.as_bytes();
    memmem::find_iter(bytes, b"location").any(|at| {
        let rest = bytes[at + 8..].trim_ascii_start();
        [&b"="[..], b".href", b".replace", b".assign"]
            .iter()
            .any(|start| rest.starts_with(start))
    })
}

/// Returns the target of the redirect as written, or `None` if the scripts are not known to redirect.
pub(super) fn redirect(scripts: &[String]) -> Option<String> {
    nested_redirect(scripts, 0)
}

fn nested_redirect(scripts: &[String], depth: u8) -> Option<String> {
    let scripts: Vec<Vec<Token>> = scripts.iter().map(|script| tokens(script)).collect();
    let mut program = Program::of(&scripts);
    scripts.iter().find_map(|script| program.redirect(script, depth))
}

/// The scripts of a page.
struct Program {
    /// Names that stand for a text.
    texts: HashMap<String, String>,
    /// How often each name is used.
    uses: HashMap<String, usize>,
}

impl Program {
    fn of(scripts: &[Vec<Token>]) -> Self {
        let (mut texts, mut uses) = (HashMap::new(), HashMap::new());
        for script in scripts {
            for (place, token) in script.iter().enumerate() {
                let Token::Word(word) = token else { continue };
                *uses.entry(word.clone()).or_default() += 1;
                if let [Token::Sign('='), Token::Text(text), ..] = &script[place + 1..] {
                    texts.entry(word.clone()).or_insert_with(|| text.clone());
                }
            }
        }
        Program { texts, uses }
    }

    fn redirect(&mut self, script: &[Token], depth: u8) -> Option<String> {
        // Where the statement began, and whether each block around it runs in any case.
        let (mut start, mut blocks) = (0, Vec::new());
        for (place, token) in script.iter().enumerate() {
            match token {
                Token::Sign('{') => {
                    blocks.push(self.runs(&script[start..place]));
                    start = place + 1;
                }
                Token::Sign('}') => {
                    blocks.pop();
                    start = place + 1;
                }
                Token::Sign(';') => start = place + 1,
                Token::Line if ends_statement(&script[start..place]) => start = place + 1,
                Token::Word(_) if blocks.iter().all(|runs| *runs) => {
                    let runs = || self.runs(&script[start..place]);
                    if let Some(target) = self.target(&script[place..])
                        && runs()
                    {
                        return Some(target);
                    }
                    if let [Token::Word(name), Token::Sign('('), Token::Text(text), ..] = &script[place..]
                        && name == "setTimeout"
                        && depth < MAX_NESTED
                        && runs()
                        && let Some(target) = nested_redirect(std::slice::from_ref(text), depth + 1)
                    {
                        return Some(target);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns whether what follows the beginning of a statement runs as soon as the page is loaded.
    fn runs(&self, before: &[Token]) -> bool {
        // `window.setTimeout` is `setTimeout`.
        let before = match before {
            [rest @ .., owner, Token::Sign('.')] if owner.is_one_of(&OWNERS) => rest,
            _ => before,
        };
        let is_condition = |token: &Token| token.is_one_of(&CONDITIONS) || "?&|".chars().any(|sign| token.is(sign));
        if before.iter().any(is_condition) {
            return false;
        }
        if before.iter().any(|token| token.is_one_of(&["addEventListener", "on"])) {
            return before
                .iter()
                .any(|token| matches!(token, Token::Text(event) if EVENTS.contains(&&**event)));
        }
        if before.iter().any(|token| token.is_one_of(&TRIGGERS)) {
            return true;
        }
        let is_function = before
            .iter()
            .any(|token| token.is_one_of(&["function"]) || token.is('>'));
        let is_word = |token: &Token, words: &[&str]| token.is_one_of(words);
        match before {
            [] => true,
            [Token::Sign('(' | '!'), ..] => is_function,
            [first, Token::Sign('('), second, ..] if is_word(first, &["$", "jQuery"]) => {
                second.is('(') || is_word(second, &["function", "async"])
            }
            [keyword, Token::Word(name), ..] if is_word(keyword, &["function", "var", "let", "const"]) => {
                is_function && self.uses.get(name).is_some_and(|uses| *uses > 1)
            }
            [Token::Word(name), Token::Sign('='), ..] => {
                is_function && self.uses.get(name).is_some_and(|uses| *uses > 1)
            }
            _ => before
                .iter()
                .all(|token| is_word(token, &["try", "do", "finally", "return", "void", "await"])),
        }
    }

    /// Returns the target of the redirect that begins here.
    fn target(&self, mut rest: &[Token]) -> Option<String> {
        while let [Token::Word(owner), Token::Sign('.'), after @ ..] = rest {
            if !OWNERS.contains(&&**owner) {
                break;
            }
            rest = after;
        }
        let [Token::Word(location), rest @ ..] = rest else {
            return None;
        };
        if location != "location" {
            return None;
        }
        let value = match rest {
            [Token::Sign('='), value @ ..] => value,
            [Token::Sign('.'), Token::Word(name), Token::Sign('='), value @ ..] if name == "href" => value,
            [Token::Sign('.'), Token::Word(name), Token::Sign('('), value @ ..] => match &**name {
                "replace" | "assign" => value,
                _ => return None,
            },
            _ => return None,
        };
        let (target, rest) = match value {
            [Token::Text(text), rest @ ..] => (text, rest),
            [Token::Word(name), rest @ ..] => (self.texts.get(name)?, rest),
            _ => return None,
        };
        if rest.first().is_some_and(|token| token.is('+')) {
            let end = rest.iter().position(|token| token.is(';')).unwrap_or(rest.len());
            let keeps = |token: &Token| match token {
                Token::Word(_) => token.is_one_of(&KEPT),
                Token::Text(text) => text.starts_with(['#', '?']),
                _ => false,
            };
            return rest[..end].iter().any(keeps).then(|| target.clone());
        }
        let is_whole = match rest.first() {
            None => true,
            Some(Token::Sign(sign)) => matches!(sign, ';' | ')' | '}' | ','),
            Some(token) => *token == Token::Line,
        };
        is_whole.then(|| target.clone())
    }
}

/// Returns whether a line break ends the statement of these tokens.
fn ends_statement(statement: &[Token]) -> bool {
    match statement.last() {
        None => true,
        Some(Token::Word(word)) => {
            !["return", "else", "function", "var", "let", "const", "try", "do"].contains(&&**word)
        }
        Some(Token::Text(_) | Token::Sign(']')) => true,
        Some(Token::Sign(')')) => !statement
            .iter()
            .any(|token| token.is_one_of(&CONDITIONS) || token.is_one_of(&["function"]) || token.is('>')),
        _ => false,
    }
}

/// Splits a script into tokens. Regular expressions are not known, and texts end with their line.
fn tokens(script: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = script;
    while let Some(first) = rest.chars().next() {
        if first == '\n' {
            if tokens.last().is_some_and(|last| *last != Token::Line) {
                tokens.push(Token::Line);
            }
            rest = &rest[1..];
        } else if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if rest.starts_with("//") || rest.starts_with("<!--") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
        } else if matches!(first, '"' | '\'' | '`') {
            rest = text(&rest[1..], first, &mut tokens);
        } else if first.is_alphanumeric() || matches!(first, '_' | '$') {
            let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            // `==` is not an assignment.
            let is_comparison = first == '=' && rest[1..].starts_with('=');
            tokens.push(Token::Sign(if is_comparison { '~' } else { first }));
            rest = &rest[first.len_utf8() * if is_comparison { 2 } else { 1 }..];
        }
    }
    tokens
}

/// Takes a text after its opening quote, and returns what follows its end.
fn text<'a>(rest: &'a str, quote: char, tokens: &mut Vec<Token>) -> &'a str {
    let mut value = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, '\n')) | None => {}
                Some((_, escaped)) => value.push(escaped),
            },
            '$' if quote == '`' && rest[at..].starts_with("${") => {
                // What is inserted follows as if it was added.
                tokens.push(Token::Text(value));
                let end = rest[at..].find('`').map_or(rest.len(), |end| at + end);
                tokens.push(Token::Sign('+'));
                tokens.extend(self::tokens(&rest[at + 2..end].replace(['{', '}'], " ")));
                return rest.get(end + 1..).unwrap_or("");
            }
            '\n' if quote != '`' => {
                tokens.push(Token::Text(value));
                return &rest[at..];
            }
            _ if c == quote => {
                tokens.push(Token::Text(value));
                return &rest[at + c.len_utf8()..];
            }
            _ => value.push(c),
        }
    }
    tokens.push(Token::Text(value));
    ""
}

#[cfg(test)]
mod tests {
    use super::super::{Options, read};

    #[test]
    fn redirects_by_script() {
        for (script, target) in [
            ("location='/new'", Some("/new")),
            (
                "window.location.replace(\"https://example.org/new\")",
                Some("https://example.org/new"),
            ),
            ("document.location.href = '/new';", Some("/new")),
            ("self.location.assign(`/new`)", Some("/new")),
            ("window.top.location = '/new'", Some("/new")),
            ("var a = 1\nlocation.href = '/new'\nvar b = 2", Some("/new")),
            ("go()\nlocation.href = '/new'", Some("/new")),
            ("// moved\n/* if */ location.href = '/new'", Some("/new")),
            (
                "const to=\"/new\",hash=location.hash||'';location.replace(to+hash)",
                Some("/new"),
            ),
            (
                "location.href = '/new' + window.location.search + window.location.hash;",
                Some("/new"),
            ),
            (
                "var anchor=location.hash.substr(1);location.href=\"/new\"+(anchor?\"#\"+anchor:\"\")",
                Some("/new"),
            ),
            ("location.replace(`/new${location.hash}`)", Some("/new")),
            ("setTimeout(function () { location.href = '/new' }, 0)", Some("/new")),
            ("setTimeout(() => location.replace('/new'), 100)", Some("/new")),
            ("setTimeout(\"location.href='/new'\", 1500)", Some("/new")),
            ("window.setTimeout(\"location='/new'\", 1)", Some("/new")),
            ("window.onload = function() {\n  location = '/new';\n}", Some("/new")),
            (
                "document.addEventListener('DOMContentLoaded', () => { location = '/new' })",
                Some("/new"),
            ),
            (
                "$(document).ready(function(){ window.location = '/new'; });",
                Some("/new"),
            ),
            ("(function () { location = '/new' })();", Some("/new")),
            ("(() => {\n location = '/new'\n})()", Some("/new")),
            ("function go() { location.href = '/new'; }\ngo();", Some("/new")),
            ("const go = () => { location = '/new' }; go()", Some("/new")),
            ("try { location = '/new' } catch (e) {}", Some("/new")),
            ("if (a) { location = '/a'; return }\nlocation = '/b'", Some("/b")),
            ("setTimeout(function () { location.reload() }, 43200000)", None),
            ("if (!bot) location.href = '/new'", None),
            ("if (!bot)\n  location.href = '/new'", None),
            ("if (!bot) { location.href = '/new' }", None),
            ("if (!bot) { setTimeout(() => { location.href = '/new' }) }", None),
            ("bot || (location.href = '/new')", None),
            ("location.href = de ? '/de' : '/en'", None),
            ("location.href = '/' + lang", None),
            ("location.href = to", None),
            ("location.hash = '/new'", None),
            ("if (location.href == '/new') {}", None),
            ("map.location = '/new'", None),
            ("var location = '/new'", None),
            ("function go() { location.href = '/new' }", None),
            ("$('#a').click(function () { location = '/new' })", None),
            ("button.onclick = function () { location.href = '/new' }", None),
            ("button.addEventListener('click', () => { location = '/new' })", None),
            ("var s = \"location.href = '/new'\"", None),
            ("// location.href = '/new'", None),
            ("", None),
        ] {
            let page = format!("<title>Moved</title><p>Click here<script>{script}</script>");
            let facts = read(page.as_bytes(), Options::default());
            assert_eq!(facts.script_target.as_deref(), target, "{script}");
        }
    }

    #[test]
    fn scripts_that_redirect_are_those_that_run() {
        let words = "word ".repeat(60);
        let redirect = "<script>location = '/new'</script>";
        for (page, target) in [
            ("<body onload=\"location.href='/new'\">".to_owned(), Some("/new")),
            ("<script type=module>location='/new'</script>".to_owned(), Some("/new")),
            (format!("<p>{words}{redirect}"), None),
            (format!("<!-- {redirect} -->"), None),
            (format!("<template>{redirect}</template>"), None),
            (format!("<noscript>{redirect}</noscript>"), None),
            ("<script type=text/x-template>location='/new'</script>".to_owned(), None),
            ("<a onclick=\"location='/new'\">a</a>".to_owned(), None),
        ] {
            let facts = read(page.as_bytes(), Options::default());
            assert_eq!(facts.script_target.as_deref(), target, "{page}");
        }
    }
}
