//! The engine: it runs the rules on a document and the other inputs, and turns their verdicts into a report.

mod checker;
mod dedup;
pub(crate) mod effective;
mod found;
pub(crate) mod input_access;
pub(crate) mod masking;
mod missing_inputs;
mod note;
pub(crate) mod resolve;
mod revalidation;
pub(crate) mod settings_object;
pub(crate) mod undecided;
pub(crate) mod usability;

use std::cell::OnceCell;

use voxlint_schema::{DocumentKind, Row, settings, template};
use voxlint_syntax::Kind;

use self::checker::Checker;
use self::effective::Effective;
use self::masking::Masking;
use self::resolve::Resolver;
use crate::cancellation::checkpoint;
use crate::fields::Fields;
use crate::limits::join_limits;
use crate::rule::Check;
use crate::value::ObjectValue;
use crate::variables::KnownVariables;
use crate::variables::flow::TEMPLATES;
use crate::wildcard::LazyWildcards;
use crate::{
    Diagnostic, Document, Family, Gate, Inputs, Origin, Report, Rule, Trace, UnreadPart, fixes,
    plan, rules,
};

/// Checks a text as the kind of document that it looks like, with nothing else known.
///
/// ```
/// let report = voxlint::check_text(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn check_text(text: &str) -> Report {
    check(&Inputs::new(Document::parse(text)))
}

/// Checks a document against everything that is known.
///
/// ```
/// use voxlint::{Document, Inputs, Stored, check};
///
/// let update = Inputs::new(Document::parse(r#"{ "version_number": 3, "transcriber_id": "tr_nova" }"#));
/// assert!(check(&update).diagnostics.is_empty());
///
/// let stored = Document::parse(r#"{ "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }"#);
/// let report = check(&update.stored(Stored::new(stored).complete()));
/// assert_eq!(report.diagnostics[0].rule.id, "fallback-transcriber-same");
/// ```
pub fn check(inputs: &Inputs) -> Report {
    check_traced(inputs, &mut Trace::off())
}

/// The same, and records what happens to one rule.
///
/// ```
/// use voxlint::{Document, Inputs, Trace, check_traced, rules};
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "kb_max_chunks": [] }"#));
/// let mut trace = Trace::of(rules::find("out-of-range").expect("a rule").into());
/// check_traced(&inputs, &mut trace);
/// let why = "not checked: `wrong-type` was reported for the value first";
/// assert_eq!(trace.steps()[0].to_string(), why);
/// ```
pub fn check_traced(inputs: &Inputs, trace: &mut Trace) -> Report {
    let mut report = check_once_traced(inputs, trace);
    fixes::keep_applied(inputs, &mut report);
    report
}

/// A check with fixes that may exclude each other.
pub(crate) fn check_once(inputs: &Inputs) -> Report {
    check_once_traced(inputs, &mut Trace::off())
}

fn check_once_traced(inputs: &Inputs, trace: &mut Trace) -> Report {
    let mut report = run_traced(inputs, UndecidedScope::Touched, trace);
    // Nothing of a document that repeats the stored configuration would be sent, so it edits nothing.
    let is_edit = |it: &Diagnostic| *it.rule.id == *rules::ids::PUBLISHED_VERSION_EDITED;
    if report.diagnostics.iter().any(is_edit) && plan::repeats_stored(inputs) {
        let before = trace.places(&report.diagnostics);
        report.diagnostics.retain(|it| !is_edit(it));
        trace.dropped(before, &report.diagnostics, Gate::Unsent, |_| String::new());
    }
    finish(inputs, &mut report);
    report
}

/// Keeps the fixes that are proven, and masks the secrets. Nothing of a report may be shown before.
pub(crate) fn finish(inputs: &Inputs, report: &mut Report) {
    if let Some(masking) = Masking::of(inputs, report) {
        masking.drop_fixes(report);
        fixes::keep_proven(inputs, report);
        masking.apply(report);
    }
}

/// Which undecided rules a report lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UndecidedScope {
    /// Those that a field of the document raises.
    Touched,
    /// All that the answer of the service depends on.
    All,
}

/// Checks a document against everything that is known, and lists the undecided rules in `scope`. The fixes are not proven, and
/// the secrets not masked: see [`finish`].
pub(crate) fn run(inputs: &Inputs, scope: UndecidedScope) -> Report {
    run_traced(inputs, scope, &mut Trace::off())
}

fn run_traced(inputs: &Inputs, scope: UndecidedScope, trace: &mut Trace) -> Report {
    checkpoint();
    let document = &inputs.document;
    let kind = inputs.checked_as();
    let variables = KnownVariables::new(inputs);
    let unread = document.unread().iter().map(|part| UnreadPart {
        origin: Origin::Document,
        span: part.span,
        message: part.why.to_string(),
    });
    let allowed = LazyWildcards::new(&inputs.allowed);
    let mut checker = Checker::new(kind, &variables, &allowed, inputs, unread.collect(), trace);

    for &rule in rules::DOCUMENT {
        if let Check::Document(check) = rule.check
            && checker.runs(rule)
        {
            checker.add(rule, check(document, kind));
        }
    }
    if kind.is_sent() {
        if let Some(stored) = &inputs.stored {
            let (rule, verdicts) = rules::in_stored(stored.document());
            if checker.runs(rule) {
                checker.add(rule, verdicts);
            }
        }
        for (text, at) in inputs.texts.iter().zip(0..) {
            for (rule, verdicts) in rules::in_text_file(text.document(), Origin::Text(at)) {
                if checker.runs(rule) {
                    checker.add(rule, verdicts);
                }
            }
        }
    }
    let root = document.tree().root();
    let fields = root.map_or_else(Fields::none, |root| Fields::of(root, kind.table()));
    let settings = kind.has_settings().then(|| fields.clone());
    if let Some(root) = root {
        if root.kind() == Kind::Object {
            checker.object(&ObjectValue {
                table: kind.table(),
                node: root,
                fields,
                origin: Origin::Document,
                kind,
                is_root: true,
                allowed: &allowed,
                addresses: OnceCell::new(),
            });
        }
        if kind == DocumentKind::Template {
            checker.value(template::template.row, root, Origin::Document);
            check_variables(&mut checker, inputs, scope);
        }
    }
    if let Some(settings) = settings {
        check_settings(&mut checker, inputs, settings, scope);
    } else if let Some(rule) = checker.trace.rule()
        && matches!(rule.family(), Family::Config | Family::House)
        && !(kind == DocumentKind::Template && is_about_variables(rule))
    {
        checker.trace.end(Gate::OtherKind, &kind.noun_phrase());
    }

    let diagnostics = if checker.found.is_empty() {
        Vec::new()
    } else {
        Resolver::new(kind, inputs).resolve(checker.found, checker.trace)
    };
    Report {
        kind,
        diagnostics,
        undecided: checker.undecided,
        suppressed: Vec::new(),
        unread: checker.unread,
        secrets: Vec::new(),
        other_secrets: Vec::new(),
    }
}

/// Runs the rules about variables for a template in a file of its own. Its defaults may be in a document that is not known.
fn check_variables(checker: &mut Checker<'_>, inputs: &Inputs, scope: UndecidedScope) {
    if !checker.running.reads_variables() {
        return;
    }
    let mut effective = Effective::with_fields(checker.kind, inputs, Fields::none());
    effective.set_variable_flow(std::mem::take(&mut checker.variable_flow));
    for &rule in rules::CONFIG.iter().filter(|rule| is_about_variables(rule)) {
        if let Check::Config(check) = rule.check {
            checker.config(rule, check, &effective, scope);
        }
    }
}

/// Whether a rule reads nothing but templates and what provides their variables.
fn is_about_variables(rule: &Rule) -> bool {
    let others = [settings::default_dynamic_variables.row, settings::agent_functions.row];
    let mut rows = rule.reads.iter();
    rows.all(|row| TEMPLATES.iter().chain(&others).any(|it| std::ptr::eq(*it, *row)))
        && rule.reads.iter().any(|row| std::ptr::eq(*row, settings::prompt_text.row))
}

/// Checks the effective configuration: texts in files of their own, stored values that are revalidated, and rules that
/// compare fields.
fn check_settings<'a>(
    checker: &mut Checker<'_>,
    inputs: &'a Inputs,
    settings: Fields<'a>,
    scope: UndecidedScope,
) {
    let mut effective = Effective::with_fields(checker.kind, inputs, settings);
    for (row, node, origin) in effective.text_files() {
        checker.value(row, node, origin);
    }
    if inputs.stored.is_some() {
        checker.unchanged_settings(&effective);
    }
    if checker.running.reads_variables() {
        effective.set_variable_flow(std::mem::take(&mut checker.variable_flow));
    }
    effective.set_decoded(std::mem::take(&mut checker.decoded));
    for (_, verdict) in checker.found.iter_mut() {
        if let Some(finding) = verdict.finding_mut() {
            join_limits(&effective, finding);
        }
    }
    effective.set_rejected(checker.found.rejected_values());
    for &rule in rules::CONFIG {
        if let Check::Config(check) = rule.check {
            checker.config(rule, check, &effective, scope);
        }
    }
    // A team's rule is about something else than the service's.
    effective.set_rejected(Vec::new());
    if scope == UndecidedScope::Touched {
        for rule in &*inputs.house {
            let (verdicts, undecided) = rule.check(&effective);
            if !verdicts.is_empty() {
                let rule = rule.rule();
                checker.found.extend(verdicts.into_iter().map(|verdict| (rule.clone(), verdict)));
            }
            checker.undecided.extend(undecided);
        }
    }
    if scope == UndecidedScope::All && checker.kind == DocumentKind::Update {
        let is_contradictory = |row: &Row| effective.disagreement(row).is_some();
        checker.undecided.extend(
            effective
                .unknown_revalidated()
                .map(|row| undecided::unknown_stored_value(row, is_contradictory(row))),
        );
    }
}
