//! The mustaches of templates, for highlighting.

use lsp_types::{
    Range, SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult,
};
use voxlint_ide as ide;

use crate::context::Context;
use crate::to_protocol;

pub(crate) fn all(context: &Context<'_>, _: &SemanticTokensParams) -> Option<SemanticTokensResult> {
    Some(tokens(context, None).into())
}

pub(crate) fn in_range(
    context: &Context<'_>,
    parameters: &SemanticTokensRangeParams,
) -> Option<SemanticTokensRangeResult> {
    Some(tokens(context, Some(parameters.range)).into())
}

fn tokens(context: &Context<'_>, range: Option<Range>) -> SemanticTokens {
    let mut all = Vec::new();
    for target in context.targets() {
        let lines = range.map(|range| (range.start.line, range.end.line));
        let is_wanted = |token: &ide::Token| {
            let Some((first, last)) = lines else { return true };
            let ((line, _), _) = target.place.ends(token.span);
            (first.min(last)..=last.max(first)).contains(&line)
        };
        let tokens = ide::tokens(target.file()).into_iter().filter(is_wanted);
        all.extend(tokens.map(|token| (token, target.place.clone())));
    }
    SemanticTokens { result_id: None, data: to_protocol::semantic_tokens(all) }
}
