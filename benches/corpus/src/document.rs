//! The documents: updates of agents, as teams keep them in a repository.

use crate::prose::{self, VARIABLES};
use crate::random::Random;
use crate::value::{Object, Value, field, hundredths};

const TRADES: [&str; 8] = [
    "Dental practice",
    "Hotel",
    "Energy supplier",
    "Insurance",
    "Parcel service",
    "Garage",
    "Bank",
    "School",
];
const TASKS: [&str; 8] = [
    "front desk",
    "appointments",
    "invoices",
    "complaints",
    "night line",
    "bookings",
    "renewals",
    "surveys",
];
const ZONES: [&str; 6] = [
    "Europe/Zurich",
    "America/Chicago",
    "Asia/Kolkata",
    "Europe/Lisbon",
    "Asia/Tokyo",
    "Australia/Sydney",
];
const KEYWORDS: [&str; 16] = [
    "invoice",
    "root canal",
    "late check out",
    "bakery",
    "kilowatt hour",
    "franking",
    "claim number",
    "night porter",
    "half board",
    "tow truck",
    "IBAN number",
    "school term",
    "meter reading",
    "spare key",
    "sea view",
    "deductible",
];
const ANALYSES: [&str; 10] = [
    "call_outcome",
    "appointment_booked",
    "reason_for_call",
    "mood_of_caller",
    "amount_discussed",
    "language_spoken",
    "needs_follow_up",
    "transferred",
    "number_of_guests",
    "complaint_topic",
];
const PARAMETERS: [&str; 10] = [
    "customer_id",
    "preferred_day",
    "preferred_time",
    "number_of_guests",
    "street",
    "postal_code",
    "order_number",
    "e_mail",
    "reason",
    "branch",
];

/// A document without mistakes, of about 13 KB in JSON with indentation.
pub fn agent(random: &mut Random) -> Object {
    let length = 3_000 + random.below(4_000);
    let functions = 2 + random.below(4);
    sized(random, length, functions)
}

/// A document without mistakes, with a prompt of about this length and this many functions.
pub fn sized(random: &mut Random, prompt_length: usize, functions: usize) -> Object {
    let mut used = Vec::new();
    let prompt = prose::prompt(random, prompt_length, &mut used);
    let mut welcome = "Hello ".to_owned();
    prose::variable(random, &mut welcome, &mut used);
    welcome.push_str(", thank you for calling. How can I help?");
    let mut voicemail = "Please call ".to_owned();
    prose::variable(random, &mut voicemail, &mut used);
    voicemail.push_str(" back. ");
    voicemail.push_str(&prose::plain(random, 1));

    let mut document = identity(random);
    document.extend([
        field("prompt_text", prompt),
        field("system_prompt_text", prose::plain(random, 6)),
        field("welcome_message", welcome),
        field("voicemail_message", voicemail),
        // Otherwise the welcome message has no effect.
        field("conversation_start_type", "agent_defined"),
        field("allow_interruptions", true),
        field("structured_output", false),
        field("default_dynamic_variables", variables(random, used)),
    ]);
    document.extend(models(random));
    document.extend(timing(random));
    document.push(field("post_call_analysis", analyses(random)));
    let functions: Vec<Value> =
        (0..functions).map(|number| function(random, number).into()).collect();
    document.push(field("agent_functions", functions));
    document
}

fn identity(random: &mut Random) -> Object {
    let title = format!("{} {}", random.pick(&TRADES), random.pick(&TASKS));
    let version_title = match random.percent(30) {
        true => Value::Null,
        false => format!("Release {}", random.between(1, 60)).into(),
    };
    vec![
        field("version_number", random.between(1, 90)),
        field("title", title),
        field("version_title", version_title),
        field("description", prose::plain(random, 2)),
        field("timezone", random.pick(&ZONES)),
        field("pipeline_type", "Cascaded"),
        field("webhook_id", id(random, "hook")),
        field("language_id", id(random, "lang")),
        field("is_published", random.percent(50)),
    ]
}

/// Defaults for the variables that the templates use, and numbers that calls may be transferred to.
fn variables(random: &mut Random, mut used: Vec<usize>) -> Object {
    used.sort_unstable();
    used.dedup();
    let mut variables: Object =
        used.into_iter().map(|index| field(VARIABLES[index].0, VARIABLES[index].1)).collect();
    let numbers: Vec<String> = (0..=random.below(3))
        .map(|_| {
            // The beginnings of numbers that can exist.
            format!("{}{}", random.pick(&["+141526", "+9198765"]), random.between(10_000, 99_999))
        })
        .collect();
    variables.push(field("agent_transfer_destinations", numbers.join("|")));
    variables
}

fn models(random: &mut Random) -> Object {
    let bases = random.between(1, 4);
    let bases: Vec<Value> = (0..bases).map(|_| id(random, "kb").into()).collect();
    let with_fallback = random.percent(30);
    let mut models = vec![
        field("llm_id", id(random, "llm")),
        field("llm_temperature", hundredths(random.between(0, 90))),
        field("knowledge_base_ids", bases),
        field("kb_max_chunks", random.between(1, 10)),
        field("kb_min_score", hundredths(random.between(20, 90))),
        field("prompt_caching_enabled", false),
        field("predictive_preprocessing_enabled", random.percent(30)),
        field("voice_id", id(random, "voice")),
        field("voice_model_id", id(random, "model")),
        field("transcriber_id", id(random, "stt")),
        field("fallback_stt_enabled", with_fallback),
    ];
    if with_fallback {
        models.push(field("stt_fallback_transcriber_id", id(random, "backup")));
        models.push(field("stt_fallback_wait_ms", random.between(1, 12) * 100));
    }
    let keywords: Vec<&str> = random.some(&KEYWORDS, 8).into_iter().copied().collect();
    models.extend([
        field("transcription_mode", random.pick(&["optimize_for_speed", "optimize_for_accuracy"])),
        field(
            "denoising_mode",
            if random.percent(40) { Value::Null } else { "remove_noise".into() },
        ),
        field("speech_normalization", random.percent(60)),
        field("transcript_formatting", random.percent(60)),
        field("boosted_keywords", keywords.join(", ")),
        field("audio_cache_enabled", random.percent(70)),
        field("background_sound", random.pick(&["office.wav", "cafe.wav", "lobby.mp3"])),
        field("background_sound_volume", hundredths(random.between(10, 190))),
        field("ambient_noise", random.percent(20)),
    ]);
    models
}

fn timing(random: &mut Random) -> Object {
    let interval = random.between(5, 12);
    vec![
        field("responsiveness", hundredths(random.between(10, 99))),
        field("interruption_sensitivity", hundredths(random.between(10, 99))),
        field("response_eagerness", hundredths(random.between(10, 99))),
        field("backchanneling", false),
        field("reminder_message_interval", interval),
        field("reminder_message_frequency", random.between(1, 3)),
        field("end_call_on_silence_sec", random.between((interval + 6).max(15), 30)),
        field("max_call_duration_sec", random.between(60, 1_800)),
        field("fallback_llm_enabled", false),
    ]
}

fn analyses(random: &mut Random) -> Vec<Value> {
    let count = 3 + random.below(4);
    let names = random.some(&ANALYSES, count);
    let analysis = |name: &&str| {
        let kind = random.pick(&["NUMBER", "STRING", "BOOLEAN", "ENUM"]);
        let mut analysis = vec![
            field("field_name", *name),
            field("field_type", kind),
            field("field_description", prose::plain(random, 1)),
        ];
        if kind == "ENUM" {
            let values = ["good", "neutral", "bad"].map(Value::from);
            analysis.push(field("enum_values", values.to_vec()));
        }
        analysis.into()
    };
    names.into_iter().map(analysis).collect()
}

/// A function. The number keeps its name apart from the others, and the first one transfers calls.
fn function(random: &mut Random, number: usize) -> Object {
    let kind = match number {
        0 => "call_transfer",
        _ => {
            random.pick(&["custom", "custom", "custom", "end_call", "check_calendar_availability"])
        }
    };
    let config = match kind {
        "custom" => request(random),
        "call_transfer" => vec![field("message", prose::plain(random, 1))],
        "end_call" => vec![
            field("message", prose::plain(random, 1)),
            field("speak_before_end", random.percent(50)),
        ],
        _ => calendar(random),
    };
    vec![
        field(
            "displayName",
            format!(
                "{} {} {}",
                random.pick(&["Find", "Book", "Check", "Send"]),
                random.pick(&TASKS),
                number + 1
            ),
        ),
        field("type", kind),
        field("description", prose::plain(random, 2)),
        field("config", config),
    ]
}

fn request(random: &mut Random) -> Object {
    let count = 1 + random.below(4);
    let names: Vec<&str> = random.some(&PARAMETERS, count).into_iter().copied().collect();
    let parameter = |name: &&str| {
        let kind = random.pick(&["string", "number", "boolean"]);
        let description = prose::plain(random, 1);
        field(name, vec![field("type", kind), field("description", description)])
    };
    let properties: Object = names.iter().map(parameter).collect();
    let path = |name: &&str| {
        Value::from(vec![field("path", format!("$.data.{name}")), field("as", *name)])
    };
    let answers: Vec<Value> = names.iter().map(path).collect();
    vec![
        field("url", format!("https://api.example.test/v{}/{}", random.between(1, 3), names[0])),
        field("method", random.pick(&["GET", "POST", "PUT"])),
        field("timeout_ms", random.between(1, 16) * 500),
        field(
            "headers",
            vec![field("content-type", "application/json"), field("x-tenant", id(random, "t"))],
        ),
        field(
            "parameters",
            vec![
                field("type", "object"),
                field("properties", properties),
                field("required", vec![Value::from(names[0])]),
            ],
        ),
        field(
            "retry",
            vec![
                field("max", random.between(0, 5)),
                field("backoff", vec![field("initial_ms", 250), field("factor", 2)]),
            ],
        ),
        field("response_map", answers),
    ]
}

fn calendar(random: &mut Random) -> Object {
    let slot = |from: &str, to: &str| Value::from(vec![field("from", from), field("to", to)]);
    vec![
        field("calendar_id", id(random, "cal")),
        field("event_type_id", random.between(10_000, 99_999)),
        field("timezone", random.pick(&ZONES)),
        field(
            "window",
            vec![
                field("days", random.between(5, 60)),
                field("slots", vec![slot("08:30", "12:00"), slot("13:15", "17:45")]),
            ],
        ),
    ]
}

fn id(random: &mut Random, prefix: &str) -> String {
    format!("{prefix}_{:016x}{:08x}", random.draw(), random.draw() >> 32)
}
