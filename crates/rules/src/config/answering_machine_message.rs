use std::ops::Range;

use voxlint_model::heard::{Words, words};

use crate::prelude::*;

rule! {
    /// A voicemail message is the text of an answering machine.
    ///
    /// The agent leaves `voicemail_message` on the answering machine that it reaches. "Please leave a message after the tone"
    /// is what that machine says. Those who listen to the message later learn nothing from it.
    ///
    /// The rule knows such sentences in English, German, Spanish, French, Portuguese, Italian, Turkish and Hindi. A message that
    /// asks to be called back is not reported.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "voicemail_message": "You've reached Harbor Dental. Please leave your name and number after the tone."
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "voicemail_message": "This is Harbor Dental. Please call us back, or leave a message if the line is busy."
    /// }
    /// ```
    "answering-machine-message": Config {
        group: Heard,
        basis: Inferred("The name of the field suggests it, but the description does not explain it."),
        section: "2.3",
        reads: [voicemail_message],
    }
}

/// What answering machines say.
static CLUES: Words = words![
    "leave a message|leave me a message|leave us a message|leave your message|leave your name|leave your number|\
     after the tone|after the beep|at the tone|come to the phone|take your call|answer your call|\
     not available right now|hinterlassen sie|nach dem signalton|nach dem piepton|nicht erreichbar|deje su mensaje|\
     deje un mensaje|después del tono|después de la señal|laissez un message|laissez votre message|\
     laisser un message|après le bip|deixe sua mensagem|deixe seu recado|após o sinal|lasciate un messaggio|\
     lasci un messaggio|dopo il segnale acustico|müsait değilim|müsait değiliz|mesaj bırakın|mesajınızı bırakın|\
     संदेश छोड़ें",
];

/// What those say who reach an answering machine.
static CALLBACK: Words = words![
    "call us back|call me back|call us at|give us a call|returning your call|zurückrufen|rufen sie uns|llámenos|\
     rappelez",
];

fn check(config: &Effective<'_>) -> Verdict {
    let voicemail = config.spoken_in_document(&voicemail_message);
    let Some((voicemail, range)) =
        voicemail.and_then(|it| Some((it, answering_machine(&it.text)?)))
    else {
        return Verdict::Holds;
    };
    let message = format!(
        "`voicemail_message` says {}, as an answering machine does",
        voicemail.quote(range.clone())
    );
    Finding::new(voicemail.place(range), message)
        .about_value(voicemail.at.clone())
        .label("what an answering machine says")
        .help("say who calls and why, and how to call back")
        .advice()
}

/// What tells that a text is that of an answering machine.
pub(super) fn answering_machine(text: &str) -> Option<Range<usize>> {
    let (found, _) = CLUES.find(text).next()?;
    CALLBACK.find(text).next().is_none().then_some(found)
}
