use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};

use voxlint_schema::settings::{
    default_dynamic_variables, prompt_text, voicemail_message, welcome_message,
};
use voxlint_syntax::{Member, Node};

use crate::engine::effective::Effective;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Verdict, Verdicts};
use crate::{Wildcard, WildcardSet, suggest, variables};

rule! {
    /// A template uses a variable that no call provides.
    ///
    /// A variable without a value is left empty, so a misspelled name leaves a gap in what callers hear. Only the team knows
    /// which variables its calls provide, so the rule checks names only where they are listed: `variables` in `voxlint.toml`,
    /// with `*` for any characters. The names in `default_dynamic_variables`, here or stored, are known as well.
    ///
    /// Each variable is reported once per document, at its first use, and some of the other uses are shown beside it. A
    /// comment that suppresses the finding belongs to the first use.
    ///
    /// Names inside `{{#each}}`, `{{#with}}` and other blocks that change the context are not checked. A `/` in a name divides
    /// a path: `{{time_Europe/Berlin}}` reads `Berlin` of `time_Europe`. Put such a name in brackets:
    /// `{{[time_Europe/Berlin]}}`. This is also reported without a list, where `default_dynamic_variables` has the whole name.
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
        group: Suspicious,
        basis: Inferred("Only the team knows which variables a call provides."),
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let said = [config.get(&default_dynamic_variables), config.stored(&default_dynamic_variables)];
    let objects = said.iter().filter_map(Value::known).map(|(object, _)| *object);
    let names = objects.flat_map(Node::members).map(Member::name);
    let may_be_divided = || names.clone().any(|name| name.contains('/'));
    if config.variables().is_none() && !may_be_divided() {
        return Verdict::Holds.into();
    }
    let defaults: BTreeSet<Cow<'_, str>> = names.clone().collect();
    let listed = config.variables().unwrap_or_default();
    let listed_set = LazyCell::new(|| listed.iter().cloned().collect::<WildcardSet>());
    let is_known = |name: &str| defaults.contains(name) || listed_set.matches(name);
    // The help for a name is the same at each use.
    let mut helps: HashMap<String, String> = HashMap::new();
    let mut verdicts = Verdicts::none();
    for field in [prompt_text.row, welcome_message.row, voicemail_message.row] {
        let Some((node, place)) = config.written_node(field) else { continue };
        let Some(text) = node.as_str().filter(|text| text.contains("{{")) else { continue };
        let parsed = voxlint_template::parse(&text);
        for used in variables::uses(&text, &parsed.tree) {
            if is_known(&used.name) {
                continue;
            }
            let path = used.path.of(&text);
            let is_divided = path.contains('/') && is_known(path);
            if !is_divided && config.variables().is_none() {
                continue;
            }
            let (span, thing) =
                if is_divided { (used.path, path) } else { (used.span, &*used.name) };
            let help = helps.entry(thing.to_owned()).or_insert_with(|| {
                if is_divided {
                    let bracketed = quote(&format!("{{{{[{path}]}}}}"));
                    return format!("put a name that contains `/` in brackets: write {bracketed}");
                }
                let names = listed.iter().filter(|known| known.is_literal()).map(Wildcard::as_str);
                let names = names.chain(defaults.iter().map(|name| &**name));
                match suggest::nearest(&used.name, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        "add it to `variables` in voxlint.toml, or give it a default".to_owned()
                    }
                }
            });
            let (message, label) = if is_divided {
                let message = format!("`/` divides a path, so {} is not one name", quote(path));
                (message, "read as a path")
            } else {
                (format!("{} is not a known template variable", quote(&used.name)), "left empty")
            };
            let range = span.start as usize..span.end as usize;
            let finding = Finding::new(place.clone().decoded(range), message)
                .about_value(place.clone())
                .label(label)
                .help(help.as_str())
                .once_for(thing);
            verdicts.add(finding.advice());
        }
    }
    verdicts
}
