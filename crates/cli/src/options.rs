//! Turns the options of the command line into the options of a session.

use std::path::{Path, PathBuf};

use voxlint_project::{
    BaselineSource, ConfigurationSource, ExplicitPathPolicy, LintOptions, RelatedOptions,
    SuppressionMode,
};

use crate::args::{BaselineOptions, ConfigurationOptions, ContextOptions, InputOptions};

/// The message for several paths that stand for standard input, which can be read once.
pub(crate) const ONE_STDIN: &str = "only one file can be standard input";

/// The message for text files of standard input without a name.
pub(crate) const UNNAMED_STDIN: &str =
    "--text-files needs --stdin-filename when reading standard input";

/// Whether several paths stand for standard input.
pub(crate) fn name_stdin_twice<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    paths.into_iter().filter(|path| path.as_os_str() == "-").count() > 1
}

/// The options for finding and reading files.
pub(crate) fn lint_options(
    input: &InputOptions,
    configuration: &ConfigurationOptions,
) -> LintOptions {
    LintOptions {
        configuration: configuration_source(configuration),
        related: related_options(&input.context),
        conventions: input.texts.text_files.clone(),
        kind: input.kind,
        read: input.stdin.read_options(&input.syntax),
        explicit_paths: ExplicitPathPolicy {
            force_exclude: input.force_exclude,
            only_documents: input.only_documents,
            without_users: false,
        },
        ..LintOptions::default()
    }
}

/// Where the configuration of a file comes from.
pub(crate) fn configuration_source(options: &ConfigurationOptions) -> ConfigurationSource {
    match &options.config {
        Some(file) => ConfigurationSource::File(file.clone()),
        None if options.isolated => ConfigurationSource::BuiltIn,
        None => ConfigurationSource::Nearest,
    }
}

/// The related files of all documents.
pub(crate) fn related_options(context: &ContextOptions) -> RelatedOptions {
    RelatedOptions {
        stored: context.stored.clone(),
        facts: context.workspace.facts.clone(),
        agent_id: context.workspace.agent_id.clone(),
        ..RelatedOptions::default()
    }
}

/// Which findings are suppressed.
///
/// # Errors
///
/// If the file of `--baseline` does not exist.
pub(crate) fn baseline_options(
    baseline: &BaselineOptions,
    lint: &mut LintOptions,
) -> Result<(), String> {
    let file = baseline.file.baseline.as_ref();
    if let Some(file) = file.filter(|file| !file.exists()) {
        return Err(no_such_baseline(file));
    }
    lint.baseline = if baseline.no_baseline { BaselineSource::None } else { baseline_source(file) };
    if baseline.no_suppressions {
        lint.suppressions = SuppressionMode::Ignore;
    }
    Ok(())
}

/// Where the baseline comes from, by the file of `--baseline`.
pub(crate) fn baseline_source(file: Option<&PathBuf>) -> BaselineSource {
    file.map_or(BaselineSource::Configured, |file| BaselineSource::File(file.clone()))
}

/// The message for a baseline file that does not exist.
pub(crate) fn no_such_baseline(file: &Path) -> String {
    let file = file.display();
    format!("{file}: no such file: `voxlint baseline write --baseline {file}` creates it")
}
