use voxlint_schema::settings::{language_id, voicemail_message, welcome_message};

use crate::engine::effective::Effective;
use crate::heard::language::{name_of, other_language};
use crate::quote::quote;
use crate::rule::rule;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// A greeting or voicemail is in another language than `language_id`.
    ///
    /// Speech recognition expects the language of the agent, and the voice pronounces it. Callers who are greeted in another
    /// one answer in that language.
    ///
    /// The rule compares `welcome_message` and `voicemail_message` with a `language_id` that is the code or the English name of
    /// a language, such as `de`, `en-IN` or `Hindi`. The ids of the service's own catalogue tell nothing. It reports a text in
    /// another script, or a text with several common words of English, German, Spanish, French, Portuguese, Italian, Dutch or
    /// Turkish and none of its own language. Short and mixed texts are not reported, nor are codes such as `multi`, `en-hi` and
    /// `hi-Latn`.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "language_id": "de",
    ///   "welcome_message": "Hello, this is Harbor Dental. How can I help you today?"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "language_id": "hi",
    ///   "welcome_message": "Namaste, main Asha bol rahi hoon. How can I help you today?"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "language_id": "multi",
    ///   "welcome_message": "Hello, this is Harbor Dental. How can I help you today?"
    /// }
    /// ```
    "spoken-language-differs": Config {
        group: Heard,
        basis: Inferred("The description does not say what the language of an agent does to its messages."),
        section: "2.3",
        reads: [language_id, welcome_message, voicemail_message],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let language = config.get(&language_id);
    let Some((code, at)) = language.known() else { return Verdicts::none() };
    let Some(expected) = name_of(code) else { return Verdicts::none() };
    let mut verdicts = Verdicts::none();
    for prose in config.spoken() {
        let is_written = prose.at.is_in_document();
        if !is_written && !at.is_in_document() {
            continue;
        }
        let Some(spoken) = other_language(code, &prose.text) else { continue };
        let name = prose.row.name;
        let message =
            format!("`{name}` is in {spoken}, but `language_id` is {} ({expected})", quote(code));
        let (place, other, label) = if is_written {
            (prose.at.clone(), at.clone(), "the language of the agent")
        } else {
            (at.clone(), prose.at.clone(), "the stored message")
        };
        let finding = Finding::new(place, message)
            .help("use the same language in both")
            .also(other, label)
            .once_for("language");
        verdicts.add(Verdict::Advice(finding));
    }
    verdicts
}
