//! Loading a configuration file and the files that it extends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use voxlint::schema::DocumentKind;
use voxlint::schema::{configuration, settings};
use voxlint::secrets::Mask;
use voxlint::suggest::nearest;
use voxlint::syntax::file_path::{folder_of, normalize, relative};
use voxlint::syntax::{Format, LineIndex};
use voxlint::{Document, Inputs, Report, Source, Wildcard, rules};

use crate::config_file::{ConfigFile, LocatedName, Location};
use crate::diagnostic::{ConfigDiagnostic, quote};
use crate::limited::Limited;
use crate::parse_file::{TOP_LEVEL_KEY, parse_file};
use crate::pattern::PatternSet;
use crate::rule_names::{LIST_RULES, RuleNames};
use crate::{Configuration, SettingSource, Sourced};
use voxlint::rules::ids::UNKNOWN_FIELD;

/// How many files can extend each other in a row.
const MAX_DEPTH: usize = 32;

/// The findings in one configuration file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// The file's path, as it was loaded.
    pub path: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
    /// The findings, in the order of the text.
    pub report: Report,
}

impl FileReport {
    /// The findings in a file with this path and text. Secrets in their messages are masked.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>, mut report: Report) -> Self {
        let text: Arc<str> = text.into();
        let document = Document::parse_as(Source::from(&*text).without_fixes(), Format::Toml);
        let mask = Mask::of(&Inputs::new(document).kind(DocumentKind::Configuration));
        report.diagnostics.iter_mut().for_each(|finding| mask.finding(finding));
        Self { path: path.into(), text, report }
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file does not exist.
    NotFound,
    /// Another reason.
    Other(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => formatter.write_str("no such file or directory"),
            Self::Other(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for ReadError {}

/// Why a configuration cannot be used.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// The file itself cannot be read. An extended file that cannot be read is a fault of the file that extends it.
    Unreadable {
        /// The normalized path of the file.
        path: String,
        /// Why the file cannot be read.
        error: ReadError,
    },
    /// The file or an extended file has faults. There is one report for each file with faults, extended files first.
    Faults(Vec<FileReport>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, error } => write!(formatter, "{path}: {error}"),
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

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::Faults(_) => None,
        }
    }
}

type Read<'r> = &'r mut dyn FnMut(&str) -> Result<String, ReadError>;

impl Configuration {
    /// Loads a configuration file and the files that it extends. `read` returns the text of the file at a path.
    ///
    /// All paths of the configuration are relative to the same folder as `path`. With a relative path, a file that is extended
    /// from a parent folder cannot match files here, because the name of this folder is unknown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if it or an extended file has faults.
    pub fn load(
        path: &str,
        read: &mut dyn FnMut(&str) -> Result<String, ReadError>,
    ) -> Result<Self, LoadError> {
        load(path, read)
    }
}

/// Loads a file and the files that it extends.
fn load(path: &str, read: Read<'_>) -> Result<Configuration, LoadError> {
    let path = normalize(path);
    let text = match read(&path) {
        Ok(text) => text,
        Err(error) => return Err(LoadError::Unreadable { path, error }),
    };
    let (patterns, files) = (PatternSet::default(), Vec::new());
    let mut loader = Loader { read, patterns, files, loaded: BTreeSet::new() };
    loader.load(&path, &text, &mut Vec::new());
    let Loader { patterns, mut files, .. } = loader;
    check_names(&mut files);
    check_limits(&mut files);
    let (faulty, sound): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| !file.faults.diagnostics.is_empty());
    if !faulty.is_empty() {
        let report = |file: ConfigFile| FileReport::new(file.path, file.text, file.faults);
        return Err(LoadError::Faults(faulty.into_iter().map(report).collect()));
    }
    Ok(Configuration::of(sound, patterns))
}

struct Loader<'r> {
    read: Read<'r>,
    patterns: PatternSet,
    /// The files that were read. Extended files come before the files that extend them.
    files: Vec<ConfigFile>,
    /// The paths of all files that were read or tried. A file counts once, where it is extended first.
    loaded: BTreeSet<String>,
}

impl Loader<'_> {
    /// Loads a file. `stack` has the paths of the files that lead to it.
    fn load(&mut self, path: &str, text: &str, stack: &mut Vec<String>) {
        self.loaded.insert(path.to_owned());
        stack.push(path.to_owned());
        let mut file = parse_file(&Arc::from(path), text, &mut self.patterns);
        for extended in std::mem::take(&mut file.extends) {
            let cycle_start = stack.iter().position(|above| *above == extended.path);
            let fault = if let Some(start) = cycle_start {
                Some(cycle(stack.get(start..).unwrap_or_default(), &extended.path))
            } else if self.loaded.contains(&extended.path) {
                None
            } else if stack.len() >= MAX_DEPTH {
                let message = format!("more than {MAX_DEPTH} files extend each other in a row");
                Some(ConfigDiagnostic::new(message).help("combine some of these files"))
            } else {
                match (self.read)(&extended.path) {
                    Ok(text) => {
                        self.load(&extended.path, &text, stack);
                        None
                    }
                    Err(error) => {
                        self.loaded.insert(extended.path.clone());
                        let path = quote(&extended.written);
                        let fault = ConfigDiagnostic::new(format!("cannot read {path}: {error}"));
                        Some(fault.help("the path is relative to the folder of this file"))
                    }
                }
            };
            file.is_whole &= fault.is_none();
            if let Some(fault) = fault {
                add_fault(&mut file, &extended.location, fault);
            }
        }
        stack.pop();
        self.files.push(file);
    }
}

fn cycle(files: &[String], back_to: &str) -> ConfigDiagnostic {
    if let [_] = files {
        return ConfigDiagnostic::new("the file extends itself").help("remove it");
    }
    // Relative paths, so that the message does not depend on the folder of the project.
    let from = folder_of(back_to);
    let paths = files.iter().map(String::as_str).chain([back_to]);
    let paths: Vec<String> = paths.map(|file| relative(from, file)).collect();
    ConfigDiagnostic::new(format!("the files extend each other in a circle: {}", paths.join(" → ")))
        .help("remove one of the `extends`")
}

/// Adds a fault to a file, unless the same characters have one already.
fn add_fault(file: &mut ConfigFile, location: &Location, fault: ConfigDiagnostic) {
    let faults = &mut file.faults.diagnostics;
    let new = fault.into_diagnostic(location.field.clone(), location.span);
    if faults.iter().all(|it| it.span.end <= new.span.start || new.span.end <= it.span.start) {
        faults.push(new);
        faults.sort_by(|a, b| (a.span, &a.rule.id).cmp(&(b.span, &b.rule.id)));
    }
}

/// Checks that a configuration has no more of anything than a document can be compared with.
fn check_limits(files: &mut [ConfigFile]) {
    for limited in Limited::ALL {
        let mut count = 0;
        let over = files.iter().enumerate().find_map(|(index, file)| {
            let mut all = file.limited.iter().filter(|(kind, _)| *kind == limited);
            let (_, location) = all.find(|_| {
                count += 1;
                count > limited.most()
            })?;
            Some((index, location.clone()))
        });
        if let Some((index, location)) = over
            && let Some(file) = files.get_mut(index)
        {
            add_fault(file, &location, limited.fault());
        }
    }
}

/// Checks the names of rules, and that the ids of house rules are unique.
fn check_names(files: &mut [ConfigFile]) {
    let house = check_house_ids(files);
    // A file that cannot be read may have house rules and allowed fields of any name.
    let are_whole = files.iter().all(|file| file.is_whole);
    if are_whole {
        check_house_fields(files);
    }
    let names = RuleNames { house };
    for file in files {
        for name in std::mem::take(&mut file.names) {
            let Err(suggestion) = names.check(&name.name) else { continue };
            if rules::REMOVED.contains(&&*name.name) {
                let line =
                    LineIndex::new(&file.text).position(&file.text, name.location.span.start).line;
                let source = SettingSource::File { path: Arc::clone(&file.path), line };
                file.removed.push(Sourced { value: name.name, source });
                continue;
            }
            if !are_whole && suggestion.is_none() {
                continue;
            }
            let field = &name.location.field;
            let is_key = configuration::TABLE.row(&name.name).is_some();
            let help = if is_key && field.starts_with("/rules/") {
                // The value is not meant to be a level, so its faults are misleading.
                let is_in_value = |pointer: &str| {
                    let rest = pointer.strip_prefix(field.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                file.faults.diagnostics.retain(|fault| !is_in_value(&fault.field));
                TOP_LEVEL_KEY.to_owned()
            } else {
                suggestion.map_or(LIST_RULES.to_owned(), |near| format!("did you mean `{near}`?"))
            };
            let message = format!("there is no rule {}", quote(&name.name));
            add_fault(file, &name.location, ConfigDiagnostic::new(message).help(help));
        }
    }
}

/// Checks that the ids of house rules are unique, and returns them.
fn check_house_ids(files: &mut [ConfigFile]) -> Vec<String> {
    let mut first_uses: BTreeMap<String, (usize, Location, String)> = BTreeMap::new();
    let mut faults = Vec::new();
    for (index, file) in files.iter().enumerate() {
        for (LocatedName { name: id, location }, source) in &file.house_ids {
            let fault = if rules::find(id).is_some() {
                ConfigDiagnostic::new(format!("{} is a built-in rule", quote(id)))
            } else if rules::group_names().any(|group| group == id) {
                ConfigDiagnostic::new(format!("{} is a group of rules", quote(id)))
            } else if let Some((first, first_location, source)) = first_uses.get(id) {
                let message = format!("two house rules have the id {}", quote(id));
                if *first == index {
                    let fault = ConfigDiagnostic::new(message).label("used again");
                    fault.also(first_location.span, "first used here")
                } else {
                    let path = relative(folder_of(&file.path), source);
                    ConfigDiagnostic::new(format!("{message}: the other is in {path}"))
                }
            } else {
                first_uses.insert(id.clone(), (index, location.clone(), source.to_string()));
                continue;
            };
            let fault = fault.help("choose another id that names the mistake");
            faults.push((index, location.clone(), fault));
        }
    }
    for (index, location, fault) in faults {
        if let Some(file) = files.get_mut(index) {
            add_fault(file, &location, fault);
        }
    }
    first_uses.into_keys().collect()
}

/// Checks the fields of house rules. A team can have fields of its own, so an unknown field is a fault only if a known field
/// has a similar name and the field is not allowed.
fn check_house_fields(files: &mut [ConfigFile]) {
    let allowed = |file: &ConfigFile| -> Vec<Wildcard> {
        let rules = std::iter::once(&file.rules).chain(file.overrides.iter().map(|it| &it.rules));
        let lists = rules.filter_map(|rules| rules.get(UNKNOWN_FIELD)?.allow.as_ref());
        lists.flat_map(|allow| allow.value.iter().cloned()).collect()
    };
    let allowed: Vec<Wildcard> = files.iter().flat_map(allowed).collect();
    for file in files {
        for LocatedName { name, location } in std::mem::take(&mut file.house_fields) {
            let is_known = settings::TABLE.row(&name).is_some()
                || allowed.iter().any(|allowed| allowed.matches(&name));
            let near = nearest(&name, settings::TABLE.rows.iter().map(|row| row.name));
            if let Some(near) = near.filter(|_| !is_known) {
                let message = format!("{} is not a field of an update", quote(&name));
                let help = format!(
                    "did you mean `{near}`? If it is a field of your own, list it in `allow` of `{UNKNOWN_FIELD}`"
                );
                add_fault(file, &location, ConfigDiagnostic::new(message).help(help));
            }
        }
    }
}
