use memchr::memmem;
use voxlint_schema::settings::{prompt_text, voicemail_message, welcome_message};

use crate::effective::Effective;
use crate::heard::Prose;
use crate::heard::hours::{self, Statement, statements};
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// The texts of an agent give different opening hours for the same days.
    ///
    /// Opening hours are changed in one place and forgotten in another: callers hear those of the prompt, and the voicemail has the
    /// old ones.
    ///
    /// The rule reads lines and sentences such as "We are open Monday to Friday 9 am to 5 pm", "Öffnungszeiten: Mo–Fr 9–18 Uhr" and "Horario: de
    /// lunes a viernes de 9:00 a 18:00", in English, German, Spanish, French and Portuguese, and compares those for the same days. It says
    /// nothing about
    ///
    /// - hours of something else: of deliveries, the kitchen, another time zone, a season or holidays
    /// - days with a break, hours without days, and numbers in words
    /// - documents with several locations, and hours under two headings of which each may be about a place of its own
    /// - hours with a condition of a template between them
    ///
    /// No agent that was read while the rule was written contradicts itself like this, so it is off by default.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "We are open Monday to Friday 9 am to 5 pm.",
    ///   "voicemail_message": "Our hours are 8 am to 6 pm Monday to Friday. Please call again."
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Business hours: Mon–Fri 9–17, Sat 10–14. Delivery hours: Mon–Fri 8–20.",
    ///   "voicemail_message": "We're open Monday to Friday from 9 am to 5 pm."
    /// }
    /// ```
    "opening-hours-differ": Config {
        group: Heard,
        default: Off,
        basis: Inferred("A language model gives one of two answers."),
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message],
    }
}

/// A statement, and the text that makes it.
type Said<'p> = (&'p Prose<'p>, Statement);

/// Hours, and the text that has them.
type Hours<'p> = (&'p Prose<'p>, &'p hours::Hours);

/// Words of documents about several places.
const PLACES: [&str; 14] = [
    "locations",
    "branches",
    "offices",
    "clinics",
    "stores",
    "showrooms",
    "tandorte",
    "ilialen",
    "sucursales",
    "sedes",
    "agences",
    "succursales",
    "filiais",
    "unidades",
];

fn check(config: &Effective<'_>) -> Verdicts {
    let all = config.prose().flat_map(|prose| {
        statements(&prose.text, prose.clues()).into_iter().map(move |it| (prose, it))
    });
    let all: Vec<Said<'_>> = all.collect();
    let findings = all.iter().enumerate().filter_map(|(at, said)| {
        let mut earlier = all.iter().take(at).filter(|other| is_comparable(other, said));
        let (one, two) = earlier.find_map(|other| other_hours(other, said))?;
        // The stored value is at odds with the one in the document.
        let (one, two) = if two.0.at.is_in_document() { (one, two) } else { (two, one) };
        Some(finding(one, two).advice())
    });
    let findings: Vec<Verdict> = findings.collect();
    if findings.is_empty() || has_several_places(config) {
        return Verdicts::none();
    }
    findings.into_iter().collect()
}

/// The hours of two statements for the same days, if they differ.
fn other_hours<'s>(
    (prose, one): &'s Said<'_>,
    (other, two): &'s Said<'_>,
) -> Option<(Hours<'s>, Hours<'s>)> {
    one.hours.iter().find_map(|one| {
        let two = two.hours.iter().find(|two| two.days == one.days && two.times != one.times)?;
        Some(((*prose, one), (*other, two)))
    })
}

/// Whether two statements are about the same thing, as far as their words say.
fn is_comparable((prose, one): &Said<'_>, (other, two): &Said<'_>) -> bool {
    let may_be_same =
        |one: &Option<String>, two: &Option<String>| one.is_none() || two.is_none() || one == two;
    let is_ours = prose.at.is_in_document() || other.at.is_in_document();
    if !is_ours || !may_be_same(&one.thing, &two.thing) || !may_be_same(&one.zone, &two.zone) {
        return false;
    }
    if !std::ptr::eq(*prose, *other) {
        return true;
    }
    let between = prose.text.get(one.start..two.start).unwrap_or_default();
    let has = |part: &str| memmem::find(between.as_bytes(), part.as_bytes()).is_some();
    let is_conditional = has("{{#") || has("{{else") || has("{%");
    let is_below_heading = has("\n#") || has("\n**");
    !is_conditional && (one.is_sentence || two.is_sentence || !is_below_heading)
}

fn has_several_places(config: &Effective<'_>) -> bool {
    config.prose().any(|prose| {
        let has = |word: &&str| memmem::find(prose.lower().as_bytes(), word.as_bytes()).is_some();
        PLACES.iter().any(has)
    })
}

fn finding((other, one): Hours<'_>, (prose, two): Hours<'_>) -> Finding {
    let message = format!(
        "the hours here are {}, and {} for the same days in another place",
        prose.quote(two.range.clone()),
        other.quote(one.range.clone())
    );
    Finding::new(prose.place(two.range.clone()), message)
        .about_value(prose.at.clone())
        .label("other hours")
        .also(other.place(one.range.clone()), "the hours for the same days")
        .help("write the same hours in both places, or say what each is about")
}
