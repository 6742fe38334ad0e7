//! Regular expressions of strangers, such as those in the configuration of a host.
//!
//! Matching takes time in proportion to the size of the expression times the length of the text: nothing is tried again.
//! What cannot be matched that way, such as lookarounds and references to groups, is refused. Texts are bytes, because
//! the path of a URL may decode to any bytes; classes such as `\w` have the characters of ASCII.

use regex::bytes::{Captures, Regex, RegexBuilder};

/// Maximum size of a compiled expression, in bytes: about 1,000 alternatives of 60 characters, or `(a{50}){50}`.
const MAX_SIZE: usize = 2 * 1024 * 1024;

/// Maximum groups: finding them takes time in proportion to their number, too.
const MAX_GROUPS: usize = 32;

/// Maximum parentheses within each other.
const MAX_DEPTH: u32 = 100;

#[derive(Debug)]
pub struct Expression(Regex);

impl Expression {
    /// Returns why an expression is refused, in one line.
    pub fn new(pattern: &str, ignore_case: bool) -> Result<Self, String> {
        let built = RegexBuilder::new(pattern)
            .unicode(false)
            .case_insensitive(ignore_case)
            .dot_matches_new_line(true)
            .size_limit(MAX_SIZE)
            .nest_limit(MAX_DEPTH)
            .build();
        match built {
            Ok(regex) if regex.captures_len() > MAX_GROUPS + 1 => Err(format!("it has more than {MAX_GROUPS} groups")),
            Ok(regex) => Ok(Self(regex)),
            Err(regex::Error::CompiledTooBig(_)) => Err("it is too large".to_owned()),
            Err(error) => {
                // The last line says what is wrong; those before it show where.
                let text = error.to_string();
                let last = text.lines().last().unwrap_or_default();
                Err(last.trim_start_matches("error: ").to_owned())
            }
        }
    }

    /// The names of the groups, in order; the first is the whole match.
    pub fn names(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.capture_names()
    }

    pub fn find<'t>(&self, text: &'t [u8]) -> Option<Captures<'t>> {
        self.0.captures(text)
    }

    pub fn is_match(&self, text: &[u8]) -> bool {
        self.0.is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;

    fn groups(pattern: &str, text: &str) -> Option<Vec<String>> {
        let expression = Expression::new(pattern, false).unwrap();
        let found = expression.find(text.as_bytes())?;
        let text_of = |group: Option<regex::bytes::Match>| {
            group.map_or_else(String::new, |group| {
                String::from_utf8_lossy(group.as_bytes()).into_owned()
            })
        };
        Some(found.iter().map(text_of).collect())
    }

    #[test]
    fn groups_are_those_of_the_leftmost_match() {
        assert_eq!(
            groups("^/(a|ab)(c?)", "/abc"),
            Some(vec!["/a".into(), "a".into(), String::new()])
        );
        assert_eq!(groups("(\\d+)$", "/p/42"), Some(vec!["42".into(), "42".into()]));
        assert_eq!(groups("^x", "/x"), None);
    }

    #[test]
    fn texts_may_be_any_bytes() {
        let expression = Expression::new("^/é.$", false).unwrap();
        assert!(expression.is_match(b"/\xc3\xa9\xff"));
        assert!(!expression.is_match(b"/e"));
        assert_eq!(groups("^a.b$", "a\nb"), Some(vec!["a\nb".into()]));
    }

    #[test]
    fn the_case_of_letters_counts_unless_ignored() {
        for (ignore_case, matches) in [(false, false), (true, true)] {
            assert_eq!(Expression::new("^/A$", ignore_case).unwrap().is_match(b"/a"), matches);
        }
    }

    #[test]
    fn what_takes_more_than_linear_time_is_refused() {
        for pattern in [
            "(?!a)b",
            "(?<=a)b",
            "(a)\\1",
            "(?>a)",
            "(a{1000}){1000}",
            "(",
            &"(".repeat(500),
            &"(a)".repeat(33),
        ] {
            let refusal = Expression::new(pattern, false).unwrap_err();
            assert!(!refusal.is_empty() && !refusal.contains('\n'), "{pattern}: {refusal}");
        }
        assert!(Expression::new(&"(a)".repeat(32), false).is_ok());
    }

    #[test]
    fn many_choices_end() {
        let pattern = format!("^/{}!$", "(?:a|aa)".repeat(60));
        assert!(
            !Expression::new(&pattern, false)
                .unwrap()
                .is_match("a".repeat(2_000).as_bytes())
        );
    }
}
