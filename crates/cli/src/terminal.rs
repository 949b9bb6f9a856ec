//! What is known of the terminal, and how the program meets its end.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::panic;
use std::sync::OnceLock;

use voxlint_report::{DOCUMENTATION_URL, RenderOptions, escape_terminal};

use crate::args::ColorArgument;

/// The columns of a frame where there is no terminal to measure, so that redirected output is the same everywhere.
const WIDTH: usize = 100;

/// How findings look on standard output.
pub(crate) fn style_of_stdout(color: ColorArgument) -> RenderOptions {
    let is_terminal = io::stdout().is_terminal();
    let width = if is_terminal { measured_width().unwrap_or(WIDTH).clamp(40, 160) } else { WIDTH };
    RenderOptions {
        color: wants_color(color, is_terminal),
        width,
        wrap_headlines: is_terminal,
        links: (is_terminal && takes_links()).then(documentation).flatten(),
        ..RenderOptions::default()
    }
}

/// How the summary looks on standard error.
pub(crate) fn style_of_stderr(color: ColorArgument) -> RenderOptions {
    RenderOptions {
        color: wants_color(color, io::stderr().is_terminal()),
        width: WIDTH,
        ..RenderOptions::default()
    }
}

/// Colours on a terminal, unless `NO_COLOR` is set to anything or the terminal is a dumb one; `CLICOLOR_FORCE` asks for
/// them elsewhere.
fn wants_color(color: ColorArgument, is_terminal: bool) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        ColorArgument::Always => true,
        ColorArgument::Never => false,
        ColorArgument::Auto if is_set("NO_COLOR") => false,
        ColorArgument::Auto if is_set("CLICOLOR_FORCE") => {
            env::var_os("CLICOLOR_FORCE").is_some_and(|it| it != "0")
        }
        ColorArgument::Auto => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// The address of the documentation: the one in `VOXLINT_DOCS`, for a team that keeps a copy, or else the one that the
/// package names.
pub(crate) fn documentation() -> Option<&'static str> {
    static STATED: OnceLock<Option<String>> = OnceLock::new();
    let stated = STATED.get_or_init(|| {
        let stated = env::var("VOXLINT_DOCS").ok()?;
        // It stands inside an escape sequence.
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

/// Says something on standard error, with whatever would steer the terminal spelled out. There is nobody to tell if that
/// fails.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "voxlint: {}", escape_terminal(message));
}

/// A fault of voxlint's own is told in one line that says where it happened.
pub(crate) fn report_panics() {
    panic::set_hook(Box::new(|info| complain(&format!("this is a bug in voxlint: {info}"))));
}
