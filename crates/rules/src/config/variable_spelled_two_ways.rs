use std::collections::HashMap;

use voxlint_model::variables::{FlowUse, FlowVariable};

use super::shared::FunctionNames;
use crate::prelude::*;

rule! {
    /// Two template variables differ only in case or separators.
    ///
    /// Names must match exactly, so `{{firstName}}` and `{{first_name}}` are two variables, and a call that provides one leaves
    /// the other empty. The spelling that is used less often is reported, once per document, at its first use.
    ///
    /// The rule only compares variables that nothing defines. Where variables are listed or have defaults,
    /// `unknown-template-variable` reports the wrong spelling. That one spelling is a mistake is inferred: the service accepts
    /// both.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hi {{first_name}}!", "voicemail_message": "Sorry we missed you, {{firstName}}." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "Hi {{first_name}}!", "voicemail_message": "Sorry we missed you, {{last_name}}." }
    /// ```
    "variable-spelled-two-ways": Config {
        group: Suspicious,
        basis: Inferred("Names must match exactly, so both spellings are valid."),
        section: "2.3",
        fix: Unsafe("Writes the more frequent spelling wherever the document or the text file uses the other one."),
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let flow = config.variable_flow();
    let known = config.known_variables();
    if flow.variables().len() < 2 || known.are_listed() || known.has_defaults() {
        return Verdict::Holds.into();
    }
    let mut verdicts = Verdicts::none();
    let mut usual: HashMap<String, &FlowVariable> = HashMap::new();
    let used = || flow.variables().iter().filter(|it| it.own_uses().next().is_some());
    for variable in used() {
        let usual = usual.entry(suggest::flatten(&variable.name)).or_insert(variable);
        // Of two spellings that are used equally often, the first one counts.
        if variable.own_uses().count() > usual.own_uses().count() {
            *usual = variable;
        }
    }
    if usual.len() == used().count() {
        return Verdict::Holds.into();
    }
    let functions = FunctionNames::of(config);
    for variable in used() {
        let usual = usual.get(&suggest::flatten(&variable.name));
        let other = usual.filter(|usual| !std::ptr::eq(**usual, variable));
        // `variable-named-like-function` reports the name of a function, which no spelling makes a variable.
        if let Some(usual) = other.filter(|_| functions.named(&variable.name).is_none()) {
            add_finding(usual, variable, &mut verdicts);
        }
    }
    verdicts
}

fn add_finding(usual: &FlowVariable, rare: &FlowVariable, verdicts: &mut Verdicts) {
    let message = format!("{} is also spelled {}", quote(&rare.name), quote(&usual.name));
    let help = format!("use one spelling: {}", quote(&format!("{{{{{}}}}}", usual.name)));
    let title = format!("replace with {}", quote(&usual.name));
    let is_plain = usual.name.chars().all(|it| it.is_alphanumeric() || it == '_');
    let mut fix =
        is_plain.then(|| rare.renamed(title, &usual.name, |used| Some(used.span))).flatten();
    let first = rare.first_own_use();
    for used in rare.own_uses() {
        let mut finding = Finding::new(used.place(), message.as_str())
            .about_value(used.template.clone())
            .label("another variable")
            .help(help.as_str())
            .once_for(&*rare.name);
        finding = finding.also(usual.own_uses().next().map(FlowUse::place), "the other spelling");
        if first.is_some_and(|first| std::ptr::eq(first, used)) {
            finding.fix = fix.take();
        }
        verdicts.add(finding.advice());
    }
}
