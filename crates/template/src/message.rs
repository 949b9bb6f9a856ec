//! What is wrong, in words for somebody who writes prompts.

use crate::fault::{Fault, FaultKind};

/// The most characters of a template that a message repeats in one place.
const EXCERPT: usize = 40;

#[expect(clippy::too_many_lines, reason = "one line for each class")]
pub(crate) fn message(fault: &Fault, text: &str) -> String {
    let tag = excerpt(fault.tag.of(text));
    let it = excerpt(fault.span.of(text));
    let other = fault.related.map(|(span, _)| excerpt(span.of(text))).unwrap_or_default();
    if let Some(message) = in_context(fault, text) {
        return message;
    }
    match fault.kind {
        FaultKind::UnclosedMustache => format!("{it} is never closed: its `}}}}` is missing"),
        FaultKind::OneBrace => {
            format!("{} is closed with one brace", excerpt(up_to_span(fault, text)))
        }
        FaultKind::TwoBraces => format!(
            "{} opens with three braces and closes with two",
            excerpt(up_to_span(fault, text))
        ),
        FaultKind::ExtraBrace => {
            format!("{} closes with too many braces", excerpt(up_to_span(fault, text)))
        }
        FaultKind::FourBraces => format!("{tag} opens with four braces, which begin a raw block"),
        FaultKind::NestedMustache => format!("{it} stands within another mustache"),
        FaultKind::BraceInside => "a single brace has no meaning within a mustache".to_owned(),
        FaultKind::DoubledJson => "JSON in double braces is read as a mustache".to_owned(),
        FaultKind::Empty => format!("{it} is empty"),
        FaultKind::UnclosedComment => format!("the comment {it} is never closed"),
        FaultKind::UnclosedRawBlock => format!("the raw block {it} is never closed"),
        FaultKind::ForeignComment => format!("{it} does not begin a comment in Handlebars"),
        FaultKind::NulCharacter => {
            "the text has the character U+0000, which a template may not have".to_owned()
        }
        FaultKind::UnclosedBlock => format!("the block {it} is never closed"),
        FaultKind::StrayClose => format!("{it} closes a block, but none is open"),
        FaultKind::CloseMismatch => {
            format!("{it} does not match the open block {other}")
        }
        FaultKind::CloseArguments => format!("{tag} has more than the name of the block it closes"),
        FaultKind::StrayElse => format!("{it} stands outside a block"),
        FaultKind::SecondElse => format!("{it} comes after the block's {other}"),
        FaultKind::MisplacedElse => format!("{it} may not stand in the block {other}"),
        FaultKind::HashElse => format!("{it} opens a block named `else`"),
        FaultKind::DecoratorElse => format!("{it} may not stand in the decorator block {other}"),
        FaultKind::SpaceBeforeSign => format!("{tag} has a space between its braces and {other}"),
        FaultKind::MisplacedTilde => "a `~` has to touch the outermost braces".to_owned(),
        FaultKind::Concatenation => "`~` does not join two values in Handlebars".to_owned(),
        FaultKind::HashMarks => "`#` does not mark the end of a name in Handlebars".to_owned(),
        FaultKind::Filter => {
            "`|` is a filter of another template language; Handlebars has none".to_owned()
        }
        FaultKind::Operator => format!("{it} is an operator; Handlebars has none"),
        FaultKind::Index => "an index in brackets needs a dot before it".to_owned(),
        FaultKind::LiteralSegment => {
            format!("a path cannot end in {it} without brackets around it")
        }
        FaultKind::CallSyntax => "a helper is not called with parentheses".to_owned(),
        FaultKind::MethodCall => format!("{it} is a method call; Handlebars cannot call methods"),
        FaultKind::ParenthesisFirst => "a parenthesis cannot come first".to_owned(),
        FaultKind::UnclosedParenthesis => "the parenthesis is never closed".to_owned(),
        FaultKind::StrayParenthesis => "this parenthesis was never opened".to_owned(),
        FaultKind::EmptyParentheses => "the parentheses are empty".to_owned(),
        FaultKind::NamedFirst => {
            "a variable cannot be assigned, and a named argument needs a helper before it"
                .to_owned()
        }
        FaultKind::PositionalAfterNamed => format!("the argument {it} stands after a named one"),
        FaultKind::MissingValue => "a named argument has no value".to_owned(),
        FaultKind::KeyName => {
            format!("{it} cannot name an argument: the name before `=` is one plain word")
        }
        FaultKind::LeadingDot => "a name cannot begin with a dot".to_owned(),
        FaultKind::MissingName => format!("no name follows {it}"),
        FaultKind::InvalidPath => format!("the path {other} has {it} after a name"),
        FaultKind::Prose => format!("{it} is prose, not the name of a variable"),
        FaultKind::Comma => "a comma has no meaning within a mustache".to_owned(),
        FaultKind::Apostrophe => "an apostrophe cannot be part of a name".to_owned(),
        FaultKind::SmartQuotes => {
            "curly quotes do not quote: they are read as part of a name".to_owned()
        }
        FaultKind::PercentSigns => "a percent sign has no meaning within a mustache".to_owned(),
        FaultKind::Placeholder => format!("the placeholder {it} was never filled in"),
        FaultKind::HtmlTag => format!("{it} is HTML, not part of a name"),
        FaultKind::Backslash => "a name cannot contain a backslash".to_owned(),
        FaultKind::EscapedQuotes => {
            "a quote outside a string cannot be escaped with a backslash".to_owned()
        }
        FaultKind::UnclosedString => format!("the string {it} is never closed"),
        FaultKind::QuoteInString => "this quote already ends the string".to_owned(),
        FaultKind::UnclosedBracket => "the bracket is never closed".to_owned(),
        FaultKind::AsWithoutSpace => "`as` needs a space before its bar".to_owned(),
        FaultKind::MisplacedBlockParams => {
            "only the opening tag of a block can name values with `as |…|`".to_owned()
        }
        FaultKind::BlockParamNames => "`as |…|` takes plain names separated by spaces".to_owned(),
        FaultKind::BracketedBlockParam => {
            format!("{it} cannot name a value: brackets do not work between bars")
        }
        FaultKind::BlockParamsNotLast => {
            format!("{it} stands after `as |…|`, which has to come last")
        }
        FaultKind::PartialArguments => {
            format!("a partial takes one positional argument at most, and {it} is the second")
        }
        FaultKind::UnexpectedCharacter => format!("{it} has no meaning here"),
    }
}

/// The message of a fault that differs from the rest of its class.
fn in_context(fault: &Fault, text: &str) -> Option<String> {
    let it = excerpt(fault.span.of(text));
    Some(match fault.kind {
        FaultKind::UnclosedMustache if fault.span.of(text).starts_with("{{{") => {
            format!("{it} is never closed: its `}}}}}}` is missing")
        }
        FaultKind::StrayClose | FaultKind::CloseMismatch if is_escaped_opener(fault, text) => {
            format!(
                "{it} closes a block, but the backslash before {} makes that tag text",
                opener(fault, text)
            )
        }
        FaultKind::StrayElse if is_escaped_opener(fault, text) => {
            format!(
                "{it} belongs to a block, but the backslash before {} makes that tag text",
                opener(fault, text)
            )
        }
        FaultKind::Prose if is_dots(fault.span.of(text)) => {
            format!("{it} is prose, not the name of a variable")
        }
        FaultKind::CloseMismatch if lacks_hash(fault, text) => {
            format!("{it} closes a block that was never opened")
        }
        FaultKind::Prose if !fault.span.of(text).contains(char::is_alphabetic) => {
            format!("{it} is a number, not the name of a variable")
        }
        FaultKind::AsWithoutSpace if fault.span.len() == 1 => {
            "names between bars need `as` before them".to_owned()
        }
        _ => return None,
    })
}

pub(crate) fn label(fault: &Fault) -> &'static str {
    match fault.kind {
        FaultKind::OneBrace => "one brace",
        FaultKind::TwoBraces => "two braces",
        FaultKind::ExtraBrace if fault.span.len() > 1 => {
            "these braces are read as part of the closing"
        }
        FaultKind::ExtraBrace => "this brace is read as part of the closing",
        FaultKind::FourBraces => "four braces",
        FaultKind::NestedMustache => "a mustache within a mustache",
        FaultKind::BraceInside => "a single brace",
        FaultKind::DoubledJson => "read as the beginning of a mustache",
        FaultKind::Empty => "no name",
        FaultKind::UnclosedMustache
        | FaultKind::UnclosedComment
        | FaultKind::UnclosedRawBlock
        | FaultKind::UnclosedBlock => "never closed",
        FaultKind::ForeignComment => "not a comment",
        FaultKind::NulCharacter => "U+0000",
        FaultKind::StrayClose => "nothing to close",
        FaultKind::CloseMismatch => "closes another block",
        FaultKind::CloseArguments => "one name only",
        FaultKind::StrayElse => "not in a block",
        FaultKind::SecondElse => "no further `else`",
        FaultKind::MisplacedElse | FaultKind::DecoratorElse => "not in this block",
        FaultKind::HashElse => "without the `#`",
        FaultKind::SpaceBeforeSign => "no space here",
        FaultKind::MisplacedTilde => "not next to the braces",
        FaultKind::Concatenation => "not an operator",
        FaultKind::HashMarks => "no `#` here",
        FaultKind::Filter => "no filters",
        FaultKind::Operator => "no operators",
        FaultKind::Index => "a dot is missing",
        FaultKind::LiteralSegment => "needs brackets",
        FaultKind::CallSyntax | FaultKind::ParenthesisFirst => "no parenthesis here",
        FaultKind::MethodCall => "a method call",
        FaultKind::UnclosedParenthesis | FaultKind::UnclosedBracket | FaultKind::UnclosedString => {
            "opened here"
        }
        FaultKind::QuoteInString => "the string ends here",
        FaultKind::StrayParenthesis => "never opened",
        FaultKind::EmptyParentheses => "empty",
        FaultKind::NamedFirst => "no helper before it",
        FaultKind::PositionalAfterNamed => "belongs before the named ones",
        FaultKind::MissingValue => "no value",
        FaultKind::KeyName => "not a plain name",
        FaultKind::LeadingDot => "no dot here",
        FaultKind::MissingName => "no name after it",
        FaultKind::InvalidPath => "only at the beginning of a path",
        FaultKind::Prose => "not a name",
        FaultKind::Comma => "no comma here",
        FaultKind::Apostrophe => "ends the name",
        FaultKind::SmartQuotes => "a curly quote",
        FaultKind::PercentSigns => "no percent sign here",
        FaultKind::Placeholder => "fill this in",
        FaultKind::HtmlTag => "HTML",
        FaultKind::EscapedQuotes | FaultKind::Backslash => "no backslash here",
        FaultKind::AsWithoutSpace if fault.span.len() == 1 => "`as` is missing",
        FaultKind::AsWithoutSpace => "a space is missing",
        FaultKind::MisplacedBlockParams => "only where a block opens",
        FaultKind::BlockParamNames => "names and spaces only",
        FaultKind::BracketedBlockParam => "no brackets here",
        FaultKind::BlockParamsNotLast => "after the end",
        FaultKind::PartialArguments => "one too many",
        FaultKind::UnexpectedCharacter => "unexpected",
    }
}

/// The tag, to the end of the offending characters.
fn up_to_span<'t>(fault: &Fault, text: &'t str) -> &'t str {
    text.get(fault.tag.start as usize..fault.span.end as usize).unwrap_or_default()
}

/// Whether the fault comes of an opening tag without its `#`, which is the related place.
pub(crate) fn lacks_hash(fault: &Fault, text: &str) -> bool {
    let opener = fault.related.map(|(span, _)| span.of(text)).unwrap_or_default();
    matches!(fault.kind, FaultKind::CloseMismatch | FaultKind::StrayClose | FaultKind::StrayElse)
        && opener.strip_prefix("{{").is_some_and(|rest| {
            rest.trim_start_matches(['~', ' ']).starts_with(char::is_alphabetic)
        })
}

/// Whether the related place is an opening tag that a backslash turns into text.
pub(crate) fn is_escaped_opener(fault: &Fault, text: &str) -> bool {
    fault.related.is_some_and(|(span, _)| span.of(text).starts_with('\\'))
}

/// The opening tag at the related place, without the backslash before it.
fn opener(fault: &Fault, text: &str) -> String {
    let related = fault.related.map(|(span, _)| span.of(text)).unwrap_or_default();
    excerpt(related.trim_start_matches('\\'))
}

/// `...`, which stands for words that somebody left out.
pub(crate) fn is_dots(it: &str) -> bool {
    it.len() > 2 && it.bytes().all(|byte| byte == b'.')
}

/// At most 40 characters in back quotes, with what cannot be seen made visible.
pub(crate) fn excerpt(text: &str) -> String {
    if text == "`" {
        return "a backtick".to_owned();
    }
    let mut shown = String::from("`");
    for (count, character) in text.chars().enumerate() {
        if count == EXCERPT {
            shown.push('…');
            break;
        }
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if is_invisible(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown.push('`');
    shown
}

/// Controls, and what moves or hides its neighbours on a terminal.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{a0}' | '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}
