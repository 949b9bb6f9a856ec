//! Corrected text, where the intent is clear.

use crate::{
    fault::{Fault, FaultKind},
    help::tag_name,
    parser::parse,
    repair,
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

pub(crate) fn correct(fault: &Fault, text: &str) -> Option<Correction> {
    let span = extent(fault, text);
    let tag = span.of(text);
    if span.len() > LONGEST || tag.is_empty() {
        return None;
    }
    let edit = Edit::new(tag, fault, text)?;
    let corrected = edit.corrected(fault.kind)?;
    (corrected != tag && is_sound(&corrected)).then_some(Correction { span, text: corrected })
}

/// The text to replace: the tag, or for faults of its end no more than what was read of it.
fn extent(fault: &Fault, text: &str) -> Span {
    let Fault { kind, span, tag, .. } = *fault;
    let mut end = tag.end.max(span.end);
    let rest = |at: u32| text.get(at as usize..).unwrap_or_default();
    match kind {
        FaultKind::OneBrace => {
            end = span.end;
            // `{{name} }` has its second brace after a space.
            let after = rest(end).trim_start_matches(' ');
            if after.starts_with('}') && !after.starts_with("}}") {
                end += (rest(end).len() - after.len()) as u32 + 1;
            }
        }
        FaultKind::ExtraBrace | FaultKind::TwoBraces => end = span.end,
        FaultKind::DoubledJson | FaultKind::BraceInside | FaultKind::NestedMustache => {
            let more = rest(end).bytes().take_while(|&byte| byte == b'}').count();
            end += more.min(LONGEST as usize) as u32;
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
    fn new(tag: &'t str, fault: &Fault, text: &'t str) -> Option<Self> {
        let start = extent(fault, text).start;
        let from = (fault.span.start - start) as usize;
        let to = (fault.span.end - start) as usize;
        Some(Self {
            tag,
            before: tag.get(..from)?,
            it: tag.get(from..to)?,
            after: tag.get(to..)?,
            context: text.get(..start as usize)?,
            rest: text.get(start as usize + tag.len()..)?,
            related: fault.related.map(|(span, _)| span.of(text)).unwrap_or_default(),
        })
    }

    fn corrected(&self, kind: FaultKind) -> Option<String> {
        let Self { tag, before, it, after, .. } = *self;
        match kind {
            FaultKind::UnclosedMustache => {
                let is_variable = tag
                    .trim_start_matches(['{', '~', ' ', '/'])
                    .starts_with(|c: char| c.is_alphabetic() || c == '_');
                is_variable.then(|| format!("{tag}{}", self.closing()))
            }
            FaultKind::TwoBraces => Some(format!("{tag}}}")),
            FaultKind::ExtraBrace if self.is_in_json() => Some(format!("{before} {it}")),
            FaultKind::ExtraBrace
            | FaultKind::StrayParenthesis
            | FaultKind::SpaceBeforeSign
            | FaultKind::LeadingDot => Some(format!("{before}{after}")),
            FaultKind::MissingName | FaultKind::EmptyParentheses => {
                Some(format!("{}{after}", before.trim_end()))
            }
            FaultKind::Empty if !self.related.is_empty() => {
                Some(format!("{{{{/{}}}}}", tag_name(self.related)))
            }
            FaultKind::FourBraces | FaultKind::UnclosedRawBlock => repair::fewer_braces(self),
            FaultKind::NestedMustache => {
                let inner = it.trim_matches(['{', '}']).trim_matches('~').trim();
                Some(format!("{before}{inner}{}", closed(after)))
            }
            FaultKind::BraceInside => repair::without_inner_braces(self),
            FaultKind::DoubledJson => repair::single_json(tag),
            FaultKind::HashElse => repair::plain_else(tag),
            FaultKind::CloseArguments => Some(format!("{}}}}}", before.trim_end())),
            FaultKind::CloseMismatch => repair::matching_close(self),
            FaultKind::MisplacedTilde => repair::outer_tildes(tag),
            FaultKind::OneBrace | FaultKind::Filter => {
                Some(format!("{}{}", before.trim_end(), self.closing()))
            }
            FaultKind::Operator if it == "||" => {
                Some(format!("{}{}", before.trim_end(), self.closing()))
            }
            FaultKind::Index => Some(repair::dotted_indexes(tag)),
            FaultKind::LiteralSegment => {
                Some(format!("{before}[{}]{after}", it.trim_matches(['"', '\''])))
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
            FaultKind::Comma | FaultKind::UnexpectedCharacter => repair::punctuation(self),
            FaultKind::Apostrophe => {
                let suffix = after.trim_end_matches('}');
                let is_short = suffix.len() < 3 && !suffix.contains(char::is_whitespace);
                is_short.then(|| format!("{before}{}'{suffix}", self.closing()))
            }
            FaultKind::SmartQuotes => {
                Some(tag.replace(['“', '”', '„'], "\"").replace(['‘', '’'], "'"))
            }
            FaultKind::PercentSigns => {
                let name = tag.trim_matches(['{', '}', '%', ' ']);
                (!name.contains(' ')).then(|| format!("{{{{{name}}}}}"))
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
            FaultKind::AsWithoutSpace => {
                Some(format!("{before}as |{}{after}", it.trim_start_matches("as|")))
            }
            FaultKind::BlockParamNames => repair::plain_block_params(self),
            _ => None,
        }
    }

    /// The closing braces that fit the tag's opening ones.
    pub(crate) fn closing(&self) -> &'static str {
        if self.tag.starts_with("{{{") || self.tag.starts_with("{{~{") { "}}}" } else { "}}" }
    }

    /// Whether the text before the tag leaves a single brace open, as JSON around a mustache does.
    fn is_in_json(&self) -> bool {
        let mut open = 0_i32;
        for byte in self.context.bytes().rev().take(2_000) {
            match byte {
                b'{' => open += 1,
                b'}' => open -= 1,
                _ => {}
            }
            if open > 0 {
                return true;
            }
        }
        false
    }
}

/// The rest of a tag, with closing braces if it has none.
fn closed(rest: &str) -> String {
    let content = rest.trim_end_matches('}').trim_end();
    format!("{content}}}}}")
}

/// Whether a corrected tag is valid: by itself, or as one tag of a block whose others are elsewhere.
fn is_sound(tag: &str) -> bool {
    match parse(tag).fault {
        None => true,
        Some(fault) => match fault.kind {
            FaultKind::UnclosedBlock => fault.span.len() as usize == tag.len(),
            FaultKind::StrayClose | FaultKind::StrayElse => {
                fault.span.start == 0 && tag_is_whole(tag, &fault)
            }
            _ => false,
        },
    }
}

/// A stray tag is not read to its end, so it is put where it belongs.
fn tag_is_whole(tag: &str, fault: &Fault) -> bool {
    let block = match fault.kind {
        FaultKind::StrayElse => format!("{{{{#if x}}}}{tag}{{{{/if}}}}"),
        _ => format!("{{{{#{}}}}}{tag}", tag_name(tag)),
    };
    fault.span.len() as usize == tag.len() && parse(&block).fault.is_none()
}
