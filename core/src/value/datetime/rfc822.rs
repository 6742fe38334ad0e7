//! RFC 822 and RFC 2822 dates, as used in the pubDate of RSS.

use super::{DateProblem, Precision, Reading, pair};
use crate::value::calendar::{self, MONTHS, WEEKDAYS, short_name};
use crate::value::space::XML_SPACE;

/// Reads anything in the shape of an RFC 822 date; returns `None` for any other shape.
pub(super) fn rfc822(text: &str) -> Option<Reading> {
    let mut words = text.split(XML_SPACE).filter(|word| !word.is_empty());
    let mut word = words.next()?;
    if let Some((name, after)) = word.split_once(',') {
        short_name(&WEEKDAYS, name)?;
        word = if after.is_empty() { words.next()? } else { after };
    }
    let day = number(word, 1..=2)?;
    let name = words.next()?;
    let month = short_name(&MONTHS, name)? as i64 + 1;
    let word = words.next()?;
    let mut year = number(word, 2..=9)?;
    if word.len() == 3 {
        return None;
    }
    if word.len() == 2 {
        // RFC 2822, section 4.3.
        year += if year < 50 { 2000 } else { 1900 };
    }
    let mut reading = Reading::new(Precision::Day);
    if word.len() > 4 {
        reading.fatal(DateProblem::YearOutOfRange);
    }
    reading.date(year, month, day);
    match words.next() {
        Some(word) => {
            rfc822_time(word, &mut reading)?;
            rfc822_zone(words, &mut reading)?;
        }
        // RFC 822 requires a time, but the day is clear.
        None => reading.minor(DateProblem::NotADate),
    }
    Some(reading)
}

fn number(word: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<i64> {
    let digits = lengths.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    if digits { word.parse().ok() } else { None }
}

fn rfc822_time(word: &str, reading: &mut Reading) -> Option<()> {
    let (hour, minute, second) = match *word.as_bytes() {
        [h1, h2, b':', m1, m2] => (pair(h1, h2)?, pair(m1, m2)?, None),
        [h1, h2, b':', m1, m2, b':', s1, s2] => (pair(h1, h2)?, pair(m1, m2)?, Some(pair(s1, s2)?)),
        _ => return None,
    };
    reading.precision = if second.is_some() {
        Precision::Second
    } else {
        Precision::Minute
    };
    reading.time(hour, minute, second.unwrap_or(0));
    Some(())
}

fn rfc822_zone<'a>(mut words: impl Iterator<Item = &'a str>, reading: &mut Reading) -> Option<()> {
    let zone = words.next();
    if let Some(comment) = words.next() {
        let last = words.last().unwrap_or(comment);
        if !comment.starts_with('(') || !last.ends_with(')') {
            return None;
        }
    }
    let Some(zone) = zone else {
        reading.minor(DateProblem::NoTimezone);
        return Some(());
    };
    match *zone.as_bytes() {
        [sign @ (b'+' | b'-'), h1, h2, m1, m2] => reading.offset(sign, pair(h1, h2)?, pair(m1, m2)?),
        // RFC 822 has no colon there, but the meaning is clear.
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            reading.minor(DateProblem::NotADate);
            reading.offset(sign, pair(h1, h2)?, pair(m1, m2)?);
        }
        _ if zone.eq_ignore_ascii_case("UTC") => reading.minor(DateProblem::NotADate),
        _ => match calendar::zone(zone) {
            Some(hours) => reading.offset(b'-', hours, 0),
            // CET, JST and the single letters (which RFC 822 got wrong) have no defined offset: RFC 2822, section 4.3.
            None if (1..=5).contains(&zone.len()) && zone.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                reading.minor(DateProblem::NoTimezone);
            }
            None => return None,
        },
    }
    Some(())
}
