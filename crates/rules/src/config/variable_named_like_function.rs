use std::cell::LazyCell;

use voxlint_model::variables::FlowUse;
use voxlint_model::variables::placeholder::{is_plain, is_unfilled};

use super::shared::FunctionNames;
use crate::prelude::*;

rule! {
    /// A template variable has the name of a function.
    ///
    /// A function is not a variable: `{{transfer_call}}` does not call it, and no call provides a value with its name. The
    /// language model sees nothing there, where the prompt should name the function. The names are compared without case and
    /// separators, with the `displayName` of each function, here or stored.
    ///
    /// A variable with a default, or listed under `variables` in `voxlint.toml`, is not reported. The service's description does
    /// not say how a prompt refers to a function; it only says that `{{…}}` is a variable.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "If the caller asks twice, use {{transfer_call}}.",
    ///   "agent_functions": [
    ///     { "displayName": "transfer_call", "type": "call_transfer", "description": "Transfer to the desk.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "If the caller asks twice, use transfer_call.",
    ///   "agent_functions": [
    ///     { "displayName": "transfer_call", "type": "call_transfer", "description": "Transfer to the desk.", "config": {} }
    ///   ]
    /// }
    /// ```
    "variable-named-like-function": Config {
        group: Suspicious,
        basis: Inferred("The service reads it as a variable, and no call provides one with that name."),
        section: "2.3",
        reads: [
            prompt_text,
            welcome_message,
            voicemail_message,
            default_dynamic_variables,
            agent_functions,
        ],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let functions = LazyCell::new(|| FunctionNames::of(config));
    for variable in config.unknown_variables().filter(|it| it.own_uses().next().is_some()) {
        let name = &*variable.name;
        let Some(function) = functions.named(name) else { continue };
        // `unfilled-placeholder` reports these.
        let is_beside = |used: &FlowUse| {
            let is_same = |other: &FlowUse| {
                (other.template.origin, other.template.node)
                    == (used.template.origin, used.template.node)
            };
            let mut plain =
                config.variable_flow().variables().iter().filter(|it| is_plain(&it.name));
            plain.any(|it| it.uses.iter().any(is_same))
        };
        let is_reported =
            |used: &FlowUse| !is_unfilled(name, config.known_variables(), || is_beside(used));
        let message = if function == name {
            format!("{} is a function, not a variable", quote(name))
        } else {
            format!("{} has the name of the function {}", quote(name), quote(function))
        };
        let help =
            format!("to refer to the function, write its name without braces: {}", quote(function));
        for used in variable.own_uses().filter(|used| is_reported(used)) {
            let finding = Finding::new(used.place(), message.as_str())
                .about_value(used.template.clone())
                .label("left empty")
                .help(help.as_str())
                .once_for(name);
            verdicts.add(finding.advice());
        }
    }
    verdicts
}
