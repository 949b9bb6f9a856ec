//! Suppressions in configurations: hiding findings, and reporting entries that are unused or have expired.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use voxlint::rules::{EXPIRED_SUPPRESSION, UNUSED_SUPPRESSION};
use voxlint::schema::DocumentKind;
use voxlint::secrets::{self, mask_text};
use voxlint::syntax::Format;
use voxlint::syntax::file_path::{below, folder_of, is_within, normalize};
use voxlint::{
    Diagnostic, Document, Gate, Report, Rule, RuleRef, Source, Suppressed, SuppressedBy, Trace,
    VerdictKind, rules,
};

use crate::config_file::{ConfigFile, LocatedName, Location, NameId, SuppressionEntry, names_rule};
use crate::diagnostic::{diagnostic, quote};
use crate::pattern::{Matches, Pattern};
use crate::settings::{is_for_plans, is_off};
use crate::{Configuration, Date, FileReport, FileSettings};

/// Which suppressions were used, from [`check_document`](crate::check_document). Collect it for all documents of a
/// run and pass it to [`Configuration::check_suppressions`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuppressionUsage {
    /// The names that hid a finding, or would if the rule could be decided.
    used: BTreeSet<NameId>,
    /// The names in entries whose `files` match a document.
    matched: BTreeSet<NameId>,
    /// For names in entries with a pointer: the first document and value with a finding that the pointer does not match.
    elsewhere: BTreeMap<NameId, (String, String)>,
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
        for (name, place) in elsewhere {
            self.add_elsewhere(name, place);
        }
    }

    /// Of several places it keeps the first, so that the order of the documents does not matter.
    fn add_elsewhere(&mut self, name: NameId, place: (String, String)) {
        match self.elsewhere.entry(name) {
            Entry::Vacant(first) => drop(first.insert(place)),
            Entry::Occupied(mut first) if place < *first.get() => drop(first.insert(place)),
            Entry::Occupied(_) => {}
        }
    }

    /// The first entry that hides a finding. Every entry that matches it is used.
    fn entry_for<'c>(
        &mut self,
        entries: &[&'c SuppressionEntry],
        path: &str,
        found: &Diagnostic,
    ) -> Option<&'c SuppressionEntry> {
        let mut first = None;
        for entry in entries {
            let Some(name) = entry.rules.iter().find(|it| names_rule(&it.name, &found.rule)) else {
                continue;
            };
            if entry.matches_pointer(&found.field) {
                self.used.insert(entry.id(name));
                first = first.or(Some(*entry));
            } else {
                self.add_elsewhere(entry.id(name), (path.to_owned(), found.field.clone()));
            }
        }
        first
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
    pub(crate) fn suppress(
        &self,
        report: &mut Report,
        today: Date,
        trace: &mut Trace,
    ) -> SuppressionUsage {
        let mut usage = SuppressionUsage::default();
        let entries = self.suppressions().map(|(_, entry)| entry);
        let entries: Vec<_> = entries.filter(|entry| !entry.has_expired(today)).collect();
        if entries.is_empty() {
            return usage;
        }
        for hidden in &report.suppressed {
            usage.entry_for(&entries, self.path(), &hidden.diagnostic);
        }
        for found in std::mem::take(&mut report.diagnostics) {
            let entry = usage.entry_for(&entries, self.path(), &found);
            if let Some(entry) = entry.filter(|_| !found.rule.is_syntax()) {
                trace.hidden(&found, Gate::SuppressedBySetting, &entry.source);
                let by = SuppressedBy::Configuration(mask_text(&entry.reason).into_owned());
                report.suppressed.push(Suppressed::new(found, by));
            } else {
                report.diagnostics.push(found);
            }
        }
        report.suppressed.sort_by(|a, b| {
            let (a, b) = (&a.diagnostic, &b.diagnostic);
            (a.origin, a.span, &a.rule.id).cmp(&(b.origin, b.span, &b.rule.id))
        });
        let not_decided = self.undecided_or_off(report);
        for entry in &entries {
            usage.matched.extend(entry.rules.iter().map(|name| entry.id(name)));
            let needed = entry.rules.iter().filter(|name| not_decided.contains(&name.name));
            usage.used.extend(needed.map(|name| entry.id(name)));
        }
        usage
    }

    /// The names of rules and groups that an entry may be needed for without a finding: a rule is undecided or off in this
    /// file, or has findings only in a plan.
    fn undecided_or_off(&self, report: &Report) -> HashSet<String> {
        let off = self.configuration.rules().filter(|rule| self.is_off(rule));
        let undecided = report.undecided.iter().map(|it| it.rule.clone());
        // No check of one document runs the rules across documents. A group still covers others.
        let across = rules::all().filter(|rule| is_for_plans(rule));
        off.chain(undecided)
            .flat_map(|rule| rule.names().map(str::to_owned).collect::<Vec<_>>())
            .chain(across.map(|rule| rule.id.to_string()))
            .collect()
    }
}

impl Configuration {
    /// The suppressions of all files.
    pub(crate) fn suppressions(&self) -> impl Iterator<Item = &SuppressionEntry> {
        self.files.iter().flat_map(|file| &file.suppressions)
    }

    /// The files that suppressions name without wildcards.
    pub fn suppressed_files(&self) -> impl Iterator<Item = &str> {
        let patterns = self.suppressions().flat_map(|entry| self.patterns(&entry.files));
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
        let unchecked = visited.unchecked.iter();
        let unchecked = unchecked.map(|path| self.patterns.matches(&normalize(path)));
        let unchecked = Matches::of_any(unchecked);
        let report = |file: &ConfigFile| {
            let mut found = Vec::new();
            for entry in &file.suppressions {
                if let Some((last, location)) =
                    entry.expires.as_ref().filter(|_| entry.has_expired(today))
                {
                    found.push(expired(*last, location));
                    continue;
                }
                if !self.was_visited(entry, visited) || unchecked.any_of(&entry.files) {
                    continue;
                }
                for name in &entry.rules {
                    let id = entry.id(name);
                    if !usage.used.contains(&id) && self.is_on(name) {
                        let note = unused_note(usage, &id, &file.path);
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
        self.files.iter().filter_map(report).collect()
    }

    /// Reports the secrets in the configuration files, with one report for each file that has any.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let text = "exclude = ['*.md'] # the token is hf_wNs4Kc8GjTb2VhYx6RfLzQm9";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// assert_eq!(configuration.check_secrets(None)[0].report.diagnostics[0].rule.id, "secret-in-document");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_secrets(&self, judge: Option<&Self>) -> Vec<FileReport> {
        let report = |file: &ConfigFile| {
            let document =
                Document::parse_as(Source::from(&*file.text).without_fixes(), Format::Toml);
            let mut report = secrets::findings(&document, DocumentKind::Configuration);
            judge.unwrap_or(self).for_file(&file.path).apply_levels(&mut report);
            let has_findings = !report.diagnostics.is_empty();
            has_findings
                .then(|| FileReport::new(Arc::clone(&file.path), Arc::clone(&file.text), report))
        };
        self.files.iter().filter_map(report).collect()
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
        let is_off = |rule: RuleRef| is_off(&rule, self.level(&rule).as_ref());
        let mut rules = self.rules_named(&name.name);
        if rules::group_names().any(|group| group == name.name) {
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

/// Why a name in an entry has hidden nothing, if that is known.
fn unused_note(usage: &SuppressionUsage, name: &NameId, file: &str) -> Option<String> {
    if !usage.matched.contains(name) {
        return Some("its `files` match no document".to_owned());
    }
    let (path, field) = usage.elsewhere.get(name)?;
    let path = below(folder_of(file), path).unwrap_or(path);
    Some(format!("a finding of this rule is at {} in {}", quote(field), quote(path)))
}

fn finding(rule: &'static Rule, location: &Location, message: String, help: &str) -> Diagnostic {
    let Location { span, field } = location;
    let mut found = diagnostic(rule.into(), VerdictKind::Advice, field.clone(), *span, message);
    found.help = Some(help.to_owned());
    found
}
