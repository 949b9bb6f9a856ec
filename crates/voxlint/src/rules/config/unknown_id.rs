use voxlint_schema::facts::{
    folders, knowledge_bases, languages, llms, transcribers, voices, webhooks,
};
use voxlint_schema::settings::{
    folder_id, knowledge_base_ids, language_id, llm_fallback_model, llm_id,
    post_call_analysis_llm_id, transcriber_id, voice_id, webhook_id,
};
use voxlint_schema::{Catalogue, Items, Role, Row, Shape};
use voxlint_syntax::{Kind, Node};

use super::{has_id, way_to};
use crate::Origin;
use crate::effective::Effective;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::verdict::{Finding, Hinge, Verdict, Verdicts};

rule! {
    /// An id names nothing in the workspace.
    ///
    /// The voices, transcribers, language models, knowledge bases, webhooks, folders and languages of a workspace are facts,
    /// and a list of them that is given is the whole list. The description does not say whether the service looks an id up
    /// when it is written, or what it answers then: 400, or 404. Only what an update sets is looked up here. The fallback
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
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    for row in RULE.reads {
        let Some((node, _)) = config.written_node(row) else { continue };
        let Some(catalogue) = catalogue(row) else { continue };
        let Some((known, _)) = catalogue.fact().and_then(|fact| config.fact_node(fact)) else {
            verdicts.add(Verdict::Undecided);
            continue;
        };
        let items = node.elements();
        let ids = items.chain((node.kind() == Kind::String).then_some(node));
        verdicts.extend(ids.filter_map(|id| unknown(id, row, catalogue, known)));
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

fn unknown(node: Node<'_>, row: &Row, catalogue: Catalogue, known: Node<'_>) -> Option<Verdict> {
    let id = node.as_str().filter(|id| !id.is_empty() && !node.is_faulty())?;
    let is_known = match known.kind() {
        Kind::Object => known.get(&id).is_some(),
        _ => has_id(known, &id),
    };
    if is_known {
        return None;
    }
    let name = catalogue.name();
    let finding = Finding::new(
        Place::of(Origin::Document, node),
        format!("`{}` names {}, which is none of the workspace's {name}", row.name, quote(&id)),
    )
    .help(way_to(known, &id, &format!("use an id from the {name} of the workspace")));
    Some(finding.possible(Hinge::reading(
        "the description does not say whether the id is looked up when it is written",
    )))
}
