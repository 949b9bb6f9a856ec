use voxlint_schema::error::{TABLE, error, statusCode};

use super::shared::status;
use crate::prelude::*;

rule! {
    /// An error body has a reason phrase that belongs to another status.
    ///
    /// `error` is the reason phrase of the status. Only the phrase for 429 is specified exactly: `Too Many Requests`.
    /// Another phrase for 429 is not an answer of the service. For other statuses, a phrase that differs from the standard
    /// one is reported.
    ///
    /// ```json,reject
    /// { "statusCode": 429, "message": "slow down", "error": "Rate Limited" }
    /// ```
    ///
    /// ```json,advice
    /// { "statusCode": 404, "message": "no such agent", "error": "Bad Request" }
    /// ```
    ///
    /// ```json,holds
    /// { "statusCode": 404, "message": "no such agent", "error": "Not Found" }
    /// ```
    "reason-phrase-differs": Object {
        group: Correctness,
        basis: Read("It specifies the phrase of 429. The other phrases are those of HTTP."),
        section: "7",
        fix: Unsafe("Writes the phrase of the status. The status may be wrong instead."),
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdict> {
    let (Some((number, number_at)), Some((phrase, place))) =
        (object.whole(&statusCode), object.get(&error))
    else {
        return Err(NoFinding::Holds);
    };
    let (status, expected) =
        status(number).filter(|(_, expected)| *expected != phrase).ok_or(NoFinding::Holds)?;
    let finding = Finding::new(
        place.clone(),
        format!("the reason phrase of {status} is `{expected}`, not {}", quote(&phrase)),
    )
    .also(number_at, "the status")
    .help(format!("use `{expected}`, or correct the status"))
    .fix(ProposedFix::replace(
        format!("replace with `{expected}`"),
        Safety::Unsafe,
        place,
        Replacement::Text(expected.to_owned()),
    ));
    Ok(if status == 429 { finding.section("8").reject() } else { finding.advice() })
}
