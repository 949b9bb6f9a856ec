//! Plans of a fleet, for people and for other tools.

mod agent;
#[cfg(feature = "html")]
mod html;
mod json;
mod markdown;
mod text;
mod words;

pub(crate) use text::push_words;

use std::fmt;
use std::io;
use std::str::FromStr;

use voxlint::schema::UnknownName;
use voxlint::{DocumentPosition, Origin, Outcome, Plan, PlanCounts, counted};

use crate::document::RelatedFile;
use crate::options::RenderOptions;
use crate::run::{FailedFile, SkippedFile};

/// The JSON Schema of a plan in JSON.
///
/// ```
/// assert!(voxlint_report::plan_schema().contains("\"no-stored-state\""));
/// ```
pub const fn plan_schema() -> &'static str {
    include_str!("plan.schema.json")
}

/// The forms of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanFormat {
    /// Text for people.
    Full,
    /// One JSON document, for other tools.
    Json,
    /// A comment on a pull request, in GitHub's Markdown.
    Markdown,
    /// One self-contained page, for a browser.
    #[cfg(feature = "html")]
    Html,
}

impl PlanFormat {
    /// Every form, the default first.
    pub const ALL: [Self; 3 + cfg!(feature = "html") as usize] = [
        Self::Full,
        Self::Json,
        Self::Markdown,
        #[cfg(feature = "html")]
        Self::Html,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Json => "json",
            Self::Markdown => "markdown",
            #[cfg(feature = "html")]
            Self::Html => "html",
        }
    }
}

impl fmt::Display for PlanFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The form of a name on the command line.
///
/// ```
/// use voxlint_report::PlanFormat;
/// assert_eq!("markdown".parse(), Ok(PlanFormat::Markdown));
/// assert!("sarif".parse::<PlanFormat>().is_err());
/// ```
impl FromStr for PlanFormat {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let format = Self::ALL.into_iter().find(|format| format.name() == name);
        format.ok_or_else(|| UnknownName::new("a form of a plan", name, Self::ALL.map(Self::name)))
    }
}

/// A plan and what its forms show with it.
#[derive(Clone, Copy, Debug)]
pub struct PlanReport<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The documents with findings of the rules across documents. A finding of any other document is shown without an excerpt.
    pub documents: &'a [PlannedDocument<'a>],
    /// The files that were skipped.
    pub skipped: &'a [SkippedFile],
    /// The files that could not be read or used.
    pub failed: &'a [FailedFile],
    /// What only a saved plan has. Only the JSON form shows it.
    pub saved: Option<SavedPlan<'a>>,
    /// The address of the documentation, as for [`RunInfo::documentation`](crate::RunInfo::documentation).
    pub documentation: Option<&'a str>,
}

impl<'a> PlanReport<'a> {
    /// A plan with nothing else.
    pub const fn new(plan: &'a Plan) -> Self {
        Self { plan, documents: &[], skipped: &[], failed: &[], saved: None, documentation: None }
    }
}

/// The text of a document of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlannedDocument<'a> {
    /// The name of its plan.
    pub name: &'a str,
    /// The file's path for display, with forward slashes.
    pub path: &'a str,
    /// The text of the document or of its whole file, as in [`CheckedDocument`](crate::CheckedDocument::text).
    pub text: &'a str,
    /// The position of the document in a file with several documents.
    pub position: Option<DocumentPosition>,
    /// The other inputs that findings may point into.
    pub related_files: &'a [(Origin, RelatedFile<'a>)],
}

/// What only a saved plan has.
#[derive(Clone, Copy, Debug)]
pub struct SavedPlan<'a> {
    /// The arguments of the command that made it, to be shown.
    pub arguments: &'a [String],
    /// The bodies to send.
    pub bodies: &'a [SavedBody<'a>],
}

/// A body in a file of its own.
#[derive(Clone, Copy, Debug)]
pub struct SavedBody<'a> {
    /// The name of the document's plan.
    pub name: &'a str,
    /// The file's name in the folder of the plan.
    pub file: &'a str,
    /// The SHA-256 of its bytes, in lower-case hexadecimal digits.
    pub sha256: &'a str,
}

/// Writes a plan.
///
/// The same plan gives the same bytes. Characters that steer a terminal or that readers cannot see are spelled out, in JSON as
/// escapes.
///
/// # Errors
///
/// Any error of `out`.
///
/// ```
/// use voxlint::{Document, Inputs, PlanInputs, Stored, plan, plan_agent};
/// use voxlint_report::{PlanFormat, PlanReport, RenderOptions, write_plan};
///
/// let stored = r#"{ "agent": { "id": "ag_desk", "agent_type": "Single_Prompt_Agent",
///                              "versions": [{ "version_number": 3, "is_published": false }] },
///                   "version": { "version_number": 3, "title": "Desk", "is_published": false }, "complete": true }"#;
/// let document = Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// let inputs = Inputs::new(document).stored(Stored::new(Document::parse(stored)));
/// let plan = plan(vec![plan_agent(&PlanInputs::new("agents/en.json", inputs))]);
///
/// let mut out = Vec::new();
/// write_plan(&mut out, PlanFormat::Full, &PlanReport::new(&plan), &RenderOptions::default())?;
/// let expected = "\
/// update: agents/en.json (ag_desk, version 3, Front desk)
///     changes `title` from `Desk` to `Front desk`
///
/// 1 to update
/// ";
/// assert_eq!(std::str::from_utf8(&out), Ok(expected));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_plan(
    out: &mut dyn io::Write,
    format: PlanFormat,
    report: &PlanReport<'_>,
    options: &RenderOptions,
) -> io::Result<()> {
    match format {
        PlanFormat::Full => out.write_all(text::render(report, options).as_bytes()),
        PlanFormat::Json => json::write(out, report),
        PlanFormat::Markdown => out.write_all(markdown::render(report).as_bytes()),
        #[cfg(feature = "html")]
        PlanFormat::Html => html::write(out, report, options),
    }
}

/// The counts of a plan in one line.
///
/// ```
/// use voxlint::plan;
/// use voxlint_report::plan_summary;
///
/// assert_eq!(plan_summary(&plan(Vec::new())), "no agents to plan");
/// ```
pub fn plan_summary(plan: &Plan) -> String {
    let PlanCounts { dangers, drifted, conflicts, .. } = plan.counts;
    let outcomes = counted_outcomes(&plan.counts).into_iter().filter(|(_, count)| *count > 0);
    let outcomes = outcomes.map(|(outcome, count)| format!("{count} {}", counted_as(outcome)));
    let mut line = outcomes.collect::<Vec<_>>().join(", ");
    if line.is_empty() {
        return "no agents to plan".to_owned();
    }
    let conflicts = match conflicts {
        0 => String::new(),
        count => format!(" ({})", counted(count as u64, "conflict")),
    };
    let undecided = agent::undecided_checks(plan);
    let also = [
        (dangers > 0).then(|| format!("{dangers} with dangerous changes")),
        (drifted > 0).then(|| format!("{drifted} changed in the service{conflicts}")),
        (undecided > 0).then(|| format!("{} undecided", counted(undecided as u64, "check"))),
    ];
    for (index, part) in also.into_iter().flatten().enumerate() {
        line.push_str(if index == 0 { "; " } else { ", " });
        line.push_str(&part);
    }
    line
}

/// The outcomes with their counts, in the order of summaries.
const fn counted_outcomes(counts: &PlanCounts) -> [(Outcome, usize); 6] {
    [
        (Outcome::Update, counts.update),
        (Outcome::Publish, counts.publish),
        (Outcome::Refused, counts.refused),
        (Outcome::Depends, counts.depends),
        (Outcome::NoStoredState, counts.no_stored_state),
        (Outcome::NoChange, counts.no_change),
    ]
}

/// The words after a count.
const fn counted_as(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Update => "to update",
        Outcome::Publish => "to publish",
        Outcome::Refused => "rejected",
        Outcome::Depends => "may be rejected",
        Outcome::NoStoredState => "without a stored configuration",
        Outcome::NoChange => "unchanged",
        _ => outcome.name(),
    }
}
