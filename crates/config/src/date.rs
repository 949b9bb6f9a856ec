use std::fmt;

use jiff::Span;
use jiff::civil;

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
pub struct Date(civil::Date);

/// Why a text is not a valid date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl fmt::Display for DateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => formatter.write_str("a date is written as in 2027-01-31"),
            Self::Month(month) => write!(formatter, "there is no month {month:02}"),
            Self::Day { year, month, days } => match civil_date(*year, *month, 1) {
                Some(first) => write!(formatter, "{} {year} has {days} days", first.strftime("%B")),
                None => write!(formatter, "the month has {days} days"),
            },
        }
    }
}

impl std::error::Error for DateError {}

fn civil_date(year: u16, month: u8, day: u8) -> Option<civil::Date> {
    let (month, day) = (month.try_into().ok()?, day.try_into().ok()?);
    civil::Date::new(year.try_into().ok()?, month, day).ok()
}

impl Date {
    /// The day of a year up to 9999, a month from 1 and a day from 1.
    ///
    /// # Errors
    ///
    /// If the calendar has no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Result<Self, DateError> {
        if year > 9999 {
            return Err(DateError::Form);
        }
        let first = civil_date(year, month, 1).ok_or(DateError::Month(month))?;
        let days = first.days_in_month().unsigned_abs();
        civil_date(year, month, day).map(Self).ok_or(DateError::Day { year, month, days })
    }

    /// The day that is so many days after 1970-01-01, or the last day of the year 9999 if that is earlier.
    ///
    /// ```
    /// use voxlint_config::Date;
    /// assert_eq!(Date::from_days(20_000).to_string(), "2024-10-04");
    /// ```
    pub fn from_days(days: u64) -> Self {
        let days = i64::try_from(days).unwrap_or(i64::MAX);
        let span = Span::new().try_days(days).ok();
        let date = span.and_then(|span| civil::date(1970, 1, 1).checked_add(span).ok());
        Self(date.unwrap_or(civil::Date::MAX))
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
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_outside_the_calendar_are_rejected() {
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
    fn days_are_counted_from_1970() {
        assert_eq!(Date::from_days(0).to_string(), "1970-01-01");
        assert_eq!(Date::from_days(11_016).to_string(), "2000-02-29");
        assert_eq!(Date::from_days(u64::MAX).to_string(), "9999-12-31");
    }
}
