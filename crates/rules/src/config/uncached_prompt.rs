use memchr::memmem;

use crate::prelude::*;

rule! {
    /// Prompt caching is on, but a variable near the beginning of a long prompt changes with each call.
    ///
    /// Language models only cache what precedes the first difference between two prompts. With a variable in the first lines,
    /// nearly nothing is cached, and each turn costs and takes longer than it needs to. Variables at the end of the prompt are
    /// understood as well.
    ///
    /// The rule reports prompts of more than 4,096 bytes with less than a quarter before the first `{{`.
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_caching_enabled": true, "prompt_text": "You talk to {{caller_name}}. Be brief." }
    /// ```
    "uncached-prompt": Config {
        group: Heard,
        basis: Inferred("Language models cache the beginning of prompts."),
        section: "2.3",
        advice: Info,
        reads: [prompt_caching_enabled, prompt_text],
    }
}

/// The number of bytes above which a prompt is long.
const LONG: usize = 4_096;

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let setting = match config.get(&prompt_caching_enabled) {
        Value::Known(true, place) => Some(place),
        Value::Known(false, _) | Value::Absent(_) => return Err(NoFinding::Holds),
        Value::Unknown(_) => None,
    };
    let prompt = config.prose_of(&prompt_text).filter(|prompt| prompt.text.len() > LONG);
    let prompt = prompt.ok_or(NoFinding::Holds)?;
    let text = &*prompt.text;
    let head = text.as_bytes().get(..text.len() / 4).unwrap_or_default();
    let Some(first) = memmem::find(head, b"{{").and_then(|_| tags(text).next()) else {
        return Err(NoFinding::Holds);
    };
    if first >= head.len() {
        return Err(NoFinding::Holds);
    }
    let setting = setting.ok_or(NoFinding::Undecided)?;
    let end = text.get(first..).and_then(|rest| rest.find("}}")).map_or(2, |end| end + 2);
    let share = |bytes: usize| bytes * 100 / text.len();
    let message = format!(
        "only the first {first} of {} bytes of the prompt ({} %) can be cached",
        text.len(),
        share(first)
    );
    // The first place in the second half that is not the same in each call.
    let next = tags(text).find(|at| *at >= text.len() / 2);
    let moved = tags(text).take_while(|at| next.is_none_or(|next| *at < next)).count();
    let moved = if moved == 1 { "it".to_owned() } else { format!("the first {moved} tags") };
    let help = match next {
        Some(at) => format!(
            "move {moved} below line {} of the prompt, where the next tag is: then about {} % can be cached",
            text.get(..at).unwrap_or_default().matches('\n').count() + 1,
            share(at)
        ),
        None => {
            format!("move {moved} to the end of the prompt: then nearly all of it can be cached")
        }
    };
    Ok(Finding::new(prompt.place(first..first + end), message)
        .about_value(prompt.at.clone())
        .label("may change with each call")
        .also(setting, "caching is on")
        .help(help)
        .advice())
}

/// Where the tags of a template begin.
fn tags(text: &str) -> impl Iterator<Item = usize> {
    let is_escaped = |at: usize| text.get(..at).is_some_and(|before| before.ends_with('\\'));
    memmem::find_iter(text.as_bytes(), b"{{").filter(move |at| !is_escaped(*at))
}
