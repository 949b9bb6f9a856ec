//! Updates of an earlier time: what they cannot bring back, and the draft that they need.

use voxlint_model::fields::GetField as _;
use voxlint_model::stored::{listed, number_of};
use voxlint_model::{Document, Inputs, Origin, Stored, quote};
use voxlint_schema::agent::version_summary;
use voxlint_schema::settings::{TABLE, version_number};
use voxlint_syntax::{Node, TextEdit};

/// The same inputs with an update of the only draft of the agent, if the version of the update is published by now: a published version
/// cannot be edited. And what is said about it, also where there is no draft, or more than one.
pub(super) fn for_draft(inputs: &Inputs) -> Option<(Option<Inputs>, String)> {
    let node = inputs.document.tree().root()?.field(version_number.row)?;
    let number = node.decimal()?;
    let agent = inputs.stored.as_ref().map(Stored::parts)?.agent;
    let numbers = |published: bool| {
        let flag = move |it: &Node<'_>| it.field(version_summary::is_published.row)?.as_bool();
        listed(agent).filter(move |it| flag(it) == Some(published)).filter_map(number_of)
    };
    if !numbers(true).any(|it| it == number) {
        return None;
    }
    let published = format!("version {} is published by now", quote::excerpt(number.literal()));
    let mut drafts = numbers(false);
    let Some(draft) = drafts.next() else {
        let help = "create one in the service, and fetch the stored configuration again";
        return Some((None, format!("{published}, and the agent has no draft: {help}")));
    };
    if drafts.next().is_some() {
        return Some((None, format!("{published}, and the agent has several drafts")));
    }
    let edit = TextEdit::new(node.span(), draft.literal());
    let draft = quote::excerpt(draft.literal());
    let said = format!("{published}, so the update is for the draft, version {draft}");
    Some((Some(inputs.with_edits(Origin::Document, &[edit])?), said))
}

/// The settings that only the document of now says and that have a stored value, as a sentence: an update leaves what it does not say.
pub(super) fn stays(former: &Inputs, now: &Document) -> Option<String> {
    let [was, is] = [&former.document, now].map(|it| it.tree().root());
    let rows = TABLE.rows.iter().copied();
    let added = rows.filter(|row| {
        is.is_some_and(|is| is.field(row).is_some())
            && was.is_some_and(|was| was.field(row).is_none())
            && former.texts.iter().all(|text| !std::ptr::eq(text.field, *row))
            && former.stored_value(row).is_some()
    });
    let names: Vec<&str> = added.map(|row| row.name).collect();
    let ends = match names.as_slice() {
        [] => return None,
        [_] => "was not in the document, and keeps its stored value",
        _ => "were not in the document, and keep their stored values",
    };
    Some(format!("{} {ends}", quote::all(names)))
}
