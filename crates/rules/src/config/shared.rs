//! What several rules about the effective configuration use.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use voxlint_model::effective::listed_version_numbers;
use voxlint_model::effective::settings_object::is_allowed;
use voxlint_model::equality::is_same;
use voxlint_model::stored;
use voxlint_model::value::FromNode as _;
use voxlint_schema::Text;
use voxlint_schema::settings::agent_function;

use crate::prelude::*;

/// Why the pipeline of an agent without `pipeline_type` is not known.
pub(super) const DEFAULT_PIPELINE_UNKNOWN: &str = readings::DEFAULT_PIPELINE.question;

/// Whether a list of ids contains this one.
pub(super) fn has_id(list: Node<'_>, id: &str) -> bool {
    list.elements().any(|known| known.as_str().is_some_and(|known| known == id))
}

/// Whether a list of functions has one of this type. `None` if a type cannot be read.
pub(super) fn has_function(functions: Node<'_>, of_type: &str) -> Option<bool> {
    let mut is_whole = !functions.is_incomplete();
    for function in functions.elements() {
        match text_of(function, &agent_function::function_type) {
            Some(found) if found == of_type => return Some(true),
            Some(_) => {}
            None => is_whole = false,
        }
    }
    is_whole.then_some(false)
}

/// The texts of the items of a list that repeat an earlier one, each with the earlier one.
pub(super) fn repeated<'a>(
    list: Node<'a>,
    text: impl Fn(Node<'a>) -> Option<Node<'a>>,
) -> Vec<(Node<'a>, Node<'a>)> {
    let mut seen = HashMap::new();
    let mut repeated = Vec::new();
    for node in list.elements().filter_map(text).filter(|node| !node.is_faulty()) {
        let Some(name) = node.as_str().filter(|name| !name.is_empty()) else { continue };
        match seen.entry(name) {
            Entry::Occupied(first) => repeated.push((node, *first.get())),
            Entry::Vacant(entry) => {
                entry.insert(node);
            }
        }
    }
    repeated
}

/// How a rule speaks of the items of a list that must have different names.
pub(super) struct NamedItems {
    /// `functions`, after a number.
    pub(super) plural: &'static str,
    /// What to do about two different items with the same name.
    pub(super) help: &'static str,
}

/// The findings about items of a list with the same name, or with names that differ only in case and separators.
pub(super) fn same_names<'a>(
    (list, place): (Node<'a>, &Place),
    name: impl Fn(Node<'a>) -> Option<Node<'a>>,
    items: &NamedItems,
) -> Vec<Verdict> {
    let with_name = |item| Some((item, name(item).filter(|node| !node.is_faulty())?));
    let mut exact: HashMap<Cow<'a, str>, (Node<'a>, Node<'a>)> = HashMap::new();
    let mut flat: HashMap<String, Node<'a>> = HashMap::new();
    let mut verdicts = Vec::new();
    for (item, node) in list.elements().filter_map(with_name) {
        let Some(name) = node.as_str().filter(|name| !name.is_empty()) else { continue };
        let finding = |message| Finding::new(Place::of(place.origin, node), message);
        let flattened = suggest::flatten(&name);
        if let Some((original, first)) = exact.get(&name) {
            let finding = finding(format!("two {} are called {}", items.plural, quote(&name)))
                .also(Place::of(place.origin, *first), "first here");
            let finding = if is_same(*original, item) {
                finding.help("remove one of the two").fix(ProposedFix::remove(
                    "remove the second one",
                    Safety::Unsafe,
                    Place::of(place.origin, item),
                ))
            } else {
                finding.help(items.help)
            };
            verdicts.push(finding.advice());
        } else if let Some(first) = flat.get(&flattened) {
            let other = quote(&first.as_str().unwrap_or_default());
            let message = format!(
                "two {} have nearly the same name: {other} and {}",
                items.plural,
                quote(&name)
            );
            let finding = finding(message)
                .also(Place::of(place.origin, *first), "the other one")
                .help("rename one of the two, or remove it");
            verdicts.push(finding.advice());
        }
        exact.entry(name).or_insert((item, node));
        if !flattened.is_empty() {
            flat.entry(flattened).or_insert(node);
        }
    }
    verdicts
}

/// A text field of an object, unless its value is rejected.
pub(super) fn text_of<'a>(entry: Node<'a>, field: &Field<Text>) -> Option<Cow<'a, str>> {
    let node = entry.field(field.row).filter(|node| is_allowed(&field.row.shape, *node))?;
    Text::from_node(node)
}

/// Whether the state of a campaign or workflow is one of these. The description names the states in prose and does not say how
/// they are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is one of them.
    Yes,
    /// It is one of them in another spelling, such as `RUNNING`, or a word that the description does not mention.
    Perhaps,
    /// It is the opposite state, in any spelling.
    No,
}

impl State {
    pub(super) fn of(state: &str, words: &[&str], opposite: &str) -> Self {
        if words.contains(&state) {
            Self::Yes
        } else if folded(state) == folded(opposite) {
            Self::No
        } else {
            Self::Perhaps
        }
    }
}

/// A word in lower case and without separators.
pub(super) fn folded(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What the meaning of states depends on, each of which may be one of some words. `None` is one that is not given, which
/// `otherwise` is about.
pub(super) fn uncertainty_of(
    states: &[Option<Cow<'_, str>>],
    words: &[&str],
    of: &str,
    otherwise: &'static str,
) -> Condition {
    let meant = |state: &str| words.iter().find(|word| folded(word) == folded(state));
    let Some(states) = states.iter().map(Option::as_ref).collect::<Option<Vec<_>>>() else {
        return Condition::unknowable(otherwise);
    };
    if let Some(state) = states.iter().find(|state| meant(state).is_none()) {
        let state = quote(state);
        return Condition::Unknowable(
            format!("the description does not mention {state} as a state of {of}").into(),
        );
    }
    let condition = Condition::first(&readings::STATE_SPELLING);
    match states.first().and_then(|state| Some((state, meant(state)?))) {
        Some((state, word)) => condition.worded(format!(
            "the description does not say how states are spelled, and {} may mean `{word}`",
            quote(state)
        )),
        None => condition,
    }
}

/// The number of ids that are compared to find a similar one.
pub(super) const SUGGESTED_FROM: usize = 2_000;

/// The ids of a list, or the keys of a map.
pub(super) fn names(known: Node<'_>) -> impl Iterator<Item = Cow<'_, str>> {
    known.members().map(Member::name).chain(known.elements().filter_map(Node::as_str))
}

/// The help for an id that is not in a list of the workspace: a similar id, or the given text.
pub(super) fn similar_or(known: Node<'_>, id: &str, otherwise: &str) -> String {
    let names: Vec<Cow<'_, str>> = names(known).take(SUGGESTED_FROM).collect();
    match suggest::nearest(id, names.iter().map(AsRef::as_ref)) {
        Some(near) => format!("did you mean {}?", quote(near)),
        None => otherwise.to_owned(),
    }
}

/// Whether the agent lists its versions but not this one. `None` if that is not known.
pub(super) fn is_unlisted(config: &Effective<'_>, number: Decimal<'_>) -> Option<bool> {
    let (versions, _) = config.of_agent(&agent::versions)?;
    let numbers = listed_version_numbers(versions);
    if numbers.contains(&Some(number)) {
        return Some(false);
    }
    (!versions.is_incomplete() && !numbers.contains(&None)).then_some(true)
}

/// How to go on where the version of an update cannot be edited: the drafts of the agent, as far as they are known, other than this
/// number.
pub(super) fn name_a_draft(config: &Effective<'_>, other_than: Decimal<'_>) -> String {
    let versions = config.of_agent(&agent::versions).map(|(versions, _)| versions);
    let is_draft = |summary: &Node<'_>| {
        let flag = summary.field(agent::version_summary::is_published.row);
        flag.and_then(Node::as_bool) != Some(true)
    };
    let summaries = versions.into_iter().flat_map(Node::elements).filter(is_draft);
    let mut drafts: Vec<Decimal<'_>> =
        summaries.filter_map(stored::number_of).filter(|number| *number != other_than).collect();
    drafts.sort_unstable();
    drafts.dedup();
    // The latest ones are most likely meant.
    let latest = drafts.split_off(drafts.len().saturating_sub(MAX_DRAFTS));
    let shown: Vec<_> = latest.iter().rev().map(|it| excerpt(it.literal())).collect();
    match shown.as_slice() {
        [] => "create a draft in the service, fetch the stored configuration again, and use the number of the draft".to_owned(),
        [one] => format!("use the number of the draft, {one}"),
        _ => format!("use the number of a draft: {}", shown.join(", ")),
    }
}

/// The largest number of drafts in a help.
pub(super) const MAX_DRAFTS: usize = 10;

/// The functions of the agent, by their names without case and separators. The first one with a name counts.
pub(super) struct FunctionNames<'a>(HashMap<String, Cow<'a, str>>);

impl<'a> FunctionNames<'a> {
    pub(super) fn of(config: &Effective<'a>) -> Self {
        let functions = config.get(&settings::agent_functions);
        let items = functions.known().into_iter().flat_map(|(functions, _)| functions.elements());
        let mut names = HashMap::new();
        for name in items.filter_map(|item| text_of(item, &agent_function::displayName)) {
            names.entry(suggest::flatten(&name)).or_insert(name);
        }
        Self(names)
    }

    /// The function whose name is that of a variable.
    pub(super) fn named(&self, variable: &str) -> Option<&str> {
        self.0.get(&suggest::flatten(variable)).map(|name| &**name)
    }
}
