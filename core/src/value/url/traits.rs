//! Uncommon but valid traits of a URL: facts that rules need, found while its bytes are in the cache.
//!
//! Nearly every URL has none of them, so each URL costs only a check of a few bytes; the rest runs if that check hits.

#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, Ipv6Addr};

use memchr::memchr2_iter;

use super::wide::is_misread;
use super::{UrlParts, ascii_host, unset};
use crate::value::traits::{Trait, Traits};

/// Typical host names of test systems, without the digits that can follow.
const TEST_HOSTS: [&str; 5] = ["staging", "stg", "preprod", "pre-prod", "uat"];

/// Suffixes of names that are never assigned to a public host. <https://www.rfc-editor.org/rfc/rfc6761>,
/// <https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en>
const INNER_SUFFIXES: [&str; 5] = [".local", ".localhost", ".internal", ".test", ".invalid"];

/// Extensions of files that are neither pages nor readable documents.
const FILE_EXTENSIONS: [&str; 21] = [
    "css", "js", "mjs", "json", "xml", "rss", "atom", "map", "ico", "png", "jpg", "jpeg", "gif", "webp", "avif", "svg",
    "woff", "woff2", "ttf", "zip", "gz",
];

/// Parameters that identify a campaign, a click or a session, whatever their value.
pub const TRACKING: [&str; 16] = [
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "utm_id",
    "gclid",
    "dclid",
    "fbclid",
    "msclkid",
    "yclid",
    "mc_eid",
    "phpsessid",
    "jsessionid",
    "cfid",
    "cftoken",
];

/// Parameters whose value grants access: anyone who reads the sitemap could use it.
pub const SECRETS: [&str; 5] = ["password", "passwd", "api_key", "apikey", "secret"];

/// Parameters whose value belongs to one visit or one person.
pub const SENSITIVE: [&str; 8] = [
    "token",
    "access_token",
    "auth",
    "jwt",
    "session",
    "sid",
    "phpsessid",
    "email",
];

/// Returns all traits of a parsed URL.
pub fn of(text: &str, parts: &UrlParts) -> Traits {
    let mut traits = Traits::default();
    if parts.problem.is_some() {
        traits.add(Trait::LocProblem);
    }
    traits |= of_tail(text, parts);
    let is_upper =
        |host: &str| parts.scheme_upper || !parts.host_usual && host.bytes().any(|byte| byte.is_ascii_uppercase());
    if parts.host.is_some_and(is_upper) {
        traits.add(Trait::UpperCase);
    }
    traits |= of_site(parts);
    if let Some(path) = parts.path {
        traits |= of_usual_path(path, true);
        let rest = &text.as_bytes()[path.as_ptr() as usize - text.as_ptr() as usize..];
        if memchr2_iter(b'%', 0xc3, rest).any(|at| is_misread(&rest[at..])) {
            traits.add(Trait::Misread);
        }
    }
    traits
}

/// Traits that make it doubtful to list a URL: a different page is fetched than the URL names, or one page has several
/// names. Scheme and host are left out, because a site chooses them once.
pub const DOUBTS: [Trait; 7] = [
    Trait::Fragment,
    Trait::UserInfo,
    Trait::Tracking,
    Trait::Sensitive,
    Trait::DoubleEscape,
    Trait::DotSegment,
    Trait::UnsetWord,
];

/// Returns the traits in `DOUBTS` that a parsed URL has.
pub fn doubts(text: &str, parts: &UrlParts) -> Traits {
    let mut traits = of_tail(text, parts);
    if parts.path.is_some_and(|path| has_dot_segment(path.as_bytes())) {
        traits.add(Trait::DotSegment);
    }
    if parts.path.is_some_and(|path| unset::in_path(path.as_bytes())) {
        traits.add(Trait::UnsetWord);
    }
    traits
}

/// Returns the traits in `DOUBTS` that a usual URL of a site can have. `has_dots`: whether it has adjacent dots or
/// slashes.
#[inline]
pub fn usual_doubts(path: &str, tail: &[u8], has_dots: bool) -> Traits {
    let mut traits = Traits::default();
    if has_dots && has_dot_segment(path.as_bytes()) {
        traits.add(Trait::DotSegment);
    }
    if unset::in_path(path.as_bytes()) {
        traits.add(Trait::UnsetWord);
    }
    if !tail.is_empty() {
        traits |= of_parameters(tail);
    }
    traits
}

/// Returns the traits of everything other than host and path: what precedes the host or follows the path, and the
/// escapes.
fn of_tail(text: &str, parts: &UrlParts) -> Traits {
    let mut traits = Traits::default();
    if text.contains('#') {
        traits.add(Trait::Fragment);
    }
    if parts.userinfo.is_some() && parts.scheme.is_some() {
        traits.add(Trait::UserInfo);
    }
    if parts.path.is_some_and(has_double_escape) {
        traits.add(Trait::DoubleEscape);
    }
    if let Some(begin) = text.find(['?', ';', '#']) {
        traits |= of_parameters(&text.as_bytes()[begin..]);
    }
    traits
}

/// Returns the traits of scheme, host and port.
pub fn of_site(parts: &UrlParts) -> Traits {
    let mut traits = Traits::default();
    let (Some(scheme), Some(host)) = (parts.scheme, parts.host) else {
        return traits;
    };
    let default_port = if scheme.eq_ignore_ascii_case("https") { 443 } else { 80 };
    if parts.port == Some(default_port) {
        traits.add(Trait::DefaultPort);
    }
    if !host.is_ascii() {
        traits.add(Trait::WideHost);
    }
    let host = ascii_host(host);
    if is_inner_host(&host) {
        traits.add(Trait::InnerHost);
    }
    if is_test_host(&host) {
        traits.add(Trait::TestHost);
    }
    traits
}

/// Returns the traits of a path without escapes. `has_dots`: whether it has adjacent dots or slashes.
#[inline]
pub fn of_usual_path(path: &str, has_dots: bool) -> Traits {
    let mut traits = Traits::default();
    if has_dots && has_dot_segment(path.as_bytes()) {
        traits.add(Trait::DotSegment);
    }
    let path = path.as_bytes();
    if unset::in_path(path) {
        traits.add(Trait::UnsetWord);
    }
    if path.len() <= LONGEST_HOME && is_home(path) {
        traits.add(Trait::HomePage);
    }
    // The dot of an extension of two to five letters, which few URLs have.
    if (2..=5).any(|length| path.len() > length && path[path.len() - length - 1] == b'.') {
        traits |= of_extension(path);
    }
    traits
}

#[inline(never)]
fn of_extension(path: &[u8]) -> Traits {
    let mut traits = Traits::default();
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let Some(dot) = name.iter().rposition(|&byte| byte == b'.') else {
        return traits;
    };
    let (stem, extension) = (&name[..dot], &name[dot + 1..]);
    if FILE_EXTENSIONS
        .iter()
        .any(|file| file.as_bytes().eq_ignore_ascii_case(extension))
    {
        traits.add(Trait::File);
    } else if matches!(stem, b"index" | b"default") && name.len() < path.len() {
        traits.add(Trait::IndexPage);
        if name.len() + 1 == path.len() {
            traits.add(Trait::HomePage);
        }
    }
    traits
}

/// The length of `/pt-br/`.
const LONGEST_HOME: usize = 7;

/// Returns whether the path is that of a home page, of the site or of one of its languages: `/`, `/de`, `/pt-br/`.
#[inline(never)]
fn is_home(path: &[u8]) -> bool {
    let Some(name) = path.strip_prefix(b"/") else {
        return path.is_empty();
    };
    match name.strip_suffix(b"/").unwrap_or(name) {
        [] => true,
        [a, b] | [a, b, b'-' | b'_', _, _] if !(a.is_ascii_alphabetic() && b.is_ascii_alphabetic()) => false,
        [_, _] => true,
        [_, _, b'-' | b'_', c, d] => c.is_ascii_alphabetic() && d.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns whether a host is unreachable from outside: a name without a dot, a suffix that is never public, or a
/// private IP address.
fn is_inner_host(host: &str) -> bool {
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return matches!(
            address.octets(),
            [0 | 10 | 127, ..] | [169, 254, ..] | [192, 168, ..] | [172, 16..=31, ..]
        );
    }
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|address| {
            let first = address.segments()[0];
            address.is_loopback() || address.is_unspecified() || first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80
        });
    }
    !host.contains(['.', ':']) || INNER_SUFFIXES.iter().any(|suffix| host.ends_with(suffix))
}

/// Returns whether the host has the name of a test system, as in `staging2.example.com`: the first label, or the one
/// after `www`, above a name of at least two labels.
fn is_test_host(host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    host.split_once('.').is_some_and(|(label, rest)| {
        TEST_HOSTS.contains(&label.trim_end_matches(|ch: char| ch.is_ascii_digit()))
            && rest.find('.').is_some_and(|dot| dot > 0)
    })
}

/// Returns whether a path has an empty segment (`//`, except the one of a URL inside the path), or a segment `.` or
/// `..`.
fn has_dot_segment(path: &[u8]) -> bool {
    let mut at = 0;
    while at < path.len() {
        if path[at] != b'/' {
            at += 1;
            continue;
        }
        let end = at + path[at..].iter().take_while(|&&byte| byte == b'/').count();
        if end - at > 1 && (at == 0 || path[at - 1] != b':') {
            return true;
        }
        let dots = path[end..].iter().take_while(|&&byte| byte == b'.').count();
        if (1..=2).contains(&dots) && matches!(path.get(end + dots), None | Some(b'/')) {
            return true;
        }
        at = end;
    }
    false
}

/// Returns whether an escape was itself escaped: `%2520` for a space, `%25C3%25A9` for é.
fn has_double_escape(path: &str) -> bool {
    path.match_indices("%25").any(|(at, _)| {
        let rest = &path.as_bytes()[at + 3..];
        match rest {
            [b'2', low, ..] => low.is_ascii_hexdigit(),
            [b'3', b'A'..=b'F' | b'a'..=b'f', ..] => true,
            [b'C'..=b'F' | b'c'..=b'f', low, b'%', b'2', b'5', high, end, ..] => {
                low.is_ascii_hexdigit()
                    && matches!(high, b'8' | b'9' | b'A' | b'B' | b'a' | b'b')
                    && end.is_ascii_hexdigit()
            }
            _ => false,
        }
    })
}

/// Returns the traits of the parameters after `?`, `&` or `;`, and of those in a fragment: a campaign, a click or a
/// session, a secret.
pub fn of_parameters(tail: &[u8]) -> Traits {
    let mut traits = Traits::default();
    let mut at = 0;
    while let Some(next) = tail[at..]
        .iter()
        .position(|byte| matches!(byte, b'?' | b'&' | b';' | b'#'))
    {
        let in_query = tail[at + next] != b'#';
        at += next + 1;
        if let [one, other, ..] = tail[at..]
            && BEGINNINGS.contains(&u16::from_le_bytes([one | 0x20, other | 0x20]))
        {
            traits |= of_parameter(&tail[at..], in_query);
        }
        if in_query && unset::in_value(&tail[at..]) {
            traits.add(Trait::UnsetWord);
        }
    }
    traits
}

/// The first two letters of every such name.
const BEGINNINGS: [u16; 20] = {
    const LETTERS: [&[u8; 2]; 20] = [
        b"ut", b"gc", b"dc", b"fb", b"ms", b"yc", b"mc", b"ph", b"js", b"as", b"cf", b"si", b"se", b"to", b"ac", b"pa",
        b"ap", b"au", b"jw", b"em",
    ];
    let mut all = [0; 20];
    let mut at = 0;
    while at < all.len() {
        all[at] = u16::from_le_bytes(*LETTERS[at]);
        at += 1;
    }
    all
};

#[cold]
fn of_parameter(parameter: &[u8], in_query: bool) -> Traits {
    let mut traits = Traits::default();
    let Some(equals) = parameter.iter().take(40).position(|&byte| byte == b'=') else {
        return traits;
    };
    let (name, value) = (parameter[..equals].to_ascii_lowercase(), &parameter[equals + 1..]);
    if in_query && is_tracking(&name, value) {
        traits.add(Trait::Tracking);
    }
    let is_listed = SECRETS.iter().chain(&SENSITIVE).any(|one| one.as_bytes() == name);
    if is_listed && !matches!(value.first(), None | Some(b'&' | b';' | b'#')) {
        traits.add(Trait::Sensitive);
    }
    traits
}

fn is_tracking(name: &[u8], value: &[u8]) -> bool {
    if matches!(name, b"sid" | b"sessionid" | b"session_id") {
        // Short values have other meanings.
        return value.iter().take_while(|byte| byte.is_ascii_hexdigit()).count() >= 16;
    }
    let is_named = TRACKING.iter().any(|tracking| tracking.as_bytes() == name)
        || name
            .strip_prefix(b"aspsessionid")
            .is_some_and(|rest| rest.iter().all(u8::is_ascii_lowercase));
    is_named && !matches!(value.first(), None | Some(b'&'))
}
