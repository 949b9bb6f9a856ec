//! The note of a finding, which says what the service would answer.

use voxlint_model::VerdictKind;
use voxlint_schema::DocumentKind;
use voxlint_schema::error::reason_phrase;

/// The note of a finding: what the service would answer, and what that depends on.
pub(crate) fn note(
    kind: DocumentKind,
    verdict: VerdictKind,
    status: Option<(u16, Option<u16>)>,
    section: &str,
    depends_on: Option<&str>,
) -> Option<String> {
    let section = reference(section);
    let answer = match status {
        Some((status, Some(other))) => format!("{} or {}", spell(status), spell(other)),
        Some((status, None)) => spell(status),
        None => String::new(),
    };
    match (verdict, depends_on) {
        // The shapes of related files are voxlint's own, and no description says anything of them.
        (_, None) if kind.is_voxlint_format() => None,
        // The description is about what is sent.
        (VerdictKind::Reject, _) if status.is_none() && kind.is_sent() => None,
        (VerdictKind::Reject, _) if status.is_none() => {
            Some(format!("this contradicts the service's description ({section})"))
        }
        (VerdictKind::Reject, _) => Some(format!("the service would answer {answer} ({section})")),
        (VerdictKind::Possible, Some(words)) if status.is_none() => {
            Some(format!("{words} ({section})"))
        }
        (VerdictKind::Possible, Some(words)) => {
            Some(format!("the service may answer {answer} ({section}): {words}"))
        }
        (VerdictKind::Possible | VerdictKind::Advice, _) => None,
    }
}

/// A status with its phrase.
pub(crate) fn spell(status: u16) -> String {
    format!("{status} {}", reason_phrase(status).unwrap_or_default())
}

/// The place in the description, in words for people: `update agent, rule 6` of `4.1 rule 6`.
fn reference(section: &str) -> String {
    let (number, rule) =
        section.split_once(' ').map_or((section, None), |(number, rule)| (number, Some(rule)));
    let name = match number {
        "1" => "overview",
        "2.1" => "agents",
        "2.2" => "version summaries",
        "2.3" => "agent settings",
        "2.4" => "API keys",
        "2.5" => "list metadata",
        "2.6" => "error bodies",
        "3" => "states and transitions",
        "4.1" => "update agent",
        "4.2" => "list API keys",
        "5" => "authentication",
        "6" => "events",
        "7" => "errors",
        "8" => "limits",
        "9" => "versioning",
        _ => return section.to_owned(),
    };
    match rule {
        Some(rule) => format!("{name}, {rule}"),
        None => format!("{name}, section {number}"),
    }
}
