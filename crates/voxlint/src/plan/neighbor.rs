//! Documents and stored configurations beside those of a plan.

use std::sync::Arc;

use voxlint_engine::states::{States, version_number_of, version_of};
use voxlint_model::effective::StoredSetting;
use voxlint_model::masking;
use voxlint_model::{Document, Inputs, Stored};
use voxlint_schema::DocumentKind;
use voxlint_schema::settings::is_published;

use super::agent_plan::{AgentPlan, Outcome, PlanInputs};
use super::claims::{Claims, Unplanned, agent_id, says_publish, shown_version};

/// A document or a stored configuration that is not planned, with what it claims: phone numbers, and a version of an agent.
/// [`plan_among`](crate::plan_among) compares the documents of a plan with it.
///
/// It is much cheaper than the plan of a document, because nothing is checked and no update is computed.
#[derive(Clone, Debug)]
pub struct Neighbor(AgentPlan);

impl Neighbor {
    /// A document, with its stored configuration if it is known. Of the facts and the base nothing is used.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, Neighbor, PlanInputs};
    ///
    /// let document = Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#);
    /// let neighbor = Neighbor::document(&PlanInputs::new("agents/en.json", Inputs::new(document)));
    /// assert_eq!(neighbor.name(), "agents/en.json");
    /// ```
    pub fn document(inputs: &PlanInputs) -> Self {
        let document = inputs.inputs.clone().kind(DocumentKind::Update);
        let mask = masking::secrets_of(&document, None);
        let stored = document.stored.as_ref().zip(version_number_of(&document));
        let mut publishes = says_publish(&document);
        let mut claims;
        if let Some((stored, number)) = stored {
            let named = version_of(stored, number);
            let states = States::new(stored, &named, &document.document, &document.texts);
            publishes &= !is_live(&states);
            claims = Claims::of(&document, publishes, &mask);
            claims.add_held(&states, &mask);
        } else {
            claims = Claims::of(&document, publishes, &mask);
        }
        claims.beside = Some(Unplanned::Document);
        let masked = |text: String| mask.value(&text);
        Self(AgentPlan {
            agent_id: agent_id(&document).map(masked),
            version_number: shown_version(&document).map(masked),
            ..unplanned(&inputs.name, claims)
        })
    }

    /// A stored configuration that belongs to no document: its agent holds the numbers of a published version.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, Neighbor, PlanInputs, Stored, plan_agent, plan_among};
    ///
    /// let live = r#"{ "agent": { "id": "ag_desk", "agent_type": "Single_Prompt_Agent",
    ///                            "versions": [{ "version_number": 3, "is_published": true }] },
    ///                 "version": { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_main" } }"#;
    /// let neighbor = Neighbor::stored("stored/desk.json", Stored::new(Document::parse(live)));
    ///
    /// let draft = r#"{ "agent": { "id": "ag_night", "agent_type": "Single_Prompt_Agent",
    ///                             "versions": [{ "version_number": 7, "is_published": false }] },
    ///                  "version": { "version_number": 7, "is_published": false }, "complete": true }"#;
    /// let document = Document::parse(r#"{ "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_main" }"#);
    /// let inputs = Inputs::new(document).stored(Stored::new(Document::parse(draft)));
    /// let plan = plan_among(vec![plan_agent(&PlanInputs::new("night.json", inputs))], vec![neighbor]);
    ///
    /// let agent = &plan.agents[0];
    /// assert_eq!(&*agent.findings[0].diagnostic.rule.id, "phone-number-held-by-another-agent");
    /// let change = agent.changes.iter().find(|change| change.field == "/inbound_phone_number_id").unwrap();
    /// assert!(change.is_dangerous());
    /// assert_eq!(&*change.takes_from[0], "stored/desk.json");
    /// ```
    pub fn stored(name: impl Into<Arc<str>>, stored: Stored) -> Self {
        let name = name.into();
        // Nothing is to be changed.
        let inputs = Inputs::new(Document::parse("{}")).stored(stored);
        let Self(mut agent) = Self::document(&PlanInputs::new(Arc::clone(&name), inputs));
        agent.claims.beside = Some(Unplanned::Stored);
        // No document is for this version.
        agent.claims.version = None;
        Self(agent)
    }

    /// What reports call it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub(super) fn into_agent(self) -> AgentPlan {
        self.0
    }
}

/// Whether the version is stored as published.
pub(super) fn is_live(states: &States<'_>) -> bool {
    let old = states.setting(is_published.row).old;
    matches!(old, StoredSetting::Value(flag) if flag.as_bool() == Some(true))
}

/// Something that is not sent.
pub(super) fn unplanned(name: &Arc<str>, claims: Claims) -> AgentPlan {
    AgentPlan {
        name: Arc::clone(name),
        agent_id: None,
        version_number: None,
        title: None,
        outcome: Outcome::NoChange,
        statuses: Vec::new(),
        body: None,
        changes: Vec::new(),
        heard: Vec::new(),
        notes: Vec::new(),
        drift: Vec::new(),
        findings: Vec::new(),
        undecided: Vec::new(),
        suppressed: Vec::new(),
        claims,
        alone: None,
    }
}
