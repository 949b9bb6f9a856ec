//! What happened to one rule while a document was checked: an event for each gate at which it, or one of its findings, stopped.

use voxlint_schema::DocumentKind;
use voxlint_syntax::Span;

use crate::{Diagnostic, Origin, Report, Rule, RuleRef, Severity, SuppressedBy, counted};

/// A record of what happened to one rule. A check without a record is as fast as ever.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    rule: Option<RuleRef>,
    steps: Vec<Step>,
}

/// One thing that happened to the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// Where; `None` for the whole document.
    pub place: Option<(Origin, Span)>,
}

/// What can happen to a rule or one of its findings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// It is off, by the setting at this place, or else by default.
    Off(Option<String>),
    /// It is a house rule for other files.
    OtherFiles,
    /// It is not about documents of this kind.
    OtherKind(DocumentKind),
    /// It compares documents, which only a plan does.
    Plan,
    /// Another rule has ended the check of a value.
    Ended(RuleRef),
    /// The document sets nothing that it reads.
    Unconcerned(String),
    /// A value that it reads is reported already.
    Faulty,
    /// Its finding only follows from a value that the service rejects.
    Follows,
    /// It is undecided for this reason, which no field of the document raises.
    Untouched(String),
    /// The document leaves a stored value unchanged that the service does not reject.
    Unchanged,
    /// Nothing would be sent, so nothing is edited.
    Unsent,
    /// Another rule has more to say about the same characters.
    Weaker(RuleRef),
    /// Its finding is a further place of another one.
    Merged,
    /// So many findings are counted and not listed.
    Unlisted(u32),
    /// The setting at this place allows the field.
    Allowed(String),
    /// The comment may be meant for another document of the same text file.
    Shared,
    /// A comment or the configuration suppresses its finding, or the baseline has it.
    Suppressed(SuppressedBy),
    /// Its finding is less severe than what is listed.
    Below(Severity),
    /// It is undecided, for this reason.
    Undecided(String),
    /// Its finding is reported.
    Reported(Severity, String),
    /// It objects to nothing.
    Holds,
}

impl Event {
    /// The name of the event in JSON, and its sentence.
    pub fn words(&self) -> (&'static str, String) {
        let (name, sentence) = match self {
            Self::Off(None) => ("off", "the rule is off by default: set its level to turn it on"),
            Self::Off(Some(setting)) => return ("off", format!("the rule is off: {setting}")),
            Self::OtherFiles => ("other-files", "the house rule is for other files"),
            Self::OtherKind(kind) => {
                let documents = kind.noun_phrase();
                return ("other-kind", format!("the rule does not apply to {documents}"));
            }
            Self::Plan => ("plan", "the rule compares documents: only `voxlint plan` runs it"),
            Self::Ended(by) => {
                let by = &by.id;
                return ("ended", format!("not checked: `{by}` was reported for the value first"));
            }
            Self::Unconcerned(fields) => {
                let why = format!("not concerned: the document sets none of {fields}");
                return ("unconcerned", why);
            }
            Self::Faulty => {
                ("faulty", "not decided: a value that the rule reads is reported already")
            }
            Self::Follows => {
                ("follows", "not reported: it follows from a value that the service rejects")
            }
            Self::Untouched(why) => {
                let because = "undecided, but no field of the document raises the question";
                return ("untouched", format!("{because}: {why}"));
            }
            Self::Unchanged => (
                "unchanged",
                "not reported: the stored value stays, and the service would not reject it",
            ),
            Self::Unsent => {
                ("unsent", "not reported: all settings equal the stored ones, so nothing is sent")
            }
            Self::Weaker(by) => {
                let by = &by.id;
                return (
                    "weaker",
                    format!("not reported: `{by}` is reported for the same characters"),
                );
            }
            Self::Merged => ("merged", "not reported again: listed at the first place"),
            Self::Unlisted(count) => {
                let findings = counted(*count, "more finding");
                return ("unlisted", format!("counted, but not listed: {findings}"));
            }
            Self::Allowed(by) => {
                return ("allowed", format!("not reported: the field is allowed by {by}"));
            }
            Self::Shared => ("shared", "not reported: several documents share the text"),
            Self::Suppressed(by) => {
                let (by, reason) = match by {
                    SuppressedBy::Comment(reason) => ("a comment", reason.as_str()),
                    SuppressedBy::Configuration(reason) => ("`voxlint.toml`", reason.as_str()),
                    SuppressedBy::Baseline => ("the baseline", ""),
                };
                let colon = if reason.is_empty() { "" } else { ": " };
                let sentence = format!("reported, then suppressed by {by}{colon}{reason}");
                return ("suppressed", sentence);
            }
            Self::Below(severity) => {
                let name = severity.name();
                return ("below", format!("reported as {name}, which `--min-severity` hides"));
            }
            Self::Undecided(why) => {
                return ("undecided", format!("undecided, listed with `--show-undecided`: {why}"));
            }
            Self::Reported(severity, message) => {
                return ("reported", format!("reported as {}: {message}", severity.name()));
            }
            Self::Holds => ("holds", "holds: the document has nothing that the rule objects to"),
        };
        (name, sentence.to_owned())
    }
}

impl Trace {
    /// A record of what happens to a rule.
    pub const fn of(rule: RuleRef) -> Self {
        Self { rule: Some(rule), steps: Vec::new() }
    }

    /// No record.
    pub const fn off() -> Self {
        Self { rule: None, steps: Vec::new() }
    }

    /// The rule; `None` if nothing is recorded.
    pub const fn rule(&self) -> Option<&RuleRef> {
        self.rule.as_ref()
    }

    /// What happened, in the order of the places; never nothing after a check.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether this is a record of the rule.
    pub(crate) fn is_of(&self, rule: &Rule) -> bool {
        self.rule.as_ref().is_some_and(|traced| traced.id == rule.id)
    }

    /// Records an event of a rule.
    pub(crate) fn add(&mut self, rule: &Rule, place: Option<(Origin, Span)>, event: Event) {
        if self.is_of(rule) {
            self.record(place, event);
        }
    }

    /// Records an event of the rule.
    pub(crate) fn record(&mut self, place: Option<(Origin, Span)>, event: Event) {
        self.steps.push(Step { event, place });
    }

    /// Records the only thing that matters.
    pub fn end(&mut self, event: Event) {
        self.steps = vec![Step { event, place: None }];
    }

    /// The places of the rule's findings before a step that may drop some.
    pub fn places<'d>(
        &self,
        found: impl IntoIterator<Item = &'d Diagnostic>,
    ) -> Vec<(Origin, Span)> {
        let Some(rule) = &self.rule else { return Vec::new() };
        let own = found.into_iter().filter(|found| found.rule == *rule);
        own.map(|found| (found.origin, found.span)).collect()
    }

    /// Records an event for each finding that a step has dropped.
    pub fn dropped(
        &mut self,
        before: Vec<(Origin, Span)>,
        found: &[Diagnostic],
        event: impl Fn((Origin, Span)) -> Event,
    ) {
        let mut after = self.places(found);
        for place in before {
            match after.iter().position(|left| *left == place) {
                Some(index) => _ = after.swap_remove(index),
                None => self.record(Some(place), event(place)),
            }
        }
    }

    /// Shortens the paths of settings, as users see them.
    pub fn show_settings(&mut self, shown: impl Fn(&str) -> String) {
        for step in &mut self.steps {
            if let Event::Off(Some(at)) | Event::Allowed(at) = &mut step.event
                && let Some((path, line)) = at.rsplit_once(':')
            {
                *at = format!("{}:{line}", shown(path));
            }
        }
    }

    /// Records what is reported in the end. `min_severity` is the least that is listed.
    pub fn finish(&mut self, report: &Report, min_severity: Severity) {
        let Some(rule) = self.rule.clone() else { return };
        let mut steps = std::mem::take(&mut self.steps);
        let mut add = |found: &Diagnostic, event| {
            if found.rule == rule {
                steps.push(Step { event, place: Some((found.origin, found.span)) });
            }
        };
        for found in &report.diagnostics {
            let severity = found.severity;
            add(
                found,
                if severity < min_severity {
                    Event::Below(severity)
                } else {
                    Event::Reported(severity, found.message.clone())
                },
            );
        }
        for hidden in &report.suppressed {
            add(&hidden.diagnostic, Event::Suppressed(hidden.by.clone()));
        }
        let undecided = report.undecided.iter().filter(|entry| entry.rule == rule);
        steps.extend(
            undecided.map(|entry| Step {
                event: Event::Undecided(entry.why().into_owned()),
                place: None,
            }),
        );
        if steps.is_empty() {
            steps.push(Step { event: Event::Holds, place: None });
        }
        steps.sort_by_key(|step| step.place);
        self.steps = steps;
    }
}
