//! What a team has decided, applied to what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use voxlint::pointer::unescape_token;
use voxlint::{
    Diagnostic, Report, RuleRef, Suppressed, SuppressedBy, VerdictKind, Wildcard, rules,
};

use crate::config_file::{ConfigFile, LocatedName, Location, SuppressionEntry, is_meant};
use crate::diagnostic::{diagnostic, quote};
use crate::path::{below, folder, is_in};
use crate::pattern::{Matches, Pattern};
use crate::read::UNKNOWN_FIELD;
use crate::{Configuration, Date, FileReport, FileSettings, Level, normalize_path};

/// The suppressions that hid something, or may have: what [`FileSettings::apply`] answers for each document, and
/// [`Configuration::check_suppressions`] wants for all of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuppressionUsage {
    /// By file, entry and name: what hid something, or may have.
    names: BTreeSet<(u32, u32, u32)>,
    /// By file and entry: what was about some document.
    entries: BTreeSet<(u32, u32)>,
    /// By file, entry and name: a document and a value in it where there is a finding of the rule, and the entry is about
    /// other values.
    elsewhere: BTreeMap<(u32, u32, u32), (String, String)>,
}

impl SuppressionUsage {
    /// Takes in what was used for another document.
    ///
    /// ```
    /// use voxlint_config::SuppressionUsage;
    ///
    /// let mut all = SuppressionUsage::default();
    /// for of_document in [SuppressionUsage::default(), SuppressionUsage::default()] {
    ///     all.add(of_document);
    /// }
    /// ```
    pub fn add(&mut self, other: Self) {
        let Self { names, entries, elsewhere } = other;
        self.names.extend(names);
        self.entries.extend(entries);
        for (entry, place) in elsewhere {
            self.see(entry, place);
        }
    }

    /// Of all places where a rule speaks the first one is told, whatever the order of the documents.
    fn see(&mut self, entry: (u32, u32, u32), place: (String, String)) {
        let first = self.elsewhere.entry(entry).or_insert_with(|| place.clone());
        if place < *first {
            *first = place;
        }
    }
}

/// What a run has looked at, with paths that begin where that of the configuration does. Where a file could not be read,
/// leave its folder out: nobody knows what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisitedPaths {
    /// Folders in which everything was looked at that the configuration does not leave out.
    pub folders: Vec<String>,
    /// Files that were looked at.
    pub files: BTreeSet<String>,
    /// Files that are there and were not looked at, as far as anybody knows: nothing that could be about one of them is
    /// called unused.
    pub unchecked: BTreeSet<String>,
}

impl FileSettings<'_> {
    /// Applies the settings to what was found in the file, in this order: a rule that is off says nothing, and the others say
    /// as loudly as they are told; `unknown-field` leaves alone what it is told to; what is suppressed is hidden. Answers
    /// which suppressions were of use.
    ///
    /// ```
    /// use voxlint_config::{Configuration, Date};
    ///
    /// let text = "
    ///     [[suppressions]]
    ///     files = '*.json'
    ///     rules = 'out-of-range'
    ///     reason = 'the limit is to be raised'
    /// ";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let mut report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    /// configuration.for_file("en.json").apply(&mut report, Date::new(2027, 1, 31)?);
    /// assert!(report.diagnostics.is_empty());
    /// assert_eq!(report.suppressed.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&self, report: &mut Report, today: Date) -> SuppressionUsage {
        self.apply_levels(report);
        self.suppress(report, today)
    }

    /// Applies all but the suppressions: for those who want to see what is hidden.
    pub fn apply_levels(&self, report: &mut Report) {
        let allowed = self.allowed_fields();
        report.diagnostics.retain_mut(|found| {
            if let Some(level) = self.level(&found.rule) {
                let Some(severity) = level.value.severity() else { return false };
                found.severity = severity;
            }
            !allowed.is_some_and(|allowed| is_allowed(found, &allowed.value))
        });
        report.undecided.retain(|entry| !self.is_off(&entry.rule));
    }

    /// Hides what is suppressed, and answers which suppressions were of use. What a comment has hidden before counts as use.
    pub fn suppress(&self, report: &mut Report, today: Date) -> SuppressionUsage {
        let mut used = SuppressionUsage::default();
        let entries: Vec<((u32, u32), &SuppressionEntry)> =
            self.suppressions().filter(|(_, entry)| !entry.has_expired(today)).collect();
        if entries.is_empty() {
            return used;
        }
        used.entries.extend(entries.iter().map(|(at, _)| *at));
        // Every entry that speaks of a finding is of use, and the first one says why.
        let mut reason_for = |found: &Diagnostic| {
            let mut reason = None;
            for ((file, entry), suppression) in &entries {
                let Some(name) = suppression.names(&found.rule) else { continue };
                let at = (*file, *entry, name as u32);
                if suppression.is_about(&found.field) {
                    used.names.insert(at);
                    reason.get_or_insert(&suppression.reason);
                } else {
                    used.see(at, (self.path().to_owned(), found.field.clone()));
                }
            }
            reason
        };
        for hidden in &report.suppressed {
            // A comment beside it has been faster.
            reason_for(&hidden.diagnostic);
        }
        for found in std::mem::take(&mut report.diagnostics) {
            if let Some(reason) = reason_for(&found) {
                let by = SuppressedBy::Configuration(reason.clone());
                report.suppressed.push(Suppressed { diagnostic: found, by });
            } else {
                report.diagnostics.push(found);
            }
        }
        report.suppressed.sort_by(|a, b| {
            let (a, b) = (&a.diagnostic, &b.diagnostic);
            (a.origin, a.span, &a.rule.id).cmp(&(b.origin, b.span, &b.rule.id))
        });
        // What could not be decided, or was not looked for in this file, may be what the entry is for.
        for ((file, entry), suppression) in &entries {
            for (name, at) in suppression.rules.iter().zip(0..) {
                let is_open = report.undecided.iter().any(|it| is_meant(&name.name, &it.rule));
                let is_off =
                    || self.configuration.rules_called(&name.name).any(|rule| self.is_off(&rule));
                if is_open || is_off() {
                    used.names.insert((*file, *entry, at));
                }
            }
        }
        used
    }
}

/// Whether a finding is about a member that is allowed by its name.
fn is_allowed(found: &Diagnostic, allowed: &[Wildcard]) -> bool {
    if found.rule.id != UNKNOWN_FIELD {
        return false;
    }
    let name = unescape_token(found.field.rsplit('/').next().unwrap_or_default());
    allowed.iter().any(|allowed| allowed.matches(&name))
}

impl Configuration {
    /// The suppressions, with the numbers of their file and of themselves in it.
    pub(crate) fn suppressions(&self) -> impl Iterator<Item = ((u32, u32), &SuppressionEntry)> {
        self.files.iter().zip(0..).flat_map(|(file, index)| {
            file.suppressions.iter().zip(0..).map(move |(entry, at)| ((index, at), entry))
        })
    }

    /// What was used of this configuration, be it by way of another one that reads the same files.
    pub fn merge_usage<'c>(
        &self,
        all: impl IntoIterator<Item = (&'c Self, &'c SuppressionUsage)>,
    ) -> SuppressionUsage {
        let mut gathered = SuppressionUsage::default();
        for (other, used) in all {
            let own = |index: u32| {
                let path = &other.files.get(index as usize)?.path;
                self.files.iter().zip(0..).find(|(file, _)| file.path == *path).map(|(_, at)| at)
            };
            let SuppressionUsage { names, entries, elsewhere } = used;
            let names = names.iter().filter_map(|(file, at, name)| Some((own(*file)?, *at, *name)));
            gathered.names.extend(names);
            gathered
                .entries
                .extend(entries.iter().filter_map(|(file, at)| Some((own(*file)?, *at))));
            for ((file, at, name), place) in elsewhere {
                if let Some(file) = own(*file) {
                    gathered.see((file, *at, *name), place.clone());
                }
            }
        }
        gathered
    }

    /// The files that suppressions name without wildcards.
    pub fn suppressed_files(&self) -> impl Iterator<Item = &str> {
        let patterns = self.suppressions().flat_map(|(_, entry)| self.patterns(&entry.files));
        patterns.filter(|pattern| pattern.is_literal()).map(Pattern::root)
    }

    /// What is to be done about the configuration itself after a run: suppressions that hide nothing, and those that have
    /// expired; a report for each file that has some. An entry is called unused only where everything that it could be
    /// about was looked at, with the rule switched on.
    ///
    /// ```
    /// use voxlint_config::{Configuration, Date, VisitedPaths, SuppressionUsage};
    ///
    /// let text = "
    ///     [[suppressions]]
    ///     files = '*.json'
    ///     rules = 'out-of-range'
    ///     reason = 'the limit is to be raised'
    /// ";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let today = Date::new(2027, 1, 31)?;
    /// let some = VisitedPaths { files: ["en.json".to_owned()].into(), ..VisitedPaths::default() };
    /// assert!(configuration.check_suppressions(&SuppressionUsage::default(), &some, today).is_empty());
    ///
    /// let all = VisitedPaths { folders: vec![String::new()], ..VisitedPaths::default() };
    /// let reports = configuration.check_suppressions(&SuppressionUsage::default(), &all, today);
    /// assert_eq!(reports[0].report.diagnostics[0].rule.id, "unused-suppression");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_suppressions(
        &self,
        used: &SuppressionUsage,
        looked: &VisitedPaths,
        today: Date,
    ) -> Vec<FileReport> {
        let others: Vec<Matches> = looked
            .unchecked
            .iter()
            .map(|path| self.patterns.matches(&normalize_path(path)))
            .collect();
        let report = |(file, index): (&ConfigFile, u32)| {
            let mut found = Vec::new();
            for (entry, at) in file.suppressions.iter().zip(0..) {
                if let Some((last, location)) =
                    entry.expires.as_ref().filter(|_| entry.has_expired(today))
                {
                    found.extend(expired(*last, location));
                    continue;
                }
                if !self.was_looked_at(entry, looked)
                    || others.iter().any(|other| other.any_of(&entry.files))
                {
                    continue;
                }
                for (name, number) in entry.rules.iter().zip(0..) {
                    if !used.names.contains(&(index, at, number)) && self.is_on(name) {
                        let unused = unused(name, entry);
                        let note = why_unused(used, (index, at, number), &file.path);
                        found.extend(unused.map(|found| Diagnostic { note, ..found }));
                    }
                }
            }
            found.sort_by_key(|found| found.span);
            let mut report = Report { diagnostics: found, ..file.faults.clone() };
            self.for_file(&file.path).apply_levels(&mut report);
            let is_any = !report.diagnostics.is_empty();
            is_any.then(|| FileReport {
                path: Arc::clone(&file.path),
                text: Arc::clone(&file.text),
                report,
            })
        };
        self.files.iter().zip(0..).filter_map(report).collect()
    }

    /// Whether everything that an entry could be about was looked at.
    fn was_looked_at(&self, entry: &SuppressionEntry, looked: &VisitedPaths) -> bool {
        self.patterns(&entry.files).into_iter().all(|pattern| {
            looked.folders.iter().any(|folder| is_in(folder, pattern.root()))
                || (pattern.is_literal() && looked.files.contains(pattern.root()))
        })
    }

    /// Whether what a name stands for is on. Of a group nothing can be said where the command line has picked rules.
    fn is_on(&self, name: &LocatedName) -> bool {
        let is_off = |rule: RuleRef| self.level(&rule).is_some_and(|it| it.value == Level::Off);
        let mut rules = self.rules_called(&name.name);
        if rules::GROUPS.contains(&name.name.as_str()) {
            self.command_line.is_silent() && !rules.all(is_off)
        } else {
            !rules.any(is_off)
        }
    }
}

fn expired(last: Date, location: &Location) -> Option<Diagnostic> {
    let message = format!("the suppression has expired: {last} was its last day");
    let found = finding("expired-suppression", location, message)?;
    let help = "settle what it has hidden and remove the entry, or write a later day";
    Some(Diagnostic { help: Some(help.to_owned()), ..found })
}

fn unused(name: &LocatedName, entry: &SuppressionEntry) -> Option<Diagnostic> {
    let message = format!("no finding of {} is hidden by the suppression", quote(&name.name));
    let found = finding("unused-suppression", &name.location, message)?;
    let help = if entry.rules.len() > 1 { "remove the name" } else { "remove the entry" };
    Some(Diagnostic { help: Some(help.to_owned()), ..found })
}

/// Why an entry has hidden nothing, as far as that can be told.
fn why_unused(used: &SuppressionUsage, at: (u32, u32, u32), file: &str) -> Option<String> {
    let (index, entry, _) = at;
    if !used.entries.contains(&(index, entry)) {
        return Some("none of the documents is one of its `files`".to_owned());
    }
    let (path, field) = used.elsewhere.get(&at)?;
    let path = below(folder(file), path).unwrap_or(path);
    Some(format!("there is one at {} in {}", quote(field), quote(path)))
}

fn finding(rule: &str, location: &Location, message: String) -> Option<Diagnostic> {
    let rule = RuleRef::from(rules::find(rule)?);
    Some(diagnostic(rule, VerdictKind::Advice, location.field.clone(), location.span, message))
}
