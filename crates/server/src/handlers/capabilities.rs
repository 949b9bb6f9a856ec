//! What the server offers to a client.

use lsp_types::notification::{DidChangeWatchedFiles, Notification as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DiagnosticOptions, DiagnosticServerCapabilities, DidChangeWatchedFilesRegistrationOptions,
    DocumentLinkOptions, ExecuteCommandOptions, FileSystemWatcher, GlobPattern,
    HoverProviderCapability, OneOf, PositionEncodingKind, Registration, RegistrationParams,
    RenameOptions, SaveOptions, SemanticTokensFullOptions, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde_json::{Value, json};

use super::actions::FIX_ALL;
use super::commands;
use crate::client::{Client, encoding_name};
use crate::settings::Settings;
use crate::to_protocol::TOKEN_TYPES;

/// The characters after which an editor asks for completions: those that begin a name, a value, a mustache or code.
const TRIGGERS: [&str; 9] = ["\"", "'", "{", "#", "/", ":", "=", "[", "`"];

/// The files that may decide what is found. Texts of fields may have any name; these are usual.
const WATCHED: &str = "**/*.{json,jsonc,ndjson,jsonl,yaml,yml,toml,hbs,handlebars,txt,md,prompt}";

/// The answer to `initialize`.
pub(crate) fn server_capabilities(client: &Client, settings: &Settings) -> Value {
    let no_progress = WorkDoneProgressOptions::default();
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions::default())),
        ..TextDocumentSyncOptions::default()
    };
    let diagnostics = DiagnosticOptions {
        identifier: Some("voxlint".to_owned()),
        inter_file_dependencies: true,
        workspace_diagnostics: settings.workspace_diagnostics,
        work_done_progress_options: no_progress,
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, FIX_ALL]),
        resolve_provider: Some(true),
        work_done_progress_options: no_progress,
    };
    let completion = CompletionOptions {
        trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
        ..CompletionOptions::default()
    };
    let tokens = SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TOKEN_TYPES.to_vec(),
            token_modifiers: Vec::new(),
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        work_done_progress_options: no_progress,
    };
    let rename =
        RenameOptions { prepare_provider: Some(true), work_done_progress_options: no_progress };
    let links =
        DocumentLinkOptions { resolve_provider: None, work_done_progress_options: no_progress };
    let folders = WorkspaceFoldersServerCapabilities {
        supported: Some(true),
        change_notifications: Some(OneOf::Left(true)),
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::new(encoding_name(client.encoding))),
        text_document_sync: Some(sync.into()),
        // A client that is sent diagnostics would show those that it asks for a second time.
        diagnostic_provider: client
            .pulls
            .then_some(DiagnosticServerCapabilities::Options(diagnostics)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(completion),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(rename)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_link_provider: Some(links),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(tokens.into()),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::ALL.map(str::to_owned).to_vec(),
            work_done_progress_options: no_progress,
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(folders),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    };
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "voxlint", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// Asks the client to report changes of files.
pub(crate) fn watchers() -> RegistrationParams {
    let watcher =
        FileSystemWatcher { glob_pattern: GlobPattern::String(WATCHED.to_owned()), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![watcher] };
    RegistrationParams {
        registrations: vec![Registration {
            id: "voxlint-files".to_owned(),
            method: DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        }],
    }
}
