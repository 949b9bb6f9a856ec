use crate::Safety;
use crate::quote::quote;
use crate::rule::rule;
use crate::text::foreign_markup::{Markup, Style, foreign_markup, percent_markup};
use crate::value::TextValue;
use crate::verdict::{Finding, ProposedFix, Replacement, Verdicts};

rule! {
    /// A template uses the variable markup of another tool.
    ///
    /// Handlebars fills in `{{name}}` and nothing else. `{name}`, `${name}`, `<<name>>`, `[[name]]`, `[name]`, `%name%` and
    /// `{% if x %}` are plain text to it, so callers may hear the markup instead of the value.
    ///
    /// Braces, angle brackets and square brackets have other uses, so the rule reports only these:
    ///
    /// - any of this markup around a known variable: one with a default in `default_dynamic_variables`, here or stored, or one
    ///   listed under `variables` in `voxlint.toml`. Except in `[name]`, its case and separators may differ: `{customerName}` is
    ///   the variable `customer_name`.
    /// - `{name}`, `${name}` and `{ {name}}` around any other name, in a text without `{{…}}`
    /// - `<<first_name>>` and `[[first_name]]` around any other name with an underscore, in a text without `{{…}}`
    /// - `{% … %}`, also beside `{{…}}`, that begins with a tag of Jinja or Liquid, such as `if` or `endfor`
    ///
    /// Around an unknown name, braces are not reported in JSON, in code between backquotes, in paths, after a letter
    /// (`\textbf{word}`) or around stage directions such as `{pause}`. `${HOME}`, in capitals, is an environment variable unless
    /// a template variable has exactly this name.
    ///
    /// The same markup is reported once per document, at its first use.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hello {customer_name}, how can I help?" }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "clinic": "Northside" },
    ///   "welcome_message": "Thank you for calling [clinic]."
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Answer as JSON: {\"name\": \"{{name}}\"}. Laugh as {laughs} or [laughs]." }
    /// ```
    "foreign-template-markup": Text {
        group: Suspicious,
        basis: Inferred("Handlebars treats other markup as text."),
        section: "2.3",
        needs: [Template, Opener],
    }
}

/// Stage directions, and placeholders that are to be filled in by hand.
const DIRECTIONS: [&str; 34] = [
    "applause",
    "beat",
    "beep",
    "blank",
    "break",
    "breath",
    "breathe",
    "chuckle",
    "chuckles",
    "cough",
    "curious",
    "end",
    "excited",
    "gasp",
    "happy",
    "inaudible",
    "laugh",
    "laughing",
    "laughs",
    "laughter",
    "music",
    "noise",
    "pause",
    "pauses",
    "sad",
    "sigh",
    "sighs",
    "silence",
    "silent",
    "smile",
    "start",
    "stop",
    "wait",
    "whisper",
];

fn check(text: &TextValue<'_>) -> Verdicts {
    if !text.shape.role.is_template() {
        return Verdicts::none();
    }
    let mut markup = foreign_markup(text.text);
    markup.extend(percent_markup(text.text));
    if markup.is_empty() {
        return Verdicts::none();
    }
    let has_mustache = text.text.contains("{{");
    let reported = markup.into_iter().filter_map(|markup| {
        let known = known_name(text, &markup);
        let is_variable = match markup.style {
            Style::Tag => true,
            Style::Brackets | Style::Percent => false,
            Style::Angles | Style::DoubleBrackets => !has_mustache && markup.name.contains('_'),
            Style::Braces | Style::Dollar | Style::SplitBraces => {
                !has_mustache && is_likely_variable(text.text, &markup)
            }
        };
        (known.is_some() || is_variable).then(|| finding(text, &markup, known).advice())
    });
    reported.collect()
}

/// The template variable that the markup contains. Brackets and environment variables must match its name exactly, and not only
/// a pattern.
fn known_name<'t>(text: &'t TextValue<'_>, markup: &Markup<'t>) -> Option<&'t str> {
    let name = markup.name;
    if markup.style == Style::Tag {
        return None;
    }
    if text.known.names(name) {
        return Some(name);
    }
    if markup.style == Style::Brackets || markup.is_environment_variable() {
        return None;
    }
    text.known.respelled(name).or_else(|| text.known.matches(name).then_some(name))
}

/// Whether braces contain a variable, and not a stage direction or a part of a path, of code or of JSON.
fn is_likely_variable(text: &str, markup: &Markup<'_>) -> bool {
    let before = text.get(..markup.range.start).unwrap_or_default();
    let after = text.get(markup.range.end..).unwrap_or_default();
    let is_in_path = before.ends_with(['/', '=', '\\']) || after.starts_with(['/', '=']);
    let is_json = before
        .trim_end()
        .strip_suffix([':', ',', '['])
        .is_some_and(|before| before.trim_end().ends_with(['"', ']', '}']));
    let name = markup.name.to_lowercase();
    let is_direction = DIRECTIONS.contains(&name.as_str());
    // The argument of a command: `\textbf{word}`.
    let is_argument = markup.style == Style::Braces && before.ends_with(char::is_alphabetic);
    name.len() > 1
        && !markup.is_code
        && !markup.is_environment_variable()
        && !is_in_path
        && !is_json
        && !is_direction
        && !is_argument
}

fn finding(text: &TextValue<'_>, markup: &Markup<'_>, known: Option<&str>) -> Finding {
    let Markup { style, range, .. } = markup;
    let name = known.unwrap_or(markup.name);
    let shown = text.quote(range.clone());
    let (message, help) = if *style == Style::Tag {
        (
            format!("{shown} is a tag of another template language, and callers may hear it"),
            "in Handlebars, a condition is `{{#if name}}…{{else}}…{{/if}}`".to_owned(),
        )
    } else {
        (
            format!("{shown} is not filled in, and callers may hear it"),
            format!("write {}", quote(&format!("{{{{{name}}}}}"))),
        )
    };
    let finding = Finding::new(text.place(range.clone()), message)
        .about_value(text.value.place())
        .label("not Handlebars")
        .help(help)
        .once_for(format!("{style:?}"));
    // A dollar sign may be part of an amount, and a third brace changes the meaning of the other two.
    let touches_brace = text.text.get(..range.start).is_some_and(|before| before.ends_with('{'))
        || text.text.get(range.end..).is_some_and(|after| after.starts_with('}'));
    if known.is_none() || *style == Style::Dollar || touches_brace {
        return finding;
    }
    finding.fix(ProposedFix {
        title: "write the variable as Handlebars does".to_owned(),
        safety: Safety::Unsafe,
        at: text.place(range.clone()),
        replacement: Replacement::Part(format!("{{{{{name}}}}}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let is_reported = |markup: &Markup<'_>| {
            let is_brace =
                matches!(markup.style, Style::Braces | Style::Dollar | Style::SplitBraces);
            !is_brace || is_likely_variable(text, markup)
        };
        let markup = foreign_markup(text).into_iter().filter(is_reported);
        let markup = markup.chain(percent_markup(text));
        markup.map(|markup| text.get(markup.range).unwrap_or_default()).collect()
    }

    #[test]
    fn markup_of_other_tools_is_found() {
        for (text, expected) in [
            ("Hello {name}, or ${name}", &["{name}", "${name}"][..]),
            ("Hello { name } and {customer.name}", &["{ name }", "{customer.name}"]),
            ("Hello { {name}}", &["{ {name}}"]),
            ("<<name>>, [[name]], [name]", &["<<name>>", "[[name]]", "[name]"]),
            ("{% if vip %}Hi{%- endif -%}", &["{% if vip %}", "{%- endif -%}"]),
            ("{{a}} {city} {{{c}}} {day}", &["{city}", "{day}"]),
            ("Hello %name%, %first_name%!", &["%name%", "%first_name%"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn other_uses_of_brackets_are_not_reported() {
        for text in [
            r#"{"name": "Ann", "items": [1, 2], "inner": {"a": {b}}}"#,
            "[name](https://example.com) ![name](x.png) [name][1] [name]: note",
            "items[name] f(x)[name]",
            "{yes, no} {yes|no} {} { } {1} {3,5} {x}",
            "{pause} {Laughs} {silence}",
            "GET /users/{id}/orders?from={date}",
            "`{name}` and ```\n{name}\n`x` {name}```",
            "{{name}} {{#if a}}{{/if}} \\{{name}}",
            "{ \"a\": 1 } {\n  b: 2\n}",
            "a < b, <b>bold</b>, <<EOF, 1 << 2",
            "{%} 50 {% off",
            "10%off%5 100% sure, 5% of %, 20 %to 30%",
            "{% of total %} and {%- %}",
            "x-api-key: ${API_KEY} and echo ${HOME}",
            r"\textbf{word} and x{name}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
