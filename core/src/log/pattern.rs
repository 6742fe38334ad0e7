//! Formats that the user describes: a pattern with named fields, as GoAccess, Apache, and nginx write it.
//!
//! A field ends where the text after it begins. Nothing is tried twice, so a line takes time in proportion to its length.
//! <https://goaccess.io/man#custom-log>, <https://httpd.apache.org/docs/current/mod/mod_log_config.html#formats>,
//! <https://nginx.org/en/docs/varindex.html>

use std::borrow::Cow;

use memchr::memmem;

use super::columns::decoded;
use super::record::{Field, Raw};

/// Longer patterns are refused.
pub const MOST_PATTERN: usize = 4_096;

/// The fields of GoAccess; those without a meaning here are skipped.
const GOACCESS: [(&str, Option<Field>); 24] = [
    ("x", Some(Field::Time)),
    ("d", Some(Field::Date)),
    ("t", Some(Field::Time)),
    ("h", Some(Field::Client)),
    ("v", Some(Field::Host)),
    ("r", Some(Field::Request)),
    ("U", Some(Field::Url)),
    ("q", Some(Field::Query)),
    ("s", Some(Field::Status)),
    ("b", Some(Field::Bytes)),
    ("u", Some(Field::Agent)),
    ("^", None),
    ("e", None),
    ("C", None),
    ("D", None),
    ("H", None),
    ("K", None),
    ("k", None),
    ("L", None),
    ("M", None),
    ("m", None),
    ("n", None),
    ("R", None),
    ("T", None),
];

const APACHE: [(&str, Field); 12] = [
    ("t", Field::Time),
    ("a", Field::Client),
    ("h", Field::Client),
    ("v", Field::Host),
    ("V", Field::Host),
    ("r", Field::Request),
    ("U", Field::Url),
    ("q", Field::Query),
    ("s", Field::Status),
    ("b", Field::Bytes),
    ("B", Field::Bytes),
    ("O", Field::Bytes),
];

const APACHE_HEADERS: [(&str, Field); 4] = [
    ("{host}i", Field::Host),
    ("{user-agent}i", Field::Agent),
    ("{x-forwarded-for}i", Field::Forwarded),
    ("{x-forwarded-proto}i", Field::Scheme),
];

const NGINX: [(&str, Field); 21] = [
    ("time_local", Field::Time),
    ("time_iso8601", Field::Time),
    ("msec", Field::Time),
    ("remote_addr", Field::Client),
    ("http_x_forwarded_for", Field::Forwarded),
    ("proxy_add_x_forwarded_for", Field::Forwarded),
    ("http_host", Field::Host),
    ("host", Field::Host),
    ("server_name", Field::Host),
    ("scheme", Field::Scheme),
    ("http_x_forwarded_proto", Field::Scheme),
    ("request", Field::Request),
    ("request_uri", Field::Url),
    ("uri", Field::Url),
    ("document_uri", Field::Url),
    ("args", Field::Query),
    ("query_string", Field::Query),
    ("status", Field::Status),
    ("body_bytes_sent", Field::Bytes),
    ("bytes_sent", Field::Bytes),
    ("http_user_agent", Field::Agent),
];

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// A text; an empty one stands for any number of spaces and tabs.
    Text(Vec<u8>),
    /// A field, and how the pattern names it.
    Field(Option<Field>, String),
}

/// What ends a field.
#[derive(Clone)]
enum End {
    Text(Box<memmem::Finder<'static>>),
    /// The slash that begins a path.
    Path,
    Spaces,
    /// A space that follows no comma: the list in X-Forwarded-For.
    List,
    Line,
}

/// A field of a line, with the texts before it.
#[derive(Clone)]
struct Step {
    before: Vec<Vec<u8>>,
    field: Option<Field>,
    end: End,
    /// Whether it is in quotation marks, which a backslash can escape.
    is_quoted: bool,
}

#[derive(Clone)]
pub struct Pattern(Vec<Step>);

impl Pattern {
    /// Whether a text is a pattern rather than the name of a format.
    pub fn is_one(text: &str) -> bool {
        text.contains(['%', '$'])
    }

    /// Reads a pattern; an error says what is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.len() > MOST_PATTERN {
            return Err(format!("the pattern has more than {MOST_PATTERN} bytes"));
        }
        let parts = joined(parts(text)?)?;
        let has = |wanted: &[Field]| {
            let mut parts = parts.iter();
            parts.any(|part| matches!(part, Part::Field(Some(field), _) if wanted.contains(field)))
        };
        if !has(&[Field::Time]) {
            return Err("the pattern has no time, such as %x, %d and %t, or $time_local".to_owned());
        }
        if !has(&[Field::Url, Field::Request]) {
            return Err("the pattern has no URL, such as %r, %U, $request, or $request_uri".to_owned());
        }
        Ok(Self(steps(&parts)))
    }

    pub fn read<'a>(&self, line: &'a [u8]) -> Option<Raw<'a>> {
        let mut raw = Raw::default();
        let mut rest = line;
        for step in &self.0 {
            for text in &step.before {
                rest = rest.strip_prefix(text.as_slice())?;
                // Aligned columns have several spaces.
                if text.is_empty() || text.ends_with(b" ") {
                    rest = rest.trim_ascii_start();
                }
            }
            let (value, after) = rest.split_at(step.length_in(rest)?);
            if let Some(field) = step.field.filter(|field| !raw.has(*field)) {
                raw.set(field, typed(field, value)?);
            }
            rest = after;
        }
        raw.at().is_some().then_some(raw)
    }
}

impl Step {
    /// Returns the length of the field at the start of a text; `None` if nothing ends it.
    fn length_in(&self, text: &[u8]) -> Option<usize> {
        match &self.end {
            End::Line => Some(text.len()),
            End::Path => memchr::memchr(b'/', text),
            End::Spaces => Some(memchr::memchr2(b' ', b'\t', text).unwrap_or(text.len())),
            End::List => {
                let mut follows_comma = false;
                let end = text.iter().position(|byte| {
                    let is_space = matches!(byte, b' ' | b'\t');
                    let is_end = *byte == b'"' || (is_space && !follows_comma);
                    follows_comma = *byte == b',' || (is_space && follows_comma);
                    is_end
                });
                Some(end.unwrap_or(text.len()))
            }
            End::Text(finder) if !self.is_quoted => finder.find(text),
            End::Text(finder) => finder.find_iter(text).find(|end| {
                let escapes = text[..*end].iter().rev().take_while(|byte| **byte == b'\\').count();
                // Some servers do not escape quotation marks.
                let is_last = finder.needle() != b"\"" || matches!(text.get(end + 1), None | Some(b' ' | b'\t'));
                escapes % 2 == 0 && is_last
            }),
        }
    }
}

/// Returns a value as its field has it; `None` if it cannot be one, so that the line does not follow the pattern.
fn typed(field: Field, value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let digits = value.strip_prefix(b"-").unwrap_or(value);
    match field {
        Field::Status | Field::Bytes if !digits.iter().all(u8::is_ascii_digit) => None,
        Field::Query => Some(Cow::Borrowed(value.strip_prefix(b"?").unwrap_or(value))),
        // CDNs encode user agents.
        Field::Agent if !value.contains(&b' ') => Some(decoded(value)),
        _ => Some(Cow::Borrowed(value)),
    }
}

/// Splits a pattern into texts and fields.
fn parts(pattern: &str) -> Result<Vec<Part>, String> {
    let has = |name: &str| pattern.contains(name);
    // GoAccess has the date apart from the time.
    let is_apache = has("%{") || has("%>") || has("%l") || (has("%t") && !has("%d") && !has("%x"));
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let literal = match rest.as_bytes() {
            [b'%', b'%', ..] => Some((b"%".as_slice(), 2)),
            [b'\\', b't', ..] => Some((b"\t".as_slice(), 2)),
            [b'\\', b'"', ..] => Some((b"\"".as_slice(), 2)),
            [b'%' | b'$', ..] => None,
            [b'~', b'h', b'{', ..] => None,
            bytes => Some((&bytes[..first.len_utf8()], first.len_utf8())),
        };
        if let Some((bytes, length)) = literal {
            text.extend(bytes);
            rest = &rest[length..];
            continue;
        }
        let (part, after) = match rest.strip_prefix('%') {
            Some(name) if name.starts_with('~') => (Part::Text(Vec::new()), &name[1..]),
            Some(name) if is_apache => of_apache(name)?,
            Some(name) => of_goaccess(name)?,
            None if first == '$' => of_nginx(&rest[1..])?,
            // GoAccess names the list in X-Forwarded-For so.
            None => {
                let end = rest.find('}').ok_or("`~h{` has no `}`")? + 1;
                (Part::Field(Some(Field::Client), rest[..end].to_owned()), &rest[end..])
            }
        };
        let is_bracketed = is_apache && matches!(&part, Part::Field(Some(Field::Time), name) if name == "%t");
        text.extend(is_bracketed.then_some(b'['));
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        parts.push(part);
        text.extend(is_bracketed.then_some(b']'));
        rest = after;
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

/// Reads the name of a field after `%`, which is a letter.
fn of_goaccess(text: &str) -> Result<(Part, &str), String> {
    let (name, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    let known = GOACCESS.iter().find(|(known, _)| *known == name);
    let (_, field) = known.ok_or_else(|| format!("`%{name}` is not a field of GoAccess"))?;
    Ok((Part::Field(*field, format!("%{name}")), rest))
}

/// Reads the name of a field after `%`: a letter with modifiers before it, or a header in braces.
fn of_apache(text: &str) -> Result<(Part, &str), String> {
    let name = text.trim_start_matches(|mark: char| "<>!,0123456789".contains(mark));
    let argument = match name.strip_prefix('{') {
        Some(inner) => 2 + inner.find('}').ok_or("`%{` has no `}`")?,
        None => 0,
    };
    let letter = name[argument..]
        .chars()
        .next()
        .filter(|letter| letter.is_ascii_alphabetic() || *letter == '^');
    let letter = letter.ok_or_else(|| format!("`%{text}` does not begin with a field of Apache"))?;
    let (name, rest) = name.split_at(argument + 1);
    let field = match (argument, letter) {
        // A time in a format of its own.
        (1.., 't') => Some(Field::Time),
        (1.., _) => APACHE_HEADERS
            .iter()
            .find(|(known, _)| name.eq_ignore_ascii_case(known))
            .map(|(_, field)| *field),
        _ => APACHE.iter().find(|(known, _)| *known == name).map(|(_, field)| *field),
    };
    Ok((Part::Field(field, format!("%{name}")), rest))
}

/// Reads the name of a variable after `$`. Unknown ones are skipped: modules and users define more.
fn of_nginx(text: &str) -> Result<(Part, &str), String> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (name, rest) = match text.strip_prefix('{') {
        Some(inner) => inner.split_once('}').ok_or("`${` has no `}`")?,
        None => text.split_at(text.find(|letter| !is_name(letter)).unwrap_or(text.len())),
    };
    if name.is_empty() || !name.chars().all(is_name) {
        return Err("`$` must be followed by the name of a variable".to_owned());
    }
    let known = NGINX.iter().find(|(known, _)| *known == name);
    Ok((Part::Field(known.map(|(_, field)| *field), format!("${name}")), rest))
}

/// Joins the fields that are one, drops those that another field has as it was sent, and refuses fields without a text
/// between them.
fn joined(parts: Vec<Part>) -> Result<Vec<Part>, String> {
    let is_rewritten = |name: &str| matches!(name, "$uri" | "$document_uri");
    let has_sent = parts.iter().any(|part| match part {
        Part::Field(Some(Field::Request), _) => true,
        Part::Field(Some(Field::Url), name) => name.starts_with('$') && !is_rewritten(name),
        _ => false,
    });
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        let part = match part {
            Part::Field(Some(Field::Url), name) if has_sent && name != "$request_uri" => Part::Field(None, name),
            Part::Field(Some(Field::Query), name) if has_sent => Part::Field(None, name),
            part => part,
        };
        match (joined.last(), &part) {
            (Some(Part::Field(Some(Field::Url), _)), Part::Field(None | Some(Field::Query), _)) => continue,
            (Some(Part::Field(_, first)), Part::Field(field, second)) if *field != Some(Field::Url) => {
                return Err(format!("`{first}` and `{second}` have no text between them"));
            }
            _ => joined.push(part),
        }
        if ends_with_zone(&joined) {
            joined.truncate(joined.len() - 5);
            joined.push(Part::Field(Some(Field::Time), "%d:%t %^".to_owned()));
        }
    }
    Ok(joined)
}

/// Whether the last parts are `%d:%t %^`: a time whose zone GoAccess skips.
fn ends_with_zone(parts: &[Part]) -> bool {
    use Part::{Field as Of, Text};
    matches!(
        parts,
        [.., Of(Some(Field::Date), _), Text(colon), Of(Some(Field::Time), _), Text(space), Of(None, _)]
            if colon == b":" && space == b" "
    )
}

fn steps(parts: &[Part]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut before: Vec<Vec<u8>> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let (field, name) = match part {
            Part::Text(text) => {
                before.push(text.clone());
                continue;
            }
            Part::Field(field, name) => (*field, name),
        };
        let end = match parts.get(place + 1) {
            _ if name.starts_with("~h{") => End::List,
            Some(Part::Text(text)) if text.is_empty() => End::Spaces,
            Some(Part::Text(text)) => End::Text(Box::new(memmem::Finder::new(text).into_owned())),
            Some(Part::Field(..)) => End::Path,
            None => End::Line,
        };
        let is_quoted = before.last().is_some_and(|text| text.ends_with(b"\""))
            && matches!(&end, End::Text(finder) if finder.needle().starts_with(b"\""));
        steps.push(Step {
            before: std::mem::take(&mut before),
            field,
            end,
            is_quoted,
        });
    }
    steps
}
