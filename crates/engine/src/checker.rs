//! Walks a document along the tables and runs the rules on each of its values.

use voxlint_model::cancellation::checkpoint;
use voxlint_model::effective::Effective;
use voxlint_model::fields::{Fields, rows_in};
use voxlint_model::inputs::RunningRules;
use voxlint_model::readings::Readings;
use voxlint_model::text_traits::{Needs, may_skip};
use voxlint_model::value::{
    FieldValue, ObjectValue, TemplateValue, TextValue, UnknownReason, Value,
};
use voxlint_model::variables::{KnownVariables, VariableFlow};
use voxlint_model::verdict::{Finding, Verdict, Verdicts};
use voxlint_model::wildcard::LazyWildcards;
use voxlint_model::{Family, Inputs, Origin, Rule, RuleRef, Undecided, UnreadPart, quote};
use voxlint_schema::{DocumentKind, Items, Row, Shape, Table};
use voxlint_syntax::{Kind, Node};

use super::found::Found;
use crate::{Gate, Trace};
use voxlint_rules as rules;

/// Which undecided rules a report lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndecidedScope {
    /// Those that a field of the document raises.
    Touched,
    /// All that the answer of the service depends on.
    All,
}

/// The state of one check.
pub(crate) struct Checker<'k> {
    pub(crate) kind: DocumentKind,
    /// The template variables that are known.
    variables: &'k KnownVariables<'k>,
    /// The field names that `unknown-field` ignores.
    allowed: &'k LazyWildcards<'k>,
    /// The rules that run.
    pub(crate) running: RunningRules,
    /// Whether the errors of a template after its first one are found, too.
    looks_ahead: bool,
    /// What the team knows about open passages of the description.
    pub(crate) readings: &'k Readings,
    /// What a text needs for those about texts, and then those about templates, to object.
    needs: Needs,
    pub(crate) found: Found,
    pub(crate) undecided: Vec<Undecided>,
    pub(crate) unread: Vec<UnreadPart>,
    /// The variables of the templates so far.
    pub(crate) variable_flow: VariableFlow,
    pub(crate) trace: &'k mut Trace,
}

impl<'k> Checker<'k> {
    pub(crate) fn new(
        kind: DocumentKind,
        variables: &'k KnownVariables<'k>,
        allowed: &'k LazyWildcards<'k>,
        inputs: &'k Inputs,
        unread: Vec<UnreadPart>,
        trace: &'k mut Trace,
    ) -> Self {
        Self {
            kind,
            variables,
            allowed,
            running: inputs.running,
            looks_ahead: inputs.looks_ahead,
            readings: &inputs.readings,
            needs: Needs::of(
                rules::of(rules::TEXT)
                    .chain(rules::of(rules::TEMPLATE))
                    .map(|rule| inputs.running.has(rule).then_some(rule.internal.needs)),
            ),
            found: Found::default(),
            undecided: Vec::new(),
            unread,
            variable_flow: VariableFlow::default(),
            trace,
        }
    }

    /// Whether a rule is to run.
    #[inline]
    pub(crate) const fn runs(&self, rule: &Rule) -> bool {
        self.running.has(rule)
    }

    #[inline]
    pub(crate) fn add(&mut self, rule: &'static Rule, verdicts: Verdicts) {
        if !verdicts.is_empty() {
            self.add_each(rule, verdicts);
        }
    }

    fn add_each(&mut self, rule: &'static Rule, verdicts: Verdicts) {
        for verdict in verdicts {
            self.add_one(rule.into(), verdict);
        }
    }

    /// Adds a verdict under the team's readings.
    pub(crate) fn add_one(&mut self, rule: RuleRef, verdict: Verdict) {
        let assumes = match &verdict {
            Verdict::Possible(_, condition) | Verdict::Unreported(_, condition) => {
                condition.assumptions().to_vec()
            }
            _ => Vec::new(),
        };
        match verdict.settled(self.readings) {
            Verdict::Undecidable(why) => self.add_undecidable(Undecided::new(rule, why)),
            Verdict::Unreported(_, condition) => {
                let mut entry = Undecided::new(rule, condition.to_clause());
                entry.assumes = condition.assumptions().to_vec();
                self.add_undecidable(entry);
            }
            Verdict::Holds if !assumes.is_empty() => {
                let set =
                    assumes.iter().filter_map(|it| Some((it, self.readings.get(it.reading)?)));
                let allow =
                    set.filter(|(it, _)| self.readings.settle(&mut vec![**it]) == Some(false));
                let words: Vec<String> = allow.map(|(_, set)| set.to_string()).collect();
                self.trace.add(&rule, None, Gate::Reading, &words.join(", "));
            }
            verdict => self.found.push((rule, verdict)),
        }
    }

    /// Adds an undecided rule, unless the same rule has been added with the same reason.
    fn add_undecidable(&mut self, new: Undecided) {
        let mut before = self.undecided.iter();
        if !before.any(|entry| entry.rule.id == new.rule.id && entry.why() == new.why()) {
            self.undecided.push(new);
        }
    }

    /// Checks an object and every value in it that a row describes. Tables are nested three deep, so this recursion is
    /// shallow.
    pub(crate) fn object(&mut self, object: &ObjectValue<'_>) {
        for &(rule, check) in rules::OBJECT {
            if rule.internal.table.is_none_or(|table| object.is(table)) && self.runs(rule) {
                self.add(rule, check(object));
            }
        }
        for row in rows_in(object.fields.present(), object.table) {
            if let Some(node) = object.fields.get(row) {
                self.value(row, node, Origin::Document);
            }
        }
    }

    /// Checks an object inside the document.
    fn inner_object(&mut self, node: Node<'_>, table: &'static Table) {
        self.object(&ObjectValue {
            table,
            node,
            fields: Fields::of(node, table),
            origin: Origin::Document,
            kind: self.kind,
            is_root: false,
            allowed: self.allowed,
        });
    }

    /// Checks the value of a field, and everything in it.
    pub(crate) fn value(&mut self, row: &'static Row, node: Node<'_>, origin: Origin) {
        let value = FieldValue { row, node, origin, item: None, kind: self.kind };
        if self.value_rules(&value) {
            return;
        }
        self.text_rules(value);
        match row.shape {
            Shape::Map(Some(table)) if node.kind() == Kind::Object => {
                self.inner_object(node, table);
            }
            Shape::Entries(table) => {
                for entry in node.members() {
                    if entry.value.kind() == Kind::Object {
                        self.inner_object(entry.value, table);
                    } else {
                        let entry = FieldValue { node: entry.value, item: Some(0), ..value };
                        self.value_rules(&entry);
                    }
                }
            }
            Shape::EntriesOrFirst(table) => {
                for entry in node.members() {
                    if entry.value.kind() == Kind::Object {
                        self.inner_object(entry.value, table);
                    } else if let Some(first) = table.rows.first() {
                        self.value(first, entry.value, origin);
                    }
                }
            }
            Shape::List(items) if node.kind() == Kind::Array => {
                for (index, element) in node.elements().enumerate() {
                    let item = FieldValue { node: element, item: Some(index), ..value };
                    if self.value_rules(&item) {
                        continue;
                    }
                    self.text_rules(item);
                    if let Items::Maps(table) = items
                        && element.kind() == Kind::Object
                    {
                        self.inner_object(element, table);
                    }
                }
            }
            _ => {}
        }
    }

    /// Runs the rules that could object to the text of a string. They are about different things, so each of them may report
    /// something. The text is decoded only for them.
    pub(crate) fn text_rules(&mut self, value: FieldValue<'_>) {
        let Some(traits) = value.text_traits(self.needs.any) else { return };
        let needed = self.needs.met_by(traits);
        if needed == 0 {
            return;
        }
        checkpoint();
        let Some((decoded, shape)) = value.text() else { return };
        self.rules_of_text(&TextValue::new(value, &decoded, shape, traits, self.variables), needed);
    }

    /// Runs these rules for a text, and those for the template that it is.
    fn rules_of_text(&mut self, text: &TextValue<'_>, needed: u64) {
        let value = text.value;
        self.unread.extend(text.unread());
        for &(rule, check) in members_of(needed, rules::TEXT) {
            self.add(rule, check(text));
        }
        let needed = needed >> rules::TEXT.len();
        if needed == 0 {
            return;
        }
        let Some(template) = TemplateValue::of(text) else { return };
        if self.running.reads_variables() {
            self.variable_flow.add(value.row, &value.place(), template.text, &template.parsed);
        }
        for &(rule, check) in members_of(needed, rules::TEMPLATE) {
            self.add(rule, check(&template));
        }
        if self.looks_ahead && self.runs(rules::TEMPLATE_SYNTAX_ERROR) {
            self.add(rules::TEMPLATE_SYNTAX_ERROR, rules::further_syntax_errors(&template));
        }
    }

    /// Runs the rules for one value, unless its row plainly allows it, until one of them reports something. Returns whether one
    /// did.
    pub(crate) fn value_rules(&mut self, value: &FieldValue<'_>) -> bool {
        if rules::is_plainly_allowed(value) && may_skip() {
            return false;
        }
        checkpoint();
        let before = self.found.len();
        for &(rule, check) in rules::VALUE {
            if self.runs(rule) {
                self.add(rule, check(value));
                if self.found.len() > before {
                    if let Some(traced) = self.trace.rule().cloned()
                        && is_ended_by(&traced, rule, value)
                    {
                        let place = Some((value.origin, value.node.span()));
                        self.trace.add(&traced, place, Gate::Ended, &rule.id);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Runs a rule that compares fields of the effective configuration.
    pub(crate) fn config(
        &mut self,
        rule: &'static Rule,
        check: fn(&Effective<'_>) -> Verdicts,
        effective: &Effective<'_>,
        scope: UndecidedScope,
    ) {
        let concerns = || scope == UndecidedScope::All || effective.concerns(rule);
        if !self.runs(rule) {
            return;
        }
        if !concerns() {
            if self.trace.is_of(rule) {
                let fields = quote::list(rule.reads.iter().map(|row| row.name));
                self.trace.end(Gate::Unconcerned, &fields);
            }
            return;
        }
        checkpoint();
        effective.take_accessed();
        let verdicts = check(effective);
        if verdicts.is_empty() {
            return;
        }
        let is_undecided = verdicts.is_undecided();
        for verdict in verdicts {
            match verdict {
                // It only follows from the value that the service rejects.
                Verdict::Possible(finding, _) | Verdict::Advice(finding)
                    if effective.is_about_rejected(&finding) =>
                {
                    self.trace.add(rule, None, Gate::Follows, &"");
                }
                Verdict::Reject(finding) if finding.unless.is_some() => {
                    let verdict = Verdict::Reject(finding).settled(self.readings);
                    // Only a prediction needs this. A check has reported the rejection.
                    if scope == UndecidedScope::All
                        && let Verdict::Reject(Finding { unless: Some(condition), .. }) = &verdict
                    {
                        let mut entry = Undecided::new(rule, condition.to_clause());
                        entry.may_be_accepted = true;
                        entry.assumes = condition.assumptions().to_vec();
                        self.undecided.push(entry);
                    }
                    self.found.push((rule.into(), verdict));
                }
                verdict => self.add_one(rule.into(), verdict),
            }
        }
        let accessed = effective.take_accessed();
        let is_touched = effective.touches(rule, accessed);
        if !is_undecided || !(is_touched || scope == UndecidedScope::All) {
            if is_undecided
                && self.trace.is_of(rule)
                && let Some(entry) = effective.undecided(rule, accessed, false)
            {
                self.trace.add(rule, None, Gate::Untouched, &entry.why());
            }
            return;
        }
        // The cause is a fault in the document, which has been reported.
        let is_faulty = rule.reads.iter().any(|row| {
            let value = effective.node(row);
            matches!(value, Value::Unknown(UnknownReason::Faulty | UnknownReason::Lost))
        });
        if !is_faulty || scope == UndecidedScope::All {
            self.undecided.extend(effective.undecided(rule, accessed, is_touched));
        } else {
            self.trace.add(rule, None, Gate::Faulty, &"");
        }
    }
}

/// Whether a rule is not asked about a value because another one has objected to it.
fn is_ended_by(rule: &Rule, by: &Rule, value: &FieldValue<'_>) -> bool {
    let mut later = rules::of(rules::VALUE).skip_while(|it| it.id != by.id).skip(1);
    match rule.family() {
        Family::Value => later.any(|it| it.id == rule.id),
        Family::Text | Family::Template => matches!(
            value.row.shape,
            Shape::Text(_) | Shape::TextOrTexts | Shape::List(Items::Texts(_))
        ),
        _ => false,
    }
}

/// The rules of a list that have a bit in a set.
fn members_of<T>(mut set: u64, rules: &'static [T]) -> impl Iterator<Item = &'static T> {
    std::iter::from_fn(move || {
        let rule = rules.get(set.trailing_zeros() as usize)?;
        set &= set.wrapping_sub(1);
        Some(rule)
    })
}
