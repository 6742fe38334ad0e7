//! Repairs dates that are not in W3C datetime format, but whose meaning is clear.
//!
//! The year comes first, or the month is a word, so that the day cannot be mistaken for the month. Missing parts (a
//! time zone) are not invented, and dates that do not exist (30 February) are not corrected.

use crate::value::calendar::{self, MONTHS, WEEKDAYS, name};
use crate::value::datetime::{DateProblem, parse_w3c};
use crate::value::space::XML_SPACE;

/// Returns the date as W3C datetime, if it is invalid and its meaning is clear.
pub fn repair(text: &str) -> Option<String> {
    let problem = parse_w3c(text).problem?;
    if problem == DateProblem::NoTimezone && text.as_bytes().get(10) == Some(&b'T') {
        return None;
    }
    let written = year_first(text).or_else(|| in_words(text))?;
    let left = parse_w3c(&written).problem;
    (written != text && left.is_none_or(|left| left == DateProblem::NoTimezone)).then_some(written)
}

/// Reads `2024/1/5`, `2024.01.05`, `20240105`, and anything valid after the day.
fn year_first(text: &str) -> Option<String> {
    let mut rest = Rest(text);
    let digits = rest.digits();
    let date = match digits.len() {
        4 => {
            let separator = rest.any(&['-', '/', '.'])?;
            let month = rest.short(2)?;
            if rest.any(&[separator]).is_none() {
                // `2005-01Z`: a month has no time zone.
                let is_month = separator == '-' && month.len() == 2 && is_zone(rest.0);
                return is_month.then(|| format!("{digits}-{month}"));
            }
            let day = rest.short(2)?;
            format!("{digits}-{month:0>2}-{day:0>2}")
        }
        // Eight digits could be anything, but not if they start with these two.
        8 if digits.starts_with("19") || digits.starts_with("20") => {
            format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..])
        }
        _ => return None,
    };
    finish(date, rest)
}

/// Reads `Fri, 05 Jan 2024 10:00:00 GMT`, `5 January 2024`, `January 5, 2024`.
fn in_words(text: &str) -> Option<String> {
    let mut rest = Rest(text);
    let first = Rest(text).letters();
    if name(&WEEKDAYS, first).is_some() {
        rest.letters();
        rest.any(&[',']);
        rest.spaces();
    }
    let (day, month) = match rest.letters() {
        "" => {
            let day = rest.short(2)?;
            rest.any(&['-']);
            rest.spaces();
            let month = name(&MONTHS, rest.letters())? + 1;
            rest.any(&['-', ',']);
            (day, month)
        }
        word => {
            let month = name(&MONTHS, word)? + 1;
            rest.any(&['.']);
            rest.spaces();
            let day = rest.short(2)?;
            rest.any(&[',']);
            (day, month)
        }
    };
    rest.spaces();
    let year = rest.digits();
    if year.len() != 4 {
        return None;
    }
    finish(format!("{year}-{month:02}-{day:0>2}"), rest)
}

/// Reads what follows the day: nothing, a time zone, which a day cannot have, or a time.
fn finish(date: String, mut rest: Rest) -> Option<String> {
    if rest.0.is_empty() || is_zone(rest.0) {
        return Some(date);
    }
    let mark = rest.any(&['T', 't', ',']);
    if !rest.spaces() && mark.is_none_or(|mark| mark == ',') {
        return None;
    }
    let hour = rest.digits();
    let (hour, minute, second) = match hour.len() {
        1 | 2 => {
            rest.any(&[':'])?;
            let minute = rest.exact(2)?;
            let second = match rest.any(&[':']) {
                Some(_) => Some(rest.exact(2)?),
                None => None,
            };
            (hour, minute, second)
        }
        4 => (&hour[..2], &hour[2..], None),
        6 => (&hour[..2], &hour[2..4], Some(&hour[4..])),
        _ => return None,
    };
    let mut out = format!("{date}T{hour:0>2}:{minute}");
    if let Some(second) = second {
        out.push(':');
        out.push_str(second);
        if rest.any(&['.', ',']).is_some() {
            let fraction = rest.digits();
            if fraction.is_empty() {
                return None;
            }
            out.push('.');
            out.push_str(fraction);
        }
    }
    rest.spaces();
    if !rest.0.is_empty() {
        out.push_str(&zone(rest.0)?);
    }
    Some(out)
}

fn is_zone(text: &str) -> bool {
    zone(text.trim_start_matches(' ')).is_some()
}

/// Returns a time zone as in W3C datetime: `Z`, or hours, colon, minutes.
fn zone(text: &str) -> Option<String> {
    match calendar::zone(text) {
        None if !text.eq_ignore_ascii_case("UTC") => {}
        None | Some(0) => return Some("Z".to_owned()),
        Some(hours) => return Some(format!("-{hours:02}:00")),
    }
    let sign = text.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
    let mut rest = Rest(&text[1..]);
    let digits = rest.digits();
    let (hours, minutes) = match digits.len() {
        1 | 2 if rest.any(&[':']).is_some() => (digits, rest.exact(2)?),
        2 => (digits, "00"),
        4 => (&digits[..2], &digits[2..]),
        _ => return None,
    };
    rest.0.is_empty().then(|| format!("{sign}{hours:0>2}:{minutes}"))
}

/// The rest of a text.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn digits(&mut self) -> &'a str {
        self.take(self.0.bytes().take_while(u8::is_ascii_digit).count())
    }

    fn letters(&mut self) -> &'a str {
        self.take(self.0.bytes().take_while(u8::is_ascii_alphabetic).count())
    }

    /// Takes a number of at most this many digits.
    fn short(&mut self, most: usize) -> Option<&'a str> {
        let digits = self.digits();
        (1..=most).contains(&digits.len()).then_some(digits)
    }

    fn exact(&mut self, length: usize) -> Option<&'a str> {
        let digits = self.digits();
        (digits.len() == length).then_some(digits)
    }

    fn any(&mut self, these: &[char]) -> Option<char> {
        let first = self.0.chars().next().filter(|first| these.contains(first))?;
        self.take(first.len_utf8());
        Some(first)
    }

    /// Skips whitespace, and returns whether there was any.
    fn spaces(&mut self) -> bool {
        let rest = self.0.trim_start_matches(XML_SPACE);
        let any = rest.len() < self.0.len();
        self.0 = rest;
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_whose_meaning_is_clear() {
        for (written, repaired) in [
            ("2024/01/05", "2024-01-05"),
            ("2024.01.05", "2024-01-05"),
            ("2024-1-5", "2024-01-05"),
            ("20240105", "2024-01-05"),
            ("20240105T101112Z", "2024-01-05T10:11:12Z"),
            ("2024-01-05 10:11:12", "2024-01-05T10:11:12"),
            ("2024-01-05 10:11:12 +0100", "2024-01-05T10:11:12+01:00"),
            ("2024-01-05 10:11:12 UTC", "2024-01-05T10:11:12Z"),
            ("2024-01-05T10:11:12+0100", "2024-01-05T10:11:12+01:00"),
            ("2024-01-05T10:11:12+01", "2024-01-05T10:11:12+01:00"),
            ("2024-01-05T10:11:12 +01:00", "2024-01-05T10:11:12+01:00"),
            ("2024-01-05t10:11:12z", "2024-01-05T10:11:12Z"),
            ("2024-01-05T10:11:12,5Z", "2024-01-05T10:11:12.5Z"),
            ("2024-01-05 9:05Z", "2024-01-05T09:05Z"),
            ("2024-01-05Z", "2024-01-05"),
            ("2024-01-05+02:00", "2024-01-05"),
            ("2005-01Z", "2005-01"),
            ("Fri, 05 Jan 2024 10:11:12 GMT", "2024-01-05T10:11:12Z"),
            ("5 Jan 2024 10:11 -0500", "2024-01-05T10:11-05:00"),
            ("Fri, 05 Jan 2024 10:11:12 EST", "2024-01-05T10:11:12-05:00"),
            ("January 5, 2024", "2024-01-05"),
            ("5-Jan-2024", "2024-01-05"),
        ] {
            assert_eq!(repair(written).as_deref(), Some(repaired), "{written}");
            assert_eq!(repair(repaired), None, "{repaired}");
        }
    }

    #[test]
    fn other_values_are_not_modified() {
        for text in [
            "",
            "2024-01-05",
            "2024-01-05T10:11:12",
            "2024-01-05T10:11Z",
            "05/01/2024",
            "05.01.2024",
            "1/5/24",
            "24-01-05",
            "2024-02-30",
            "2024-13-01",
            "2024/02/30",
            "2024-01-05T24:00:00Z",
            "2024-01-05T10:11:12+25:00",
            "1704448800",
            "99999999",
            "yesterday",
            "5 Jan 24",
            "2024",
            "2024-01",
            "-0005-01-01",
            "2024-01/05",
            "2024-01-05 at noon",
            "2024-01-05T",
            "Januaryy 5, 2024",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
