//! The agent in the answer to an accepted update (update agent).

use std::borrow::Cow;

use voxlint_engine::Faults as _;
use voxlint_model::json::{Json, set};
use voxlint_model::value::{MAX_EXACT_FLOAT, Value};
use voxlint_model::{Inputs, masking, stored};
use voxlint_schema::agent::{self, version_summary};
use voxlint_schema::{DocumentKind, Null, Row, Table, settings};
use voxlint_syntax::{Decimal, Format, Node};

type JsonFields<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// The body of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerBody {
    /// Indented JSON with every secret masked. For 200 it is the agent (2.1). For any other status it is the error body (7),
    /// with messages of voxlint, not of the service.
    Json(String),
    /// It is unknown, for this reason.
    Unknown(&'static str),
}

impl AnswerBody {
    /// The JSON, if it is known.
    pub fn json(&self) -> Option<&str> {
        match self {
            Self::Json(json) => Some(json),
            Self::Unknown(_) => None,
        }
    }
}

/// The agent after an accepted update.
///
/// Values that the description does not mention stay as they are stored: voxlint has no clock for `updated_at`, and whether
/// another version stops being published is not described.
pub(super) fn after(inputs: &Inputs) -> AnswerBody {
    let held = inputs.stored.as_ref().filter(|stored| stored.faults().diagnostics.is_empty());
    let Some(agent) = held.and_then(|stored| stored.parts().agent) else {
        return AnswerBody::Unknown("the stored configuration of the agent is not given");
    };
    let update = inputs.document.tree().root();
    let number = update.and_then(|update| update.get(settings::version_number.row.name)?.decimal());
    let (Some(update), Some(number)) = (update, number) else {
        return AnswerBody::Unknown("the update does not name its version");
    };
    let update = AcceptedUpdate { node: update, number, inputs };
    AnswerBody::Json(masked(Json::Object(update.agent(agent)).pretty(), inputs))
}

/// An accepted update.
struct AcceptedUpdate<'a> {
    node: Node<'a>,
    /// The version that it changes.
    number: Decimal<'a>,
    inputs: &'a Inputs,
}

impl<'a> AcceptedUpdate<'a> {
    fn publishes(&self) -> bool {
        self.written(settings::is_published.row).and_then(Node::as_bool) == Some(true)
    }

    fn written(&self, row: &Row) -> Option<Node<'a>> {
        self.node.get(row.name)
    }

    fn agent(&self, agent: Node<'a>) -> JsonFields<'a> {
        let mut members = Json::members(agent);
        self.lay_over(&mut members, &agent::TABLE);

        let listed = stored::listed(Some(agent)).find(|summary| self.is_named(*summary));
        if let Some(list) = agent.get(agent::versions.row.name)
            && listed.is_some()
        {
            let summaries = list.elements().map(|summary| {
                if self.is_named(summary) { self.summary(summary) } else { Json::Node(summary) }
            });
            set(&mut members, agent::versions.row.name, Json::List(summaries.collect()));
        }

        let current = agent.get(agent::current_version.row.name);
        let same = current.filter(|current| self.is_named(*current));
        if self.publishes() {
            if current.is_some() {
                let summary = listed
                    .or(same)
                    .map_or_else(|| self.unlisted(agent), |known| self.summary(known));
                set(&mut members, agent::current_version.row.name, summary);
            }
            set(&mut members, agent::current_version_number.row.name, self.number(listed.or(same)));
        } else if let Some(same) = same {
            set(&mut members, agent::current_version.row.name, self.summary(same));
        }
        members
    }

    /// Whether this is the summary of the version that the update changes.
    fn is_named(&self, summary: Node<'a>) -> bool {
        stored::number_of(summary) == Some(self.number)
    }

    /// A summary after the update, with values that it omits and the stored settings have.
    fn summary(&self, summary: Node<'a>) -> Json<'a> {
        let mut members = Json::members(summary);
        self.lay_over(&mut members, &version_summary::TABLE);
        for (row, known) in self.known() {
            if summary.get(row.name).is_none()
                && let Value::Known(node, _) = known
            {
                set(&mut members, row.name, Json::Node(node));
            }
        }
        self.publish(&mut members);
        Json::Object(members)
    }

    /// The summary of a version that the agent does not list, as far as it is known.
    fn unlisted(&self, agent: Node<'a>) -> Json<'a> {
        let mut members = JsonFields::new();
        let id = agent.get(agent::id.row.name).map(Json::Node);
        let id = id.or_else(|| self.inputs.agent_id.as_deref().map(|id| Json::Text(id.into())));
        if let Some(id) = id {
            set(&mut members, version_summary::agent_id.row.name, id);
        }
        set(&mut members, version_summary::version_number.row.name, self.number(None));
        for (row, known) in self.known() {
            match known {
                Value::Known(node, _) => set(&mut members, row.name, Json::Node(node)),
                Value::Absent(_) if row.null == Null::Clears => {
                    set(&mut members, row.name, Json::Null);
                }
                Value::Absent(_) | Value::Unknown(_) => {}
            }
        }
        self.publish(&mut members);
        Json::Object(members)
    }

    /// The effective values of the fields of a summary.
    fn known(&self) -> impl Iterator<Item = (&'static Row, Value<Node<'a>>)> {
        let effective = self.inputs.effective(DocumentKind::Update);
        shared(&version_summary::TABLE).map(move |(row, setting)| (row, effective.node(setting)))
    }

    /// Sets the fields that both the update and the object can have.
    fn lay_over(&self, members: &mut JsonFields<'a>, table: &'static Table) {
        for (row, setting) in shared(table) {
            if let Some(value) = self.written(setting) {
                set(members, row.name, Json::Node(value));
            }
        }
    }

    fn publish(&self, members: &mut JsonFields<'a>) {
        if self.publishes() {
            set(members, version_summary::is_published.row.name, Json::Flag(true));
        }
    }

    /// The number of the version, as its summary spells it or without a fraction.
    fn number(&self, summary: Option<Node<'a>>) -> Json<'a> {
        let spelled =
            summary.and_then(|summary| summary.get(version_summary::version_number.row.name));
        let near = self.number.to_f64();
        match (spelled, self.written(settings::version_number.row)) {
            (Some(spelled), _) => Json::Node(spelled),
            (None, Some(written)) if near.abs() >= MAX_EXACT_FLOAT => Json::Node(written),
            _ => Json::Whole(near as i64),
        }
    }
}

/// The rows of a table that an update can set, with their settings. The version number only selects the version, and
/// `is_published` is handled separately.
fn shared(table: &'static Table) -> impl Iterator<Item = (&'static Row, &'static Row)> {
    let own = [settings::version_number.row, settings::is_published.row];
    let rows = table.rows.iter().copied();
    rows.filter_map(|row| Some((row, settings::TABLE.row(row.name)?)))
        .filter(move |(_, setting)| !own.iter().any(|own| std::ptr::eq(*own, *setting)))
}

/// The text with every secret masked, also those that it repeats from other parts of the inputs.
fn masked(text: String, inputs: &Inputs) -> String {
    let parsed = voxlint_syntax::parse(text.as_str(), Format::Json);
    let Some(tree) = parsed.documents.first() else { return text };
    let mut spans = masking::spans_of_values(tree, DocumentKind::Agent);
    spans.extend(masking::secrets_of(inputs, None).repeated_in(tree, masking::all_of(&text)));
    if spans.is_empty() { text } else { masking::mask_json(&text, tree, &spans) }
}

#[cfg(test)]
mod tests {
    use voxlint_model::{Document, Inputs, Stored};

    use crate::{AnswerBody, predict};

    /// The body of 200, on one line and without spaces.
    fn body(update: &str, stored: &str) -> String {
        let [update, stored] = [update, stored].map(Document::parse);
        let inputs = Inputs::new(update).stored(Stored::new(stored)).agent_id("ag_1");
        let prediction = predict(&inputs).expect("an update");
        let accepted = prediction.answers.first().filter(|answer| answer.status == 200);
        match &accepted.expect("200 is possible").body {
            AnswerBody::Json(json) => {
                json.lines().map(str::trim).collect::<String>().replace(": ", ":")
            }
            AnswerBody::Unknown(why) => (*why).to_owned(),
        }
    }

    fn agent(members: &str) -> String {
        format!(r#"{{ "id": "ag_1", "agent_type": "Single_Prompt_Agent"{members} }}"#)
    }

    const HEAD: &str = r#"{"id":"ag_1","agent_type":"Single_Prompt_Agent","#;

    #[test]
    fn omitted_fields_keep_their_spelling() {
        let stored = agent(
            r#", "versions": [{ "version_number": 3.0, "title": "A", "llm_id": "l", "n": 1.50 }, { "version_number": 2, "title": "B" }], "updated_at": "2025-01-01T00:00:00Z", "n": 1e400"#,
        );
        let update = r#"{ "version_number": 3, "title": "C", "transcriber_id": null }"#;
        assert_eq!(
            body(update, &stored),
            format!(
                "{HEAD}{}",
                r#""versions":[{"version_number":3.0,"title":"C","llm_id":"l","n":1.50,"transcriber_id":null},{"version_number":2,"title":"B"}],"updated_at":"2025-01-01T00:00:00Z","n":1e400}"#
            )
        );
    }

    #[test]
    fn publishing_moves_the_current_version() {
        let stored = agent(
            r#", "current_version_number": 2, "current_version": { "version_number": 2 }, "versions": [{ "version_number": 2, "is_published": true }, { "version_number": 3, "is_published": false }]"#,
        );
        assert_eq!(
            body(r#"{ "version_number": 3.0, "is_published": true }"#, &stored),
            format!(
                "{HEAD}{}",
                r#""current_version_number":3,"current_version":{"version_number":3,"is_published":true},"versions":[{"version_number":2,"is_published":true},{"version_number":3,"is_published":true}]}"#
            )
        );
    }

    #[test]
    fn without_a_current_version_only_its_number_moves() {
        let stored = agent(r#", "versions": [{ "version_number": 3, "is_published": false }]"#);
        assert_eq!(
            body(r#"{ "version_number": 3, "is_published": true }"#, &stored),
            format!(
                "{HEAD}{}",
                r#""versions":[{"version_number":3,"is_published":true}],"current_version_number":3}"#
            )
        );
    }

    #[test]
    fn an_unlisted_version_has_the_known_values() {
        let held = agent(r#", "current_version": null"#);
        let stored = format!(
            r#"{{ "agent": {held}, "version": {{ "version_number": 3, "is_published": false, "llm_id": "l" }}, "complete": true }}"#
        );
        let update = r#"{ "version_number": 1.5e1, "is_published": true, "title": "C" }"#;
        assert_eq!(
            body(&update.replace("1.5e1", "3.0"), &stored),
            format!(
                "{HEAD}{}",
                r#""current_version":{"agent_id":"ag_1","version_number":3,"version_title":null,"title":"C","language_id":null,"voice_id":null,"llm_id":"l","transcriber_id":null,"stt_fallback_transcriber_id":null,"post_call_analysis_llm_id":null,"is_published":true},"current_version_number":3}"#
            )
        );
        // Of another version nothing is known.
        assert_eq!(
            body(update, &held),
            format!(
                "{HEAD}{}",
                r#""current_version":{"agent_id":"ag_1","version_number":15,"title":"C","is_published":true},"current_version_number":15}"#
            )
        );
    }

    #[test]
    fn the_current_version_follows_its_own_update() {
        let stored = agent(
            r#", "current_version": { "version_number": 3, "title": "A" }, "versions": [{ "version_number": 3, "title": "A", "is_published": false }]"#,
        );
        assert_eq!(
            body(r#"{ "version_number": 3, "title": "C" }"#, &stored),
            format!(
                "{HEAD}{}",
                r#""current_version":{"version_number":3,"title":"C"},"versions":[{"version_number":3,"title":"C","is_published":false}]}"#
            )
        );
    }

    #[test]
    fn fields_of_the_agent_follow_the_update() {
        let stored = agent(r#", "folder_id": null, "pipeline_type": "Cascaded""#);
        let update = r#"{ "version_number": 3, "folder_id": "f", "timezone": "Europe/Berlin", "webhook_id": "w", "pipeline_type": "Speech_To_Speech" }"#;
        assert_eq!(
            body(update, &stored),
            format!(
                "{HEAD}{}",
                r#""folder_id":"f","pipeline_type":"Speech_To_Speech","timezone":"Europe/Berlin","webhook_id":"w"}"#
            )
        );
    }

    #[test]
    fn secrets_are_masked() {
        let stored = agent(
            r#", "api_key": "abc", "token": 1234, "note": "Bearer abcdefghijklmnopA", "list": { "secret": [1, "é"] }"#,
        );
        assert_eq!(
            body(r#"{ "version_number": 3 }"#, &stored),
            format!(
                "{HEAD}{}",
                r#""api_key":"***","token":"***","note":"Bearer *****************","list":{"secret":["***","**"]}}"#
            )
        );
    }

    #[test]
    fn what_a_setting_repeats_from_a_field_of_a_secret_is_masked() {
        let update = r#"{ "version_number": 3, "timezone": "Hunter22x", "password": "Hunter22x" }"#;
        let expected = format!("{HEAD}{}", r#""timezone":"*********"}"#);
        assert_eq!(body(update, &agent("")), expected);
    }

    #[test]
    fn without_the_agent_the_body_is_not_known() {
        let settings = r#"{ "version_number": 3, "is_published": false }"#;
        assert_eq!(
            body(r#"{ "version_number": 3 }"#, settings),
            "the stored configuration of the agent is not given"
        );
        // What cannot be used is as good as not given.
        let faulty = agent(r#", "versions": ["#);
        assert_eq!(
            body(r#"{ "version_number": 3 }"#, &faulty),
            "the stored configuration of the agent is not given"
        );
    }
}
