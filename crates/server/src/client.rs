//! What the client can do, from the parameters of `initialize`.
//!
//! They are read field by field, so that a client with one unusual field loses that only.

use std::path::PathBuf;
use std::str::FromStr as _;

use lsp_types::Uri;
use serde_json::Value;
use voxlint::syntax::PositionEncoding;

use crate::uri;

/// What the client can do.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of the protocol")]
pub(crate) struct Client {
    /// The units of columns.
    pub(crate) encoding: PositionEncoding,
    /// It asks for diagnostics, and can be told to ask again.
    pub(crate) pulls: bool,
    pub(crate) shows_related: bool,
    pub(crate) takes_tags: bool,
    pub(crate) takes_code_description: bool,
    /// A report about a document may contain those of others.
    pub(crate) takes_related_documents: bool,
    /// Edits can say which version of a text they change.
    pub(crate) takes_versioned_edits: bool,
    /// The edits of an action may come later.
    pub(crate) resolves_actions: bool,
    pub(crate) takes_snippets: bool,
    pub(crate) takes_markdown: bool,
    /// The same for the documentation of completions.
    pub(crate) completes_in_markdown: bool,
    pub(crate) shows_tooltips: bool,
    pub(crate) takes_symbol_tree: bool,
    /// It reports changes of files if it is asked to.
    pub(crate) registers_watchers: bool,
    pub(crate) shows_documents: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(crate) fn new(parameters: &Value) -> Self {
        let at = |pointer: &str| parameters.pointer(&format!("/capabilities/{pointer}"));
        let can = |pointer: &str| at(pointer).and_then(Value::as_bool).unwrap_or_default();
        let has = |pointer: &str| at(pointer).is_some_and(|value| !value.is_null());
        let lists = |pointer: &str, wanted: &str| {
            let values = at(pointer).and_then(Value::as_array);
            values.is_some_and(|values| values.iter().any(|value| value.as_str() == Some(wanted)))
        };
        Self {
            encoding: encoding(at("general/positionEncodings")),
            // The second spelling is that of old clients.
            pulls: has("textDocument/diagnostic")
                && (can("workspace/diagnostics/refreshSupport")
                    || can("workspace/diagnostic/refreshSupport")),
            shows_related: can("textDocument/publishDiagnostics/relatedInformation"),
            takes_tags: has("textDocument/publishDiagnostics/tagSupport"),
            takes_code_description: can("textDocument/publishDiagnostics/codeDescriptionSupport"),
            takes_related_documents: can("textDocument/diagnostic/relatedDocumentSupport"),
            takes_versioned_edits: can("workspace/workspaceEdit/documentChanges"),
            resolves_actions: lists("textDocument/codeAction/resolveSupport/properties", "edit")
                && can("textDocument/codeAction/dataSupport"),
            takes_snippets: can("textDocument/completion/completionItem/snippetSupport"),
            takes_markdown: lists("textDocument/hover/contentFormat", "markdown")
                || !has("textDocument/hover/contentFormat"),
            completes_in_markdown: lists(
                "textDocument/completion/completionItem/documentationFormat",
                "markdown",
            ),
            shows_tooltips: can("textDocument/documentLink/tooltipSupport"),
            takes_symbol_tree: can("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            registers_watchers: can("workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_documents: can("window/showDocument/support"),
        }
    }
}

/// The units of columns: those of this program if the client offers them, otherwise the first that are known, otherwise those
/// of the protocol.
fn encoding(offered: Option<&Value>) -> PositionEncoding {
    let names =
        || offered.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let known = |name| match name {
        "utf-8" => Some(PositionEncoding::Utf8),
        "utf-16" => Some(PositionEncoding::Utf16),
        "utf-32" => Some(PositionEncoding::Utf32),
        _ => None,
    };
    if names().any(|name| name == "utf-8") {
        return PositionEncoding::Utf8;
    }
    names().find_map(known).unwrap_or(PositionEncoding::Utf16)
}

/// The name of units of columns in the protocol.
pub(crate) const fn encoding_name(encoding: PositionEncoding) -> &'static str {
    match encoding {
        PositionEncoding::Utf8 => "utf-8",
        PositionEncoding::Utf32 => "utf-32",
        _ => "utf-16",
    }
}

/// The folders that are open.
pub(crate) fn folders(parameters: &Value) -> Vec<PathBuf> {
    let of_uri = |value: Option<&Value>| uri::to_path(&Uri::from_str(value?.as_str()?).ok()?);
    let listed = parameters.get("workspaceFolders").and_then(Value::as_array);
    let listed: Vec<PathBuf> =
        listed.into_iter().flatten().filter_map(|folder| of_uri(folder.get("uri"))).collect();
    if !listed.is_empty() {
        return listed;
    }
    let path = || parameters.get("rootPath")?.as_str().map(PathBuf::from);
    of_uri(parameters.get("rootUri")).or_else(path).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_units_of_columns_are_negotiated() {
        let of = |offered: Value| {
            let parameters =
                json!({ "capabilities": { "general": { "positionEncodings": offered }}});
            encoding_name(Client::new(&parameters).encoding)
        };
        assert_eq!(of(json!(["utf-16", "utf-8"])), "utf-8");
        assert_eq!(of(json!(["utf-32", "utf-16"])), "utf-32");
        assert_eq!(of(json!(["ucs-2"])), "utf-16");
        assert_eq!(of(json!(null)), "utf-16");
        assert_eq!(of(json!(7)), "utf-16");
    }

    #[test]
    fn folders_come_from_the_first_field_that_has_some() {
        let root = json!({ "workspaceFolders": [], "rootUri": "file:///a%20b", "rootPath": "/c" });
        assert_eq!(folders(&root), [PathBuf::from("/a b")]);
        let two = json!({ "workspaceFolders": [{ "uri": "file:///a" }, { "uri": "x:y" }, {}] });
        assert_eq!(folders(&two), [PathBuf::from("/a")]);
        assert!(folders(&json!(null)).is_empty());
    }
}
