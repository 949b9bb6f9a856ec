use voxlint_model::variables::oddity::{Oddity, odd_name};
use voxlint_model::variables::{FlowUse, KnownVariables};

use crate::prelude::*;

rule! {
    /// The name of a template variable contains a character that is probably a mistake.
    ///
    /// Handlebars allows nearly every character in a name, so the template is valid. But `{{name?}}` reads a variable with the
    /// name `name?`, which no call provides, and callers hear nothing. The rule reports
    ///
    /// - curly quotes: `{{“name”}}`
    /// - characters that readers cannot see, such as a zero-width space. Joiners are part of the spelling of many scripts and
    ///   not reported there.
    /// - `?`, `:` and `$`, which other template languages use: `{{name?}}`, `{{name:text}}`, `{{$name}}`
    /// - a leading hyphen: `{{-name}}`
    /// - numbers, as in the message templates of other services: `{{1}}`
    ///
    /// A name that has a default, or is listed under `variables` in `voxlint.toml`, is not reported. Handlebars renders an unknown
    /// name as nothing; the service's description does not mention such names.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hello {{name?}}!" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hello {{1}}, this is {{2}}." }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "default_dynamic_variables": { "name": "there" }, "welcome_message": "Hello {{“name”}}!" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "Hello {{first-name}}, {{नाम}}!" }
    /// ```
    "odd-variable-name": Config {
        group: Suspicious,
        basis: Inferred("Handlebars allows nearly every character in a name."),
        section: "2.3",
        fix: Unsafe("Writes the one known name that is near, or removes characters that cannot be seen, wherever the document or \
                     the text file uses the odd name."),
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let flow = config.variable_flow();
    let odd = flow.variables().iter().filter_map(|it| Some((it, odd_name(&it.name)?)));
    let mut odd = odd.peekable();
    let known = config.known_variables();
    if odd.peek().is_none() {
        return Verdict::Holds.into();
    }
    let odd = odd.filter(|(variable, _)| !known.names(&variable.name));
    odd.flat_map(|(variable, oddity)| {
        let (message, help) = describe(&variable.name, oddity, known);
        let new = replacement(&variable.name, oddity, known);
        let mut fix = new.and_then(|new| {
            variable.renamed(format!("replace with {}", quote(&new)), &new, |used| Some(used.span))
        });
        let first = variable.first_own_use();
        let is_own = |used: &&FlowUse| used.template.is_in_document() && !used.is_in_error;
        let own = variable.uses.iter().filter(is_own);
        own.map(move |used| {
            let label =
                if oddity == Oddity::Number { "a number" } else { "read as the whole name" };
            let mut finding = finding(used, &variable.name, &message, &help).label(label);
            if first.is_some_and(|first| std::ptr::eq(first, used)) {
                finding.fix = fix.take();
            }
            finding.advice()
        })
    })
    .collect()
}

fn finding(used: &FlowUse, name: &str, message: &str, help: &str) -> Finding {
    Finding::new(used.place(), message).about_value(used.template.clone()).help(help).once_for(name)
}

/// The message and the help for an odd name.
fn describe(name: &str, oddity: Oddity, known: &KnownVariables<'_>) -> (String, String) {
    let shown = quote(name);
    let message = match oddity {
        Oddity::Quote(sign) => {
            format!("the curly quote `{sign}` is part of the variable's name {shown}")
        }
        Oddity::Sign(sign) => format!("`{sign}` is part of the variable's name {shown}"),
        Oddity::Hyphen => format!("`-` is part of the variable's name {shown}"),
        Oddity::Invisible(character) => format!(
            "the variable's name {shown} contains the invisible character U+{:04X}",
            u32::from(character)
        ),
        Oddity::Number => format!("{shown} is a number, not the name of a variable"),
    };
    let plain = plain_name(name, oddity);
    let help = match meant(&plain, known) {
        Some(near) => format!("did you mean {}?", quote(&format!("{{{{{near}}}}}"))),
        None if plain.is_empty() => {
            "give the variable a name, as in `{{customer_name}}`".to_owned()
        }
        None => format!("write {}", quote(&format!("{{{{{plain}}}}}"))),
    };
    (message, help)
}

/// The name that a fix writes: the known name that the help gives, unless others are as near, or the name without characters
/// that cannot be seen.
fn replacement(name: &str, oddity: Oddity, known: &KnownVariables<'_>) -> Option<String> {
    let plain = plain_name(name, oddity);
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_');
    let new = match meant(&plain, known) {
        Some(exact) if exact == plain => plain,
        Some(_) => known.only_nearest(&plain)?.to_owned(),
        None => matches!(oddity, Oddity::Invisible(_)).then_some(plain)?,
    };
    Some(new).filter(|new| is_name(new))
}

/// The known name that a name without what is odd about it most likely means: exactly this one, or a near one.
fn meant<'k>(plain: &'k str, known: &'k KnownVariables<'_>) -> Option<&'k str> {
    if known.source(plain).is_some() { Some(plain) } else { known.nearest(plain) }
}

/// The name without what is odd about it; empty if nothing is left.
fn plain_name(name: &str, oddity: Oddity) -> String {
    let name = match oddity {
        Oddity::Number => "",
        // What follows a colon or a question mark is not a part of the name: `name:text`.
        Oddity::Sign(':' | '?') => {
            name.split([':', '?']).find(|part| !part.is_empty()).unwrap_or_default()
        }
        _ => name,
    };
    let kept = name.chars().filter(|it| it.is_alphanumeric() || matches!(it, '_' | '-'));
    kept.collect::<String>().trim_matches('-').to_owned()
}
