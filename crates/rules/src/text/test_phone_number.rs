use voxlint_model::text::destinations::{destinations, is_number};

use crate::prelude::*;

rule! {
    /// A transfer destination is a test or invalid phone number.
    ///
    /// Examples and tests use such numbers, and a call that is transferred to one fails. The rule reports numbers of the
    /// right form that
    ///
    /// - end in `555-0100` to `555-0199` (`+1`), which are reserved for fiction
    /// - have an area code or an exchange (`+1`: the first three digits, and the next three) that begins with 0 or 1 or ends in
    ///   11, the area code 555, or an area code with a 9 in the middle, which no number has
    /// - have a 0 after `+91`, which no number has
    /// - consist of one digit, or of digits in ascending or descending order
    ///
    /// Each number is reported once. The description asks only for the country code and ten digits: the service accepts such numbers.
    ///
    /// ```json,advice
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+12125550123" } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671|+912266778899" } }
    /// ```
    "test-phone-number": Text {
        group: Suspicious,
        basis: Inferred("The description asks for a country code and ten digits, and any digits match."),
        section: "2.3",
        needs: [Destinations],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    if !matches!(text.shape.format, TextFormat::Destinations { .. }) {
        return Verdicts::none();
    }
    let mut verdicts = Verdicts::none();
    for destination in destinations(text.text).filter(|it| is_number(it.text)) {
        let Some(why) = reason(destination.text) else { continue };
        let shown = quote(destination.text);
        let finding = Finding::new(text.place(destination.range()), format!("{shown} {why}"))
            .about_value(text.value.place())
            .label("not a real number")
            .help("write the number that calls are transferred to")
            .once_for(destination.text);
        verdicts.add(finding.advice());
    }
    verdicts
}

/// Why a number that consists of a country code and ten digits does not exist.
pub(super) fn reason(number: &str) -> Option<&'static str> {
    let is_indian = number.starts_with("+91");
    let digits = number.strip_prefix(if is_indian { "+91" } else { "+1" })?.as_bytes();
    let steps = |step: fn(u8, u8) -> bool| {
        digits.iter().zip(digits.iter().skip(1)).all(|(one, next)| step(*one - b'0', *next - b'0'))
    };
    let is_counted =
        steps(|one, next| next == (one + 1) % 10) || steps(|one, next| one == (next + 1) % 10);
    match (is_indian, digits) {
        _ if steps(|one, next| one == next) => Some("repeats one digit"),
        _ if is_counted => Some("has its digits in order"),
        (true, [b'0', ..]) => Some("begins with 0 after the country code, which no number does"),
        (
            false,
            [b'0' | b'1', ..] | [_, b'1', b'1', ..] | [_, b'9', ..] | [b'5', b'5', b'5', ..],
        ) => Some("has an area code that no number has"),
        (false, [_, _, _, b'0' | b'1', ..] | [_, _, _, _, b'1', b'1', ..]) => {
            Some("has an exchange (the digits after the area code) that no number has")
        }
        (false, [_, _, _, b'5', b'5', b'5', b'0', b'1', _, _]) => Some("is reserved for fiction"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use voxlint::syntax::Format;
    use voxlint::{Document, Inputs, check};

    use super::reason;

    #[test]
    fn numbers_that_the_numbering_plans_do_not_assign_cannot_be_called() {
        for number in [
            "+15551234567",
            "+15555550100",
            "+10155552671",
            "+11155552671",
            "+14111112671",
            "+14110552671",
            "+19115552671",
            "+19995552671",
            "+14150552671",
            "+14151552671",
            "+14159112671",
            "+14155550142",
            "+18005550199",
            "+910123456780",
        ] {
            assert!(reason(number).is_some(), "{number}");
        }
        for number in [
            "+14155552671",
            "+12125551212",
            "+12129876543",
            "+18002255288",
            "+18334455667",
            "+19177654320",
            "+12012012012",
            "+911123456780",
            "+919115552671",
            "+915551234567",
            "+918005550199",
        ] {
            assert!(reason(number).is_none(), "{number}");
        }
    }

    #[test]
    fn a_number_that_is_listed_twice_is_reported_once() {
        let text = r#"{"version_number": 3, "default_dynamic_variables":
            {"agent_transfer_destinations": "+12125550123|+12125550123|+919999999999"}}"#;
        let report = check(&Inputs::new(Document::parse_as(text, Format::Json)));
        let of_rule = report.diagnostics.iter().filter(|it| it.rule.id == super::RULE.id);
        let found: Vec<&str> = of_rule.map(|it| it.message.as_str()).collect();
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
