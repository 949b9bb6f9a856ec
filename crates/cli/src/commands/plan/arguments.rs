//! The arguments that lead to the inputs of a plan: a saved plan records them, and `voxlint plan verify` parses them again.

use std::path::Path;

use clap::{Args as _, FromArgMatches as _};

use crate::args::{PlanInputOptions, RecordedOptions, RuleOptions};

/// The arguments, as on the command line. `changed_since` is the id of the commit that the documents were compared with.
///
/// # Errors
///
/// If one of them is not UTF-8.
pub(super) fn record(
    inputs: &PlanInputOptions,
    rules: &RuleOptions,
    changed_since: Option<&str>,
) -> Result<Vec<String>, String> {
    let PlanInputOptions { input, configuration, base, no_base } = inputs;
    let mut arguments = Vec::new();
    let text = |path: &Path| {
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| {
            format!("{}: the path is not UTF-8, so a saved plan cannot name it", path.display())
        })
    };
    // In one argument, a value that begins with a hyphen is not read as an option.
    let mut option = |name: &str, value: &str| arguments.push(format!("--{name}={value}"));
    if let Some(kind) = input.kind {
        option("kind", kind.name());
    }
    for convention in &input.texts.text_files {
        option("text-files", &convention.to_string());
    }
    let workspace = &input.context.workspace;
    let files = [
        ("stored", &input.context.stored),
        ("facts", &workspace.facts),
        ("config", &configuration.config),
    ];
    for (name, path) in files {
        if let Some(path) = path {
            option(name, &text(path)?);
        }
    }
    if let Some(id) = &workspace.agent_id {
        option("agent-id", id);
    }
    if let Some(base) = base {
        option("base", base);
    }
    if let Some(commit) = changed_since {
        option("changed-since", commit);
    }
    for (name, rules) in [("select", &rules.select), ("ignore", &rules.ignore)] {
        for rule in rules {
            option(name, rule);
        }
    }
    for (rule, level) in &rules.level {
        option("level", &format!("{rule}={level}"));
    }
    let flags = [
        ("--jsonc", input.syntax.jsonc),
        ("--force-exclude", input.force_exclude),
        ("--only-documents", input.only_documents),
        ("--isolated", configuration.isolated),
        ("--no-base", *no_base),
    ];
    arguments
        .extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| (*flag).to_owned()));
    arguments.push("--".to_owned());
    for path in input.paths() {
        arguments.push(text(&path)?);
    }
    Ok(arguments)
}

/// Parses recorded arguments; `None` if they are something else.
pub(super) fn parse(arguments: &[String]) -> Option<RecordedOptions> {
    let command = RecordedOptions::augment_args(clap::Command::new("")).no_binary_name(true);
    let mut matches = command.try_get_matches_from(arguments).ok()?;
    RecordedOptions::from_arg_matches_mut(&mut matches).ok()
}
