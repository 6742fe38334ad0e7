//! Formats whose `#Fields:` lines name the columns: W3C extended, and the one of CloudFront.
//! <https://www.w3.org/TR/WD-logfile.html>

use std::borrow::Cow;

use super::lines::quoted;
use super::record::{Field, Raw};

const NAMES: [(&str, Field); 15] = [
    ("date", Field::Date),
    ("time", Field::Time),
    ("c-ip", Field::Client),
    ("x-forwarded-for", Field::Forwarded),
    ("cs(x-forwarded-for)", Field::Forwarded),
    ("cs-host", Field::Host),
    ("cs(host)", Field::Host),
    ("x-host-header", Field::Host),
    ("cs-uri-scheme", Field::Scheme),
    ("cs-uri-stem", Field::Url),
    ("cs-uri", Field::Url),
    ("cs-uri-query", Field::Query),
    ("sc-status", Field::Status),
    ("sc-bytes", Field::Bytes),
    ("cs(user-agent)", Field::Agent),
];

/// The columns of a file, according to its last `#Fields:` line.
#[derive(Clone, Default)]
pub struct Columns {
    fields: Vec<Option<Field>>,
    /// Whether lines may have fewer fields, or more.
    is_open: bool,
    /// The line, from which a later run continues.
    pub header: Option<String>,
    is_cloudfront: bool,
}

/// The first columns of CloudFront, which logs without a `#Fields:` line have as well.
/// <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html>
const CLOUDFRONT: &[u8] = b"#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status \
    cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol";

impl Columns {
    /// The columns of CloudFront until a `#Fields:` line names others.
    pub fn of_cloudfront(own: &[(String, Field)]) -> Self {
        let mut columns = Self::default();
        columns.take(CLOUDFRONT, own);
        Self {
            is_open: true,
            header: None,
            ..columns
        }
    }

    /// Takes a line that starts with `#`.
    pub fn take(&mut self, line: &[u8], own: &[(String, Field)]) {
        let Some(names) = strip_ignoring_case(line, b"#Fields:") else {
            return;
        };
        let names: Vec<String> = words(names)
            .map(|name| String::from_utf8_lossy(name).to_ascii_lowercase())
            .collect();
        self.is_open = false;
        self.is_cloudfront = names.iter().any(|name| name == "x-edge-location");
        self.fields = names.iter().map(|name| self.field(name, own)).collect();
        self.header = Some(String::from_utf8_lossy(line).into_owned());
    }

    fn field(&self, name: &str, own: &[(String, Field)]) -> Option<Field> {
        if let Some((_, field)) = own.iter().find(|(given, _)| given.eq_ignore_ascii_case(name)) {
            return Some(*field);
        }
        match name {
            // The distribution; `x-host-header` is the public host.
            "cs(host)" if self.is_cloudfront => None,
            "cs-protocol" if self.is_cloudfront => Some(Field::Scheme),
            _ => NAMES.iter().find(|(known, _)| *known == name).map(|(_, field)| *field),
        }
    }

    /// Reads a line. One with too few fields, or too many, does not follow the header.
    pub fn read<'a>(&self, line: &'a [u8]) -> Option<Raw<'a>> {
        if self.fields.is_empty() {
            return None;
        }
        if memchr::memchr(b'\t', line).is_some()
            && let Some(raw) = self.of(line.split(|byte| *byte == b'\t').filter(|value| !value.is_empty()))
        {
            return Some(raw).filter(|raw| !self.is_open || raw.at().is_some());
        }
        if self.is_open { None } else { self.of(values(line)) }
    }

    fn of<'a>(&self, mut values: impl Iterator<Item = &'a [u8]>) -> Option<Raw<'a>> {
        let mut raw = Raw::default();
        for field in &self.fields {
            let Some(value) = values.next() else {
                return (self.is_open && raw.has(Field::Agent)).then_some(raw);
            };
            match field {
                Some(field @ (Field::Agent | Field::Client | Field::Forwarded)) if self.is_cloudfront => {
                    raw.set(*field, decoded(value));
                }
                Some(field) => raw.set(*field, value),
                None => {}
            }
        }
        (self.is_open || values.next().is_none()).then_some(raw)
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b' ' || *byte == b'\t')
        .filter(|word| !word.is_empty())
}

/// Splits a line at spaces outside quotation marks.
fn values(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_space = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = &rest[rest.iter().position(|byte| !is_space(byte))?..];
        let (value, after) = quoted(rest).unwrap_or_else(|| {
            let end = rest.iter().position(is_space).unwrap_or(rest.len());
            rest.split_at(end)
        });
        rest = after;
        Some(value)
    })
}

fn strip_ignoring_case<'a>(text: &'a [u8], start: &[u8]) -> Option<&'a [u8]> {
    let head = text.get(..start.len())?;
    head.eq_ignore_ascii_case(start).then(|| &text[start.len()..])
}

/// Decodes a value that CloudFront percent-encodes, often twice (`%2520`).
pub(super) fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(decoded_once(&decoded_once(text)))
}

fn decoded_once(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| (*byte as char).to_digit(16));
    let mut output = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                output.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                output.push(byte);
                at += 1;
            }
        }
    }
    output
}
