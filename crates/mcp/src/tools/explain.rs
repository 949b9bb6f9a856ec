//! The tool `explain`: the page of a rule.

use voxlint::docs::pages;
use voxlint::rules;

use crate::answer::{Answer, WrongUse};
use crate::arguments::{Argument, ArgumentKind, Arguments};
use crate::tool::Tool;
use crate::workspace::Workspace;

static RULE: Argument = Argument::required(
    "rule",
    ArgumentKind::Name,
    "The id of the rule, such as `unknown-field`: the `rule` of a finding.",
);

pub(super) static TOOL: Tool = Tool {
    name: "explain",
    title: "Explain a rule",
    description: "Answers with the page of a rule in Markdown: what it looks for, why, checked examples of wrong and right documents, its levels, its fixes, and where the service's description states it. Use it when the message and help of a finding are not enough to correct it, or when a person asks why. House rules of voxlint.toml have pages as well.",
    arguments: &[&RULE],
    output_schema: None,
    run,
};

fn run(workspace: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let wanted = arguments.text(RULE.name).unwrap_or_default().trim().trim_matches('`');
    let rules = workspace.configurations().rules();
    let hint = "the `rule` of a finding of `check` is the id of one";
    let rule = rules::find_among(wanted, &rules, hint)?;
    Ok(Answer::text(pages::rule(rule)))
}
