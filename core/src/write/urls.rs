//! URLs as they are written: in ASCII, percent-encoded and punycoded once, and otherwise as given.

use std::borrow::Cow;

use super::refusal::{Reason, Refusal};
use crate::limits::MAX_URL_LENGTH;
use crate::value::traits::Traits;
use crate::value::url::{AsciiHosts, Parser, UrlParts, has_xml_escape, parse, traits, xml_unescaped};
use crate::value::{UrlProblem, trim};

/// What relative URLs are meant from.
#[derive(Clone, Debug)]
pub struct Base {
    /// A URL with a slash at its end.
    pub text: String,
    /// Whether paths need not begin with a slash.
    pub bare: bool,
}

/// Judges URLs, one after the other: the scheme and host of the last one need no second look.
#[derive(Default)]
pub struct Urls {
    parser: Parser,
    base: Option<Base>,
    hosts: AsciiHosts,
}

/// A good URL: its text, and its host in the case that it was written in.
pub struct Good<'a> {
    pub text: Cow<'a, str>,
    pub host: (usize, usize),
}

impl Good<'_> {
    pub fn host(&self) -> &str {
        &self.text[self.host.0..self.host.1]
    }

    pub fn into_owned<'b>(self) -> Good<'b> {
        Good {
            text: Cow::Owned(self.text.into_owned()),
            host: self.host,
        }
    }
}

impl Urls {
    pub fn new(base: Option<Base>) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// Whether a URL need not be made absolute.
    #[inline]
    pub fn is_usual(text: &str) -> bool {
        let bytes = text.as_bytes();
        (bytes.starts_with(b"https://") || bytes.starts_with(b"http://")) && !has_xml_escape(text)
    }

    /// The URL that a list means: without the escapes of XML, and absolute where there is a base. A path is meant below
    /// the base, and must begin with a slash, so that nothing is taken for a path that is none.
    pub fn absolute<'a>(&self, given: &'a str, field: &str) -> Result<Cow<'a, str>, Refusal> {
        let text = match xml_unescaped(given) {
            Some(text) => Cow::Owned(trim(&text).to_owned()),
            None => Cow::Borrowed(trim(given)),
        };
        if looks_like_host(&text) {
            return Err(Refusal::new(Reason::UrlSchemeless, field, "", &text));
        }
        let Some(base) = self.base.as_ref().filter(|_| !text.is_empty() && !has_scheme(&text)) else {
            return Ok(text);
        };
        if text.starts_with("//") {
            let scheme = base.text.find("//").unwrap_or_default();
            return Ok(Cow::Owned(format!("{}{text}", &base.text[..scheme])));
        }
        let path = text.strip_prefix("./").or_else(|| text.strip_prefix('/'));
        match path.or(base.bare.then_some(text.as_ref())) {
            Some(path) => Ok(Cow::Owned(format!("{}{path}", base.text))),
            None => Err(Refusal::new(Reason::UrlBare, field, "", &text)),
        }
    }

    /// The URL as it is written; outer white space is none of it.
    #[inline]
    pub fn good<'a>(&mut self, text: &'a str, field: &str) -> Result<Good<'a>, Refusal> {
        let text = trim(text);
        let parts = self.parser.parse(text);
        if parts.problem.is_none() && parts.is_ascii {
            return finish(Cow::Borrowed(text), &parts, field);
        }
        self.encoded(text, parts.problem, field)
    }

    /// As `good`, of a page that is listed: with what makes its URL doubtful.
    #[inline]
    pub fn page<'a>(&mut self, text: &'a str, field: &str) -> Result<(Good<'a>, Traits), Refusal> {
        let text = trim(text);
        let (parts, doubts) = self.parser.doubt(text);
        if parts.problem.is_none() && parts.is_ascii {
            return Ok((finish(Cow::Borrowed(text), &parts, field)?, doubts));
        }
        let good = self.encoded(text, parts.problem, field)?;
        let doubts = traits::doubts(&good.text, &parse(&good.text));
        Ok((good, doubts))
    }

    /// A URL with wider characters or such as must be percent-encoded: encoded, and judged again.
    #[cold]
    fn encoded<'a>(&mut self, text: &'a str, problem: Option<UrlProblem>, field: &str) -> Result<Good<'a>, Refusal> {
        let refusal = |problem: UrlProblem| Refusal::new(Reason::UrlInvalid, field, problem.name(), text);
        match problem {
            None | Some(UrlProblem::Whitespace | UrlProblem::IllegalCharacter | UrlProblem::BadHost) => {}
            Some(problem) => return Err(refusal(problem)),
        }
        // White space other than spaces means that several values run together, or a broken line.
        if text.chars().any(|ch| ch.is_whitespace() && ch != ' ') {
            return Err(refusal(UrlProblem::Whitespace));
        }
        let problem = problem.unwrap_or(UrlProblem::BadHost);
        let start = text.find("://").map(|at| at + 3).ok_or_else(|| refusal(problem))?;
        let end = text[start..]
            .find(['/', '?', '#'])
            .map_or(text.len(), |length| start + length);
        let authority = &text[start..end];
        let (user, rest) = match authority.rsplit_once('@') {
            Some((user, rest)) => (Some(user), rest),
            None => (None, authority),
        };
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !rest.ends_with(']') => (host, Some(port)),
            _ => (rest, None),
        };
        let mut encoded = String::with_capacity(text.len() + 32);
        encoded.push_str(&text[..start]);
        if let Some(user) = user {
            percent_encode(user, &mut encoded);
            encoded.push('@');
        }
        if host.is_ascii() {
            encoded.push_str(host);
        } else {
            let ascii = self.hosts.convert(host);
            if !ascii.is_ascii() {
                return Err(refusal(UrlProblem::BadHost));
            }
            encoded.push_str(ascii);
        }
        if let Some(port) = port {
            encoded.push(':');
            encoded.push_str(port);
        }
        percent_encode(&text[end..], &mut encoded);
        let parts = parse(&encoded);
        if let Some(problem) = parts.problem {
            return Err(refusal(problem));
        }
        let host = parts.host.map_or((0, 0), |host| span(&encoded, host));
        if i64::from(parts.length) >= MAX_URL_LENGTH {
            return Err(too_long(&encoded, field));
        }
        Ok(Good {
            text: Cow::Owned(encoded),
            host,
        })
    }
}

fn finish<'a>(text: Cow<'a, str>, parts: &UrlParts, field: &str) -> Result<Good<'a>, Refusal> {
    if i64::from(parts.length) >= MAX_URL_LENGTH {
        return Err(too_long(&text, field));
    }
    let host = parts.host.map_or((0, 0), |host| span(&text, host));
    Ok(Good { text, host })
}

#[cold]
fn too_long(text: &str, field: &str) -> Refusal {
    let detail = format!("{} characters, {} at most", text.len(), MAX_URL_LENGTH - 1);
    Refusal::new(Reason::UrlTooLong, field, &detail, text)
}

/// Whether a text begins with a scheme and not with a host and its port.
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    })
}

/// Ends of the names of files that are pages or lead to them, which no top-level domain has.
const PAGE_EXTENSIONS: [&str; 14] = [
    "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "jspx", "cfm", "pdf", "txt", "xml", "cgi",
];

/// Whether a text without a scheme begins with a host: `www.example.com/page`, `example.com:8080`, `localhost/`.
fn looks_like_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (host, port) = match text[..end].split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (&text[..end], None),
    };
    // What follows a scheme is no port.
    if port.is_some_and(|port| port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let Some((name, top)) = host.rsplit_once('.') else {
        return false;
    };
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|ch| ch.is_alphanumeric() || ch == '-');
    let is_top = top.chars().count() >= 2
        && (top.chars().all(char::is_alphabetic) || top.to_ascii_lowercase().starts_with("xn--"))
        && !PAGE_EXTENSIONS.iter().any(|known| top.eq_ignore_ascii_case(known));
    let is_address = host.parse::<std::net::Ipv4Addr>().is_ok();
    is_address || (is_top && name.split('.').all(is_label))
}

/// Whether a URL has a parameter of one of these names, in lower case, with a value.
pub fn has_parameter(url: &str, names: &[String]) -> bool {
    url.split(['?', '&', ';', '#']).skip(1).any(|parameter| {
        parameter
            .split_once('=')
            .is_some_and(|(name, value)| !value.is_empty() && names.iter().any(|one| one.eq_ignore_ascii_case(name)))
    })
}

/// Where a piece of `text` stands in it, in bytes.
fn span(text: &str, piece: &str) -> (usize, usize) {
    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
    (start, start + piece.len())
}

/// Appends `text` with everything percent-encoded that a URL cannot hold as it is: wider characters, the space, and
/// ASCII that has no place in a path, query or fragment. What is percent-encoded already stays.
fn percent_encode(text: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for ch in text.chars() {
        let raw = ch.is_ascii()
            && !matches!(
                ch,
                ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | '[' | ']'
            );
        if raw {
            out.push(ch);
            continue;
        }
        let mut utf8 = [0; 4];
        for &byte in ch.encode_utf8(&mut utf8).as_bytes() {
            out.push('%');
            out.push(HEX[usize::from(byte >> 4)] as char);
            out.push(HEX[usize::from(byte & 15)] as char);
        }
    }
}
