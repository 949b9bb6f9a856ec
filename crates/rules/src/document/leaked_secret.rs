use voxlint_model::masking;
use voxlint_model::masking::LeakedSecret;

use crate::prelude::*;

rule! {
    /// A list of API keys contains a secret.
    ///
    /// The service shows the secret part of a key only once, when the key is created. In a list, the `id` is the part before
    /// the colon. If a file contains more, anyone who can read it can use the key.
    /// voxlint masks the secret in every report.
    ///
    /// ```json,reject
    /// {
    ///   "data": [{ "id": "key_ci", "name": "ci", "is_expired": false, "secret": "made-up-for-this-page-7" }],
    ///   "meta": { "page": 1, "limit": 20, "total": 1 }
    /// }
    /// ```
    ///
    /// ```json,reject
    /// {
    ///   "data": [{ "id": "key_ci:made-up-for-this-page-7", "name": "ci", "is_expired": false }],
    ///   "meta": { "page": 1, "limit": 20, "total": 1 }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "data": [{ "id": "key_ci", "name": "ci", "is_expired": false }],
    ///   "meta": { "page": 1, "limit": 20, "total": 1 }
    /// }
    /// ```
    "leaked-secret": Document {
        group: Security,
        basis: Stated,
        section: "4.2 rule 1",
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if kind != DocumentKind::ApiKeys {
        return Verdicts::none();
    }
    masking::leaked_secrets(document.tree())
        .into_iter()
        .map(|(node, leak)| {
            let place = Place::of(Origin::Document, node);
            let name = node.name().and_then(Node::as_str);
            let finding = match (leak, name) {
                (LeakedSecret::AfterColon(part), _) => Finding::new(
                    place.decoded(part),
                    "the id of an API key contains its secret, the part after the colon",
                )
                .label("the secret"),
                (LeakedSecret::Whole, Some(name)) => {
                    let message =
                        format!("the list of API keys contains a secret in {}", quote(&name));
                    Finding::new(place, message)
                }
                (LeakedSecret::Whole, None) => {
                    Finding::new(place, "the list of API keys contains a secret")
                }
            };
            finding
                .help("revoke the key, create a new one, and remove the secret from this file")
                .reject()
        })
        .collect()
}
