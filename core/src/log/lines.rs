//! Formats with fields at fixed places: common, combined, and that of AWS load balancers.

use std::borrow::Cow;
use std::net::IpAddr;

use super::client::{address, has_address};
use super::record::{Field, Raw};
use super::time::instant;

/// Reads a line in the common or combined format, with or without a virtual host before the client.
pub fn combined(line: &[u8]) -> Option<Raw<'_>> {
    let mut raw = Raw::default();
    let is_time = |at: &usize| line[..*at].ends_with(b" ") && !is_bracketed_address(&line[*at..]);
    let start = memchr::memchr_iter(b'[', line).find(is_time)? - 1;
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
            let (agent, rest) = quoted(rest)?;
            raw.set(Field::Agent, agent);
            // The default log of nginx ends with X-Forwarded-For.
            if let Some((forwarded, _)) = quoted(rest) {
                raw.set(Field::Forwarded, forwarded);
            }
        }
    }
    Some(raw)
}

/// Reads what comes before the time: client, identity, and user, and before them perhaps a virtual host, or what a log
/// shipper adds. The client may be a list.
fn named<'a>(text: &'a [u8], raw: &mut Raw<'a>) -> Option<()> {
    let mut words = Vec::new();
    for word in text.split(|byte| *byte == b' ') {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        words.extend((!word.is_empty()).then_some((start, word)));
    }
    let is_dash = |(_, word): &(usize, &[u8])| *word == b"-";
    // Most logs have no identity: `-`. What follows is the user, whom the client names.
    let identity = words.iter().skip(1).position(is_dash).map(|place| place + 1);
    words.truncate(identity.unwrap_or_else(|| words.len().checked_sub(2).map_or(0, |rest| rest.max(2))));
    let &(last, word) = words.last()?;
    let end = last + word.len();
    let mut first = words.iter().position(|(_, word)| has_address(word));
    // A virtual host may be an address with a port.
    if let [(_, host), (_, client)] = words[..]
        && !host.ends_with(b",")
        && !is_bare_address(host)
        && is_bare_address(client)
    {
        first = Some(1);
    }
    // A text that is no address remains: it is reported.
    let mut first = first.unwrap_or(0);
    while first > 0 && words[first - 1].1.ends_with(b",") {
        first -= 1;
    }
    raw.set(Field::Client, &text[words[first].0..end]);
    // Container logs start with a time.
    if first == 1 && instant(words[0].1).is_none() {
        raw.set(Field::Host, words[0].1);
    }
    Some(())
}

fn is_bracketed_address(text: &[u8]) -> bool {
    memchr::memchr(b']', text).is_some_and(|end| address(&text[..=end]).is_some())
}

fn is_bare_address(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

/// Returns a line without the quotation marks that an export to CSV or JSON puts around it.
pub fn unwrapped(line: &[u8]) -> Cow<'_, [u8]> {
    let Some(inner) = line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) else {
        return Cow::Borrowed(line);
    };
    let Some(at) = memchr::memchr(b'"', inner) else {
        return Cow::Borrowed(inner);
    };
    let before = at.checked_sub(1).map(|before| inner[before]);
    match (before, inner.get(at + 1)) {
        (Some(b'\\'), _) => {
            serde_json::from_slice(line).map_or(Cow::Borrowed(line), |text: String| text.into_bytes().into())
        }
        (_, Some(b'"')) => {
            let mut output = Vec::with_capacity(inner.len());
            let mut rest = inner;
            while let Some(at) = memchr::memmem::find(rest, b"\"\"") {
                output.extend(&rest[..=at]);
                rest = &rest[at + 2..];
            }
            output.extend(rest);
            Cow::Owned(output)
        }
        (Some(b' ' | b'{'), _) => Cow::Borrowed(inner),
        // The first field is in quotation marks.
        _ => Cow::Borrowed(line),
    }
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
pub fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
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
