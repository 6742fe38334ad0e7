//! Tables of dates in both formats, the whole calendar day by day, and properties.

use super::DateProblem::*;
use super::Precision::*;
use super::*;
use proptest::prelude::*;

const HOUR: i64 = 3600;
/// Seconds from 1970 to 2005-01-01, the year that the tables use.
const Y2005: i64 = 1_104_537_600;

fn read(seconds: i64, precision: Precision, problem: Option<DateProblem>) -> DateTime {
    DateTime {
        at: Some(seconds * MICROSECONDS),
        precision: Some(precision),
        problem,
    }
}

#[test]
fn w3c_good() {
    for (text, seconds, precision) in [
        ("2005", Y2005, Year),
        ("2005-01", Y2005, Month),
        ("2005-02", Y2005 + 31 * DAY, Month),
        ("2005-01-01", Y2005, Day),
        ("2005-12-31", Y2005 + 364 * DAY, Day),
        ("2004-02-29", Y2005 - 307 * DAY, Day),
        ("2000-02-29", 951_782_400, Day),
        ("1970-01-01", 0, Day),
        ("1969-12-31", -DAY, Day),
        ("0001-01-01", -62_135_596_800, Day),
        ("9999-12-31", 253_402_214_400, Day),
        ("2005-01-01T10:00Z", Y2005 + 10 * HOUR, Minute),
        ("2005-01-01T10:00+01:00", Y2005 + 9 * HOUR, Minute),
        ("2005-01-01T10:00:00Z", Y2005 + 10 * HOUR, Second),
        ("2005-01-01T23:59:59Z", Y2005 + DAY - 1, Second),
        ("2005-01-01T00:00:00-05:30", Y2005 + 5 * HOUR + 1800, Second),
        ("2005-01-01T00:00:00+14:00", Y2005 - 14 * HOUR, Second),
        ("2005-01-01T00:00:00-14:00", Y2005 + 14 * HOUR, Second),
        ("2005-01-01T00:00:00+00:00", Y2005, Second),
        ("2005-01-01T00:00:00-00:00", Y2005, Second),
        ("2005-01-01T00:00:00.0Z", Y2005, Fraction),
    ] {
        assert_eq!(parse_w3c(text), read(seconds, precision, None), "{text}");
    }
}

#[test]
fn fractions_are_cut_to_the_microsecond() {
    for (text, micros) in [
        ("2005-01-01T00:00:00.5Z", 500_000),
        ("2005-01-01T00:00:00.123Z", 123_000),
        ("2005-01-01T00:00:00.123456Z", 123_456),
        ("2005-01-01T00:00:00.123456789Z", 123_456),
        ("2005-01-01T00:00:00.9999999999999999999999999Z", 999_999),
        ("2005-01-01T00:00:00.000001Z", 1),
        ("1969-12-31T23:59:59.999999+00:00", -(Y2005 * MICROSECONDS) - 1),
    ] {
        assert_eq!(parse_w3c(text).at, Some(Y2005 * MICROSECONDS + micros), "{text}");
        assert_eq!(
            (parse_w3c(text).precision, parse_w3c(text).problem),
            (Some(Fraction), None),
            "{text}"
        );
    }
}

/// Problems that leave the instant clear.
#[test]
fn w3c_read_with_a_problem() {
    let ten = Y2005 + 10 * HOUR;
    for (text, problem, seconds, precision) in [
        ("2005-01-01T10:00:00", NoTimezone, ten, Second),
        ("2005-01-01T10:00", NoTimezone, ten, Minute),
        ("2005-01-01T10:00:00.000", NoTimezone, ten, Fraction),
        ("2005-01-01T10:00:00+0100", OffsetWithoutColon, ten - HOUR, Second),
        ("2005-01-01T10:00-0130", OffsetWithoutColon, ten + HOUR + 1800, Minute),
        ("2005-01-01T10:00:00+02", OffsetWithoutColon, ten - 2 * HOUR, Second),
        ("2005-01-01Z", TimezoneWithoutTime, Y2005, Day),
        ("2005-01-01z", TimezoneWithoutTime, Y2005, Day),
        ("2005-01-01+02:00", TimezoneWithoutTime, Y2005 - 2 * HOUR, Day),
        ("2005-01-01-02:00", TimezoneWithoutTime, Y2005 + 2 * HOUR, Day),
        ("2005-01-01+0200", TimezoneWithoutTime, Y2005 - 2 * HOUR, Day),
        ("2005-01Z", TimezoneWithoutTime, Y2005, Month),
        ("2005-01-02:00", TimezoneWithoutTime, Y2005 + 2 * HOUR, Month),
        ("2005Z", TimezoneWithoutTime, Y2005, Year),
        ("2005-02:00", TimezoneWithoutTime, Y2005 + 2 * HOUR, Year),
        ("2005-01-01 10:00:00Z", SpaceInsteadOfT, ten, Second),
        ("2005-01-01 10:00:00+01:00", SpaceInsteadOfT, ten - HOUR, Second),
        ("2005-01-01 10:00:00", SpaceInsteadOfT, ten, Second),
        ("2005-01-01 10:00", SpaceInsteadOfT, ten, Minute),
        ("2005-01-01 10:00:00 +0100", SpaceInsteadOfT, ten - HOUR, Second),
        ("2005-01-01 10:00:00 Z", SpaceInsteadOfT, ten, Second),
        ("2005-01-01 10:00:00 UTC", SpaceInsteadOfT, ten, Second),
        ("2005-01-01t10:00:00Z", LowerCase, ten, Second),
        ("2005-01-01T10:00:00z", LowerCase, ten, Second),
        ("2005-01-01t10:00:00", LowerCase, ten, Second),
        ("Sat, 01 Jan 2005 10:00:00 GMT", Rfc822, ten, Second),
        ("1 Jan 2005 10:00 +0000", Rfc822, ten, Minute),
        ("1 Jan 2005", Rfc822, Y2005, Day),
    ] {
        assert_eq!(parse_w3c(text), read(seconds, precision, Some(problem)), "{text}");
    }
}

#[test]
fn w3c_unreadable() {
    for (text, problem) in [
        ("", Empty),
        ("null", NotADate),
        ("n/a", NotADate),
        ("today", NotADate),
        ("205", NotADate),
        ("20050101", NotADate),
        ("20050101T100000Z", NotADate),
        ("1104537600", NotADate),
        ("2005-1-1", NotADate),
        ("2005-01-1", NotADate),
        ("2005-01-", NotADate),
        ("2005-", NotADate),
        ("2005/01/01", NotADate),
        ("2005.01.01", NotADate),
        ("01/01/2005", NotADate),
        ("01-01-2005", NotADate),
        ("2005-W01", NotADate),
        ("2005-W01-1", NotADate),
        ("2005-001", NotADate),
        ("2005-01-01T", NotADate),
        ("2005-01-01T10Z", NotADate),
        ("2005-01-01T10:00:00.Z", NotADate),
        ("2005-01-01T10:00:00,5Z", NotADate),
        ("2005-01-01T1000Z", NotADate),
        ("2005-01-01T10:0Z", NotADate),
        ("2005-01-01T10:00:00 Z", NotADate),
        ("2005-01-01T10:00:00ZZ", NotADate),
        ("2005-01-01T10:00:00+1:00", NotADate),
        ("2005-01-01T10:00:00+01:0", NotADate),
        ("2005-01-01T10:00:00+01:00Z", NotADate),
        ("2005-01-01T10:00:00 CET", NotADate),
        ("2005-01-01  10:00:00", NotADate),
        ("2005-01T10:00Z", NotADate),
        ("2005-01-01Tab:cdZ", NotADate),
        ("２００５-01-01", NotADate),
        ("2005-01-01T10:00:00−01:00", NotADate),
        (" 2005-01-01", NotADate),
        ("2005-01-01 ", NotADate),
        ("-5", NotADate),
        ("-1104537600", NotADate),
        ("1104537600Z", NotADate),
        ("12005-W01", NotADate),
        ("2005-02-30", ImpossibleDate),
        ("2005-02-29", ImpossibleDate),
        ("1900-02-29", ImpossibleDate),
        ("2005-13-01", ImpossibleDate),
        ("2005-00-01", ImpossibleDate),
        ("2005-01-00", ImpossibleDate),
        ("2005-01-32", ImpossibleDate),
        ("2005-04-31", ImpossibleDate),
        ("2005-13-45", ImpossibleDate),
        ("2005-13", ImpossibleDate),
        ("2005-02-30T10:00:00", ImpossibleDate),
        ("2005-02-30T25:00:00Z", ImpossibleDate),
        ("Wed, 30 Feb 2005 10:00:00 GMT", ImpossibleDate),
        ("2005-01-01T24:00:00Z", ImpossibleTime),
        ("2005-01-01T25:00Z", ImpossibleTime),
        ("2005-01-01T10:60:00Z", ImpossibleTime),
        ("2005-01-01T10:00:60Z", ImpossibleTime),
        ("2005-01-01 10:00:60", ImpossibleTime),
        ("2005-01-01T10:00:00+14:30", OffsetOutOfRange),
        ("2005-01-01T10:00:00+14:01", OffsetOutOfRange),
        ("2005-01-01T10:00:00-15:00", OffsetOutOfRange),
        ("2005-01-01T10:00:00+01:60", OffsetOutOfRange),
        ("2005-01-01T10:00:00+9900", OffsetOutOfRange),
        ("0000", YearOutOfRange),
        ("0000-00-00", YearOutOfRange),
        ("0000-00-00 00:00:00", YearOutOfRange),
        ("-0005-01-01", YearOutOfRange),
        ("-001-11-30", YearOutOfRange),
        ("-0001-11-30T00:00:00+00:00", YearOutOfRange),
        ("+2005-01-01", YearOutOfRange),
        ("12005-01-01", YearOutOfRange),
        ("12005", YearOutOfRange),
        ("+058382-01-01T00:00:00.000Z", YearOutOfRange),
    ] {
        assert_eq!(parse_w3c(text), DateTime::unreadable(problem), "{text:?}");
    }
}

#[test]
fn rfc822_good() {
    let ten = Y2005 + 10 * HOUR;
    for (text, seconds, precision) in [
        ("Sat, 01 Jan 2005 10:00:00 GMT", ten, Second),
        ("Sat, 1 Jan 2005 10:00:00 GMT", ten, Second),
        ("01 Jan 2005 10:00:00 UT", ten, Second),
        ("01 Jan 05 10:00 Z", ten, Minute),
        ("Sat,01 Jan 2005 10:00:00 GMT", ten, Second),
        ("sat, 01 JAN 2005 10:00:00 gmt", ten, Second),
        ("Sat,  01  Jan\n 2005\t10:00:00 GMT", ten, Second),
        ("Sat, 01 Jan 2005 10:00:00 +0100", ten - HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 -0000", ten, Second),
        ("Sat, 01 Jan 2005 10:00:00 -0530", ten + 5 * HOUR + 1800, Second),
        ("Sat, 01 Jan 2005 10:00:00 +0000 (UTC)", ten, Second),
        (
            "Sat, 01 Jan 2005 10:00:00 -0500 (Eastern Standard Time)",
            ten + 5 * HOUR,
            Second,
        ),
        ("Sat, 01 Jan 2005 10:00:00 EST", ten + 5 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 EDT", ten + 4 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 CST", ten + 6 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 CDT", ten + 5 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 MST", ten + 7 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 MDT", ten + 6 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 PST", ten + 8 * HOUR, Second),
        ("Sat, 01 Jan 2005 10:00:00 PDT", ten + 7 * HOUR, Second),
        ("31 Dec 49 00:00 GMT", 2_524_521_600, Minute),
        ("31 Dec 99 00:00 GMT", 946_598_400, Minute),
        ("29 Feb 2004 00:00 GMT", Y2005 - 307 * DAY, Minute),
    ] {
        assert_eq!(parse_rfc822(text), read(seconds, precision, None), "{text:?}");
    }
}

#[test]
fn rfc822_read_with_a_problem() {
    let ten = Y2005 + 10 * HOUR;
    for (text, problem, seconds, precision) in [
        ("Sat, 01 Jan 2005 10:00:00", NoTimezone, ten, Second),
        ("01 Jan 2005 10:00", NoTimezone, ten, Minute),
        ("Sat, 01 Jan 2005 10:00:00 CET", NoTimezone, ten, Second),
        ("Sat, 01 Jan 2005 10:00:00 A", NoTimezone, ten, Second),
        ("Sat, 01 Jan 2005 10:00:00 UTC", NotADate, ten, Second),
        ("Sat, 01 Jan 2005 10:00:00 +01:00", NotADate, ten - HOUR, Second),
        ("Sat, 01 Jan 2005", NotADate, Y2005, Day),
        ("2005-01-01T10:00:00Z", NotADate, ten, Second),
        ("2005-01-01T10:00:00", NotADate, ten, Second),
        ("2005-01-01", NotADate, Y2005, Day),
    ] {
        assert_eq!(parse_rfc822(text), read(seconds, precision, Some(problem)), "{text:?}");
    }
}

#[test]
fn rfc822_unreadable() {
    for (text, problem) in [
        ("", Empty),
        (" ", NotADate),
        ("yesterday", NotADate),
        ("Sat 01 Jan 2005 10:00:00 GMT", NotADate),
        ("Sat, Jan 01 2005 10:00:00 GMT", NotADate),
        ("Sat Jan  1 10:00:00 2005", NotADate),
        ("Saturday, 01-Jan-05 10:00:00 GMT", NotADate),
        ("Sat, 01 January 2005 10:00:00 GMT", NotADate),
        ("Sat, 001 Jan 2005 10:00:00 GMT", NotADate),
        ("Sat, 01 Jan 205 10:00:00 GMT", NotADate),
        ("Sat, 01 Jan 2005 10 GMT", NotADate),
        ("Sat, 01 Jan 2005 10:00:00.5 GMT", NotADate),
        ("Sat, 01 Jan 2005 10:00:00 GMT+1", NotADate),
        ("Sat, 01 Jan 2005 10:00:00 GMT extra", NotADate),
        ("Sat, 01 Jan 2005 10:00:00 +010", NotADate),
        ("Sat, 01 Jan 2005 10:00:00 GMT (unclosed", NotADate),
        ("2005-13-01T10:00:00Z", NotADate),
        ("Sat, 32 Jan 2005 10:00:00 GMT", ImpossibleDate),
        ("Sat, 00 Jan 2005 10:00:00 GMT", ImpossibleDate),
        ("Wed, 30 Feb 2005 10:00:00", ImpossibleDate),
        ("Sat, 01 Jan 2005 24:00:00 GMT", ImpossibleTime),
        ("Sat, 01 Jan 2005 10:00:60 GMT", ImpossibleTime),
        ("Sat, 01 Jan 2005 10:00:00 +1500", OffsetOutOfRange),
        ("Sat, 01 Jan 2005 10:00:00 +0060", OffsetOutOfRange),
        ("Sat, 01 Jan 0000 10:00:00 GMT", YearOutOfRange),
        ("Sat, 01 Jan 12005 10:00:00 GMT", YearOutOfRange),
    ] {
        assert_eq!(parse_rfc822(text), DateTime::unreadable(problem), "{text:?}");
    }
}

/// An offset cannot move an instant out of the range of Python's and SQL's calendars.
#[test]
fn instants_stay_within_the_calendar() {
    assert_eq!(parse_w3c("0001-01-01T00:00+14:00").at, Some(FIRST));
    assert_eq!(parse_w3c("9999-12-31T23:59:59-05:00").at, Some(LAST));
    assert_eq!(parse_w3c("9999-12-31T23:59:59.999999Z").at, Some(LAST));
}

#[test]
fn the_whole_calendar_counts_up_by_days() {
    let mut expected = FIRST;
    for year in 1..=9999 {
        let leap = (year % 4 == 0) != (year % 100 == 0) || year % 400 == 0;
        for (month, days) in [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            .into_iter()
            .enumerate()
        {
            for day in 1..=days {
                let mut reading = Reading::new(Day);
                reading.date(year, month as i64 + 1, day);
                assert_eq!(reading.done().at, Some(expected), "{year}-{}-{day}", month + 1);
                expected += DAY * MICROSECONDS;
            }
            let after = format!("{year:04}-{:02}-{:02}", month + 1, days + 1);
            assert_eq!(parse_w3c(&after), DateTime::unreadable(ImpossibleDate), "{after}");
        }
    }
    assert_eq!(expected, LAST + 1);
}

#[test]
fn every_problem_and_precision_occurs() {
    let texts = [
        "",
        "x",
        "2005-01-01T10:00",
        "2005-01-01T10:00+0100",
        "2005-01-01T10:00+20:00",
        "2005-02-30",
        "2005-01-01T24:00Z",
        "2005Z",
        "2005-01-01 10:00Z",
        "2005-01-01T10:00z",
        "0000",
        "1 Jan 2005 10:00 GMT",
    ];
    let problems: Vec<_> = texts.iter().filter_map(|text| parse_w3c(text).problem).collect();
    assert_eq!(problems, DateProblem::ALL);
}

proptest! {
    #[test]
    fn never_panics(text in any::<String>(), near in "[0-9TtZz:+ .-]{0,32}", words in "[ A-Za-z0-9,:+-]{0,40}") {
        let dated = [format!("2005-01-01T{near}"), format!("2005-01-01 {near}")];
        let built = dated.into_iter().chain([format!("1 Jan {words}"), format!("2005{text}")]);
        for text in built.chain([text, near, words]) {
            for read in [parse_w3c(&text), parse_rfc822(&text)] {
                prop_assert_eq!(read.at.is_some(), read.precision.is_some());
                prop_assert!(read.at.is_some() || read.problem.is_some());
                prop_assert!(read.at.is_none_or(|at| (FIRST..=LAST).contains(&at)));
            }
        }
    }

    #[test]
    fn both_formats_read_the_same_instant(
        day in 0_i64..3_600_000, second in 0_i64..86_400, offset in -840_i64..=840, micros in 0_i64..1_000_000,
    ) {
        // Computes the date from the day count by search, so that no formula is tested against itself.
        let days = FIRST / MICROSECONDS / DAY + day;
        let year = (1..=9999).rev().find(|year| days_since_1970(*year, 1, 1) <= days).expect("a year");
        let month = (1..=12).rev().find(|month| days_since_1970(year, *month, 1) <= days).expect("a month");
        let date = days - days_since_1970(year, month, 1) + 1;
        let (sign, hours, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60, offset.abs() % 60);
        let time = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
        let at = ((days * DAY + second - offset * 60) * MICROSECONDS).clamp(FIRST, LAST);
        let w3c = format!("{year:04}-{month:02}-{date:02}T{time}");
        let name = MONTH_NAMES[month as usize - 1];
        let rfc = parse_rfc822(&format!("{date} {name} {year:04} {time} {sign}{hours:02}{minutes:02}"));
        prop_assert_eq!(rfc, DateTime { at: Some(at), precision: Some(Second), problem: None });
        let zone = format!("{sign}{hours:02}:{minutes:02}");
        prop_assert_eq!(parse_w3c(&format!("{w3c}{zone}")), rfc);
        let exact = (at + micros).clamp(FIRST, LAST);
        if exact > FIRST {
            prop_assert_eq!(parse_w3c(&format!("{w3c}.{micros:06}{zone}")).at, Some(exact));
        }
    }
}

const MONTH_NAMES: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
