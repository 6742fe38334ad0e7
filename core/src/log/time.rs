//! The times of access logs, in microseconds since 1970.

use crate::value::calendar::{MONTHS, days_since_1970, is_day};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// Later times are mistakes: 2200-01-01 in seconds.
const LATEST: i64 = 7_258_118_400;

/// Reads a time: `10/Oct/2026:13:55:36 -0700`, RFC 3339, or a count since 1970 in seconds to nanoseconds.
pub fn instant(text: &[u8]) -> Option<i64> {
    match text.iter().position(|byte| !byte.is_ascii_digit()) {
        Some(2) if text.len() > 12 && text[11] == b':' => date_and_time(&text[..11], &text[12..]),
        Some(4) if text.len() > 11 => date_and_time(&text[..10], &text[11..]),
        _ => since_1970(text),
    }
}

/// Reads the time at the start of a line, before a space or tab.
pub fn at_start(line: &[u8]) -> Option<i64> {
    let mut spaces = memchr::memchr2_iter(b' ', b'\t', line);
    let one = &line[..spaces.next()?];
    instant(one).or_else(|| instant(&line[..spaces.next()?]))
}

/// Reads a date, and a time of day with an optional fraction and offset; without an offset, it is UTC.
pub fn date_and_time(date: &[u8], of_day: &[u8]) -> Option<i64> {
    let day = day(date)?;
    let (time, rest) = clock(of_day)?;
    let digits = rest.strip_prefix(b".").map_or(0, |rest| {
        1 + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    });
    let fraction = rest[..digits].iter().skip(1).take(6).enumerate();
    let micros = fraction.fold(0, |sum, (place, digit)| {
        sum + i64::from(digit - b'0') * 10_i64.pow(5 - place as u32)
    });
    let offset = offset(rest[digits..].trim_ascii_start())?;
    Some(day * DAY + (time - offset) * SECOND + micros)
}

/// Reads a date as days since 1970: `2026-10-10`, `2026/10/10`, or `10/Oct/2026`.
fn day(date: &[u8]) -> Option<i64> {
    if date.len() == 11 && date[2] == b'/' && date[6] == b'/' {
        let short = [date[3], date[4], date[5]].map(|byte| byte.to_ascii_lowercase());
        let month = MONTHS.iter().position(|name| name.as_bytes()[..3] == short)? as i64 + 1;
        return day_of(number(&date[7..])?, month, number(&date[..2])?);
    }
    if date.len() != 10 || date[4] != date[7] || !b"-/".contains(&date[4]) {
        return None;
    }
    day_of(number(&date[..4])?, number(&date[5..7])?, number(&date[8..])?)
}

fn day_of(year: i64, month: i64, day: i64) -> Option<i64> {
    (year >= 1970 && is_day(year, month, day)).then(|| days_since_1970(year, month, day))
}

/// Reads `13:55:36` as seconds, and returns what follows. A leap second counts as the second after it.
fn clock(text: &[u8]) -> Option<(i64, &[u8])> {
    if text.len() < 8 || text[2] != b':' || text[5] != b':' {
        return None;
    }
    let (hour, minute, second) = (number(&text[..2])?, number(&text[3..5])?, number(&text[6..8])?);
    (hour < 24 && minute < 60 && second <= 60).then(|| (hour * 3600 + minute * 60 + second, &text[8..]))
}

/// Reads an offset in seconds east of UTC: nothing, `Z`, `+0200`, or `+02:00`.
fn offset(text: &[u8]) -> Option<i64> {
    let (sign, rest) = match text {
        b"" | b"Z" | b"z" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match rest.len() {
        4 => (&rest[..2], &rest[2..]),
        5 if rest[2] == b':' => (&rest[..2], &rest[3..]),
        _ => return None,
    };
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60))
}

/// Reads a count since 1970, whose unit follows from its size; a fraction is allowed.
fn since_1970(text: &[u8]) -> Option<i64> {
    let point = memchr::memchr(b'.', text);
    let digits = &text[..point.unwrap_or(text.len())];
    // A count of nanoseconds has 19 digits: too many for `number`, and the last three do not matter.
    let (digits, dropped) = if digits.len() == 19 {
        (&digits[..16], 3)
    } else {
        (digits, 0)
    };
    let count = number(digits)?;
    let unit = match digits.len() + dropped {
        ..=11 => SECOND,
        12..=14 => 1_000,
        _ => 1,
    };
    let fraction = point.map_or(Some(0), |point| match text[point + 1..].len() {
        0 => None,
        length => Some(number(&text[point + 1..][..length.min(6)])? * SECOND / 10_i64.pow(length.min(6) as u32)),
    })?;
    let whole = count.checked_mul(unit)?;
    (whole <= LATEST * SECOND).then(|| whole + if unit == SECOND { fraction } else { 0 })
}

/// Reads a number of up to 18 digits.
pub fn number(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > 18 {
        return None;
    }
    text.iter().try_fold(0_i64, |sum, byte| {
        byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'))
    })
}
