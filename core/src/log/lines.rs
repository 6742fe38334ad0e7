//! Formats with fields at fixed places: common, combined, and that of AWS load balancers.

use std::net::IpAddr;

use super::record::{Field, Raw};

/// Reads a line in the common or combined format, with or without a virtual host before the client.
pub fn combined(line: &[u8]) -> Option<Raw<'_>> {
    let mut raw = Raw::default();
    let start = memchr::memchr_iter(b'[', line).find(|at| line[..*at].ends_with(b" "))? - 1;
    named(&line[..start], &mut raw)?;
    let rest = &line[start + 2..];
    let end = memchr::memchr(b']', rest)?;
    raw.set(Field::Time, &rest[..end]);
    let (request, rest) = quoted(rest[end + 1..].trim_ascii_start())?;
    raw.set(Field::Request, request);
    let mut words = rest.splitn(3, |byte| *byte == b' ');
    raw.set(
        Field::Status,
        words.next().filter(|status| status.len() == 3 || *status == b"-")?,
    );
    raw.set(Field::Bytes, words.next()?);
    if let Some(rest) = words.next()
        && rest.starts_with(b"\"")
    {
        let (_, rest) = quoted(rest)?;
        if rest.starts_with(b"\"") {
            raw.set(Field::Agent, quoted(rest)?.0);
        }
    }
    Some(raw)
}

/// Reads what comes before the time: client, identity, and user, and before them perhaps a virtual host.
fn named<'a>(text: &'a [u8], raw: &mut Raw<'a>) -> Option<()> {
    let mut words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
    let first = words.next()?;
    let second = words.next()?;
    // Most logs have no identity: `-`.
    if second != b"-" && !is_address(first) && is_address(second) {
        raw.set(Field::Host, first);
        raw.set(Field::Client, second);
    } else {
        raw.set(Field::Client, first);
    }
    Some(())
}

pub fn is_address(text: &[u8]) -> bool {
    address(text).is_some()
}

pub fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?;
    text.parse().ok()
}

/// Reads a line of an AWS application load balancer.
/// <https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html>
pub fn load_balancer(line: &[u8]) -> Option<Raw<'_>> {
    const PLACES: [(usize, Field); 7] = [
        (1, Field::Time),
        (3, Field::Client),
        (8, Field::Status),
        (11, Field::Bytes),
        (12, Field::Request),
        (13, Field::Agent),
        (18, Field::Host),
    ];
    const KINDS: [&[u8]; 6] = [b"http", b"https", b"h2", b"grpcs", b"ws", b"wss"];
    let mut raw = Raw::default();
    let mut rest = line;
    let mut count = 0;
    while !rest.is_empty() && count < 19 {
        let (word, after) = match rest.first() {
            Some(b'"') => quoted(rest)?,
            _ => {
                let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
                (&rest[..end], rest[end..].strip_prefix(b" ").unwrap_or_default())
            }
        };
        if count == 0 && !KINDS.contains(&word) {
            return None;
        }
        if let Some((_, field)) = PLACES.iter().find(|(place, _)| *place == count) {
            let without_port = |word: &'_ [u8]| memchr::memrchr(b':', word).unwrap_or(word.len());
            let end = if *field == Field::Client {
                without_port(word)
            } else {
                word.len()
            };
            raw.set(*field, &word[..end]);
        }
        (rest, count) = (after, count + 1);
    }
    (count >= 14).then_some(raw)
}

/// Splits a text in quotes from what follows it. A quote ends it if no backslash escapes it and a space or the end of
/// the line follows: some servers do not escape quotes.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = text.strip_prefix(b"\"")?;
    for end in memchr::memchr_iter(b'"', inner) {
        let escapes = inner[..end].iter().rev().take_while(|byte| **byte == b'\\').count();
        let after = &inner[end + 1..];
        if escapes % 2 == 0 && (after.is_empty() || after[0] == b' ') {
            return Some((&inner[..end], after.strip_prefix(b" ").unwrap_or_default()));
        }
    }
    None
}
