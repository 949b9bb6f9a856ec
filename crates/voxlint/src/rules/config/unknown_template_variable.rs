use std::borrow::Cow;
use std::collections::BTreeSet;

use voxlint_schema::settings::{
    default_dynamic_variables, prompt_text, voicemail_message, welcome_message,
};
use voxlint_syntax::Member;

use crate::effective::Effective;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};
use crate::{Wildcard, suggest, variables};

rule! {
    /// A template uses a variable that no call provides.
    ///
    /// A variable without a value is empty: a misspelt name leaves a gap in the text that callers hear. Only the team knows
    /// which variables its calls provide, so the rule is off until they are listed: `variables` in `voxlint.toml`, with `*`
    /// for any characters. The names in `default_dynamic_variables`, in the document or stored, are known as well.
    ///
    /// Names inside `{{#each}}`, `{{#with}}` and other blocks that change the context are not checked.
    ///
    /// ```json,variables
    /// ["customer_name", "crm_*"]
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hello {{custmer_name}}!" }
    /// ```
    ///
    /// ```json,variables
    /// ["customer_name", "crm_*"]
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "clinic": "Northside" },
    ///   "welcome_message": "Hello {{customer_name}}, this is {{clinic}} about {{crm_case}}."
    /// }
    /// ```
    "unknown-template-variable": Config {
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Some(listed) = config.variables() else { return Verdict::Holds.into() };
    let mut defaults: BTreeSet<Cow<'_, str>> = BTreeSet::new();
    for said in [config.get(&default_dynamic_variables), config.stored(&default_dynamic_variables)]
    {
        if let Value::Known(object, _) = said {
            defaults.extend(object.members().map(Member::name));
        }
    }
    let mut verdicts = Verdicts::none();
    for field in [prompt_text.row, welcome_message.row, voicemail_message.row] {
        let Some((node, place)) = config.written_node(field) else { continue };
        let Some(text) = node.as_str().filter(|text| text.contains("{{")) else { continue };
        let parsed = voxlint_template::parse(&text);
        for used in variables::uses(&text, &parsed.tree) {
            let is_known = defaults.contains(&used.name)
                || listed.iter().any(|known| known.matches(&used.name));
            if is_known {
                continue;
            }
            let names = listed.iter().filter(|known| known.is_literal()).map(Wildcard::as_str);
            let near =
                suggest::nearest(&used.name, names.chain(defaults.iter().map(|name| &**name)));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "list it under `variables` in voxlint.toml, or give it a default".to_owned()
                }
            };
            let range = used.span.start as usize..used.span.end as usize;
            let message = format!("{} is not a known template variable", quote(&used.name));
            let finding = Finding::new(place.clone().decoded(range), message)
                .about_value(place.clone())
                .label("left empty")
                .help(help);
            verdicts.add(finding.advice());
        }
    }
    verdicts
}
