//! Runs the rules on a document and the other inputs.

use voxlint_model::cancellation::checkpoint;
use voxlint_model::effective::Effective;
use voxlint_model::fields::Fields;
use voxlint_model::place;
use voxlint_model::undecided::MissingInputs;
use voxlint_model::value::ObjectValue;
use voxlint_model::variables::flow::TEMPLATES;
use voxlint_model::wildcard::LazyWildcards;
use voxlint_model::{Family, Inputs, Origin, Report, Rule, Undecided, verdict};
use voxlint_rules::limits::join_limits;
use voxlint_schema::{DocumentKind, Row, Shape, settings, template};
use voxlint_syntax::Kind;

use super::checker::{Checker, UndecidedScope};
use super::resolve::Resolver;
use crate::{Gate, Trace};
use voxlint_rules as rules;

/// Checks a document against everything that is known, and lists the undecided rules in `scope`. The fixes are not proven, and
/// the secrets not masked: see `finish`.
pub fn run(inputs: &Inputs, scope: UndecidedScope) -> Report {
    run_traced(inputs, scope, &mut Trace::off())
}

pub(crate) fn run_traced(inputs: &Inputs, scope: UndecidedScope, trace: &mut Trace) -> Report {
    checkpoint();
    let document = &inputs.document;
    let kind = inputs.checked_as();
    let variables = inputs.defaults();
    let unread = document.unread().iter().map(place::unread);
    let allowed = LazyWildcards::new(&inputs.allowed);
    let mut checker = Checker::new(kind, &variables, &allowed, inputs, unread.collect(), trace);

    for &(rule, check) in rules::DOCUMENT {
        if checker.runs(rule) {
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
    if checker.trace.rule().is_some_and(|it| it.family() != Family::House && !checker.runs(it)) {
        checker.trace.end(Gate::OffByDefault, &"");
    }

    let diagnostics = if checker.found.is_empty() {
        Vec::new()
    } else {
        Resolver::new(kind, inputs).resolve(checker.found, checker.trace)
    };
    let mut report = Report::new(kind, diagnostics);
    (report.undecided, report.unread) = (checker.undecided, checker.unread);
    report
}

/// Runs the rules about variables for a template in a file of its own. Its defaults may be in a document that is not known.
fn check_variables(checker: &mut Checker<'_>, inputs: &Inputs, scope: UndecidedScope) {
    if !checker.running.reads_variables() {
        return;
    }
    let mut effective = Effective::new(checker.kind, inputs.known(), Fields::none());
    effective.set_variable_flow(std::mem::take(&mut checker.variable_flow));
    for &(rule, check) in rules::CONFIG.iter().filter(|(rule, _)| is_about_variables(rule)) {
        checker.config(rule, check, &effective, scope);
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
    let mut effective = Effective::new(checker.kind, inputs.known(), settings);
    for (row, node, origin) in effective.text_files() {
        checker.value(row, node, origin);
    }
    if inputs.stored.is_some() {
        checker.unchanged_settings(&effective);
    }
    if checker.running.reads_variables() {
        effective.set_variable_flow(std::mem::take(&mut checker.variable_flow));
    }
    for (_, verdict) in checker.found.iter_mut() {
        if let Some(finding) = verdict.finding_mut() {
            join_limits(&effective, finding);
        }
    }
    effective.set_rejected(checker.found.rejected_values());
    for &(rule, check) in rules::CONFIG {
        checker.config(rule, check, &effective, scope);
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
                .map(|row| unknown_stored_value(row, is_contradictory(row))),
        );
    }
}

/// The rule for a stored value that the service revalidates, or may revalidate, and that is not known.
fn unknown_stored_value(row: &Row, is_contradictory: bool) -> Undecided {
    let rule: &'static Rule = match row.shape {
        Shape::Number(_) => rules::OUT_OF_RANGE,
        Shape::Text(text) if text.max_characters.is_some() => rules::TEXT_TOO_LONG,
        Shape::Map(_) => rules::TRANSFER_DESTINATION_MALFORMED,
        Shape::Text(text) if text.terms.is_some() => rules::BOOSTED_KEYWORD_CHARACTER,
        _ => rules::TEMPLATE_SYNTAX_ERROR,
    };
    if is_contradictory {
        Undecided::new(rule, verdict::contradictory(&[row.name]))
    } else {
        let inputs = MissingInputs::of_stored_value(row);
        let mut undecided = Undecided::without_inputs(rule, inputs);
        undecided.is_touched = false;
        undecided
    }
}
