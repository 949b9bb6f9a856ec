//! Characters that no token takes: the widest class of faults, told apart by the character and its surroundings.

use crate::{
    correct::is_path,
    diagnose::{Found, Scene},
    fault::FaultKind,
    parser::Expected,
    span::Span,
    token::Kind,
};

/// The HTML tags that prompts use.
const HTML: [&str; 26] = [
    "a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "hr", "i", "img", "li", "ol", "p",
    "pre", "small", "span", "strong", "sub", "sup", "table", "td", "tr", "ul",
];

pub(crate) fn invalid(scene: &Scene<'_>, expected: Expected) -> Found {
    let Scene { bytes, token, text, .. } = *scene;
    // A name that runs into a foreign character is invalid as a whole; the character is the one to show.
    let has_name = bytes.is_name(token.span().start as usize);
    let place = if has_name { token.span().end } else { token.span().start };
    let at = place as usize;
    let one = Span { start: place, end: place + 1 };
    if at >= bytes.len() {
        return scene.swallowed_or_unclosed();
    }
    let mistaken_string = scene.swallowed(one).or_else(|| quote_in_string(scene));
    if let Some(found) = mistaken_string {
        return found;
    }
    let next = bytes.at(at + 1);
    // Punctuation of a sentence, and no end of the tag in sight: the mustache was not closed.
    if !scene.has_end && matches!(bytes.at(at), b',' | b';' | b'!' | b'\'') && has_name {
        return scene.unclosed_mustache().beside(one, "the name ended before this");
    }
    let follows_space = bytes.at(at.saturating_sub(1)).is_ascii_whitespace();
    let is_sign = expected == Expected::Head
        && scene.is_first()
        && !has_name
        && scene.open.kind == Kind::Open;
    match bytes.at(at) {
        b'}' => scene.found(FaultKind::OneBrace, one),
        b'!' if is_sign && scene.open.span().end == place => {
            scene.unclosed_comment(scene.open.span().start)
        }
        b'!' if is_sign && negated(scene, at) => scene.found(FaultKind::Operator, one),
        b'#' | b'^' | b'>' | b'&' | b'*' | b'!' if is_sign && scene.open.span().end < place => {
            scene.space_before_sign()
        }
        b'*' if scene.open.kind == Kind::OpenClose && scene.open.span().end == place => scene
            .foreign_comment(place - 1)
            .unwrap_or_else(|| scene.found(FaultKind::UnexpectedCharacter, one)),
        b'#' if scene.open.kind == Kind::OpenBlock && at + 1 == content_end(scene) => {
            scene.found(FaultKind::HashMarks, one)
        }
        b'~' if expected != Expected::Head && joins(scene, at) => {
            scene.found(FaultKind::Concatenation, one)
        }
        b'~' => scene.found(FaultKind::MisplacedTilde, one),
        b'{' => scene.found(FaultKind::BraceInside, one),
        b'[' if has_name => scene.found(FaultKind::Index, one),
        b'[' => scene.found(FaultKind::UnclosedBracket, one),
        b'(' => method_call(scene, at).unwrap_or_else(|| scene.found(FaultKind::CallSyntax, one)),
        b'\\' if matches!(next, b'"' | b'\'') => {
            scene.found(FaultKind::EscapedQuotes, Span { end: place + 2, ..one })
        }
        b'\\' if has_name && (scene.bytes.is_name(at + 1) || matches!(next, b'.' | b'[')) => {
            scene.found(FaultKind::Backslash, one)
        }
        b'\'' if has_name && !is_prose(scene, at) => scene.found(FaultKind::Apostrophe, one),
        b'"' | b'\'' if !has_name => {
            smart_quotes(scene).unwrap_or_else(|| unclosed_string(scene, one))
        }
        b'<' if placeholder_end(scene, at).is_some() => {
            let end = placeholder_end(scene, at).unwrap_or(one.end);
            let it = Span { start: place, end };
            let kind =
                if is_html(it.of(text)) { FaultKind::HtmlTag } else { FaultKind::Placeholder };
            scene.found(kind, it)
        }
        b'%' if expected == Expected::Head || !follows_space => {
            scene.found(FaultKind::PercentSigns, one)
        }
        b'!' if next == b'=' || (!has_name && expected != Expected::Head) => operator(scene, at),
        b'<' | b'>' | b'&' | b'+' | b'*' | b'%' if expected != Expected::Head || has_name => {
            operator(scene, at)
        }
        character => {
            if let Some(found) = smart_quotes(scene) {
                found
            } else if expected == Expected::BlockParam {
                scene.found(FaultKind::BlockParamNames, one)
            } else if matches!(character, b',' | b';' | b'!' | b'\'') && is_prose(scene, at) {
                let start = bytes.skip_space(scene.open.span().end as usize);
                let end = content_end(scene).max(at + 1);
                let prose = text.get(start..end).unwrap_or_default().trim_end();
                scene.found(FaultKind::Prose, Span::new(start, start + prose.len()))
            } else if character == b',' {
                scene.found(FaultKind::Comma, one)
            } else {
                scene.found(FaultKind::UnexpectedCharacter, one)
            }
        }
    }
}

/// Whether the tag is `{{ !name }}`: the opposite of one variable, as other languages write it.
fn negated(scene: &Scene<'_>, at: usize) -> bool {
    let name = scene.text.get(at + 1..content_end(scene)).unwrap_or_default().trim_end();
    scene.has_end && is_path(name)
}

/// Whether a `~` stands between two values.
fn joins(scene: &Scene<'_>, at: usize) -> bool {
    let after = scene.text.get(at + 1..content_end(scene)).unwrap_or_default().trim_start();
    let before = scene.bytes.at(at.saturating_sub(1));
    let is_value =
        after.starts_with(|first: char| first.is_alphanumeric() || "_\"'(".contains(first));
    matches!(scene.open.kind, Kind::Open | Kind::OpenUnescaped)
        && (before.is_ascii_whitespace() || scene.bytes.is_name(at.saturating_sub(1)))
        && is_value
}

/// `upper()` in `{{name.upper()}}`: a name after a dot and before a parenthesis.
fn method_call(scene: &Scene<'_>, at: usize) -> Option<Found> {
    let name = scene.token.span();
    let is_method =
        (name.start as usize) < at && scene.bytes.at((name.start as usize).checked_sub(1)?) == b'.';
    let arguments = scene.text.get(at..content_end(scene))?;
    let end = arguments.find(')').map_or(at + 1, |close| at + close + 1);
    is_method.then(|| scene.found(FaultKind::MethodCall, Span::new(name.start as usize, end)))
}

/// Whether `<…>` is a tag of HTML.
fn is_html(it: &str) -> bool {
    let inner = it.trim_matches(['<', '>']).trim_matches('/').trim();
    let name = inner.split_whitespace().next().unwrap_or_default();
    HTML.iter().any(|tag| tag.eq_ignore_ascii_case(name))
        && (name.len() == inner.len() || inner.contains('='))
}

/// A quote of the same kind as those of a string, which was to be part of it: a name follows it, and another such quote
/// further on.
fn quote_in_string(scene: &Scene<'_>) -> Option<Found> {
    let string = scene.quoted().find(|string| scene.bytes.is_name(string.end as usize))?;
    let quote = char::from(scene.bytes.at(string.start as usize));
    let rest = scene.text.get(string.end as usize..content_end(scene))?;
    let end = Span { start: string.end - 1, end: string.end };
    (quote != '[' && rest.contains(quote)).then(|| scene.found(FaultKind::QuoteInString, end))
}

/// `{{$5.00}}`, `{{1.5.2}}`, `{{100%}}`: a number where a name is due.
pub(crate) fn amount(scene: &Scene<'_>) -> Option<Found> {
    let start = scene.bytes.skip_space(scene.open.span().end as usize);
    let content = scene.text.get(start..content_end(scene))?.trim_end();
    let is_variable = matches!(scene.open.kind, Kind::Open | Kind::OpenUnescaped);
    if !is_variable || !scene.has_end || content.len() > 40 {
        return None;
    }
    let number = content.trim_start_matches(['$', '€', '£', '₹', '-', '+']);
    let is_number = number.starts_with(|character: char| character.is_ascii_digit())
        && number.chars().all(|character| character.is_ascii_digit() || ".,%/".contains(character));
    is_number.then(|| scene.found(FaultKind::Prose, Span::new(start, start + content.len())))
}

/// Whether the opening braces stand in a sentence that speaks of braces: `Never say "{{".`
pub(crate) fn is_brace_in_prose(scene: &Scene<'_>) -> bool {
    let open = scene.open.span();
    if !matches!(scene.open.kind, Kind::Open | Kind::OpenUnescaped)
        || !open.of(scene.text).ends_with('{')
    {
        return false;
    }
    let rest = scene.text.get(open.end as usize..).unwrap_or_default();
    let before = scene.text.get(..open.start as usize).unwrap_or_default().chars().next_back();
    match rest.chars().next() {
        None | Some(',' | ';' | ')' | '`') => true,
        Some(quote @ ('"' | '\'')) => before == Some(quote),
        Some('”' | '“' | '’' | '‘') => matches!(before, Some('“' | '„' | '”' | '‘' | '‚')),
        Some(_) => scene.bytes.skip_space(open.end as usize) == scene.bytes.len(),
    }
}

fn unclosed_string(scene: &Scene<'_>, one: Span) -> Found {
    // The quote and what it was to enclose, to the end of the tag.
    let end = content_end(scene);
    let content = scene.text.get(one.start as usize..end).unwrap_or_default().trim_end();
    scene.found(
        FaultKind::UnclosedString,
        Span { start: one.start, end: one.start + (content.len() as u32).max(1) },
    )
}

/// A curly quote in the tag, when something went wrong at or after it.
fn smart_quotes(scene: &Scene<'_>) -> Option<Found> {
    let start = scene.open.span().end as usize;
    let content = scene.text.get(start..content_end(scene))?;
    let (offset, quote) =
        content.char_indices().find(|(_, character)| matches!(character, '“' | '”' | '„' | '‘'))?;
    let start = start + offset;
    Some(scene.found(FaultKind::SmartQuotes, Span::new(start, start + quote.len_utf8())))
}

/// The end of what the tag holds, without its closing braces.
fn content_end(scene: &Scene<'_>) -> usize {
    let tag = scene.tag.of(scene.text);
    let content = tag.trim_end_matches('}').trim_end_matches('~');
    scene.tag.start as usize + content.len()
}

/// The end of `<…>` within the tag, if it looks like a placeholder and not like a comparison.
fn placeholder_end(scene: &Scene<'_>, at: usize) -> Option<u32> {
    let rest = scene.text.get(at + 1..content_end(scene))?;
    let close = rest.find('>')?;
    let name = rest.get(..close)?;
    let is_name = !name.is_empty() && !name.starts_with([' ', '=']) && !name.ends_with(' ');
    is_name.then_some((at + 1 + close + 1) as u32)
}

fn operator(scene: &Scene<'_>, at: usize) -> Found {
    let mut end = at + 1;
    while end < at + 3 && matches!(scene.bytes.at(end), b'=' | b'&' | b'>' | b'<') {
        end += 1;
    }
    scene.found(FaultKind::Operator, Span::new(at, end))
}

/// Several words and no quotes before the punctuation: nobody meant a helper with arguments.
fn is_prose(scene: &Scene<'_>, at: usize) -> bool {
    if scene.open.kind != Kind::Open || scene.paren.is_some() {
        return false;
    }
    let start = scene.open.span().end as usize;
    let before = scene.text.get(start..at).unwrap_or_default();
    let after = scene.text.get(at + 1..content_end(scene)).unwrap_or_default();
    let words = |part: &str| {
        part.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count()
    };
    let is_plain =
        !before.contains(['"', '\'', '=', '(']) && !after.contains(['"', '\'', '=', '(']);
    // One apostrophe makes no prose of `{{customer's name}}`.
    let is_possessive = scene.bytes.at(at) == b'\'' && words(before) < 2;
    is_plain && !is_possessive && words(before) + words(after) > 2
}
