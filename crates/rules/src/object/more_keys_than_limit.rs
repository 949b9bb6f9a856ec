use voxlint_schema::api_keys::{TABLE, data, meta};

use crate::prelude::*;

rule! {
    /// A page of the list of API keys has more keys than its limit.
    ///
    /// `meta.limit` is the number of results per page, so this page combines several pages, or the limit belongs to another
    /// page.
    ///
    /// ```json,advice
    /// {
    ///   "data": [
    ///     { "id": "key_ci", "name": "ci", "is_expired": false },
    ///     { "id": "key_deploy", "name": "deploy", "is_expired": false }
    ///   ],
    ///   "meta": { "page": 1, "limit": 1, "total": 2 }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "data": [{ "id": "key_ci", "name": "ci", "is_expired": false }],
    ///   "meta": { "page": 1, "limit": 1, "total": 2 }
    /// }
    /// ```
    "more-keys-than-limit": Object {
        group: Suspicious,
        basis: Stated,
        section: "4.2",
        table: TABLE,
    }
}

fn check(object: &ObjectValue<'_>) -> Checked<Verdict> {
    let (Some((keys, place)), Some((numbers, _))) = (object.get(&data), object.get(&meta)) else {
        return Err(NoFinding::Holds);
    };
    let (limit, limit_at) =
        object.inner(numbers, &meta::TABLE).whole(&meta::limit).ok_or(NoFinding::Holds)?;
    let count = keys.elements().count();
    let too_many = i64::try_from(count).is_ok_and(|count| limit < count);
    if !too_many {
        return Err(NoFinding::Holds);
    }
    Ok(Finding::new(
        place.name(),
        format!("the page has {count} keys, over its limit of {}", limit.literal()),
    )
    .also(limit_at, "the limit")
    .help("keep each page of the list in its own file, with its own `meta`")
    .advice())
}
