//! The Gregorian calendar, and the names of its parts in English and RFC 822.

pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
pub const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// Named time zones and their hours west of UTC. <https://www.rfc-editor.org/rfc/rfc822#section-5.1>
const ZONES: [(&str, i64); 11] = [
    ("UT", 0),
    ("GMT", 0),
    ("Z", 0),
    ("EST", 5),
    ("EDT", 4),
    ("CST", 6),
    ("CDT", 5),
    ("MST", 7),
    ("MDT", 6),
    ("PST", 8),
    ("PDT", 7),
];

/// Returns the hours west of UTC of a named time zone.
pub fn zone(name: &str) -> Option<i64> {
    let found = ZONES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, hours)| *hours)
}

/// Returns the index of a name in a list, given its first three letters.
pub fn short_name(names: &[&str], short: &str) -> Option<usize> {
    names.iter().position(|name| name[..3].eq_ignore_ascii_case(short))
}

/// Returns the index of a name in a list, given in full or by its first three letters.
pub fn name(names: &[&str], given: &str) -> Option<usize> {
    let whole = names.iter().position(|name| name.eq_ignore_ascii_case(given));
    whole.or_else(|| short_name(names, given))
}

#[inline]
pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days in a month from 1 to 12.
#[inline]
pub fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns whether the day exists.
#[inline]
pub fn is_day(year: i64, month: i64, day: i64) -> bool {
    (1..=12).contains(&month) && day >= 1 && (day <= 28 || day <= days_of_month(year, month))
}

/// Days before the first of each month in a year that starts in March, so that leap days come last.
const DAYS_BEFORE: [i64; 12] = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];

/// Converts a count of days since 1970-01-01 to year, month and day.
pub fn civil(days: i64) -> (i64, i64, i64) {
    // As below, years start in March; 400 years have 146,097 days.
    let since = days + 719_468;
    let era = since.div_euclid(146_097);
    let day_of_era = since.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month < 3), month, day)
}

/// Returns the days from 1970-01-01 to a day of the Gregorian calendar.
#[inline]
pub fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month < 3);
    // There are 719,468 days between 0000-03-01 and 1970-01-01.
    365 * year + year / 4 - year / 100 + year / 400 + DAYS_BEFORE[month as usize - 1] + day - 1 - 719_468
}
