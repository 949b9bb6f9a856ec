use voxlint_model::text::characters::{Characters, offset_after_graphemes};
use voxlint_schema::agent::version_summary::{title, version_title};

use crate::prelude::*;

rule! {
    /// A version summary has a title that is longer than an update may set.
    ///
    /// The limits of 70 and 35 characters apply to updates, so a longer title in a summary breaks no rule. But an update
    /// that sends it back would be rejected. Only a text that is too long by every way of counting is reported.
    ///
    /// ```json,advice
    /// {
    ///   "agent_id": "ag_frontdesk",
    ///   "version_number": 3,
    ///   "version_title": "The one that we tried on the last Friday of May"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "agent_id": "ag_frontdesk", "version_number": 3, "version_title": "Last Friday of May" }
    /// ```
    "summary-title-too-long": Text {
        group: Suspicious,
        basis: Stated,
        section: "2.3",
        needs: [Label],
    }
}

fn check(text: &TextValue<'_>) -> Checked<Verdict> {
    let limit = write_limit(text.value.row).ok_or(NoFinding::Holds)?;
    let count = Characters::count(text.text).readings().least;
    if count <= limit {
        return Err(NoFinding::Holds);
    }
    let start = offset_after_graphemes(text.text, limit);
    let name = text.value.name();
    Ok(Finding::new(
        text.place(start..text.text.len()),
        format!("{name} has {count} characters, over the limit of {limit} for updates"),
    )
    .label(format!("{} too many", count - limit))
    .help(format!("shorten it to {limit} characters with the next update"))
    .advice())
}

/// The limit of the setting that this field of a summary repeats.
fn write_limit(row: &'static Row) -> Option<u32> {
    let written =
        [(title.row, settings::title.row), (version_title.row, settings::version_title.row)];
    let (_, writes) = written.into_iter().find(|(shown, _)| std::ptr::eq(*shown, row))?;
    match writes.shape {
        Shape::Text(text) => text.max_characters,
        _ => None,
    }
}
