use crate::prelude::*;

rule! {
    /// The agent begins calls with a welcome message that is empty.
    ///
    /// With `conversation_start_type: agent_defined` the agent begins a call with its `welcome_message`. Without one, the caller
    /// hears nothing and does not know that the agent is waiting.
    ///
    /// ```json,advice
    /// { "version_number": 3, "conversation_start_type": "agent_defined", "welcome_message": "" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "conversation_start_type": "agent_defined" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "conversation_start_type": "user", "welcome_message": "" }
    /// ```
    "welcome-message-missing": Config {
        group: Suspicious,
        basis: Inferred("The names of the start types suggest it, but the description does not explain them."),
        section: "2.3",
        reads: [welcome_message, conversation_start_type],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let message = match config.get(&welcome_message) {
        // `blank-text` reports white space alone.
        Value::Known(text, _) if !text.is_empty() => return Verdict::Holds,
        Value::Known(_, at) => Some(Some(at)),
        Value::Absent(at) => Some(at),
        Value::Unknown(_) => None,
    };
    // A stored combination is left alone: the document has to empty the message, or to choose how calls begin.
    let emptied = message.clone().flatten().filter(Place::is_in_document);
    let (start, beside) = match config.get(&conversation_start_type) {
        Value::Known(name, at) => (name, at),
        Value::Unknown(_) if emptied.is_some() => return Verdict::Undecided,
        Value::Absent(_) | Value::Unknown(_) => return Verdict::Holds,
    };
    let is_written = emptied.is_some() || beside.is_in_document();
    if start != "agent_defined" || !is_written {
        return Verdict::Holds;
    }
    if message.is_none() {
        return Verdict::Undecided;
    }
    let lack =
        if matches!(config.get(&welcome_message), Value::Absent(_)) { "not set" } else { "empty" };
    let text = format!("the agent begins the call with its welcome message, which is {lack}");
    let finding = match emptied {
        Some(at) => Finding::new(at, text).also(beside, "the agent begins"),
        None => Finding::new(beside, text),
    };
    finding
        .about(&welcome_message)
        .help("write a welcome message, or choose another `conversation_start_type`")
        .advice()
}
