use voxlint_schema::facts::{voice, voices};

use super::shared::{has_id, text_of};
use crate::prelude::*;

rule! {
    /// The voice model belongs to another provider than the voice.
    ///
    /// The voice model must fit the voice in effect, which an update may omit. If an update sets a new voice and omits the
    /// model, the service uses the recommended one. The facts list the models and the provider of each voice. A model that
    /// no voice lists may be rejected.
    ///
    /// ```json,facts
    /// {
    ///   "voices": {
    ///     "vo_anna": { "provider": "northwind", "models": ["mo_calm"] },
    ///     "vo_ravi": { "provider": "eastwind", "models": ["mo_swift"] }
    ///   }
    /// }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "voice_id": "vo_anna", "voice_model_id": "mo_swift" }
    /// ```
    ///
    /// ```json,facts
    /// { "voices": { "vo_anna": { "provider": "northwind", "models": ["mo_calm"] } } }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "voice_id": "vo_anna", "voice_model_id": "mo_swift" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "voice_model_id": "mo_swift" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "voice_id": "vo_anna" }
    /// ```
    "voice-model-of-another-provider": Config {
        group: Correctness,
        basis: Stated,
        section: "4.1 rule 6",
        status: 400,
        fix: Unsafe("Removes `voice_model_id` if the update also sets the voice. The service then uses the recommended model of that voice."),
        reads: [voice_id, voice_model_id],
        reads_facts: [voices],
        readings: [UNLISTED_MODELS],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (model, at) = match config.get(&voice_model_id) {
        Value::Known(model, at) => (model, at),
        Value::Absent(_) => return Err(NoFinding::Holds),
        // A new voice without a model gets the recommended one.
        Value::Unknown(_) if config.is_in_document(voice_id.row) => return Err(NoFinding::Holds),
        Value::Unknown(_) => return Err(NoFinding::Undecided),
    };
    if !at.is_in_document() && config.is_in_document(voice_id.row) {
        return Err(NoFinding::Holds);
    }
    if model.is_empty() {
        // `empty-id` reports an empty id in the document.
        let is_written = at.is_in_document();
        return Ok(if is_written { Verdict::Holds } else { Verdict::Undecidable(EMPTY.into()) });
    }
    let (voice, beside) = match config.get(&voice_id) {
        Value::Known(voice, beside) => (voice, beside),
        Value::Absent(_) => {
            return Ok(Verdict::Undecidable(
                "`voice_id` is not set, and the description does not say which voice an agent then has".into(),
            ));
        }
        Value::Unknown(_) => return Err(NoFinding::Undecided),
    };
    let (known, _) = config.fact(&voices).ok_or(NoFinding::Undecided)?;
    let Some(entry) = known.get(&voice) else {
        let is_stored = at.is_in_document() && !beside.is_in_document() && !voice.is_empty();
        if !is_stored {
            return Err(NoFinding::Undecided);
        }
        let message = format!("the voice {} is not among the workspace's voices", quote(&voice));
        return Ok(Finding::new(beside, message)
            .about(&voice_id)
            .also(at, "its model")
            .help("set `voice_id` to a voice of the workspace")
            .possible(Condition::unknowable(
                "the facts do not contain the voice, so its provider is not known",
            )));
    };
    Ok(match belongs(known, entry, &model) {
        Belonging::Other { model: of_model, voice: of_voice } => {
            let message = format!(
                "the voice model {} is from {}, but the voice {} is from {}",
                quote(&model),
                quote(&of_model),
                quote(&voice),
                quote(&of_voice)
            );
            let fix = (at.is_in_document() && beside.is_in_document()).then(|| {
                ProposedFix::remove("remove `voice_model_id`", Safety::Unsafe, at.clone())
            });
            let finding = Finding::new(at, message)
                .about(&voice_model_id)
                .also(beside, "the voice in effect")
                .help("remove `voice_model_id` when you change the voice, or use a model of this voice");
            finding.fix(fix).reject()
        }
        Belonging::Nowhere if at.is_in_document() => {
            let message = format!("no voice of the workspace has the model {}", quote(&model));
            Finding::new(at, message)
                .about(&voice_model_id)
                .also(beside, "the voice in effect")
                .help("use a model of this voice")
                .possible(Condition::first(&readings::UNLISTED_MODELS))
        }
        Belonging::Nowhere => {
            let stored = quote(&model);
            Finding::new(at, format!("no voice of the workspace has the stored model {stored}"))
                .about(&voice_model_id)
                .also(beside, "the voice in effect")
                .help("set `voice_model_id` to a model of this voice")
                .unreported(Condition::first(&readings::UNLISTED_MODELS).worded(format!(
                    "no voice of the workspace has the stored model {stored}, which may belong to any provider"
                )))
        }
        Belonging::Same => Verdict::Holds,
        Belonging::Unknown => Verdict::Undecided,
    })
}

/// Why the rule is undecided about a stored model without an id.
const EMPTY: &str =
    "the stored `voice_model_id` is empty, and the description does not say what that means";

/// Whether a model belongs to the provider of a voice.
enum Belonging {
    Same,
    Other { model: String, voice: String },
    Nowhere,
    Unknown,
}

fn belongs(known: Node<'_>, voice: Node<'_>, model: &str) -> Belonging {
    let Some(own) = models(voice) else { return Belonging::Unknown };
    if has_id(own, model) {
        return Belonging::Same;
    }
    let provider = text_of(voice, &voice::provider);
    let mut other = None;
    for entry in known.members().map(|member| member.value) {
        let Some(list) = models(entry) else { return Belonging::Unknown };
        if !has_id(list, model) {
            continue;
        }
        match (text_of(entry, &voice::provider), &provider) {
            (Some(theirs), Some(ours)) if theirs == *ours => return Belonging::Same,
            (Some(theirs), Some(_)) => other = Some(theirs),
            (_, None) | (None, _) => return Belonging::Unknown,
        }
    }
    match (other, provider) {
        (Some(theirs), Some(ours)) => {
            Belonging::Other { model: theirs.into_owned(), voice: ours.into_owned() }
        }
        _ => Belonging::Nowhere,
    }
}

fn models(entry: Node<'_>) -> Option<Node<'_>> {
    entry.field(voice::models.row).filter(|models| models.kind() == Kind::Array)
}
