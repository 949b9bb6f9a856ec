//! Plans of a fleet, for people and for other tools.

mod agent;
#[cfg(feature = "html")]
mod html;
mod json;
mod markdown;
mod planned;
mod summary;
mod text;
mod words;

pub use planned::{PlanReport, PlannedDocument};
pub use summary::plan_summary;
pub(crate) use text::push_words;

use std::io;

use voxlint::schema::named;

use crate::options::RenderOptions;

/// The JSON Schema of a plan in JSON.
///
/// ```
/// assert!(voxlint_report::plan_schema().contains("\"no-stored-state\""));
/// ```
pub const fn plan_schema() -> &'static str {
    include_str!("plan.schema.json")
}

/// The forms of a plan, the default first.
///
/// ```
/// use voxlint_report::PlanFormat;
/// assert_eq!("markdown".parse(), Ok(PlanFormat::Markdown));
/// assert!("sarif".parse::<PlanFormat>().is_err());
/// ```
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

named! {
    PlanFormat, "a form of a plan":
    Full = "full",
    Json = "json",
    Markdown = "markdown",
    ["html"] Html = "html",
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
