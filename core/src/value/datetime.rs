//! Dates: the six precisions of W3C datetime (lastmod, the extensions, Atom), and the RFC 822 dates of RSS.
//!
//! <https://www.w3.org/TR/NOTE-datetime>, <https://www.rfc-editor.org/rfc/rfc822#section-5> with the four-digit years
//! of <https://www.rfc-editor.org/rfc/rfc2822#section-3.3>. If a date has a problem but its instant is still clear,
//! both are returned. Of several problems, one that makes the instant unclear takes precedence, otherwise the one that
//! comes first in the text.

mod rfc822;
#[cfg(test)]
mod tests;

use super::calendar::{days_since_1970, is_day};
use rfc822::rfc822;

vocabulary! {
    /// The precision of a date.
    Precision {
        Year, "year", "Only a year; read as its first instant in UTC.";
        Month, "month", "Only a year and a month; read as its first instant in UTC.";
        Day, "day", "A date without a time; read as its first instant in UTC.";
        Minute, "minute", "A time without seconds.";
        Second, "second", "A time with whole seconds.";
        Fraction, "fraction", "A time with a fraction of a second, read to the microsecond.";
    }
}

vocabulary! {
    /// A problem with a date.
    DateProblem {
        Empty, "empty", "The value is empty.";
        NotADate, "not-a-date", "The value is not a date in the required format.";
        NoTimezone, "no-timezone", "The time has no time zone, or one that the format does not define; it was read as UTC.";
        OffsetWithoutColon, "offset-without-colon", "The UTC offset is not in the form hours, colon, minutes.";
        OffsetOutOfRange, "offset-out-of-range", "The UTC offset is more than 14 hours, or its minutes are more than 59.";
        ImpossibleDate, "impossible-date", "The month or the day does not exist.";
        ImpossibleTime, "impossible-time", "The hour is more than 23, or the minute or second is more than 59.";
        TimezoneWithoutTime, "timezone-without-time", "The date has a time zone but no time.";
        SpaceInsteadOfT, "space-instead-of-t", "A space separates date and time instead of a T.";
        LowerCase, "lower-case", "The T or the Z is lowercase.";
        YearOutOfRange, "year-out-of-range", "The year is not four digits from 0001 to 9999.";
        Rfc822, "rfc-822", "The date is in RFC 822 format instead of W3C datetime.";
    }
}

/// A parsed date. `at` and `precision` are either both set or both absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTime {
    /// Microseconds since 1970-01-01T00:00:00 UTC, within the years 0001 to 9999.
    pub at: Option<i64>,
    pub precision: Option<Precision>,
    pub problem: Option<DateProblem>,
}

impl DateTime {
    const fn unreadable(problem: DateProblem) -> Self {
        DateTime {
            at: None,
            precision: None,
            problem: Some(problem),
        }
    }
}

const MICROSECONDS: i64 = 1_000_000;
const DAY: i64 = 86_400;
/// 0001-01-01T00:00:00 and 9999-12-31T23:59:59.999999, both in UTC.
const FIRST: i64 = -62_135_596_800 * MICROSECONDS;
const LAST: i64 = 253_402_300_800 * MICROSECONDS - 1;
/// The largest UTC offset in use, in minutes. <https://www.w3.org/TR/xmlschema-2/#dateTime-timezones>
const MAX_OFFSET: i64 = 14 * 60;

/// Parses a W3C datetime. The caller has already removed outer whitespace.
pub fn parse_w3c(text: &str) -> DateTime {
    let bytes = text.as_bytes();
    if let Some(reading) = common(bytes) {
        return reading.done();
    }
    if bytes.is_empty() {
        return DateTime::unreadable(DateProblem::Empty);
    }
    match w3c(bytes) {
        Some(reading) => reading.done(),
        None if has_odd_year(bytes) => DateTime::unreadable(DateProblem::YearOutOfRange),
        None => as_rfc822(text),
    }
}

/// Parses an RFC 822 date as RSS uses it. The caller has already removed outer whitespace. Names can be in any case;
/// the weekday, the seconds and two digits of the year are optional; a comment in parentheses can follow.
pub fn parse_rfc822(text: &str) -> DateTime {
    if text.is_empty() {
        return DateTime::unreadable(DateProblem::Empty);
    }
    match rfc822(text) {
        Some(reading) => reading.done(),
        None => w3c(text.as_bytes()).map_or(DateTime::unreadable(DateProblem::NotADate), |reading| DateTime {
            problem: Some(DateProblem::NotADate),
            ..reading.done()
        }),
    }
}

#[cold]
fn as_rfc822(text: &str) -> DateTime {
    let Some(reading) = rfc822(text) else {
        return DateTime::unreadable(DateProblem::NotADate);
    };
    let read = reading.done();
    if read.at.is_none() {
        read
    } else {
        DateTime {
            problem: Some(DateProblem::Rfc822),
            ..read
        }
    }
}

/// The instant of a date with a valid shape as far as it was read, and the problems found on the way.
struct Reading {
    seconds: i64,
    micros: i64,
    precision: Precision,
    /// The first problem that leaves the instant clear.
    minor: Option<DateProblem>,
    /// The first problem that makes the instant unclear.
    fatal: Option<DateProblem>,
}

impl Reading {
    #[inline]
    fn new(precision: Precision) -> Self {
        Reading {
            seconds: 0,
            micros: 0,
            precision,
            minor: None,
            fatal: None,
        }
    }

    #[inline]
    fn minor(&mut self, problem: DateProblem) {
        self.minor = self.minor.or(Some(problem));
    }

    #[inline]
    fn fatal(&mut self, problem: DateProblem) {
        self.fatal = self.fatal.or(Some(problem));
    }

    #[inline]
    fn date(&mut self, year: i64, month: i64, day: i64) {
        if year == 0 || year > 9999 {
            self.fatal(DateProblem::YearOutOfRange);
        } else if !is_day(year, month, day) {
            self.fatal(DateProblem::ImpossibleDate);
        } else {
            self.seconds += days_since_1970(year, month, day) * DAY;
        }
    }

    #[inline]
    fn time(&mut self, hour: i64, minute: i64, second: i64) {
        if hour > 23 || minute > 59 || second > 59 {
            self.fatal(DateProblem::ImpossibleTime);
        }
        self.seconds += hour * 3600 + minute * 60 + second;
    }

    #[inline]
    fn offset(&mut self, sign: u8, hours: i64, minutes: i64) {
        let offset = hours * 60 + minutes;
        if minutes > 59 || offset > MAX_OFFSET {
            self.fatal(DateProblem::OffsetOutOfRange);
        }
        self.seconds += if sign == b'-' { offset * 60 } else { -offset * 60 };
    }

    #[inline]
    fn done(self) -> DateTime {
        if let Some(problem) = self.fatal {
            return DateTime::unreadable(problem);
        }
        // An offset can move the first and the last day past the range of every consumer's calendar.
        let at = (self.seconds * MICROSECONDS + self.micros).clamp(FIRST, LAST);
        DateTime {
            at: Some(at),
            precision: Some(self.precision),
            problem: self.minor,
        }
    }
}

/// Returns the number that two digits form.
#[inline(always)]
fn pair(tens: u8, ones: u8) -> Option<i64> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    if tens < 10 && ones < 10 {
        Some(i64::from(tens * 10 + ones))
    } else {
        None
    }
}

/// Reads bytes that are most likely digits; whether all of them were is checked once, at the end.
#[derive(Default)]
struct Digits {
    has_other: bool,
}

impl Digits {
    /// Returns the number that two digits form.
    #[inline(always)]
    fn pair(&mut self, tens: u8, ones: u8) -> i64 {
        let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
        self.has_other |= (tens > 9) | (ones > 9);
        i64::from(u32::from(tens) * 10 + u32::from(ones))
    }
}

/// Takes two digits from the front.
#[inline(always)]
fn take_pair(rest: &mut &[u8]) -> Option<i64> {
    let [tens, ones, after @ ..] = *rest else { return None };
    let number = pair(*tens, *ones)?;
    *rest = after;
    Some(number)
}

/// Takes `byte` from the front, if it is there.
#[inline(always)]
fn take(rest: &mut &[u8], byte: u8) -> bool {
    match *rest {
        [first, after @ ..] if *first == byte => {
            *rest = after;
            true
        }
        _ => false,
    }
}

/// Reads the two forms in nearly every sitemap, a day and a time with seconds, without the branches for other forms.
#[inline(always)]
fn common(bytes: &[u8]) -> Option<Reading> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, ref after @ ..] = *bytes else {
        return None;
    };
    let mut digits = Digits::default();
    let year = digits.pair(y1, y2) * 100 + digits.pair(y3, y4);
    let (month, day) = (digits.pair(m1, m2), digits.pair(d1, d2));
    if digits.has_other {
        return None;
    }
    let mut reading = Reading::new(Precision::Day);
    reading.date(year, month, day);
    if after.is_empty() {
        return Some(reading);
    }
    let [b'T', h1, h2, b':', n1, n2, b':', s1, s2, ref rest @ ..] = *after else {
        return None;
    };
    let (hour, minute, second) = (digits.pair(h1, h2), digits.pair(n1, n2), digits.pair(s1, s2));
    if digits.has_other {
        return None;
    }
    reading.time(hour, minute, second);
    reading.precision = Precision::Second;
    let mut zone = rest;
    if take(&mut zone, b'.') {
        reading.micros = take_fraction(&mut zone)?;
        reading.precision = Precision::Fraction;
    }
    match *zone {
        [b'Z'] => {}
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => reading.offset(sign, pair(h1, h2)?, pair(m1, m2)?),
        _ => return None,
    }
    Some(reading)
}

/// Reads anything in the shape of a W3C datetime, including common mistakes; returns `None` for any other shape.
#[inline]
fn w3c(bytes: &[u8]) -> Option<Reading> {
    let mut rest = bytes;
    let year = take_pair(&mut rest)? * 100 + take_pair(&mut rest)?;
    let (mut month, mut day) = (1, 1);
    let mut reading = Reading::new(Precision::Year);
    // A minus can start the offset of a bare year or month: 2005-02:00 is one in XML Schema's gYear.
    if matches!(rest, [b'-', _, _, after @ ..] if after.first() != Some(&b':')) {
        take(&mut rest, b'-');
        month = take_pair(&mut rest)?;
        reading.precision = Precision::Month;
        if matches!(rest, [b'-', _, _, after @ ..] if after.first() != Some(&b':')) {
            take(&mut rest, b'-');
            day = take_pair(&mut rest)?;
            reading.precision = Precision::Day;
        }
    }
    reading.date(year, month, day);
    match rest {
        [] => {}
        [separator @ (b'T' | b't' | b' '), after @ ..] if reading.precision == Precision::Day => {
            rest = after;
            match separator {
                b't' => reading.minor(DateProblem::LowerCase),
                b' ' => reading.minor(DateProblem::SpaceInsteadOfT),
                _ => {}
            }
            w3c_time(&mut rest, &mut reading)?;
            w3c_zone(rest, *separator == b' ', &mut reading)?;
        }
        _ => {
            reading.minor(DateProblem::TimezoneWithoutTime);
            w3c_zone(rest, false, &mut reading)?;
        }
    }
    Some(reading)
}

#[inline]
fn w3c_time(rest: &mut &[u8], reading: &mut Reading) -> Option<()> {
    let hour = take_pair(rest)?;
    if !take(rest, b':') {
        return None;
    }
    let minute = take_pair(rest)?;
    let mut second = 0;
    reading.precision = Precision::Minute;
    if take(rest, b':') {
        second = take_pair(rest)?;
        reading.precision = Precision::Second;
        if take(rest, b'.') {
            reading.micros = take_fraction(rest)?;
            reading.precision = Precision::Fraction;
        }
    }
    reading.time(hour, minute, second);
    Some(())
}

/// Takes the digits of a fraction, at least one; digits beyond microseconds are cut off.
fn take_fraction(rest: &mut &[u8]) -> Option<i64> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let places = (0..6).map(|place| {
        if place < digits {
            i64::from(rest[place] - b'0')
        } else {
            0
        }
    });
    let micros = places.fold(0, |micros, digit| micros * 10 + digit);
    *rest = &rest[digits..];
    (digits > 0).then_some(micros)
}

/// Reads what follows a time. `spaced`: a space precedes it, as in `2005-01-01 10:00:00 +0000`, which git and Ruby
/// write.
#[inline]
fn w3c_zone(zone: &[u8], spaced: bool, reading: &mut Reading) -> Option<()> {
    match *zone {
        [b'Z'] => {}
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => reading.offset(sign, pair(h1, h2)?, pair(m1, m2)?),
        [] => reading.minor(DateProblem::NoTimezone),
        [b'z'] => reading.minor(DateProblem::LowerCase),
        [sign @ (b'+' | b'-'), h1, h2, ref minutes @ ..] => {
            let minutes = match *minutes {
                [] => 0,
                [m1, m2] => pair(m1, m2)?,
                _ => return None,
            };
            reading.minor(DateProblem::OffsetWithoutColon);
            reading.offset(sign, pair(h1, h2)?, minutes);
        }
        [b' ', b'U', b'T', b'C'] | [b' ', b'G', b'M', b'T'] if spaced => {}
        [b' ', ref after @ ..] if spaced && !after.is_empty() => w3c_zone(after, false, reading)?,
        _ => return None,
    }
    Some(())
}

/// Returns whether a value would be a W3C datetime but for its year: `-0005-01-01`, `-001-11-30`, `12005-01-01`. Digits
/// alone count as a year only if there are five: 20050101 and 1104537600 mean something else.
#[cold]
fn has_odd_year(bytes: &[u8]) -> bool {
    let (signed, rest) = match bytes {
        [b'-' | b'+', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = &rest[digits..];
    let odd = if signed { (3..=6).contains(&digits) } else { digits == 5 };
    // The rest is checked after a valid year.
    odd && w3c(&[b"2000", after].concat()).is_some()
}
