//! The settings of the editor: `initializationOptions`, and what `workspace/didChangeConfiguration` brings.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// What the user has set in the editor. A field that is missing or of another type has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `configuration`: the path of a configuration for every file, from the first folder.
    pub(crate) configuration: Option<PathBuf>,
    /// `undecided`: show undecided checks as hints.
    pub(crate) undecided: bool,
    /// `workspaceDiagnostics`: offer the findings of all files of the folders, for clients that ask for them again and again.
    /// It counts when the server starts.
    pub(crate) workspace_diagnostics: bool,
}

impl Settings {
    /// Whether there is a setting of ours.
    pub(crate) fn are_in(value: &Value) -> bool {
        let own = own(value);
        ["configuration", "undecided", "workspaceDiagnostics"]
            .iter()
            .any(|name| own.get(name).is_some())
    }

    /// Reads settings, which may be those of all servers, with ours under `voxlint`.
    pub(crate) fn new(value: &Value, folders: &[PathBuf]) -> Self {
        let own = own(value);
        let stated = own.get("configuration").and_then(Value::as_str).unwrap_or_default();
        let here = folders.first().map_or(Path::new(""), PathBuf::as_path);
        let is_on = |name| own.get(name).and_then(Value::as_bool).unwrap_or_default();
        Self {
            configuration: (!stated.is_empty()).then(|| here.join(stated)),
            undecided: is_on("undecided"),
            workspace_diagnostics: is_on("workspaceDiagnostics"),
        }
    }
}

/// Our part of the settings of all servers.
fn own(value: &Value) -> &Value {
    value.get("voxlint").filter(|own| own.is_object()).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_may_be_those_of_all_servers() {
        let own = json!({ "undecided": true, "configuration": "ci/voxlint.toml" });
        let all = json!({ "voxlint": own, "undecided": false });
        let folders = [PathBuf::from("/team")];
        let settings = Settings::new(&own, &folders);
        assert!(settings.undecided);
        assert_eq!(settings.configuration.as_deref(), Some(Path::new("/team/ci/voxlint.toml")));
        assert_eq!(Settings::new(&all, &folders), settings);
        let odd = json!({ "undecided": "yes", "configuration": 7 });
        assert_eq!(Settings::new(&odd, &folders), Settings::default());
        assert_eq!(Settings::new(&Value::Null, &folders), Settings::default());
    }
}
