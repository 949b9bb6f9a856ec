//! What would happen if all documents of a repository were sent now.

mod across;
mod agent_plan;
pub(crate) mod claims;
mod drift;
pub(crate) mod fleet;
mod former;
mod items;
mod neighbor;
pub(crate) mod order;
mod publishing;

use std::sync::Arc;

pub use agent_plan::{
    AgentPlan, Drift, DriftKind, FleetFinding, Outcome, PlanInputs, PlannedChange, PlannedStatus,
};
pub use neighbor::Neighbor;

use self::claims::{Claims, agent_id, setting_of, shown_version};
use self::neighbor::{is_live, unplanned};
use self::order::Order;
use crate::diff::{least_update, mask};
use crate::paths::heard;
use crate::predict::{OK, Outlook, outlook, phrase, unsendable_because};
use crate::{AnswerReason, ChangeKind, DiffError, Difference, FieldChange, HeardChange};
use voxlint_engine::Faults as _;
use voxlint_engine::states::{States, version_number_of, version_of};
use voxlint_model::masking;
use voxlint_model::masking::Mask;
use voxlint_model::{DiffInputs, Document, Inputs, quote};
use voxlint_schema::{DocumentKind, Row, settings};

/// What would happen if all documents were sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The plans of the documents, by name.
    pub agents: Vec<AgentPlan>,
    /// The order in which to send the bodies: indexes of `agents`.
    pub order: Vec<usize>,
    /// How many documents have each outcome.
    pub counts: PlanCounts,
}

/// How many documents have each outcome, dangers and drift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanCounts {
    /// Nothing is to be sent.
    pub no_change: usize,
    /// The update would be accepted.
    pub update: usize,
    /// The update would be accepted, and publishes.
    pub publish: usize,
    /// The update would be rejected.
    pub refused: usize,
    /// Something unknown decides.
    pub depends: usize,
    /// The stored configuration is not known.
    pub no_stored_state: usize,
    /// Documents with a dangerous change.
    pub dangers: usize,
    /// Documents with a conflict, or with a change made in the service that the update would overwrite or publish.
    pub drifted: usize,
    /// Settings that were changed here and in the service, differently.
    pub conflicts: usize,
}

impl PlanCounts {
    fn of(agents: &[AgentPlan]) -> Self {
        let mut counts = Self::default();
        for agent in agents {
            *match agent.outcome {
                Outcome::NoChange => &mut counts.no_change,
                Outcome::Update => &mut counts.update,
                Outcome::Publish => &mut counts.publish,
                Outcome::Refused => &mut counts.refused,
                Outcome::Depends => &mut counts.depends,
                Outcome::NoStoredState => &mut counts.no_stored_state,
            } += 1;
            counts.dangers += usize::from(agent.has_danger());
            counts.drifted += usize::from(agent.has_drift());
            let conflicts = agent.drift.iter().filter(|it| it.kind == DriftKind::Conflict);
            counts.conflicts += conflicts.count();
        }
        counts
    }
}

/// Joins the plans of documents: the order in which to send them, and the findings of the rules across documents. The result
/// does not depend on the order of `agents`.
///
/// If several documents publish the same version of an agent, the first one by name does. The others are planned for the
/// published version: an update of it is refused.
///
/// ```
/// use voxlint::{Document, Inputs, Outcome, PlanInputs, Stored, plan, plan_agent};
///
/// let stored = r#"{ "agent": { "id": "ag_desk", "agent_type": "Single_Prompt_Agent",
///                              "versions": [{ "version_number": 3, "is_published": false }] },
///                   "version": { "version_number": 3, "title": "Desk", "is_published": false }, "complete": true }"#;
/// let stored = Stored::new(Document::parse(stored));
/// let agents = [("en.json", r#"{ "version_number": 3, "title": "Front desk" }"#), ("de.json", r#"{ "version_number": 4 }"#)];
/// let agents = agents.map(|(name, text)| {
///     let inputs = Inputs::new(Document::parse(text)).stored(Some(stored.clone()).filter(|_| name == "en.json"));
///     plan_agent(&PlanInputs::new(name, inputs))
/// });
///
/// let plan = plan(agents.into());
/// let outcomes: Vec<_> = plan.agents.iter().map(|agent| (&*agent.name, agent.outcome)).collect();
/// assert_eq!(outcomes, [("de.json", Outcome::NoStoredState), ("en.json", Outcome::Update)]);
/// assert_eq!(plan.order, [1]);
/// assert_eq!(plan.counts.update, 1);
/// ```
pub fn plan(agents: Vec<AgentPlan>) -> Plan {
    plan_among(agents, Vec::new())
}

/// Joins the plans of some documents, as [`plan`], and compares them with others that are not planned: documents that are left out,
/// and stored configurations without a document. There are findings about the planned documents only, and the others count
/// as they are: nothing of them is sent.
///
/// ```
/// use voxlint::{Document, Inputs, Neighbor, PlanInputs, Stored, plan_agent, plan_among};
///
/// let inputs = |name: &str, title: &str| {
///     let stored = Stored::new(Document::parse(r#"{ "id": "ag_desk", "agent_type": "Single_Prompt_Agent" }"#));
///     let document = Document::parse(format!(r#"{{ "version_number": 3, "title": "{title}" }}"#));
///     PlanInputs::new(name, Inputs::new(document).stored(stored))
/// };
/// let agents = vec![plan_agent(&inputs("a.json", "Desk"))];
/// let plan = plan_among(agents, vec![Neighbor::document(&inputs("b.json", "Reception"))]);
/// assert_eq!(plan.agents.len(), 1);
/// assert_eq!(&*plan.agents[0].findings[0].diagnostic.rule.id, "version-planned-twice");
/// assert_eq!(&*plan.agents[0].findings[0].others[0], "b.json");
/// ```
pub fn plan_among(mut agents: Vec<AgentPlan>, mut neighbors: Vec<Neighbor>) -> Plan {
    agents = agents.into_iter().map(AgentPlan::into_alone).collect();
    agents.sort_by(|one, other| one.name.cmp(&other.name));
    publishing::plan_later(&mut agents);
    let planned = agents.len();
    neighbors.sort_by(|one, other| one.name().cmp(other.name()));
    agents.extend(neighbors.into_iter().map(Neighbor::into_agent));
    let order = Order::of(&agents);
    across::check(&mut agents, planned, &order);
    agents.truncate(planned);
    for agent in &mut agents {
        agent.sort_changes();
    }
    Plan { order: order.sent, counts: PlanCounts::of(&agents), agents }
}

/// Plans one document: the least update that makes the stored configuration say what the document says, and the answer of the
/// service to it. Fields that the document omits stay as they are.
///
/// The document is taken as an update. A document that equals its stored configuration is [`Outcome::NoChange`], whatever the service
/// would answer, because nothing is to be sent. A stored configuration that [`Stored::faults`](crate::Stored::faults) calls unusable counts as unknown.
///
/// ```
/// use voxlint::{Document, Inputs, Outcome, PlanInputs, Stored, plan_agent};
///
/// let stored = r#"{ "agent": { "id": "ag_desk", "agent_type": "Single_Prompt_Agent",
///                              "versions": [{ "version_number": 3, "is_published": false }] },
///                   "version": { "version_number": 3, "title": "Desk", "is_published": false }, "complete": true }"#;
/// let document = Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// let inputs = Inputs::new(document).stored(Stored::new(Document::parse(stored)));
///
/// let agent = plan_agent(&PlanInputs::new("agents/en.json", inputs));
/// assert_eq!(agent.outcome, Outcome::Update);
/// assert_eq!(agent.changes[0].sentence, "changes `title` from `Desk` to `Front desk`");
/// let body = "{\n  \"version_number\": 3,\n  \"title\": \"Front desk\"\n}";
/// assert_eq!(agent.body.as_deref(), Some(body));
/// ```
pub fn plan_agent(inputs: &PlanInputs) -> AgentPlan {
    let document = inputs.inputs.clone().kind(DocumentKind::Update);
    let planned = match DiffInputs::of(&document) {
        None => Planned::without_stored(&document),
        Some(states) => match least_update(&states) {
            Ok(mut difference) => {
                let mask = mask(&states);
                difference.mask(&mask);
                Planned::of(&document, difference, mask)
            }
            Err(error) => Planned::without_update(&document, &error),
        },
    };
    planned.finish(inputs, &document)
}

/// The plan of a document, before it has its name.
struct Planned {
    outcome: Outcome,
    statuses: Vec<PlannedStatus>,
    difference: Option<Difference>,
    notes: Vec<String>,
    heard: Vec<HeardChange>,
    mask: Mask,
}

impl Planned {
    /// The plan of a document with this difference, which has been masked.
    fn of(document: &Inputs, difference: Difference, mask: Mask) -> Self {
        let (outcome, statuses) = match &difference.update {
            None => (Outcome::NoChange, Vec::new()),
            Some(update) => {
                let mut sent = document.clone().with_document(Document::parse(update.as_str()));
                sent.texts = Arc::default();
                let statuses = statuses(&outlook(&sent), sent.stored.is_some());
                let outcome = match (is_possible(&statuses), statuses.len()) {
                    (false, _) => Outcome::Refused,
                    (true, 1) if difference.publishes() => Outcome::Publish,
                    (true, 1) => Outcome::Update,
                    (true, _) => Outcome::Depends,
                };
                (outcome, statuses)
            }
        };
        let difference = Some(difference);
        Self { outcome, statuses, difference, notes: Vec::new(), heard: Vec::new(), mask }
    }

    fn without_stored(document: &Inputs) -> Self {
        let outlook = outlook(document);
        let statuses = statuses(&outlook, document.stored.is_some());
        let outcome =
            if is_possible(&statuses) { Outcome::NoStoredState } else { Outcome::Refused };
        let mask = masking::secrets_of(document, None);
        let unsendable = unsendable_because(&outlook.report);
        let notes = unsendable.map(|why| format!("the document cannot be sent: {}", why.message));
        let notes = notes.into_iter().collect();
        Self { outcome, statuses, difference: None, notes, heard: Vec::new(), mask }
    }

    /// The plan of a document for which no update can be computed.
    fn without_update(document: &Inputs, error: &DiffError) -> Self {
        if matches!(error, DiffError::OldUnusable(_)) {
            let mut unknown = document.clone();
            unknown.stored = None;
            return Self { notes: vec![error.to_string()], ..Self::without_stored(&unknown) };
        }
        let mut planned = Self::without_stored(document);
        if planned.outcome != Outcome::Refused {
            planned.outcome = Outcome::Depends;
            planned.notes.push(error.to_string());
        }
        planned
    }

    fn publishes(&self, document: &Inputs) -> bool {
        match &self.difference {
            Some(difference) => difference.publishes(),
            None => self.outcome != Outcome::NoChange && claims::says_publish(document),
        }
    }

    /// What the other documents need to know of this one, and whether its version is stored as published. Adds what changes inside
    /// lists and objects to the changes, and finds what callers hear of them.
    fn claims(&mut self, document: &Inputs) -> (Claims, bool) {
        let mut is_published = false;
        let mut claims = Claims::of(document, self.publishes(document), &self.mask);
        let number = version_number_of(document);
        if let Some((stored, number)) = document.stored.as_ref().zip(number)
            && self.difference.is_some()
        {
            let named = version_of(stored, number);
            let states = States::new(stored, &named, &document.document, &document.texts);
            is_published = is_live(&states);
            let changed = self.difference.iter().filter(|it| it.update.is_some());
            let changed = changed.flat_map(|it| &it.changes);
            let changed: Vec<&FieldChange> =
                changed.filter(|it| it.kind != ChangeKind::Repeated).collect();
            let is_changed =
                |row: &Row| changed.iter().any(|it| it.field.strip_prefix('/') == Some(row.name));
            self.heard = heard(&states, &is_changed, &self.mask);
            claims.add_held(&states, &self.mask);
            for change in self.difference.iter_mut().flat_map(|it| &mut it.changes) {
                let name = change.field.strip_prefix('/').unwrap_or_default();
                let row = settings::TABLE.row(name).filter(|_| change.kind != ChangeKind::Repeated);
                if let Some(row) = row.filter(|_| change.texts.is_none()) {
                    change.texts = items::texts(&states.setting(row), &self.mask);
                }
            }
        }
        (claims, is_published)
    }

    fn finish(mut self, inputs: &PlanInputs, document: &Inputs) -> AgentPlan {
        let (claims, is_published) = self.claims(document);
        let is_edited_live = claims.may_edit_published && is_published;
        let Self { outcome, mut statuses, difference, mut notes, heard, mut mask } = self;
        notes.extend(inputs.notes.iter().cloned());
        let mut changes = Vec::new();
        let mut body = None;
        if let Some(difference) = difference {
            let stays = difference.cannot_unset.into_iter().map(|stay| stay.sentence);
            notes.extend(stays.chain(difference.notes));
            body = difference.update.filter(|_| outcome != Outcome::Refused);
            changes.extend(difference.changes.into_iter().map(|change| PlannedChange {
                field: change.field,
                kind: change.kind,
                old: change.old,
                new: change.new,
                sentence: change.sentence,
                texts: change.texts,
                overwrites: false,
                is_live: false,
                takes_from: Vec::new(),
            }));
        }
        let mut drift = Vec::new();
        let states = inputs.base.as_ref().zip(document.stored.as_ref());
        if let Some((base, _)) = states.filter(|(base, stored)| !drift::is_unchanged(base, stored))
        {
            match base.faults().diagnostics.first() {
                None => drift = drift::find(document, base, &mut mask, &mut changes),
                Some(fault) => notes.push(format!(
                    "the stored configuration that the repository last knew cannot be used: {}",
                    fault.message
                )),
            }
        }
        if is_edited_live {
            for change in changes.iter_mut().filter(|it| it.kind != ChangeKind::Repeated) {
                change.is_live = true;
                change.sentence.push_str(", in a published version");
            }
        }
        let masked = |text: String| mask.value(&text);
        for reason in statuses.iter_mut().flat_map(|status| &mut status.reasons) {
            *reason = mask.sentence(reason);
        }
        let mut agent = AgentPlan {
            agent_id: agent_id(document).map(masked),
            version_number: shown_version(document).map(masked),
            title: title(document).map(|title| masked(quote::excerpt(&title))),
            outcome,
            statuses,
            body,
            changes,
            heard,
            notes,
            drift,
            ..unplanned(&inputs.name, claims)
        };
        agent.sort_changes();
        agent
    }
}

/// Whether the service may accept the update.
fn is_possible(statuses: &[PlannedStatus]) -> bool {
    statuses.iter().any(|status| status.status == OK)
}

/// The statuses with their reasons in words.
fn statuses(outlook: &Outlook, has_stored: bool) -> Vec<PlannedStatus> {
    let report = &outlook.report;
    let is_not_listed = |reason: &&AnswerReason| match reason {
        AnswerReason::Undecided(index) if has_stored => {
            report.undecided.get(*index).is_some_and(voxlint_model::Undecided::needs_only_settings)
        }
        _ => false,
    };
    let in_words = |reason: &AnswerReason| match *reason {
        AnswerReason::Diagnostic(index) => {
            let found = report.diagnostics.get(index)?;
            let condition = found.condition().map(|condition| format!(" ({condition})"));
            let condition = condition.unwrap_or_default();
            Some(format!("{}{condition} [{}]", found.message, found.rule.id))
        }
        AnswerReason::Undecided(index) => {
            let entry = report.undecided.get(index)?;
            Some(format!("{} ({}) [{}]", entry.condition(), entry.why(), entry.rule.id))
        }
    };
    let statuses = outlook.statuses.iter();
    statuses
        .map(|(status, is_expected, reasons)| {
            let (not_listed, others): (Vec<_>, Vec<_>) = reasons.iter().partition(is_not_listed);
            PlannedStatus {
                status: *status,
                phrase: phrase(*status),
                is_expected: *is_expected,
                not_listed: not_listed.len(),
                reasons: others.into_iter().chain(not_listed).filter_map(in_words).collect(),
            }
        })
        .collect()
}

fn title(document: &Inputs) -> Option<String> {
    let title = setting_of(document, settings::title.row)?.as_str()?;
    (!title.trim().is_empty()).then(|| title.into_owned())
}
