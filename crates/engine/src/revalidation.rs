//! Stored values that the service validates again with an update that leaves them unchanged.

use voxlint_model::effective::{Effective, may_be_revalidated};
use voxlint_model::fields::GetField as _;
use voxlint_model::readings::Assumption;
use voxlint_model::value::FieldValue;
use voxlint_model::verdict::{Condition, Finding, Verdict};
use voxlint_model::{Origin, RuleRef};
use voxlint_schema::readings::{DEFAULT_VARIABLES, STORED_LIMITS};
use voxlint_schema::{Row, Shape, settings};
use voxlint_syntax::Node;

use super::checker::Checker;
use super::found::Found;
use crate::Gate;

impl Checker<'_> {
    /// Checks the stored settings that the document leaves unchanged, as far as the service revalidates them (update agent,
    /// rule 6).
    pub(crate) fn unchanged_settings(&mut self, effective: &Effective<'_>) {
        // What becomes of a finding is decided after it has been made.
        let found = std::mem::replace(&mut self.found, Found::without_limit());
        for row in settings::TABLE.rows.iter().copied() {
            let before = self.found.len();
            if let Some(node) = effective.unchanged(row) {
                if row.revalidated {
                    self.stored_value(row, node, None);
                } else if may_be_revalidated(row) {
                    self.stored_limits(row, node);
                }
            } else if row.revalidated
                && let Shape::Map(Some(table)) = row.shape
                && let Some((written, stored)) = effective.replaced(row)
                && !written.is_incomplete()
            {
                // The description does not say whether the object is replaced or merged, so fields that only the stored
                // object has may stay.
                for row in table.rows.iter().copied().filter(|row| row.revalidated) {
                    if written.field(row).is_none()
                        && let Some(node) = stored.field(row)
                    {
                        self.stored_value(row, node, Some(Assumption::first(&DEFAULT_VARIABLES)));
                    }
                }
                self.soften(before);
            }
        }
        let unchanged = std::mem::replace(&mut self.found, found);
        self.found.extend(unchanged.into_parts().0.into_iter());
    }

    /// Runs the rules for one stored value. A sure rejection is a finding. If only some readings of the description reject
    /// the value, the rule is undecided, because the service has accepted the value before. It may stay only under an assumption.
    fn stored_value(&mut self, row: &'static Row, node: Node<'_>, only_if: Option<Assumption>) {
        if node.is_faulty() {
            return;
        }
        let before = self.found.len();
        let value = FieldValue { row, node, origin: Origin::Stored, item: None, kind: self.kind };
        if !self.value_rules(&value) {
            self.text_rules(value);
        }
        if let Shape::Map(Some(table)) = row.shape {
            for row in table.rows.iter().copied().filter(|row| row.revalidated) {
                if let Some(inner) = node.field(row) {
                    self.stored_value(row, inner, only_if);
                }
            }
        }
        for (rule, verdict) in self.found.split_off(before) {
            match verdict {
                Verdict::Reject(_) => self.found.push((rule, verdict)),
                Verdict::Possible(finding, condition) => {
                    let condition = only_if.into_iter().fold(condition, Condition::and);
                    self.may_reject_stored(rule, row, finding, condition);
                }
                _ => {
                    let place = Some((Origin::Stored, node.span()));
                    self.trace.add(&rule, place, Gate::Unchanged, &"");
                }
            }
        }
    }

    /// Runs the rules for the limits of one stored value that may be revalidated, although the description does not list it
    /// among the values that are.
    fn stored_limits(&mut self, row: &'static Row, node: Node<'_>) {
        let before = self.found.len();
        let value = FieldValue { row, node, origin: Origin::Stored, item: None, kind: self.kind };
        self.value_rules(&value);
        for (rule, verdict) in self.found.split_off(before) {
            let checked = Assumption::first(&STORED_LIMITS);
            match verdict {
                Verdict::Reject(mut finding) => {
                    let others = std::mem::take(&mut finding.assumes);
                    let condition =
                        others.into_iter().fold(Condition::under(checked), Condition::and);
                    self.may_reject_stored(rule, row, finding, condition);
                }
                Verdict::Possible(finding, condition) => {
                    let mut others = condition.assumptions().iter().copied();
                    let condition = match others.next() {
                        Some(first) => {
                            others.fold(Condition::under(checked).and(first), Condition::and)
                        }
                        None => condition,
                    };
                    self.may_reject_stored(rule, row, finding, condition);
                }
                _ => {}
            }
        }
    }

    fn may_reject_stored(
        &mut self,
        rule: RuleRef,
        row: &Row,
        finding: Finding,
        condition: Condition,
    ) {
        let why = format!("the stored `{}` may be rejected: {}", row.name, condition.to_clause());
        let verdict = match condition {
            Condition::Readings(_) => finding.unreported(condition.worded(why)),
            _ => Verdict::Undecidable(why.into()),
        };
        self.add_one(rule, verdict);
    }

    /// Turns each rejection from index `before` on into a possible one.
    fn soften(&mut self, before: usize) {
        for (_, verdict) in self.found.iter_mut().skip(before) {
            if let Verdict::Reject(mut finding) = std::mem::replace(verdict, Verdict::Holds) {
                let others = std::mem::take(&mut finding.assumes).into_iter();
                let condition = others.fold(Condition::first(&DEFAULT_VARIABLES), Condition::and);
                *verdict = finding.possible(condition).settled(self.readings);
            }
        }
    }
}
