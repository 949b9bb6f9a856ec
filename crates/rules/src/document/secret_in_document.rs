use voxlint_model::masking;
use voxlint_model::secret::Evidence;

use crate::prelude::*;

rule! {
    /// A text, a field name or a comment contains what looks like a secret.
    ///
    /// Anyone who can read the document can use the secret, and a secret in a prompt may be spoken. The rule checks documents of
    /// every kind, stored configurations, facts, text files and `voxlint.toml`. The following are found, even if they are written
    /// with escapes:
    ///
    /// - API keys of the service, `<key id>:<secret>`
    /// - the known kinds below, such as keys that begin with `sk-`, signed web tokens and private keys
    /// - the token after `Bearer`, in any letter case
    /// - random values of fields with the name of a secret, such as `signing_key`, and after such a name in a text, as in
    ///   `api_key=…`
    /// - passwords in web addresses
    ///
    /// Placeholders (`YOUR_API_KEY`, `xxxx`, `{{api_key}}`), digests and ids are not reported. A known kind leaves no doubt, so
    /// these are errors by default; the others are warnings. voxlint masks
    /// secrets in every report, as well as values that are too short or too plain for a finding.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Log in with c41d07be92aa65f3:Made-Up-For-This-Page-7" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Log in with hf_wNs4Kc8GjTb2VhYx6RfLzQm9" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Look at https://api.example.com:8443/v2/orders at 10:30" }
    /// ```
    "secret-in-document": Document {
        group: Security,
        basis: Read("It describes the form of a key. That a document should not contain one is common practice."),
        section: "5 rule 2",
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    secrets(document, kind, Origin::Document)
}

/// The secrets in one of the inputs.
pub(super) fn secrets(document: &Document, kind: DocumentKind, origin: Origin) -> Verdicts {
    let mut verdicts = Verdicts::none();
    masking::each(document.tree(), document.marks(), kind, |node, secrets| {
        // Another rule reports the values in a list of API keys.
        if kind == DocumentKind::ApiKeys && node.kind() != Kind::Key {
            return;
        }
        let likely = || secrets.iter().filter(|secret| secret.is_likely());
        let (Some(first), count) = (likely().next(), likely().count()) else { return };
        let whose = if node.kind() == Kind::Key { "this field name" } else { "this text" };
        let message = match count {
            1 if node.kind() == Kind::Key => "this field name looks like a secret".to_owned(),
            1 => "this looks like a secret".to_owned(),
            2 => format!("this looks like a secret, as does another part of {whose}"),
            _ => format!("this looks like a secret, as do {} more parts of {whose}", count - 1),
        };
        let place = Place::of(origin, node);
        let finding =
            Finding::new(place.clone().decoded(first.range.clone()), message).about_value(place);
        let is_certain = secrets.iter().any(|secret| secret.evidence == Evidence::Certain);
        verdicts.add(explained(finding, is_certain));
    });
    for (span, evidence) in masking::outside_values(document) {
        if evidence > Evidence::Weak {
            let place = Place { origin, ..Place::bytes(span) };
            let finding = Finding::new(place, "this looks like a secret").of_root();
            verdicts.add(explained(finding, evidence == Evidence::Certain));
        }
    }
    verdicts
}

fn explained(finding: Finding, is_certain: bool) -> Verdict {
    let finding = finding
        .label("masked here, but readable in the file")
        .help("revoke it, and remove it from the file");
    if is_certain { finding.an_error() } else { finding }.advice()
}
