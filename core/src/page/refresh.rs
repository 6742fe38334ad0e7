//! `<meta http-equiv=refresh>` and the `Refresh` header: the delay in seconds and the target.
//!
//! <https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps>

use super::values::{is_space, trim};

/// Returns the seconds and the target as written, or `None` if browsers ignore the value. Keeps a fraction, which
/// browsers drop.
pub fn parse(content: &str) -> Option<(f64, Option<String>)> {
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
    // Takes the numeric part of "1.2.3" and "5.".
    let dot = written.bytes().position(|byte| byte == b'.').unwrap_or(number);
    let fraction = written[(dot + 1).min(number)..].split('.').next().unwrap_or("");
    let seconds = format!("0{}.{fraction}0", &written[..dot]).parse().unwrap_or(f64::MAX);
    if rest.is_empty() {
        return Some((seconds, None));
    }
    let apart = rest.trim_start_matches(is_space);
    let target = apart.strip_prefix([';', ',']).unwrap_or(apart);
    if apart.len() == rest.len() && target.len() == apart.len() {
        // No whitespace, semicolon or comma after the number.
        return None;
    }
    let target = unquoted(without_url(target.trim_start_matches(is_space)));
    let target = trim(target);
    Some((seconds, (!target.is_empty()).then(|| target.to_owned())))
}

/// Returns what follows `url =`, or all of the text if that is missing.
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
