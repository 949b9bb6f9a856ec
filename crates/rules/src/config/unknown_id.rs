use std::borrow::Cow;
use std::collections::HashSet;

use voxlint_schema::facts::{
    folders, knowledge_bases, languages, llms, transcribers, voices, webhooks,
};
use voxlint_schema::{Catalogue, Items};

use super::shared::{names, similar_or};
use crate::prelude::*;

rule! {
    /// An id does not exist in the workspace.
    ///
    /// The voices, transcribers, language models, knowledge bases, webhooks, folders and languages of a workspace are
    /// facts, and a list in the facts must be complete. The description does not say whether the service looks an id up
    /// when it is set, or whether it answers 400 or 404. Only ids that an update sets are looked up. The fallback
    /// transcriber, voice models and phone numbers have rules of their own.
    ///
    /// ```json,facts
    /// { "llms": ["llm_large", "llm_small"] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "llm_id": "llm_medium" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "llm_id": "llm_medium" }
    /// ```
    ///
    /// ```json,facts
    /// { "llms": ["llm_large", "llm_medium"] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "llm_id": "llm_medium" }
    /// ```
    "unknown-id": Config {
        group: Correctness,
        basis: Read("It does not say whether these ids are looked up."),
        section: "2.3",
        status: 400 or 404,
        reads: [
            folder_id,
            webhook_id,
            language_id,
            llm_id,
            knowledge_base_ids,
            voice_id,
            transcriber_id,
            llm_fallback_model,
            post_call_analysis_llm_id,
        ],
        reads_facts: [
            voices,
            transcribers,
            llms,
            knowledge_bases,
            webhooks,
            folders,
            languages,
        ],
        readings: [UNKNOWN_IDS],
    }
}

/// The number of unknown ids of one field for which a similar id is looked up.
const SUGGESTIONS: usize = 20;

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for row in RULE.reads {
        let Some((node, _)) = config.written_node(row) else { continue };
        let Some(catalogue) = catalogue(row) else { continue };
        let single = (node.kind() == Kind::String).then_some(node);
        let ids = node.elements().chain(single).filter_map(|node| {
            let id = node.as_str().filter(|id| !id.is_empty() && !node.is_faulty())?;
            Some((node, id))
        });
        let mut ids = ids.peekable();
        if ids.peek().is_none() {
            // The field sets no ids.
            continue;
        }
        let Some((known, _)) = catalogue.fact().and_then(|fact| config.fact_node(fact)) else {
            verdicts.add(Verdict::Undecided);
            continue;
        };
        let listed: HashSet<Cow<'_, str>> = names(known).collect();
        let unknown = ids.filter(|(_, id)| !listed.contains(id)).enumerate();
        verdicts.extend(unknown.map(|(count, (node, id))| {
            let is_looked_up = count < SUGGESTIONS;
            unknown_id(node, &id, catalogue, is_looked_up.then_some(known))
        }));
    }
    verdicts
}

fn catalogue(row: &Row) -> Option<Catalogue> {
    match row.shape {
        Shape::Text(text) | Shape::List(Items::Texts(text)) => match text.role {
            Role::Id(catalogue) => Some(catalogue),
            _ => None,
        },
        _ => None,
    }
}

/// `known` is the list to search for a similar id; `None` skips the search.
fn unknown_id(node: Node<'_>, id: &str, catalogue: Catalogue, known: Option<Node<'_>>) -> Verdict {
    let name = catalogue.name();
    let help = format!("use the id of one of the workspace's {name}");
    Finding::new(
        Place::of(Origin::Document, node),
        format!("{} is not among the workspace's {name}", quote(id)),
    )
    .help(match known {
        Some(known) => similar_or(known, id, &help),
        None => help,
    })
    .possible(Condition::first(&readings::UNKNOWN_IDS))
}
