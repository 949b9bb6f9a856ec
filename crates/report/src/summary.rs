//! The counts of a run, and its summary in one line.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;
use voxlint::fixes::NotApplied;
use voxlint::{Report, Safety, Severity, SuppressedBy, counted};

use crate::located::fixable;
use crate::notes::wrap;
use crate::options::{RenderOptions, severity_color};

/// The counts of a run. Serialized, it is the summary of the JSON formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is another property of the run")]
pub struct RunSummary {
    /// Files with checked documents.
    pub files: u32,
    /// Documents that were checked.
    pub documents: u32,
    /// Documents with findings.
    #[serde(skip)]
    pub faulty: u32,
    /// Files that were skipped.
    pub skipped: u32,
    /// Those of the skipped files that look like documents.
    #[serde(skip)]
    pub possible_documents: u32,
    /// Skipped documents in files with checked documents.
    #[serde(skip)]
    pub skipped_documents: u32,
    /// Files that were left out because they have not changed. They do not count as skipped.
    #[serde(skip)]
    pub unchanged: u32,
    /// Files that could not be read or used. They fail the run.
    #[serde(skip)]
    pub failed: u32,
    /// Findings of severity error.
    pub errors: u32,
    /// Findings of severity warning.
    pub warnings: u32,
    /// Findings of severity info.
    pub infos: u32,
    /// Undecided rules, summed over the documents.
    pub undecided: u32,
    /// Whether the stored configuration would decide some of them.
    #[serde(skip)]
    pub needs_stored: bool,
    /// Whether workspace facts would decide some of them.
    #[serde(skip)]
    pub needs_facts: bool,
    /// Those of the undecided rules that a more complete stored configuration or more workspace facts would decide, where there
    /// are some.
    #[serde(skip)]
    pub decidable: u32,
    /// Whether the stored configurations that there are would decide some of them.
    #[serde(skip)]
    pub stored_decides: bool,
    /// Whether the workspace facts that there are would decide some of them.
    #[serde(skip)]
    pub facts_decide: bool,
    /// Findings with a safe fix.
    pub fixable: u32,
    /// Findings that only have an unsafe fix.
    pub unsafe_fixable: u32,
    /// Findings that are gone after the fixes of this run.
    pub fixed: u32,
    /// The files in which it has fixed them.
    #[serde(skip)]
    pub fixed_files: u32,
    /// Whether the run was to fix files.
    #[serde(skip)]
    pub is_fixing: bool,
    /// The findings that are left although they have a fix.
    #[serde(skip)]
    pub unapplied: UnappliedCounts,
    /// Findings that the configuration or a comment suppresses.
    pub suppressed: u32,
    /// Findings that the baseline lists.
    pub baselined: u32,
    /// The settings that check less than those that judge the run, if others do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loosened: Option<u32>,
}

impl RunSummary {
    /// Counts the undecided rules of a document with a stored configuration or workspace facts, or both.
    pub fn add_decidable(&mut self, report: &Report, has_stored: bool, has_facts: bool) {
        for entry in &report.undecided {
            let (stored, facts) =
                (has_stored && entry.needs_stored, has_facts && entry.needs_facts);
            self.decidable += u32::from(stored || facts);
            self.stored_decides |= stored;
            self.facts_decide |= facts;
        }
    }

    /// Counts one more checked document and its findings. Files and skipped documents are counted by the caller.
    pub fn add(&mut self, report: &Report) {
        self.documents += 1;
        self.faulty += u32::from(!report.diagnostics.is_empty());
        self.undecided += report.undecided.len() as u32;
        self.needs_stored |= report.undecided.iter().any(|entry| entry.needs_stored);
        self.needs_facts |= report.undecided.iter().any(|entry| entry.needs_facts);
        for diagnostic in &report.diagnostics {
            *match diagnostic.severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Info => &mut self.infos,
            } += diagnostic.count;
            match fixable(diagnostic) {
                Some(Safety::Safe) => self.fixable += 1,
                Some(Safety::Unsafe) => self.unsafe_fixable += 1,
                None => {}
            }
        }
        for hidden in &report.suppressed {
            *match hidden.by {
                SuppressedBy::Configuration(_) | SuppressedBy::Comment(_) => &mut self.suppressed,
                SuppressedBy::Baseline => &mut self.baselined,
            } += hidden.diagnostic.count;
        }
    }
}

/// How many findings are left although they have a fix, by the reason why it was not applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnappliedCounts([u32; NotApplied::ALL.len()]);

impl UnappliedCounts {
    /// Counts one more.
    pub fn add(&mut self, reason: NotApplied) {
        if let Some(count) = self.0.get_mut(reason as usize) {
            *count += 1;
        }
    }

    /// Leaves out those that other messages explain.
    pub fn forget(&mut self, reason: NotApplied) {
        if let Some(count) = self.0.get_mut(reason as usize) {
            *count = 0;
        }
    }

    fn each(&self) -> impl Iterator<Item = (NotApplied, u32)> {
        NotApplied::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl std::ops::AddAssign for UnappliedCounts {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

impl std::ops::AddAssign for RunSummary {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.documents += other.documents;
        self.faulty += other.faulty;
        self.skipped += other.skipped;
        self.possible_documents += other.possible_documents;
        self.skipped_documents += other.skipped_documents;
        self.unchanged += other.unchanged;
        self.failed += other.failed;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.undecided += other.undecided;
        self.needs_stored |= other.needs_stored;
        self.needs_facts |= other.needs_facts;
        self.decidable += other.decidable;
        self.stored_decides |= other.stored_decides;
        self.facts_decide |= other.facts_decide;
        self.fixable += other.fixable;
        self.unsafe_fixable += other.unsafe_fixable;
        self.fixed += other.fixed;
        self.fixed_files += other.fixed_files;
        self.is_fixing |= other.is_fixing;
        self.unapplied += other.unapplied;
        self.suppressed += other.suppressed;
        self.baselined += other.baselined;
    }
}

/// The summary of a run, for standard error: one line without a line break, which is wrapped on a terminal. Below findings in the
/// `full` format, the caller writes an empty line before it.
///
/// Undecided rules are counted if the run lists them, or if the stored configuration or the workspace facts that it had could say
/// more: about others it has nothing new to say.
///
/// ```
/// use std::time::Duration;
/// use voxlint_report::{RenderOptions, RunSummary, summary_line};
///
/// let mut summary = RunSummary { files: 118, documents: 118, ..RunSummary::default() };
/// assert_eq!(summary_line(&summary, None, &RenderOptions::default()), "118 documents, nothing to report");
///
/// (summary.errors, summary.warnings, summary.faulty, summary.skipped) = (1, 2, 2, 7);
/// assert_eq!(
///     summary_line(&summary, Some(Duration::from_millis(21)), &RenderOptions::default()),
///     "1 error, 2 warnings in 2 of 118 documents · 7 other files skipped · 21 ms",
/// );
/// ```
pub fn summary_line(
    summary: &RunSummary,
    elapsed: Option<Duration>,
    options: &RenderOptions,
) -> String {
    let mut line = verdict(summary, options);
    let mut also = |part: &str| {
        line.push_str(" · ");
        line.push_str(part);
    };
    if let Some(fixable) = fixable_part(summary) {
        also(&fixable);
    }
    if options.undecided {
        if let Some(undecided) = undecided_line(summary, STORED) {
            also(&undecided);
        }
    } else {
        let needs = (summary.stored_decides, summary.facts_decide);
        if let Some(undecided) = undecided_words(summary.decidable, needs, STORED) {
            also(&format!("{undecided} (see --show-undecided)"));
        }
    }
    if summary.suppressed > 0 {
        also(&format!("{} suppressed", summary.suppressed));
    }
    if summary.baselined > 0 {
        also(&format!("{} in the baseline", summary.baselined));
    }
    if let Some(loosened) = summary.loosened.filter(|count| *count > 0) {
        also(&format!("{} loosened", counted(loosened, "setting")));
    }
    let others = summary.skipped.saturating_sub(summary.possible_documents);
    if others > 0 {
        // Without a checked document there are no "other" files.
        let file = if summary.documents > 0 { "other file" } else { "file" };
        also(&format!("{} skipped", counted(others, file)));
    }
    if summary.possible_documents > 0 {
        let possible = counted(summary.possible_documents, "possible document");
        also(&format!("{possible} not checked (see --show-files)"));
    }
    if summary.skipped_documents > 0 {
        also(&format!("{} skipped", counted(summary.skipped_documents, "other document")));
    }
    if summary.unchanged > 0 {
        also(&counted(summary.unchanged, "unchanged file"));
    }
    if summary.failed > 0 {
        also(&format!("{} failed", counted(summary.failed, "file")));
    }
    if let Some(elapsed) = elapsed {
        also(&duration(elapsed));
    }
    if options.wrap_headlines { wrap(&line, options.width).join("\n") } else { line }
}

/// The number of undecided checks and the inputs that they need; `None` if there are none. `stored` is the user's name for the
/// stored configuration.
///
/// ```
/// use voxlint_report::{RunSummary, undecided_line};
///
/// let summary = RunSummary { documents: 1, undecided: 2, needs_stored: true, ..RunSummary::default() };
/// let line = undecided_line(&summary, "the stored configuration");
/// assert_eq!(line.as_deref(), Some("2 checks need the stored configuration"));
/// ```
pub fn undecided_line(summary: &RunSummary, stored: &str) -> Option<String> {
    undecided_words(summary.undecided, (summary.needs_stored, summary.needs_facts), stored)
}

const STORED: &str = "the stored configuration";

fn undecided_words(count: u32, needs: (bool, bool), stored: &str) -> Option<String> {
    let checks = counted(count, "check");
    let need = if count == 1 { "needs" } else { "need" };
    let line = match needs {
        (true, true) => format!("{checks} {need} {stored} or workspace facts"),
        (true, false) => format!("{checks} {need} {stored}"),
        (false, true) => format!("{checks} {need} workspace facts"),
        (false, false) => format!("{checks} undecided"),
    };
    (count > 0).then_some(line)
}

/// A number of fixes.
fn fixes(count: u32) -> String {
    if count == 1 { "1 fix".to_owned() } else { format!("{count} fixes") }
}

/// How many fixes a run has not applied, and why: `2 fixes not applied: the file could not be written`, one part for each reason.
/// `None` if there are none.
///
/// ```
/// use voxlint::fixes::NotApplied;
/// use voxlint_report::{RunSummary, unapplied_part};
///
/// let mut summary = RunSummary::default();
/// summary.unapplied.add(NotApplied::NotWritten);
/// summary.unapplied.add(NotApplied::NeedsReview);
/// assert_eq!(
///     unapplied_part(&summary).as_deref(),
///     Some("1 fix not applied: the file could not be written · 1 fixable with --unsafe-fixes"),
/// );
/// ```
pub fn unapplied_part(summary: &RunSummary) -> Option<String> {
    let (review, others): (Vec<_>, Vec<_>) =
        summary.unapplied.each().partition(|(reason, _)| *reason == NotApplied::NeedsReview);
    let others = others.into_iter();
    let others =
        others.map(|(reason, count)| format!("{} not applied: {}", fixes(count), reason.why()));
    let review = review.into_iter();
    let review = review.map(|(_, count)| format!("{count} fixable with --unsafe-fixes"));
    let parts: Vec<String> = others.chain(review).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// How many findings `--fix` would fix; `None` if it would fix none.
fn fixable_part(summary: &RunSummary) -> Option<String> {
    if summary.is_fixing {
        // Such a run has applied what it could.
        return unapplied_part(summary);
    }
    let (safe, others) = (summary.fixable, summary.unsafe_fixable);
    let with = if safe > 0 { "more" } else { "fixable" };
    let safe = (safe > 0).then(|| format!("{safe} fixable with --fix"));
    let others = (others > 0).then(|| format!("{others} {with} with --fix --unsafe-fixes"));
    let parts: Vec<String> = safe.into_iter().chain(others).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn verdict(summary: &RunSummary, options: &RenderOptions) -> String {
    let documents = counted(summary.documents, "document");
    let counts = [
        (summary.errors, Severity::Error),
        (summary.warnings, Severity::Warning),
        (summary.infos, Severity::Info),
    ];
    let found: Vec<_> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| {
            options.paint(severity_color(severity), &counted(count, severity.name())).into_owned()
        })
        .collect();
    if summary.documents == 0 && summary.failed > 0 {
        "nothing was checked".to_owned()
    } else if summary.documents == 0 && summary.unchanged > 0 {
        "no changed documents".to_owned()
    } else if summary.documents == 0 {
        "no agent documents found".to_owned()
    } else if found.is_empty() && summary.failed > 0 {
        format!("{documents} checked")
    } else if found.is_empty() && summary.fixed > 0 {
        format!("{}; nothing left to report in {documents}", fixed_part(summary))
    } else if found.is_empty() {
        format!("{documents}, nothing to report")
    } else {
        let mut line = found.join(", ");
        if summary.fixed > 0 {
            line = format!("{}; {line} left", fixed_part(summary));
        }
        // Writing to a string cannot fail.
        let _ = match summary.documents {
            // In settings, facts and stored configurations.
            _ if summary.faulty == 0 => write!(line, " in other files, none in {documents}"),
            1 => write!(line, " in {documents}"),
            _ => write!(line, " in {} of {documents}", summary.faulty),
        };
        line
    }
}

/// `fixed 3 findings in 2 files`.
fn fixed_part(summary: &RunSummary) -> String {
    let (findings, files) =
        (counted(summary.fixed, "finding"), counted(summary.fixed_files, "file"));
    format!("fixed {findings} in {files}")
}

fn duration(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        0 => "under 1 ms".to_owned(),
        millis @ 1..1_000 => format!("{millis} ms"),
        _ => format!("{:.1} s", elapsed.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(summary: RunSummary) -> String {
        summary_line(&summary, None, &RenderOptions::default())
    }

    #[test]
    fn one_is_singular() {
        let summary =
            RunSummary { documents: 1, faulty: 1, infos: 1, undecided: 1, ..RunSummary::default() };
        assert_eq!(line(summary), "1 info in 1 document");
        let summary = RunSummary { decidable: 1, facts_decide: true, ..summary };
        assert!(line(summary).ends_with("1 check needs workspace facts (see --show-undecided)"));
    }

    #[test]
    fn undecided_checks_are_counted_where_they_are_listed_or_could_be_decided() {
        let summary =
            RunSummary { documents: 1, undecided: 2, needs_stored: true, ..RunSummary::default() };
        assert_eq!(line(summary), "1 document, nothing to report");
        let options = RenderOptions { undecided: true, ..RenderOptions::default() };
        assert_eq!(
            summary_line(&summary, None, &options),
            "1 document, nothing to report · 2 checks need the stored configuration"
        );
        let summary = RunSummary { decidable: 1, stored_decides: true, ..summary };
        assert!(
            line(summary)
                .ends_with("· 1 check needs the stored configuration (see --show-undecided)")
        );
    }

    #[test]
    fn a_summary_on_a_terminal_is_wrapped_at_words() {
        let summary = RunSummary {
            documents: 10,
            faulty: 6,
            errors: 12,
            warnings: 6,
            fixable: 1,
            unsafe_fixable: 6,
            ..RunSummary::default()
        };
        let options = RenderOptions { wrap_headlines: true, width: 80, ..RenderOptions::default() };
        let plain = summary_line(&summary, None, &options);
        assert_eq!(
            plain,
            "12 errors, 6 warnings in 6 of 10 documents · 1 fixable with --fix, 6 more with\n\
             --fix --unsafe-fixes"
        );
        let colored = summary_line(&summary, None, &RenderOptions { color: true, ..options });
        let breaks = |text: &str| {
            text.lines().map(|row| row.chars().filter(|c| *c == '·').count()).collect::<Vec<_>>()
        };
        assert_eq!(breaks(&colored), breaks(&plain));
    }

    #[test]
    fn the_summary_names_the_inputs_that_undecided_checks_need() {
        let summary = RunSummary {
            documents: 1,
            decidable: 2,
            stored_decides: true,
            ..RunSummary::default()
        };
        assert_eq!(
            line(summary),
            "1 document, nothing to report · 2 checks need the stored configuration (see --show-undecided)"
        );
        let summary = RunSummary { documents: 2, facts_decide: true, ..summary };
        assert_eq!(
            line(summary),
            "2 documents, nothing to report · 2 checks need the stored configuration or workspace facts (see --show-undecided)"
        );
    }

    #[test]
    fn a_run_that_checked_nothing_says_so() {
        assert_eq!(line(RunSummary::default()), "no agent documents found");
        let summary = RunSummary { skipped: 1, ..RunSummary::default() };
        assert_eq!(line(summary), "no agent documents found · 1 file skipped");
    }

    #[test]
    fn the_summary_says_what_can_be_fixed() {
        let summary = RunSummary {
            documents: 1,
            warnings: 3,
            faulty: 1,
            fixable: 2,
            ..RunSummary::default()
        };
        assert_eq!(line(summary), "3 warnings in 1 document · 2 fixable with --fix");
        let summary = RunSummary { unsafe_fixable: 1, ..summary };
        assert!(
            line(summary).ends_with("· 2 fixable with --fix, 1 more with --fix --unsafe-fixes")
        );
        let mut fixing = RunSummary { is_fixing: true, ..summary };
        for reason in [NotApplied::NeedsReview, NotApplied::SharedText, NotApplied::SharedText] {
            fixing.unapplied.add(reason);
        }
        assert!(line(fixing).ends_with(
            "· 2 fixes not applied: a document that shares the text would get a new finding \
             · 1 fixable with --unsafe-fixes"
        ));
        let summary = RunSummary { fixable: 0, ..summary };
        assert!(line(summary).ends_with("· 1 fixable with --fix --unsafe-fixes"));
    }

    #[test]
    fn the_summary_says_what_was_fixed_and_what_is_left() {
        let summary = RunSummary {
            documents: 9,
            fixed: 3,
            fixed_files: 2,
            is_fixing: true,
            ..RunSummary::default()
        };
        assert_eq!(
            line(summary),
            "fixed 3 findings in 2 files; nothing left to report in 9 documents"
        );
        let summary = RunSummary { errors: 1, faulty: 1, ..summary };
        assert_eq!(line(summary), "fixed 3 findings in 2 files; 1 error left in 1 of 9 documents");
    }

    #[test]
    fn hidden_findings_are_counted() {
        let summary = RunSummary {
            documents: 2,
            suppressed: 3,
            baselined: 212,
            skipped: 1,
            ..RunSummary::default()
        };
        assert_eq!(
            line(summary),
            "2 documents, nothing to report · 3 suppressed · 212 in the baseline · 1 other file skipped"
        );
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration(Duration::from_micros(400)), "under 1 ms");
        assert_eq!(duration(Duration::from_millis(999)), "999 ms");
        assert_eq!(duration(Duration::from_millis(1_240)), "1.2 s");
    }

    #[test]
    fn only_the_counts_are_colored() {
        let summary = RunSummary { documents: 3, faulty: 2, errors: 2, ..RunSummary::default() };
        let options = RenderOptions { color: true, ..RenderOptions::default() };
        assert_eq!(
            summary_line(&summary, None, &options),
            "\u{1b}[1;31m2 errors\u{1b}[0m in 2 of 3 documents"
        );
    }
}
