use crate::prelude::*;

without_effect! {
    /// A welcome message is given to an agent that does not begin with it.
    ///
    /// `welcome_message` is what an agent with the start type `agent_defined` says first. With `user` the caller speaks first,
    /// and with `agent_dynamic` the language model finds its own words, so the message is never spoken.
    ///
    /// ```json,advice
    /// { "version_number": 3, "conversation_start_type": "user", "welcome_message": "Welcome to the Harbor Hotel." }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "welcome_message": "Welcome to the Harbor Hotel." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "conversation_start_type": "agent_defined", "welcome_message": "Welcome to the Harbor Hotel." }
    /// ```
    "welcome-message-without-effect": {
        basis: Inferred("The names of the start types suggest it, but the description does not explain them."),
        section: "2.3",
        when: Is(conversation_start_type, &["user", "agent_dynamic"]),
        why: "the agent does not begin the call with it",
        help: "set `conversation_start_type` to `agent_defined`, or remove the message",
        settings: [welcome_message],
    }
}
