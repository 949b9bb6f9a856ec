use std::fmt;

/// A day of the calendar.
///
/// ```
/// use voxlint_config::Date;
///
/// let last: Date = "2027-01-31".parse()?;
/// assert!(last < "2027-02-01".parse()?);
/// assert_eq!("2027-02-30".parse::<Date>().unwrap_err().to_string(), "February 2027 has 28 days");
/// # Ok::<(), voxlint_config::DateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateError {
    /// It does not have the form `2027-01-31`.
    Form,
    /// There is no such month.
    Month(u8),
    /// The month of that year does not have so many days.
    Day {
        /// The year.
        year: u16,
        /// The month, from 1.
        month: u8,
        /// How many days it has.
        days: u8,
    },
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl fmt::Display for DateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => formatter.write_str("a date is written as in 2027-01-31"),
            Self::Month(month) => write!(formatter, "there is no month {month:02}"),
            Self::Day { year, month, days } => {
                let name = MONTHS.get(usize::from(*month).saturating_sub(1)).unwrap_or(&"it");
                write!(formatter, "{name} {year} has {days} days")
            }
        }
    }
}

impl std::error::Error for DateError {}

impl Date {
    /// The day of a year, a month from 1 and a day from 1.
    ///
    /// # Errors
    ///
    /// If the calendar has no such day.
    pub const fn new(year: u16, month: u8, day: u8) -> Result<Self, DateError> {
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return Err(DateError::Month(month)),
        };
        if day == 0 || day > days {
            return Err(DateError::Day { year, month, days });
        }
        Ok(Self { year, month, day })
    }

    /// The day that is so many days after 1970-01-01, as clocks count them; the last day of the year 9999 for all that is
    /// later.
    ///
    /// ```
    /// use voxlint_config::Date;
    /// assert_eq!(Date::from_days(20_000).to_string(), "2024-10-04");
    /// ```
    pub fn from_days(days: u64) -> Self {
        let mut left = days;
        for year in 1970..=9999 {
            for month in 1..=12 {
                let length = (28..=31).rev().find(|day| Self::new(year, month, *day).is_ok());
                let length = length.unwrap_or(31);
                if left < u64::from(length) {
                    return Self { year, month, day: left as u8 + 1 };
                }
                left -= u64::from(length);
            }
        }
        Self { year: 9999, month: 12, day: 31 }
    }
}

impl std::str::FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let mut parts = text.split('-');
        let mut number = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u16>().ok())?
        };
        let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else {
            return Err(DateError::Form);
        };
        if parts.next().is_some() {
            return Err(DateError::Form);
        }
        // Two digits fit.
        Self::new(year, month as u8, day as u8)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_do_not_exist_are_none() {
        for (text, error) in [
            ("2027-1-31", DateError::Form),
            ("2027-01-31T00:00", DateError::Form),
            ("2027-01-31-", DateError::Form),
            ("31.01.2027", DateError::Form),
            ("+027-01-31", DateError::Form),
            ("", DateError::Form),
            ("2027-13-01", DateError::Month(13)),
            ("2027-00-01", DateError::Month(0)),
            ("2027-01-00", DateError::Day { year: 2027, month: 1, days: 31 }),
            ("2027-02-29", DateError::Day { year: 2027, month: 2, days: 28 }),
            ("1900-02-29", DateError::Day { year: 1900, month: 2, days: 28 }),
        ] {
            assert_eq!(text.parse::<Date>(), Err(error), "{text}");
        }
        for text in ["2028-02-29", "2000-02-29", "2027-12-31", "0000-01-01"] {
            assert_eq!(text.parse::<Date>().map(|date| date.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn days_are_counted_as_clocks_count_them() {
        assert_eq!(Date::from_days(0).to_string(), "1970-01-01");
        assert_eq!(Date::from_days(11_016).to_string(), "2000-02-29");
        assert_eq!(Date::from_days(u64::MAX).to_string(), "9999-12-31");
    }
}
