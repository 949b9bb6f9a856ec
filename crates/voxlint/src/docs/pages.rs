//! The pages of rules and readings, and the limits of fields in words.

use std::fmt::Write as _;

use voxlint_model::{Basis, Family, Rule, RuleFix, Safety, Severity, VerdictKind, quote, secret};
use voxlint_schema::readings::Reading;
use voxlint_schema::{Fractions, Items, Null, Presence, Role, Row, Shape, TextFormat};

use super::fix_examples::{self, FixExample};
use super::page_examples::{self, PageExample};
use crate::rules;

/// The page of a rule, in Markdown.
///
/// ```
/// let rule = voxlint::rules::find("duplicate-key").expect("a rule");
/// assert!(voxlint::docs::pages::rule(rule).starts_with("# duplicate-key\n"));
/// ```
pub fn rule(rule: &Rule) -> String {
    let mut page = description(rule);
    if rule.id == rules::ids::SECRET_IN_DOCUMENT {
        let names = secret::kinds::names().join("\n- ");
        let _ = writeln!(
            page,
            "\n## Known kinds\n\nKeys, tokens and addresses of these have a form of their own:\n\n- {names}"
        );
    }
    fix(&mut page, rule);
    page
}

/// The page of a rule without its fixes.
fn description(rule: &Rule) -> String {
    let mut page = format!("# {}\n\n", rule.id);
    // Whether inputs are given for the next example, and for an earlier one.
    let (mut knows, mut has_known) = (false, false);
    let source = rule.page();
    let checked = page_examples::of(rule, &source);
    let mut checked = checked.iter().peekable();
    let mut is_possible = false;
    for line in source.lines() {
        let example = line.strip_prefix("```").and_then(|info| info.split_once(','));
        if let Some((language, verdict)) = example {
            is_possible |= verdict == "possible";
            if ["stored", "facts", "variables"].contains(&verdict) {
                (knows, has_known) = (true, true);
            } else if !std::mem::take(&mut knows) && has_known {
                page.push_str("Without stored configuration and workspace facts:\n\n");
            }
            // Examples in a format that this build cannot read are not checked.
            let example = checked.next_if(|it| it.language == language && it.verdict == verdict);
            let introduction = introduction(rule, verdict, example);
            let _ = write!(page, "{introduction}\n\n```{language}\n");
        } else {
            page.push_str(&elided(line));
            page.push('\n');
        }
    }
    page.push('\n');
    let default = if rule.is_recommended { "" } else { ", off by default" };
    let _ = writeln!(page, "Group: `{}`{default}. Level: {}.", rule.group, levels(rule));
    let section = rule.section;
    let _ = match rule.basis {
        Some(Basis::Stated) => {
            write!(page, "\nStated in section {section} of the service's description.")
        }
        Some(Basis::Read(open)) => {
            write!(page, "\nRead from section {section} of the service's description. {open}")
        }
        Some(Basis::Inferred(why)) => {
            write!(
                page,
                "\nInferred, not stated in the service's description (see section {section}). {why}"
            )
        }
        _ => return page,
    };
    if let Some(status) = rule.status {
        let other = rule.other_status.map(|other| format!(" or {other}")).unwrap_or_default();
        let _ = write!(page, " A rejected update is answered with status {status}{other}.");
        if is_possible {
            let _ = write!(page, " A report writes `{status}{other}?` if it may be rejected.");
        }
    }
    page.push('\n');
    if !rule.reads.is_empty() {
        let names = quote::list(rule.reads.iter().map(|row| row.name));
        let _ = write!(
            page,
            "\nThe rule reads {names}. Fields that an update omits keep their stored values.\n"
        );
    }
    if !rule.readings.is_empty() {
        let noun = if rule.readings.len() == 1 { "reading" } else { "readings" };
        let names = rule.readings.iter().map(|it| it.name);
        let links: Vec<String> = names.map(|it| format!("[`{it}`](../readings.md#{it})")).collect();
        let _ = write!(page, "\nDepends on the {noun} {}.\n", links.join(", "));
    }
    page
}

/// A passage of the description that can be read in several ways, in Markdown: what each value means, how it is set, and which rules
/// depend on it.
///
/// ```
/// use voxlint::docs::pages;
/// use voxlint::readings::Reading;
///
/// let page = pages::reading(Reading::named("empty-ids").expect("a reading"));
/// assert!(page.contains("- `empty-ids = \"rejected\"`: an empty id is rejected\n"));
/// ```
pub fn reading(reading: &Reading) -> String {
    let Reading { name, section, question, values, .. } = reading;
    let mut page = format!("{} (section {section}).\n\n", sentence(question));
    for value in *values {
        let _ = writeln!(page, "- `{name} = \"{}\"`: {}", value.name, value.meaning);
    }
    if reading.strictest().is_none() {
        page.push_str(
            "\nNone of them is the strictest: each rejects something that another one accepts.\n",
        );
    }
    let rules: Vec<&str> = depending(reading).map(|rule| &*rule.id).collect();
    let _ = write!(page, "\nRules: {}\n", rules.join(", "));
    page
}

/// The rules that depend on a reading.
pub fn depending(reading: &Reading) -> impl Iterator<Item = &'static Rule> {
    rules::all().filter(move |rule| rule.readings.contains(&reading))
}

/// A clause as the beginning of a sentence.
pub(super) fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What the fixes of a rule do, with examples of the page before and after them.
fn fix(page: &mut String, rule: &Rule) {
    let Some(fix) = rule.fix else { return };
    let _ = writeln!(page, "\n## Fix\n\n{} {}", fix.about, safety_of(fix));
    for FixExample { safety, language, before, after } in fix_examples::of(rule) {
        let which = if fix.safety.len() > 1 { format!(" the {safety} fix") } else { String::new() };
        for (when, text) in [("Before", before), ("After", after)] {
            let text = elided(&text);
            let _ = write!(page, "\n{when}{which}:\n\n```{language}\n{text}```\n");
        }
    }
}

/// A text with an ellipsis in place of the middle of each long run of one character.
fn elided(text: &str) -> String {
    const SHOWN: usize = 5;
    const LONGEST: usize = 40;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = rest.trim_start_matches(first);
        let run = rest.strip_suffix(after).unwrap_or(rest);
        if run.chars().count() > LONGEST {
            let shown: String = std::iter::repeat_n(first, SHOWN).collect();
            let _ = write!(out, "{shown}…{shown}");
        } else {
            out.push_str(run);
        }
        rest = after;
    }
    out
}

/// Whether fixes may be applied without a review.
fn safety_of(fix: RuleFix) -> &'static str {
    match fix.safety {
        [Safety::Safe] => "The fix is safe: `voxlint check --fix` applies it.",
        [Safety::Unsafe] => {
            "The fix is unsafe, so it needs a review: `voxlint check --fix` applies it only with `--unsafe-fixes`."
        }
        _ => {
            "`voxlint check --fix` applies the safe fixes. The others need a review, and it applies them only with `--unsafe-fixes`."
        }
    }
}

/// The default levels of a rule: `warning or info`.
fn levels(rule: &Rule) -> String {
    let levels = super::levels(rule).into_iter().map(Severity::name);
    levels.collect::<Vec<_>>().join(" or ")
}

/// The line above an example.
fn introduction(rule: &Rule, verdict: &str, example: Option<&PageExample<'_>>) -> &'static str {
    match verdict {
        "reject" if example.is_some_and(only_contradicts) => "An error:",
        "reject" => "Rejected:",
        "possible" => "May be rejected:",
        "advice" | "reported" => advised(rule, example),
        "undecided" => "Undecided:",
        "stored" => "With this stored configuration:",
        "facts" => "With these workspace facts:",
        "beside" => "Beside this document, `a.json`:",
        "document" => "For this document, `agents/en.json`:",
        "variables" => "With these variables listed:",
        _ if is_sent(rule, example) => "Accepted:",
        _ => "No finding:",
    }
}

/// Whether the service accepts or rejects an example: configurations and answers of the service are not sent to it.
fn is_sent(rule: &Rule, example: Option<&PageExample<'_>>) -> bool {
    rule.family() != Family::Suppression && example.is_none_or(|it| it.kind.is_sent())
}

/// Whether an example contradicts the description, but is an answer of the service, which nothing rejects.
fn only_contradicts(example: &PageExample<'_>) -> bool {
    !example.kind.is_sent() && example.found.iter().all(|found| found.status.is_none())
}

/// The line above an example that the rule advises against: it says whether the service accepts it, and the severity.
fn advised(rule: &Rule, example: Option<&PageExample<'_>>) -> &'static str {
    let advice = |example: &PageExample<'_>| {
        let levels = example.found.iter().filter(|found| found.verdict == VerdictKind::Advice);
        levels.map(|found| found.severity).max()
    };
    let is_accepted = is_sent(rule, example) && !example.is_some_and(|it| it.is_undecided);
    match (example.and_then(advice).unwrap_or(rule.advice), is_accepted) {
        (Severity::Info, true) => "Accepted, with an info:",
        (Severity::Warning, true) => "Accepted, with a warning:",
        (Severity::Error, true) => "Accepted, with an error:",
        (Severity::Info, false) => "An info:",
        (Severity::Warning, false) => "A warning:",
        (Severity::Error, false) => "An error:",
    }
}

/// The limits of a row in words, one item for each.
///
/// ```
/// use voxlint::{docs::pages, schema::settings};
///
/// assert_eq!(pages::limits(settings::kb_min_score.row), ["0 to 1"]);
/// ```
pub fn limits(row: &Row) -> Vec<String> {
    let mut limits = Vec::new();
    match row.presence {
        Presence::Required => limits.push("required".to_owned()),
        Presence::Expected => limits.push("listed, but not called required".to_owned()),
        Presence::Optional => {}
    }
    if row.null == Null::Unspecified {
        limits.push("null is not described".to_owned());
    }
    match row.shape {
        Shape::Text(text) | Shape::List(Items::Texts(text)) => {
            if !text.choices.is_empty() {
                limits.push(quote::list(text.choices.iter().copied()));
            }
            if let Some(limit) = text.max_characters {
                limits.push(format!("at most {limit} characters"));
            }
            if let Some(terms) = text.terms {
                limits.push(format!(
                    "letters, digits and spaces; at most {} terms of {} characters, {} in total",
                    terms.most, terms.max_characters, terms.max_total
                ));
            }
            match text.format {
                TextFormat::TimeZone => limits.push("the name of an IANA time zone".to_owned()),
                TextFormat::DateTime => limits.push("a date and time of RFC 3339".to_owned()),
                TextFormat::Json => limits.push("JSON".to_owned()),
                TextFormat::Destinations { most } => limits.push(format!("at most {most} numbers")),
                TextFormat::Any => {}
            }
            match text.role {
                Role::Id(catalogue) => limits.push(format!("an id from the {}", catalogue.name())),
                Role::Prompt | Role::Speech => limits.push("a Handlebars template".to_owned()),
                Role::Instruction | Role::Label | Role::Keywords | Role::Free => {}
            }
        }
        Shape::Number(number) => {
            let unit = number.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
            match (number.min, number.max) {
                (Some(min), Some(max)) => limits.push(format!("{min} to {max}{unit}")),
                (Some(min), None) => limits.push(format!("{min}{unit} or more")),
                (None, Some(max)) => limits.push(format!("{max}{unit} or less")),
                (None, None) => limits.extend(number.unit.map(str::to_owned)),
            }
            if let Some(narrower) = number.disputed {
                limits.push(format!("disputed: {}", narrower.reading.question));
            }
            if number.fractions == Fractions::Unspecified {
                limits.push("a count: fractions are not described".to_owned());
            }
        }
        Shape::Flag
        | Shape::Map(_)
        | Shape::Entries(_)
        | Shape::EntriesOrFirst(_)
        | Shape::List(Items::Maps(_))
        | Shape::TextOrTexts => {}
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::elided;

    #[test]
    fn only_long_runs_are_elided() {
        let text = format!("KYC{} EMI\n", ",".repeat(41));
        assert_eq!(elided(&text), "KYC,,,,,…,,,,, EMI\n");
        let text = format!("KYC{} é", ",".repeat(40));
        assert_eq!(elided(&text), text);
    }
}
