//! `<meta http-equiv=refresh>`: after how many seconds a browser goes where.
//!
//! <https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps>

use super::facts::{is_space, trim};

/// Seconds and the target as written; None if browsers would do nothing. A fraction is kept, though browsers drop it.
pub(super) fn parse(content: &str) -> Option<(f64, Option<String>)> {
    let content = content.trim_start_matches(is_space);
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let number = content
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b'.')
        .count();
    if digits == 0 && !content.starts_with('.') {
        return None;
    }
    let (written, rest) = content.split_at(number);
    // Of "1.2.3" and "5." as much as is a number.
    let dot = written.bytes().position(|byte| byte == b'.').unwrap_or(number);
    let fraction = written[(dot + 1).min(number)..].split('.').next().unwrap_or("");
    let seconds = format!("0{}.{fraction}0", &written[..dot]).parse().unwrap_or(f64::MAX);
    if rest.is_empty() {
        return Some((seconds, None));
    }
    let apart = rest.trim_start_matches(is_space);
    let target = apart.strip_prefix([';', ',']).unwrap_or(apart);
    if apart.len() == rest.len() && target.len() == apart.len() {
        // Neither white space, semicolon nor comma after the number.
        return None;
    }
    let target = unquoted(without_url(target.trim_start_matches(is_space)));
    let target = trim(target);
    Some((seconds, (!target.is_empty()).then(|| target.to_owned())))
}

/// What follows `url =`; all of it where that is missing.
fn without_url(target: &str) -> &str {
    let Some(start) = target.get(..3).filter(|start| start.eq_ignore_ascii_case("url")) else {
        return target;
    };
    match target[start.len()..].trim_start_matches(is_space).strip_prefix('=') {
        Some(rest) => rest.trim_start_matches(is_space),
        None => target,
    }
}

fn unquoted(target: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = target.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or(inner);
        }
    }
    target
}
