//! Parts of a text: those that can be folded, and those around a place.

use lsp_types::{FoldingRange, FoldingRangeParams, Range, SelectionRange, SelectionRangeParams};
use voxlint_ide as ide;

use crate::routes::Context;
use crate::to_protocol;

pub(crate) fn folding(context: &Context<'_>, _: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let client = &context.shared.client;
    let mut all = Vec::new();
    for target in context.targets() {
        let ranges = ide::folding_ranges(target.file().document());
        let ranges = ranges.into_iter();
        all.extend(ranges.filter_map(|it| to_protocol::folding_range(it, &target.place, client)));
    }
    Some(all)
}

pub(crate) fn selection(
    context: &Context<'_>,
    parameters: &SelectionRangeParams,
) -> Option<Vec<SelectionRange>> {
    // There is one answer for each position, also where there is nothing.
    let ranges = parameters.positions.iter().map(|position| {
        let position = *position;
        let found = context.target(position).and_then(|(target, offset)| {
            let spans = ide::selection_ranges(target.file(), offset);
            to_protocol::selection_range(&spans, &target.place)
        });
        let nothing = || SelectionRange { range: Range::new(position, position), parent: None };
        found.unwrap_or_else(nothing)
    });
    Some(ranges.collect())
}
