//! What may stand in a field that is neither a URL nor a date.

use super::records::Kind;
use crate::value::codes::{is_language, is_region};
use crate::value::decimal;

/// Longest number, and longest time that is written as given. Yandex reads no more of a field.
pub const MAX_DIGITS: usize = 100;

/// What a field of this kind should hold instead, if the text is wrong there.
pub fn fault(text: &str, kind: Kind) -> Option<String> {
    let among = |words: &[&str]| words.contains(&text);
    let (good, wanted) = match kind {
        // Both are read by grammars of their own before.
        Kind::Url | Kind::Date => return None,
        Kind::Text(most) => {
            let length = text.chars().count();
            (length <= most, format!("{length} characters, {most} at most"))
        }
        Kind::Integer(least, most) => (
            text.bytes().all(|byte| byte.is_ascii_digit())
                && text.parse().is_ok_and(|number| (least..=most).contains(&number)),
            if most == i64::MAX {
                format!("a whole number from {least} on")
            } else {
                format!("a whole number from {least} to {most}")
            },
        ),
        Kind::Decimal(least, most) => (
            text.len() <= MAX_DIGITS && decimal::parse(text).is_some_and(|number| (least..=most).contains(&number)),
            if most == f64::MAX {
                format!("a decimal from {least:.1} on")
            } else {
                format!("a decimal from {least:.1} to {most:.1}")
            },
        ),
        Kind::YesNo => (among(&["yes", "no"]), "yes or no".to_owned()),
        Kind::OneOf(words) => (among(words), format!("one of {}", words.join(", "))),
        Kind::Countries => (
            text.split(' ')
                .all(|code| is_region(code.as_bytes()) && code.bytes().all(|byte| byte.is_ascii_uppercase())),
            "country codes of two capitals, separated by single spaces".to_owned(),
        ),
        Kind::Words(words) => (
            text.split(' ').all(|word| words.contains(&word)),
            format!("some of {}, separated by single spaces", words.join(", ")),
        ),
        Kind::List(words) => (
            text.split(',').all(|word| words.contains(&word.trim())),
            format!("some of {}, separated by commas", words.join(", ")),
        ),
        Kind::Language => (
            among(&["zh-cn", "zh-tw"])
                || text.bytes().all(|byte| byte.is_ascii_lowercase())
                    && (text.len() == 3 || is_language(text.as_bytes())),
            "a language code of two or three small letters, zh-cn or zh-tw".to_owned(),
        ),
        Kind::Currency => (
            text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
            "a currency code of three capitals".to_owned(),
        ),
        Kind::Tickers => (
            text.split(',').count() <= 5
                && text.split(',').all(|ticker| {
                    ticker
                        .trim()
                        .split_once(':')
                        .is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
                }),
            "up to five of EXCHANGE:SYMBOL, separated by commas".to_owned(),
        ),
    };
    (!good).then_some(wanted)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
}
