//! What prompts are made of: sentences, headings, lists and template expressions, in several languages.

use crate::random::Random;

/// The variables that prompts use, with the default that a document gives for each.
pub const VARIABLES: [(&str, &str); 24] = [
    ("caller_name", "Jordan"),
    ("company", "Northwind Dental"),
    ("appointment_day", "Tuesday"),
    ("appointment_time", "half past nine"),
    ("branch_city", "Zürich"),
    ("street", "Hauptstraße 12"),
    ("order_number", "A 1042"),
    ("delivery_window", "between two and four"),
    ("balance", "120.50"),
    ("currency", "euros"),
    ("due_day", "the first of the month"),
    ("policy_name", "家庭保险"),
    ("callback_hours", "9 to 17"),
    ("technician", "Łukasz"),
    ("room_type", "double room"),
    ("check_in_day", "Friday"),
    ("guests", "2"),
    ("plan", "basic"),
    ("renewal_month", "March"),
    ("support_level", "standard"),
    ("is_member", ""),
    ("wants_reminder", ""),
    ("has_open_order", ""),
    ("speaks_english", "yes"),
];

/// Variables that stand for yes or no, which blocks test.
const CONDITIONS: [&str; 4] = ["is_member", "wants_reminder", "has_open_order", "speaks_english"];

const HEADINGS: [&str; 10] = [
    "Role",
    "How to speak",
    "Booking an appointment",
    "Changing an appointment",
    "When something goes wrong",
    "Prices and payments",
    "Passing the call on",
    "Things to avoid",
    "Examples",
    "Ending the call",
];

const SUBJECTS: [&str; 12] = [
    "The caller",
    "A new customer",
    "Somebody who calls about an invoice",
    "A regular guest",
    "The person on the line",
    "A worried parent",
    "Anybody in a hurry",
    "A supplier",
    "Someone who has waited a long time",
    "The account holder",
    "A caller from abroad",
    "The person who booked the room",
];

const WISHES: [&str; 14] = [
    "wants to know when the next free slot is",
    "may ask to move the date by a week",
    "often gives the number without its last digits",
    "prefers a short answer to a complete one",
    "sometimes asks two questions at once",
    "has usually read the letter already",
    "expects to hear the price before the details",
    "needs the address spelled out slowly",
    "might not remember the order number",
    "can be transferred to a colleague at any time",
    "would rather get a message than another call",
    "has to confirm the date of birth first",
    "should hear the summary only once",
    "does not always know which branch is meant",
];

const ORDERS: [&str; 14] = [
    "Offer two dates, never more than two",
    "Repeat numbers in groups of three",
    "Ask one question at a time and wait",
    "Do not promise a call back before it has been entered",
    "Say plainly when you do not know something",
    "Thank them for their patience, but only once",
    "Write the outcome down before you hang up",
    "Leave out everything that was said earlier in the call",
    "Spell unusual names letter by letter",
    "Switch to a slower pace if they ask twice",
    "Never read a whole card number aloud",
    "Mention the opening hours only when asked",
    "Keep each reply below three sentences",
    "Stop at once when they start to speak",
];

const REASONS: [&str; 10] = [
    "because the line may be bad",
    "unless they are in a hurry",
    "even if the calendar looks full",
    "so that nothing has to be said twice",
    "as soon as the booking is found",
    "before anything else is discussed",
    "if the first attempt fails",
    "since prices change during the season",
    "when the branch is closed",
    "and then continue where you stopped",
];

/// One sentence in eleven languages: texts are not only ASCII.
const OTHER_LANGUAGES: [&str; 11] = [
    "Für Rückfragen erreichen Sie uns täglich außer sonntags.",
    "Pouvez-vous répéter votre numéro, s'il vous plaît ?",
    "¿Prefiere usted la mañana o la tarde?",
    "Obrigado pela sua paciência, só mais um momento.",
    "नमस्ते, मैं आपकी क्या सहायता कर सकती हूँ?",
    "ขอบคุณที่รอสาย",
    "少々お待ちください。",
    "请告诉我您的订单号码。",
    "Dziękuję, już sprawdzam wolne terminy.",
    "Спасибо, что подождали.",
    "هل تفضل الصباح أم المساء؟",
];

/// The prompt of an agent, of about this length, and the variables that it uses (by their index in [`VARIABLES`]).
pub fn prompt(random: &mut Random, length: usize, used: &mut Vec<usize>) -> String {
    let mut text = String::with_capacity(length + 400);
    text.push_str("# Role\nYou answer the phone for ");
    variable(random, &mut text, used);
    text.push_str(".\n");
    while text.len() < length {
        match random.below(20) {
            0 => {
                text.push_str("\n## ");
                text.push_str(random.pick(&HEADINGS));
                text.push('\n');
            }
            1 | 2 => {
                text.push_str("Greet ");
                variable(random, &mut text, used);
                text.push_str(" by name, and say that ");
                variable(random, &mut text, used);
                text.push_str(" is noted.\n");
            }
            3 => block(random, &mut text, used),
            4 => {
                text.push_str(random.pick(&OTHER_LANGUAGES));
                text.push('\n');
            }
            5 => {
                text.push_str("Say: \"");
                sentence(random, &mut text);
                text.push_str("\"\n");
            }
            6..=12 => {
                text.push_str("- ");
                sentence(random, &mut text);
                text.push('\n');
            }
            _ => {
                for _ in 0..=random.below(3) {
                    sentence(random, &mut text);
                    text.push(' ');
                }
                text.pop();
                text.push('\n');
            }
        }
    }
    text.push_str("\nEnd every call with a short goodbye.");
    text
}

/// A short text without template expressions.
pub fn plain(random: &mut Random, sentences: usize) -> String {
    let mut text = String::new();
    for index in 0..sentences {
        if index > 0 {
            text.push(' ');
        }
        sentence(random, &mut text);
    }
    text
}

fn sentence(random: &mut Random, text: &mut String) {
    if random.percent(50) {
        text.push_str(random.pick(&SUBJECTS));
        text.push(' ');
        text.push_str(random.pick(&WISHES));
    } else {
        text.push_str(random.pick(&ORDERS));
    }
    if random.percent(40) {
        text.push_str(", ");
        text.push_str(random.pick(&REASONS));
    }
    text.push('.');
}

/// A variable in mustaches.
pub fn variable(random: &mut Random, text: &mut String, used: &mut Vec<usize>) {
    let index = random.below(VARIABLES.len() - CONDITIONS.len());
    used.push(index);
    let spaces = if random.percent(10) { " " } else { "" };
    text.extend(["{{", spaces, VARIABLES[index].0, spaces, "}}"]);
}

fn block(random: &mut Random, text: &mut String, used: &mut Vec<usize>) {
    let condition = random.pick(&CONDITIONS);
    used.extend(VARIABLES.iter().position(|(name, _)| *name == condition));
    let helper = if random.percent(75) { "if" } else { "unless" };
    text.extend(["{{#", helper, " ", condition, "}}\n  "]);
    sentence(random, text);
    if random.percent(40) {
        text.push_str("\n{{else}}\n  ");
        sentence(random, text);
    }
    text.extend(["\n{{/", helper, "}}\n"]);
}
