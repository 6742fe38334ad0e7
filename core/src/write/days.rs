//! Formats days and instants.

use crate::value::calendar::civil;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Formats a day as `2025-11-14`.
pub fn day(days: i64) -> String {
    let (year, month, day) = civil(days);
    if !(0..=9999).contains(&year) {
        return format!("{year:04}-{month:02}-{day:02}");
    }
    let digit = |number: i64| char::from(b'0' + (number % 10) as u8);
    let (century, year) = (year / 100, year % 100);
    let digits = [century / 10, century, year / 10, year, month / 10, month, day / 10, day].map(digit);
    let mut text = String::with_capacity(10);
    for (place, digit) in digits.into_iter().enumerate() {
        if place == 4 || place == 6 {
            text.push('-');
        }
        text.push(digit);
    }
    text
}

/// Days that were formatted before, as their ten bytes: a set of sitemaps has many pages but few days.
pub struct Days(Box<[(i32, [u8; 10])]>);

/// Number of days cached: eleven years, and a power of two.
const REMEMBERED: usize = 4096;

impl Days {
    pub fn new() -> Self {
        // No day with a four-digit year has this number.
        Self(vec![(i32::MIN, [0; 10]); REMEMBERED].into_boxed_slice())
    }

    /// Returns a day of the years 0001 to 9999, or `None`.
    #[inline]
    pub fn get(&mut self, days: i32) -> Option<&str> {
        let place = &mut self.0[days as usize % REMEMBERED];
        if place.0 != days {
            if !(-719_162..=2_932_896).contains(&days) {
                return None;
            }
            place.1.copy_from_slice(day(i64::from(days)).as_bytes());
            place.0 = days;
        }
        std::str::from_utf8(&place.1).ok()
    }
}

/// Formats an instant as `2025-11-14T19:30:00+00:00`, with its fraction if it has one.
pub fn instant(at: i64) -> String {
    let (days, rest) = (at.div_euclid(DAY), at.rem_euclid(DAY));
    let (seconds, micros) = (rest / SECOND, rest % SECOND);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if micros == 0 {
        String::new()
    } else {
        format!(".{micros:06}").trim_end_matches('0').to_owned()
    };
    format!("{}T{hour:02}:{minute:02}:{second:02}{fraction}+00:00", day(days))
}
