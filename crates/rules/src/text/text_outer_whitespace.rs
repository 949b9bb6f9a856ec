use super::shared::removal;
use crate::prelude::*;

rule! {
    /// A title, name or id has white space before or after it.
    ///
    /// Such white space is invisible in most places that show a title, and turns an id into a different one. The rule is about titles,
    /// names, notes and ids. Prompts and messages often end with a line break, and are not reported. The service accepts white
    /// space, so the rule is a convention and off by default.
    ///
    /// ```json,advice
    /// { "version_number": 3, "title": "Front desk " }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "voice_id": " vo_anna" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk", "voice_id": "vo_anna" }
    /// ```
    "text-outer-whitespace": Text {
        group: Style,
        basis: Inferred("The description does not mention white space around texts."),
        section: "2.3",
        advice: Info,
        fix: Both("Removes the white space. That is safe in `title` and `version_title`. A function may be known by the name that it \
                   has, and an id without its white space may refer to something else, so the fix is unsafe there."),
    }
}

fn check(text: &TextValue<'_>) -> Verdict {
    let trimmed = text.text.trim();
    // `blank-text` reports a text without anything else.
    if !matches!(text.shape.role, Role::Label | Role::Id(_))
        || !text.value.kind.is_sent()
        || trimmed.is_empty()
        || trimmed.len() == text.text.len()
    {
        return Verdict::Holds;
    }
    let start = text.text.len() - text.text.trim_start().len();
    let (before, after) = (0..start, start + trimmed.len()..text.text.len());
    let (at, side) = match (before.is_empty(), after.is_empty()) {
        (true, _) => (after.clone(), "after"),
        (false, true) => (before.clone(), "before"),
        (false, false) => (before.clone(), "around"),
    };
    let name = text.value.name();
    let noun = if text.shape.role == Role::Label { "text" } else { "id" };
    let other = Some(after.clone()).filter(|_| side == "around");
    let mut finding =
        Finding::new(text.place(at), format!("{name} has white space {side} its {noun}"))
            .about_value(text.value.place())
            .label(format!("not part of the {noun}"))
            .help("remove the white space");
    finding = finding.also(other.map(|it| text.place(it)), format!("not part of the {noun}"));
    let edits = [before, after].into_iter().filter(|range| !range.is_empty());
    let edits = edits.map(|range| removal(text, range)).collect();
    finding.fix(ProposedFix::new("remove the white space", safety(text), edits)).advice()
}

/// A title only labels a version. An id is compared as it is written.
fn safety(text: &TextValue<'_>) -> Safety {
    let is = |row: &'static Row| std::ptr::eq(text.value.row, row);
    let is_title = is(settings::title.row) || is(settings::version_title.row);
    if is_title { Safety::Safe } else { Safety::Unsafe }
}
