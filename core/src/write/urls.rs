//! URLs as they are written: in ASCII, percent-encoded and punycoded once, and otherwise as given.

use std::borrow::Cow;

use super::refusal::{Reason, Refusal};
use crate::limits::MAX_URL_LENGTH;
use crate::value::traits::Traits;
use crate::value::url::{AsciiHosts, Parser, UrlParts, has_xml_escape, parse, traits, xml_unescaped};
use crate::value::{UrlProblem, trim};

/// The base of relative URLs.
#[derive(Clone, Debug)]
pub struct Base {
    /// A URL that ends with a slash.
    pub text: String,
    /// Whether paths may omit the slash at the start.
    pub bare: bool,
}

/// Checks URLs one after the other; scheme and host of the last one are not checked again.
#[derive(Default)]
pub struct Urls {
    parser: Parser,
    base: Option<Base>,
    hosts: AsciiHosts,
}

/// A valid URL: its text, and its host in original case.
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

    /// Returns whether a URL need not be made absolute.
    #[inline]
    pub fn is_usual(text: &str) -> bool {
        let bytes = text.as_bytes();
        (bytes.starts_with(b"https://") || bytes.starts_with(b"http://")) && !has_xml_escape(text)
    }

    /// Returns the intended URL: without XML escapes, and absolute if there is a base. A path is resolved below the
    /// base, and must start with a slash, so that nothing else is mistaken for a path.
    pub fn absolute<'a>(&self, given: &'a str, field: &str) -> Result<Cow<'a, str>, Refusal> {
        let text = match xml_unescaped(given) {
            Some(text) => Cow::Owned(trim(&text).to_owned()),
            None => Cow::Borrowed(trim(given)),
        };
        if parse(&text).problem == Some(UrlProblem::UnsetVariable) {
            let problem = UrlProblem::UnsetVariable.name();
            return Err(Refusal::new(Reason::UrlInvalid, field, problem, &text));
        }
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

    /// Returns the URL as it is written, without outer whitespace.
    #[inline]
    pub fn good<'a>(&mut self, text: &'a str, field: &str) -> Result<Good<'a>, Refusal> {
        let text = trim(text);
        let parts = self.parser.parse(text);
        if parts.problem.is_none() && parts.is_ascii {
            return finish(Cow::Borrowed(text), &parts, field);
        }
        self.encoded(text, parts.problem, field)
    }

    /// Same as `good`, for a listed page: also returns the traits that make its URL doubtful.
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

    /// Handles a URL with non-ASCII characters or others that must be percent-encoded: encodes it, and checks it again.
    #[cold]
    fn encoded<'a>(&mut self, text: &'a str, problem: Option<UrlProblem>, field: &str) -> Result<Good<'a>, Refusal> {
        let refusal = |problem: UrlProblem| Refusal::new(Reason::UrlInvalid, field, problem.name(), text);
        match problem {
            None | Some(UrlProblem::Whitespace | UrlProblem::IllegalCharacter | UrlProblem::BadHost) => {}
            Some(problem) => return Err(refusal(problem)),
        }
        // Whitespace other than spaces indicates several joined values or a broken line.
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
    let detail = format!("{} characters; at most {} are allowed", text.len(), MAX_URL_LENGTH - 1);
    Refusal::new(Reason::UrlTooLong, field, &detail, text)
}

/// Returns whether a text starts with a scheme rather than a host and its port.
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    })
}

/// File extensions of pages or of scripts that serve pages, none of which is a top-level domain.
const PAGE_EXTENSIONS: [&str; 14] = [
    "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "jspx", "cfm", "pdf", "txt", "xml", "cgi",
];

/// Returns whether a text without a scheme starts with a host: `www.example.com/page`, `example.com:8080`,
/// `localhost/`.
fn looks_like_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (host, port) = match text[..end].split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (&text[..end], None),
    };
    // Otherwise the part before the colon is a scheme, not a host.
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

/// Returns whether a URL has a parameter with one of these names, in lowercase, and a value.
pub fn has_parameter(url: &str, names: &[String]) -> bool {
    url.split(['?', '&', ';', '#']).skip(1).any(|parameter| {
        parameter
            .split_once('=')
            .is_some_and(|(name, value)| !value.is_empty() && names.iter().any(|one| one.eq_ignore_ascii_case(name)))
    })
}

/// Returns the position of a piece of `text` within it, in bytes.
fn span(text: &str, piece: &str) -> (usize, usize) {
    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
    (start, start + piece.len())
}

/// Appends `text` with all characters percent-encoded that a URL cannot contain: non-ASCII characters, spaces, and
/// ASCII that is not allowed in a path, query or fragment. Existing percent-encoding is preserved.
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
