//! The part of SARIF's object model that is written, in the order in which readers show it.

use std::borrow::Cow;

use serde::Serialize;
use voxlint::readings::ReadingEntry;

/// `message` (3.11) in plain text. The texts of rules have the same shape.
#[derive(Serialize)]
pub(super) struct SarifText<'a> {
    pub(super) text: Cow<'a, str>,
}

/// `result` (3.27).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    pub(super) rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) kind: &'static str,
    pub(super) level: &'static str,
    pub(super) message: SarifText<'a>,
    pub(super) locations: [SarifLocation<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<SarifLocation<'a>>,
    pub(super) partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<SarifFix<'a>>,
    /// Empty for a result without suppressions: either all results of a run have this member or none (3.27.23).
    pub(super) suppressions: &'a [SarifSuppression<'a>],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) occurrence_count: Option<u64>,
    pub(super) properties: ResultProperties<'a>,
}

/// `partialFingerprints` (3.27.17).
#[derive(Serialize)]
pub(super) struct PartialFingerprints {
    #[serde(rename = "voxlintPointer/v1")]
    pub(super) pointer: String,
}

/// The properties that SARIF has no member for.
#[derive(Default, Serialize)]
pub(super) struct ResultProperties<'a> {
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
    #[serde(skip_serializing_if = "<[ReadingEntry]>::is_empty")]
    pub(super) readings: &'a [ReadingEntry],
}

/// `location` (3.28).
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) physical_location: Option<PhysicalLocation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) logical_locations: Option<[LogicalLocation<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<SarifText<'a>>,
}

/// `physicalLocation` (3.29).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation<'a> {
    pub(super) artifact_location: ArtifactLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<SarifRegion>,
}

/// `artifactLocation` (3.4).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation<'a> {
    pub(super) uri: Cow<'a, str>,
    pub(super) uri_base_id: &'static str,
}

/// `region` (3.30).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRegion {
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
pub(super) struct SarifSuppression<'a> {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: &'a str,
}

/// `fix` (3.55).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifFix<'a> {
    pub(super) description: SarifText<'a>,
    pub(super) artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'a> {
    pub(super) artifact_location: ArtifactLocation<'a>,
    pub(super) replacements: Vec<SarifReplacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifReplacement<'a> {
    pub(super) deleted_region: SarifRegion,
    pub(super) inserted_content: InsertedContent<'a>,
}

#[derive(Serialize)]
pub(super) struct InsertedContent<'a> {
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
    pub(super) message: SarifText<'a>,
    pub(super) locations: [SarifLocation<'a>; 1],
}
