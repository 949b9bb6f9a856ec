//! What the settings of a file check less than other settings of it.

use std::collections::BTreeSet;

use voxlint::readings::SetReading;
use voxlint::{Rule, RuleRef, Severity};

use crate::config_file::SuppressionEntry;
use crate::{FileSettings, SettingSource, Sourced};

/// One thing that settings check less.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Looser {
    /// The setting that says so; `None` if one is missing.
    pub source: Option<SettingSource>,
    /// The rest of a sentence that begins with the file of the setting.
    pub message: String,
}

impl FileSettings<'_> {
    /// What these settings check less than those that judge it. `file` and `name` are the file and the judging settings in
    /// messages, and `rules` are the rules of both.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let load = |text: &str| Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()));
    /// let (loose, judge) = (load("exclude = ['b.json']")?, load("")?);
    /// let looser = loose.for_file("b.json").looser_than(&judge.for_file("b.json"), ("b.json", "main"), &[]);
    /// assert_eq!(looser[0].message, "excludes b.json, which main checks");
    /// # Ok::<(), voxlint_config::LoadError>(())
    /// ```
    pub fn looser_than(
        &self,
        judge: &Self,
        (file, name): (&str, &str),
        rules: &[RuleRef],
    ) -> Vec<Looser> {
        let mut found = Vec::new();
        let mut add = |source: Option<&SettingSource>, message: String| {
            let unlike = if message.ends_with("checks") {
                String::new()
            } else {
                format!(", unlike {name}")
            };
            found.push(Looser { source: source.cloned(), message: format!("{message}{unlike}") });
        };
        match self.excluded_by() {
            Some(pattern) if !judge.is_excluded() => {
                add(Some(&pattern.source), format!("excludes {file}, which {name} checks"));
            }
            _ if self.is_included() == Some(false) && judge.is_included() != Some(false) => {
                add(None, format!("does not include {file}, which {name} checks"));
            }
            _ => {}
        }
        if let (now, before) = (self.kind(), judge.kind())
            && now.map(|it| it.value) != before.map(|it| it.value)
        {
            add(now.map(|it| &it.source), format!("gives {file} another kind"));
        }
        for rule in rules {
            let [(low, high), (low_before, high_before)] =
                [self, judge].map(|it| severities(it, rule));
            if low < low_before || high < high_before {
                let message = format!("lowers {}", rule.id);
                add(self.level(rule).map(|it| it.source).as_ref(), message);
            }
        }
        let rule = |it: &voxlint::HouseRule| format!("{it:?}");
        let kept: BTreeSet<String> = self.house_rules().iter().map(rule).collect();
        for house in judge.house_rules().iter().filter(|it| !kept.contains(&rule(it))) {
            add(None, format!("drops or changes the house rule {}", house.id()));
        }
        let allowed = judge.allowed_fields().map_or(&[][..], |it| &it.value);
        if let Some(now) = self.allowed_fields()
            && now.value.iter().any(|name| !allowed.contains(name))
        {
            add(Some(&now.source), "allows more fields".to_owned());
        }
        if let Some(before) = judge.variables() {
            let is_known = |name: &&Sourced<voxlint::Wildcard>| {
                before.iter().any(|known| known.value == name.value)
            };
            match self.variables() {
                None => add(None, "lists no variables".to_owned()),
                Some(now) => {
                    if let Some(new) = now.into_iter().find(|name| !is_known(name)) {
                        add(Some(&new.source), "allows more variables".to_owned());
                    }
                }
            }
        }
        let (now, before) = (self.readings(), judge.readings());
        let is_strict = |set: &SetReading| {
            let strictest = set.reading.strictest().map(|value| value.name);
            set.values.iter().all(|value| Some(*value) == strictest)
        };
        for Sourced { value: set, source } in &now {
            let is_same = |it: &&Sourced<SetReading>| {
                it.value.reading == set.reading && it.value.values == set.values
            };
            if !is_strict(set) && !before.iter().any(is_same) {
                add(Some(source), format!("reads {} as {}", set.reading.name, set.value_name()));
            }
        }
        let was_telling = |set: &SetReading| is_strict(set) || set.reading.strictest().is_none();
        for Sourced { value: set, .. } in before.iter().filter(|it| was_telling(&it.value)) {
            if now.iter().all(|it| it.value.reading != set.reading) {
                add(None, format!("does not read {} as {}", set.reading.name, set.value_name()));
            }
        }
        let texts = self.text_files();
        for text in judge.text_files() {
            if texts.iter().all(|it| it.value.1 != text.value.1) {
                let field = text.value.0.name;
                add(None, format!("takes the {field} of {file} from another file or from none"));
            }
        }
        let value = |it: Option<&Sourced<String>>| it.map(|it| it.value.clone());
        let (stored, facts) = (self.stored(), self.facts());
        for (what, now, before) in [
            ("stored configuration", stored.as_ref(), value(judge.stored().as_ref())),
            ("workspace facts", facts, value(judge.facts())),
            ("agent id", self.agent_id(), value(judge.agent_id())),
            ("agent type", self.agent_type(), value(judge.agent_type())),
        ] {
            if before.is_some() && value(now) != before {
                add(now.map(|it| &it.source), format!("gives {file} another {what}"));
            }
        }
        let before: BTreeSet<String> = judge.suppressions().map(|(_, entry)| key(entry)).collect();
        for (_, entry) in self.suppressions().filter(|(_, entry)| !before.contains(&key(entry))) {
            let names: Vec<&str> = entry.rules.iter().map(|it| &*it.name).collect();
            add(None, format!("suppresses {} in {file}", names.join(", ")));
        }
        found
    }
}

/// The lowest and the highest severity of a rule's findings; `None` for off.
fn severities(settings: &FileSettings<'_>, rule: &Rule) -> (Option<Severity>, Option<Severity>) {
    match settings.level(rule) {
        Some(level) => (level.value.severity(), level.value.severity()),
        None if !rule.is_recommended => (None, None),
        // The finding of a rejection is an error, whatever the rule advises.
        None if rule.status.is_some() => (Some(rule.advice), Some(Severity::Error)),
        None => (Some(rule.advice), Some(rule.advice)),
    }
}

/// What a suppression covers in a file.
fn key(entry: &SuppressionEntry) -> String {
    let names: BTreeSet<&str> = entry.rules.iter().map(|it| &*it.name).collect();
    format!("{names:?} {:?} {:?}", entry.pointer, entry.expires.as_ref().map(|it| it.0))
}
