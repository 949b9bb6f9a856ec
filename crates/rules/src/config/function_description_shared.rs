use voxlint_model::heard::shown_name;
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// Two functions have the same description.
    ///
    /// The language model decides by the description when to use a function. If two have the same one, usually copied with the
    /// rest of the function, it chooses by the name alone. Upper and lower case and white space around the text make no
    /// difference. Functions with the same name are reported by `function-listed-twice`.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "book_table", "type": "custom", "description": "Book a table.", "config": {} },
    ///     { "displayName": "cancel_table", "type": "custom", "description": "Book a table.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "book_table", "type": "custom", "description": "Book a table.", "config": {} },
    ///     { "displayName": "cancel_table", "type": "custom", "description": "Cancel a booking.", "config": {} }
    ///   ]
    /// }
    /// ```
    "function-description-shared": Config {
        group: Heard,
        basis: Inferred("Language models choose functions by their descriptions."),
        section: "2.3",
        reads: [agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Value::Known(functions, list) = config.written(&agent_functions) else { return verdicts };
    let mut described = Vec::with_capacity(functions.elements().count());
    described.extend(functions.elements().filter_map(|function| {
        let text = text_of(function, &agent_function::description)?;
        let add = |hash: u64, part: u64| (hash.rotate_left(5) ^ part).wrapping_mul(SPREAD);
        let hash = if text.is_ascii() {
            // Eight letters at once, in lower case.
            let (parts, rest) = text.trim_ascii().as_bytes().as_chunks();
            let parts = parts.iter().map(|part| u64::from_le_bytes(*part));
            let rest = rest.iter().map(|byte| u64::from(*byte));
            parts.chain(rest).fold(0, |hash, part| add(hash, part | u64::from_le_bytes([0x20; 8])))
        } else {
            small_letters(&text).fold(0, |hash, c| add(hash, u64::from(c)))
        };
        (!text.trim().is_empty()).then_some((hash, function))
    }));
    described.sort_by_key(|(hash, function)| (*hash, function.id()));
    for same in described.chunk_by(|(one, _), (other, _)| one == other) {
        let Some(((_, first), others)) = same.split_first() else { continue };
        for (_, second) in others {
            verdicts.add(compare(*first, *second, list.origin));
        }
    }
    verdicts
}

/// Spreads the bits of a part over a hash.
const SPREAD: u64 = 0x517c_c1b7_2722_0a95;

/// The characters of a text in lower case, without white space around it.
fn small_letters(text: &str) -> impl Iterator<Item = char> {
    text.trim().chars().flat_map(char::to_lowercase)
}

fn compare(first: Node<'_>, second: Node<'_>, origin: Origin) -> Verdict {
    let texts = [first, second].map(|it| text_of(it, &agent_function::description));
    let names = [first, second].map(|it| text_of(it, &agent_function::displayName));
    let ([Some(text), Some(same)], [Some(one), Some(other)]) = (texts, names) else {
        return Verdict::Holds;
    };
    if suggest::is_respelling(&one, &other) || !small_letters(&text).eq(small_letters(&same)) {
        return Verdict::Holds;
    }
    let place = |function: Node<'_>| {
        let text = function.field(agent_function::description.row).unwrap_or(function);
        Place::of(origin, text)
    };
    let message =
        format!("{} and {} have the same description", shown_name(&one), shown_name(&other));
    Finding::new(place(second), message)
        .label("the same text")
        .also(place(first), "first here")
        .help("say for each of the two when to use it")
        .advice()
}
