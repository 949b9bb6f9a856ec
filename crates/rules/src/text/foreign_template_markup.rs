use std::collections::HashMap;
use std::ops::Range;

use voxlint_model::text::forbidden::{is_forbidden, is_forbidden_markup};
use voxlint_model::text::foreign_markup::{Markup, Style, foreign_markup, percent_markup};
use voxlint_model::text::placeholders::{is_named, is_owner};
use voxlint_model::variables::placeholder::is_example;

use super::shared::{in_brackets, replacement};
use crate::prelude::*;

rule! {
    /// A template uses the variable markup of another tool.
    ///
    /// Handlebars fills in `{{name}}` and nothing else. `{name}`, `${name}`, `<<name>>`, `[[name]]`, `[name]`, `%name%` and
    /// `{% if x %}` are plain text to it, so callers may hear the markup instead of the value.
    ///
    /// Braces, angle brackets and square brackets have other uses, so the rule reports only these:
    ///
    /// - any of this markup around a known variable: one with a default in `default_dynamic_variables`, here or stored, or one
    ///   listed under `variables` in `voxlint.toml`. Except in `[name]`, its case and separators may differ: `{customerName}` and
    ///   `{Customer Name}` are the variable `customer_name`.
    /// - `{name}`, `{Customer Name}`, `${name}` and `{ {name}}` around any other name
    /// - code of a program in braces: `{date.today().isoformat()}`, `{price:.2f}`, `${name ?? "there"}`
    /// - `<<first_name>>` and `[[first_name]]` around any other name with an underscore, in a text without `{{…}}`
    /// - `{% … %}` that begins with a tag of Jinja or Liquid, such as `if` or `endfor`, `{# … #}`, and `<%= … %>`
    ///
    /// Around an unknown name, braces are not reported in JSON, in code between backquotes, in paths, after a letter
    /// (`\textbf{word}`), around stage directions such as `{pause}`, in a sentence such as "Never say `{name}`", or, in a prompt with `{{…}}`, as an
    /// argument of a function, `check_slots({date})`, and as a blank of one word in a sentence to say: `"So {amount}, on {date}."`
    /// `${HOME}`, in capitals, is an environment variable, unless a template variable has exactly this name or it is the whole of a
    /// line or quotation. Comments are not reported.
    ///
    /// Each variable is reported once per document and kind of markup, at its first use. So are the conditions, the loops and
    /// the other tags.
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
        group: Heard,
        basis: Inferred("Handlebars treats other markup as text."),
        section: "2.3",
        fix: Unsafe("Writes `{{name}}` in place of the foreign markup, wherever the name in it is known. Tags such as `{% if x %}` and \
                     `${name}`, which may be an amount, are left alone."),
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

/// Markup, and the known variable that it contains.
type FoundMarkup<'t> = (Markup<'t>, Option<&'t str>);

fn check(text: &TextValue<'_>) -> Verdicts {
    if !text.shape.role.is_template() {
        return Verdicts::none();
    }
    let mut markup = foreign_markup(text.text);
    let mut percent = percent_markup(text.text).peekable();
    if percent.peek().is_some() {
        let shown = text.without_comments();
        markup.extend(
            percent.filter(|it| shown.get(it.range.clone()) == text.text.get(it.range.clone())),
        );
    }
    if markup.is_empty() {
        return Verdicts::none();
    }
    let has_mustache = text.text.contains("{{");
    let reported = markup.into_iter().filter_map(|markup| {
        let known = known_name(text, &markup);
        let is_variable = match markup.style {
            Style::Tag => true,
            Style::Brackets | Style::Percent => false,
            Style::Angles | Style::DoubleBrackets => {
                !has_mustache && markup.name.contains('_') && !markup.is_spaced()
            }
            Style::Code => !markup.is_code,
            Style::Braces | Style::Dollar | Style::SplitBraces => {
                is_likely_variable(text, &markup)
                    && !(has_mustache
                        && (is_argument(text.text, &markup) || is_slot(text, &markup)))
            }
        };
        let is_reported = match known {
            Some(_) => !is_forbidden_markup(text.text, &markup.range),
            None => is_variable && !is_forbidden(text.text, &markup.range),
        };
        is_reported.then_some((markup, known))
    });
    let mut placeholders = None;
    let reported = reported.filter(|(markup, known)| {
        // `unfilled-placeholder` reports what is in capitals and not a known variable.
        let may_be_one =
            known.is_none() && matches!(markup.style, Style::Angles | Style::DoubleBrackets);
        let is_one = |all: &mut Vec<Range<usize>>| all.iter().any(|it| overlap(it, &markup.range));
        !(may_be_one && is_one(placeholders.get_or_insert_with(|| in_brackets(text))))
    });
    let mut groups: Vec<(String, Vec<FoundMarkup<'_>>)> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    for (markup, known) in reported {
        let key = key(&markup, known);
        let at = *indices.entry(key.clone()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, group)) => group.push((markup, known)),
            None => groups.push((key, vec![(markup, known)])),
        }
    }
    let verdicts = groups.iter().flat_map(|(key, group)| findings(text, key, group));
    verdicts.collect()
}

/// The places of known variables in the markup of another tool.
pub(super) fn known_markup(text: &TextValue<'_>) -> Vec<Range<usize>> {
    if !text.shape.role.is_template() {
        return Vec::new();
    }
    let markup = foreign_markup(text.text).into_iter();
    let known = markup
        .filter(|it| known_name(text, it).is_some() && !is_forbidden_markup(text.text, &it.range));
    known.map(|it| it.range).collect()
}

pub(super) fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// What is one mistake: one kind of tag, or a variable in markup of one style.
fn key(markup: &Markup<'_>, known: Option<&str>) -> String {
    match (markup.style, known) {
        (Style::Tag, _) => format!("{:?}", TagKind::of(markup.name)),
        (style, Some(known)) => format!("{style:?} {known}"),
        (style, None) => format!("{style:?} {}", markup.name),
    }
}

/// The findings about markup that is one mistake: one for tags, one for each use of a variable. The fix is that of the first.
fn findings(text: &TextValue<'_>, key: &str, group: &[FoundMarkup<'_>]) -> Vec<Verdict> {
    /// The number of further tags that are shown.
    const MAX_SHOWN: usize = 3;
    let mut findings = Vec::new();
    for (at, (markup, known)) in group.iter().enumerate() {
        let mut finding = finding(text, markup, *known).once_for(key);
        if at == 0 {
            finding.fix = fix(text, group);
        }
        if markup.style == Style::Tag {
            for (other, _) in group.iter().skip(1).take(MAX_SHOWN) {
                finding = finding.also(text.place(other.range.clone()), "another tag");
            }
            return vec![finding.advice()];
        }
        findings.push(finding.advice());
    }
    findings
}

/// Writes the markup of one variable as Handlebars does, if that is possible at its first use.
fn fix(text: &TextValue<'_>, group: &[FoundMarkup<'_>]) -> Option<ProposedFix> {
    let (_, first) = new_text(text, group.first()?)?;
    let edits = group.iter().filter_map(|found| new_text(text, found));
    let edits = edits.map(|(range, new)| replacement(text, range, &new)).collect();
    Some(ProposedFix::new(format!("write {}", quote(&first)), Safety::Unsafe, edits))
}

/// What a fix writes in place of markup, and where.
fn new_text(
    text: &TextValue<'_>,
    (Markup { style, range, .. }, known): &FoundMarkup<'_>,
) -> Option<(Range<usize>, String)> {
    // A dollar sign may be part of an amount, and a third brace changes the meaning of the other two.
    let touches_brace = text.text.get(..range.start).is_some_and(|before| before.ends_with('{'))
        || text.text.get(range.end..).is_some_and(|after| after.starts_with('}'));
    let name = known.filter(|_| *style != Style::Dollar && !touches_brace)?;
    Some((range.clone(), mustache(name)))
}

/// What renders a variable. A name with spaces is put in brackets.
fn mustache(name: &str) -> String {
    if name.contains(' ') { format!("{{{{[{name}]}}}}") } else { format!("{{{{{name}}}}}") }
}

/// The template variable that the markup contains. Brackets and environment variables must match its name exactly, and not only
/// a pattern.
fn known_name<'t>(text: &'t TextValue<'_>, markup: &Markup<'t>) -> Option<&'t str> {
    let name = markup.name;
    if matches!(markup.style, Style::Tag | Style::Code) {
        return None;
    }
    if text.known.names(name) {
        return Some(name);
    }
    if markup.style == Style::Brackets || markup.is_environment_variable() {
        return None;
    }
    let matches = || !markup.is_spaced() && text.known.matches(name);
    text.known.respelled(name).or_else(|| matches().then_some(name))
}

/// Whether braces are an argument of a call that the text describes: `check_slots({date})`.
fn is_argument(text: &str, markup: &Markup<'_>) -> bool {
    let before = text.get(..markup.range.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let call = line.trim_end_matches(|c: char| c.is_alphanumeric() || "_{}, :".contains(c));
    call.strip_suffix('(')
        .is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whether braces are a blank in a sentence that the agent is to say: `Repeat: "So {amount}, on {date}."` The model fills it with
/// what the caller said, so it is one plain word.
fn is_slot(text: &TextValue<'_>, markup: &Markup<'_>) -> bool {
    let before = text.text.get(..markup.range.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_quoted = line.matches('"').count() % 2 == 1 || line.rfind('“') > line.rfind('”');
    text.shape.role == Role::Prompt
        && is_quoted
        && markup.name.chars().all(char::is_lowercase)
        && !is_owner(markup.name)
}

/// Whether braces contain a variable, and not a stage direction or a part of a path, of code or of JSON.
fn is_likely_variable(value: &TextValue<'_>, markup: &Markup<'_>) -> bool {
    let text = value.text;
    let is_spoken = value.shape.role == Role::Speech;
    is_likely_variable_in(text, is_spoken, markup)
}

fn is_likely_variable_in(text: &str, is_spoken: bool, markup: &Markup<'_>) -> bool {
    let before = text.get(..markup.range.start).unwrap_or_default();
    let after = text.get(markup.range.end..).unwrap_or_default();
    let is_in_path = before.ends_with(['/', '=', '\\']) || after.starts_with(['/', '=']);
    let is_json = before.trim_end().strip_suffix([':', ',', '[']).is_some_and(|before| {
        let before = before.trim_end();
        // `{first}, {last}` is not.
        let braces = before.strip_suffix('}').and_then(|it| it.rsplit('{').next());
        before.ends_with(['"', ']']) || braces.is_some_and(|it| it.contains(['"', ':']))
    });
    let name = markup.name.to_lowercase();
    let is_direction = DIRECTIONS.contains(&name.as_str());
    // The argument of a command: `\textbf{word}`.
    let is_argument = markup.style == Style::Braces && before.ends_with(char::is_alphabetic);
    // `{Restaurant Name}`
    let is_title = |name: &str| name.split(' ').all(|word| word.starts_with(char::is_uppercase));
    let is_one_name = !markup.is_spaced()
        || !name.contains('-') && (is_spoken || is_title(markup.name) || is_named(markup.name));
    // `${HOME}` in a command is one, alone or in quotes it is a constant of a program.
    let is_alone = before.is_empty() || before.ends_with(['\n', '"', '“']);
    let ends = after.is_empty() || after.starts_with(['\n', '"', '”', '\r']);
    let is_environment = markup.is_environment_variable() && !is_spoken && !(is_alone && ends);
    name.len() > 1
        && is_one_name
        && !is_example(&name)
        && !markup.is_code
        && !is_environment
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
            TagKind::of(markup.name).help().to_owned(),
        )
    } else {
        let help = if *style == Style::Code {
            "Handlebars runs no code: use a variable that each call sets".to_owned()
        } else {
            format!("write {}", quote(&mustache(name)))
        };
        (format!("{shown} is not filled in, and callers may hear it"), help)
    };
    Finding::new(text.place(range.clone()), message)
        .about_value(text.value.place())
        .label("not Handlebars")
        .help(help)
}

/// What a tag of Jinja or Liquid does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagKind {
    Condition,
    Loop,
    Assignment,
    Comment,
    Output,
    Other,
}

impl TagKind {
    fn of(tag: &str) -> Self {
        match tag.split_whitespace().next().unwrap_or_default() {
            "if" | "elif" | "elsif" | "else" | "endif" | "unless" | "endunless" | "case"
            | "when" | "endcase" => Self::Condition,
            "for" | "endfor" | "tablerow" | "cycle" | "break" | "continue" => Self::Loop,
            "set" | "endset" | "assign" | "capture" | "endcapture" | "increment" | "decrement" => {
                Self::Assignment
            }
            "comment" | "endcomment" => Self::Comment,
            "output" => Self::Output,
            _ => Self::Other,
        }
    }

    /// What to write instead.
    const fn help(self) -> &'static str {
        match self {
            Self::Condition => "in Handlebars, a condition is `{{#if name}}…{{else}}…{{/if}}`",
            Self::Loop => "in Handlebars, a loop is `{{#each items}}…{{/each}}`",
            Self::Assignment => {
                "Handlebars cannot set variables: set a default in `default_dynamic_variables`"
            }
            Self::Comment => "in Handlebars, a comment is `{{!-- … --}}`",
            Self::Output => "in Handlebars, a variable is `{{name}}`",
            Self::Other => "remove the tag: Handlebars has nothing like it",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let is_reported = |markup: &Markup<'_>| {
            let is_brace =
                matches!(markup.style, Style::Braces | Style::Dollar | Style::SplitBraces);
            !is_brace || is_likely_variable_in(text, false, markup)
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
            ("Hello {First Name}, {company name}!", &["{First Name}", "{company name}"]),
            ("Hello <%= name %>, <%- user.name %>", &["<%= name %>", "<%- user.name %>"]),
            ("{# note #} {x or #} {# }", &["{# note #}"]),
            (
                "{date.today().isoformat()} {now():%d} {price:.2f} {row['name']} {name!r}",
                &["{date.today().isoformat()}", "{price:.2f}", "{row['name']}", "{name!r}"],
            ),
            ("${new Date()} ${name ?? 'you'}", &["${new Date()}", "${name ?? 'you'}"]),
            ("Say \"${GOODBYE}\"", &["${GOODBYE}"]),
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
            "{deep breath} {first-name} {variable} {variable_name}",
            "<% of all %> <%",
            "{see (below)} {a: b} {\"a\": x()} {10:30}",
            "{{!-- {name} }} <<name>> --}} {{~! [name] ~}}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
