//! Dates as they are written: W3C datetime, parsed with the reader's grammar.

use std::borrow::Cow;

use super::Dates;
use super::check::MAX_DIGITS;
use super::days::{day, instant};
use super::entry::Value;
use super::refusal::{Reason, Refusal};
use crate::value::datetime::parse_w3c;
use crate::value::{DateProblem, Precision, trim};

const DAY: i64 = 86_400_000_000;

/// Returns a lastmod in the requested form, and its instant.
///
/// A text with a problem that leaves the instant clear is rewritten; a time without a zone is read as UTC. A year, a
/// month or a day keeps its precision: a time is never invented.
pub fn lastmod<'a>(value: &'a Value<'a>, dates: Dates) -> Result<(Cow<'a, str>, i64), Refusal> {
    match value {
        Value::Text(text) => {
            let text = trim(text);
            let read = parse_w3c(text);
            let (Some(at), Some(precision)) = (read.at, read.precision) else {
                return Err(unreadable("lastmod", text));
            };
            let timeless = precision <= Precision::Day;
            if read.problem.is_none() && (timeless || dates == Dates::Time) && text.len() <= MAX_DIGITS {
                return Ok((Cow::Borrowed(text), at));
            }
            let written = match (dates, read.problem) {
                (_, Some(DateProblem::TimezoneWithoutTime)) if precision == Precision::Day => {
                    Cow::Owned(text.get(..10).unwrap_or(text).to_owned())
                }
                (Dates::Day, _) => Cow::Owned(day(at.div_euclid(DAY))),
                (Dates::LocalDay, _) => Cow::Owned(local_day(text, at)),
                (Dates::Time, _) if timeless => Cow::Owned(day(at.div_euclid(DAY))),
                (Dates::Time, _) => Cow::Owned(instant(at)),
            };
            if parse_w3c(&written).problem.is_some() {
                return Err(unreadable("lastmod", text));
            }
            Ok((written, at))
        }
        Value::Day(days) => Ok((checked(day(i64::from(*days)), value)?, i64::from(*days) * DAY)),
        Value::Instant(at) => {
            let written = match dates {
                // An instant alone does not contain its local time zone.
                Dates::Day | Dates::LocalDay => day(at.div_euclid(DAY)),
                Dates::Time => instant(*at),
            };
            Ok((checked(written, value)?, *at))
        }
        other => Err(Refusal::new(
            Reason::NotAnEntry,
            "lastmod",
            "must be a string or a date",
            &other.text(),
        )),
    }
}

/// Returns the day in a text, regardless of its UTC offset: that of `2025-11-14T19:30-08:00` is the 14th.
fn local_day(text: &str, at: i64) -> String {
    // Without its zone a time is read as UTC. In RFC 822 the zone is the last word.
    let begin = text
        .get(..10)
        .filter(|begin| parse_w3c(begin).precision == Some(Precision::Day));
    let zoneless = begin.or_else(|| text.rsplit_once(' ').map(|(begin, _)| begin));
    let local = zoneless.and_then(|begin| parse_w3c(begin).at).unwrap_or(at);
    day(local.div_euclid(DAY))
}

/// Returns a day, or a time with its zone, as it is written; the fields of videos and news require this.
pub fn exact<'a>(value: &'a Value<'a>, field: &str) -> Result<Cow<'a, str>, Refusal> {
    let text = match value {
        Value::Text(text) => Cow::Borrowed(trim(text)),
        Value::Day(_) | Value::Instant(_) => value.text(),
        other => {
            return Err(Refusal::new(
                Reason::NotAnEntry,
                field,
                "must be a string or a date",
                &other.text(),
            ));
        }
    };
    let read = parse_w3c(&text);
    match (read.at, read.precision, read.problem) {
        (Some(_), Some(precision), None) if precision >= Precision::Day => Ok(text),
        (Some(_), Some(Precision::Year | Precision::Month), None) => Err(Refusal::new(
            Reason::DateInvalid,
            field,
            "must be a day, or a time with a time zone",
            &text,
        )),
        (Some(at), Some(precision), Some(_)) if precision > Precision::Day => Ok(Cow::Owned(instant(at))),
        _ => Err(unreadable(field, &text)),
    }
}

fn checked<'a>(written: String, value: &Value) -> Result<Cow<'a, str>, Refusal> {
    if written.len() == 10 {
        return Ok(Cow::Owned(written));
    }
    // A day after the year 9999 does not have four digits.
    match parse_w3c(&written).problem {
        None => Ok(Cow::Owned(written)),
        Some(_) => Err(unreadable("lastmod", &value.text())),
    }
}

#[cold]
fn unreadable(field: &str, text: &str) -> Refusal {
    let problem = parse_w3c(text).problem.unwrap_or(DateProblem::NotADate);
    Refusal::new(Reason::DateInvalid, field, problem.name(), text)
}
