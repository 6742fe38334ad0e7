//! The HTTP format of HAProxy (`option httplog`, `option httpslog`), with or without the prefix of syslog.
//! <https://docs.haproxy.org/3.0/configuration.html#8.2.3>

use super::client::{address, has_address};
use super::record::{Field, Raw};
use super::time::instant;

/// Reads a line.
pub fn haproxy(line: &[u8]) -> Option<Raw<'_>> {
    let mut raw = Raw::default();
    // The prefix has brackets, too: `haproxy[14389]:`.
    let (start, end) = memchr::memchr_iter(b'[', line).find_map(|start| {
        let end = start + memchr::memchr(b']', line.get(start..start + 40)?)?;
        let time = &line[start + 1..end];
        (time.contains(&b'/') && instant(time).is_some()).then_some((start, end))
    })?;
    let client = line[..start].trim_ascii_end().rsplit(|byte| *byte == b' ').next()?;
    address(client)?;
    raw.set(Field::Client, client);
    raw.set(Field::Time, &line[start + 1..end]);
    let mut rest = line[end + 1..].strip_prefix(b" ")?;
    let mut next = || {
        let (word, after) = rest.split_at(memchr::memchr(b' ', rest)?);
        rest = &after[1..];
        Some(word)
    };
    // HAProxy marks connections with TLS.
    if next()?.ends_with(b"~") {
        raw.set(Field::Scheme, b"https".as_slice());
    }
    let (backend, timers) = (next()?, next()?);
    raw.set(Field::Status, next()?);
    raw.set(Field::Bytes, next()?.trim_ascii_start());
    let (_, _, _) = (next()?, next()?, next()?);
    let (connections, queues) = (next()?, next()?);
    let parts = |text: &[u8]| 1 + memchr::memchr_iter(b'/', text).count();
    if parts(backend) != 2 || parts(timers) != 5 || parts(connections) != 5 || parts(queues) != 2 {
        return None;
    }
    // The headers of requests, then those of responses. Delimiters in them are encoded.
    let mut is_request = true;
    while let Some(inner) = rest.strip_prefix(b"{") {
        let (headers, after) = inner.split_at(memchr::memchr(b'}', inner)?);
        if std::mem::take(&mut is_request) {
            captured(headers, &mut raw);
        }
        rest = after[1..].trim_ascii_start();
    }
    // The request may be cut at the end of the line.
    let request = rest.strip_prefix(b"\"")?;
    let (request, after) = request.split_at(memchr::memrchr(b'"', request).unwrap_or(request.len()));
    raw.set(Field::Request, request);
    if !raw.has(Field::Host)
        && let Some(name) = server_name(after)
    {
        raw.set(Field::Host, name);
    }
    Some(raw)
}

/// Takes what captured headers of a request are, by their content: the configuration decides which there are.
fn captured<'a>(headers: &'a [u8], raw: &mut Raw<'a>) {
    for value in headers.split(|byte| *byte == b'|').filter(|value| !value.is_empty()) {
        let field = if has_address(value) && !value.contains(&b'/') {
            Field::Forwarded
        } else if is_host(value) {
            Field::Host
        } else if is_agent(value) {
            Field::Agent
        } else {
            continue;
        };
        if !raw.has(field) {
            raw.set(field, value);
        }
    }
}

fn is_host(value: &[u8]) -> bool {
    let name = value.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte);
    name.contains(&b'.') && name.iter().all(is_of_name) && name.iter().any(u8::is_ascii_alphabetic)
}

/// Whether a value begins with a product and its version, or has a comment, as user agents do.
fn is_agent(value: &[u8]) -> bool {
    let first = value.split(|byte| *byte == b' ').next().unwrap_or_default();
    let slash = memchr::memchr(b'/', first);
    let has_version = slash.is_some_and(|slash| first.get(slash + 1).is_some_and(u8::is_ascii_digit));
    has_version || memchr::memmem::find(value, b" (").is_some()
}

/// Returns the name that a client asked for with TLS, which `option httpslog` writes after the request:
/// `example.com/TLSv1.3/TLS_AES_256_GCM_SHA384`.
fn server_name(text: &[u8]) -> Option<&[u8]> {
    let name = &text[..memchr::memmem::find(text, b"/TLSv")?];
    name.rsplit(|byte| *byte == b' ').next().filter(|name| is_host(name))
}
