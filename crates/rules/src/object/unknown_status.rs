use voxlint_schema::error::{STATUSES, TABLE, statusCode};

use super::shared::status;
use crate::prelude::*;

rule! {
    /// An error body has a status that the service does not answer with.
    ///
    /// Errors have 400, 401, 403, 404, 409, 429 or 500; a 304 has no body. A body with another status comes from a proxy or
    /// from another service.
    ///
    /// ```json,advice
    /// { "statusCode": 502, "message": "upstream timed out", "error": "Bad Gateway" }
    /// ```
    ///
    /// ```json,holds
    /// { "statusCode": 409, "message": "active workflows use the number", "error": "Conflict" }
    /// ```
    "unknown-status": Object {
        group: Suspicious,
        basis: Stated,
        section: "7",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdict> {
    let (number, place) = object.whole(&statusCode).ok_or(NoFinding::Holds)?;
    if status(number).is_some() {
        return Err(NoFinding::Holds);
    }
    let known: Vec<String> = STATUSES.iter().map(|(status, _)| status.to_string()).collect();
    Ok(Finding::new(place, format!("{} is not a status of the service's errors", number.literal()))
        .help(format!(
            "exclude the file if the body is from a proxy; the service answers with {}",
            known.join(", ")
        ))
        .advice())
}
