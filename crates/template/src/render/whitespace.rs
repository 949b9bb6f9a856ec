//! The white space that `~` and standalone tags remove, rule for rule as in the reference.

use super::number::is_space;
use super::program::{Block, Content, Program, Statement, Strip};

/// What a statement does to its neighbours.
#[derive(Default)]
struct Effect {
    strip: Strip,
    /// The opening tag may stand alone, as far as the block itself tells.
    opens_alone: bool,
    /// The closing tag may stand alone.
    closes_alone: bool,
    /// The whole statement may stand alone.
    is_inline: bool,
}

/// Removes white space in a template.
pub(super) fn remove(program: &mut Program<'_>) {
    remove_in(program, true);
}

fn remove_in(program: &mut Program<'_>, is_root: bool) {
    let body = &mut program.statements;
    for at in 0..body.len() {
        let Some(effect) = body.get_mut(at).and_then(effect) else { continue };
        let space_before = ends_a_line(body, at, is_root);
        let space_after = starts_a_line(body, at + 1, is_root);
        if effect.strip.after {
            strip_start(body.get_mut(at + 1), true);
        }
        if effect.strip.before {
            strip_end(before(body, at), true);
        }
        if effect.is_inline && space_before && space_after {
            strip_start(body.get_mut(at + 1), false);
            strip_end(before(body, at), false);
        }
        if effect.opens_alone && space_before {
            if let Some(Statement::Block(block)) = body.get_mut(at) {
                let first = block.first_program();
                strip_start(first.and_then(|it| it.statements.first_mut()), false);
            }
            strip_end(before(body, at), false);
        }
        if effect.closes_alone && space_after {
            strip_start(body.get_mut(at + 1), false);
            if let Some(Statement::Block(block)) = body.get_mut(at) {
                let last = block.last_program();
                strip_end(last.and_then(|it| it.statements.last_mut()), false);
            }
        }
    }
}

fn effect(statement: &mut Statement<'_>) -> Option<Effect> {
    Some(match statement {
        // A program with a partial is not rendered.
        Statement::Text(_) | Statement::Partial(_) => return None,
        Statement::Comment(strip) => Effect { strip: *strip, is_inline: true, ..Effect::default() },
        Statement::Mustache(mustache) => Effect { strip: mustache.strip, ..Effect::default() },
        Statement::Block(block) => block_effect(block),
    })
}

fn block_effect(block: &mut Block<'_>) -> Effect {
    let (open, middle, close) = (block.open, block.middle, block.close);
    for program in [&mut block.program, &mut block.inverse].into_iter().flatten() {
        remove_in(program, false);
    }
    let mut effect =
        Effect { strip: Strip { before: open.before, after: close.after }, ..Effect::default() };
    if let Some(first) = block.first_program() {
        effect.opens_alone = starts_a_line(&first.statements, 0, false);
        if open.after {
            strip_start(first.statements.first_mut(), true);
        }
    }
    if let (Some(program), Some(inverse)) = (&mut block.program, &mut block.inverse) {
        let (body, inverse) = (&mut program.statements, inverse.first_of_chain());
        effect.closes_alone = ends_a_line(inverse, inverse.len(), false);
        if middle.before {
            strip_end(body.last_mut(), true);
        }
        if middle.after {
            strip_start(inverse.first_mut(), true);
        }
        if close.before {
            strip_end(inverse.last_mut(), true);
        }
        if ends_a_line(body, body.len(), false) && starts_a_line(inverse, 0, false) {
            strip_end(body.last_mut(), false);
            strip_start(inverse.first_mut(), false);
        }
    } else if let Some(only) = block.first_program() {
        effect.closes_alone = ends_a_line(&only.statements, only.statements.len(), false);
        if close.before {
            strip_end(only.statements.last_mut(), true);
        }
    }
    effect
}

/// Whether the statement before `at` ends with a line break and white space.
fn ends_a_line(body: &[Statement<'_>], at: usize, is_root: bool) -> bool {
    let Some(previous) = at.checked_sub(1).and_then(|before| body.get(before)) else {
        return is_root;
    };
    let Statement::Text(content) = previous else { return false };
    let text = content.original.trim_end_matches(is_space);
    let space = content.original.get(text.len()..).unwrap_or_default();
    space.contains('\n') || (at == 1 && is_root && text.is_empty())
}

/// Whether the statement at `at` starts with white space and a line break.
fn starts_a_line(body: &[Statement<'_>], at: usize, is_root: bool) -> bool {
    let Some(next) = body.get(at) else { return is_root };
    let Statement::Text(content) = next else { return false };
    let text = content.original.trim_start_matches(is_space);
    let space = content.original.get(..content.original.len() - text.len()).unwrap_or_default();
    space.contains('\n') || (at + 1 == body.len() && is_root && text.is_empty())
}

fn before<'s, 't>(body: &'s mut [Statement<'t>], at: usize) -> Option<&'s mut Statement<'t>> {
    body.get_mut(at.checked_sub(1)?)
}

fn content<'s, 't>(statement: &'s mut Statement<'t>) -> Option<&'s mut Content<'t>> {
    match statement {
        Statement::Text(content) => Some(content),
        _ => None,
    }
}

/// Removes white space at the start of a text: all of it, or the rest of a line.
fn strip_start(statement: Option<&mut Statement<'_>>, all: bool) {
    let Some(content) = statement.and_then(content) else { return };
    if !all && content.is_start_stripped {
        return;
    }
    let text = content.value;
    content.value = if all {
        text.trim_start_matches(is_space)
    } else {
        let rest = text.trim_start_matches([' ', '\t']);
        let rest = rest.strip_prefix('\r').unwrap_or(rest);
        rest.strip_prefix('\n').unwrap_or(rest)
    };
    content.is_start_stripped = content.value.len() != text.len();
}

/// Removes white space at the end of a text: all of it, or the indentation of a line.
fn strip_end(statement: Option<&mut Statement<'_>>, all: bool) {
    let Some(content) = statement.and_then(content) else { return };
    if !all && content.is_end_stripped {
        return;
    }
    let text = content.value;
    content.value =
        if all { text.trim_end_matches(is_space) } else { text.trim_end_matches([' ', '\t']) };
    content.is_end_stripped = content.value.len() != text.len();
}
