//! The findings that a team lives with for now: those that were there when it began to check.
//!
//! An entry is known by its document, its rule, the pointer to its value and what the value says. Lines, columns and
//! neighbours do not matter, so moving things around brings nothing back, and a new fault is never taken for an old one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use voxlint::{Diagnostic, Identities, Identity, Inputs, Report, Suppressed, SuppressedBy};

/// The name of the file, where the configuration gives no other.
pub const BASELINE_NAME: &str = "voxlint-baseline.json";

/// Changes only when a member is renamed or taken away.
const SCHEMA: u32 = 1;

/// How many bytes of a hash are kept: as many as make a clash unthinkable among the findings of one document.
const HASH_BYTES: usize = 8;

/// A list of findings to live with.
///
/// ```
/// use voxlint_config::Baseline;
///
/// let baseline = Baseline::parse(r#"{ "schema": 1, "findings": [] }"#)?;
/// assert!(baseline.is_empty());
/// # Ok::<(), voxlint_config::BaselineError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeSet<BaselineEntry>,
}

/// One finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The document's file, from the folder of the baseline, with forward slashes.
    pub path: String,
    /// The rule.
    pub rule: String,
    /// The pointer to the value; items of arrays go by their name, where they have one.
    pub pointer: String,
    /// What the value says, as a part of its SHA-256 hash in hexadecimal digits: it may be a secret.
    pub value: String,
    /// Which of the findings that are the same in all this, counted from 0 in the order of the text.
    #[serde(default, skip_serializing_if = "is_first")]
    pub ordinal: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
const fn is_first(ordinal: &u32) -> bool {
    *ordinal == 0
}

/// Why a text is no baseline.
#[derive(Debug)]
pub struct BaselineError(String);

impl fmt::Display for BaselineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for BaselineError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// If the text is no baseline, or one of a later version of voxlint.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let file: File = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| BaselineError(format!("not a valid baseline: {error}")))?;
        if file.schema != SCHEMA {
            return Err(BaselineError(format!(
                "the baseline has schema {}, but this version of voxlint supports {SCHEMA}",
                file.schema
            )));
        }
        Ok(file.findings.into_iter().collect())
    }

    /// The text of the baseline: JSON with a line for each finding, sorted, so that a review sees what changed.
    ///
    /// ```
    /// use voxlint_config::Baseline;
    ///
    /// let baseline = Baseline::default();
    /// assert_eq!(Baseline::parse(&baseline.to_json())?, baseline);
    /// # Ok::<(), voxlint_config::BaselineError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\n  \"schema\": {SCHEMA},\n  \"findings\": [");
        for (index, entry) in self.entries.iter().enumerate() {
            text.push_str(if index == 0 { "\n    " } else { ",\n    " });
            // Nothing in an entry can fail to be written.
            text.push_str(&serde_json::to_string(entry).unwrap_or_default());
        }
        text.push_str(if self.entries.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        text
    }

    /// How many findings are listed.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The findings, sorted.
    pub fn entries(&self) -> impl Iterator<Item = &BaselineEntry> {
        self.entries.iter()
    }

    /// The findings of one document's file, to be told apart in the order of its text.
    pub fn for_file(&self, path: &str) -> FileBaseline<'_> {
        let first = BaselineEntry {
            path: path.to_owned(),
            rule: String::new(),
            pointer: String::new(),
            value: String::new(),
            ordinal: 0,
        };
        let entries = self.entries.range(first..).take_while(|entry| entry.path == path).collect();
        FileBaseline { path: path.to_owned(), entries, counts: BTreeMap::new(), found: Vec::new() }
    }

    /// Takes entries away, and adds none.
    pub fn retain(&mut self, keep: impl FnMut(&BaselineEntry) -> bool) {
        self.entries.retain(keep);
    }
}

impl FromIterator<BaselineEntry> for Baseline {
    fn from_iter<I: IntoIterator<Item = BaselineEntry>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

/// The part of a baseline that is about one file. Findings of the same value are told apart by their order, so a file with
/// several documents is gone through in the order of its text.
#[derive(Debug)]
pub struct FileBaseline<'b> {
    path: String,
    entries: BTreeSet<&'b BaselineEntry>,
    counts: BTreeMap<BaselineEntry, u32>,
    found: Vec<BaselineEntry>,
}

impl FileBaseline<'_> {
    /// Hides the findings of a document that are listed, and notes what was found. A document that is `one_of_several` in
    /// its file goes by its name there.
    pub fn hide(&mut self, report: &mut Report, inputs: &Inputs, one_of_several: bool) {
        if report.diagnostics.is_empty() {
            return;
        }
        let mut identities = Identities::new(inputs);
        if one_of_several {
            identities = identities.of_several();
        }
        for diagnostic in std::mem::take(&mut report.diagnostics) {
            let entry = self.entry(&diagnostic, &mut identities);
            if self.entries.contains(&entry) {
                report.suppressed.push(Suppressed { diagnostic, by: SuppressedBy::Baseline });
            } else {
                report.diagnostics.push(diagnostic);
            }
            self.found.push(entry);
        }
    }

    /// Everything that was found in the file, listed or not.
    pub fn into_entries(self) -> Vec<BaselineEntry> {
        self.found
    }

    fn entry(&mut self, found: &Diagnostic, identities: &mut Identities<'_>) -> BaselineEntry {
        let Identity { pointer, value } = identities.of(found);
        let (path, rule) = (self.path.clone(), found.rule.id.to_string());
        let entry = BaselineEntry { path, rule, pointer, value: hash(&value), ordinal: 0 };
        let next = self.counts.entry(entry.clone()).or_default();
        let ordinal = *next;
        *next += 1;
        BaselineEntry { ordinal, ..entry }
    }
}

fn hash(value: &str) -> String {
    let mut digits = String::with_capacity(2 * HASH_BYTES);
    for byte in Sha256::digest(value).iter().take(HASH_BYTES) {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
