//! Baselines: lists of existing findings, so that only new ones are reported.
//!
//! An entry identifies a finding by its document, its rule, and the pointer and content of its value. Lines and columns do not
//! matter, so a finding stays known when text around it changes. A new fault never matches an old entry.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use sha2::{Digest as _, Sha256};
use voxlint::{
    Diagnostic, FindingIdentities, FindingIdentity, Inputs, Report, Suppressed, SuppressedBy,
};

/// The default name of the baseline file.
pub const BASELINE_NAME: &str = "voxlint-baseline.json";

/// The version of the format. It changes only when a field is renamed or removed.
const SCHEMA: u32 = 1;

/// How many bytes of a hash are kept: enough to make collisions within one document negligible.
const HASH_BYTES: usize = 8;

/// A list of existing findings.
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

/// A finding in a baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The path of the document, relative to the folder of the baseline, with forward slashes.
    pub path: String,
    /// The id of the rule.
    pub rule: String,
    /// The pointer to the value. Items of arrays that have a name are identified by it.
    pub pointer: String,
    /// The first bytes of the SHA-256 hash of the value, in hexadecimal. The value itself may be a secret.
    pub value: String,
    /// Distinguishes findings that are equal in all other fields, counted from 0 in the order of the text.
    #[serde(default, skip_serializing_if = "is_first")]
    pub ordinal: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_first(ordinal: &u32) -> bool {
    *ordinal == 0
}

/// Why a text is not a valid baseline.
#[derive(Debug)]
pub enum BaselineError {
    /// The text is not JSON, or not the JSON of a baseline.
    Json(serde_json::Error),
    /// The baseline has another version of the format.
    Schema(u32),
}

impl fmt::Display for BaselineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The library's message has values of the file, which may be any file that a configuration names.
            Self::Json(error) => {
                let (line, column) = (error.line(), error.column());
                let why = match error.classify() {
                    Category::Data => "expected the `schema` and `findings` that voxlint writes",
                    Category::Eof => "the text ends too early",
                    Category::Syntax | Category::Io => "not JSON",
                };
                write!(formatter, "not a valid baseline: {why}")?;
                // An empty text has no column.
                if column > 0 {
                    write!(formatter, " (line {line}, column {column})")?;
                }
                Ok(())
            }
            Self::Schema(schema) => write!(
                formatter,
                "the baseline has schema {schema}, but this version of voxlint supports {SCHEMA}"
            ),
        }
    }
}

impl std::error::Error for BaselineError {
    // Without a source, whose message would show values of the file.
}

/// The version of the format, whatever else a baseline contains.
#[derive(Deserialize)]
struct Version {
    schema: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineJson {
    schema: u32,
    findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// If the text is not a valid baseline, or has a version of the format that is not supported.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let text = text.trim_start_matches('\u{feff}');
        let file = serde_json::from_str(text);
        let schema = match &file {
            Ok(BaselineJson { schema, .. }) => Some(*schema),
            // Another version may have other fields.
            Err(_) => serde_json::from_str(text).ok().map(|Version { schema }| schema),
        };
        match (file, schema) {
            (_, Some(schema)) if schema != SCHEMA => Err(BaselineError::Schema(schema)),
            (Ok(file), _) => Ok(file.findings.into_iter().collect()),
            (Err(error), _) => Err(BaselineError::Json(error)),
        }
    }

    /// The baseline as JSON, sorted and with one line for each finding, so that diffs are easy to review.
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
            // Serializing an entry cannot fail.
            text.push_str(&serde_json::to_string(entry).unwrap_or_default());
        }
        text.push_str(if self.entries.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        text
    }

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The findings, sorted.
    pub fn entries(&self) -> impl Iterator<Item = &BaselineEntry> {
        self.entries.iter()
    }

    /// The part of the baseline that is about one file.
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

    /// Keeps only some of the findings.
    pub fn retain(&mut self, keep: impl FnMut(&BaselineEntry) -> bool) {
        self.entries.retain(keep);
    }
}

impl FromIterator<BaselineEntry> for Baseline {
    fn from_iter<I: IntoIterator<Item = BaselineEntry>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect() }
    }
}

/// The part of a baseline that is about one file. Findings of the same value are distinguished by their order, so the documents
/// of a file must be filtered in the order of its text.
#[derive(Clone, Debug)]
pub struct FileBaseline<'b> {
    path: String,
    entries: BTreeSet<&'b BaselineEntry>,
    counts: BTreeMap<BaselineEntry, u32>,
    found: Vec<BaselineEntry>,
}

impl FileBaseline<'_> {
    /// Hides the findings of a document that are in the baseline, and records all findings. With `one_of_several`, an entry
    /// also names the document.
    pub(crate) fn hide(&mut self, report: &mut Report, inputs: &Inputs, one_of_several: bool) {
        if report.diagnostics.is_empty() {
            return;
        }
        let mut identities = FindingIdentities::new(inputs);
        if one_of_several {
            identities = identities.of_several();
        }
        for diagnostic in std::mem::take(&mut report.diagnostics) {
            if diagnostic.rule.is_syntax() {
                report.diagnostics.push(diagnostic);
                continue;
            }
            let entry = self.entry(&diagnostic, &mut identities);
            if self.entries.contains(&entry) {
                report.suppressed.push(Suppressed::new(diagnostic, SuppressedBy::Baseline));
            } else {
                report.diagnostics.push(diagnostic);
            }
            self.found.push(entry);
        }
    }

    /// All findings in the file, hidden or not.
    pub fn into_entries(self) -> Vec<BaselineEntry> {
        self.found
    }

    fn entry(
        &mut self,
        found: &Diagnostic,
        identities: &mut FindingIdentities<'_>,
    ) -> BaselineEntry {
        let FindingIdentity { pointer, value } = identities.of(found);
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

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn an_error_shows_no_value_and_no_name() {
        for (text, why) in [
            (r#"{"Kp93xQw82LmVt7RzB4nY":1}"#, "expected the `schema` and `findings`"),
            (r#"{"schema":"Kp93xQw82LmVt7RzB4nY"}"#, "expected the `schema` and `findings`"),
            (r#""Kp93xQw82LmVt7RzB4nY""#, "expected the `schema` and `findings`"),
            ("Kp93xQw82LmVt7RzB4nY", "not JSON (line 1, column 1)"),
            (r#"{"schema":7,"findings":[]}"#, "the baseline has schema 7, but"),
            (r#"{"schema":7,"Kp93xQw82LmVt7RzB4nY":[]}"#, "the baseline has schema 7, but"),
            (r#"{"schema":1,"Kp93xQw82LmVt7RzB4nY":[]}"#, "expected the `schema` and `findings`"),
            (r#"{"schema":1"#, "the text ends too early (line 1, column 11)"),
        ] {
            let error = Baseline::parse(text).unwrap_err();
            let shown = format!("{error}");
            assert!(shown.contains(why) && !shown.contains("Kp93"), "{shown}");
            assert!(std::error::Error::source(&error).is_none());
        }
    }
}
