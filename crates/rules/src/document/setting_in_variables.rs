use voxlint_model::fields::RowOf as _;
use voxlint_model::recognition::COMMON_NAMES;
use voxlint_schema::settings::default_dynamic_variables;

use crate::prelude::*;

rule! {
    /// A setting is inside `default_dynamic_variables`.
    ///
    /// A TOML table continues to the next header, so `kb_max_chunks = 99` below `[default_dynamic_variables]` is a template
    /// variable of that name and not a setting. In JSON and YAML a misplaced bracket or indentation has the same effect.
    ///
    /// In JSON, YAML and inline tables of TOML, `title`, `description` and `timezone` are not reported: callers also have
    /// titles and time zones. Below a TOML header every name of a setting is reported.
    ///
    /// ```json,advice
    /// { "version_number": 3, "default_dynamic_variables": { "city": "Lyon", "kb_max_chunks": 9 } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "city": "Lyon" }, "kb_max_chunks": 9 }
    /// ```
    "setting-in-variables": Document {
        group: Suspicious,
        basis: Inferred("Any name may be a variable, but a setting there is probably a mistake."),
        section: "2.3",
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    let root = document.tree().root().filter(|_| kind.has_settings());
    let Some(object) = root.and_then(|root| root.field(default_dynamic_variables.row)) else {
        return Verdicts::none();
    };
    if object.kind() != Kind::Object {
        return Verdicts::none();
    }
    let is_below_header = document.format().is_toml() && object.is_block();
    let found = object.members().filter(|member| {
        settings::TABLE.row_of(*member).is_some()
            && default_dynamic_variables::TABLE.row_of(*member).is_none()
            // A common name is also a likely name of a variable.
            && (is_below_header || !COMMON_NAMES.contains(&&*member.name()))
    });
    found
        .map(|member| {
            let name = quote(&member.name());
            let help = if is_below_header {
                format!("move {name} above the header of the table")
            } else {
                format!("move {name} out of `default_dynamic_variables`, or rename the variable")
            };
            Finding::new(
                Place::of(Origin::Document, member.value).name(),
                format!("{name} is a setting, but here it only defines a template variable"),
            )
            .label("inside `default_dynamic_variables`")
            .help(help)
            .advice()
        })
        .collect()
}
