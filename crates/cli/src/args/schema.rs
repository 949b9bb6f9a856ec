//! `voxlint schema`.

use super::values::{SchemaKind, schema_kinds};
use clap::Args;

const NOTES: &str = "\
With a schema an editor completes names and values, shows what they mean, and
marks what the service rejects or may reject. `voxlint check` finds more: a
schema cannot check templates or stored values. To set up an editor:

  VS Code, .vscode/settings.json (YAML needs the YAML extension):
    \"json.schemas\": [{ \"fileMatch\": [\"/agents/*.json\"],
                        \"url\": \"./schemas/update.json\" }],
    \"yaml.schemas\": { \"./schemas/update.json\": \"agents/*.yaml\" }

  Taplo, for TOML, .taplo.toml:
    [[rule]]
    include = [\"agents/*.toml\"]
    schema = { path = \"schemas/update.json\" }

Do not add `$schema` to a document: the service would receive it.

Examples:
  # the schema of an update
  voxlint schema > schemas/update.json
  # the schema of a workspace facts file
  voxlint schema facts > schemas/facts.json
  # the schema of the JSON that `voxlint plan` writes
  voxlint schema plan > schemas/plan.json
  # the schema of the JSON that `voxlint check` and the other commands write
  voxlint schema report > schemas/report.json
  # the schema of voxlint.toml
  voxlint schema configuration > schemas/voxlint.json

Exit codes:
  0  done
  2  there is no schema of that kind";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct SchemaOptions {
    /// Kind of document, `record` for `voxlint learn`, `plan` or `adopt` for the JSON of that command, or `report` for that of the others
    #[arg(value_name = "KIND", value_parser = schema_kinds(), default_value = "update")]
    pub(crate) kind: SchemaKind,
}
