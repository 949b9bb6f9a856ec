use std::ops::Range;

use voxlint_model::heard::{PromptClue, Words, line_at, sentence_at, words};
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// The prompt sends the model to a knowledge base, and the agent has none.
    ///
    /// Told to look an answer up in a knowledge base that is not there, the language model makes the answer up, or tells every
    /// caller that it does not know.
    ///
    /// The rule reads sentences that tell the model to use, search or consult a knowledge base, in English, German, Spanish,
    /// French and Portuguese. It does not report prompts that contain the knowledge themselves, under a heading or as a
    /// variable, and agents with a function that searches.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Answer questions about prices from the knowledge base.",
    ///   "knowledge_base_ids": [],
    ///   "agent_functions": []
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "prompt_text": "Answer questions about prices from the knowledge base." }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Answer questions about prices from the knowledge base.",
    ///   "knowledge_base_ids": ["kb_prices"]
    /// }
    /// ```
    "knowledge-base-missing": Config {
        group: Heard,
        basis: Inferred("A prompt can only rely on a knowledge base that the agent has."),
        section: "2.3",
        reads: [prompt_text, knowledge_base_ids, agent_functions],
    }
}

/// What the model is told to do with a knowledge base, and what makes a sentence say something else: that it must not, or that the
/// text is in the prompt.
static ACTIONS: Words = words![
    "use|using|search|searching|look|refer|consult|check|query|answer|retrieve|\
     nutze|nutzen|verwende|verwenden|suche|suchen|durchsuche|konsultiere|beantworte|\
     usa|utiliza|consulta|consultar|busca|buscar|responde|\
     utilise|utilisez|consultez|cherche|cherchez|réponds|répondez|\
     utilize|consulte|busque|pesquise|responda",
    "not|never|don't|without|following|below|above|nicht|nie|ohne|folgende|unten|nunca|sin|siguiente|\
     jamais|pas|sans|suivante|ci-dessous|não|sem|seguinte|abaixo",
];

/// Parts of the names and descriptions of functions that look something up.
const SEARCHES: [&str; 8] = [
    "knowledge",
    "search",
    "faq",
    "query",
    "wissen",
    "conocimiento",
    "connaissance",
    "conhecimento",
];

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let list = match config.get(&knowledge_base_ids) {
        Value::Known(ids, _) if ids.elements().next().is_some() || ids.is_incomplete() => {
            return Err(NoFinding::Holds);
        }
        Value::Known(_, place) => Some(Some(place)),
        Value::Absent(place) => Some(place),
        Value::Unknown(_) => None,
    };
    let prompt = config.prose_of(&prompt_text).ok_or(NoFinding::Holds)?;
    let range = relied_on(&prompt.text, prompt.clues()).ok_or(NoFinding::Holds)?;
    let searches = match config.get(&agent_functions) {
        Value::Known(functions, _) => {
            let says = |text: &str| {
                let text = text.to_lowercase();
                SEARCHES.iter().any(|it| text.contains(it))
            };
            let fields = [&agent_function::displayName, &agent_function::description];
            let mut texts = functions
                .elements()
                .flat_map(|it| fields.into_iter().filter_map(move |field| text_of(it, field)));
            Some(functions.is_incomplete() || texts.any(|text| says(&text)))
        }
        Value::Absent(_) => Some(false),
        Value::Unknown(_) => None,
    };
    let list = match (list, searches) {
        (_, Some(true)) => return Err(NoFinding::Holds),
        (Some(list), Some(false)) => list,
        _ => return Err(NoFinding::Undecided),
    };
    let finding = Finding::new(
        prompt.place(range),
        "the prompt relies on a knowledge base, and the agent has none",
    )
    .about_value(prompt.at.clone())
    .label("no knowledge base")
    .help("add its id to `knowledge_base_ids`, or write the facts into the prompt");
    Ok(finding.also(list.map(Place::name), "empty").advice())
}

/// The first knowledge base that the model is told to use, unless the prompt contains one.
fn relied_on(text: &str, clues: &[(Range<usize>, PromptClue)]) -> Option<Range<usize>> {
    let mut first = None;
    for (range, what) in clues {
        match what {
            PromptClue::KnowledgeSection => return None,
            PromptClue::KnowledgeBase if is_heading(text, range) => return None,
            PromptClue::KnowledgeBase => {}
            _ => continue,
        }
        let sentence = text.get(sentence_at(text, range.start)).unwrap_or_default();
        let mut actions = ACTIONS.find(sentence).peekable();
        if actions.peek().is_some() && actions.all(|(_, group)| group == 0) {
            first = first.or(Some(range.clone()));
        }
    }
    first
}

/// Whether the line is the title of a section: marked as one, or a name with a colon and nothing else.
fn is_heading(text: &str, range: &Range<usize>) -> bool {
    let line = text.get(line_at(text, range.start)).unwrap_or_default().trim();
    let content = line.trim_matches(|c: char| !c.is_alphanumeric());
    line.starts_with(['#', '=', '[', '<'])
        || content.len() <= range.len() + 20 && ACTIONS.find(content).next().is_none()
}

#[cfg(test)]
mod tests {
    use super::relied_on;
    use voxlint_model::heard::prompt_clues::find;

    #[test]
    fn sentences_that_send_the_model_to_a_knowledge_base_are_found_in_five_languages() {
        for text in [
            "- **Prices**: use your knowledge base.",
            "Be brief.\nSearch the Knowledge Base again before you give up.",
            "Nutze die Wissensdatenbank für Fragen zu Preisen.",
            "Consulta la base de conocimientos antes de responder.",
            "Consultez la base de connaissances avant chaque prix.",
            "Consulte a base de conhecimento antes de responder.",
        ] {
            assert!(relied_on(text, &find(text).clues).is_some(), "{text}");
        }
    }

    #[test]
    fn a_knowledge_base_in_the_prompt_is_not_missing() {
        for text in [
            "Answer from the knowledge base.\n\n## Knowledge base\n- Open from nine to five.",
            "Answer from the knowledge base.\n\n**KNOWLEDGE BASE:**\n- Open from nine to five.",
            "Answer from the knowledge base:\n{{knowledge_base}}",
            "Use the following knowledge base.\nOpen from nine to five.",
            "Never use the knowledge base for prices.",
            "We sell a knowledge base.",
        ] {
            assert!(relied_on(text, &find(text).clues).is_none(), "{text}");
        }
    }
}
