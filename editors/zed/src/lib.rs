//! Starts `voxlint server` in Zed. The program is the one of the setting `lsp.voxlint.binary`, or the first `voxlint` on the PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, Command, LanguageServerId, Result, Worktree};

struct Voxlint;

impl zed::Extension for Voxlint {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, args) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let missing = "voxlint is not on the PATH: install it, or set `lsp.voxlint.binary.path`";
        Ok(Command {
            command: path.or_else(|| worktree.which("voxlint")).ok_or(missing)?,
            args: args.unwrap_or_else(|| vec!["server".to_owned()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

zed::register_extension!(Voxlint);
