use voxlint_model::heard::Prose;

use super::answering_machine_message::answering_machine;
use crate::prelude::*;

rule! {
    /// A voicemail message does not say who called.
    ///
    /// Several dashboards propose such a text: "Please call back when you can." Those who listen to it do not know who has called,
    /// or whom to call back.
    ///
    /// The rule reads English, German, Spanish, French, Portuguese and Italian. It reports a message without variables, digits
    /// and names, in which every word with a capital letter is an ordinary one.
    ///
    /// ```json,advice
    /// { "version_number": 3, "voicemail_message": "Please call back when you can." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "voicemail_message": "This is Harbor Dental. Please call us back when you can." }
    /// ```
    "voicemail-says-nothing": Config {
        group: Heard,
        basis: Inferred("Callers hear the message and nothing else."),
        section: "2.3",
        advice: Info,
        reads: [voicemail_message],
    }
}

/// Words that begin sentences, and German nouns, without which a word in capitals is a name.
const ORDINARY: &str = "i i'm i’m a as at bye call cheers feel good goodbye have hello hey hi if it just leave let looking our please \
     return sorry talk thank thanks the there this unfortunately we we'll we’ll we're we’re we've when whenever you \
     your afternoon morning evening anruf auf bitte bis danke dank gruß grüße guten hallo ich ihnen ihr ihre ihren \
     leider melden nachricht rufen rückruf sie tag vielen wiederhören wir zeit buenas buenos devuélvanos gracias \
     hola llámenos por adiós bonjour merci nous rappelez veuillez au boa bom olá obrigado obrigada grazie";

fn check(config: &Effective<'_>) -> Verdicts {
    let voicemail = config.spoken_in_document(&voicemail_message);
    let nothing =
        voicemail.filter(|it| says_nothing(&it.text) && answering_machine(&it.text).is_none());
    nothing.map_or_else(Verdicts::none, |voicemail| verdict(voicemail).into())
}

fn verdict(voicemail: &Prose<'_>) -> Verdict {
    Finding::new(
        voicemail.at.clone(),
        "`voicemail_message` does not say who called or which number to call",
    )
    .label("who has called?")
    .help("say who calls and how to call back: `This is … from …. Please call us back at ….`")
    .advice()
}

/// Whether a text has no name, number or variable.
fn says_nothing(text: &str) -> bool {
    /// The number of bytes in which a message says nothing at most.
    const MOST: usize = 300;
    let mut words = text.split_whitespace().peekable();
    // Letters without case do not show what is a name.
    let may_be_name = |c: char| {
        c.is_ascii_digit()
            || matches!(c, '{' | '[' | '<')
            || (c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase())
    };
    let is_ordinary = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !word.starts_with(char::is_uppercase)
            || ORDINARY.split(' ').any(|it| it == word.to_lowercase())
    };
    text.len() <= MOST
        && words.peek().is_some()
        && !text.contains(may_be_name)
        && words.all(is_ordinary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_a_name_says_nothing() {
        for text in [
            "Please call back when you can.",
            "Hi! Sorry we missed you. Call us back, thanks!",
            "Guten Tag, bitte rufen Sie uns zurück, wenn Sie Zeit haben.",
            "Hola, por favor llámenos cuando pueda. Gracias.",
        ] {
            assert!(says_nothing(text), "{text}");
        }
        for text in [
            "",
            "This is Harbor Dental. Please call back.",
            "Riley here, please call back.",
            "Please call back at 555 0123.",
            "Hi {{name}}, please call back.",
            "Hier ist die Praxis Kessel, bitte rufen Sie zurück.",
            "कृपया हमें वापस फ़ोन करें।",
        ] {
            assert!(!says_nothing(text), "{text}");
        }
    }
}
