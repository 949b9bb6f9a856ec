//! What a template can become, over the branches that it may take.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use std::slice;

use super::{
    error::{RenderError, RenderErrorKind, RenderLimits},
    machine::Machine,
    open::{Assumption, Assumptions, Condition},
    output::Rendering,
    program::Program,
    rendering::compile,
    value::{Object, Open, Value},
};
use crate::parsed::ParsedTemplate;

/// The most paths of a template that are kept.
pub const MAX_PATHS: usize = 64;

/// The paths beyond those that are followed to count them.
const MAX_RUNS: usize = 2_048;

/// The bytes of all texts together.
const MAX_LENGTH: usize = 16 << 20;

/// A template, and what is known of its variables.
#[derive(Clone, Debug)]
pub struct OpenTemplate<'a> {
    /// Its text.
    pub text: &'a str,
    /// The parsed text.
    pub template: &'a ParsedTemplate,
    /// The values that variables have unless a call gives others.
    pub defaults: Object,
}

/// The paths through templates.
#[derive(Clone, Debug, Default)]
pub struct TemplatePaths {
    /// The paths with different texts, at most [`MAX_PATHS`], in the order of the templates: what is set before what is missing. Of more,
    /// those where everything is set or missing, then those with one exception, and so on.
    pub paths: Vec<TemplatePath>,
    /// How many more there are. `None` if they are too many to count, or if there may be some that cannot be followed.
    pub left_out: Option<usize>,
}

/// What templates become on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePath {
    /// The conditions under which calls take it: one of the lists, and all of its conditions. An empty list is every call.
    pub conditions: Vec<Vec<Condition>>,
    /// The texts, one for each template. A variable that is assumed to have a value, and has no default, is `⟨name⟩`.
    pub renderings: Vec<Rendering>,
}

/// Renders templates on every path that their branches make possible, for the same variables.
///
/// Variables are open: a call may give each a value or none. Where a branch depends on one, both are followed, and what follows
/// keeps to it. A value is the default if `if` counts that as true, otherwise text, or an object where its fields are read, or a
/// list with one item where `each` reads it. `fixed` are variables whose values are certain. Of several templates, only the paths are
/// kept on which their texts differ.
///
/// ```
/// use voxlint_template::{Object, OpenTemplate, parse, paths};
///
/// let text = "Hi{{#if name}} {{name}}{{/if}}, {{#unless name}}who is this? {{/unless}}It is {{day}}.";
/// let template = OpenTemplate { text, template: &parse(text), defaults: Object::default() };
/// let found = paths(&[template], Object::default()).unwrap();
/// let texts: Vec<String> = found.paths.iter().map(|path| path.renderings[0].with_marks()).collect();
/// assert_eq!(texts, ["Hi ⟨name⟩, It is ⟨day⟩.", "Hi, who is this? It is ⟨day⟩."]);
/// assert_eq!(found.left_out, Some(0));
/// ```
///
/// # Errors
///
/// The number of a template that the reference fails on for some variables, and its error.
pub fn paths(
    templates: &[OpenTemplate<'_>],
    fixed: Object,
) -> Result<TemplatePaths, (usize, RenderError)> {
    let limits = RenderLimits::default();
    let fixed = Rc::new(fixed);
    let mut programs = Vec::new();
    for (at, OpenTemplate { text, template, defaults }) in templates.iter().enumerate() {
        if template.depth as usize > limits.depth {
            return Err((at, RenderError::too_deep(limits)));
        }
        programs.push((compile(text, template), Open::variables(defaults.clone())));
    }
    let found = explore(&programs, &fixed, limits, Order::Templates)?;
    if found.left_out == Some(0) {
        return Ok(found);
    }
    let left_out = found.left_out;
    Ok(TemplatePaths { left_out, ..explore(&programs, &fixed, limits, Order::Exceptions)? })
}

/// What is followed first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// What differs later in the templates, and what is set before what is missing.
    Templates,
    /// All set, then all missing, then one that differs from the others, and so on.
    Exceptions,
}

fn explore(
    programs: &[(Program<'_>, Value)],
    fixed: &Rc<Object>,
    limits: RenderLimits,
    order: Order,
) -> Result<TemplatePaths, (usize, RenderError)> {
    let mut found = TemplatePaths::default();
    let mut seen = HashSet::new();
    let mut asked: Vec<Vec<Rc<str>>> = Vec::new();
    let mut is_complete = true;
    let (mut runs, mut steps, mut length) = (0, limits.steps, MAX_LENGTH);
    let mut waiting = vec![(0, Assumptions::new(Rc::clone(fixed)))];
    'paths: loop {
        let next = match order {
            Order::Templates => waiting.len().checked_sub(1),
            Order::Exceptions => {
                let keys = waiting.iter().map(|(count, it)| (*count, Reverse(it.len())));
                let next = keys.enumerate().rev().min_by_key(|(_, key)| *key);
                next.map(|(at, _)| at)
            }
        };
        let Some((_, assumed)) = next.map(|at| waiting.remove(at)) else { break };
        runs += 1;
        if runs > MAX_RUNS {
            is_complete = false;
            break;
        }
        let mut renderings = Vec::new();
        for (at, (program, variables)) in programs.iter().enumerate() {
            let limits = RenderLimits { steps, length: length.min(limits.length), ..limits };
            let mut machine = Machine::new(limits);
            machine.assumed = assumed.clone();
            let run = machine.run(program, variables);
            steps = steps.saturating_sub(machine.steps + assumed.len());
            match run {
                Ok(rendering) => {
                    length = length.saturating_sub(rendering.text.len());
                    renderings.push(rendering);
                }
                Err(RenderError { kind: RenderErrorKind::Open(question), .. }) => {
                    if !asked.contains(&question.path) {
                        asked.push(question.path.clone());
                    }
                    match assumed.answered(&question) {
                        Some(answers) => {
                            let answers = answers.into_iter().rev();
                            waiting.extend(answers.map(|it| (it.exceptions(), it)));
                        }
                        None => is_complete = false,
                    }
                    continue 'paths;
                }
                Err(error) if runs > 1 && error.is_exhausted() => {
                    is_complete = false;
                    break 'paths;
                }
                Err(error) => return Err((at, error)),
            }
        }
        let differs =
            |it: &Rendering| !is_same(slice::from_ref(it), renderings.get(..1).unwrap_or_default());
        if renderings.len() > 1 && !renderings.iter().any(differs) {
            continue;
        }
        let conditions = assumed.conditions();
        let same = found.paths.iter_mut().find(|path| is_same(&path.renderings, &renderings));
        if let Some(same) = same {
            same.conditions.push(conditions);
            while join_last(&mut same.conditions) {}
        } else if found.paths.len() < MAX_PATHS {
            found.paths.push(TemplatePath { conditions: vec![conditions], renderings });
        } else {
            let mut hasher = DefaultHasher::new();
            heard(&renderings).for_each(|it| it.hash(&mut hasher));
            seen.insert(hasher.finish());
        }
    }
    found.left_out = is_complete.then_some(seen.len());
    // In the order of the templates.
    for list in found.paths.iter_mut().flat_map(|path| &mut path.conditions) {
        list.sort_by_cached_key(|condition| asked.iter().position(|it| *it == condition.path));
    }
    Ok(found)
}

/// The texts with their gaps.
fn heard(renderings: &[Rendering]) -> impl Iterator<Item = (&str, Vec<(&str, usize)>)> {
    renderings.iter().map(|rendering| {
        let missing = rendering.missing.iter().map(|it| (it.name.as_str(), it.at));
        (rendering.text.as_str(), missing.collect())
    })
}

fn is_same(one: &[Rendering], other: &[Rendering]) -> bool {
    heard(one).eq(heard(other))
}

/// Joins the last two lists if they differ only in whether a variable has a value. What differs later in the templates is
/// followed first, so these are the ones that may.
fn join_last(lists: &mut Vec<Vec<Condition>>) -> bool {
    let [.., one, other] = lists.as_mut_slice() else { return false };
    let mut pairs = one.iter().zip(&*other).enumerate().filter(|(_, (one, other))| one != other);
    let Some((at, (first, second))) = pairs.next() else { return false };
    let is_only = one.len() == other.len() && pairs.next().is_none();
    let is_missing = |it: &Condition| it.assumption == Assumption::Missing;
    let can_join = is_only && first.path == second.path && is_missing(first) != is_missing(second);
    if can_join {
        one.remove(at);
        lists.pop();
    }
    can_join
}
