//! Counts instants per month, for the histogram of lastmod.

const MICROS_PER_DAY: i64 = 86_400_000_000;
/// Counts by month, in the proleptic Gregorian calendar.
#[derive(Clone, Debug, Default)]
pub struct Months {
    /// One count per month, starting at the earliest month counted, in months since year 0.
    counts: Vec<i64>,
    first: usize,
}

impl Months {
    /// Counts an instant, in microseconds since 1970. Instants outside the years 0 to 9999 count in the first or last
    /// month.
    #[inline]
    pub fn count(&mut self, at: i64) {
        let month = month_of(at.div_euclid(MICROS_PER_DAY));
        match self.counts.get_mut(month.wrapping_sub(self.first)) {
            Some(count) => *count += 1,
            None => self.count_outside(month),
        }
    }

    #[cold]
    fn count_outside(&mut self, month: usize) {
        if self.counts.is_empty() {
            self.first = month;
        }
        let first = self.first.min(month);
        self.counts.splice(0..0, std::iter::repeat_n(0, self.first - first));
        self.first = first;
        let needed = (month - first + 1).max(self.counts.len());
        self.counts.resize(needed, 0);
        self.counts[month - first] += 1;
    }

    /// Returns year, month (from 1) and count of each month with a count, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (i32, i32, i64)> {
        self.counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(index, count)| {
                let month = (self.first + index) as i32;
                (month / 12, month % 12 + 1, *count)
            })
    }
}

/// The first and the last day of those years, in days since 1970.
const FIRST_DAY: i64 = -719_528;
const LAST_DAY: i64 = 2_932_896;

/// Returns the months since year 0 of a day counted from 1970, limited to the first and last day of the years.
///
/// Algorithm of Neri and Schneider, <https://doi.org/10.1002/spe.3172>: a division by a constant is a multiplication,
/// and its remainder the lower half of the product. Days are counted from March 1 of the year -400, so that none is
/// negative and leap days come last in their year.
#[inline]
fn month_of(day: i64) -> usize {
    let day = (day.clamp(FIRST_DAY, LAST_DAY) + 719_468 + 146_097) as u32;
    let quarters = 4 * day + 3;
    let (century, of_century) = (quarters / 146_097, (quarters % 146_097) | 3);
    let product = 2_939_745 * u64::from(of_century);
    let (year, of_year) = ((product >> 32) as u32, product as u32 / 2_939_745 / 4);
    // March is month 2 of its year; January and February are months 12 and 13 of the year before.
    let month = ((2_141 * of_year + 197_913) >> 16) - 1;
    ((100 * century + year) * 12 + month) as usize - 400 * 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years_is_in_its_month() {
        // From January 1 of year 0 on, by the calendar's own rules.
        let mut day = FIRST_DAY;
        for year in 0..10_000_i64 {
            let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            for (index, length) in [31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
                .iter()
                .enumerate()
            {
                for _ in 0..*length {
                    assert_eq!(month_of(day), year as usize * 12 + index, "day {day}");
                    day += 1;
                }
            }
        }
        assert_eq!(day, LAST_DAY + 1);
    }

    #[test]
    fn months_are_counted_in_any_order() {
        let mut months = Months::default();
        for day in [20_000, 0, 31, 20_001, -800_000, 3_000_000] {
            months.count(day * MICROS_PER_DAY);
        }
        let found: Vec<_> = months.iter().collect();
        assert_eq!(
            found,
            [(0, 1, 1), (1970, 1, 1), (1970, 2, 1), (2024, 10, 2), (9999, 12, 1)]
        );
    }
}
