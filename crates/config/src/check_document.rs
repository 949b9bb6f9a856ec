//! The check of one document: the only place where its steps follow each other.

use std::ops::Deref;
use std::sync::Arc;

use voxlint::fixes::Fixed;
use voxlint::readings::Readings;
use voxlint::{
    AgentPlan, Diagnostic, DocumentKind, Family, Gate, Group, HouseRule, Inputs, Origin,
    Recognition, Report, Safety, Trace, Wildcard, check_traced,
};
use voxlint_engine::fixes::fix_if;

use crate::{Date, FileBaseline, FileSettings, SuppressionUsage};

/// Whether findings can be hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuppressionMode {
    /// Comments, suppressions and the baseline hide findings.
    #[default]
    Apply,
    /// Only levels apply. Every finding is reported.
    Ignore,
}

/// What decides how the documents of one file are checked. It is made once for all of them.
#[derive(Debug)]
pub struct CheckSettings<'a> {
    file: FileSettings<'a>,
    today: Date,
    mode: SuppressionMode,
    /// The kind of all of its documents, if it is stated.
    stated_kind: Option<DocumentKind>,
    is_text: bool,
    is_always_checked: bool,
    variables: Option<Arc<[Wildcard]>>,
    readings: Arc<Readings>,
    house_rules: Arc<[HouseRule]>,
    allowed_fields: Arc<[Wildcard]>,
    /// Whether a rule that is off by default is on.
    optional_rules: bool,
    /// The groups with a rule that is on.
    groups: Vec<Group>,
}

impl<'a> CheckSettings<'a> {
    /// The settings of a file, which is read in a format with structure. `today` decides which suppressions have expired.
    pub fn new(file: FileSettings<'a>, today: Date) -> Self {
        let variables = file.variables();
        let allowed = file.allowed_fields();
        Self {
            variables: variables.map(|all| all.into_iter().map(|it| it.value.clone()).collect()),
            readings: Arc::new(file.known_readings()),
            house_rules: file.house_rules().into(),
            allowed_fields: allowed.map_or_else(Arc::default, |it| (&*it.value).into()),
            optional_rules: file.has_optional_rules(),
            groups: file.groups(),
            stated_kind: file.kind().map(|stated| stated.value),
            mode: SuppressionMode::default(),
            is_text: false,
            is_always_checked: false,
            today,
            file,
        }
    }

    /// Whether findings can be hidden.
    #[must_use]
    pub fn suppressions(self, mode: SuppressionMode) -> Self {
        Self { mode, ..self }
    }

    /// The kind of all documents, whatever the configuration says; `None` leaves that to it.
    #[must_use]
    pub fn kind(self, stated: Option<DocumentKind>) -> Self {
        Self { stated_kind: stated.or(self.stated_kind), ..self }
    }

    /// Whether the file is plain text. It is a template, even among files of another kind.
    #[must_use]
    pub fn text(self, is_text: bool) -> Self {
        Self { is_text, ..self }
    }

    /// Whether the documents are checked even if they are not recognised, because their file was named.
    #[must_use]
    pub fn always_checked(self, is_named: bool) -> Self {
        Self { is_always_checked: is_named, ..self }
    }

    /// Whether the documents are checked even if they are not recognised.
    pub fn is_always_checked(&self) -> bool {
        self.is_always_checked || self.stated_kind.is_some()
    }

    fn stated_kind(&self) -> Option<DocumentKind> {
        self.stated_kind.map(|kind| if self.is_text { DocumentKind::Template } else { kind })
    }

    /// The kind of a document: the stated one, or else the recognised one. In a file that is always checked, a document is
    /// of the kind that it resembles.
    pub fn kind_of(&self, recognised: &Recognition) -> Option<DocumentKind> {
        let resembled = || recognised.likely_kind().filter(|_| self.is_always_checked());
        self.stated_kind().or_else(|| recognised.kind()).or_else(resembled)
    }

    /// The kind of documents that are not recognised; `None` skips them. Beside an update, a document is an update: it
    /// would be sent like one.
    pub fn kind_of_others(
        &self,
        recognised: impl IntoIterator<Item = Option<DocumentKind>>,
    ) -> Option<DocumentKind> {
        if self.is_text {
            return self.is_always_checked().then_some(DocumentKind::Template);
        }
        let is_update = |kind: Option<DocumentKind>| kind.is_some_and(DocumentKind::has_settings);
        let is_one = self.is_always_checked() || recognised.into_iter().any(is_update);
        is_one.then_some(DocumentKind::Update)
    }

    /// The inputs of a document with everything that a team has decided about its kind and the rules.
    pub fn inputs(&self, inputs: Inputs) -> Inputs {
        let inputs = inputs
            .house(Arc::clone(&self.house_rules))
            .readings(Arc::clone(&self.readings))
            .allowed(Arc::clone(&self.allowed_fields))
            .optional_rules(self.optional_rules)
            .groups(&self.groups);
        let inputs = match self.stated_kind() {
            Some(kind) => inputs.kind(kind),
            None => inputs,
        };
        match &self.variables {
            Some(variables) => inputs.variables(Arc::clone(variables)),
            None => inputs,
        }
    }

    /// Records why a rule does not run for the documents.
    fn trace_level(&self, trace: &mut Trace) {
        let Some(rule) = trace.rule().filter(|rule| !rule.is_syntax()) else { return };
        let is_own = |house: &HouseRule| house.rule().id == rule.id;
        if self.is_off(rule) {
            match self.level(rule) {
                Some(level) => trace.end(Gate::Off, &level.source),
                None => trace.end(Gate::OffByDefault, &""),
            }
        } else if rule.family() == Family::House && !self.house_rules.iter().any(is_own) {
            trace.end(Gate::OtherFiles, &"");
        } else if rule.family() == Family::Fleet {
            trace.end(Gate::Plan, &"");
        }
    }

    /// Applies the levels and hides findings.
    fn filter(
        &self,
        report: &mut Report,
        inputs: &Inputs,
        scope: &DocumentScope<'_, '_>,
        baseline: Option<&mut FileBaseline<'_>>,
        trace: &mut Trace,
    ) -> SuppressionUsage {
        let before = trace.places(&report.diagnostics);
        self.apply_levels(report);
        let allowed = self.allowed_fields().map(|it| it.source.to_string()).unwrap_or_default();
        trace.dropped(before, &report.diagnostics, Gate::Allowed, |_| allowed.clone());
        if self.mode == SuppressionMode::Ignore {
            return SuppressionUsage::default();
        }
        self.suppress_by_comments(report, inputs, self.today, scope.before.as_deref());
        let before = trace.places(&report.diagnostics);
        report.diagnostics.retain(|found| !is_for_another(found, &scope.shared_texts));
        trace.dropped(before, &report.diagnostics, Gate::Shared, |_| String::new());
        let usage = self.suppress(report, self.today, trace);
        if let Some(baseline) = baseline {
            baseline.hide(report, inputs, scope.is_one_of_several);
        }
        usage
    }
}

impl<'a> Deref for CheckSettings<'a> {
    type Target = FileSettings<'a>;

    fn deref(&self) -> &FileSettings<'a> {
        &self.file
    }
}

/// What is around a document and decides which of its findings are hidden.
#[derive(Debug, Default)]
pub struct DocumentScope<'a, 'b> {
    /// The part of a baseline that is about the file. The documents of a file must be checked in the order of its text.
    pub baseline: Option<&'a mut FileBaseline<'b>>,
    /// Whether the file has several documents, so that a baseline needs to name this one.
    pub is_one_of_several: bool,
    /// The text files that belong to several documents, by their indexes in the [`Inputs`]. A comment in one of them may be
    /// meant for another document, so it is not reported as unused.
    pub shared_texts: Vec<usize>,
    /// The document and its text files before a change. A comment that the change brings counts only if it names
    /// one rule and gives a reason.
    pub before: Option<Vec<(Origin, String)>>,
}

/// A document that was checked.
#[derive(Debug)]
pub struct Checked {
    /// Everything that it was checked with.
    pub inputs: Inputs,
    /// The findings. Those that are hidden are listed apart, each with the reason.
    pub report: Report,
    /// The suppressions that were used, for [`Configuration::check_suppressions`](crate::Configuration::check_suppressions).
    pub usage: SuppressionUsage,
}

/// Checks a document: its kind, the rules, and what a team has decided about their findings.
///
/// The order is always the same: the levels of rules, suppression comments, the suppressions of the configuration, the
/// baseline. Each step sees only the findings that the steps before it have left. Rules that are `off` are removed; all
/// other findings stay in the report, hidden ones with the reason. Nothing hides or lowers a syntax error, because what cannot
/// be read is not checked.
///
/// ```
/// use voxlint::{Document, Inputs, Severity, Trace, rules};
/// use voxlint_config::{CheckSettings, Configuration, Date, DocumentScope, check_document};
///
/// let text = "
///     [[suppressions]]
///     files = '*.json'
///     rules = 'out-of-range'
///     reason = 'the limit will be raised'
/// ";
/// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
/// let settings = CheckSettings::new(configuration.for_file("en.json"), Date::new(2027, 1, 31)?);
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#));
/// let mut trace = Trace::of(rules::find("out-of-range").expect("a rule").into());
/// let report = check_document(inputs, &settings, DocumentScope::default(), &mut trace).report;
/// assert!(report.diagnostics.is_empty());
/// assert_eq!(report.suppressed.len(), 1);
/// trace.finish(&report, Severity::Info);
/// let why = "reported, then suppressed by voxlint.toml:4";
/// assert_eq!(trace.steps()[0].to_string(), why);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_document(
    inputs: Inputs,
    settings: &CheckSettings<'_>,
    mut scope: DocumentScope<'_, '_>,
    trace: &mut Trace,
) -> Checked {
    let inputs = settings.inputs(inputs);
    let mut report = check_traced(&inputs, trace);
    let baseline = scope.baseline.take();
    let usage = settings.filter(&mut report, &inputs, &scope, baseline, trace);
    settings.trace_level(trace);
    Checked { inputs, report, usage }
}

/// Applies the fixes of a document in rounds, each of which has the steps of [`check_document`]. `leave_out` removes what is not
/// to be fixed, and `accepts` says whether the inputs may be changed to these, for other documents that share their texts.
pub fn fix_document(
    inputs: Inputs,
    settings: &CheckSettings<'_>,
    safety: Safety,
    mut scope: DocumentScope<'_, '_>,
    leave_out: &dyn Fn(&mut Report),
    accepts: &mut dyn FnMut(&Inputs) -> bool,
) -> Fixed {
    let mut baseline = scope.baseline.take();
    let mut last = None;
    let mut filter = |mut report: Report, inputs: &Inputs| {
        // Each round is compared with the baseline anew.
        last = baseline.as_deref().cloned();
        settings.filter(&mut report, inputs, &scope, last.as_mut(), &mut Trace::off());
        leave_out(&mut report);
        report
    };
    let fixed = fix_if(&settings.inputs(inputs), safety, &mut filter, accepts);
    if let (Some(baseline), Some(last)) = (&mut baseline, last) {
        **baseline = last;
    }
    fixed
}

/// Applies levels and suppressions to the findings of the rules across documents, as [`check_document`] does to those in one.
pub fn filter_plan(
    agent: &mut AgentPlan,
    inputs: &Inputs,
    settings: &CheckSettings<'_>,
    is_one_of_several: bool,
) {
    agent.filter_findings(|report| {
        let found = report.diagnostics.iter();
        let known: Vec<String> = found.map(|found| found.rule.id.to_string()).collect();
        let scope = DocumentScope { is_one_of_several, ..DocumentScope::default() };
        settings.filter(report, inputs, &scope, None, &mut Trace::off());
        // A comment that suppresses nothing here may suppress a finding of a check.
        report.diagnostics.retain(|found| known.iter().any(|rule| *rule == *found.rule.id));
    });
}

/// Whether a comment may be unused here only because it is meant for another document of the same text file.
fn is_for_another(found: &Diagnostic, shared_texts: &[usize]) -> bool {
    let Origin::Text(index) = found.origin else { return false };
    found.rule.reports_unused_suppressions() && shared_texts.contains(&usize::from(index))
}
