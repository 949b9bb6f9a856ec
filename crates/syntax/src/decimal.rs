use std::cmp::Ordering;

/// A number as written, to the last digit. It is never rounded.
///
/// ```
/// use voxlint_syntax::Decimal;
///
/// let number = |text| Decimal::parse(text).expect("a number");
/// assert_eq!(number("15.0"), number("1.5e1"));
/// assert_eq!(number("-0"), number("0"));
/// assert!(number("1e400") > number("9e399"));
/// // In binary floating point the difference is a little more than 5.
/// assert!(number("20.1").cmp_sum(number("15.1"), 5).is_eq());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'a> {
    literal: &'a str,
    negative: bool,
    /// The digits from the first to the last that is not zero, possibly with a point; empty for zero.
    digits: &'a [u8],
    /// The power of ten of the first digit, plus one: the value is 0.DIGITS × 10^magnitude.
    magnitude: i64,
    /// The value, if it is written as a short integer, as most are.
    integer: Option<i64>,
}

/// The maximum length of a short integer: any such integer has 64 bits.
const SHORT: usize = 18;

impl<'a> Decimal<'a> {
    /// Parses a JSON number.
    pub fn parse(literal: &'a str) -> Option<Self> {
        let unsigned = literal.strip_prefix('-').unwrap_or(literal);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some((whole, fraction)) => (whole, fraction),
            None => (mantissa, ""),
        };
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty()
            || (whole.len() > 1 && whole.starts_with('0'))
            || !all_digits(whole)
            || !all_digits(fraction)
        {
            return None;
        }
        let digits = mantissa.trim_start_matches(['0', '.']);
        let digits = if mantissa.contains('.') {
            digits.trim_end_matches(['0', '.'])
        } else {
            digits.trim_end_matches('0')
        };
        let magnitude = if digits.is_empty() {
            0
        } else if whole == "0" {
            let zeros = fraction.len() - fraction.trim_start_matches('0').len();
            exponent.saturating_sub(length(zeros))
        } else {
            exponent.saturating_add(length(whole.len()))
        };
        Some(Self {
            literal,
            negative: literal.len() > unsigned.len() && !digits.is_empty(),
            digits: digits.as_bytes(),
            magnitude,
            integer: if literal.len() <= SHORT { literal.parse().ok() } else { None },
        })
    }

    /// The number as written.
    pub fn literal(self) -> &'a str {
        self.literal
    }

    /// The one text that all spellings of the number have in common.
    ///
    /// ```
    /// use voxlint_syntax::Decimal;
    ///
    /// let canonical = |text| Decimal::parse(text).expect("a number").canonical();
    /// assert_eq!(canonical("15.0"), canonical("1.5e1"));
    /// assert_ne!(canonical("15"), canonical("150"));
    /// ```
    pub fn canonical(self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let digits = self.digits.iter().filter(|digit| **digit != b'.');
        let digits: String = digits.map(|digit| char::from(*digit)).collect();
        format!("{sign}{digits}e{}", self.magnitude)
    }

    /// Whether the number is 0, or -0.
    pub fn is_zero(self) -> bool {
        self.digits.is_empty()
    }

    /// Whether the number is less than 0. -0 is not.
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// Whether the number has no fraction. 15.0 and 1.5e1 have none.
    pub fn is_whole(self) -> bool {
        self.magnitude >= self.digit_count()
    }

    /// The nearest 64-bit floating point number; infinite if the number is too large.
    pub fn to_f64(self) -> f64 {
        self.literal.parse().unwrap_or(f64::NAN)
    }

    /// Compares this number with the sum of two others: exactly if 128 bits hold them, and otherwise the nearest floating point
    /// numbers.
    pub fn cmp_sum(self, other: Decimal<'_>, addend: i64) -> Ordering {
        // The power of ten of the last digit of all three.
        let unit = self.last_power().min(other.last_power()).min(0);
        let exact = || {
            let addend = power_of_ten(unit)?.checked_mul(addend.into())?;
            Some(self.in_units(unit)?.cmp(&other.in_units(unit)?.checked_add(addend)?))
        };
        #[expect(clippy::cast_precision_loss, reason = "the others are not exact either")]
        let nearest = || self.to_f64().total_cmp(&(other.to_f64() + addend as f64));
        exact().unwrap_or_else(nearest)
    }

    fn last_power(self) -> i64 {
        self.magnitude - self.digit_count()
    }

    /// The number as a multiple of a power of ten that is not greater than that of its last digit.
    fn in_units(self, unit: i64) -> Option<i128> {
        let add =
            |sum: i128, digit: &u8| sum.checked_mul(10)?.checked_add(i128::from(digit - b'0'));
        let mut digits = self.digits.iter().filter(|digit| **digit != b'.');
        let size = digits.try_fold(0, add)?.checked_mul(power_of_ten(unit - self.last_power())?)?;
        Some(if self.negative { -size } else { size })
    }

    fn digit_count(self) -> i64 {
        length(self.digits.iter().filter(|digit| **digit != b'.').count())
    }

    fn cmp_magnitude(self, other: Decimal<'_>) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        let digits = |number: Decimal<'a>| number.digits.iter().filter(|digit| **digit != b'.');
        let others = other.digits.iter().filter(|digit| **digit != b'.');
        self.magnitude.cmp(&other.magnitude).then_with(|| digits(self).cmp(others))
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A larger exponent than 64 bits allow is treated as the largest: no text of 4 GiB can show the difference.
    let size = digits.parse::<i64>().unwrap_or(i64::MAX / 2).min(i64::MAX / 2);
    Some(if text.starts_with('-') { -size } else { size })
}

/// A length as a power of ten. Texts are shorter than 4 GiB.
fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal<'_> {}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Some(integer), Some(other)) = (self.integer, other.integer) {
            return integer.cmp(&other);
        }
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_magnitude(*other),
            (true, true) => other.cmp_magnitude(*self),
        }
    }
}

impl PartialEq<i64> for Decimal<'_> {
    fn eq(&self, other: &i64) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd<i64> for Decimal<'_> {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        Some(match self.integer {
            Some(integer) => integer.cmp(other),
            None => self.partial_cmp(&Decimal::parse(&other.to_string())?)?,
        })
    }
}

/// Ten to the power of a number that is not positive, with the other sign.
fn power_of_ten(unit: i64) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(unit.checked_neg()?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal<'_> {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn the_grammar_is_that_of_json() {
        for text in ["0", "-0", "0.5", "10", "1e5", "1E+05", "1.25e-3", "-0.0"] {
            assert!(Decimal::parse(text).is_some(), "{text}");
        }
        for text in [
            "", "-", "+1", "01", ".5", "1.", "1e", "1e+", "0x1", "1_0", "--1", "1.5.2", "NaN", "1 ",
        ] {
            assert!(Decimal::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn values_are_compared_and_not_spellings() {
        assert_eq!(number("15"), number("15.0"));
        assert_eq!(number("15"), number("0.15e2"));
        assert_eq!(number("1500"), number("1.5e3"));
        assert_eq!(number("0.000"), number("-0e99"));
        assert!(number("0.1") < number("0.11"));
        assert!(number("-2") < number("-1.5"));
        assert!(number("1e-400") > number("0"));
        assert!(number("1e999999999999999999999") > number("1e400"));
        assert_eq!(number("10"), 10);
        assert_eq!(number("-120"), number("-1.2e2"));
        assert_eq!(number("1000000000000000000"), number("1e18"));
        assert!(number("999999999999999999") < number("1000000000000000000"));
        assert!(number("-999999999999999999") > i64::MIN && number("-0") == 0);
        assert!(
            number("9223372036854775807") == i64::MAX && number("9223372036854775808") > i64::MAX
        );
        assert_eq!(number("-300.0"), -300);
        assert!(number("10.000000000000000000000001") > 10);
        assert!(number("0") < 1 && number("-0") == 0);
    }

    #[test]
    fn whole_is_a_matter_of_value() {
        assert!(number("15.0").is_whole() && number("1e1").is_whole() && number("0.0").is_whole());
        assert!(
            !number("1.5").is_whole() && !number("1e-1").is_whole() && number("1.5e1").is_whole()
        );
        assert!(number("100").is_whole());
    }

    #[test]
    fn sums_are_exact_to_the_last_digit() {
        let cmp = |a: &str, b: &str, n| number(a).cmp_sum(number(b), n);
        assert_eq!(cmp("20.1", "15.1", 5), Ordering::Equal);
        assert_eq!(cmp("20", "15", 5), Ordering::Equal);
        assert_eq!(cmp("20.00000000000000000001", "15", 5), Ordering::Greater);
        assert_eq!(cmp("19.9999999999999999999", "15", 5), Ordering::Less);
        assert_eq!(cmp("6", "1e-999999999", 5), Ordering::Greater);
        assert_eq!(cmp("1e999999999", "5", 5), Ordering::Greater);
        assert_eq!(cmp("-3", "-8", 5), Ordering::Equal);
        assert_eq!(cmp("100", "95", 5), Ordering::Equal);
        assert_eq!(cmp("1e2", "9.5e1", 5), Ordering::Equal);
        assert_eq!(cmp("0", "0", 0), Ordering::Equal);
        assert_eq!(cmp("10", "10.0", 0), Ordering::Equal);
    }
}
