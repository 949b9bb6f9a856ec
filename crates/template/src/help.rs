//! The way out of a fault.

use crate::{
    correct::{Correction, is_path, suggest},
    fault::{Fault, FaultKind},
    message::{excerpt, is_dots, is_escaped_opener, lacks_hash},
    scan::step,
};

/// Corrections longer than this are left to tools: a help line should fit on a line.
const SHOWN: usize = 60;

pub(crate) fn help(fault: &Fault, text: &str) -> Option<String> {
    let is_else = tag_name(fault.tag.of(text)) == "else";
    if is_escaped_opener(fault, text) {
        let opener = fault.related.map(|(span, _)| span.of(text)).unwrap_or_default();
        return Some(format!(
            "remove the backslash; for a backslash before the tag write two: {}",
            excerpt(&format!("\\{opener}"))
        ));
    }
    if fault.kind == FaultKind::CloseMismatch && !is_else {
        return blocks(fault, text);
    }
    let suggestion = suggest(fault, text);
    if fault.kind == FaultKind::UnclosedComment
        && let Some(Correction { span, text: end }) = &suggestion
    {
        return Some(format!("write `{end}` instead of `{}`", span.of(text)));
    }
    let suggestion = suggestion.map(|suggestion| suggestion.text);
    let shown =
        suggestion.filter(|text| text.chars().count() <= SHOWN && !text.contains(char::is_control));
    if let (Some(correction), FaultKind::Filter | FaultKind::Operator) = (&shown, fault.kind) {
        return Some(format!(
            "write `{correction}`, and set its default in `default_dynamic_variables`"
        ));
    }
    let advice = match &shown {
        Some(correction) => with_correction(fault.kind, correction).map(str::to_owned),
        None => None,
    };
    let advice = advice.or_else(|| alone(fault, text))?;
    Some(match shown {
        Some(correction) => format!("{advice}: `{correction}`"),
        None => advice,
    })
}

/// What leads to the corrected text, where the advice without one would not.
fn with_correction(kind: FaultKind, correction: &str) -> Option<&'static str> {
    Some(match kind {
        FaultKind::ExtraBrace if correction.contains("}} }") => {
            "put a space before what belongs to the text"
        }
        FaultKind::ExtraBrace => "remove what is too much",
        FaultKind::Comma if correction.ends_with('}') => "separate arguments with spaces",
        FaultKind::UnclosedMustache | FaultKind::OneBrace if correction.ends_with("}}}") => {
            "close it with three braces"
        }
        FaultKind::UnclosedMustache => "close it with two braces",
        FaultKind::TwoBraces => "close it with three braces",
        FaultKind::Empty => "name the block it closes",
        FaultKind::Index => "put a dot before the brackets",
        FaultKind::LiteralSegment => "put brackets around it",
        FaultKind::MisplacedTilde => "move it to the braces",
        FaultKind::CloseArguments => "name the block and no more",
        FaultKind::HashElse => "leave the `#` out",
        FaultKind::BlockParamNames => "separate the names with spaces, and put a bar at each end",
        FaultKind::FourBraces | FaultKind::UnclosedRawBlock => "for a variable, use two braces",
        FaultKind::NestedMustache => "a mustache takes names without further braces",
        FaultKind::BraceInside => "leave the single braces out",
        FaultKind::DoubledJson => "write the JSON with single braces",
        FaultKind::CloseMismatch => "`else` has no slash",
        FaultKind::CallSyntax if !correction.contains(' ') => {
            "write the name alone, without parentheses"
        }
        FaultKind::CallSyntax => "put arguments after the helper, separated by spaces",
        FaultKind::UnexpectedCharacter if correction.starts_with("{{/") => {
            "a closing tag is a slash and the name of its block"
        }
        FaultKind::UnexpectedCharacter if correction.ends_with('}') => "leave it out",
        FaultKind::Comma | FaultKind::UnexpectedCharacter => {
            "punctuation belongs behind the braces"
        }
        FaultKind::ForeignComment => "a comment begins with `!`",
        FaultKind::Concatenation => "to join two values, write one after the other",
        FaultKind::HashMarks => "leave out both `#`",
        FaultKind::Backslash => "remove the backslash",
        FaultKind::PercentSigns => "the braces are enough",
        FaultKind::InvalidPath => "leave it out: a name already means the value itself",
        FaultKind::UnclosedString => "close the string",
        FaultKind::MissingName | FaultKind::EmptyParentheses | FaultKind::StrayParenthesis => {
            "leave it out"
        }
        _ => return None,
    })
}

#[expect(clippy::too_many_lines, reason = "one line for each class")]
fn alone(fault: &Fault, text: &str) -> Option<String> {
    let tag = fault.tag.of(text);
    let it = fault.span.of(text);
    if let Some(help) = in_context(fault, text) {
        return Some(help);
    }
    let fixed = match fault.kind {
        FaultKind::UnclosedMustache => "close it with `}}` before the text goes on",
        FaultKind::OneBrace => "close it with two braces",
        FaultKind::TwoBraces => "close it with `}}}`",
        FaultKind::ExtraBrace => {
            "put a space between the mustache and a brace that belongs to the text"
        }
        FaultKind::FourBraces => "for a variable, use two braces",
        FaultKind::NestedMustache => "a mustache takes names without further braces",
        FaultKind::BraceInside | FaultKind::DoubledJson => {
            "for JSON, put a space between two braces or use single ones; for a variable, name it alone"
        }
        FaultKind::Empty => {
            "name a variable between the braces, or write `\\{{` for braces that are meant as text"
        }
        FaultKind::UnclosedComment => "a comment that begins with `{{!` ends with `}}`",
        FaultKind::NulCharacter => "remove the character",
        FaultKind::StrayElse if lacks_hash(fault, text) => return blocks(fault, text),
        FaultKind::StrayElse => {
            "`{{else}}` stands between an opening tag such as `{{#if x}}` and its `{{/if}}`"
        }
        FaultKind::SecondElse => {
            "`{{else}}` comes once and last; further conditions go before it, as `{{else if x}}`"
        }
        FaultKind::MisplacedElse | FaultKind::DecoratorElse => {
            "remove it: such a block has one part only"
        }
        FaultKind::HashElse => "`else` has no `#`",
        FaultKind::CloseArguments => {
            "a closing tag repeats the first word of the opening tag, and no more"
        }
        FaultKind::SpaceBeforeSign => "remove the space",
        FaultKind::ForeignComment => "a comment begins with `!`, as in `{{! note }}`",
        FaultKind::Concatenation => {
            "to join two values, write one after the other, as in `{{first_name}}{{last_name}}`"
        }
        FaultKind::HashMarks => "leave out both `#` and use a plain name, as in `{{output}}`",
        FaultKind::MethodCall => "work it out before the call, and use one variable for the result",
        FaultKind::HtmlTag => "put HTML outside the braces, and one plain name between them",
        FaultKind::MisplacedTilde => {
            "write `{{~name~}}`, or leave it out: it removes white space around the tag"
        }
        FaultKind::Filter => {
            "write the name alone, and set its default in `default_dynamic_variables`"
        }
        FaultKind::Index | FaultKind::LiteralSegment => {
            "put the index in brackets after a dot, as in `items.[0]`"
        }
        FaultKind::ParenthesisFirst => "name the helper first, without parentheses around it",
        FaultKind::UnclosedParenthesis => "close it with `)`",
        FaultKind::StrayParenthesis => "remove it, or open it with `(`",
        FaultKind::EmptyParentheses => "name a helper between them, or remove them",
        FaultKind::NamedFirst => "for a variable's value, write its name alone",
        FaultKind::PositionalAfterNamed => "put it before the first named argument",
        FaultKind::MissingValue => "give it a value, as in `name=value` or `name=\"text\"`",
        FaultKind::KeyName => "use one plain name without quotes or dots before `=`",
        FaultKind::LeadingDot => "remove the dot",
        FaultKind::MissingName => "name what to take, or remove it",
        FaultKind::InvalidPath => "`this`, `.` and `..` stand at the beginning of a path only",
        FaultKind::Prose => {
            "name one variable, as in `{{customer_name}}`, and put the rest outside the braces"
        }
        FaultKind::Comma => {
            "name one variable in each pair of braces; a helper's arguments are separated by spaces"
        }
        FaultKind::Apostrophe => "put it behind the braces",
        FaultKind::SmartQuotes => "use straight quotes, \" or '",
        FaultKind::PercentSigns => {
            "name the variable between double braces; tags such as `{% if %}` become `{{#if x}}`"
        }
        FaultKind::Placeholder => "put the actual value or name in its place",
        FaultKind::EscapedQuotes | FaultKind::Backslash => "remove the backslash",
        FaultKind::UnclosedString => "close the string with the same quote, within its mustache",
        FaultKind::QuoteInString => "put the other kind of quotes, \" or ', around the string",
        FaultKind::UnclosedBracket => "close it with `]`",
        FaultKind::AsWithoutSpace => "put a space after `as`",
        FaultKind::MisplacedBlockParams => "use a block, as in `{{#each items as |item|}}`",
        FaultKind::BlockParamNames => "write them as in `as |item index|`",
        FaultKind::BracketedBlockParam => "use a plain name, such as `first_name`",
        FaultKind::BlockParamsNotLast => "move it before `as`",
        FaultKind::PartialArguments => "pass further values by name, as in `name=value`",
        FaultKind::UnexpectedCharacter => {
            "a tag contains one name; write `\\{{` for literal braces"
        }
        FaultKind::CallSyntax if negated_call(tag).is_some() => {
            return negated_call(tag).map(unless);
        }
        FaultKind::CallSyntax => {
            "put arguments after the helper, separated by spaces, as in `{{helper argument}}`"
        }
        FaultKind::Operator => return Some(operator(it, tag)),
        FaultKind::UnclosedBlock
        | FaultKind::UnclosedRawBlock
        | FaultKind::StrayClose
        | FaultKind::CloseMismatch => {
            return blocks(fault, text);
        }
    };
    Some(fixed.to_owned())
}

/// The help for a fault that differs from the rest of its class.
fn in_context(fault: &Fault, text: &str) -> Option<String> {
    let tag = fault.tag.of(text);
    let it = fault.span.of(text);
    let fixed = match fault.kind {
        FaultKind::SpaceBeforeSign
            if fault.related.is_some_and(|(sign, _)| sign.of(text) == "!") =>
        {
            "for a comment, remove the space before `!`; for the opposite of a condition, use `{{#unless name}}`"
        }
        FaultKind::FourBraces => return Some(two_braces(tag)),
        FaultKind::Prose if is_dots(it) => {
            "write out what the dots stand for, or put the sentence outside the braces"
        }
        FaultKind::OneBrace if tag.starts_with("{{{") => "close it with three braces",
        FaultKind::MisplacedElse if it.contains("if") => {
            "use `{{#if}}` or `{{#unless}}` for the block instead"
        }
        FaultKind::UnclosedComment if it.ends_with("--") => {
            "a comment that begins with `{{!--` ends with `--}}`"
        }
        FaultKind::Index if is_looked_up(text, fault) => {
            "for the value of a variable as the index, use `lookup`, as in `{{lookup items i}}`"
        }
        FaultKind::MissingName if it.starts_with('{') => {
            "write `\\{{` for braces that are meant as text"
        }
        FaultKind::Prose if !it.contains(char::is_alphabetic) => "write it without the braces",
        FaultKind::Comma if tag_name(tag) == "each" => {
            "name an item and its index as in `{{#each items as |item index|}}`"
        }
        FaultKind::QuoteInString if it == "'" => "put double quotes around the string",
        FaultKind::QuoteInString if it == "\"" => "put single quotes around the string",
        FaultKind::AsWithoutSpace if it == "|" => "put `as` before the bars",
        FaultKind::CallSyntax if tag.contains("()") => "write the name alone, without parentheses",
        _ => return None,
    };
    Some(fixed.to_owned())
}

/// The advice for `{{{{first name}}}}`: a raw block is hardly ever meant.
fn two_braces(tag: &str) -> String {
    let words: Vec<_> = tag.trim_matches(['{', '}', '~']).split_whitespace().collect();
    let name = words.join("_");
    let is_name = is_path(&name) && !name.contains(['.', '/', '@']);
    if words.len() > 1 && is_name {
        let variable = excerpt(&format!("{{{{{name}}}}}"));
        format!("for a variable, use two braces and a name without spaces: {variable}")
    } else {
        "for a variable, use two braces".to_owned()
    }
}

/// The variable of `{{#if not(vip)}}`.
fn negated_call(tag: &str) -> Option<&str> {
    let name = tag.strip_prefix("{{#if not(")?.split_once(')')?.0.trim();
    is_path(name).then_some(name)
}

fn unless(name: &str) -> String {
    let opener = excerpt(&format!("{{{{#unless {name}}}}}"));
    format!("write {opener} and close it with `{{{{/unless}}}}`")
}

fn operator(it: &str, tag: &str) -> String {
    let negates = it.starts_with('!') && !it.starts_with("!=");
    let condition = tag.split_once('!').map(|(_, rest)| rest.trim_end_matches(['}', '~']).trim());
    match condition {
        Some(name)
            if negates
                && (tag.contains("if") || is_path(name))
                && !name.contains(|c: char| c.is_whitespace()) =>
        {
            unless(name)
        }
        _ if it.starts_with('&') && tag.contains('#') => {
            "put one `{{#if}}` into another for two conditions".to_owned()
        }
        _ if tag.contains("if") || tag.contains("unless") => {
            "work it out before the call, and use one variable, as in `{{#if is_vip}}`".to_owned()
        }
        _ => "work it out before the call, and use one variable for the result".to_owned(),
    }
}

/// Whether an index is the name of a variable, without quotes.
fn is_looked_up(text: &str, fault: &Fault) -> bool {
    let index = text.get(fault.span.end as usize..fault.tag.end as usize).unwrap_or_default();
    let index = index.split(']').next().unwrap_or_default();
    index.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '@')
        && index.chars().all(|character| character.is_alphanumeric() || "_@".contains(character))
}

/// The advice for an opening tag without its `#`, and for an end such as `{{endif}}`.
fn missing_hash(fault: &Fault, text: &str) -> Option<String> {
    let opener = fault.related?.0.of(text).trim_start_matches(['{', '~', ' ']);
    let close = format!("{{{{/{}}}}}", tag_name(opener));
    let rest = text.get(fault.span.end as usize..).unwrap_or_default();
    let opener = opener.trim_end_matches(['}', '~', ' ']);
    let opener = excerpt(&format!("{{{{#{opener}}}}}"));
    let advice = format!("open the block with a `#`: {opener}");
    let foreign = foreign_end(rest).filter(|_| !rest.contains(&close));
    Some(match foreign {
        Some(word) => format!("{advice}, and write `{close}` instead of `{{{{{word}}}}}`"),
        None => advice,
    })
}

/// The end of a block in another template language.
fn foreign_end(rest: &str) -> Option<&'static str> {
    step(rest.len());
    let words = ["endif", "end", "endfor", "fi"];
    words.into_iter().find(|word| {
        rest.contains(&format!("{{{{{word}}}}}")) || rest.contains(&format!("{{{{ {word} }}}}"))
    })
}

/// The end of a raw block with a wrong number of braces.
fn near_raw_end<'t>(rest: &'t str, name: &str) -> Option<&'t str> {
    let half = format!("{{{{/{name}");
    let found = rest.find(&half)?;
    let before = rest.get(..found)?;
    let more = before.len() - before.trim_end_matches('{').len();
    let after = rest.get(found + half.len()..)?;
    let braces = after.len() - after.trim_start_matches('}').len();
    let near = rest.get(found - more.min(2)..found + half.len() + braces.min(4))?;
    (braces > 0).then_some(near)
}

fn blocks(fault: &Fault, text: &str) -> Option<String> {
    if lacks_hash(fault, text) {
        return missing_hash(fault, text);
    }
    let it = fault.span.of(text);
    match fault.kind {
        FaultKind::UnclosedRawBlock => {
            let close = excerpt(&format!("{{{{{{{{/{}}}}}}}}}", tag_name(it)));
            let rest = text.get(fault.span.end as usize..).unwrap_or_default();
            step(rest.len());
            Some(match near_raw_end(rest, &tag_name(it)) {
                Some(near) => format!("write {close} instead of {}", excerpt(near)),
                None => format!("a raw block ends with {close}"),
            })
        }
        FaultKind::UnclosedBlock => {
            let close = excerpt(&format!("{{{{/{}}}}}", tag_name(it)));
            let rest = text.get(fault.span.end as usize..).unwrap_or_default();
            let foreign = foreign_end(rest);
            let half = format!("{{/{}}}", tag_name(it));
            let is_half_closed = rest
                .match_indices(&half)
                .any(|(at, _)| !rest.get(..at).unwrap_or_default().ends_with('{'));
            if is_half_closed {
                return Some(format!("write {close} instead of {}", excerpt(&half)));
            }
            Some(match foreign {
                Some(word) => format!("write {close} instead of `{{{{{word}}}}}`"),
                None => format!("put {close} where the block ends"),
            })
        }
        FaultKind::StrayClose => Some("remove it, or open the block with `#` before it".to_owned()),
        _ => {
            let (open, _) = fault.related?;
            let open_tag = open.of(text);
            let name = tag_name(open_tag);
            let close = if open_tag.starts_with("{{{{") {
                excerpt(&format!("{{{{{{{{/{name}}}}}}}}}"))
            } else {
                excerpt(&format!("{{{{/{name}}}}}"))
            };
            Some(if fault.names_outer {
                format!("close {} first, with {close}", excerpt(open_tag))
            } else {
                format!("write {close} instead of {}", excerpt(it))
            })
        }
    }
}

/// The first word of a tag, at most 40 characters of it.
pub(crate) fn tag_name(tag: &str) -> String {
    let content = tag.trim_start_matches(['{', '~', '#', '^', '/', '>', '*', '&']).trim_start();
    let quote = content.chars().next().filter(|character| matches!(character, '"' | '\'' | '['));
    let end = match quote {
        Some('[') => content.find(']').map(|end| end + 1),
        Some(quote) => content.get(1..).and_then(|rest| rest.find(quote)).map(|end| end + 2),
        None => content.find(|character: char| {
            character.is_whitespace() || matches!(character, '}' | '~' | ')')
        }),
    };
    content.get(..end.unwrap_or(content.len())).unwrap_or_default().chars().take(40).collect()
}
