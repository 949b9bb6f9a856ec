//! A configuration file and those that it extends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use voxlint::schema::{configuration, settings};
use voxlint::suggest::nearest;
use voxlint::{Report, Wildcard, rules};

use crate::config_file::{ConfigFile, LocatedName, Location};
use crate::diagnostic::{ConfigDiagnostic, quote};
use crate::path::{folder, way_from};
use crate::pattern::PatternSet;
use crate::read::{ABOVE, UNKNOWN_FIELD, read};
use crate::{Configuration, normalize_path};

/// How many files may extend each other in a row.
const DEEPEST: usize = 32;

/// What there is to say of one configuration file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// The file's path, as it was loaded.
    pub path: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
    /// The findings, in the order of the text.
    pub report: Report,
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file itself cannot be read. One that it extends and that cannot be read is a fault.
    Unreadable {
        /// The path that was to be read.
        path: String,
        /// Why, in the words of whoever tried.
        message: String,
    },
    /// Something is wrong with it, or with what it extends: a report for each file with faults, what is extended first.
    Faults(Vec<FileReport>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, message } => write!(formatter, "{path}: {message}"),
            Self::Faults(files) => {
                let faults = files.iter().flat_map(|file| {
                    file.report.diagnostics.iter().map(|fault| (&file.path, &fault.message))
                });
                for (index, (path, message)) in faults.enumerate() {
                    let line_break = if index > 0 { "\n" } else { "" };
                    write!(formatter, "{line_break}{path}: {message}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for LoadError {}

type Read<'r> = &'r mut dyn FnMut(&str) -> Result<String, String>;

/// Loads a file and those that it extends.
pub(crate) fn load(path: &str, read: Read<'_>) -> Result<Configuration, LoadError> {
    let path = normalize_path(path);
    let text = match read(&path) {
        Ok(text) => text,
        Err(message) => return Err(LoadError::Unreadable { path, message }),
    };
    let mut loader =
        Loader { read, patterns: PatternSet::default(), files: Vec::new(), known: BTreeSet::new() };
    let mut under_way = Vec::new();
    loader.load(&path, &text, &mut under_way);
    let Loader { mut patterns, mut files, .. } = loader;
    look_up_names(&mut files);
    let (faulty, sound): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| !file.faults.diagnostics.is_empty());
    if !faulty.is_empty() {
        let report =
            |file: ConfigFile| FileReport { path: file.path, text: file.text, report: file.faults };
        return Err(LoadError::Faults(faulty.into_iter().map(report).collect()));
    }
    patterns.compile();
    Ok(Configuration::of(sound, patterns))
}

struct Loader<'r> {
    read: Read<'r>,
    patterns: PatternSet,
    /// The files that were read, each behind those that it extends.
    files: Vec<ConfigFile>,
    /// Their paths: a file counts once, where it is extended first.
    known: BTreeSet<String>,
}

impl Loader<'_> {
    fn load(&mut self, path: &str, text: &str, under_way: &mut Vec<String>) {
        self.known.insert(path.to_owned());
        under_way.push(path.to_owned());
        let mut file = read(&Arc::from(path), text, &mut self.patterns);
        for reference in std::mem::take(&mut file.extends) {
            let fault = |mistake: ConfigDiagnostic| (reference.location.clone(), mistake);
            let begins = under_way.iter().position(|above| *above == reference.path);
            let objection = if let Some(begins) = begins {
                Some(fault(cycle(under_way.get(begins..).unwrap_or_default(), &reference.path)))
            } else if self.known.contains(&reference.path) {
                None
            } else if under_way.len() >= DEEPEST {
                let message = format!("more than {DEEPEST} files extend each other in a row");
                Some(fault(ConfigDiagnostic::new(message).help("put some of them together")))
            } else {
                match (self.read)(&reference.path) {
                    Ok(text) => {
                        self.load(&reference.path, &text, under_way);
                        None
                    }
                    Err(message) => {
                        // Whoever tries again gets the same answer.
                        self.known.insert(reference.path.clone());
                        let written = quote(&reference.written);
                        let mistake =
                            ConfigDiagnostic::new(format!("{written} cannot be read: {message}"));
                        Some(fault(mistake.help("the path begins in the folder of this file")))
                    }
                }
            };
            file.is_whole &= objection.is_none();
            if let Some((location, mistake)) = objection {
                object(&mut file, &location, mistake);
            }
        }
        under_way.pop();
        self.files.push(file);
    }
}

fn cycle(files: &[String], back_to: &str) -> ConfigDiagnostic {
    if let [_] = files {
        return ConfigDiagnostic::new("the file extends itself").help("remove it");
    }
    // Wherever the project lies, it is told the same.
    let from = folder(back_to);
    let near = |file: &str| way_from(from, file);
    let way: Vec<String> = files.iter().map(String::as_str).chain([back_to]).map(near).collect();
    ConfigDiagnostic::new(format!("the files extend each other in a circle: {}", way.join(" → ")))
        .help("remove one of the `extends`")
}

/// Adds a mistake to the faults of a file, unless something is wrong with the same characters already.
fn object(file: &mut ConfigFile, location: &Location, mistake: ConfigDiagnostic) {
    let faults = &mut file.faults.diagnostics;
    let told = mistake.told_of(location.field.clone(), location.span);
    if faults
        .iter()
        .all(|fault| fault.span.end <= told.span.start || told.span.end <= fault.span.start)
    {
        faults.push(told);
        faults.sort_by(|a, b| (a.span, &a.rule.id).cmp(&(b.span, &b.rule.id)));
    }
}

/// Holds the names of rules against what rules there are, and those of house rules against each other.
fn look_up_names(files: &mut [ConfigFile]) {
    let mut house: BTreeMap<String, (usize, Location, String)> = BTreeMap::new();
    let mut clashes = Vec::new();
    for (index, file) in files.iter().enumerate() {
        for (house_id, place) in &file.house_ids {
            let id = &house_id.name;
            let clash = if rules::find(id).is_some() {
                Some(ConfigDiagnostic::new(format!("{} is a rule of voxlint", quote(id))))
            } else if rules::GROUPS.contains(&id.as_str()) {
                Some(ConfigDiagnostic::new(format!("{} is a group of rules", quote(id))))
            } else if let Some((first, location, place)) = house.get(id) {
                let again = format!("two house rules have the id {}", quote(id));
                Some(if *first == index {
                    ConfigDiagnostic::new(again)
                        .label("given again")
                        .also(location.span, "given here")
                } else {
                    ConfigDiagnostic::new(format!(
                        "{again}: the other is in {}",
                        way_from(folder(&file.path), place)
                    ))
                })
            } else {
                let here = (index, house_id.location.clone(), place.to_string());
                house.insert(id.clone(), here);
                None
            };
            if let Some(mistake) = clash {
                let mistake = mistake.help("choose another id: it should name the mistake");
                clashes.push((index, house_id.location.clone(), mistake));
            }
        }
    }
    for (index, location, mistake) in clashes {
        if let Some(file) = files.get_mut(index) {
            object(file, &location, mistake);
        }
    }
    // What could not be read may have a house rule of any name, and allow members of any name.
    let are_whole = files.iter().all(|file| file.is_whole);
    if are_whole {
        look_up_fields(files);
    }
    let known = RuleNames { house: house.into_keys().collect() };
    for file in files {
        for name in std::mem::take(&mut file.names) {
            if let Err(help) = known.look_up(&name.name) {
                if !are_whole && help.is_none() {
                    continue;
                }
                let mistake =
                    ConfigDiagnostic::new(format!("there is no rule {}", quote(&name.name)));
                let is_key = configuration::TABLE.row(&name.name).is_some();
                let help = if is_key && name.location.field.starts_with("/rules/") {
                    // What stands there is no level, and was not meant to be one.
                    let field = &name.location.field;
                    let is_in_it = |it: &str| it.strip_prefix(field.as_str()).is_some_and(is_below);
                    file.faults.diagnostics.retain(|fault| !is_in_it(&fault.field));
                    ABOVE.to_owned()
                } else {
                    help.unwrap_or_else(|| "`voxlint rules` lists them".to_owned())
                };
                object(file, &name.location, mistake.help(help));
            }
        }
    }
}

/// Whether the rest of a pointer leads further down, or nowhere.
fn is_below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// Holds the fields of house rules against what fields there are. A team has members of its own, so a strange name is a
/// mistake only where it looks like one; what is allowed by its name is none.
fn look_up_fields(files: &mut [ConfigFile]) {
    let told = |file: &ConfigFile| -> Vec<Wildcard> {
        let levels = std::iter::once(&file.rules).chain(file.overrides.iter().map(|it| &it.rules));
        let told = levels.filter_map(|levels| levels.get(UNKNOWN_FIELD)?.allow.as_ref());
        told.flat_map(|allow| allow.value.iter().cloned()).collect()
    };
    let allowed: Vec<Wildcard> = files.iter().flat_map(told).collect();
    for file in files {
        for LocatedName { name, location } in std::mem::take(&mut file.house_fields) {
            let is_known = settings::TABLE.row(&name).is_some()
                || allowed.iter().any(|allowed| allowed.matches(&name));
            let near = nearest(&name, settings::TABLE.rows.iter().map(|row| row.name));
            if let Some(near) = near.filter(|_| !is_known) {
                let message = format!("no setting is called {}", quote(&name));
                let help = format!(
                    "did you mean `{near}`? If it is a field of your own, list it in `allow` of `{UNKNOWN_FIELD}`"
                );
                object(file, &location, ConfigDiagnostic::new(message).help(help));
            }
        }
    }
}

/// The names that a configuration may use.
pub(crate) struct RuleNames {
    pub(crate) house: Vec<String>,
}

impl RuleNames {
    /// Whether there is a rule or a group of that name, or else which may have been meant.
    pub(crate) fn look_up(&self, name: &str) -> Result<(), Option<String>> {
        let ids = || {
            let house = self.house.iter().map(String::as_str);
            rules::all().map(|rule| &*rule.id).chain(house).chain(rules::GROUPS)
        };
        if ids().any(|id| id == name) {
            return Ok(());
        }
        Err(nearest(name, ids()).map(|near| format!("did you mean `{near}`?")))
    }
}
