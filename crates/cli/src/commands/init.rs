use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};
use voxlint::schema::{Row, configuration};
use voxlint::{DocumentKind, Severity, skeleton};
use voxlint_config::{Configuration, toml};
use voxlint_report::{Failure, Summary, spelt_out};

use super::after_writing;
use crate::Outcome;
use crate::args::{
    BaselineOptions, ColorArgument, ConfigurationOptions, InitOptions, PartnerOptions,
    ReadingOptions, RuleOptions, SubjectOptions,
};
use crate::ground::{Ground, Request};
use crate::judge::Hides;
use crate::neighbours::{
    Convention, Group, Part, conventions, has_its_own_configuration, is_usable, only_kind,
};
use crate::partners::Role;
use crate::paths::{above, absolute, describe, folder, join, relative, slashes, tidy};
use crate::progress::Progress;
use crate::project::{CONFIGURATION_NAME, Project};
use crate::survey::{Manner, Seen, Survey, survey};
use crate::terminal::complain;

/// The columns that comments go on for.
const WIDTH: usize = 100;

/// When what is wrong with a partner is coloured.
const COLOR: ColorArgument = ColorArgument::Auto;

/// How many folders the head of the file lists.
const FOLDERS: usize = 12;

pub(crate) fn run(options: &InitOptions) -> Outcome {
    match init(options) {
        Ok(outcome) => outcome,
        Err(complaint) => {
            complain(&complaint);
            Outcome::Failed
        }
    }
}

fn init(options: &InitOptions) -> Result<Outcome, String> {
    let directory = tidy(&options.directory);
    let file = directory.join(CONFIGURATION_NAME);
    let shown = slashes(&tidy(&file));
    let metadata = fs::metadata(&directory);
    let metadata = metadata.map_err(|it| format!("{}: {}", slashes(&directory), describe(&it)))?;
    if !metadata.is_dir() {
        return Err(format!("{}: this is no directory", slashes(&directory)));
    }
    let is_there = fs::symlink_metadata(&file).is_ok();
    if is_there && !options.force && !options.print {
        return Err(format!(
            "{shown}: there is one already: --force replaces it, --print only shows what would be written"
        ));
    }

    let isolated = ConfigurationOptions { isolated: true, config: None };
    let look = Look { directory: &options.directory };
    let (ground, first) = look.at(Project::new(&isolated, COLOR), &isolated, Hides::Nothing)?;
    let top = absolute(&directory);
    let mut proposal = Proposal::of(&top, &ground, &first);
    let mut text = proposal.text(&top, &first);
    let mut after = look.supposing(&top, &text);
    let known: BTreeSet<&str> = first.failures.iter().map(|it| &*it.path).collect();
    let objection = match &after {
        Ok(after) => after
            .failures
            .iter()
            .find(|failure| !known.contains(&*failure.path))
            .map(|failure| format!("{}: {}", failure.path, failure.message)),
        Err(complaint) => Some(complaint.clone()),
    };
    if let Some(objection) = objection.filter(|_| proposal.states_something()) {
        proposal.withdraw(&format!("the run would fail ({objection})"));
        text = proposal.text(&top, &first);
        after = look.supposing(&top, &text);
    }
    let after = after?;

    let outcome = if options.print {
        after_writing(io::stdout().lock().write_all(text.as_bytes()), Outcome::Clean)
    } else {
        write(&file, &text, options.force)
            .map_err(|error| format!("{shown}: {}", describe(&error)))?;
        Outcome::Clean
    };
    for Failure { path, message } in &after.failures {
        complain(&format!("{path}: {message}"));
    }
    let done = if options.print { "found".to_owned() } else { format!("wrote {shown}:") };
    let mut said = format!("{done} {}\n", found(&first));
    said += &proposal.summary();
    said += &next(&after.summary, &directory);
    for line in said.lines() {
        // There is nobody to tell if that fails.
        let _ = writeln!(io::stderr(), "{}", spelt_out(line));
    }
    Ok(outcome)
}

/// Writes the file: never over one that has come about in the meantime, unless somebody wants that.
fn write(file: &Path, text: &str, force: bool) -> io::Result<()> {
    if force {
        return fs::write(file, text);
    }
    OpenOptions::new().write(true).create_new(true).open(file)?.write_all(text.as_bytes())
}

/// A check of everything in a directory that nobody is told of.
#[derive(Clone, Copy)]
struct Look<'o> {
    directory: &'o Path,
}

impl Look<'_> {
    fn at(
        self,
        project: Project,
        configuration: &ConfigurationOptions,
        hides: Hides,
    ) -> Result<(Ground, Survey), String> {
        let subject = SubjectOptions {
            paths: vec![self.directory.to_owned()],
            kind: None,
            text_files: Vec::new(),
            partners: PartnerOptions { stored: None, facts: None, agent_id: None },
            reading: ReadingOptions { jsonc: false },
            stdin_filename: None,
            force_exclude: false,
        };
        let request = Request {
            subject: &subject,
            configuration,
            rules: &RuleOptions::default(),
            baseline: &BaselineOptions { baseline: None, no_baseline: true },
            color: COLOR,
        };
        let mut ground = Ground::prepare_in(project, request)?;
        let progress = Progress::of(ground.inputs.len(), false);
        let manner = Manner { hides, least: Severity::Info, progress: &progress };
        let survey = survey(&mut ground, request, manner, &mut []);
        Ok((ground, survey))
    }

    /// What a check will say with the configuration, which need not be written for that.
    fn supposing(self, top: &str, text: &str) -> Result<Survey, String> {
        let path = join(top, CONFIGURATION_NAME);
        let mut read = |asked: &str| {
            if asked == path { Ok(text.to_owned()) } else { read(asked) }
        };
        let configuration =
            Configuration::load(&path, &mut read).map_err(|error| error.to_string())?;
        let discovered = ConfigurationOptions::default();
        let mut project = Project::new(&discovered, COLOR);
        project.suppose(configuration);
        self.at(project, &discovered, Hides::Suppressed).map(|(_, survey)| survey)
    }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| describe(&error))
}

/// A path that a configuration could name, and why it should not do so unasked.
struct Candidate {
    path: String,
    doubt: Option<String>,
}

/// What the configuration could say of this repository.
struct Proposal {
    extends: Option<Candidate>,
    facts: Option<Candidate>,
    conventions: Vec<Convention>,
}

impl Proposal {
    fn of(top: &str, ground: &Ground, found: &Survey) -> Self {
        let mut proposal = Self {
            extends: configuration_above(top),
            facts: facts(top, &found.checked),
            conventions: conventions(top, &ground.inputs, &found.checked),
        };
        if proposal.extends.is_some() {
            // That says what it wants, and nothing of it should be set aside.
            proposal.doubt_the_rest("the configuration above may say otherwise");
        }
        proposal
    }

    fn states_something(&self) -> bool {
        [&self.extends, &self.facts].into_iter().flatten().any(|it| it.doubt.is_none())
            || self.conventions.iter().any(|it| it.doubt.is_none())
    }

    /// Takes back everything that holds.
    fn withdraw(&mut self, doubt: &str) {
        if let Some(extends) = &mut self.extends {
            extends.doubt.get_or_insert_with(|| doubt.to_owned());
        }
        self.doubt_the_rest(doubt);
    }

    fn doubt_the_rest(&mut self, doubt: &str) {
        let conventions = self.conventions.iter_mut().map(|it| &mut it.doubt);
        for known in self.facts.iter_mut().map(|it| &mut it.doubt).chain(conventions) {
            known.get_or_insert_with(|| doubt.to_owned());
        }
    }

    /// The file.
    fn text(&self, top: &str, survey: &Survey) -> String {
        let mut stated: Vec<(&Row, String)> = Vec::new();
        for (row, candidate) in
            [(configuration::extends.row, &self.extends), (configuration::facts.row, &self.facts)]
        {
            if let Some(Candidate { path, doubt }) = candidate {
                stated.push((row, value(row.name, path, doubt.as_deref())));
            }
        }
        for entry in self.entries(top) {
            stated.push((configuration::documents.row, entry));
        }
        let head = head(top, survey);
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        skeleton::configuration_in_toml(&head, &stated)
    }

    /// The entries of `documents`: first those that hold, a convention that several folders follow once.
    fn entries(&self, top: &str) -> Vec<String> {
        let mut groups: BTreeMap<&Group, Vec<&Convention>> = BTreeMap::new();
        for convention in self.conventions.iter().filter(|it| it.doubt.is_none()) {
            groups.entry(&convention.group).or_default().push(convention);
        }
        let mut entries: BTreeMap<Vec<(Part, &str)>, Vec<(&Group, Vec<&Convention>)>> =
            BTreeMap::new();
        for (group, conventions) in groups {
            let values = conventions.iter().map(|it| (it.part, &*it.pattern)).collect();
            entries.entry(values).or_default().push((group, conventions));
        }
        let mut texts: Vec<String> = Vec::new();
        for (values, members) in &entries {
            let groups: Vec<&Group> = members.iter().map(|(group, _)| *group).collect();
            let documents: usize = groups.iter().map(|group| group.documents).sum();
            let counts: Vec<String> = values
                .iter()
                .map(|(part, _)| {
                    let same = members.iter().flat_map(|(_, it)| it).filter(|it| it.part == *part);
                    let count: usize = same.map(|it| it.pairs).sum();
                    match part {
                        Part::Stored => format!("what is stored for {count}"),
                        Part::Text(field) => format!("the `{field}` of {count}"),
                    }
                })
                .collect();
            let of = counted(documents, "document");
            let found = format!("Found for {of}: {}.", counts.join(", "));
            texts.push(format!("{}{}", comment(&found), entry(top, &groups, values)));
        }
        for convention in &self.conventions {
            if let Some(doubt) = &convention.doubt {
                let why = format!("Perhaps this is meant, but {doubt}:");
                let values = [(convention.part, &*convention.pattern)];
                let entry = entry(top, &[&convention.group], &values);
                let example: String = entry.lines().map(|line| format!("# {line}\n")).collect();
                texts.push(format!("{}{example}", comment(&why)));
            }
        }
        texts
    }

    /// What was taken from names, for people.
    fn summary(&self) -> String {
        let mut taken = Vec::new();
        if let Some(Candidate { path, doubt: None }) = &self.extends {
            taken.push(format!("extends {path}"));
        }
        if let Some(Candidate { path, doubt: None }) = &self.facts {
            taken.push(format!("facts in {path}"));
        }
        let sure = self.conventions.iter().filter(|it| it.doubt.is_none());
        let (stored, texts): (Vec<_>, Vec<_>) = sure.partition(|it| it.part == Part::Stored);
        for (conventions, what) in [(stored, "stored state"), (texts, "text file")] {
            let count: usize = conventions.iter().map(|it| it.pairs).sum();
            if count > 0 {
                taken.push(counted(count, what));
            }
        }
        let doubtful = self.conventions.iter().filter(|it| it.doubt.is_some()).count()
            + [&self.extends, &self.facts]
                .into_iter()
                .flatten()
                .filter(|it| it.doubt.is_some())
                .count();
        let mut said = String::new();
        if !taken.is_empty() {
            let _ = writeln!(said, "it states what was found: {}", taken.join(", "));
        }
        if doubtful > 0 {
            let _ = writeln!(
                said,
                "{} commented out in it, with the reason",
                counted(doubtful, "possibility")
            );
        }
        said
    }
}

/// The nearest configuration above a folder: it holds here until there is another one.
fn configuration_above(top: &str) -> Option<Candidate> {
    let mut next = above(top);
    while let Some(folder) = next {
        let file = join(folder, CONFIGURATION_NAME);
        if Path::new(&file).is_file() {
            let path = relative(top, &file);
            // Nothing leads from here to there that would be the same on every machine.
            if path.starts_with('/') {
                return None;
            }
            let usable = Configuration::load(&file, &mut read);
            let doubt = usable.is_err().then(|| "that file cannot be used".to_owned());
            return Some(Candidate { path, doubt });
        }
        next = above(folder);
    }
    None
}

/// The facts of the workspace, where there is one file of them.
fn facts(top: &str, seen: &[Seen]) -> Option<Candidate> {
    let is_facts = |file: &&Seen| {
        only_kind(file) == Some(DocumentKind::Facts)
            && !has_its_own_configuration(top, folder(&file.absolute))
            && !file.absolute.contains(['\\', '\u{fffd}'])
    };
    let mut files = seen.iter().filter(is_facts);
    let file = files.next()?;
    let others = files.count();
    let path = relative(top, &file.absolute);
    let doubt = if path.starts_with('/') {
        return None;
    } else if others > 0 {
        Some(format!("{} of facts were found", counted(others + 1, "file")))
    } else if !is_usable(&file.absolute, Role::Facts) || file.findings > 0 {
        Some(format!("`voxlint facts {path}` says what is wrong with it"))
    } else {
        None
    };
    Some(Candidate { path, doubt })
}

/// A key with a path, which holds where there is no doubt.
fn value(key: &str, path: &str, doubt: Option<&str>) -> String {
    let line = format!("{key} = {}\n", toml(&json!(path)));
    match doubt {
        Some(doubt) => {
            format!("{}# {line}", comment(&format!("Perhaps this is meant, but {doubt}:")))
        }
        None => line,
    }
}

/// An entry of `documents`.
fn entry(top: &str, groups: &[&Group], values: &[(Part, &str)]) -> String {
    let patterns: Vec<String> =
        groups.iter().map(|group| toml(&json!(pattern(top, group)))).collect();
    let files = match &*patterns {
        [one] => one.clone(),
        several => format!("[\n    {},\n]", several.join(",\n    ")),
    };
    let mut text = format!("[[documents]]\nfiles = {files}\n");
    let mut texts = Map::new();
    for (part, pattern) in values {
        let pattern = Value::from(*pattern);
        match part {
            Part::Stored => {
                let _ = writeln!(text, "stored = {}", toml(&pattern));
            }
            Part::Text(field) => {
                texts.insert((*field).to_owned(), pattern);
            }
        }
    }
    if !texts.is_empty() {
        let _ = writeln!(text, "text_files = {}", toml(&Value::Object(texts)));
    }
    text
}

/// The pattern of the files of a group, from the top folder.
fn pattern(top: &str, group: &Group) -> String {
    let escaped = |name: &str| -> String {
        name.chars()
            .flat_map(|it| {
                let is_special = "*?[]{}!\\".contains(it);
                is_special.then_some('\\').into_iter().chain([it])
            })
            .collect()
    };
    let way = relative(top, &join(&group.folder, "x"));
    // A slash at the beginning keeps it to the folder of the configuration.
    let place = if way == "x" { "/" } else { way.strip_suffix('x').unwrap_or("/") };
    format!("{}*.{}", escaped(place), escaped(&group.extension))
}

/// Prose, as lines of comment.
fn comment(prose: &str) -> String {
    lines(prose).iter().map(|line| format!("## {line}\n")).collect()
}

/// Prose, as lines that are not too wide, without what would steer a terminal or end a line.
fn lines(prose: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in spelt_out(prose).split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 4 <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// What the file says was found.
fn head(top: &str, survey: &Survey) -> Vec<String> {
    let mut folders: BTreeMap<&str, BTreeMap<DocumentKind, u32>> = BTreeMap::new();
    for file in &survey.checked {
        let kinds = folders.entry(folder(&file.absolute)).or_default();
        for (kind, count) in &file.kinds {
            *kinds.entry(*kind).or_default() += count;
        }
    }
    if folders.is_empty() {
        return lines("No documents were found when this file was made.");
    }
    let mut head = lines("Found when this file was made:");
    for (place, kinds) in folders.iter().take(FOLDERS) {
        let way = relative(top, &join(place, "x"));
        let place = way.strip_suffix('x').unwrap_or(&way);
        let place = if place.is_empty() { "./" } else { place };
        head.push(format!("  {}  {}", spelt_out(place), listed(kinds)));
    }
    if let Some(more) = folders.len().checked_sub(FOLDERS).filter(|more| *more > 0) {
        head.push(format!("  and more in {}", counted(more, "folder")));
    }
    head
}

/// What was found, in one line.
fn found(survey: &Survey) -> String {
    let mut kinds: BTreeMap<DocumentKind, u32> = BTreeMap::new();
    for (kind, count) in survey.checked.iter().flat_map(|file| &file.kinds) {
        *kinds.entry(*kind).or_default() += count;
    }
    let folders: BTreeSet<&str> = survey.checked.iter().map(|it| folder(&it.absolute)).collect();
    match survey.summary.documents {
        0 => "no agent documents found".to_owned(),
        count => format!(
            "{} ({}) in {}",
            counted(count as usize, "document"),
            listed(&kinds),
            counted(folders.len(), "folder")
        ),
    }
}

fn listed(kinds: &BTreeMap<DocumentKind, u32>) -> String {
    let list: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| {
            let what = match kind {
                DocumentKind::Update => "update",
                DocumentKind::Settings => "version's setting",
                DocumentKind::Agent => "agent",
                DocumentKind::Version => "version summary",
                DocumentKind::ApiKeys => "key list",
                DocumentKind::Error => "error body",
                DocumentKind::Stored => "stored state",
                DocumentKind::Facts => "facts file",
                DocumentKind::Template => "template",
                DocumentKind::Configuration => "configuration",
            };
            counted(*count as usize, what)
        })
        .collect();
    list.join(", ")
}

fn counted(count: usize, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if count == 1 => format!("1 {what}"),
        Some(beginning) => format!("{count} {beginning}ies"),
        None => format!("{count} {what}s"),
    }
}

/// What to do next.
fn next(summary: &Summary, directory: &Path) -> String {
    let place = slashes(directory);
    let place = if place == "." { String::new() } else { format!(" {place}") };
    let findings = summary.errors + summary.warnings + summary.infos;
    match (summary.documents, findings) {
        (0, _) => "a document has a `version_number` or two settings of an agent, in JSON, YAML or TOML; templates \
            are called .hbs\n`voxlint check FILE` checks any file, and `kind` in [[documents]] says what files are\n"
            .to_owned(),
        (_, 0) => format!("nothing to report: `voxlint check{place}` is your gate\n"),
        (_, count) => {
            let them = if count == 1 { "it" } else { "them" };
            format!(
                "{}: `voxlint baseline write{place}` lists {them}, so that only new ones fail the gate\n",
                counted(count as usize, "finding")
            )
        }
    }
}
