//! `voxlint man`: the manual page, with the sections that manual pages have.

use std::io::{self, Write};

use clap::Command;
use clap::builder::PossibleValue;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::after_writing;
use crate::args::{ManOptions, notes, program};
use crate::exit::Exit;

pub(crate) fn run(options: &ManOptions) -> Exit {
    let written = page(options.command.as_deref())
        .and_then(|page| io::stdout().lock().write_all(page.as_bytes()));
    after_writing(written, Exit::Clean)
}

/// The files that voxlint finds on its own.
const FILES: [(&str, &str); 2] = [
    (
        "voxlint.toml",
        "Settings. For each file, the nearest one in its folder or above, up to the root of its git repository, applies.",
    ),
    ("voxlint-baseline.json", "The baseline: existing findings, which are not reported again."),
];

/// The definition of the straight apostrophe. `clap_mangen` repeats it in each section, and it is needed once.
const APOSTROPHE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// The page of one command, or of voxlint with the options of all commands.
fn page(command: Option<&str>) -> io::Result<String> {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    let command = command.and_then(|name| program.find_subcommand(name)).unwrap_or(&program);
    let below = descendants(command);
    let is_part = command.get_name() != program.get_name();

    let man = Man::new(in_one_list(command));
    let name = command.get_display_name().unwrap_or("voxlint");
    let version = program.get_version().unwrap_or_default();
    // A date would make each build different.
    let mut page = format!(
        ".TH \"{}\" \"1\" \"\" \"voxlint {version}\" \"User Commands\"\n{APOSTROPHE}",
        name.to_uppercase()
    );
    page.push_str(&rendered(|out| man.render_name_section(out))?);
    page.push_str(&rendered(|out| man.render_synopsis_section(out))?);
    page.push_str(&rendered(|out| man.render_description_section(out))?);
    let own = notes(command);
    page.push_str(&text(&own.paragraphs));
    page.push_str(&rendered(|out| man.render_options_section(out))?);
    if !below.is_empty() {
        page.push_str(&heading("SH", "COMMANDS"));
    }
    for part in &below {
        page.push_str(&describe(part)?);
    }

    page.push_str(&heading("SH", "EXIT CODES"));
    page.push_str(&terms(&own.exit_codes));
    for part in &below {
        let notes = notes(part);
        if !notes.exit_codes.is_empty() {
            page.push_str(&heading("SS", full_name(part)));
            page.push_str(&terms(&notes.exit_codes));
        }
    }
    let of_parts = below.iter().flat_map(|part| notes(part).environment);
    let environment: Vec<(String, String)> =
        own.environment.iter().cloned().chain(of_parts).collect();
    if !environment.is_empty() {
        page.push_str(&heading("SH", "ENVIRONMENT"));
        page.push_str(&terms(&environment));
    }
    page.push_str(&heading("SH", "FILES"));
    for (name, about) in FILES {
        page.push_str(&tagged(name, about));
    }
    page.push_str(&heading("SH", "EXAMPLES"));
    let mut examples = own.examples;
    for example in below.iter().flat_map(|part| notes(part).examples) {
        let is_same = |other: &String| other.lines().last() == example.lines().last();
        if !examples.iter().any(is_same) {
            examples.push(example);
        }
    }
    page.push_str(&text(&examples));
    page.push_str(&heading("SH", "SEE ALSO"));
    page.push_str(&text(&[if is_part {
        "voxlint(1); `voxlint man` prints it.".to_owned()
    } else {
        "`voxlint man COMMAND` prints the page of a command, `voxlint rules` lists the rules, and \
         `voxlint explain RULE` prints the page of one."
            .to_owned()
    }]));
    Ok(page)
}

/// The subcommands of a command, each followed by its own.
fn descendants(command: &Command) -> Vec<&Command> {
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    visible.flat_map(|it| std::iter::once(it).chain(descendants(it))).collect()
}

/// The part of the whole page about one command.
fn describe(command: &Command) -> io::Result<String> {
    // `--help` is described once.
    let man = Man::new(in_one_list(command).mut_arg("help", |help| help.hide(true)));
    let mut part = heading("SS", full_name(command));
    part.push_str(body(&rendered(|out| man.render_description_section(out))?));
    part.push_str(".PP\n");
    part.push_str(body(&rendered(|out| man.render_synopsis_section(out))?));
    part.push_str(&text(&notes(command).paragraphs));
    part.push_str(body(&rendered(|out| man.render_options_section(out))?));
    Ok(part)
}

/// The command with all arguments under one heading, and values without help in one line.
fn in_one_list(command: &Command) -> Command {
    command.clone().mut_args(|argument| {
        let argument = argument.help_heading(None::<&str>);
        let values = argument.get_possible_values();
        let is_hidden = argument.is_hide_possible_values_set();
        if values.is_empty() || is_hidden || values.iter().any(|value| value.get_help().is_some()) {
            return argument;
        }
        let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        let help = argument.get_long_help().or_else(|| argument.get_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        argument.long_help(format!("{help}: {}", names.join(", "))).hide_possible_values(true)
    })
}

fn full_name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn terms(terms: &[(String, String)]) -> String {
    terms.iter().map(|(term, about)| tagged(term, about)).collect()
}

fn rendered(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    let mut bytes = Vec::new();
    render(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix(APOSTROPHE).unwrap_or(&text).to_owned())
}

/// A rendered section without its heading.
fn body(section: &str) -> &str {
    section.split_once('\n').unwrap_or_default().1
}

fn heading(level: &str, name: &str) -> String {
    Roff::new().control(level, [name]).to_roff()
}

fn tagged(tag: &str, about: &str) -> String {
    Roff::new().control("TP", []).text([bold(tag)]).text([roman(about)]).to_roff()
}

/// Paragraphs. Indented lines are not wrapped.
fn text(paragraphs: &[String]) -> String {
    let mut roff = Roff::new();
    for paragraph in paragraphs {
        roff.control("PP", []);
        let mut is_shaped = false;
        for line in paragraph.lines() {
            if line.starts_with(' ') != is_shaped {
                is_shaped = !is_shaped;
                roff.control(if is_shaped { "nf" } else { "fi" }, []);
            }
            roff.text([roman(line)]);
        }
        if is_shaped {
            roff.control("fi", []);
        }
    }
    roff.to_roff()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flag as roff spells it.
    fn in_roff(flag: &str) -> String {
        format!("\\fB{}\\fR", flag.replace('-', "\\-"))
    }

    fn flags(command: &Command) -> Vec<String> {
        let arguments = command.get_arguments().filter(|it| !it.is_hide_set());
        let spell = |argument: &clap::Arg| {
            let long = argument.get_long().map(|long| in_roff(&format!("--{long}")));
            let short = argument.get_short().map(|short| in_roff(&format!("-{short}")));
            long.into_iter().chain(short).collect::<Vec<_>>()
        };
        arguments.flat_map(spell).collect()
    }

    #[test]
    fn man_pages_list_every_flag() {
        let mut program = program().disable_help_subcommand(true);
        program.build();
        let whole = page(None).unwrap();
        for command in std::iter::once(&program).chain(descendants(&program)) {
            let name = full_name(command);
            let head = heading("SS", name);
            // The part about this command, up to the next one.
            let part = whole.split(&head).nth(1).map(|it| it.split(".SS ").next().unwrap());
            let part = part.unwrap_or(&whole);
            for flag in flags(command) {
                let is_said_once = flag == in_roff("-h") || flag == in_roff("--help");
                assert!(is_said_once || part.contains(&flag), "{name} {flag}\n{part}");
            }
        }
        assert!(whole.contains(&in_roff("--help")));
        for command in program.get_subcommands() {
            let page = page(Some(command.get_name())).unwrap();
            for flag in flags(command) {
                assert!(page.contains(&flag), "{} {flag}\n{page}", command.get_name());
            }
        }
    }

    #[test]
    fn the_page_of_the_whole_tells_what_each_variable_of_the_environment_does() {
        let whole = page(None).unwrap();
        for name in [
            "NO_COLOR",
            "FORCE_COLOR",
            "CLICOLOR_FORCE",
            "TERM",
            "CI",
            "GITHUB_ACTIONS",
            "VOXLINT_DOCS",
        ] {
            assert!(whole.contains(&format!("\\fB{name}\\fR")), "{name}\n{whole}");
        }
    }

    #[test]
    fn pages_have_the_sections_that_readers_expect() {
        for (command, commands) in [(None, &["COMMANDS"][..]), (Some("check"), &[])] {
            let page = page(command).unwrap();
            let found: Vec<&str> =
                page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
            let head = &["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"][..];
            let tail = &["EXIT CODES", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"][..];
            let found: Vec<&str> = found.into_iter().map(|it| it.trim_matches('"')).collect();
            assert_eq!(found, [head, commands, tail].concat());
        }
    }
}
