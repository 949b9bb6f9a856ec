use std::cell::OnceCell;
use std::ops::Range;

use voxlint_model::heard::Prose;
use voxlint_model::heard::speakers::{Speaker, mentions, speakers};

use crate::prelude::*;

rule! {
    /// A greeting or voicemail introduces another agent or company than the rest of the document.
    ///
    /// A message that was copied from another agent still has its names: "This is Bruno from Larkfield Motors", where the
    /// prompt says "You are Alex, the assistant of Harbor Dental". Tests rarely reach the voicemail, so it stays.
    ///
    /// The rule reads how texts introduce somebody: "this is … from …", "thank you for calling …", "you are … for …", and the same
    /// in German, Spanish, French, Portuguese and Italian. It reports a company or a first name that none of the other texts mentions, if
    /// one of them introduces another one: for a greeting the prompt, and for a voicemail also the greeting. A name in the title is
    /// right. It also reports a company that is spelled in two ways, "Harbour Dental" and "Habour Dental".
    ///
    /// In an update without the prompt, the stored prompt may mention the name, so the rule is undecided without it.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "You are Alex, the assistant of Harbor Dental. Book appointments.",
    ///   "welcome_message": "Hello, this is Alex from Harbor Dental.",
    ///   "voicemail_message": "Hello, this is Bruno from Larkfield Motors. Please call us back."
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "You are Alex. You answer calls for Harbor Dental in Bern.",
    ///   "welcome_message": "Harbor Dental, hello.",
    ///   "voicemail_message": "Hello, this is Alex from Harbor Dental Bern. Please call us back."
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// {
    ///   "version_number": 3,
    ///   "welcome_message": "Hello, this is Alex from Harbor Dental.",
    ///   "voicemail_message": "Hello, this is Bruno from Larkfield Motors. Please call us back."
    /// }
    /// ```
    "spoken-name-differs": Config {
        group: Heard,
        basis: Inferred("The service speaks the messages as they are."),
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message, title],
    }
}

/// A text that may introduce somebody, as far as it is searched for that.
struct Text<'t> {
    prose: &'t Prose<'t>,
    head: &'t str,
    /// Whom it introduces, found on first use.
    speakers: OnceCell<Vec<Speaker>>,
}

impl<'t> Text<'t> {
    /// The number of bytes of a prompt that say who the agent is.
    const HEAD: usize = 1_000;

    fn of(prose: &'t Prose<'_>) -> Text<'t> {
        let ends = (Self::HEAD - 3..=Self::HEAD).rev();
        let head = ends.into_iter().find_map(|end| prose.text.get(..end));
        Text { prose, head: head.unwrap_or(&prose.text), speakers: OnceCell::new() }
    }

    fn speakers(&self) -> &[Speaker] {
        self.speakers.get_or_init(|| speakers(self.head).collect())
    }

    fn companies(&self) -> impl Iterator<Item = &Range<usize>> {
        self.speakers().iter().filter_map(|it| it.company.as_ref())
    }

    fn agents(&self) -> impl Iterator<Item = &Range<usize>> {
        self.speakers().iter().filter_map(|it| it.agent.as_ref())
    }

    fn get(&self, range: &Range<usize>) -> &'t str {
        self.head.get(range.clone()).unwrap_or_default()
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let [welcome, voicemail] =
        [&welcome_message, &voicemail_message].map(|field| config.spoken_in_document(field));
    let prompt = config.prose_of(&prompt_text);
    let greeting = config.prose_of(&welcome_message);
    let mut verdicts = Verdicts::none();
    let spoken = [(welcome, [None, prompt]), (voicemail, [greeting, prompt])];
    for (spoken, others) in spoken.into_iter().filter_map(|(it, others)| Some((it?, others))) {
        let others: Vec<Text<'_>> = others.into_iter().flatten().map(Text::of).collect();
        if let Some(verdict) = verdict(config, &Text::of(spoken), &others) {
            verdicts.add(verdict);
        }
    }
    verdicts
}

fn verdict(config: &Effective<'_>, spoken: &Text<'_>, others: &[Text<'_>]) -> Option<Verdict> {
    let has_prompt = others.iter().any(|it| !it.prose.is_spoken());
    let is_known = has_prompt || !matches!(config.get(&prompt_text), Value::Unknown(_));
    // Names that nothing can be at odds with are not looked for.
    let introduces = |text: &Text<'_>| !text.speakers().is_empty();
    if !introduces(spoken) || is_known && !others.iter().any(introduces) {
        return None;
    }
    let named = config.get(&title);
    let is_strange = |range: &&Range<usize>| {
        let name = spoken.get(range);
        !others.iter().any(|it| mentions(&it.prose.text, name))
            && !named.known().is_some_and(|(named, _)| mentions(named, name))
    };
    let company = spoken.companies().find(is_strange);
    let agent = spoken.agents().find(is_strange);
    if company.is_none() && agent.is_none() {
        let (name, other, rival) = misspelled(spoken, others)?;
        let help = "use the same spelling in both";
        return Some(
            finding(spoken, name, other, rival, "company")
                .label("spelled another way")
                .help(help)
                .advice(),
        );
    }
    if !is_known {
        return Some(Verdict::Undecided);
    }
    let of_company = |other| Text::companies(other).find(|it| is_company(other, it));
    let of_agent = |other| Text::agents(other).find(|it| is_first_name(other, it));
    let company = company.and_then(|name| {
        let rival = others.iter().find_map(|other| Some((other, of_company(other)?)));
        Some((name, rival?, "company"))
    });
    let agent = || {
        let name = agent.filter(|it| is_first_name(spoken, it))?;
        let rival = others.iter().find_map(|other| Some((other, of_agent(other)?)));
        Some((name, rival?, "agent"))
    };
    let (name, (other, rival), what) = company.or_else(agent)?;
    Some(finding(spoken, name, other, rival, what).advice())
}

fn finding(
    spoken: &Text<'_>,
    name: &Range<usize>,
    other: &Text<'_>,
    rival: &Range<usize>,
    what: &str,
) -> Finding {
    let message = format!(
        "`{}` names {}, but `{}` names {}",
        spoken.prose.row.name,
        spoken.prose.quote(name.clone()),
        other.prose.row.name,
        other.prose.quote(rival.clone()),
    );
    Finding::new(spoken.prose.place(name.clone()), message)
        .about_value(spoken.prose.at.clone())
        .label(format!("another {what}"))
        .help("use the same names in all texts, or mention both in the prompt")
        .also(other.prose.place(rival.clone()), format!("the {what} here"))
}

/// A company whose name has a typo in one of two texts.
fn misspelled<'t>(
    spoken: &'t Text<'_>,
    others: &'t [Text<'_>],
) -> Option<(&'t Range<usize>, &'t Text<'t>, &'t Range<usize>)> {
    let has = |text: &Text<'_>, name: &str| text.prose.text.contains(name);
    spoken.companies().find_map(|name| {
        let written = spoken.get(name);
        let in_other = |other: &'t Text<'t>| {
            let rival = other.companies().find(|rival| {
                let rival = other.get(rival);
                is_misspelling(written, rival) && !has(other, written) && !has(spoken, rival)
            })?;
            Some((other, rival))
        };
        let (other, rival) = others.iter().find_map(in_other)?;
        Some((name, other, rival))
    })
}

/// Whether two names differ by a typo inside of one of their words. Ends of words may be inflected.
fn is_misspelling(one: &str, other: &str) -> bool {
    /// The number of letters from which two names without another word may be the same one.
    const LONG: usize = 7;
    let words = || one.split(' ').zip(other.split(' '));
    let mut differ = words().filter(|(one, other)| one != other);
    let (Some((word, rival)), None) = (differ.next(), differ.next()) else { return false };
    let is_plain = |word: &str| word.len() > 3 && word.bytes().all(|it| it.is_ascii_alphabetic());
    one.split(' ').count() == other.split(' ').count()
        && (words().count() > 1 || word.len() >= LONG)
        && is_plain(word)
        && is_plain(rival)
        && word.bytes().next() == rival.bytes().next()
        && word.bytes().next_back() == rival.bytes().next_back()
        && !word.eq_ignore_ascii_case(rival)
        && suggest::is_one_typo(word, rival)
}

/// Whether a name after a preposition is that of a company, and not a word in capitals: it has several words, or ends a clause.
fn is_company(text: &Text<'_>, range: &Range<usize>) -> bool {
    let after = text.head.get(range.end..).unwrap_or_default();
    text.get(range).contains(' ')
        || after.is_empty()
        || after.starts_with(|c: char| c.is_ascii_punctuation() || c == '\n' || c == '—')
        || after.trim_start().starts_with(['-', '—', '–'])
}

/// Whether a name is one word and no abbreviation, as first names are.
fn is_first_name(text: &Text<'_>, range: &Range<usize>) -> bool {
    let name = text.get(range);
    let rest = name.chars().skip(1);
    let after = text.head.get(range.end..).unwrap_or_default();
    let is_subject =
        after.starts_with([',', '.', '!']) || PARTS.iter().any(|it| after.starts_with(it));
    name.chars().count() > 2 && rest.into_iter().all(char::is_lowercase) && is_subject
}

/// What follows the first name of a speaker.
const PARTS: [&str; 14] = [
    " from",
    " with",
    " at ",
    " calling",
    " speaking",
    " the ",
    " an ",
    " a ",
    " von ",
    " de ",
    " -",
    " –",
    " —",
    " (",
];

#[cfg(test)]
mod tests {
    use super::is_misspelling;

    #[test]
    fn a_typo_in_one_word_is_a_misspelling() {
        for (one, other, expected) in [
            ("Harbour Dental", "Habour Dental", true),
            ("Kessller", "Kessler", true),
            ("Harbor Dental", "Harbor Dental Bern", false),
            ("Praxis Kessler", "Praxis Kesslers", false),
            ("Quay Centre", "Quay Center", false),
            ("Sara", "Sana", false),
            ("Peluquería Sol", "Peluqueria Sol", false),
        ] {
            assert_eq!(is_misspelling(one, other), expected, "{one}, {other}");
        }
    }
}
