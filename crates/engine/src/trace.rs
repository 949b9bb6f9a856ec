//! What happened to one rule while a document was checked: a step for each gate at which it, or one of its findings, stopped.

use std::fmt::{self, Display};

use voxlint_model::readings::to_settle;
use voxlint_model::{Diagnostic, Origin, Report, Rule, RuleRef, Severity, SuppressedBy};
use voxlint_syntax::Span;

/// A record of what happened to one rule. A check without a record is as fast as ever.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    rule: Option<RuleRef>,
    steps: Vec<Step>,
}

/// One thing that happened to the rule. As text, it is a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What happened.
    pub gate: Gate,
    /// Where; `None` for the whole document.
    pub place: Option<(Origin, Span)>,
    /// What the sentence names, such as another rule.
    detail: String,
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.gate.sentence().replacen("{}", &self.detail, 1))
    }
}

macro_rules! gates {
    ($($(#[$doc:meta])* $gate:ident = $name:literal: $sentence:literal,)+) => {
        /// What can keep a rule from reporting something, or happens to a finding in the end.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Gate {
            $($(#[$doc])* $gate,)+
        }

        impl Gate {
            /// The name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$gate => $name,)+ }
            }

            /// The sentence, with `{}` for what it names.
            const fn sentence(self) -> &'static str {
                match self { $(Self::$gate => $sentence,)+ }
            }
        }
    };
}

gates! {
    /// A setting turns the rule off.
    Off = "off": "the rule is off: {}",
    /// It is off by default.
    OffByDefault = "off": "the rule is off by default: set its level to turn it on",
    /// It is a house rule for other files.
    OtherFiles = "other-files": "the house rule is for other files",
    /// It is not about documents of this kind.
    OtherKind = "other-kind": "the rule does not apply to {}",
    /// It compares documents, which only a plan does.
    Plan = "plan": "the rule compares documents: only `voxlint plan` runs it",
    /// The document sets nothing that it reads.
    Unconcerned = "unconcerned": "not concerned: the document sets none of {}",
    /// Another rule has ended the check of a value.
    Ended = "ended": "not checked: `{}` was reported for the value first",
    /// A value that it reads is reported already.
    Faulty = "faulty": "not decided: a value that the rule reads is reported already",
    /// It is undecided, and no field of the document raises the question.
    Untouched = "untouched": "undecided, but no field of the document raises the question: {}",
    /// It is undecided.
    Undecided = "undecided": "undecided, listed with `--show-undecided`: {}",
    /// Its finding only follows from a value that the service rejects.
    Follows = "follows": "not reported: it follows from a value that the service rejects",
    /// The document leaves a stored value unchanged that the service does not reject.
    Unchanged = "unchanged": "not reported: the stored value stays, and the service would not reject it",
    /// Nothing would be sent, so nothing is edited.
    Unsent = "unsent": "not reported: all settings equal the stored ones, so nothing is sent",
    /// The team's readings of the description allow it.
    Reading = "reading": "not reported: your readings of the description allow it: {}",
    /// Another rule has more to say about the same characters.
    Weaker = "weaker": "not reported: `{}` is reported for the same characters",
    /// Its finding is a further place of another one.
    Merged = "merged": "not reported again: listed at the first place",
    /// Some findings are counted and not listed.
    Unlisted = "unlisted": "counted, but not listed: {} of the findings",
    /// A setting allows the field.
    Allowed = "allowed": "not reported: the field is allowed by {}",
    /// The comment may be meant for another document with the same text file.
    Shared = "shared": "not reported: several documents share the text",
    /// A setting suppresses its finding.
    SuppressedBySetting = "suppressed": "reported, then suppressed by {}",
    /// A comment suppresses its finding, or the baseline has it.
    Suppressed = "suppressed": "reported, then suppressed by {}",
    /// Its finding is less severe than what is listed.
    Below = "below": "reported as {}, which `--min-severity` hides",
    /// Its finding is reported.
    Reported = "reported": "reported as {}",
    /// It objects to nothing.
    Holds = "holds": "holds: the document has nothing that the rule objects to",
}

/// The team's readings that make a finding certain, or the open ones that it depends on, at the end of a sentence.
fn settling(found: &Diagnostic) -> String {
    match found.settled_by.as_slice() {
        [] => to_settle(&found.assumes),
        set => {
            let set: Vec<String> = set.iter().map(ToString::to_string).collect();
            format!(", by your readings: {}", set.join(", "))
        }
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

    /// What happened, in the order of the places; never nothing after [`Self::finish`].
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether this is a record of the rule.
    pub(crate) fn is_of(&self, rule: &Rule) -> bool {
        self.rule.as_ref().is_some_and(|traced| traced.id == rule.id)
    }

    /// Records what happened to a rule.
    pub(crate) fn add(
        &mut self,
        rule: &Rule,
        place: Option<(Origin, Span)>,
        gate: Gate,
        detail: &dyn Display,
    ) {
        if self.is_of(rule) {
            self.steps.push(Step { gate, place, detail: detail.to_string() });
        }
    }

    /// Records the only thing that matters.
    pub fn end(&mut self, gate: Gate, detail: &dyn Display) {
        self.steps = vec![Step { gate, place: None, detail: detail.to_string() }];
    }

    /// The places of the rule's findings before a step that may drop some.
    pub fn places<'d>(
        &self,
        found: impl IntoIterator<Item = &'d Diagnostic>,
    ) -> Vec<(Origin, Span)> {
        let own = found.into_iter().filter(|found| self.is_of(&found.rule));
        let places = own.map(|found| (found.origin, found.span));
        if self.rule.is_some() { places.collect() } else { Vec::new() }
    }

    /// Records each finding that a step has dropped. `detail` is told its place.
    pub fn dropped(
        &mut self,
        before: Vec<(Origin, Span)>,
        found: &[Diagnostic],
        gate: Gate,
        detail: impl Fn((Origin, Span)) -> String,
    ) {
        let mut after = self.places(found);
        for place in before {
            match after.iter().position(|left| *left == place) {
                Some(index) => _ = after.swap_remove(index),
                None => self.steps.push(Step { gate, place: Some(place), detail: detail(place) }),
            }
        }
    }

    /// Records that a finding is hidden.
    pub fn hidden(&mut self, found: &Diagnostic, gate: Gate, detail: &dyn Display) {
        self.add(&found.rule, Some((found.origin, found.span)), gate, detail);
    }

    /// Shortens the paths of settings, as users see them.
    pub fn show_settings(&mut self, shown: impl Fn(&str) -> String) {
        let is_setting = |step: &&mut Step| {
            matches!(step.gate, Gate::Off | Gate::Allowed | Gate::SuppressedBySetting)
        };
        for step in self.steps.iter_mut().filter(is_setting) {
            if let Some((path, line)) = step.detail.rsplit_once(':') {
                step.detail = format!("{}:{line}", shown(path));
            }
        }
    }

    /// Records what is reported in the end. `min_severity` is the least that is listed.
    pub fn finish(&mut self, report: &Report, min_severity: Severity) {
        let Some(rule) = self.rule.clone() else { return };
        for found in &report.diagnostics {
            let (place, name) = (Some((found.origin, found.span)), found.severity.name());
            if found.severity < min_severity {
                self.add(&found.rule, place, Gate::Below, &name);
            } else {
                let message = format!("{name}: {}{}", found.message, settling(found));
                self.add(&found.rule, place, Gate::Reported, &message);
            }
        }
        for hidden in &report.suppressed {
            let found = &hidden.diagnostic;
            let by = match &hidden.by {
                SuppressedBy::Comment(reason) => format!("a comment: {reason}"),
                // The configuration has recorded which setting does.
                SuppressedBy::Configuration(_) => continue,
                SuppressedBy::Baseline => "the baseline".to_owned(),
            };
            let by = by.trim_end_matches(": ");
            self.add(&found.rule, Some((found.origin, found.span)), Gate::Suppressed, &by);
        }
        for entry in &report.undecided {
            let why = format!("{}{}", entry.why(), to_settle(&entry.assumes));
            self.add(&entry.rule, None, Gate::Undecided, &why);
        }
        if self.steps.is_empty() {
            self.add(&rule, None, Gate::Holds, &"");
        }
        self.steps.sort_by_key(|step| step.place);
    }
}
