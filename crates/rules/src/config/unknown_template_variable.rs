use std::borrow::Cow;
use std::cell::LazyCell;

use voxlint_model::variables::placeholder::{is_example, is_placeholder};
use voxlint_model::variables::{FlowUse, FlowVariable, KnownVariables, odd_name};

use super::shared::FunctionNames;
use crate::prelude::*;

rule! {
    /// A template uses a variable that no call provides.
    ///
    /// A variable without a value is left empty, so a misspelled name leaves a gap in what callers hear. These names are known:
    ///
    /// - those in `default_dynamic_variables`, here or stored
    /// - those that the team lists under `variables` in `voxlint.toml`, with `*` for any characters
    /// - `caller_number`, `call_id`, `agent_id` and `agent_name`, which services of this kind provide for every call. The
    ///   service's description does not mention them.
    ///
    /// The description does not say which other values a call may have. So names are only checked where the variables are
    /// listed, or where `default_dynamic_variables` gives a default for at least one variable. Without a list, a variable that
    /// is only rendered if it has a value, as in `{{#if nickname}}{{nickname}}{{/if}}`, is optional and not reported, unless a
    /// known name is similar.
    ///
    /// In an update that leaves the defaults unchanged, the stored defaults decide. Without them the rule is undecided.
    ///
    /// Names such as `variable`, `variable_name` and `placeholder`, as in "Never say `{{variable}}` aloud", are not reported.
    ///
    /// Each variable is reported once per document, at its first use, and some of the other uses are shown beside it. A
    /// comment that suppresses the finding belongs to the first use.
    ///
    /// Names inside `{{#each}}`, `{{#with}}` and other blocks that change the context are not checked, but `../name` and
    /// `@root.name` are. A `/` or a full stop in a name divides a path: `{{time_Europe/Berlin}}` reads `Berlin` of
    /// `time_Europe`. Put such a name in brackets: `{{[time_Europe/Berlin]}}`. A `/` is also reported where no names are known.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "customer_name": "there" },
    ///   "welcome_message": "Hello {{custmer_name}}!"
    /// }
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
    ///
    /// ```json,undecided
    /// { "version_number": 3, "welcome_message": "Hello {{custmer_name}}!" }
    /// ```
    "unknown-template-variable": Config {
        group: Suspicious,
        basis: Inferred("Only the team knows which variables a call provides, and what the service adds to them."),
        section: "2.3",
        fix: Unsafe("Writes the known name wherever the document or the text file uses the misspelled one, if exactly one known name is \
                     near. A name that a `/` or a full stop divides is put in brackets."),
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
    let known = config.known_variables();
    let functions = LazyCell::new(|| FunctionNames::of(config));
    let mut verdicts = Verdicts::none();
    for variable in config.unknown_variables().filter(|it| it.own_uses().next().is_some()) {
        let is_told = known.are_listed() || known.has_defaults() && !is_optional(variable);
        let divided = match divided_name(variable, known) {
            Some(path) => vec![path],
            // What a `/` does depends on the name alone.
            None if !is_told || known.are_incomplete() => slashed_names(variable),
            None => Vec::new(),
        };
        if !divided.is_empty() {
            for path in divided {
                add_divided(variable, path, &mut verdicts);
            }
        } else if known.are_incomplete() {
            // The syntax error has been reported, and may hide the default.
        } else if known.are_listed() || known.has_defaults() {
            add_unknown(variable, known, &functions, &mut verdicts);
        } else if matches!(config.get(&default_dynamic_variables), Value::Unknown(_))
            && !is_optional(variable)
            && !is_example(&variable.name)
        {
            verdicts.add(Verdict::Undecided);
        }
    }
    verdicts
}

/// Whether the templates render the variable only if it has a value.
fn is_optional(variable: &FlowVariable) -> bool {
    variable.own_uses().all(FlowUse::allows_for_absence)
}

/// The path of a use that is, as a whole, the name of a known variable.
fn divided_name<'f>(variable: &'f FlowVariable, known: &KnownVariables<'_>) -> Option<&'f str> {
    let paths = variable.own_uses().filter_map(|used| used.path.as_ref());
    let mut paths = paths.map(|(_, path)| &**path);
    paths.find(|path| path.contains(['/', '.']) && known.source(path).is_some())
}

/// The paths of the uses in which a `/` follows the name, each once.
fn slashed_names(variable: &FlowVariable) -> Vec<&str> {
    let paths = variable.own_uses().filter_map(|used| used.path.as_ref());
    let slashed = paths.map(|(_, path)| &**path).filter(|path| is_divided(&variable.name, path));
    let mut paths: Vec<&str> = slashed.collect();
    // A variable with fields elsewhere is an object, and the `/` is another way to write the full stop.
    let is_object = |used: &FlowUse| {
        let path = used.path.as_ref().and_then(|(_, path)| path.strip_prefix(&*variable.name));
        path.is_some_and(|rest| rest.starts_with('.'))
    };
    if variable.own_uses().any(is_object) {
        return Vec::new();
    }
    paths.sort_unstable();
    paths.dedup();
    paths
}

fn add_divided(variable: &FlowVariable, name: &str, verdicts: &mut Verdicts) {
    let sign = if name.contains('/') { "`/`" } else { "`.`" };
    let path_of = |used: &FlowUse| {
        let (span, path) = used.path.as_ref()?;
        (&**path == name).then_some(*span)
    };
    let title = format!("write {}", quote(&format!("{{{{[{name}]}}}}")));
    let is_bracketable = !name.contains(['[', ']', '"', '\'']) && !name.starts_with(['.', '@']);
    let mut fix =
        is_bracketable.then(|| variable.renamed(title, &format!("[{name}]"), path_of)).flatten();
    let first = variable
        .own_uses()
        .filter(|used| path_of(used).is_some())
        .min_by_key(|used| used.position());
    for used in variable.own_uses() {
        let Some((span, path)) = &used.path else { continue };
        if &**path != name {
            continue;
        }
        let message = format!("{sign} divides a path, so {} is not one name", quote(path));
        let bracketed = quote(&format!("{{{{[{path}]}}}}"));
        let mut finding = Finding::new(used.place_of(*span), message)
            .about_value(used.template.clone())
            .label("read as a path")
            .help(format!("put a name that contains {sign} in brackets: write {bracketed}"))
            .once_for(&**path);
        if first.is_some_and(|first| std::ptr::eq(first, used)) {
            finding.fix = fix.take();
        }
        verdicts.add(finding.advice());
    }
}

fn add_unknown(
    variable: &FlowVariable,
    known: &KnownVariables<'_>,
    functions: &FunctionNames<'_>,
    verdicts: &mut Verdicts,
) {
    let name = &*variable.name;
    let near = known.nearest(name);
    // The number of the caller is not the id of the call.
    let is_between = near == Some("call_id") && suggest::flatten(name).starts_with("caller");
    let is_allowed = !known.are_listed() && near.is_none() && is_optional(variable);
    // Other rules report what is odd, a placeholder, or the name of a function.
    if is_allowed
        || odd_name(name).is_some()
        || is_example(name)
        || is_placeholder(name, known)
        || functions.named(name).is_some()
    {
        return;
    }
    let help: Cow<'static, str> = match near {
        Some(_) if is_between => {
            "did you mean `caller_number` (the caller) or `call_id` (the call)?".into()
        }
        Some(near) if suggest::is_respelling(near, name) => {
            format!("names must match exactly: did you mean {}?", quote(near)).into()
        }
        Some(near) => format!("did you mean {}?", quote(near)).into(),
        None if known.are_listed() => {
            "add it to `variables` in voxlint.toml, or give it a default".into()
        }
        None => "give it a default, or list it under `variables` in voxlint.toml".into(),
    };
    // A path may be meant as one name: `{{time_Europe/Berlin}}`.
    let help_of = |used: &FlowUse| match &used.path {
        Some((_, path)) if near.is_none() && is_divided(name, path) => {
            let bracketed = quote(&format!("{{{{[{path}]}}}}"));
            format!("{help}, or write {bracketed} if that is one name")
        }
        _ => help.clone().into_owned(),
    };
    let message = format!("{} is not a known template variable", quote(name));
    let near = known.only_nearest(name).filter(|near| is_plain_name(near) && !is_between);
    let mut fix = near.and_then(|near| {
        variable.renamed(format!("replace with {}", quote(near)), near, |used| Some(used.span))
    });
    let first = variable.first_own_use();
    for used in variable.own_uses() {
        let mut finding = Finding::new(used.place(), message.as_str())
            .about_value(used.template.clone())
            .label(if used.role.is_test() { "never has a value" } else { "left empty" })
            .help(help_of(used))
            .once_for(name);
        if first.is_some_and(|first| std::ptr::eq(first, used)) {
            finding.fix = fix.take();
        }
        verdicts.add(finding.advice());
    }
}

/// Whether a path is a name and a `/` with more after it, which brackets would make one name.
fn is_divided(name: &str, path: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
        && !path.contains(['[', ']', '"', '\''])
}

/// Whether a name may stand in a template without brackets.
fn is_plain_name(name: &str) -> bool {
    name.chars().all(|it| it.is_alphanumeric() || it == '_')
}
