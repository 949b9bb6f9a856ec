//! Suppressions in configurations: hiding findings, and reporting entries that are unused or have expired.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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

use crate::bit_set::BitSet;
use crate::config_file::{ConfigFile, LocatedName, Location, SuppressionEntry};
use crate::diagnostic::{diagnostic, quote};
use crate::pattern::{Matches, Pattern};
use crate::settings::{is_for_plans, is_off};
use crate::{Configuration, Date, FileReport, FileSettings};

/// Which suppressions were used, from [`check_document`](crate::check_document). Collect it for all documents of a
/// run and pass it to [`Configuration::check_suppressions`].
///
/// There is one for each document of a run, and a configuration can have many suppressions, so it has only their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuppressionUsage {
    /// The rules of entries that hid a finding, or would if the rule could be decided.
    used: BitSet,
    /// The entries whose `files` match a document.
    matched: BitSet,
    /// For rules of entries with a pointer: the first document and value with a finding that the pointer does not match.
    elsewhere: BTreeMap<(String, String), BitSet>,
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
        self.used.add(&used);
        self.matched.add(&matched);
        for (place, rules) in elsewhere {
            add_first(&mut self.elsewhere, place, rules);
        }
    }
}

/// Adds a place with the rules that it is for. Of several places for a rule it keeps the first, so that the order of the
/// documents does not matter.
fn add_first<K: Ord>(places: &mut BTreeMap<K, BitSet>, place: K, mut rules: BitSet) {
    places.retain(|known, of_known| {
        if *known <= place {
            rules.remove(of_known);
        } else {
            of_known.remove(&rules);
        }
        !of_known.is_empty()
    });
    if !rules.is_empty() {
        places.entry(place).or_default().add(&rules);
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
        let mut search = EntrySearch::default();
        search.entries.extend(self.suppressions().filter(|entry| !entry.has_expired(today)));
        if search.entries.is_empty() {
            return SuppressionUsage::default();
        }
        for hidden in &report.suppressed {
            search.entry_for(&hidden.diagnostic);
        }
        for found in std::mem::take(&mut report.diagnostics) {
            if let Some(entry) = search.entry_for(&found).filter(|_| !found.rule.is_syntax()) {
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
        let EntrySearch { entries, mut used, elsewhere, .. } = search;
        let not_decided = self.undecided_or_off(report);
        for entry in &entries {
            let names = entry.rules.iter().zip(entry.first_rule..);
            let needed = names.filter(|(name, _)| not_decided.contains(&name.name));
            needed.for_each(|(_, rule)| used.insert(rule));
        }
        let path = self.path();
        let elsewhere = elsewhere.into_iter();
        SuppressionUsage {
            used,
            matched: entries.iter().map(|entry| entry.number).collect(),
            elsewhere: elsewhere.map(|(at, rules)| ((path.to_owned(), at), rules)).collect(),
        }
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

/// Searches for the entries that match findings. Every entry that matches one is used. The first one counts.
#[derive(Default)]
struct EntrySearch<'c> {
    entries: Vec<&'c SuppressionEntry>,
    /// The entries for each rule that has a finding.
    by_rule: HashMap<String, RuleEntries<'c>>,
    used: BitSet,
    /// As in [`SuppressionUsage::elsewhere`], without the path.
    elsewhere: BTreeMap<String, BitSet>,
}

/// The entries that name a rule, each with the number of the rule in it.
#[derive(Default)]
struct RuleEntries<'c> {
    /// The entries for one value, by its pointer.
    by_pointer: HashMap<&'c str, Vec<(&'c SuppressionEntry, u32)>>,
    /// The entries with a `*` in their pointer.
    by_pattern: Vec<(&'c SuppressionEntry, u32)>,
    /// The numbers of both.
    with_pointer: BitSet,
    /// The first entry without a pointer. It matches every finding.
    for_all: Option<&'c SuppressionEntry>,
}

impl<'c> EntrySearch<'c> {
    fn entry_for(&mut self, found: &Diagnostic) -> Option<&'c SuppressionEntry> {
        if !self.by_rule.contains_key(&*found.rule.id) {
            let entries = self.entries_for(&found.rule);
            self.by_rule.insert(found.rule.id.to_string(), entries);
        }
        let of_rule = self.by_rule.get(&*found.rule.id)?;
        let mut first = of_rule.for_all;
        let mut matching = BitSet::default();
        let of_value = of_rule.by_pointer.get(&*found.field).into_iter().flatten();
        let patterns = of_rule.by_pattern.iter();
        for (entry, rule) in
            of_value.chain(patterns.filter(|(entry, _)| entry.matches_pointer(&found.field)))
        {
            matching.insert(*rule);
            first = first.filter(|first| first.number < entry.number).or(Some(*entry));
        }
        self.used.add(&matching);
        let mut others = of_rule.with_pointer.clone();
        others.remove(&matching);
        if !others.is_empty() {
            add_first(&mut self.elsewhere, found.field.clone(), others);
        }
        first
    }

    fn entries_for(&mut self, rule: &Rule) -> RuleEntries<'c> {
        let mut of_rule = RuleEntries::default();
        for entry in &self.entries {
            let Some(number) = entry.number_of(rule) else { continue };
            let Some(pointer) = &entry.pointer else {
                self.used.insert(number);
                of_rule.for_all.get_or_insert(entry);
                continue;
            };
            of_rule.with_pointer.insert(number);
            if pointer.is_literal() {
                of_rule.by_pointer.entry(pointer.as_str()).or_default().push((entry, number));
            } else {
                of_rule.by_pattern.push((entry, number));
            }
        }
        of_rule
    }
}

impl Configuration {
    /// The suppressions of all files.
    pub(crate) fn suppressions(&self) -> impl Iterator<Item = &SuppressionEntry> {
        self.files.iter().flat_map(|file| &file.suppressions)
    }

    /// The usage of this configuration's suppressions, including usage through other configurations that extend the same files.
    pub fn merge_usage<'c>(
        &self,
        all: impl IntoIterator<Item = (&'c Self, &'c SuppressionUsage)>,
    ) -> SuppressionUsage {
        let mut merged = SuppressionUsage::default();
        for (other, usage) in all {
            // The numbers of the entries and of their rules, there and here.
            let (mut entries, mut rules) = (HashMap::new(), HashMap::new());
            for file in &other.files {
                let Some(own) = self.files.iter().find(|own| own.path == file.path) else {
                    continue;
                };
                for (there, here) in file.suppressions.iter().zip(&own.suppressions) {
                    entries.insert(there.number, here.number);
                    rules.extend(there.rule_numbers().zip(here.rule_numbers()));
                }
            }
            let translated = |set: &BitSet, numbers: &HashMap<u32, u32>| -> BitSet {
                set.iter().filter_map(|number| numbers.get(&number).copied()).collect()
            };
            merged.add(SuppressionUsage {
                used: translated(&usage.used, &rules),
                matched: translated(&usage.matched, &entries),
                elsewhere: usage
                    .elsewhere
                    .iter()
                    .map(|(place, of_place)| (place.clone(), translated(of_place, &rules)))
                    .collect(),
            });
        }
        merged
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
                for (name, rule) in entry.rules.iter().zip(entry.first_rule..) {
                    if !usage.used.contains(rule) && self.is_on(name) {
                        let note = unused_note(usage, entry, rule, &file.path);
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

/// Why a rule of an entry has hidden nothing, if that is known.
fn unused_note(
    usage: &SuppressionUsage,
    entry: &SuppressionEntry,
    rule: u32,
    file: &str,
) -> Option<String> {
    if !usage.matched.contains(entry.number) {
        return Some("its `files` match no document".to_owned());
    }
    let ((path, field), _) = usage.elsewhere.iter().find(|(_, rules)| rules.contains(rule))?;
    let path = below(folder_of(file), path).unwrap_or(path);
    Some(format!("a finding of this rule is at {} in {}", quote(field), quote(path)))
}

fn finding(rule: &'static Rule, location: &Location, message: String, help: &str) -> Diagnostic {
    let Location { span, field } = location;
    let mut found = diagnostic(rule.into(), VerdictKind::Advice, field.clone(), *span, message);
    found.help = Some(help.to_owned());
    found
}
