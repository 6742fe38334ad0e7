//! Checks values of fields that are neither URLs nor dates.

use super::records::Kind;
use crate::value::codes::{is_language, is_region};
use crate::value::decimal;

/// Longest number, and longest time that is written as given. Yandex reads at most this much of a field.
pub const MAX_DIGITS: usize = 100;

/// Returns what a field of this kind must contain, if the text is invalid.
pub fn fault(text: &str, kind: Kind) -> Option<String> {
    let among = |words: &[&str]| words.contains(&text);
    let (good, wanted) = match kind {
        // Both were already parsed by their own grammars.
        Kind::Url | Kind::Date => return None,
        Kind::Text(most) => {
            let length = text.chars().count();
            (
                length <= most,
                format!("{length} characters; at most {most} are allowed"),
            )
        }
        Kind::Integer(least, most) => (
            text.bytes().all(|byte| byte.is_ascii_digit())
                && text.parse().is_ok_and(|number| (least..=most).contains(&number)),
            if most == i64::MAX {
                format!("must be an integer of at least {least}")
            } else {
                format!("must be an integer from {least} to {most}")
            },
        ),
        Kind::Decimal(least, most) => (
            text.len() <= MAX_DIGITS && decimal::parse(text).is_some_and(|number| (least..=most).contains(&number)),
            if most == f64::MAX {
                format!("must be a number of at least {least:.1}")
            } else {
                format!("must be a number from {least:.1} to {most:.1}")
            },
        ),
        Kind::YesNo => (among(&["yes", "no"]), "must be yes or no".to_owned()),
        Kind::OneOf(words) => (among(words), format!("must be one of {}", words.join(", "))),
        Kind::Countries => (
            text.split(' ')
                .all(|code| is_region(code.as_bytes()) && code.bytes().all(|byte| byte.is_ascii_uppercase())),
            "must be country codes of two uppercase letters, separated by single spaces".to_owned(),
        ),
        Kind::Words(words) => (
            text.split(' ').all(|word| words.contains(&word)),
            format!(
                "must be one or more of {}, separated by single spaces",
                words.join(", ")
            ),
        ),
        Kind::List(words) => (
            text.split(',').all(|word| words.contains(&word.trim())),
            format!("must be one or more of {}, separated by commas", words.join(", ")),
        ),
        Kind::Language => (
            among(&["zh-cn", "zh-tw"])
                || text.bytes().all(|byte| byte.is_ascii_lowercase())
                    && (text.len() == 3 || is_language(text.as_bytes())),
            "must be a language code of two or three lowercase letters, zh-cn or zh-tw".to_owned(),
        ),
        Kind::Currency => (
            text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
            "must be a currency code of three uppercase letters".to_owned(),
        ),
        Kind::Tickers => (
            text.split(',').count() <= 5
                && text.split(',').all(|ticker| {
                    ticker
                        .trim()
                        .split_once(':')
                        .is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
                }),
            "must be at most five of EXCHANGE:SYMBOL, separated by commas".to_owned(),
        ),
    };
    (!good).then_some(wanted)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fields_must_contain() {
        const WORDS: &[&str] = &["web", "tv"];
        for (kind, valid, invalid, wanted) in [
            (Kind::Text(2), "é€", "abc", "3 characters; at most 2 are allowed"),
            (Kind::Integer(1, 9), "9", "10", "must be an integer from 1 to 9"),
            (Kind::Integer(1, i64::MAX), "1", "0", "must be an integer of at least 1"),
            (
                Kind::Integer(0, i64::MAX),
                "0",
                "-1",
                "must be an integer of at least 0",
            ),
            (
                Kind::Decimal(0.0, 5.0),
                "5.0",
                "5.1",
                "must be a number from 0.0 to 5.0",
            ),
            (
                Kind::Decimal(0.5, f64::MAX),
                "0.5",
                "0.4",
                "must be a number of at least 0.5",
            ),
            (Kind::YesNo, "yes", "Yes", "must be yes or no"),
            (Kind::OneOf(WORDS), "tv", "web tv", "must be one of web, tv"),
            (
                Kind::Words(WORDS),
                "tv web",
                "tv, web",
                "must be one or more of web, tv, separated by single spaces",
            ),
            (
                Kind::List(WORDS),
                "tv, web",
                "tv web",
                "must be one or more of web, tv, separated by commas",
            ),
            (
                Kind::Countries,
                "DE AT",
                "de",
                "must be country codes of two uppercase letters, separated by single spaces",
            ),
            (
                Kind::Language,
                "zh-cn",
                "zh-CN",
                "must be a language code of two or three lowercase letters, zh-cn or zh-tw",
            ),
            (
                Kind::Currency,
                "EUR",
                "eur",
                "must be a currency code of three uppercase letters",
            ),
            (
                Kind::Tickers,
                "A:B,A:B, A:B,A:B,A:B",
                "A:B,B",
                "must be at most five of EXCHANGE:SYMBOL, separated by commas",
            ),
        ] {
            assert_eq!(fault(valid, kind), None, "{kind:?}");
            assert_eq!(fault(invalid, kind).as_deref(), Some(wanted), "{kind:?}");
        }
    }
}
