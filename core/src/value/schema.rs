//! The types of the official schemas: which values <https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd> allows.
//!
//! The reference is libxml2, which most people validate with. Where it deviates from XML Schema, this code follows
//! libxml2 and says so. A test checks that both give the same verdicts.

use super::space::XML_SPACE;
use super::{calendar, decimal};

/// Minimum and maximum characters of a URL (`minLength` and `maxLength` of `tLoc`).
const URL_LENGTH: std::ops::RangeInclusive<usize> = 12..=2048;

/// Returns the value after `whiteSpace="collapse"`: no outer whitespace, and one space for each run inside.
fn collapsed(value: &str) -> String {
    value
        .split(XML_SPACE)
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// `tLoc`: an `xs:anyURI` of limited length. It can be relative.
pub fn is_loc(value: &str) -> bool {
    let value = collapsed(value);
    URL_LENGTH.contains(&value.chars().count()) && is_any_uri(&value)
}

/// `tChangeFreq`; its base is `xs:string`, so whitespace around the word is significant.
pub use super::changefreq::is_changefreq;

/// `tPriority`: an `xs:decimal` from 0.0 to 1.0.
pub fn is_priority(value: &str) -> bool {
    let value = collapsed(value);
    if decimal::parse(&value).is_none() {
        return false;
    }
    // Compares digits: as a float, 1.00000000000000000001 would be 1.
    let digits = value.trim_start_matches(['+', '-']);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    match whole {
        "" => part.is_empty() || !value.starts_with('-'),
        "1" => part.is_empty() && !value.starts_with('-'),
        _ => false,
    }
}

/// `tLastmod`: an `xs:date` or an `xs:dateTime`.
pub fn is_lastmod(value: &str) -> bool {
    let value = collapsed(value);
    let mut rest = Cursor(value.as_bytes());
    let is_right = rest.date().is_some() && (rest.take(b'T').is_none() || rest.time().is_some());
    is_right && rest.timezone().is_some() && rest.0.is_empty()
}

/// The rest of a date.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take(&mut self, byte: u8) -> Option<()> {
        let rest = self.0.strip_prefix(&[byte])?;
        self.0 = rest;
        Some(())
    }

    fn two_digits(&mut self) -> Option<u32> {
        let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] = self.0 else {
            return None;
        };
        let number = u32::from(tens - b'0') * 10 + u32::from(ones - b'0');
        self.0 = rest;
        Some(number)
    }

    fn date(&mut self) -> Option<()> {
        let is_negative = self.take(b'-').is_some();
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (year, rest) = self.0.split_at(digits);
        if digits < 4 || (digits > 4 && year[0] == b'0') {
            return None;
        }
        self.0 = rest;
        let year: i64 = str::from_utf8(year).ok()?.parse().ok()?;
        self.take(b'-')?;
        let month = self.two_digits()?;
        self.take(b'-')?;
        let day = self.two_digits()?;
        let year = if is_negative { -year } else { year };
        (year != 0 && calendar::is_day(year, month.into(), day.into())).then_some(())
    }

    fn time(&mut self) -> Option<()> {
        let hour = self.two_digits()?;
        self.take(b':')?;
        let minute = self.two_digits()?;
        self.take(b':')?;
        let second = self.two_digits()?;
        let mut is_whole = true;
        if self.take(b'.').is_some() {
            let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            is_whole = self.0[..digits].iter().all(|&digit| digit == b'0');
            self.0 = &self.0[digits..];
        }
        let is_end_of_day = hour == 24 && minute == 0 && second == 0 && is_whole;
        (is_end_of_day || (hour < 24 && minute < 60 && second < 60)).then_some(())
    }

    fn timezone(&mut self) -> Option<()> {
        if self.0.is_empty() || self.take(b'Z').is_some() {
            return Some(());
        }
        self.take(b'+').or_else(|| self.take(b'-'))?;
        let hour = self.two_digits()?;
        self.take(b':')?;
        let minute = self.two_digits()?;
        (minute < 60 && hour * 60 + minute <= 14 * 60).then_some(())
    }
}

/// `xs:anyURI` as libxml2 parses it: RFC 3986, after escaping everything that can be escaped.
pub fn is_any_uri(value: &str) -> bool {
    let escaped: Vec<u8> = value
        .bytes()
        .map(|byte| match byte {
            0..=32 | 127.. | b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`' | b'\'' => b'_',
            _ => byte,
        })
        .collect();
    Uri(&escaped).is_absolute() || Uri(&escaped).is_relative()
}

/// The rest of a URI.
#[derive(Clone, Copy)]
struct Uri<'a>(&'a [u8]);

impl Uri<'_> {
    fn is_absolute(mut self) -> bool {
        let scheme = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            .count();
        if scheme == 0 || !self.0[0].is_ascii_alphabetic() || self.0.get(scheme) != Some(&b':') {
            return false;
        }
        self.0 = &self.0[scheme + 1..];
        self.hierarchy(false) && self.is_at_end()
    }

    fn is_relative(mut self) -> bool {
        self.hierarchy(true) && self.is_at_end()
    }

    /// Parses authority and path. In a relative reference the first segment of the path has no colon.
    fn hierarchy(&mut self, is_relative: bool) -> bool {
        if let Some(rest) = self.0.strip_prefix(b"//") {
            self.0 = rest;
            return self.authority() && {
                self.segments();
                true
            };
        }
        if self.0.first() != Some(&b'/') && is_relative {
            while self.0.first() != Some(&b':') && self.pchar() {}
        } else if self.0.first() != Some(&b'/') {
            while self.pchar() {}
        }
        self.segments();
        true
    }

    fn authority(&mut self) -> bool {
        let before = *self;
        while self.name_char() || self.take(b':') {}
        if !self.take(b'@') {
            *self = before;
        }
        if self.take(b'[') {
            // libxml2 does not check what is in the brackets.
            let Some(end) = self.0.iter().position(|&byte| byte == b']') else {
                return false;
            };
            self.0 = &self.0[end + 1..];
        } else {
            while self.name_char() {}
        }
        if self.take(b':') {
            return self.port();
        }
        true
    }

    /// libxml2 requires a digit, unlike RFC 3986, and a number that fits into 31 bits.
    fn port(&mut self) -> bool {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (port, rest) = self.0.split_at(digits);
        self.0 = rest;
        str::from_utf8(port).is_ok_and(|port| port.parse::<i32>().is_ok())
    }

    fn segments(&mut self) {
        while self.take(b'/') {
            while self.pchar() {}
        }
    }

    fn is_at_end(mut self) -> bool {
        if self.take(b'?') {
            while self.pchar() || self.take(b'/') || self.take(b'?') {}
        }
        if self.take(b'#') {
            // Brackets are an extension of libxml2.
            while self.pchar() || [b'/', b'?', b'[', b']'].iter().any(|&byte| self.take(byte)) {}
        }
        self.0.is_empty()
    }

    fn take(&mut self, byte: u8) -> bool {
        let rest = self.0.strip_prefix(&[byte]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn pchar(&mut self) -> bool {
        self.name_char() || self.take(b':') || self.take(b'@')
    }

    /// Takes a character of a registered name: unreserved, escaped, or a sub-delimiter.
    fn name_char(&mut self) -> bool {
        let length = match self.0 {
            [b'%', one, two, ..] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit() => 3,
            [byte, ..] if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte) => 1,
            _ => return false,
        };
        self.0 = &self.0[length..];
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_may_be_relative_but_not_short() {
        for good in [
            "https://example.com/",
            "/a/relative/path",
            "  https://e.com/\n ",
            "https://e.com/a b|c{d}\\e<f>",
            "https://bücher.example/",
            "https://u:p@e.com:8080/?a=b/?#[c]",
            "http://[::1]/xxxx",
            "mailto:abcdefgh@example.com",
        ] {
            assert!(is_loc(good), "{good}");
        }
        for bad in [
            "",
            "https://e.c",
            "https://example.com/%zz",
            "https://example.com:/",
            "https://example.com:a/",
            "https://example.com/[a]",
            "https://example.com/#a#b",
            "::::::::::::::",
            "http://[::1/xxxx",
        ] {
            assert!(!is_loc(bad), "{bad}");
        }
        assert!(is_loc(&format!("https://e.com/{}", "é".repeat(2034))));
        assert!(!is_loc(&format!("https://e.com/{}", "é".repeat(2035))));
    }

    #[test]
    fn dates_as_in_xml_schema() {
        for good in [
            "2024-02-29",
            " 2024-11-05 ",
            "2024-11-05Z",
            "2024-11-05+14:00",
            "2024-11-05T24:00:00",
            "2024-11-05T10:00:00.123456789Z",
            "-0044-03-15",
            "12024-01-01",
        ] {
            assert!(is_lastmod(good), "{good}");
        }
        for bad in [
            "",
            "2024",
            "2024-11",
            "2024-02-30",
            "2023-02-29",
            "2024-11-05T10:00Z",
            "2024-11-05T10:00:00.",
            "2024-11-05T24:00:01",
            "2024-11-05+14:01",
            "2024-11-05 10:00:00",
            "0000-01-01",
            "02024-01-01",
            "2024-1-1",
        ] {
            assert!(!is_lastmod(bad), "{bad}");
        }
    }

    #[test]
    fn words_and_numbers() {
        assert!(is_changefreq("daily") && !is_changefreq(" daily") && !is_changefreq("Daily") && !is_changefreq(""));
        for good in [
            "0",
            "1",
            "0.5",
            ".5",
            "1.",
            "+0.5",
            "-0",
            "  0.5\n",
            "0.50000000000000000000000001",
        ] {
            assert!(is_priority(good), "{good}");
        }
        for bad in [
            "",
            ".",
            "1.1",
            "-0.1",
            "1.00000000000000000000001",
            "0,5",
            "5e-1",
            "NaN",
            "high",
        ] {
            assert!(!is_priority(bad), "{bad}");
        }
    }
}
