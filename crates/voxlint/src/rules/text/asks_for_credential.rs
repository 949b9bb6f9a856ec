use voxlint_schema::Role;

use crate::rule::rule;
use crate::text::credential_request::requested;
use crate::value::TextValue;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// A text tells the agent to ask callers for a password, a PIN or a security code.
    ///
    /// What callers say is recorded, transcribed and sent to several services, and callers who get used to such questions
    /// are more likely to answer a scammer. Passwords, PINs, one-time passwords (OTP, TAN) and the security code of a card (CVV)
    /// belong in the keypad of a payment service or in an app. The description says nothing about what agents may ask:
    /// this rule is about the safety of callers.
    ///
    /// The rule reads English, German and Hindi, in Latin letters too, and reports a sentence only if it plainly requests one of
    /// these. These are not reported:
    ///
    /// - a sentence, a list or a section that forbids such questions
    /// - a sentence about a keypad, an app, a link or a website, where callers enter it without saying it
    /// - a question about it, or a request to change it: "Ask if they received the OTP", "Ask them to reset their password"
    /// - postal PIN codes, the password of a guest network, and codes of things, such as the PIN of a gate or a booking
    ///
    /// Each text is reported once.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Ask the caller for the card number, the expiry date and the CVV." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Never ask for an OTP, a PIN or a password. Ask for the PIN code of their area." }
    /// ```
    "asks-for-credential": Text {
        group: Security,
        basis: Inferred("The description does not say what agents may ask callers."),
        section: "2.3",
        needs: [Credential],
    }
}

/// The number of further requests that are shown.
const MAX_SHOWN: usize = 7;

fn check(text: &TextValue<'_>) -> Verdicts {
    if !matches!(text.shape.role, Role::Prompt | Role::Speech | Role::Instruction) {
        return Verdicts::none();
    }
    let mut requested = requested(text.without_comments()).into_iter();
    let Some(first) = requested.next() else { return Verdicts::none() };
    let message = format!(
        "{} asks callers for a credential ({})",
        text.value.name(),
        text.quote(first.clone())
    );
    let mut finding = Finding::new(text.place(first), message)
        .about_value(text.value.place())
        .label("only its owner should know it")
        .help("let callers enter it in an app or on the keypad, or identify them in another way");
    for range in requested.take(MAX_SHOWN) {
        finding = finding.also(text.place(range), "also asked for");
    }
    finding.advice().into()
}
