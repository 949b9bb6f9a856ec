//! Plans as a comment on a pull request: a table of the agents, then the details of each, folded.

use std::fmt::Write as _;

use voxlint::{AgentPlan, ChangedTexts, counted};

use crate::markdown::{code, comment};
use crate::options::RenderOptions;
use crate::patch::{PatchInput, render_patch};

use super::agent::{
    about, dangers, heard, is_marked, is_quiet, outcome_word, ranked, reasons, status_name,
    statuses,
};
use super::planned::PlanReport;
use super::summary::plan_summary;
use super::words::{ONLY_MASKED, is_only_masked};

/// The most characters of a comment on GitHub.
const LIMIT: usize = 65_536;

/// The characters that are left for the notes at the end.
const NOTES: usize = 1_500;

/// The characters of the table, at most.
const TABLE: usize = 24_000;

/// The characters of the order in which to send, at most.
const ORDER: usize = 6_000;

/// The files, and the reasons, changes, notes, findings and undecided checks of one agent that are listed.
const MAX_ITEMS: usize = 40;

/// The lines of a changed text that are shown, and the characters of a line.
const MAX_LINES: usize = 60;
const MAX_LINE: usize = 400;

pub(super) fn render(report: &PlanReport<'_>) -> String {
    let agents: Vec<&AgentPlan> =
        ranked(report).into_iter().filter(|agent| !is_quiet(agent)).collect();
    let mut out = format!("## voxlint plan\n\n**{}**\n", comment(&plan_summary(report.plan)));
    let unlisted = table(&mut out, &agents);
    failures(&mut out, report);
    order(&mut out, report);

    let mut left = LIMIT.saturating_sub(NOTES + out.chars().count());
    let (mut without_heard, mut without_texts, mut without_details) = (0_u64, 0_u64, 0_u64);
    // What callers hear is left out before changed words, and those before the details of any agent, if that is enough.
    let size = |block: &str| block.chars().count();
    let mut reserved: usize = agents.iter().map(|agent| size(&details(agent, Texts::None))).sum();
    if reserved > left {
        reserved = 0;
    }
    // Once something is left out, so is it of all less dangerous agents.
    let mut level = 0;
    for agent in &agents {
        let forms = [Texts::All, Texts::Changed, Texts::None].map(|texts| details(agent, texts));
        let [whole, changed, short] = &forms;
        reserved = reserved.saturating_sub(size(short));
        level += forms.iter().skip(level).take_while(|it| size(it) + reserved > left).count();
        match level {
            0 => {}
            1 => without_heard += u64::from(changed != whole),
            2 => without_texts += u64::from(short != whole),
            _ => without_details += 1,
        }
        if let Some(block) = forms.get(level) {
            left -= size(block);
            out.push_str(block);
        }
    }
    let omitted = [
        (unlisted as u64, "in the table"),
        (without_details, "in detail"),
        (without_texts, "with the changed words"),
        (without_heard, "with what callers hear"),
    ];
    for (count, what) in omitted.into_iter().filter(|(count, _)| *count > 0) {
        let agents = counted(count, "agent");
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{agents} not shown {what}: a comment has at most {LIMIT} characters, and the least dangerous agents are left out first.\n"
        );
    }
    out
}

/// Writes the table, and returns how many agents are not in it.
fn table(out: &mut String, agents: &[&AgentPlan]) -> usize {
    if agents.is_empty() {
        return 0;
    }
    out.push_str("\n| agent | outcome | changes | dangerous | changed in the service |\n|---|---|--:|--:|--:|\n");
    let mut left = TABLE;
    for (index, agent) in agents.iter().enumerate() {
        let row = format!(
            "| {} | {} | {} | {} | {} |\n",
            code(&agent.name),
            outcome_word(agent.outcome),
            number(agent.changes.len(), false),
            number(dangers(agent), true),
            number(agent.drift.len(), agent.has_drift()),
        );
        let Some(rest) = left.checked_sub(row.chars().count()) else {
            return agents.len() - index;
        };
        left = rest;
        out.push_str(&row);
    }
    0
}

/// A count in a table, empty if it is 0.
fn number(count: usize, is_marked: bool) -> String {
    match count {
        0 => String::new(),
        _ if is_marked => format!("**{count}**"),
        _ => count.to_string(),
    }
}

fn failures(out: &mut String, report: &PlanReport<'_>) {
    if report.failed.is_empty() {
        return;
    }
    out.push_str("\nCould not be planned:\n\n");
    items(out, report.failed, "file", |failure| {
        format!("{}: {}", code(&failure.path), comment(&failure.message))
    });
}

/// Writes the order in which to send the bodies, folded.
fn order(out: &mut String, report: &PlanReport<'_>) {
    let sent = report.plan.order.iter().filter_map(|at| report.plan.agents.get(*at));
    let sent: Vec<&AgentPlan> = sent.collect();
    if sent.len() < 2 {
        return;
    }
    let agents = counted(sent.len() as u64, "agent");
    // Writing to a string cannot fail.
    let _ = write!(out, "\n<details>\n<summary>Order to send: {agents}</summary>\n\n");
    let mut left = ORDER;
    for (index, agent) in sent.iter().enumerate() {
        let row = format!("{}. {}\n", index + 1, code(&agent.name));
        let Some(rest) = left.checked_sub(row.chars().count()) else {
            let more = counted((sent.len() - index) as u64, "more agent");
            let _ = write!(out, "\nand {more}\n");
            break;
        };
        left = rest;
        out.push_str(&row);
    }
    out.push_str("\n</details>\n");
}

fn item(out: &mut String, line: &str) {
    out.push_str("- ");
    out.push_str(line);
    out.push('\n');
}

/// Lists some things, and how many more there are.
fn items<T>(out: &mut String, all: &[T], noun: &str, line: impl Fn(&T) -> String) {
    all.iter().take(MAX_ITEMS).for_each(|one| item(out, &line(one)));
    if let Some(more @ 1..) = all.len().checked_sub(MAX_ITEMS) {
        item(out, &format!("and {}", counted(more as u64, &format!("more {noun}"))));
    }
}

/// The texts in the details of an agent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    /// The changed ones, and what callers hear of them.
    All,
    Changed,
    None,
}

/// The details of an agent.
fn details(agent: &AgentPlan, texts: Texts) -> String {
    let about = about(agent);
    let about =
        if about.is_empty() { String::new() } else { format!(" ({})", code(&about.join(", "))) };
    let danger = if dangers(agent) > 0 { ", <strong>dangerous</strong>" } else { "" };
    let mut out = format!(
        "\n<details>\n<summary>{}{about}: {}{danger}</summary>\n\n",
        code(&agent.name),
        outcome_word(agent.outcome)
    );
    for status in statuses(agent) {
        let reasons = reasons(status);
        if reasons.is_empty() {
            if status.status != 200 {
                item(&mut out, &status_name(status));
            }
            continue;
        }
        items(&mut out, &reasons, "reason", |reason| {
            format!("{}: {}", status_name(status), comment(reason))
        });
    }
    let marked = |is_dangerous: bool, sentence: &str| {
        let mark = if is_dangerous { "**dangerous**: " } else { "" };
        format!("{mark}{}", comment(sentence))
    };
    items(&mut out, &agent.changes, "change", |it| marked(it.is_dangerous(), &it.sentence));
    items(&mut out, &agent.drift, "change in the service", |it| {
        marked(is_marked(it), &it.sentence)
    });
    items(&mut out, &agent.findings, "finding", |finding| {
        let found = &finding.diagnostic;
        let (word, rule) = (found.severity.name(), code(&found.rule.id));
        let help = found.help.as_deref().map(|help| format!(" ({})", comment(help)));
        format!("{word} {rule}: {}{}", comment(&found.message), help.unwrap_or_default())
    });
    items(&mut out, &agent.undecided, "undecided check", |entry| {
        format!("undecided {}: {}", code(&entry.rule.id), comment(&entry.why()))
    });
    items(&mut out, &agent.notes, "note", |note| format!("note: {}", comment(note)));
    for change in agent.changes.iter().take(MAX_ITEMS).filter(|_| texts != Texts::None) {
        if let Some(texts) = &change.texts {
            let field = code(change.field.trim_start_matches('/'));
            // Writing to a string cannot fail.
            let _ = write!(out, "\n{field}:\n\n{}", fenced(&diff(texts)));
        }
    }
    for (when, texts) in heard(agent).into_iter().filter(|_| texts == Texts::All) {
        let texts = texts.map(|texts| format!("\n{}", fenced(&diff(texts))));
        // Writing to a string cannot fail.
        let _ = write!(out, "\n{}\n{}", comment(&when), texts.unwrap_or_default());
    }
    out.push_str("\n</details>\n");
    out
}

/// A block of code whose fence is longer than every run of backticks in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}diff\n{text}{fence}\n")
}

/// The changed lines of a text.
fn diff(texts: &ChangedTexts) -> String {
    let mut lines = Vec::new();
    for (old, new) in texts.parts() {
        add_hunks(&mut lines, old, new);
    }
    let left = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    if left > 0 {
        lines.push(format!("… {}", counted(left as u64, "more line")));
    }
    lines.into_iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

fn add_hunks(lines: &mut Vec<String>, before: &str, after: &str) {
    // That only one of them ends with a line break is nothing to say here.
    let [old, new] = [before, after].map(|text| {
        let is_closed = text.ends_with('\n') || text.is_empty();
        if is_closed { text.to_owned() } else { format!("{text}\n") }
    });
    let change = PatchInput {
        path: "",
        lines_before: 0,
        is_line: false,
        before: &old,
        after: &new,
        secrets_before: &[],
        secrets_after: &[],
    };
    let patch = render_patch(&change, &RenderOptions::default());
    lines.extend(patch.hunks.lines().map(|line| match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }));
    if is_only_masked(before, after) {
        lines.push(format!("… {ONLY_MASKED}"));
    }
}
