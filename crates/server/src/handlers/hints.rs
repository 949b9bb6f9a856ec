//! The seconds of greetings, behind their texts.

use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};
use voxlint::syntax::Node;
use voxlint_ide as ide;

use crate::analysis::Target;
use crate::context::Context;
use crate::to_protocol;

pub(crate) fn hints(context: &Context<'_>, parameters: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let targets = context.targets();
    // A file may have many documents, few of which are on the screen.
    let is_shown = |target: &&Target<'_>| {
        let root = target.file().document().tree().root().map(Node::span);
        root.map(|root| to_protocol::range(&target.place, root)).is_some_and(|root| {
            root.start <= parameters.range.end && parameters.range.start <= root.end
        })
    };
    let hints = targets.iter().filter(is_shown).flat_map(|target| {
        let hint = |pace: ide::Pace| InlayHint {
            position: to_protocol::position(
                target.place.ends(voxlint::syntax::Span::at(pace.at)).0,
            ),
            label: InlayHintLabel::String(pace.seconds),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(pace.about)),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        };
        ide::paces(target.file()).into_iter().map(hint)
    });
    Some(hints.collect())
}
