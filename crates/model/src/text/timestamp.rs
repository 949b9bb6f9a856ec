//! Timestamps of RFC 3339 and ISO 8601.
//!
//! The forms are read here, because a message needs the exact place and reason of each mistake. The calendar comes from jiff.

use std::borrow::Cow;
use std::ops::Range;

use jiff::civil;
use jiff::tz::Offset;

/// The standard that a timestamp follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampFormat {
    /// `2025-01-31T09:30:00Z`: every part, the offset included, and the separators between them.
    Rfc3339,
    /// Also the forms of ISO 8601 without separators, seconds or the offset.
    Iso8601,
}

/// A valid timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp<'a> {
    /// The instant. Unknown without an offset.
    pub instant: Option<Instant<'a>>,
    /// The bytes of the second's decimals. Without decimals, an empty range after the seconds.
    pub decimals: Range<usize>,
}

/// An instant, exact to the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant<'a> {
    /// Seconds since the year 1970 in UTC.
    seconds: i64,
    /// The decimals without trailing zeros, so that they compare like texts.
    decimals: &'a str,
}

/// Where and why a text is not a valid timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is in the text.
    pub at: Range<usize>,
    /// What is wrong there.
    pub what: Cow<'static, str>,
}

/// The seconds of a day.
const DAY: i64 = 86_400;

/// Reads a timestamp.
///
/// # Errors
///
/// What is wrong, if it is not one.
pub fn read(text: &str, form: TimestampFormat) -> Result<Timestamp<'_>, Fault> {
    let mut cursor = Cursor { text, at: 0, form };
    let day = cursor.date()?;
    let rest = cursor.at + 1 < text.len();
    let what = if rest { "a `T` belongs here" } else { "a `T` and the time belong here" };
    cursor.mark(b"Tt", what)?;
    let (seconds, decimals) = cursor.time()?;
    let offset = cursor.offset()?;
    if cursor.at < text.len() {
        return Err(Fault { at: cursor.at..text.len(), what: "nothing follows the offset".into() });
    }
    let instant = day.zip(offset).map(|(day, offset)| Instant {
        seconds: day * DAY + seconds.of_day - offset,
        decimals: text.get(decimals.clone()).unwrap_or_default().trim_end_matches('0'),
    });
    if let (true, Some(instant)) = (seconds.leap, &instant)
        && instant.seconds % DAY != 0
    {
        let what = "a leap second is the last of a day in UTC".into();
        return Err(Fault { at: seconds.written, what });
    }
    Ok(Timestamp { instant, decimals })
}

/// The seconds since midnight, and the place of the last part of the time.
struct Seconds {
    of_day: i64,
    leap: bool,
    written: Range<usize>,
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    form: TimestampFormat,
}

impl Cursor<'_> {
    /// The days since 1970. `None` for a week date or an ordinal date, which are not needed.
    fn date(&mut self) -> Result<Option<i64>, Fault> {
        let (year, _) = self.digits(4, "the year has four digits")?;
        let separated = self.separator(b'-', "a `-` belongs between year and month")?;
        if self.form == TimestampFormat::Iso8601 {
            if self.eat(b"W") {
                self.digits(2, "the week has two digits")?;
                if separated {
                    self.mark(b"-", "a `-` belongs between week and day")?;
                }
                self.digits(1, "the day of the week has one digit")?;
                return Ok(None);
            }
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            if rest.iter().take_while(|byte| byte.is_ascii_digit()).count() == 3 {
                self.digits(3, "the day of the year has three digits")?;
                return Ok(None);
            }
        }
        let (month, at) = self.digits(2, "the month has two digits")?;
        let first = i16::try_from(year).ok().zip(i8::try_from(month).ok());
        let first = first.and_then(|(year, month)| civil::Date::new(year, month, 1).ok());
        let Some(first) = first else {
            return Err(Fault { at, what: format!("there is no month {month}").into() });
        };
        if separated {
            self.mark(b"-", "a `-` belongs between month and day")?;
        }
        let (day, at) = self.digits(2, "the day has two digits")?;
        let date = i8::try_from(day).ok().and_then(|day| first.with().day(day).build().ok());
        let Some(date) = date else {
            let (month, days) = (first.strftime("%B"), first.days_in_month());
            return Err(Fault { at, what: format!("{month} {year} has {days} days").into() });
        };
        Ok(days_since_1970(date))
    }

    fn time(&mut self) -> Result<(Seconds, Range<usize>), Fault> {
        let hour = self.up_to(23, "hours")?.0;
        let separated = self.separator(b':', "a `:` belongs between hours and minutes")?;
        let (minute, minutes) = self.up_to(59, "minutes")?;
        let of_day = hour * 3600 + minute * 60;
        let next = self.next();
        let is_short = if separated { next != Some(b':') } else { !digit(next) };
        if self.form == TimestampFormat::Iso8601 && is_short {
            let none = self.at..self.at;
            return Ok((Seconds { of_day, leap: false, written: minutes }, none));
        }
        if separated {
            self.mark(b":", "a `:` belongs between minutes and seconds")?;
        }
        let (second, written) = self.digits(2, "the seconds have two digits")?;
        if second > 60 {
            return Err(Fault { at: written, what: "seconds go to 59".into() });
        }
        let marks: &[u8] = if self.form == TimestampFormat::Iso8601 { b".," } else { b"." };
        let from = self.at + 1;
        let decimals = if self.eat(marks) {
            while digit(self.next()) {
                self.at += 1;
            }
            if self.at == from {
                return Err(self.fault("decimals belong here"));
            }
            from..self.at
        } else {
            self.at..self.at
        };
        Ok((Seconds { of_day: of_day + second, leap: second == 60, written }, decimals))
    }

    /// The offset from UTC in seconds.
    fn offset(&mut self) -> Result<Option<i64>, Fault> {
        if self.eat(b"Zz") {
            return Ok(Some(0));
        }
        if self.form == TimestampFormat::Iso8601 && self.at == self.text.len() {
            return Ok(None);
        }
        let sign = match self.mark(b"+-", "an offset belongs here: `Z`, or one like `+05:30`")? {
            b'-' => -1,
            _ => 1,
        };
        let (hours, _) = self.up_to(23, "hours")?;
        if self.form == TimestampFormat::Iso8601 && self.at == self.text.len() {
            return Ok(Some(sign * hours * 3600));
        }
        self.separator(b':', "a `:` belongs between hours and minutes")?;
        let (minutes, _) = self.up_to(59, "minutes")?;
        Ok(Some(sign * (hours * 3600 + minutes * 60)))
    }

    /// A separator, which is optional in ISO 8601. Returns whether it is there.
    fn separator(&mut self, mark: u8, what: &'static str) -> Result<bool, Fault> {
        if self.form == TimestampFormat::Iso8601 {
            return Ok(self.eat(&[mark]));
        }
        self.mark(&[mark], what).map(|_| true)
    }

    fn up_to(&mut self, most: i64, what: &str) -> Result<(i64, Range<usize>), Fault> {
        let (number, at) = self.digits(2, format!("the {what} have two digits"))?;
        if number > most {
            return Err(Fault { at, what: format!("{what} go to {most}").into() });
        }
        Ok((number, at))
    }

    fn digits(
        &mut self,
        count: usize,
        what: impl Into<Cow<'static, str>>,
    ) -> Result<(i64, Range<usize>), Fault> {
        let from = self.at;
        let mut number = 0;
        for _ in 0..count {
            match self.next() {
                Some(byte) if byte.is_ascii_digit() => {
                    number = number * 10 + i64::from(byte - b'0');
                    self.at += 1;
                }
                _ => return Err(self.fault(what)),
            }
        }
        Ok((number, from..self.at))
    }

    fn mark(&mut self, marks: &[u8], what: &'static str) -> Result<u8, Fault> {
        match self.next() {
            Some(byte) if marks.contains(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            _ => Err(self.fault(what)),
        }
    }

    fn eat(&mut self, marks: &[u8]) -> bool {
        let found = self.next().is_some_and(|byte| marks.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// A fault at the next character. Only ASCII has been read, so a character begins here.
    fn fault(&self, what: impl Into<Cow<'static, str>>) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let width = rest.chars().next().map_or(0, char::len_utf8);
        Fault { at: self.at..self.at + width, what: what.into() }
    }
}

fn digit(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_digit())
}

/// The days from 1970-01-01 to a date.
fn days_since_1970(date: civil::Date) -> Option<i64> {
    let midnight = Offset::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()?;
    Some(midnight.as_second().div_euclid(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> Instant<'_> {
        read(text, TimestampFormat::Rfc3339).ok().and_then(|written| written.instant).expect(text)
    }

    fn fault(text: &str) -> (Range<usize>, String) {
        let fault = read(text, TimestampFormat::Rfc3339).expect_err(text);
        (fault.at, fault.what.into_owned())
    }

    #[test]
    fn moments_are_compared_across_offsets_and_to_the_last_decimal() {
        assert_eq!(instant("2025-01-01T05:30:00+05:30"), instant("2025-01-01T00:00:00.000Z"));
        assert!(instant("2025-01-01T00:00:00+05:30") < instant("2024-12-31T23:59:59Z"));
        assert!(instant("2025-01-01T00:00:00.09Z") < instant("2025-01-01T00:00:00.1Z"));
        assert_eq!(instant("1970-01-02t00:00:00z").seconds, DAY);
        assert_eq!(instant("2016-12-31T23:59:60Z"), instant("2017-01-01T00:00:00Z"));
        assert_eq!(instant("2017-01-01T05:29:60+05:30"), instant("2017-01-01T00:00:00Z"));
    }

    #[test]
    fn only_real_dates_are_read() {
        for fine in ["2024-02-29T00:00:00Z", "2000-02-29T23:59:59-00:00", "0000-01-01T00:00:00Z"] {
            assert!(read(fine, TimestampFormat::Rfc3339).is_ok(), "{fine}");
        }
        let cases = [
            ("", 0..0, "the year has four digits"),
            ("2024-13-01T00:00:00Z", 5..7, "there is no month 13"),
            ("2024-00-01T00:00:00Z", 5..7, "there is no month 0"),
            ("2023-02-29T00:00:00Z", 8..10, "February 2023 has 28 days"),
            ("1900-02-29T00:00:00Z", 8..10, "February 1900 has 28 days"),
            ("2024-04-31T00:00:00Z", 8..10, "April 2024 has 30 days"),
            ("2024-04-00T00:00:00Z", 8..10, "April 2024 has 30 days"),
            ("2024-01-01", 10..10, "a `T` and the time belong here"),
            ("2024-01-01 00:00:00Z", 10..11, "a `T` belongs here"),
            ("2024-01-01T24:00:00Z", 11..13, "hours go to 23"),
            ("2024-01-01T23:60:00Z", 14..16, "minutes go to 59"),
            ("2024-01-01T23:59:61Z", 17..19, "seconds go to 59"),
            ("2024-01-01T12:00:60Z", 17..19, "a leap second is the last of a day in UTC"),
            ("2024-01-01T12:00Z", 16..17, "a `:` belongs between minutes and seconds"),
            ("2024-01-01T12:00:00.Z", 20..21, "decimals belong here"),
            ("2024-01-01T12:00:00,5Z", 19..20, "an offset belongs here: `Z`, or one like `+05:30`"),
            ("2024-01-01T12:00:00", 19..19, "an offset belongs here: `Z`, or one like `+05:30`"),
            ("2024-01-01T12:00:00+0530", 22..23, "a `:` belongs between hours and minutes"),
            ("2024-01-01T12:00:00+24:00", 20..22, "hours go to 23"),
            ("2024-01-01T12:00:00+05:60", 23..25, "minutes go to 59"),
            ("2024-01-01T12:00:00Z ", 20..21, "nothing follows the offset"),
            ("2024-1-01T12:00:00Z", 6..7, "the month has two digits"),
            ("2024-०1-01T12:00:00Z", 5..8, "the month has two digits"),
        ];
        for (text, at, what) in cases {
            assert_eq!(fault(text), (at, what.to_owned()), "{text}");
        }
    }

    #[test]
    fn iso_8601_leaves_out_more() {
        for fine in [
            "20240101T120000Z",
            "2024-01-01T12:00:00.000",
            "2024-01-01T12:00:00,000+0530",
            "2024-01-01T12:00+05",
            "2024-W01-1T12:00:00Z",
            "2024-001T12:00:00.000Z",
            "20240101T1200",
        ] {
            assert!(read(fine, TimestampFormat::Iso8601).is_ok(), "{fine}");
            assert!(read(fine, TimestampFormat::Rfc3339).is_err(), "{fine}");
        }
        for bad in ["2024-01-01", "20241301T120000Z", "2024-01-01T25:00:00Z", "yesterday"] {
            assert!(read(bad, TimestampFormat::Iso8601).is_err(), "{bad}");
        }
    }
}
