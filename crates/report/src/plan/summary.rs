//! A plan in one sentence.

use voxlint::{Plan, PlanCounts, counted};

use super::agent::undecided_checks;
use super::planned::{counted_as, counted_outcomes};

/// The counts of a plan in one line.
///
/// ```
/// use voxlint::plan;
/// use voxlint_report::plan_summary;
///
/// assert_eq!(plan_summary(&plan(Vec::new())), "no agents to plan");
/// ```
pub fn plan_summary(plan: &Plan) -> String {
    let PlanCounts { dangers, drifted, conflicts, .. } = plan.counts;
    let outcomes = counted_outcomes(&plan.counts).into_iter().filter(|(_, count)| *count > 0);
    let outcomes = outcomes.map(|(outcome, count)| format!("{count} {}", counted_as(outcome)));
    let mut line = outcomes.collect::<Vec<_>>().join(", ");
    if line.is_empty() {
        return "no agents to plan".to_owned();
    }
    let conflicts = match conflicts {
        0 => String::new(),
        count => format!(" ({})", counted(count as u64, "conflict")),
    };
    let undecided = undecided_checks(plan);
    let also = [
        (dangers > 0).then(|| format!("{dangers} with dangerous changes")),
        (drifted > 0).then(|| format!("{drifted} changed in the service{conflicts}")),
        (undecided > 0).then(|| format!("{} undecided", counted(undecided as u64, "check"))),
    ];
    for (index, part) in also.into_iter().flatten().enumerate() {
        line.push_str(if index == 0 { "; " } else { ", " });
        line.push_str(&part);
    }
    line
}
