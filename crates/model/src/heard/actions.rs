//! Names of functions that prompts mention with no word such as "call" or "tool" beside them: "Then `create_booking`."
//!
//! Such a name says what the function does: it begins with a verb, or ends with one. Names of fields, intents and states look alike,
//! so names with the words of fields count as those, and so do names in lines about intents or states.

use std::ops::Range;

use super::sentences::is_negated;
use super::{Words, line_at, words};

/// What many names of functions begin with.
pub(super) static ACTIONS: Words = words![
    "add|answer|ask|book|buscar|calculate|cancel|cancelar|change|check|collect|compare|confirm|consultar|create|crea|crear|\
    criar|delete|end|enviar|escalate|evaluate|fetch|find|finish|forward|generate|get|give|guardar|hand|handoff|hang|hangup|\
    identify|list|load|log|look|lookup|mark|modify|mover|notify|obter|order|park|place|query|read|record|register|remove|\
    request|reschedule|reservar|resolve|retrieve|route|save|schedule|search|select|send|set|start|store|submit|switch|tag|\
    transfer|update|validate|verify|write",
];

/// First words of names that nearly no field has.
static STRONG: Words = words![
    "check|connect|create|delete|escalate|fetch|find|get|handoff|lookup|modify|notify|remove|reschedule|retrieve|save|send|\
    submit|update|validate|verify",
];

/// First words of functions in Spanish, Portuguese, French and Italian.
static ROMANCE: Words = words![
    "actualizar|agendar|anotar|apri|appeler|avisar|cambiar|cerca|chercher|chiudi|colgar|confirmar|consulta|consultar|crea|\
    creer|dejar|desligar|encerrar|enregistrer|enviar|envoyer|finalizar|invia|joindre|ligar|liga|llamar|marcar|mostrar|\
    obtener|obter|pasar|passa|passar|planifier|prendre|prenota|prenotare|programar|raccrocher|reagendar|registar|registra|\
    registrar|remover|reservar|reserver|rechercher|richiama|richiedi|termina|terminar|terminer|transferir|transferer|\
    trasferisci|verifica|verificar|verifier",
];

/// Last words of functions in German and Turkish.
static LAST: Words = words![
    "abfragen|absagen|anfordern|anlegen|anrufen|anmelden|auflegen|beenden|bestellen|bitir|buchen|degistir|dogrula|eintragen|\
    getir|gonder|iptal|kapat|kaydet|melden|olustur|planla|prüfen|pruefen|senden|sonlandir|sorgula|stornieren|suchen|\
    verbinden|verschieben|weiterleiten|aktar",
];

/// Last words of fields, whatever is before them.
static FIELD: Words = words![
    "at|back|color|context|count|date|dates|day|end|flag|format|frequency|id|ids|in|iso|key|language|limit|mode|name|needed|\
    off|on|out|path|percent|phone|reason|requested|start|term|time|times|timezone|token|type|up|url|value",
];

/// Last words of fields, behind a first word that is also a noun.
static THING: Words = words![
    "address|agent|amount|code|details|email|fields|items|level|list|message|method|note|notes|number|options|order|outcome|\
    price|query|rate|result|results|score|slot|slots|status|summary|text|title",
];

/// Words of lines about other things than functions.
const OTHER: [&str; 20] = [
    "intent",
    "outcome",
    "disposition",
    "classif",
    "categor",
    "kategorie",
    "event",
    "field",
    "parameter",
    "argument",
    "variable",
    "campo",
    "champ",
    "feld",
    "state",
    "stage",
    "node",
    "webhook",
    "transition",
    "already been",
];

/// Whether a name says what it does, and is mentioned as that of a function.
pub(super) fn is_called(text: &str, name: &Range<usize>) -> bool {
    text.get(name.clone()).is_some_and(is_action) && is_mentioned(text, name)
}

/// Whether the words of a name say that something is done.
fn is_action(name: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase();
    let trimmed = name.trim_end_matches('_');
    // `end_call` and `endCall`
    let end = trimmed.find(|c| c == '_' || is_capital(c)).unwrap_or(trimmed.len());
    let start = trimmed.rfind(|c| c == '_' || is_capital(c)).unwrap_or(0);
    let first = trimmed.get(..end).unwrap_or_default();
    let last = trimmed.get(start..).unwrap_or_default().trim_start_matches('_');
    let is_strong = STRONG.contains(first);
    let is_verb =
        is_strong || ACTIONS.contains(first) || ROMANCE.contains(first) || LAST.contains(last);
    end < trimmed.len()
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && is_verb
        && !FIELD.contains(last)
        && (is_strong || !THING.contains(last))
}

/// Whether a line mentions a name as a function: with other words, and not as a key, a text or a part of a path.
fn is_mentioned(text: &str, name: &Range<usize>) -> bool {
    let before = text.get(..name.start).unwrap_or_default();
    let after = text.get(name.end..).unwrap_or_default();
    let is_code = before.ends_with('`') && after.starts_with('`');
    let mut next = after.chars();
    let is_free = !before
        .ends_with(|c: char| c.is_alphanumeric() || ".{$/\\#@-\"'%=<[".contains(c))
        && match next.next() {
            Some('.') => !next.next().is_some_and(char::is_alphanumeric),
            Some(c) => !":=}@/\"'-<>]".contains(c),
            None => true,
        };
    if !is_free || !is_code && is_thing(before) || has_state(after) {
        return false;
    }
    let line = line_at(text, name.start);
    let words = text.get(line.clone()).unwrap_or_default();
    let earlier = text.get(line.start..name.start).unwrap_or_default();
    let opened = earlier.rfind('{');
    let is_in_braces =
        opened.is_some_and(|at| !earlier.get(at..).unwrap_or_default().contains('}'));
    let others = words.split(|c: char| !c.is_alphabetic() && c != '_');
    let others = others.filter(|word| !word.is_empty() && !word.contains('_')).count();
    let later = text.get(name.end..line.end).unwrap_or_default();
    let is_enumeration = later.contains(" | ") && !words.trim_start().starts_with('|');
    let around = format!("{earlier} {later}").to_lowercase();
    (others > 1 || is_code && others > 0)
        && !is_in_braces
        && !is_enumeration
        && !OTHER.iter().any(|word| around.contains(word))
        && !is_negated(text, name.start)
}

/// Whether the word before a name makes it the name of a thing: "their `update_frequency`".
pub(super) fn is_thing(before: &str) -> bool {
    static OWNERS: Words = words!["a|the|their|his|her|your|our|its|preferred|each|every"];
    before.trim_end().rsplit(' ').next().is_some_and(|word| OWNERS.contains(word))
}

/// Whether the words behind a name tell what it is: "if `check_result` is negative".
fn has_state(after: &str) -> bool {
    static STATES: Words = words!["is|was|equals|contains|ist|war|es|est|è|é"];
    let after = after.trim_start_matches(['`', '*']).trim_start();
    after.split(' ').next().is_some_and(|word| STATES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::prompt_clues;
    use super::is_called;

    #[test]
    fn names_that_say_what_they_do_are_found() {
        for (text, expected) in [
            ("Read it back. Then `create_booking`.", &["create_booking"][..]),
            ("1. check_availability mit dem Datum", &["check_availability"]),
            ("Rufe ERST DANN save_customer_info auf", &["save_customer_info"]),
            ("Thank them. Then endCall.", &["endCall"]),
            ("Ask for their orderNumber and searchTerm.", &[]),
            ("Sonunda `randevu_olustur` fonksiyonunu çağır.", &["randevu_olustur"]),
            (
                "Un \"sí\" → `crear_cita`, luego `pasar_a_recepcion`.",
                &["crear_cita", "pasar_a_recepcion"],
            ),
            ("फिर `send_report` चलाएँ।", &["send_report"]),
            ("\"I'll put you through.\" → `transfer_to_desk`", &["transfer_to_desk"]),
            ("Ask for the start_date, order_number and check_in.", &[]),
            ("Intents: book_appointment, cancel_appointment", &[]),
            ("- book_appointment\n- `cancel_appointment`", &[]),
            ("{% if handoff_client %} say hello {% endif %}", &[]),
            ("close it with {\"send_copy\": true, send_mail: true}", &[]),
            ("See https://example.test/get_started for this", &[]),
            ("Never use send_mail here.", &[]),
            ("Ask for the preferred update_frequency first.", &[]),
            ("Tell the caller the `list_price` of the room.", &[]),
            ("If `check_result` is negative, say so.", &[]),
        ] {
            let found =
                prompt_clues::find(text).names.into_iter().filter(|name| is_called(text, name));
            let found: Vec<_> = found.filter_map(|it| text.get(it)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
