//! The terminal: colors, width, links, and messages on standard error.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic;
use std::sync::OnceLock;

use voxlint_bindings::related_file;
use voxlint_project::Failure;
use voxlint_report::{
    CheckedDocument, DOCUMENTATION_URL, OutputFormat, RenderOptions, RunInfo, RunOutcome,
    escape_terminal, render, write_findings,
};

use crate::args::ColorArgument;

/// The width of redirected output, so that it is the same on every machine.
const WIDTH: usize = 100;

/// The style of findings on standard output.
pub(crate) fn style_of_stdout(color: ColorArgument) -> RenderOptions {
    let is_terminal = io::stdout().is_terminal();
    RenderOptions {
        color: wants_color(color, is_terminal),
        width: width(is_terminal),
        wrap_headlines: is_terminal,
        links: (is_terminal && takes_links()).then(documentation).flatten(),
        ..RenderOptions::default()
    }
}

/// The style of messages on standard error.
pub(crate) fn style_of_stderr(color: ColorArgument) -> RenderOptions {
    let is_terminal = io::stderr().is_terminal();
    RenderOptions {
        color: wants_color(color, is_terminal),
        width: width(is_terminal),
        wrap_headlines: is_terminal,
        ..RenderOptions::default()
    }
}

fn width(is_terminal: bool) -> usize {
    if is_terminal { measured_width().unwrap_or(WIDTH).clamp(40, 160) } else { WIDTH }
}

/// Colors on a terminal, unless `NO_COLOR` is set to anything or the terminal is a dumb one; `FORCE_COLOR` and
/// `CLICOLOR_FORCE` ask for them elsewhere.
fn wants_color(color: ColorArgument, is_terminal: bool) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        ColorArgument::Always => true,
        ColorArgument::Never => false,
        ColorArgument::Auto if is_set("NO_COLOR") => false,
        ColorArgument::Auto => {
            let forced = ["FORCE_COLOR", "CLICOLOR_FORCE"].into_iter().find(|name| is_set(name));
            match forced.and_then(env::var_os) {
                Some(value) => value != "0" && value != "false",
                None => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
            }
        }
    }
}

/// The address of the documentation: `VOXLINT_DOCS`, for a team with its own copy, or else the address in the package.
pub(crate) fn documentation() -> Option<&'static str> {
    static STATED: OnceLock<Option<String>> = OnceLock::new();
    let stated = STATED.get_or_init(|| {
        let stated = env::var("VOXLINT_DOCS").ok()?;
        // It becomes a part of an escape sequence.
        let is_address = stated.contains(':') && stated.bytes().all(|byte| byte.is_ascii_graphic());
        is_address.then(|| stated.trim_end_matches('/').to_owned())
    });
    stated.as_deref().or(DOCUMENTATION_URL)
}

fn takes_links() -> bool {
    supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout)
}

fn measured_width() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
    Some(usize::from(width))
}

/// Prints a message on standard error, with control characters escaped. A failure to print it cannot be reported.
pub(crate) fn print_error(message: &str) {
    let _ = writeln!(io::stderr(), "voxlint: {}", escape_terminal(message));
}

/// Prints failures, one per line.
pub(crate) fn print_failures<'f>(failures: impl IntoIterator<Item = &'f Failure>) {
    for failure in failures {
        print_error(&failure.to_string());
    }
}

/// Prints the findings of a document that is not under check.
pub(crate) fn print_findings(checked: &CheckedDocument<'_>, color: ColorArgument) {
    let (info, outcome) = (RunInfo::default(), RunOutcome::default());
    let rendered = render(OutputFormat::Full, &style_of_stderr(color), checked);
    let _ = write_findings(&mut io::stderr(), OutputFormat::Full, &info, [rendered], &outcome);
}

/// Prints the faults of files that cannot be used.
pub(crate) fn print_faults(failures: &[Failure], color: ColorArgument) {
    for file in failures.iter().filter_map(|failure| failure.faults.as_ref()) {
        let related: Vec<_> = file.related.iter().map(related_file).collect();
        let checked = CheckedDocument::new(&file.path, &file.text, &file.report);
        print_findings(&checked.related_files(&related), color);
        // An empty line separates them from the next message.
        let _ = writeln!(io::stderr());
    }
}

/// Reports a bug in one line with the place in the source.
pub(crate) fn report_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
        // A text that is put together may quote a secret of a document, one of the source cannot.
        let why = info.payload().downcast_ref::<&'static str>();
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        print_error(&format!("this is a bug in voxlint{place}{why}"));
    }));
}
