//! `voxlint readings`: lists the readings of the description, and what a team has set.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde_json::{Value, json};
use voxlint::docs::pages;
use voxlint::readings::{self, Reading, Readings, SetReading};
use voxlint::secrets::mask_text;
use voxlint::suggest::nearest;
use voxlint_report::{escape_json, escape_terminal_lines};

use super::{after_writing, configurations_here, readings_of};
use crate::args::{ReadingsOptions, TextOrJson};
use crate::exit::Exit;
use crate::terminal::print_error;

pub(crate) fn run(options: &ReadingsOptions) -> Exit {
    let named: Result<Vec<&Reading>, String> = options.names.iter().map(|it| find(it)).collect();
    let named = match named {
        Ok(named) => named,
        Err(message) => {
            print_error(&message);
            return Exit::Failed;
        }
    };
    let configurations = match configurations_here(&options.configuration) {
        Ok(configurations) => configurations,
        Err(exit) => return exit,
    };
    let team: Readings = readings_of(&configurations).into_iter().collect();
    let listed = if named.is_empty() { readings::ALL } else { &named };
    let text = match options.output.format {
        TextOrJson::Json => {
            let listed: Vec<Value> = listed.iter().map(|it| for_tools(it, team.get(it))).collect();
            escape_json(&format!("{:#}\n", json!({ "schema": 1, "readings": listed })))
        }
        TextOrJson::Full if named.is_empty() => list(&team),
        TextOrJson::Full => {
            let pages: Vec<String> = named.iter().map(|it| page(it, team.get(it))).collect();
            escape_terminal_lines(&pages.join("\n"))
        }
    };
    after_writing(io::stdout().lock().write_all(text.as_bytes()), Exit::Clean)
}

fn find(name: &str) -> Result<&'static Reading, String> {
    Reading::named(name).ok_or_else(|| {
        let near = nearest(name, readings::ALL.iter().map(|it| it.name));
        let hint = near.map_or("`voxlint readings` lists them all".to_owned(), |near| {
            format!("did you mean `{near}`?")
        });
        format!("there is no reading `{}`: {hint}", mask_text(name))
    })
}

/// How the team knows it, without secrets.
fn evidence(set: &SetReading) -> Option<String> {
    set.evidence.as_deref().map(|it| mask_text(it).into_owned())
}

/// Since when the team knows it, after its place.
fn since(set: &SetReading) -> String {
    set.since.as_deref().map(|it| format!(", since {}", mask_text(it))).unwrap_or_default()
}

/// One line for each reading, those that are set first.
fn list(team: &Readings) -> String {
    let width = readings::ALL.iter().map(|it| it.name.len()).max().unwrap_or(0);
    let values = readings::ALL.iter().flat_map(|it| it.values).map(|it| it.name.len());
    let widest = values.max().unwrap_or(0);
    let (set, open): (Vec<&Reading>, Vec<&Reading>) =
        readings::ALL.iter().partition(|it| team.get(it).is_some());
    let mut text = String::new();
    for reading in set.iter().chain(&open) {
        let (value, about) = if let Some(set) = team.get(reading) {
            let evidence = evidence(set).map(|it| format!(": {it}")).unwrap_or_default();
            (set.value_name(), format!("{}{}{evidence}", set.place, since(set)))
        } else {
            let values: Vec<&str> = reading.values.iter().map(|it| it.name).collect();
            ("open".to_owned(), values.join(", "))
        };
        let about = about.replace('\n', " ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:width$}  {value:widest$}  {about}", reading.name);
    }
    let _ = write!(text, "\n{} of {} set\n", set.len(), readings::ALL.len());
    escape_terminal_lines(&text)
}

/// What there is to know about one reading.
fn page(reading: &Reading, set: Option<&SetReading>) -> String {
    let now = match set {
        Some(set) => {
            let evidence = evidence(set).map(|it| format!("\nEvidence: {it}")).unwrap_or_default();
            format!("Set to {} in {}{}.{evidence}", set.value_name(), set.place, since(set))
        }
        None => {
            "Open: set it in `[readings]` of `voxlint.toml` if you know how your service answers."
                .to_owned()
        }
    };
    format!("# {}\n\n{}\n{now}\n", reading.name, pages::reading(reading))
}

/// `{"name", "section", "question", "values": [{"name", "meaning"}], "set_to", "set_in", "since", "evidence", "rules"}`
fn for_tools(reading: &Reading, set: Option<&SetReading>) -> Value {
    let values = reading.values.iter();
    let values: Vec<Value> =
        values.map(|it| json!({ "name": it.name, "meaning": it.meaning })).collect();
    json!({
        "name": reading.name,
        "section": reading.section,
        "question": reading.question,
        "values": values,
        "set_to": set.map(|it| &it.values),
        "set_in": set.map(|it| &*it.place),
        "since": set.and_then(|it| it.since.as_deref()).map(mask_text),
        "evidence": set.and_then(evidence),
        "rules": pages::depending(reading).map(|rule| &*rule.id).collect::<Vec<_>>(),
    })
}
