use std::ops::Range;

use crate::Safety;
use crate::quote::quote;
use crate::rule::rule;
use crate::value::TextValue;
use crate::verdict::{Finding, ProposedFix, Replacement, Verdicts};

rule! {
    /// A template uses the variable markup of another tool.
    ///
    /// Handlebars fills in `{{name}}` and nothing else. `{name}`, `${name}`, `<<name>>`, `[[name]]`, `[name]` and `{% if x %}`
    /// are plain text to it, so callers may hear the markup instead of the value.
    ///
    /// Braces, angle brackets and square brackets have other uses, so the rule reports only these:
    ///
    /// - Any of this markup around a known variable: one with a default in `default_dynamic_variables`, here or stored, or one
    ///   listed under `variables` in `voxlint.toml`.
    /// - `{name}`, `${name}` and `{ {name}}` around any other name, in a text without `{{…}}`.
    /// - `<<first_name>>` and `[[first_name]]` around any other name with an underscore, in a text without `{{…}}`.
    /// - `{% … %}`, also beside `{{…}}`, where it begins with a tag of Jinja or Liquid, such as `if` or `endfor`.
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
        section: "2.3",
    }
}

/// A way in which other tools mark a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// `{name}`
    Braces,
    /// `${name}`
    Dollar,
    /// `{ {name}}`
    SplitBraces,
    /// `<<name>>`
    Angles,
    /// `[[name]]`
    DoubleBrackets,
    /// `[name]`
    Brackets,
    /// `{% if x %}`
    Tag,
}

/// Markup in a text.
#[derive(Debug)]
struct Markup<'t> {
    style: Style,
    range: Range<usize>,
    name: &'t str,
    /// Whether it stands between backquotes.
    is_code: bool,
}

impl Markup<'_> {
    /// Whether a shell would fill this in: `${HOME}`.
    fn is_environment_variable(&self) -> bool {
        self.style == Style::Dollar && !self.name.contains(char::is_lowercase)
    }
}

/// Whether backquotes are open, read from the beginning of a text to some place.
#[derive(Debug, Default)]
struct Backquotes {
    at: usize,
    is_fenced: bool,
    is_inline: bool,
}

impl Backquotes {
    fn are_open(&mut self, text: &str, to: usize) -> bool {
        while let Some(offset) = text.get(self.at..to).and_then(|rest| rest.find(['`', '\n'])) {
            self.at += offset;
            let rest = text.get(self.at..).unwrap_or_default();
            if rest.starts_with('\n') {
                self.is_inline = false;
                self.at += 1;
            } else if rest.starts_with("```") {
                self.is_fenced = !self.is_fenced;
                self.at += 3;
            } else {
                self.is_inline = !self.is_inline;
                self.at += 1;
            }
        }
        self.at = self.at.max(to);
        self.is_fenced || self.is_inline
    }
}

/// The longest name that is taken for one.
const LONGEST: usize = 60;

/// The longest tag that is taken for one.
const LONGEST_TAG: usize = 200;

/// The tags of Jinja and of Liquid.
const TAGS: [&str; 41] = [
    "assign",
    "block",
    "break",
    "call",
    "capture",
    "case",
    "comment",
    "continue",
    "cycle",
    "decrement",
    "do",
    "elif",
    "else",
    "elsif",
    "endblock",
    "endcapture",
    "endcase",
    "endcomment",
    "endfor",
    "endif",
    "endmacro",
    "endraw",
    "endset",
    "endunless",
    "endwith",
    "extends",
    "filter",
    "for",
    "from",
    "if",
    "import",
    "include",
    "increment",
    "macro",
    "raw",
    "render",
    "set",
    "tablerow",
    "unless",
    "when",
    "with",
];

/// What prompts put into brackets and braces for the voice, and words that say that something is to be filled in by hand.
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
    let mut verdicts = Verdicts::none();
    if !text.shape.role.is_template() {
        return verdicts;
    }
    let content: &str = &text.text;
    let has_mustache = content.contains("{{");
    each(content, |found| {
        let may_match = found.style != Style::Brackets && !found.is_environment_variable();
        let is_known =
            text.known.names(found.name) || (may_match && text.known.matches(found.name));
        let is_meant = match found.style {
            Style::Tag => true,
            Style::Brackets => is_known,
            Style::Angles | Style::DoubleBrackets => {
                is_known || (!has_mustache && found.name.contains('_'))
            }
            Style::Braces | Style::Dollar | Style::SplitBraces => {
                is_known || (!has_mustache && is_variable(content, &found))
            }
        };
        if is_meant {
            verdicts.add(finding(text, found, is_known).advice());
        }
    });
    verdicts
}

fn finding(text: &TextValue<'_>, found: Markup<'_>, is_known: bool) -> Finding {
    let Markup { style, range, name, .. } = found;
    let markup = text.quote(range.clone());
    let (message, help) = if style == Style::Tag {
        (
            format!("{markup} is a tag of another template language, and callers may hear it"),
            "in Handlebars, a condition is `{{#if name}}…{{else}}…{{/if}}`".to_owned(),
        )
    } else {
        (
            format!("{markup} is not filled in, and callers may hear it"),
            format!("write {}", quote(&format!("{{{{{name}}}}}"))),
        )
    };
    let finding = Finding::new(text.place(range.clone()), message)
        .about_value(text.value.place())
        .label("not Handlebars")
        .help(help)
        .once_for(format!("{style:?}"));
    // The dollar sign may be one of money, and a third brace makes something else of the two.
    let touches_brace = text.text.get(..range.start).is_some_and(|before| before.ends_with('{'))
        || text.text.get(range.end..).is_some_and(|after| after.starts_with('}'));
    if !is_known || style == Style::Dollar || touches_brace {
        return finding;
    }
    finding.fix(ProposedFix {
        title: "write the variable as Handlebars does".to_owned(),
        safety: Safety::Unsafe,
        at: text.place(range),
        replacement: Replacement::Part(format!("{{{{{name}}}}}")),
    })
}

/// Whether single braces hold a variable and not something else: a stage direction, a part of a path, of code or of JSON.
fn is_variable(text: &str, found: &Markup<'_>) -> bool {
    let before = text.get(..found.range.start).unwrap_or_default();
    let after = text.get(found.range.end..).unwrap_or_default();
    let is_in_path = before.ends_with(['/', '=', '\\']) || after.starts_with(['/', '=']);
    let is_json = before
        .trim_end()
        .strip_suffix([':', ',', '['])
        .is_some_and(|before| before.trim_end().ends_with(['"', ']', '}']));
    let name = found.name.to_lowercase();
    let is_direction = DIRECTIONS.contains(&name.as_str());
    // The argument of a command: `\textbf{word}`.
    let is_argument = found.style == Style::Braces && before.ends_with(char::is_alphabetic);
    name.len() > 1
        && !found.is_code
        && !found.is_environment_variable()
        && !is_in_path
        && !is_json
        && !is_direction
        && !is_argument
}

/// Calls `take` for each piece of markup outside mustaches, in the order of the text.
fn each<'t>(text: &'t str, mut take: impl FnMut(Markup<'t>)) {
    let mut at = 0;
    let mut backquotes = Backquotes::default();
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(['{', '[', '<'])) {
        let start = at + offset;
        let rest = text.get(start..).unwrap_or_default();
        if rest.starts_with("{{") {
            // A mustache is what the other rules are about.
            let Some(end) = rest.find("}}") else { return };
            let braces = rest.get(end..).unwrap_or_default();
            at = start + end + braces.bytes().take_while(|byte| *byte == b'}').count();
            continue;
        }
        at = match markup(text, start) {
            Some(found) => {
                let end = found.range.end;
                let is_code = backquotes.are_open(text, start);
                take(Markup { is_code, ..found });
                end
            }
            None => start + 1,
        };
    }
}

/// The markup that begins with the bracket at `start`.
fn markup(text: &str, start: usize) -> Option<Markup<'_>> {
    let rest = text.get(start..)?;
    let before = text.get(..start)?.chars().next_back();
    if let Some(tag) = rest.strip_prefix("{%") {
        let line = first(tag, LONGEST_TAG).split('\n').next()?;
        let end = line.find("%}")?;
        let name = line.get(..end)?.trim_matches(['-', '+', ' ']);
        let is_tag = name.split_whitespace().next().is_some_and(|word| TAGS.contains(&word));
        let range = start..start + end + 4;
        return is_tag.then_some(Markup { style: Style::Tag, range, name, is_code: false });
    }
    let forms = [
        ("{ {", "}}", Style::SplitBraces),
        ("{", "}", Style::Braces),
        ("<<", ">>", Style::Angles),
        ("[[", "]]", Style::DoubleBrackets),
        ("[", "]", Style::Brackets),
    ];
    let (inner, close, style) = forms
        .into_iter()
        .find_map(|(open, close, style)| Some((rest.strip_prefix(open)?, close, style)))?;
    let end = first(inner, LONGEST).find(close)?;
    let name = inner.get(..end)?.trim_matches(' ');
    let after = inner.get(end + close.len()..)?;
    if !is_name(name) {
        return None;
    }
    let length = rest.len() - after.len();
    let (style, start_at) = match style {
        Style::Braces if before == Some('$') => (Style::Dollar, start - 1),
        style => (style, start),
    };
    // An index, a link or its address.
    let is_index =
        before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | ']' | ')' | '!'));
    if matches!(style, Style::Brackets | Style::DoubleBrackets)
        && (is_index || after.starts_with(['(', '[', ':']))
    {
        return None;
    }
    Some(Markup { style, range: start_at..start + length, name, is_code: false })
}

/// The first characters of a text.
fn first(text: &str, count: usize) -> &str {
    let end = text.char_indices().nth(count).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

/// Whether this is one plain name, with or without the path to it.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'))
        && !name.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        each(text, |markup| {
            let is_brace =
                matches!(markup.style, Style::Braces | Style::Dollar | Style::SplitBraces);
            if !is_brace || is_variable(text, &markup) {
                all.push(text.get(markup.range).unwrap_or_default());
            }
        });
        all
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
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn other_uses_of_brackets_are_left_alone() {
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
            "{% of total %} and {%- %}",
            "x-api-key: ${API_KEY} and echo ${HOME}",
            r"\textbf{word} and x{name}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
