//! Which kind of document a text holds, if it is one of the service's.
//!
//! A linter that skips a document gives a false green, and one that checks the file of another tool gives false alarms. So
//! every name at the top level is weighed:
//!
//! * **Telling names** speak for an update. A name that only this service uses (`reminder_message_interval`) counts
//!   [`OWN`], `version_number` and `prompt_text`, which other records have now and then, count [`CHARACTERISTIC`], a name
//!   that agents of other services have as well (`voice_id`) counts [`SHARED`], and one that records of all sorts have
//!   (`is_published`) counts [`WEAK`]. A name that is one edit away from a field counts as the field: misspelt names are
//!   what a linter is for.
//! * **Common names** (`title`, `description`, `timezone`) count nothing: they need company.
//! * **Neutral names** count nothing either: what the service answers with (`id`, `created_at`), and, beside a name that
//!   other services do not share, names that look like a clumsier slip for a field.
//! * **Unknown names** speak against an update and count [`UNKNOWN`] each.
//! * **Foreign names**, which only other services and tools have at the top level (`response_engine`, `apiVersion`), count
//!   [`FOREIGN`] each, and beside one shared and weak names count nothing: it is such services that share them.
//!
//! A document is an update if more speaks for it than against it. So one telling name is enough, a few unknown names beside
//! it are mistakes to report, and a crowd of them, or names of another service, veto. `version_number` beside another name
//! that is at least characteristic is an update whatever the number of unknown names: only foreign names speak against
//! it. An update inside a wrapper (`{"update": {…}}`, or up to three of them) is weighed in the same way: it needs a name
//! that is at least characteristic and a value of the right type, and no foreign name beside the wrapper.
//!
//! Answers of the service (agents, version summaries, error bodies, lists of API keys) are known by their members, and the
//! same weights keep the answers of other services apart. The veto only counts where nobody has named the file or its kind.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::sync::LazyLock;

use voxlint_schema::{DocumentKind, Row, Table, agent, api_keys, error, facts, settings, stored};
use voxlint_syntax::{Format, Kind, Member, Node};

use crate::document::Document;
use crate::quote::{list, quote};
use crate::secrets;
use crate::suggest;
use crate::value::has_type_of;

/// The weight of a name that only this service uses.
const OWN: u32 = 10;
/// The weight of a name that says a lot, though other records have it now and then.
const CHARACTERISTIC: u32 = 6;
/// The weight of a name that agents of other services have as well.
const SHARED: u32 = 2;
/// The weight of a name that records of all sorts have.
const WEAK: u32 = 1;
/// What a name of another service or tool weighs against an update.
const FOREIGN: u32 = 4;
/// What a name that nobody knows weighs against an update.
const UNKNOWN: u32 = 1;

/// Fields of 2.3 that files of every kind have: by themselves they say nothing.
const COMMON: [&str; 3] = ["title", "description", "timezone"];

/// Fields of 2.3 that records of all sorts have.
const WEAK_NAMES: [&str; 4] = ["is_published", "folder_id", "webhook_id", "language_id"];

/// Fields of 2.3 that agents of other services and chat bots have as well.
const SHARED_NAMES: [&str; 19] = [
    "version_title",
    "voice_id",
    "voice_model_id",
    "llm_id",
    "llm_temperature",
    "transcriber_id",
    "knowledge_base_ids",
    "welcome_message",
    "voicemail_message",
    "pipeline_type",
    "structured_output",
    "allow_interruptions",
    "responsiveness",
    "interruption_sensitivity",
    "backchannel_frequency",
    "boosted_keywords",
    "denoising_mode",
    "background_sound",
    "ambient_noise",
];

/// Fields of 2.3 that say a lot, and that other records have now and then.
const CHARACTERISTIC_NAMES: [&str; 2] = ["version_number", "prompt_text"];

/// Names that stand at the top level of other services' and tools' documents, and have no place in those of this service.
const FOREIGN_NAMES: [&str; 66] = [
    // Agents and chat bots of other services.
    "agent_name",
    "agents_config",
    "ambient_sound",
    "assistant",
    "assistant_id",
    "assistantId",
    "avatar",
    "begin_message",
    "begin_message_delay_ms",
    "bot_id",
    "bot_name",
    "conversation_config",
    "enable_backchannel",
    "firstMessage",
    "first_message",
    "general_prompt",
    "intents",
    "llm_websocket_url",
    "max_tokens",
    "messages",
    "model",
    "model_name",
    "model_provider",
    "platform_settings",
    "response_engine",
    "system_message",
    "tools",
    "voice_speed",
    "voice_temperature",
    "webhook_url",
    // Configurations, manifests and other files of tools.
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "apiVersion",
    "asyncapi",
    "build-system",
    "cells",
    "compilerOptions",
    "components",
    "containers",
    "dependencies",
    "devDependencies",
    "docker",
    "env",
    "extends",
    "image",
    "jobs",
    "kind",
    "lockfileVersion",
    "manifest_version",
    "metadata",
    "nbformat",
    "openapi",
    "package",
    "panels",
    "paths",
    "plugins",
    "project",
    "repository",
    "resources",
    "scripts",
    "services",
    "swagger",
    "terraform_version",
    "website_url",
];

/// How much has to speak for what stands inside a wrapper before the wrapper is taken for one.
const WRAPPED: u32 = CHARACTERISTIC;

/// How many wrappers an update may have around it.
const WRAPPERS: usize = 3;

/// How many members a wrapper inside another may have. An object with more of them is a record.
const WRAPPER_MEMBERS: usize = 4;

/// What a request for speech has beside the voice: the words to say.
const SPOKEN: &str = "text";

/// For how many unknown names of one object a slip is looked for. A document with more of them is not misspelt.
const LOOKED_UP: usize = 256;

/// What a document looks like.
///
/// ```
/// use voxlint::{Document, DocumentKind, Recognition};
///
/// let text = r#"{ "voice_id": "v_1", "response_engine": {}, "agent_name": "Desk" }"#;
/// let Recognition::Unrecognised(why) = Document::parse(text).recognition() else { panic!() };
/// assert_eq!(why.to_string(), "looks like an update, but `response_engine` belongs to another service");
/// assert_eq!(why.resembles(), Some(DocumentKind::Update));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// A document of this kind.
    Document(DocumentKind),
    /// None that voxlint checks unless somebody names it.
    Unrecognised(Unrecognised),
}

impl Recognition {
    /// The kind of the document, if it was recognised.
    pub const fn kind(&self) -> Option<DocumentKind> {
        match self {
            Self::Document(kind) => Some(*kind),
            Self::Unrecognised(_) => None,
        }
    }

    /// Why the document was not recognised, if it was not.
    pub fn into_unrecognised(self) -> Option<Unrecognised> {
        match self {
            Self::Document(_) => None,
            Self::Unrecognised(why) => Some(why),
        }
    }

    /// The kind to check the document as when somebody has named it: the one that it was recognised as, or the one that it
    /// resembles most.
    pub const fn likely_kind(&self) -> Option<DocumentKind> {
        match self {
            Self::Document(kind) => Some(*kind),
            Self::Unrecognised(why) => why.resembles,
        }
    }
}

/// Why a document was not recognised. Its `Display` form is a short phrase for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecognised {
    resembles: Option<DocumentKind>,
    why: Cow<'static, str>,
}

impl Unrecognised {
    /// The kind of document that it resembles, though something speaks against it.
    pub const fn resembles(&self) -> Option<DocumentKind> {
        self.resembles
    }

    /// A template in a file that nothing calls a prompt: for callers that know where the file lies.
    pub const fn loose_template() -> Self {
        Self { resembles: Some(DocumentKind::Template), why: Cow::Borrowed(LOOSE) }
    }

    const fn nothing(why: &'static str) -> Self {
        Self { resembles: None, why: Cow::Borrowed(why) }
    }

    fn but(kind: DocumentKind, why: impl Into<Cow<'static, str>>) -> Self {
        Self { resembles: Some(kind), why: why.into() }
    }
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resembles {
            Some(kind) if kind != DocumentKind::Template => {
                write!(f, "looks like {}, but {}", kind.noun_phrase(), self.why)
            }
            _ => f.write_str(&self.why),
        }
    }
}

const NO_FIELD: &str = "no field of an agent document at the top level";
const LOOSE: &str = "a template that nothing marks as a prompt";
const PAGE: &str = "a web page template";
const NOT_AN_OBJECT: &str = "not an object";
const EMPTY: &str = "no fields";

pub(crate) fn recognition(document: &Document) -> Recognition {
    if document.format() == Format::Text {
        return if is_web_page(document.text()) {
            Recognition::Unrecognised(Unrecognised::but(DocumentKind::Template, PAGE))
        } else {
            Recognition::Document(DocumentKind::Template)
        };
    }
    let found = match document.tree().root() {
        Some(root) => of_value(root),
        None => Err(Unrecognised::nothing(EMPTY)),
    };
    match found {
        Ok(kind) => Recognition::Document(kind),
        Err(_) if is_broken_update(document) => Recognition::Document(DocumentKind::Update),
        Err(why) => Recognition::Unrecognised(why),
    }
}

fn of_value(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    match root.kind() {
        Kind::Object => of_object(root),
        Kind::Array => of_array(root),
        _ => Err(Unrecognised::nothing(NOT_AN_OBJECT)),
    }
}

/// Several documents in an array are a mistake that somebody should be told of. One of many entries may look like a document
/// by chance, so half of them have to.
fn of_array(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    let mut first = None;
    let mut why = None;
    let (mut documents, mut others) = (0_usize, 0_usize);
    for element in root.elements().filter(|element| element.kind() == Kind::Object) {
        match of_object(element) {
            Ok(kind) => {
                first.get_or_insert(kind);
                documents += 1;
            }
            Err(reason) => {
                why.get_or_insert(reason);
                others += 1;
            }
        }
    }
    match first {
        Some(kind) if documents >= others => Ok(kind),
        Some(kind) => Err(Unrecognised::but(kind, "most entries of the array are something else")),
        None => Err(why.unwrap_or(Unrecognised::nothing(NOT_AN_OBJECT))),
    }
}

fn of_object(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    let has = |name: &str| root.get(name).is_some();
    if is_error_body(root) {
        error_veto(root).map_or(Ok(DocumentKind::Error), Err)
    } else if is_key_list(root) {
        Ok(DocumentKind::ApiKeys)
    } else if is_stored(root) {
        Ok(DocumentKind::Stored)
    } else if is_facts(root) {
        Ok(DocumentKind::Facts)
    } else if names_an_agent(root) && is_agent(root) {
        Score::of_agent(root).verdict(DocumentKind::Agent)
    } else if has("agent_id") && has("version_number") && is_summary(root) {
        Score::of_update(root).verdict(DocumentKind::Version)
    } else {
        of_update(root)
    }
}

fn of_update(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    let score = Score::of_update(root);
    if score.for_it > 0 {
        return score.verdict(DocumentKind::Update);
    }
    let names = COMMON.into_iter().zip(score.common).filter_map(|(name, has)| has.then_some(name));
    let names = list(names);
    Err(if names.is_empty() {
        Unrecognised::nothing(if score.members == 0 { EMPTY } else { NO_FIELD })
    } else {
        Unrecognised {
            resembles: None,
            why: Cow::Owned(format!("only {names}, which files of all kinds have")),
        }
    })
}

/// What speaks for a document and what against it.
#[derive(Debug, Default)]
struct Score {
    for_it: u32,
    /// The part of it that names of other services take away.
    shared: u32,
    against: u32,
    /// Which of the fields that files of every kind have it has.
    common: [bool; COMMON.len()],
    /// The first name of another service.
    foreign: Option<&'static str>,
    /// The number of the version is one of a package.
    is_release: bool,
    /// Whether it has the number of a version.
    has_number: bool,
    /// Whether it has another name that is at least characteristic.
    has_telling: bool,
    /// The part of what speaks against it that is only unknown.
    strange: u32,
    unknown: usize,
    members: usize,
}

impl Score {
    /// An update, by itself or in a wrapper.
    fn of_update(root: Node<'_>) -> Self {
        let mut score = Self::default();
        let wrapped = score.fields_of_update(root, true);
        // In the documents of other tools a wrapper is an example, a schema or an environment.
        if score.foreign.is_none() {
            score.for_it += wrapped;
        }
        score
    }

    /// What stands in the wrapper of an update.
    fn of_wrapped(inner: Node<'_>) -> Self {
        let mut score = Self::default();
        score.fields_of_update(inner, false);
        score
    }

    /// Weighs the names of an object; answers what speaks for updates that its members wrap. In a wrapper only values of the
    /// right type tell anything: schemas and forms have the same names there.
    fn fields_of_update(&mut self, root: Node<'_>, may_wrap: bool) -> u32 {
        // One bit for each field: a field that is given twice tells no more.
        let mut seen = 0_u128;
        let mut wrapped = 0;
        let mut unknown: Vec<Member<'_>> = Vec::new();
        for member in root.members() {
            self.members += 1;
            let name = member.name();
            let row = settings::TABLE.row(&name).or_else(|| {
                let is_looked_up = unknown.len() < LOOKED_UP;
                is_looked_up.then(|| near_miss(&name)).flatten()
            });
            let Some(row) = row else {
                unknown.push(member);
                continue;
            };
            let bit = 1_u128.checked_shl(row.index as u32).unwrap_or_default();
            if seen & bit != 0 {
                continue;
            }
            seen |= bit;
            if let Some(at) = COMMON.iter().position(|common| *common == row.name) {
                if let Some(has) = self.common.get_mut(at) {
                    *has = true;
                }
            } else if row.name == settings::version_number.row.name && is_release(member.value) {
                self.is_release = true;
                self.against += FOREIGN;
            } else if may_wrap
                || has_type_of(row.shape, member.value)
                || member.value.kind() == Kind::Null
            {
                let weight = weight(row);
                self.for_it += weight;
                if row.name == settings::version_number.row.name {
                    self.has_number = true;
                } else if weight >= CHARACTERISTIC {
                    self.has_telling = true;
                }
                self.shared += if weight <= SHARED { weight } else { 0 };
            }
        }
        for member in &unknown {
            let name = member.name();
            if member.key.is_faulty() || is_of_an_answer(&name) {
                continue;
            }
            if settings::default_dynamic_variables::TABLE.row(&name).is_some() {
                // A field that stands one level too high.
                self.for_it += OWN;
                continue;
            }
            if may_wrap && let Some(inner) = weight_of_wrapped(member.value, WRAPPERS) {
                wrapped = inner.max(wrapped);
                continue;
            }
            self.unknown += 1;
            if let Some(foreign) = FOREIGN_NAMES.iter().find(|foreign| **foreign == name) {
                self.foreign.get_or_insert(foreign);
                self.against += FOREIGN;
            } else {
                self.against += UNKNOWN;
                self.strange += UNKNOWN;
            }
        }
        if self.is_request_for_speech(root) {
            self.foreign.get_or_insert(SPOKEN);
            self.against += FOREIGN;
        }
        let wrapped_here = if self.foreign.is_none() { wrapped } else { 0 };
        let is_characteristic = self.for_it - self.shared + wrapped_here > 0;
        if is_characteristic && self.speaks_for_it() + wrapped_here <= self.speaks_against_it() {
            self.excuse_slips(&unknown);
        }
        wrapped
    }

    /// Lets names that look like a slip for a field speak neither for nor against.
    fn excuse_slips(&mut self, unknown: &[Member<'_>]) {
        for member in unknown.iter().take(LOOKED_UP) {
            let name = member.name();
            let is_counted = !member.key.is_faulty()
                && !is_of_an_answer(&name)
                && !FOREIGN_NAMES.contains(&&*name);
            if is_counted
                && suggest::nearest(&name, settings::TABLE.rows.iter().map(|row| row.name))
                    .is_some()
            {
                self.against = self.against.saturating_sub(UNKNOWN);
                self.strange = self.strange.saturating_sub(UNKNOWN);
                self.unknown = self.unknown.saturating_sub(1);
            }
        }
    }

    /// An agent, as the service answers it.
    fn of_agent(root: Node<'_>) -> Self {
        let mut score = Self::default();
        for member in root.members() {
            score.members += 1;
            let name = member.name();
            if let Some(row) = agent::TABLE.row(&name) {
                score.for_it += match row.name {
                    "agent_type" if is_agent_type(member.value) => CHARACTERISTIC,
                    "current_version_number" => CHARACTERISTIC,
                    "current_version" | "versions" | "pipeline_type" => SHARED,
                    "id" | "folder_id" | "webhook_id" => WEAK,
                    _ => 0,
                };
                continue;
            }
            score.unknown += 1;
            if let Some(foreign) = FOREIGN_NAMES.iter().find(|foreign| **foreign == name) {
                score.foreign.get_or_insert(foreign);
                score.against += FOREIGN;
            } else {
                score.against += UNKNOWN;
            }
        }
        score
    }

    fn speaks_for_it(&self) -> u32 {
        self.for_it - if self.foreign.is_some() { self.shared } else { 0 }
    }

    /// What speaks against it. Beside the number of a version and a telling name, unknown names say nothing.
    fn speaks_against_it(&self) -> u32 {
        let is_ours = self.has_number && self.has_telling && self.foreign.is_none();
        self.against.saturating_sub(if is_ours { self.strange } else { 0 })
    }

    /// Whether these are words for a voice to say, and nothing that only updates have.
    fn is_request_for_speech(&self, root: Node<'_>) -> bool {
        self.for_it == self.shared
            && root.get(settings::voice_id.row.name).is_some()
            && root.get(SPOKEN).is_some()
    }

    fn verdict(&self, kind: DocumentKind) -> Result<DocumentKind, Unrecognised> {
        if self.speaks_for_it() > self.speaks_against_it() {
            return Ok(kind);
        }
        let why = if let Some(foreign) = self.foreign {
            Cow::Owned(format!("`{foreign}` belongs to another service"))
        } else if self.is_release {
            Cow::Borrowed("`version_number` is the version of a package")
        } else {
            let verb = if self.unknown == 1 { "is" } else { "are" };
            Cow::Owned(format!("{} of {} fields {verb} unknown", self.unknown, self.members))
        };
        Err(Unrecognised::but(kind, why))
    }
}

fn weight(row: &Row) -> u32 {
    if COMMON.contains(&row.name) {
        0
    } else if WEAK_NAMES.contains(&row.name) {
        WEAK
    } else if SHARED_NAMES.contains(&row.name) {
        SHARED
    } else if CHARACTERISTIC_NAMES.contains(&row.name) {
        CHARACTERISTIC
    } else {
        OWN
    }
}

/// Whether the service's answers about agents have a field of that name.
fn is_of_an_answer(name: &str) -> bool {
    agent::TABLE.row(name).is_some() || agent::version_summary::TABLE.row(name).is_some()
}

fn is_agent_type(value: Node<'_>) -> bool {
    value.as_str().is_some_and(|text| suggest::nearest(&text, agent::AGENT_TYPES).is_some())
}

/// How much speaks for the update in a wrapper; `None` if the value is none.
fn weight_of_wrapped(value: Node<'_>, wrappers: usize) -> Option<u32> {
    match value.kind() {
        Kind::Object => {
            let score = Score::of_wrapped(value);
            let net = score.speaks_for_it().saturating_sub(score.speaks_against_it());
            if net >= WRAPPED {
                return Some(net);
            }
            if wrappers <= 1 || score.foreign.is_some() || score.members > WRAPPER_MEMBERS {
                return None;
            }
            let inner = value.members().map(|member| member.value);
            inner.filter_map(|inner| weight_of_wrapped(inner, wrappers - 1)).max()
        }
        Kind::Array => {
            let mut least: Option<u32> = None;
            for element in value.elements() {
                if element.kind() != Kind::Object {
                    return None;
                }
                let net = weight_of_wrapped(element, wrappers)?;
                least = Some(least.map_or(net, |least| least.min(net)));
            }
            least
        }
        _ => None,
    }
}

/// The members of an object that wrap an update, or several.
#[derive(Debug)]
pub(crate) struct Wrappers<'a> {
    root: Node<'a>,
    /// Whether the object has a name of another service: then nothing in it counts as a wrapper.
    has_foreign_name: OnceCell<bool>,
}

impl<'a> Wrappers<'a> {
    pub(crate) const fn of(root: Node<'a>) -> Self {
        Self { root, has_foreign_name: OnceCell::new() }
    }

    /// Whether a member that no table names is one of them.
    pub(crate) fn has(&self, member: Member<'a>) -> bool {
        weight_of_wrapped(member.value, WRAPPERS).is_some()
            && !*self.has_foreign_name.get_or_init(|| {
                let is_foreign =
                    |member: Member<'_>| FOREIGN_NAMES.iter().any(|name| member.is_named(name));
                self.root.members().any(is_foreign)
            })
    }
}

/// Whether a wrapper holds a field, in itself or in another wrapper.
pub(crate) fn is_wrapped_in(value: Node<'_>, name: &str) -> bool {
    holds(value, name, WRAPPERS)
}

fn holds(value: Node<'_>, name: &str, wrappers: usize) -> bool {
    if wrappers == 0 {
        return false;
    }
    let is_small = || value.members().nth(WRAPPER_MEMBERS).is_none();
    value.get(name).is_some()
        || value.elements().any(|element| holds(element, name, wrappers - 1))
        || (is_small() && value.members().any(|member| holds(member.value, name, wrappers - 1)))
}

/// How many fields of a document an update does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MostlyUnknown {
    pub(crate) unknown: usize,
    pub(crate) fields: usize,
}

/// Says that most fields of a document are unknown, so that it may belong to another service: more speaks against it than
/// for it. The names that the configuration allows are not unknown.
pub(crate) fn mostly_unknown(
    root: Node<'_>,
    is_allowed: impl Fn(&str) -> bool,
) -> Option<MostlyUnknown> {
    const LEAST: usize = 3;
    let mut mostly_unknown = MostlyUnknown { unknown: 0, fields: 0 };
    let mut allowed = 0;
    for member in root.members() {
        let name = member.name();
        mostly_unknown.fields += 1;
        if settings::TABLE.row(&name).is_some() {
            continue;
        }
        if is_allowed(&name) {
            allowed += UNKNOWN;
        } else {
            mostly_unknown.unknown += 1;
        }
    }
    if mostly_unknown.unknown < LEAST || mostly_unknown.unknown * 2 <= mostly_unknown.fields {
        return None;
    }
    let score = Score::of_update(root);
    (score.speaks_for_it() + allowed <= score.against).then_some(mostly_unknown)
}

/// Whether a template is the page of a web site, and not a prompt: it begins with a tag of a page, closes one, or has an
/// attribute that only pages have.
fn is_web_page(text: &str) -> bool {
    const FIRST: [&str; 12] = [
        "!doctype", "html", "head", "body", "div", "section", "main", "nav", "ul", "table", "form",
        "span",
    ];
    // Prompts are often divided by tags, and those have names such as `section`, `style` or `summary`.
    const CLOSED: [&str; 34] = [
        "a", "article", "aside", "body", "button", "canvas", "div", "dl", "fieldset", "figure",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "html", "iframe", "li",
        "nav", "ol", "p", "script", "select", "span", "svg", "table", "td", "tr", "ul", "video",
    ];
    const ATTRIBUTES: [&str; 5] = ["class", "href", "style", "src", "viewbox"];
    let tag_of = |rest: &str| -> String {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '!';
        rest.chars().take_while(|c| !is_end(*c)).take(16).collect::<String>().to_ascii_lowercase()
    };
    if let Some(rest) = text.trim_start().strip_prefix('<')
        && FIRST.contains(&tag_of(rest).as_str())
    {
        return true;
    }
    text.match_indices('<').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        if let Some(closed) = rest.strip_prefix('/') {
            return CLOSED.contains(&tag_of(closed).as_str());
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let end = rest.find(['>', '<']).unwrap_or(rest.len());
        let tag = rest.get(..end).unwrap_or_default();
        let has_attribute = |name: &str| {
            name.rsplit(|c: char| c.is_whitespace())
                .next()
                .is_some_and(|name| ATTRIBUTES.iter().any(|known| name.eq_ignore_ascii_case(known)))
        };
        tag.match_indices('=').any(|(at, _)| has_attribute(tag.get(..at).unwrap_or_default()))
    })
}

/// A status with its words. What else answers with a `statusCode` has a body or headers beside it, as in a mock or in the
/// answer of a function, or speaks of success.
fn is_error_body(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let Some(status) = root.get(error::statusCode.row.name) else { return false };
    let is_success = status.decimal().is_some_and(|status| status < 400);
    let is_worded = has("message") && has("error");
    (is_worded || (!is_success && (has("message") || has("error"))))
        && !["body", "headers", "isBase64Encoded"].into_iter().any(has)
}

/// Why an error body is that of another service: this one answers with three members and a status of section 7.
fn error_veto(root: Node<'_>) -> Option<Unrecognised> {
    let veto = |why: String| Some(Unrecognised::but(DocumentKind::Error, why));
    let mut members = root.members();
    if let Some(member) = members.find(|it| error::TABLE.row(&it.name()).is_none()) {
        return veto(format!("{} belongs to another service", quote(&member.name())));
    }
    if let Some(row) = error::TABLE.rows.iter().find(|row| root.get(row.name).is_none()) {
        return veto(format!("`{}` is missing", row.name));
    }
    let status = root.get(error::statusCode.row.name)?;
    let is_known = |known: u16| match status.kind() {
        Kind::Number => status.decimal().is_none_or(|status| status == i64::from(known)),
        Kind::String => status.as_str().is_none_or(|text| text.trim() == known.to_string()),
        _ => true,
    };
    if error::STATUSES.iter().any(|(known, _)| is_known(*known)) {
        return None;
    }
    veto(format!("the service does not answer {}", quote(status.source())))
}

/// A list whose entries are surely API keys, or the page of a list whose entries may be keys and are nothing else.
fn is_key_list(root: Node<'_>) -> bool {
    let Some(data) = root.get("data").filter(|data| data.kind() == Kind::Array) else {
        return false;
    };
    if data.elements().any(is_surely_a_key) {
        return true;
    }
    let Some(meta) = root.get("meta") else { return false };
    let numbers = Names::of(meta, &api_keys::meta::TABLE);
    // An empty page could be of any list, unless all else is as it is described.
    let is_as_described = numbers == Names { known: 3, strange: 0 }
        && Names::of(root, &api_keys::TABLE) == Names { known: 2, strange: 0 };
    let is_empty = data.elements().next().is_none();
    (is_as_described || (numbers.known > 0 && !is_empty)) && data.elements().all(may_be_a_key)
}

/// An entry that tells when the key was used or whether it has expired, or that shows a secret beside what a key has.
fn is_surely_a_key(entry: Node<'_>) -> bool {
    let mut names = Names::of(entry, &api_keys::entry::TABLE);
    let secrets = entry.members().filter(|member| speaks_of_a_secret(&member.name())).count();
    names.strange -= secrets;
    let has = |name: &str| entry.get(name).is_some();
    let id = entry.get("id").and_then(Node::as_str);
    // The ids of other lists are often numbers, and those of keys never are.
    let is_numbered = entry.get("id").is_none_or(|id| id.kind() == Kind::Number);
    if has("last_used_at") || has("is_expired") {
        !is_numbered && names.known + secrets > names.strange
    } else {
        (secrets > 0 && names.known > 0 || id.is_some_and(|id| id.contains(':') && has("name")))
            && names.strange == 0
    }
}

/// A text as the id, and nothing that keys do not have.
fn may_be_a_key(entry: Node<'_>) -> bool {
    let names = Names::of(entry, &api_keys::entry::TABLE);
    let is_text = entry.get("id").is_some_and(|id| id.kind() == Kind::String);
    is_text && names.known >= 2 && names.strange == 0
}

fn speaks_of_a_secret(name: &str) -> bool {
    secrets::is_secret_of_a_key(name)
}

/// How many members of an object a table names, and how many it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Names {
    known: usize,
    strange: usize,
}

impl Names {
    fn of(object: Node<'_>, table: &Table) -> Self {
        let known = object.members().filter(|member| table.row(&member.name()).is_some()).count();
        Self { known, strange: object.members().count() - known }
    }
}

/// An agent and a version side by side and nothing else, one of which is surely ours.
fn is_stored(root: Node<'_>) -> bool {
    let names = Names::of(root, &stored::TABLE);
    let part = |row: &Row| root.get(row.name).filter(|part| part.kind() == Kind::Object);
    names.strange == 0
        && (part(stored::agent.row).is_some_and(|agent| names_an_agent(agent) && is_agent(agent))
            || part(stored::version.row).is_some_and(|version| of_update(version).is_ok()))
}

/// Nothing but facts of a workspace, one of which no other kind of file would have.
fn is_facts(root: Node<'_>) -> bool {
    let telling = [
        facts::fallback_transcribers.row,
        facts::boosted_keyword_providers.row,
        facts::response_eagerness_provider.row,
        facts::transcribers.row,
        facts::knowledge_bases.row,
        facts::phone_numbers.row,
    ];
    let names = Names::of(root, &facts::TABLE);
    let caching = facts::features::prompt_caching.row.name;
    let tells_of_caching =
        root.get(facts::features.row.name).is_some_and(|features| features.get(caching).is_some());
    names.strange == 0
        && ((names.known >= 2 && telling.into_iter().any(|row| root.get(row.name).is_some()))
            || tells_of_caching)
}

/// The type of an agent or the number of its version, beside another member that only agents have.
fn names_an_agent(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let lists_versions = has("versions") || has("current_version");
    (has("agent_type") && (has("id") || lists_versions || has("current_version_number")))
        || (has("current_version_number") && lists_versions)
}

/// Whether a version number is that of a package: `1.2.0`.
fn is_release(number: Node<'_>) -> bool {
    number.as_str().is_some_and(|text| text.matches('.').count() > 1)
}

/// No member that only the settings of a version have: an update that sends back an agent is an update all the same.
fn is_agent(root: Node<'_>) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || agent::TABLE.row(&name).is_some()
    })
}

/// No member that only the settings of a version have.
fn is_summary(root: Node<'_>) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || agent::version_summary::TABLE.row(&name).is_some()
    })
}

/// The field of 2.3 that a name was meant to be: one slip of the pen away, or in another style of writing, as in
/// `verison_number` and `versionNumber`. Stricter than did-you-mean: `session_number` and `invoice_id` are other words.
fn near_miss(name: &str) -> Option<&'static Row> {
    static FLAT: LazyLock<Vec<(&'static Row, String)>> =
        LazyLock::new(|| settings::TABLE.rows.iter().map(|row| (*row, flat(row.name))).collect());
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let written = flat(name);
    FLAT.iter().find(|(_, meant)| is_near(&written, meant)).map(|(row, _)| *row)
}

fn is_near(written: &str, meant: &str) -> bool {
    if written == meant {
        return true;
    }
    meant.len() >= 5
        && written.len().abs_diff(meant.len()) <= 1
        && written.bytes().next() == meant.bytes().next()
        && strsim::osa_distance(written, meant) <= 1
}

/// Lower case, without what only separates words.
fn flat(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether the text is so broken that its members cannot be told, and still names fields of an update.
fn is_broken_update(document: &Document) -> bool {
    let is_unreadable = match document.tree().root() {
        None => true,
        Some(root) => root.kind() != Kind::Array && root.members().next().is_none(),
    };
    !document.errors().is_empty()
        && is_unreadable
        && (document.mentions_settings()
            || mentions_settings(document.extent().slice(document.text())))
}

/// Whether a text gives a value to a field that no other kind of file would have.
pub(crate) fn mentions_settings(text: &str) -> bool {
    settings::TABLE.rows.iter().filter(|row| row.name.contains('_')).any(|row| {
        text.match_indices(row.name).any(|(at, name)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).unwrap_or_default();
            let after = after.trim_start_matches(['"', '\'', ' ', '\t']);
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && after.starts_with([':', '='])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weighed_names_are_fields_and_foreign_names_are_not() {
        let weighed = COMMON.iter().chain(&WEAK_NAMES).chain(&SHARED_NAMES);
        for name in weighed.chain(&CHARACTERISTIC_NAMES) {
            assert!(settings::TABLE.row(name).is_some(), "{name}");
        }
        for kind in DocumentKind::ALL {
            for name in FOREIGN_NAMES {
                let is_own =
                    kind != DocumentKind::Configuration && kind.table().row(name).is_some();
                assert!(!is_own, "{name} is a field of {}", kind.noun_phrase());
            }
        }
        for name in FOREIGN_NAMES {
            assert!(near_miss(name).is_none(), "{name} is near a field");
        }
        assert!(settings::TABLE.rows.len() <= 128, "a field has no bit of its own");
    }

    #[test]
    fn a_name_is_near_with_one_slip() {
        for (name, meant) in [
            ("verison_number", Some("version_number")),
            ("versionNumber", Some("version_number")),
            ("promt_text", Some("prompt_text")),
            ("llm-id", Some("llm_id")),
            ("session_number", None),
            ("invoice_id", None),
            ("title_text", None),
            ("", None),
        ] {
            assert_eq!(near_miss(name).map(|row| row.name), meant, "{name}");
        }
    }
}
