//! Plans as one page for a browser.

use std::io;

use askama::Template;
use voxlint::{AgentPlan, ChangedTexts, DriftKind, Outcome, PlannedChange, counted};

use crate::emitters::html::{findings, write_page};
use crate::html::{
    HtmlFinding, Prose, Tile, failed_files, page_options, plain, prose, skipped_files,
};
use crate::options::RenderOptions;

use super::agent::{
    Documents, about, dangers, heard, is_marked, is_quiet, outcome_word, ranked, reasons,
    status_name, statuses, undecided_checks,
};
use super::planned::{PlanReport, counted_outcomes};
use super::summary::plan_summary;
use super::words::{WordKind, WordLine, WordPiece, changed_words};

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanPage {
    version: &'static str,
    summary: String,
    tiles: Vec<Tile>,
    agents: Vec<HtmlAgent>,
    /// The agents that stay as they are, each with what is known of it.
    quiet: Vec<(String, String)>,
    quiet_count: String,
    order: Vec<String>,
    failed: Vec<(String, String)>,
    skipped: Vec<(String, String)>,
    skipped_count: String,
}

struct HtmlAgent {
    name: String,
    about: String,
    outcome: &'static str,
    class: &'static str,
    counts: [Tile; 3],
    statuses: Vec<HtmlStatus>,
    dangers: Vec<HtmlChange>,
    changes: Vec<HtmlChange>,
    heard: Vec<HtmlChange>,
    drift: Vec<HtmlDrift>,
    notes: Vec<Vec<Prose>>,
    findings: Vec<HtmlFinding>,
    /// The undecided rules, and why.
    undecided: Vec<(String, Vec<Prose>)>,
}

struct HtmlStatus {
    name: String,
    class: &'static str,
    reasons: Vec<Vec<Prose>>,
}

struct HtmlChange {
    sentence: Vec<Prose>,
    words: Vec<WordPiece>,
}

struct HtmlDrift {
    word: &'static str,
    class: &'static str,
    sentence: Vec<Prose>,
}

pub(super) fn write(
    out: &mut dyn io::Write,
    report: &PlanReport<'_>,
    options: &RenderOptions,
) -> io::Result<()> {
    let documents = Documents::new(report);
    let options = page_options(options);
    let (quiet, agents): (Vec<_>, Vec<_>) =
        ranked(report).into_iter().partition(|agent| is_quiet(agent));
    let order = report.plan.order.iter().filter_map(|at| report.plan.agents.get(*at));
    let page = PlanPage {
        version: env!("CARGO_PKG_VERSION"),
        summary: plan_summary(report.plan),
        tiles: tiles(report),
        agents: agents
            .into_iter()
            .map(|agent| html_agent(agent, report, &documents, &options))
            .collect(),
        quiet_count: counted(quiet.len() as u64, "unchanged agent"),
        quiet: quiet.into_iter().map(|agent| (plain(&agent.name), about_line(agent))).collect(),
        order: order.map(|agent| plain(&agent.name)).collect(),
        failed: failed_files(report.failed),
        skipped: skipped_files(report.skipped),
        skipped_count: counted(report.skipped.len() as u64, "skipped file"),
    };
    write_page(out, &page)
}

fn tiles(report: &PlanReport<'_>) -> Vec<Tile> {
    let counts = &report.plan.counts;
    let outcomes = counted_outcomes(counts).into_iter().map(|(outcome, number)| Tile {
        label: super::planned::counted_as(outcome),
        number,
        class: outcome_class(outcome),
    });
    let risks = [
        Tile { label: "with dangerous changes", number: counts.dangers, class: "bad" },
        Tile { label: "changed in the service", number: counts.drifted, class: "bad" },
        Tile { label: "checks undecided", number: undecided_checks(report.plan), class: "warn" },
    ];
    outcomes.chain(risks).filter(|tile| tile.number > 0).collect()
}

const fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Refused => "bad",
        Outcome::Depends => "warn",
        Outcome::Publish => "note",
        Outcome::Update => "good",
        _ => "",
    }
}

fn about_line(agent: &AgentPlan) -> String {
    plain(&about(agent).join(" · "))
}

fn html_agent(
    agent: &AgentPlan,
    report: &PlanReport<'_>,
    documents: &Documents<'_>,
    options: &RenderOptions,
) -> HtmlAgent {
    let (dangerous, changes): (Vec<_>, Vec<_>) =
        agent.changes.iter().partition(|change| change.is_dangerous());
    let located = documents.findings(agent, options, true);
    HtmlAgent {
        name: plain(&agent.name),
        about: about_line(agent),
        outcome: outcome_word(agent.outcome),
        class: outcome_class(agent.outcome),
        counts: counts(agent),
        statuses: if matches!(agent.outcome, Outcome::NoChange) {
            Vec::new()
        } else {
            html_statuses(agent)
        },
        dangers: dangerous.into_iter().map(html_change).collect(),
        changes: changes.into_iter().map(html_change).collect(),
        heard: heard(agent)
            .into_iter()
            .map(|(when, texts)| HtmlChange {
                sentence: prose(&when),
                words: texts.map(html_words).unwrap_or_default(),
            })
            .collect(),
        drift: agent
            .drift
            .iter()
            .map(|drift| HtmlDrift {
                word: match drift.kind {
                    DriftKind::Conflict => "conflict",
                    _ if drift.is_overwritten => "would be overwritten",
                    DriftKind::Same => "same change",
                    DriftKind::Service => "changed in the service",
                    kind => kind.name(),
                },
                class: if is_marked(drift) { "bad" } else { "note" },
                sentence: prose(&drift.sentence),
            })
            .collect(),
        notes: agent.notes.iter().map(|note| prose(note)).collect(),
        findings: findings(report.documentation, &located),
        undecided: located
            .undecided
            .iter()
            .map(|entry| (plain(&entry.rule.id), prose(&entry.why)))
            .collect(),
    }
}

/// The numbers of the table. A narrow page shows the labels beside them.
fn counts(agent: &AgentPlan) -> [Tile; 3] {
    let count = |label, number, class| Tile { label, number, class };
    let drift_class = if agent.has_drift() { "c-bad" } else { "" };
    [
        count("changed", agent.changes.len(), ""),
        count("dangerous", dangers(agent), "c-bad"),
        count("changed in the service", agent.drift.len(), drift_class),
    ]
}

fn html_statuses(agent: &AgentPlan) -> Vec<HtmlStatus> {
    let shown = statuses(agent).into_iter().map(|status| HtmlStatus {
        name: status_name(status),
        class: match (status.status, status.is_expected) {
            (200, _) => "good",
            (_, true) => "bad",
            (_, false) => "warn",
        },
        reasons: reasons(status).iter().map(|reason| prose(reason)).collect(),
    });
    shown.collect()
}

fn html_change(change: &PlannedChange) -> HtmlChange {
    HtmlChange {
        sentence: prose(&change.sentence),
        words: change.texts.as_ref().map(html_words).unwrap_or_default(),
    }
}

fn html_words(texts: &ChangedTexts) -> Vec<WordPiece> {
    let mut words: Vec<WordPiece> = Vec::new();
    let parts = texts.parts().into_iter();
    for line in parts.flat_map(|(old, new)| changed_words(old, new)) {
        if !words.is_empty() {
            words.push(WordPiece { kind: WordKind::Same, text: "\n".to_owned() });
        }
        match line {
            WordLine::Skipped(count) => {
                let lines = counted(count as u64, "unchanged line");
                words.push(WordPiece { kind: WordKind::Gap, text: format!("… {lines}") });
            }
            WordLine::Shown(pieces) => words.extend(pieces),
        }
    }
    words
}
