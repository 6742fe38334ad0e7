//! hreflang codes: `x-default`, or a language, optionally followed by a script and a region, in any case.
//!
//! <https://developers.google.com/search/docs/specialty/international/localized-versions#language-codes>

use super::codes::{is_language, is_region, is_reserved_region, is_script};

vocabulary! {
    /// A problem with an hreflang code. The language is checked first, then the script, then the region.
    HreflangProblem {
        Empty, "empty", "The value is empty.";
        Malformed, "malformed", "The value is not a language followed by subtags, joined by single hyphens.";
        Underscore, "underscore", "The code has an underscore instead of a hyphen.";
        UnknownLanguage, "unknown-language", "The language is not an ISO 639-1 code.";
        ThreeLetterLanguage, "three-letter-language", "The language has three letters; ISO 639-1 codes have two.";
        UnknownScript, "unknown-script", "The script is not an ISO 15924 code.";
        UnknownRegion, "unknown-region", "The region is not an ISO 3166-1 alpha-2 code.";
        ReservedRegion, "reserved-region", "The region is UK, EU, UN, EZ or XK, which are reserved in ISO 3166-1.";
        NumericRegion, "numeric-region", "The region is a UN M.49 number; ISO 3166-1 alpha-2 codes are letters.";
        RegionOnly, "region-only", "The code has a region but no language.";
        ExtraSubtags, "extra-subtags", "The code has subtags after the language, script and region.";
    }
}

/// Codes of languages that are also those of countries with another language, in lowercase.
pub const COUNTRY_CODES: [&str; 10] = [
    "se", "se-se", "kr", "kr-kr", "ee", "ee-ee", "ch", "ch-ch", "si-si", "be-be",
];

/// Checks one hreflang code and returns its problem, if any. Outer whitespace is already removed.
pub fn parse(text: &str) -> Option<HreflangProblem> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Some(HreflangProblem::Empty);
    }
    if !is_well_formed(bytes) {
        return Some(HreflangProblem::Malformed);
    }
    if bytes.contains(&b'_') {
        return Some(HreflangProblem::Underscore);
    }
    if text.eq_ignore_ascii_case("x-default") {
        return None;
    }
    let mut subtags = bytes.split(|&byte| byte == b'-');
    let language = subtags.next().unwrap_or_default();
    let mut next = subtags.next();
    if let Some(problem) = language_problem(language, next.is_none()) {
        return Some(problem);
    }
    if let Some(script) = next
        && script.len() == 4
        && script.iter().all(u8::is_ascii_alphabetic)
    {
        if !is_script(script) {
            return Some(HreflangProblem::UnknownScript);
        }
        next = subtags.next();
    }
    if let Some(region) = next {
        if let Some(problem) = region_problem(region) {
            return Some(problem);
        }
        next = subtags.next();
    }
    next.map(|_| HreflangProblem::ExtraSubtags)
}

/// Maximum valid codes remembered per column.
const MAX_KNOWN: usize = 64;

/// Parses one code after the other and remembers the valid ones: entries repeat the same codes in the same order.
#[derive(Default)]
pub struct Parser {
    good: Vec<String>,
    next: usize,
}

impl Parser {
    /// Same as the function `parse`.
    #[inline]
    pub fn parse(&mut self, text: &str) -> Option<HreflangProblem> {
        if self.good.get(self.next).is_some_and(|code| code == text) {
            self.next = if self.next + 1 < self.good.len() {
                self.next + 1
            } else {
                0
            };
            return None;
        }
        self.look_up(text)
    }

    #[inline(never)]
    fn look_up(&mut self, text: &str) -> Option<HreflangProblem> {
        if let Some(at) = self.good.iter().position(|code| code == text) {
            self.next = (at + 1) % self.good.len();
            return None;
        }
        let problem = parse(text);
        if problem.is_none() && self.good.len() < MAX_KNOWN {
            self.good.push(text.to_owned());
            self.next = 0;
        }
        problem
    }
}

/// Returns whether the bytes are subtags of one to eight ASCII letters and digits, the first of letters only. `_`
/// counts as a hyphen here.
fn is_well_formed(bytes: &[u8]) -> bool {
    let first = bytes
        .iter()
        .position(|byte| matches!(byte, b'-' | b'_'))
        .unwrap_or(bytes.len());
    bytes[..first].iter().all(u8::is_ascii_alphabetic)
        && bytes
            .split(|byte| matches!(byte, b'-' | b'_'))
            .all(|subtag| (1..=8).contains(&subtag.len()) && subtag.iter().all(u8::is_ascii_alphanumeric))
}

fn language_problem(language: &[u8], alone: bool) -> Option<HreflangProblem> {
    match language.len() {
        1 => Some(HreflangProblem::Malformed),
        2 if is_language(language) => None,
        2 if alone && is_region(language) => Some(HreflangProblem::RegionOnly),
        3 => Some(HreflangProblem::ThreeLetterLanguage),
        _ => Some(HreflangProblem::UnknownLanguage),
    }
}

/// Checks the subtag in the position of the region. One that cannot be a region (`de-1996`, `sl-rozaj`) is an extra
/// subtag.
fn region_problem(region: &[u8]) -> Option<HreflangProblem> {
    match region.len() {
        2 if is_region(region) => None,
        2 if is_reserved_region(region) => Some(HreflangProblem::ReservedRegion),
        3 if region.iter().all(u8::is_ascii_digit) => Some(HreflangProblem::NumericRegion),
        2 | 3 => Some(HreflangProblem::UnknownRegion),
        _ => Some(HreflangProblem::ExtraSubtags),
    }
}

#[cfg(test)]
mod tests {
    use super::HreflangProblem::*;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_sequence_parses_like_each_value_alone(codes in prop::collection::vec("(en|de|fr)(-[A-Z]{2})?|[a-z_-]{0,5}", 0..200)) {
            let mut parser = Parser::default();
            for code in codes {
                assert_eq!(parser.parse(&code), parse(&code), "{code:?}");
            }
        }
    }

    #[test]
    fn good() {
        for text in [
            "en",
            "EN",
            "de",
            "pt-BR",
            "pt-br",
            "en-GB",
            "zh-Hans",
            "zh-hant-HK",
            "ZH-HANT-tw",
            "sr-Latn-RS",
            "x-default",
            "X-Default", // Codes that are both a language and a (reserved) region are read as the language.
            "be",
            "uk",
            "eu",
            "sv",
            "uk-UA",
            "eu-ES",
            "nb-NO",
            "he",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn bad() {
        for (text, problem) in [
            ("", Empty),
            (" ", Malformed),
            ("-", Malformed),
            ("_", Malformed),
            ("en-", Malformed),
            ("-US", Malformed),
            ("en--US", Malformed),
            ("en US", Malformed),
            ("en,fr", Malformed),
            ("EN_us!", Malformed),
            ("français", Malformed),
            ("e", Malformed),
            ("x", Malformed),
            ("x-foo", Malformed),
            ("x-default-US", Malformed),
            ("419", Malformed),
            ("*", Malformed),
            ("en-abcdefghi", Malformed),
            ("en_US", Underscore),
            ("zh-Hant_HK", Underscore),
            ("x_default", Underscore),
            ("xx", UnknownLanguage),
            ("xx-US", UnknownLanguage),
            ("us-en", UnknownLanguage),
            ("XK", UnknownLanguage),
            ("english", UnknownLanguage),
            ("default", UnknownLanguage),
            ("eng", ThreeLetterLanguage),
            ("fil-PH", ThreeLetterLanguage),
            ("USA", ThreeLetterLanguage),
            ("en-Abcd", UnknownScript),
            ("zh-Simp-CN", UnknownScript),
            ("en-XX", UnknownRegion),
            ("en-EN", UnknownRegion),
            ("en-USA", UnknownRegion),
            ("zh-yue", UnknownRegion),
            ("en-x-foo", ExtraSubtags),
            ("en-UK", ReservedRegion),
            ("en-uk", ReservedRegion),
            ("en-EU", ReservedRegion),
            ("sq-XK", ReservedRegion),
            ("en-UN", ReservedRegion),
            ("de-EZ", ReservedRegion),
            ("es-419", NumericRegion),
            ("en-001", NumericRegion),
            ("es-Latn-419", NumericRegion),
            ("US", RegionOnly),
            ("JP", RegionOnly),
            ("us", RegionOnly),
            ("gb", RegionOnly),
            ("de-DE-1996", ExtraSubtags),
            ("de-1996", ExtraSubtags),
            ("sl-rozaj", ExtraSubtags),
            ("en-US-x-twain", ExtraSubtags),
            ("zh-TW-Hant", ExtraSubtags),
            ("en-US-GB", ExtraSubtags),
        ] {
            assert_eq!(parse(text), Some(problem), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }

        #[test]
        fn case_does_not_matter(text in "[a-zA-Z0-9_-]{0,14}") {
            prop_assert_eq!(parse(&text), parse(&text.to_ascii_lowercase()));
            prop_assert_eq!(parse(&text), parse(&text.to_ascii_uppercase()));
        }
    }
}
