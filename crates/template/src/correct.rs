//! Corrected text, where the intent is clear.

use crate::{
    fault::{Fault, FaultKind},
    help::tag_name,
    json, repair,
    scan::step,
    sound::is_sound,
    span::Span,
};

/// A change that mends a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What to replace, as byte offsets into the template's text: a whole tag.
    pub span: Span,
    /// What to put there.
    pub text: String,
}

/// The longest tag that is corrected, in bytes. What goes wrong in a longer one is not a slip in a mustache.
const LONGEST: u32 = 240;

/// A suggestion that changes punctuation, spaces and braces only, so that it can be applied without reading the text again.
pub(crate) fn correct(fault: &Fault, text: &str) -> Option<Correction> {
    let suggestion = suggest(fault, text)?;
    let is_closing = matches!(fault.kind, FaultKind::CloseMismatch | FaultKind::CloseArguments);
    let makes_comment = fault.kind != FaultKind::ForeignComment
        && ["{{!", "{{~!"].iter().any(|opener| suggestion.text.contains(opener));
    if makes_comment {
        return None;
    }
    // The name in a closing tag only repeats that of its block.
    (is_closing || keeps_words(suggestion.span.of(text), &suggestion.text)).then_some(suggestion)
}

/// What to write instead, for a person to judge: some of what the author wrote may be missing from it.
pub(crate) fn suggest(fault: &Fault, text: &str) -> Option<Correction> {
    let correction = if fault.kind == FaultKind::DoubledJson {
        let start = fault.span.start as usize;
        let (end, text) = json::single(text, start)?;
        Correction { span: Span::new(start, end), text }
    } else if fault.kind == FaultKind::UnclosedComment {
        let end = comment_end(fault, text)?;
        Correction { span: end, text: "--}}".to_owned() }
    } else {
        let span = extent(fault, text);
        let tag = span.of(text);
        if span.len() > LONGEST || tag.is_empty() {
            return None;
        }
        Correction { span, text: Edit::new(span, fault, text)?.corrected(fault)? }
    };
    (correction.text != correction.span.of(text) && is_sound(&correction, text))
        .then_some(correction)
}

/// What was to be the end of a comment: `-->`, `-- }}`, `--}` or `}}`.
pub(crate) fn comment_end(fault: &Fault, text: &str) -> Option<Span> {
    let rest = text.get(fault.span.end as usize..)?;
    step(rest.len());
    if !fault.span.of(text).ends_with("--") {
        return None;
    }
    let ends = ["-->", "-- }}", "--}"];
    let end = ends.iter().filter_map(|end| Some((rest.find(end)?, *end))).min();
    let note = rest.get(..end.map_or(rest.len(), |(at, _)| at))?;
    if let Some(braces) = note.find("}}") {
        // The comment was to end here: what follows is heard. Braces of a mustache may belong to the comment.
        let start = fault.span.end as usize + braces;
        let has_mustache = note.get(..braces)?.contains("{{");
        return (!has_mustache).then(|| Span::new(start, start + 2));
    }
    let (at, end) = end?;
    let start = fault.span.end as usize + at;
    let braces = rest.get(at + end.len()..)?.bytes().take(2).take_while(|&byte| byte == b'}');
    Some(Span::new(start, start + end.len() + braces.count()))
}

/// The text to replace: the tag, or for faults of its end no more than what was read of it.
fn extent(fault: &Fault, text: &str) -> Span {
    let Fault { kind, span, tag, .. } = *fault;
    let mut end = tag.end.max(span.end);
    let rest = |at: u32| text.get(at as usize..).unwrap_or_default();
    let braces =
        |at: u32| rest(at).bytes().take(LONGEST as usize).take_while(|&b| b == b'}').count();
    match kind {
        FaultKind::OneBrace => {
            end = span.end;
            // `{{name} }` has its second brace after a space.
            let after = rest(end).trim_start_matches(' ');
            let before = text.get(..tag.start as usize).unwrap_or_default();
            if after.starts_with('}') && !after.starts_with("}}") && !is_in_json(before) {
                end += (rest(end).len() - after.len()) as u32 + 1;
            }
        }
        FaultKind::TwoBraces => end = span.end,
        FaultKind::ExtraBrace => end = span.end + braces(span.end) as u32,
        FaultKind::BraceInside | FaultKind::NestedMustache | FaultKind::MisplacedTilde => {
            end += braces(end) as u32;
        }
        _ => {}
    }
    Span { start: tag.start.min(span.start), end }
}

/// A tag and the place of the fault in it.
pub(crate) struct Edit<'t> {
    pub(crate) tag: &'t str,
    /// The tag before, at and after the offending characters.
    pub(crate) before: &'t str,
    pub(crate) it: &'t str,
    pub(crate) after: &'t str,
    /// The text before and after the tag, and that of the related tag.
    pub(crate) context: &'t str,
    pub(crate) rest: &'t str,
    pub(crate) related: &'t str,
}

impl<'t> Edit<'t> {
    fn new(extent: Span, fault: &Fault, text: &'t str) -> Option<Self> {
        let tag = extent.of(text);
        let from = (fault.span.start - extent.start) as usize;
        let to = (fault.span.end - extent.start) as usize;
        Some(Self {
            tag,
            before: tag.get(..from)?,
            it: tag.get(from..to)?,
            after: tag.get(to..)?,
            context: text.get(..extent.start as usize)?,
            rest: text.get(extent.end as usize..)?,
            related: fault.related.map(|(span, _)| span.of(text)).unwrap_or_default(),
        })
    }

    fn corrected(&self, fault: &Fault) -> Option<String> {
        let Self { tag, before, it, after, .. } = *self;
        match fault.kind {
            FaultKind::UnclosedMustache => repair::closed_mustache(self),
            FaultKind::TwoBraces => Some(format!("{tag}}}")),
            FaultKind::ExtraBrace => repair::fewer_closing_braces(self),
            FaultKind::StrayParenthesis | FaultKind::LeadingDot => Some(format!("{before}{after}")),
            // A comment silences what it holds.
            FaultKind::SpaceBeforeSign if after.starts_with('!') => None,
            FaultKind::SpaceBeforeSign => {
                let content = after.trim_end_matches('}');
                let braces = after.get(content.len()..)?;
                Some(format!("{before}{}{braces}", content.trim_end()))
            }
            FaultKind::MissingName => repair::without_separator(self),
            FaultKind::EmptyParentheses => Some(format!("{}{after}", before.trim_end())),
            FaultKind::Empty if !self.related.is_empty() => {
                Some(format!("{{{{/{}}}}}", tag_name(self.related)))
            }
            FaultKind::FourBraces | FaultKind::UnclosedRawBlock => repair::fewer_braces(self),
            FaultKind::NestedMustache => repair::without_inner_mustache(self),
            FaultKind::BraceInside => repair::without_inner_braces(self),
            FaultKind::HashElse => repair::plain_else(tag),
            FaultKind::CloseArguments => Some(format!("{}{}", before.trim_end(), self.closing())),
            FaultKind::CloseMismatch if !fault.names_outer => repair::matching_close(self),
            FaultKind::MisplacedTilde => repair::outer_tildes(tag),
            FaultKind::OneBrace => Some(self.ended(before)),
            FaultKind::Filter => self.variable_alone(),
            FaultKind::Operator if it == "||" => {
                let other = after.trim_end_matches(['}', '~', ' ']).trim_start();
                let is_default = other.starts_with(['"', '\'']) || other.parse::<f64>().is_ok();
                if is_default { self.variable_alone() } else { None }
            }
            FaultKind::Index => repair::dotted_indexes(tag),
            FaultKind::LiteralSegment => {
                let name = it.trim_matches(['"', '\'']);
                (!name.contains(['"', '\'', '.', '[', ']', '-', '\\']))
                    .then(|| format!("{before}[{name}]{after}"))
            }
            FaultKind::CallSyntax => repair::spaced_call(self),
            FaultKind::ParenthesisFirst => {
                let close = after.rfind(')')?;
                Some(format!("{before}{}{}", after.get(..close)?, after.get(close + 1..)?))
            }
            FaultKind::UnclosedParenthesis => repair::closed_parentheses(tag),
            FaultKind::PositionalAfterNamed => repair::positional_first(self),
            FaultKind::KeyName => Some(format!("{before}{}{after}", it.trim_matches(['"', '\'']))),
            FaultKind::InvalidPath if matches!(it, "this" | ".") => {
                let before = before.trim_end().strip_suffix(['.', '/'])?;
                Some(format!("{before}{after}"))
            }
            FaultKind::ForeignComment => repair::comment(self),
            FaultKind::Concatenation => repair::one_after_the_other(tag),
            FaultKind::HashMarks => repair::without_hash_marks(tag),
            FaultKind::Backslash => repair::without_backslashes(tag),
            FaultKind::UnexpectedCharacter if matches!(before, "{{" | "{{/") && it != "=" => {
                repair::closing_tag(self)
            }
            FaultKind::Comma | FaultKind::UnexpectedCharacter => repair::punctuation(self),
            FaultKind::Apostrophe => {
                let suffix = after.trim_end_matches('}');
                let is_short =
                    matches!(suffix.len(), 1 | 2) && !suffix.contains(char::is_whitespace);
                is_short.then(|| format!("{before}{}'{suffix}", self.closing()))
            }
            FaultKind::SmartQuotes => {
                Some(tag.replace(['“', '”', '„'], "\"").replace(['‘', '’'], "'"))
            }
            FaultKind::PercentSigns => {
                let name = tag.strip_prefix("{{%")?.strip_suffix("%}}")?.trim();
                is_path(name).then(|| format!("{{{{{name}}}}}"))
            }
            FaultKind::EscapedQuotes => Some(tag.replace("\\\"", "\"").replace("\\'", "'")),
            FaultKind::UnclosedString => {
                let quote = it.chars().next()?;
                let is_word = it.len() > 1 && !it.contains(char::is_whitespace);
                is_word.then(|| format!("{before}{it}{quote}{after}"))
            }
            FaultKind::UnclosedBracket => {
                let content = after.trim_end_matches('}').trim_end();
                Some(format!("{before}{it}{content}]{}", self.closing()))
            }
            FaultKind::AsWithoutSpace if it == "|" => {
                let names = after.replace(", ", " ").replace(',', " ");
                Some(format!("{} as |{names}", before.trim_end()))
            }
            FaultKind::AsWithoutSpace => {
                Some(format!("{before}as |{}{after}", it.trim_start_matches("as|")))
            }
            FaultKind::BlockParamNames => repair::plain_block_params(self),
            _ => None,
        }
    }

    /// The tag with nothing but its variable, if it begins with one.
    fn variable_alone(&self) -> Option<String> {
        let name = self.before.trim_start_matches(['{', '~']).trim();
        is_path(name).then(|| self.ended(self.before))
    }

    /// What stands before the end of the tag, and its end, with a space where the tag begins with one.
    pub(crate) fn ended(&self, content: &str) -> String {
        let inner = self.tag.trim_start_matches(['{', '~']);
        let space = if inner.starts_with(' ') && !inner.trim().is_empty() { " " } else { "" };
        format!("{}{space}{}", content.trim_end(), self.closing())
    }

    /// The closing braces that fit the tag's opening ones.
    pub(crate) fn closing(&self) -> &'static str {
        if self.tag.starts_with("{{{") || self.tag.starts_with("{{~{") {
            if self.tag.ends_with("}~}}") { "}~}}" } else { "}}}" }
        } else if self.tag.ends_with("~}}") {
            "~}}"
        } else {
            "}}"
        }
    }
}

/// Whether all that is neither punctuation nor white space is still there, in its order or in the same words.
pub(crate) fn keeps_words(written: &str, corrected: &str) -> bool {
    let is_content = |character: &char| {
        let is_mark = (character.is_ascii_punctuation() && *character != '_')
            || character.is_whitespace()
            || "“”„‘’".contains(*character);
        !is_mark
    };
    let mut left = corrected.chars().filter(is_content);
    if written.chars().filter(is_content).all(|character| left.any(|it| it == character)) {
        return true;
    }
    let words = |text: &str| {
        let words = text.split(|character: char| !is_content(&character));
        let mut words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    words(written) == words(corrected)
}

/// How many single braces the text leaves open at its end, as JSON around a mustache does.
pub(crate) fn open_braces(context: &str) -> usize {
    let mut open = 0_usize;
    let mut closed = 0_usize;
    for byte in context.bytes().rev().take(2_000) {
        match byte {
            b'}' => closed += 1,
            b'{' if closed > 0 => closed -= 1,
            b'{' => open += 1,
            _ => {}
        }
    }
    open
}

pub(crate) fn is_in_json(context: &str) -> bool {
    open_braces(context) > 0
}

/// Whether this is one variable, with or without the path to it.
pub(crate) fn is_path(name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "_$@-./".contains(character);
    name.starts_with(|first: char| first.is_alphabetic() || "_$@.".contains(first))
        && name.chars().all(is_part)
        && name != "else"
}
