//! Suppressions in configurations: hiding findings, and reporting entries that are unused or have expired.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use voxlint::rules::{EXPIRED_SUPPRESSION, UNUSED_SUPPRESSION};
use voxlint::syntax::file_path::{below, folder_of, is_within, normalize};
use voxlint::{Diagnostic, Report, Rule, RuleRef, Suppressed, SuppressedBy, VerdictKind, rules};

use crate::config_file::{ConfigFile, LocatedName, Location, SuppressionEntry, names_rule};
use crate::diagnostic::{diagnostic, quote};
use crate::pattern::{Matches, Pattern};
use crate::{Configuration, Date, FileReport, FileSettings, Level};

/// A suppression: the index of its file in the configuration, and its index in the file.
type EntryId = (u32, u32);

/// A rule in a suppression: the two indexes of the suppression, and the index of the rule in its list.
type EntryRuleId = (u32, u32, u32);

/// Which suppressions were used, from [`ReportFilter::apply`](crate::ReportFilter::apply). Collect it for all documents of a
/// run and pass it to [`Configuration::check_suppressions`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuppressionUsage {
    /// The rules of entries that hid a finding, or would if the rule could be decided.
    used: BTreeSet<EntryRuleId>,
    /// The entries whose `files` match a document.
    matched: BTreeSet<EntryId>,
    /// For entries with a pointer: the first document and value with a finding of the rule that the pointer does not match.
    elsewhere: BTreeMap<EntryRuleId, (String, String)>,
}

impl SuppressionUsage {
    /// Adds what was used for another document.
    ///
    /// ```
    /// use voxlint_config::SuppressionUsage;
    ///
    /// let mut all = SuppressionUsage::default();
    /// for usage in [SuppressionUsage::default(), SuppressionUsage::default()] {
    ///     all.add(usage);
    /// }
    /// ```
    pub fn add(&mut self, other: Self) {
        let Self { used, matched, elsewhere } = other;
        self.used.extend(used);
        self.matched.extend(matched);
        for (id, value) in elsewhere {
            self.add_elsewhere(id, value);
        }
    }

    /// Keeps the first value by path and pointer, so that the order of the documents does not matter.
    fn add_elsewhere(&mut self, id: EntryRuleId, value: (String, String)) {
        let first = self.elsewhere.entry(id).or_insert_with(|| value.clone());
        if value < *first {
            *first = value;
        }
    }
}

/// The files that a run has visited. Paths are relative to the same folder as those of the configuration. Leave out a folder
/// with a file that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisitedPaths {
    /// Folders in which every file was checked, except those that the configuration excludes.
    pub folders: Vec<String>,
    /// Files that were checked.
    pub files: BTreeSet<String>,
    /// Files that exist and were not checked. A suppression that matches one of them is not reported as unused.
    pub unchecked: BTreeSet<String>,
}

impl FileSettings<'_> {
    /// Hides the findings that the configuration suppresses. A suppression also counts as used if a comment has already hidden
    /// its finding.
    pub(crate) fn suppress(&self, report: &mut Report, today: Date) -> SuppressionUsage {
        let mut usage = SuppressionUsage::default();
        let entries: Vec<(EntryId, &SuppressionEntry)> =
            self.suppressions().filter(|(_, entry)| !entry.has_expired(today)).collect();
        if entries.is_empty() {
            return usage;
        }
        usage.matched.extend(entries.iter().map(|(id, _)| *id));
        // Every entry that matches a finding is used. The first one gives the reason.
        let mut reason_for = |found: &Diagnostic| {
            let mut reason = None;
            for ((file, entry), suppression) in &entries {
                let Some(rule) = suppression.rule_index(&found.rule) else { continue };
                let id = (*file, *entry, rule as u32);
                if suppression.matches_pointer(&found.field) {
                    usage.used.insert(id);
                    reason.get_or_insert(&suppression.reason);
                } else {
                    usage.add_elsewhere(id, (self.path().to_owned(), found.field.clone()));
                }
            }
            reason
        };
        for hidden in &report.suppressed {
            reason_for(&hidden.diagnostic);
        }
        for found in std::mem::take(&mut report.diagnostics) {
            if let Some(reason) = reason_for(&found) {
                let by = SuppressedBy::Configuration(reason.clone());
                report.suppressed.push(Suppressed::new(found, by));
            } else {
                report.diagnostics.push(found);
            }
        }
        report.suppressed.sort_by(|a, b| {
            let (a, b) = (&a.diagnostic, &b.diagnostic);
            (a.origin, a.span, &a.rule.id).cmp(&(b.origin, b.span, &b.rule.id))
        });
        // An entry may be needed for a rule that is undecided or off in this file.
        for ((file, entry), suppression) in &entries {
            for (name, index) in suppression.rules.iter().zip(0..) {
                let name = &name.name;
                let is_undecided = report.undecided.iter().any(|it| names_rule(name, &it.rule));
                let is_off = || self.configuration.rules_named(name).any(|rule| self.is_off(&rule));
                if is_undecided || is_off() {
                    usage.used.insert((*file, *entry, index));
                }
            }
        }
        usage
    }
}

impl Configuration {
    /// The suppressions of all files.
    pub(crate) fn suppressions(&self) -> impl Iterator<Item = (EntryId, &SuppressionEntry)> {
        self.files.iter().zip(0..).flat_map(|(file, index)| {
            file.suppressions.iter().zip(0..).map(move |(entry, at)| ((index, at), entry))
        })
    }

    /// The usage of this configuration's suppressions, including usage through other configurations that extend the same files.
    pub fn merge_usage<'c>(
        &self,
        all: impl IntoIterator<Item = (&'c Self, &'c SuppressionUsage)>,
    ) -> SuppressionUsage {
        let mut merged = SuppressionUsage::default();
        for (other, usage) in all {
            let own_index = |index: u32| {
                let path = &other.files.get(index as usize)?.path;
                self.files.iter().zip(0..).find(|(file, _)| file.path == *path).map(|(_, at)| at)
            };
            let entry = |id: &EntryId| Some((own_index(id.0)?, id.1));
            let rule = |id: &EntryRuleId| Some((own_index(id.0)?, id.1, id.2));
            merged.used.extend(usage.used.iter().filter_map(rule));
            merged.matched.extend(usage.matched.iter().filter_map(entry));
            for (id, value) in &usage.elsewhere {
                if let Some(id) = rule(id) {
                    merged.add_elsewhere(id, value.clone());
                }
            }
        }
        merged
    }

    /// The files that suppressions name without wildcards.
    pub fn suppressed_files(&self) -> impl Iterator<Item = &str> {
        let patterns = self.suppressions().flat_map(|(_, entry)| self.patterns(&entry.files));
        patterns.filter(|pattern| pattern.is_literal()).map(Pattern::root)
    }

    /// Reports the suppressions that are unused or have expired, with one report for each configuration file that has any. A
    /// suppression is reported as unused only if every file that it matches was checked with the rule enabled.
    ///
    /// ```
    /// use voxlint_config::{Configuration, Date, SuppressionUsage, VisitedPaths};
    ///
    /// let text = "
    ///     [[suppressions]]
    ///     files = '*.json'
    ///     rules = 'out-of-range'
    ///     reason = 'the limit will be raised'
    /// ";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let today = Date::new(2027, 1, 31)?;
    /// let one = VisitedPaths { files: ["en.json".to_owned()].into(), ..VisitedPaths::default() };
    /// assert!(configuration.check_suppressions(&SuppressionUsage::default(), &one, today).is_empty());
    ///
    /// let all = VisitedPaths { folders: vec![String::new()], ..VisitedPaths::default() };
    /// let reports = configuration.check_suppressions(&SuppressionUsage::default(), &all, today);
    /// assert_eq!(reports[0].report.diagnostics[0].rule.id, "unused-suppression");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_suppressions(
        &self,
        usage: &SuppressionUsage,
        visited: &VisitedPaths,
        today: Date,
    ) -> Vec<FileReport> {
        let unchecked: Vec<Matches> =
            visited.unchecked.iter().map(|path| self.patterns.matches(&normalize(path))).collect();
        let report = |(file, index): (&ConfigFile, u32)| {
            let mut found = Vec::new();
            for (entry, at) in file.suppressions.iter().zip(0..) {
                if let Some((last, location)) =
                    entry.expires.as_ref().filter(|_| entry.has_expired(today))
                {
                    found.push(expired(*last, location));
                    continue;
                }
                if !self.was_visited(entry, visited)
                    || unchecked.iter().any(|file| file.any_of(&entry.files))
                {
                    continue;
                }
                for (name, number) in entry.rules.iter().zip(0..) {
                    let id = (index, at, number);
                    if !usage.used.contains(&id) && self.is_on(name) {
                        let note = unused_note(usage, id, &file.path);
                        let mut unused = unused(name, entry);
                        unused.note = note;
                        found.push(unused);
                    }
                }
            }
            found.sort_by_key(|found| found.span);
            let mut report = file.faults.clone();
            report.diagnostics = found;
            self.for_file(&file.path).apply_levels(&mut report);
            let has_findings = !report.diagnostics.is_empty();
            has_findings
                .then(|| FileReport::new(Arc::clone(&file.path), Arc::clone(&file.text), report))
        };
        self.files.iter().zip(0..).filter_map(report).collect()
    }

    /// Whether every file that an entry can match was visited.
    fn was_visited(&self, entry: &SuppressionEntry, visited: &VisitedPaths) -> bool {
        self.patterns(&entry.files).into_iter().all(|pattern| {
            visited.folders.iter().any(|folder| is_within(folder, pattern.root()))
                || (pattern.is_literal() && visited.files.contains(pattern.root()))
        })
    }

    /// Whether a rule or group is enabled. A group counts as disabled if the caller has selected rules.
    fn is_on(&self, name: &LocatedName) -> bool {
        let is_off = |rule: RuleRef| self.level(&rule).is_some_and(|it| it.value == Level::Off);
        let mut rules = self.rules_named(&name.name);
        if rules::GROUPS.contains(&name.name.as_str()) {
            self.selection.is_empty() && !rules.all(is_off)
        } else {
            !rules.any(is_off)
        }
    }
}

fn expired(last: Date, location: &Location) -> Diagnostic {
    let message = format!("the suppression expired after {last}");
    let help = "fix the finding and remove the entry, or write a later date";
    finding(EXPIRED_SUPPRESSION, location, message, help)
}

fn unused(name: &LocatedName, entry: &SuppressionEntry) -> Diagnostic {
    let message =
        format!("the suppression is unused: there is no finding of {}", quote(&name.name));
    let help =
        if entry.rules.len() > 1 { "remove this rule from `rules`" } else { "remove the entry" };
    finding(UNUSED_SUPPRESSION, &name.location, message, help)
}

/// Why an entry has hidden nothing, if that is known.
fn unused_note(usage: &SuppressionUsage, id: EntryRuleId, file: &str) -> Option<String> {
    let (index, entry, _) = id;
    if !usage.matched.contains(&(index, entry)) {
        return Some("its `files` match no document".to_owned());
    }
    let (path, field) = usage.elsewhere.get(&id)?;
    let path = below(folder_of(file), path).unwrap_or(path);
    Some(format!("a finding of this rule is at {} in {}", quote(field), quote(path)))
}

fn finding(rule: &'static Rule, location: &Location, message: String, help: &str) -> Diagnostic {
    let Location { span, field } = location;
    let mut found = diagnostic(rule.into(), VerdictKind::Advice, field.clone(), *span, message);
    found.help = Some(help.to_owned());
    found
}
