use voxlint_syntax::Kind;

use crate::document::Document;
use crate::place::Place;
use crate::rule::rule;
use crate::secrets;
use crate::verdict::{Finding, Verdicts};
use crate::{DocumentKind, Origin};

rule! {
    /// A text holds what looks like a secret.
    ///
    /// What stands behind the colon of an API key is secret. Whoever reads the document can use it, and what stands in a prompt may
    /// be spoken. The keys of well-known services and what follows `Bearer` count, too. voxlint covers the secret in every
    /// report.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Log in with 8f3a9c2b1d4e5f60:not-A-real-secret-1" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Look at https://api.example.com:8443/v2/orders at 10:30" }
    /// ```
    "secret-in-document": Document {
        section: "5 rule 2",
    }
}

fn check(document: &Document<'_>, kind: DocumentKind) -> Verdicts {
    if !kind.is_sent() {
        return Verdicts::none();
    }
    document
        .tree
        .nodes()
        .filter(|node| node.kind() == Kind::String)
        .filter_map(|node| {
            let secrets = secrets::in_text(node.source());
            let first = secrets.first()?;
            let start = node.span().start;
            let at = voxlint_syntax::Span::new(start + first.start, start + first.end);
            let message = match secrets.len() {
                1 => "this looks like a secret".to_owned(),
                count => format!("this looks like a secret, and {} more in this text", count - 1),
            };
            Some(
                Finding::new(Place::bytes(at), message)
                    .about_value(Place::of(Origin::Document, node))
                    .label("covered here, and readable in the document")
                    .help("revoke it, and keep secrets where the service asks for them")
                    .advice(),
            )
        })
        .collect()
}
