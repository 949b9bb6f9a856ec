//! As much of SARIF's object model as is written, in the order in which it is read.

use serde::Serialize;

/// `message` (3.11) in plain text. Rules tell their texts in the same shape.
#[derive(Serialize)]
pub(super) struct Text {
    pub(super) text: String,
}

impl Text {
    /// A message that says this, and neither has placeholders nor leads anywhere: braces stand twice (3.11.5), and between a
    /// bracket and a parenthesis is a blank, because together they would be a link (3.11.6).
    pub(super) fn message(text: &str) -> Self {
        Self { text: text.replace('{', "{{").replace('}', "}}").replace("](", "] (") }
    }
}

/// `result` (3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingResult<'a> {
    pub(super) rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) kind: &'static str,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location<'a>>,
    pub(super) partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Fix<'a>>,
    /// Empty where there is none: all results of a run have it, or none has (3.27.23).
    pub(super) suppressions: Vec<Suppression<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) occurrence_count: Option<u64>,
    pub(super) properties: Properties<'a>,
}

#[derive(Serialize)]
pub(super) struct PartialFingerprints {
    #[serde(rename = "voxlintPointer/v1")]
    pub(super) pointer: String,
}

/// What SARIF has no member for.
#[derive(Default, Serialize)]
pub(super) struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) record: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) missing: &'a [String],
}

/// `location` (3.28).
#[expect(clippy::struct_field_names, reason = "SARIF calls them so")]
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<LogicalLocation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Text>,
}

/// `physicalLocation` (3.29).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

/// `artifactLocation` (3.4).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    pub(super) uri_base_id: &'static str,
}

/// `region` (3.30).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u64,
    pub(super) start_column: u32,
    pub(super) end_line: u64,
    pub(super) end_column: u32,
}

/// `logicalLocation` (3.33).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation<'a> {
    pub(super) fully_qualified_name: &'a str,
    pub(super) kind: &'static str,
}

/// `suppression` (3.35).
#[derive(Serialize)]
pub(super) struct Suppression<'a> {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: &'a str,
}

/// `fix` (3.55).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix<'a> {
    pub(super) description: Text,
    pub(super) artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'a> {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    pub(super) deleted_region: Region,
    pub(super) inserted_content: Content<'a>,
}

#[derive(Serialize)]
pub(super) struct Content<'a> {
    pub(super) text: &'a str,
}

/// `invocation` (3.20).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_execution_notifications: Vec<Notification<'static>>,
}

/// `notification` (3.58).
#[derive(Serialize)]
pub(super) struct Notification<'a> {
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: [Location<'a>; 1],
}
