//! The outline of a text.

use lsp_types::{DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse};
use voxlint_ide as ide;

use crate::context::Context;
use crate::to_protocol;

pub(crate) fn symbols(
    context: &Context<'_>,
    _: &DocumentSymbolParams,
) -> Option<DocumentSymbolResponse> {
    let targets = context.targets();
    if targets.is_empty() {
        return None;
    }
    if context.shared.client.takes_symbol_tree {
        let trees = targets.iter().flat_map(|target| {
            let symbols = ide::symbols(target.file().document());
            symbols.into_iter().map(|symbol| to_protocol::symbol(symbol, &target.place))
        });
        let trees: Vec<DocumentSymbol> = trees.collect();
        return Some(trees.into());
    }
    let mut all = Vec::new();
    for target in &targets {
        let symbols = ide::symbols(target.file().document());
        to_protocol::flat_symbols(symbols, None, &target.place, &mut all);
    }
    Some(all.into())
}
