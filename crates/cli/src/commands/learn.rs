//! `voxlint learn`: concludes what recorded answers say about the description, and verifies predictions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use voxlint::learn::{Lesson, Lessons, Note, RecordNote, Verification, learn, verify};
use voxlint::readings::{Readings, SetReading};
use voxlint::{counted, secrets};
use voxlint_config::{Configuration, with_readings};
use voxlint_project::paths::working_directory;
use voxlint_project::{
    CONFIGURATION_NAME, Configurations, FileSystem, ReadOptions, describe_io_error,
    read_configuration, write_atomically,
};
use voxlint_report::{escape_json, escape_terminal};

use super::{after_writing, configurations_here, readings_of};
use crate::args::{LearnOptions, TextOrJson};
use crate::exit::Exit;
use crate::terminal::print_error;

/// The JSON Schema of a record.
pub(crate) const RECORD_SCHEMA: &str = include_str!("record.schema.json");

pub(crate) fn run(options: &LearnOptions) -> Exit {
    try_run(options).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

fn try_run(options: &LearnOptions) -> Result<Exit, String> {
    let configurations = match configurations_here(&options.configuration) {
        Ok(configurations) => configurations,
        Err(exit) => return Ok(exit),
    };
    let readings: Arc<Readings> = Arc::new(readings_of(&configurations).into_iter().collect());
    let records = Records::read(&options.records)?;
    let lines = || records.texts.iter().flat_map(|text| text.lines());
    let unusable = |count: usize, notes: &[RecordNote]| {
        if count > notes.len() {
            return Ok(());
        }
        let first =
            notes.first().map(|note| format!(": {}: {}", records.place(note.line), note.note));
        Err(format!("no record can be used{}", first.unwrap_or_default()))
    };
    if options.verify {
        let result = verify(lines(), &readings);
        unusable(result.records, &result.unusable)?;
        let text = match options.output.format {
            TextOrJson::Full => verification_text(&result, &records),
            TextOrJson::Json => verification_json(&result, &records),
        };
        let exit = if result.wrong.is_empty() { Exit::Clean } else { Exit::Findings };
        return Ok(print(&text, exit));
    }
    let lessons = learn(lines(), &readings);
    unusable(lessons.records, &lessons.unusable)?;
    let text = match options.output.format {
        TextOrJson::Full => lessons_text(&lessons, &readings, &records),
        TextOrJson::Json => lessons_json(&lessons, &records),
    };
    let contradicts = lessons.readings.iter().any(|lesson| !lesson.contradiction.is_empty());
    let is_clean = lessons.unexplained.is_empty() && !contradicts;
    let exit = print(&text, if is_clean { Exit::Clean } else { Exit::Findings });
    if options.write {
        let folder = working_directory();
        let configuration = configurations.for_folder(&folder);
        let path = configuration.and_then(Configuration::path).map_or_else(
            || format!("{}/{CONFIGURATION_NAME}", folder.trim_end_matches('/')),
            str::to_owned,
        );
        let new = lessons.readings.iter();
        let new: Vec<SetReading> =
            new.filter_map(|it| to_write(it, readings.get(it.reading), &records)).collect();
        write_readings(&configurations, &path, &new)?;
    }
    Ok(exit)
}

fn print(text: &str, exit: Exit) -> Exit {
    after_writing(io::stdout().lock().write_all(text.as_bytes()), exit)
}

fn is_narrowed(lesson: &Lesson) -> bool {
    lesson.values.len() < lesson.reading.values.len()
}

/// The values of a set reading that the records leave, if they leave fewer than are set.
fn left(set: &SetReading, lesson: &Lesson) -> Option<Vec<&'static str>> {
    let is_left = |value: &&str| lesson.values.iter().any(|it| it.name == *value);
    let left: Vec<&str> = set.values.iter().copied().filter(is_left).collect();
    (1..set.values.len()).contains(&left.len()).then_some(left)
}

/// The records behind a lesson, and the team's readings that it needs, as `with` names them.
fn evidence(lesson: &Lesson, records: &Records, with: impl Fn(&SetReading) -> String) -> String {
    // Nothing follows from what contradicts the records.
    let needed = lesson.with.iter().filter(|_| lesson.contradiction.is_empty());
    let with: Vec<String> =
        needed.map(|set| format!("`{}` as {}", set.reading.name, with(set))).collect();
    let with =
        if with.is_empty() { with.concat() } else { format!(", with {}", with.join(" and ")) };
    secrets::mask_text(&format!("{}{with}", records.places(&lesson.lines))).into_owned()
}

/// What a lesson adds to what a team has set, with the records as evidence.
fn to_write(lesson: &Lesson, set: Option<&SetReading>, records: &Records) -> Option<SetReading> {
    let names = || lesson.values.iter().map(|value| value.name).collect();
    let values = match set {
        Some(set) => left(set, lesson)?,
        None => is_narrowed(lesson).then(names)?,
    };
    let before = set.and_then(|set| set.evidence.as_deref()).map(str::to_owned);
    let all: Vec<String> =
        before.into_iter().chain([evidence(lesson, records, SetReading::value_name)]).collect();
    let since = lesson.since.as_deref().map(Arc::from);
    SetReading::new(lesson.reading, values, "", Some(all.join("; ").into()), since).ok()
}

fn write_readings(
    configurations: &Configurations,
    path: &str,
    new: &[SetReading],
) -> Result<(), String> {
    let shown = configurations.shown(path);
    if new.is_empty() {
        let line = format!("{shown} is unchanged: the records add nothing to it");
        let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
        return Ok(());
    }
    let file = Path::new(path);
    if let Some(objection) = configurations.objection_to_writing(file) {
        return Err(format!("{shown}: {objection}"));
    }
    let before = if file.exists() {
        read_configuration(path).map_err(|error| format!("{shown}: {error}"))?
    } else {
        String::new()
    };
    let after = with_readings(&before, new).map_err(|error| format!("{shown}: {error}"))?;
    write_atomically(file, after.as_bytes())
        .map_err(|error| format!("{shown}: {}", describe_io_error(&error)))?;
    let line = format!("wrote {} into {shown}", counted(new.len() as u64, "reading"));
    // A failure to write to standard error cannot be reported.
    let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
    Ok(())
}

/// The files of records.
struct Records {
    names: Vec<String>,
    texts: Vec<String>,
    /// The number of the line before the first one of each file, among all lines.
    starts: Vec<usize>,
}

impl Records {
    fn read(paths: &[std::path::PathBuf]) -> Result<Self, String> {
        let mut all = Self { names: Vec::new(), texts: Vec::new(), starts: Vec::new() };
        let mut start = 0;
        for path in paths {
            let input = ReadOptions::default().input(path);
            let bytes = input.read(&FileSystem::default()).map_err(|error| error.to_string())?;
            let text = String::from_utf8(bytes)
                .map_err(|_| format!("{}: is not UTF-8 text", input.shown))?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
            all.starts.push(start);
            start += text.lines().count();
            all.names.push(input.shown.to_string());
            all.texts.push(text);
        }
        Ok(all)
    }

    /// The file and the line in it of a line among all lines.
    fn located(&self, line: usize) -> (&str, usize) {
        let at = self.starts.partition_point(|start| *start < line).saturating_sub(1);
        let start = self.starts.get(at).copied().unwrap_or_default();
        (self.names.get(at).map_or("", String::as_str), line - start)
    }

    fn place(&self, line: usize) -> String {
        let (name, line) = self.located(line);
        format!("{name}:{line}")
    }

    fn places(&self, lines: &[usize]) -> String {
        let places: Vec<String> = lines.iter().map(|line| self.place(*line)).collect();
        places.join(", ")
    }
}

fn names(lesson: &Lesson) -> String {
    let names: Vec<String> = lesson.values.iter().map(|value| value.name.to_owned()).collect();
    either(&names)
}

/// `a, b or c`
fn either(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        words => words.concat(),
    }
}

fn lessons_text(lessons: &Lessons, set: &Readings, records: &Records) -> String {
    let known: Vec<&Lesson> = lessons.readings.iter().filter(|it| is_narrowed(it)).collect();
    let width = known.iter().map(|it| it.reading.name.len()).max().unwrap_or_default();
    let values = known.iter().map(|it| names(it).len()).max().unwrap_or_default();
    let mut text = String::new();
    let mut add = |line: &str| text.extend([&*escape_terminal(line), "\n"]);
    for lesson in &known {
        let since = lesson.since.as_ref().map(|day| format!(" (since {day})")).unwrap_or_default();
        let evidence = evidence(lesson, records, |set| format!("set in {}", set.place));
        add(&format!(
            "{:width$}  {:values$}  {evidence}{since}",
            lesson.reading.name,
            names(lesson)
        ));
    }
    for lesson in lessons.readings.iter().filter(|it| !it.contradiction.is_empty()) {
        let (name, places) = (lesson.reading.name, records.places(&lesson.contradiction));
        let set: Vec<String> = lesson.with.iter().map(ToString::to_string).collect();
        add(&if set.is_empty() {
            format!("{name}: no value explains all of {places}")
        } else {
            format!("{name}: {places} contradicts {}", set.join(", "))
        });
    }
    for lesson in &lessons.readings {
        if let Some(set) = set.get(lesson.reading)
            && let Some(left) = left(set, lesson)
        {
            let (name, value, place) = (set.reading.name, set.value_name(), &set.place);
            let (left, places) = (left.join(" or "), records.places(&lesson.lines));
            add(&format!("{name}: {place} says {value}, of which {places} leaves {left}"));
        }
    }
    for line in notes(&lessons.unexplained, records).chain(notes(&lessons.unusable, records)) {
        add(&line);
    }
    if lessons.dropped > 0 {
        let dropped = counted(lessons.dropped as u64, "conclusion");
        add(&format!(
            "{dropped} about several readings left out, because there are too many: more may follow from the records"
        ));
    }
    let settled = known.iter().filter(|it| it.settled().is_some()).count();
    let open = lessons.readings.len() - known.len();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}: {} settled, {} narrowed, {open} open{}{}",
        counted(lessons.records as u64, "record"),
        counted(settled as u64, "reading"),
        known.len() - settled,
        more(lessons.unexplained.len(), "that nothing explains"),
        more(lessons.unusable.len(), "that cannot be used"),
    );
    text
}

/// One line for each note, with the first record that it is about.
fn notes<'n>(notes: &'n [RecordNote], records: &'n Records) -> impl Iterator<Item = String> + 'n {
    let mut alike: BTreeMap<&Note, Vec<usize>> = BTreeMap::new();
    for note in notes {
        alike.entry(&note.note).or_default().push(note.line);
    }
    let mut alike: Vec<_> = alike.into_iter().collect();
    alike.sort_by_key(|(_, lines)| lines.first().copied());
    alike.into_iter().map(|(note, lines)| {
        let first = records.place(lines.first().copied().unwrap_or_default());
        match lines.len() {
            1 => format!("{first}: {note}"),
            all => format!("{first}: {note} (and {} more)", all - 1),
        }
    })
}

fn more(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("; {} {what}", counted(count as u64, "record")) }
}

fn verification_text(result: &Verification, records: &Records) -> String {
    let mut text = String::new();
    let mut add = |line: &str| text.extend([&*escape_terminal(line), "\n"]);
    for wrong in result.wrong.iter().filter(|it| it.like.is_none()) {
        let like = result.wrong.iter().filter(|it| it.like == Some(wrong.line)).count();
        let place = records.place(wrong.line);
        let predicted: Vec<String> = wrong.predicted.iter().map(u16::to_string).collect();
        let predicted = either(&predicted);
        let more = if like == 0 { String::new() } else { format!(" (and {like} more)") };
        add(&format!(
            "{place} was answered with {}, predicted was {predicted}{more}",
            wrong.status
        ));
        let names = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
            names.join(", ")
        };
        if let Some((rule, smallest)) = &wrong.smallest {
            add(&format!("  the smallest part that `{rule}` rejects: {smallest}"));
        } else if !wrong.named.is_empty() {
            add(&format!("  the answer names {}", names(&wrong.named)));
        } else if !wrong.new.is_empty() {
            add(&format!("  no accepted record has the same {}", names(&wrong.new)));
        }
    }
    for line in notes(&result.other_settings, records).chain(notes(&result.unusable, records)) {
        add(&line);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}: {} predicted with certainty, {} as possible, {} wrong{}",
        counted(result.records as u64, "record"),
        result.certain,
        result.possible,
        result.wrong.len(),
        more(result.unusable.len(), "that cannot be used"),
    );
    text
}

fn place_json(line: usize, records: &Records) -> Value {
    let (path, line) = records.located(line);
    json!({ "path": path, "line": line })
}

fn places_json(lines: &[usize], records: &Records) -> Value {
    lines.iter().map(|line| place_json(*line, records)).collect()
}

fn notes_json(notes: &[RecordNote], records: &Records) -> Value {
    let note = |note: &RecordNote| json!({ "record": place_json(note.line, records), "message": note.note.to_string() });
    notes.iter().map(note).collect()
}

/// `{"schema": 1, "records", "readings": [{"name", "values", "settled", "since", "evidence", "contradiction", "with"}], "unexplained",
/// "unusable", "dropped"}`
fn lessons_json(lessons: &Lessons, records: &Records) -> String {
    let readings: Value = lessons
        .readings
        .iter()
        .map(|lesson| {
            let values: Vec<&str> = lesson.values.iter().map(|value| value.name).collect();
            json!({
                "name": lesson.reading.name,
                "values": values,
                "settled": lesson.settled().map(|value| value.name),
                "since": lesson.since,
                "evidence": places_json(&lesson.lines, records),
                "contradiction": places_json(&lesson.contradiction, records),
                "with": lesson.with.iter().map(set_json).collect::<Vec<_>>(),
            })
        })
        .collect();
    let value = json!({
        "schema": 1,
        "records": lessons.records,
        "readings": readings,
        "unexplained": notes_json(&lessons.unexplained, records),
        "unusable": notes_json(&lessons.unusable, records),
        "dropped": lessons.dropped,
    });
    escape_json(&format!("{value:#}\n"))
}

fn set_json(set: &SetReading) -> Value {
    json!({ "name": set.reading.name, "set_to": set.values, "set_in": &*set.place })
}

fn verification_json(result: &Verification, records: &Records) -> String {
    let wrong = result.wrong.iter().map(|wrong| {
        json!({
            "record": place_json(wrong.line, records),
            "status": wrong.status,
            "predicted": wrong.predicted,
            "rule": wrong.smallest.as_ref().map(|(rule, _)| rule),
            "smallest": wrong.smallest.as_ref().map(|(_, smallest)| smallest),
            "like": wrong.like.map(|line| place_json(line, records)),
            "named": wrong.named,
            "new": wrong.new,
        })
    });
    let value = json!({
        "schema": 1,
        "records": result.records,
        "certain": result.certain,
        "possible": result.possible,
        "wrong": wrong.collect::<Value>(),
        "other_settings": notes_json(&result.other_settings, records),
        "unusable": notes_json(&result.unusable, records),
    });
    escape_json(&format!("{value:#}\n"))
}
