use std::collections::HashMap;

use voxlint_schema::api_keys::{TABLE, data, entry};

use crate::prelude::*;

rule! {
    /// A list of API keys has two keys with the same id.
    ///
    /// The id is the stable part of a key, so each key has its own.
    ///
    /// ```json,advice
    /// {
    ///   "data": [
    ///     { "id": "key_ci", "name": "ci", "is_expired": false },
    ///     { "id": "key_ci", "name": "deploy", "is_expired": false }
    ///   ],
    ///   "meta": { "page": 1, "limit": 20, "total": 2 }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "data": [
    ///     { "id": "key_ci", "name": "ci", "is_expired": false },
    ///     { "id": "key_deploy", "name": "deploy", "is_expired": false }
    ///   ],
    ///   "meta": { "page": 1, "limit": 20, "total": 2 }
    /// }
    /// ```
    "api-key-listed-twice": Object {
        group: Suspicious,
        basis: Stated,
        section: "2.4",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdicts> {
    let (keys, _) = object.get(&data).ok_or(NoFinding::Holds)?;
    let mut first_of = HashMap::new();
    let mut verdicts = Verdicts::none();
    for key in keys.elements() {
        let Some((id, place)) = object.inner(key, &entry::TABLE).get(&entry::id) else { continue };
        let Some(first) = first_of.get(&id) else {
            first_of.insert(id, place);
            continue;
        };
        // The part after a colon is a secret, not part of the id.
        let shown = id.split(':').next().unwrap_or_default();
        verdicts.add(
            Finding::new(place, format!("the API key {} is listed more than once", quote(shown)))
                .label("listed again")
                .also(Clone::clone(first), "first listed here")
                .help("keep only one of them")
                .advice(),
        );
    }
    Ok(verdicts)
}
