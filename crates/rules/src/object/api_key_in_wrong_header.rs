use voxlint_model::text::address::Address;
use voxlint_schema::settings::agent_function;

use crate::prelude::*;

rule! {
    /// A function calls the service with the key in the wrong header.
    ///
    /// Endpoints below `/v1` expect `Authorization: Bearer <key id>:<secret>`. They do not read `x-api-key`, so they answer
    /// with 401. The rule reports the header `x-api-key` in the `config` of a function that has the address of one of the
    /// operations that the description names: `/v1/agents`, `/v1/api-keys`, `/v1/call-logs`, `/v1/campaigns`,
    /// `/v1/campaigns-leads` and the models of a voice. The description does not give the host of the service. If the
    /// address belongs to another service, suppress the finding.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "Read agent", "type": "custom", "description": "Reads the agent.",
    ///     "config": { "url": "https://voice.example.com/v1/agents/ag_1", "headers": { "x-api-key": "{{service_key}}" } }
    ///   }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "Find order", "type": "custom", "description": "Finds the order.",
    ///     "config": { "url": "https://shop.example.com/v1/orders", "headers": { "x-api-key": "{{shop_key}}" } }
    ///   }]
    /// }
    /// ```
    "api-key-in-wrong-header": Object {
        group: Security,
        basis: Read("The description does not give the host of the service, so the path decides."),
        section: "5 rule 5",
        table: agent_function::TABLE,
    }
}

/// The paths of operations that the description names, after `/v1/`.
const OPERATIONS: [&str; 6] =
    ["agents", "api-keys", "call-logs", "campaigns", "campaigns-leads", "voice-models"];

/// The header that other operations of the service read.
const HEADER: &str = "x-api-key";

fn check(function: &ObjectValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Some((config, _)) = function.get(&agent_function::config) else { return verdicts };
    let is_it = |name: &str| name.eq_ignore_ascii_case(HEADER);
    let is_header = |name: &Node<'_>| {
        // Only an escape makes a name longer.
        name.kind() == Kind::Key
            && name.span().len() as usize >= HEADER.len()
            && name.legible().is_none_or(is_it)
            && name.as_str().is_some_and(|name| is_it(&name))
    };
    // A later header of the same name replaces an earlier one.
    let Some(name) = config.inside().filter(is_header).last() else { return verdicts };
    let value = config.inside().find(|node| node.id() == name.after());
    let Some(header) = value.filter(|value| value.kind() == Kind::String) else { return verdicts };
    let mut texts = config.inside().filter(|node| node.kind() == Kind::String);
    let address = texts.find(|node| node.as_str().is_some_and(|text| is_of_the_service(&text)));
    let Some(address) = address else { return verdicts };
    let name = header.name().and_then(Node::as_str).unwrap_or_default();
    let place = Place::of(function.origin, header);
    let finding = Finding::new(
        place.clone().name(),
        format!("the service does not read the header {}", quote(&name)),
    )
    .about_value(place)
    .label("not read")
    .also(Place::of(function.origin, address), "an operation of the service")
    .help("send `Authorization: Bearer {{service_key}}` instead, and keep the key out of the file");
    verdicts.add(finding.advice());
    verdicts
}

/// Whether a text is the address of an operation below `/v1`.
fn is_of_the_service(text: &str) -> bool {
    let path = match Address::read(text) {
        Some(address) => address.path,
        None => text.split_once("}}").map_or("", |(_, path)| path),
    };
    let Some((_, path)) = path.split_once("/v1/") else { return false };
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut parts = path.split('/');
    let first = parts.next().unwrap_or_default();
    OPERATIONS.contains(&first) || (first == "voices" && parts.nth(1) == Some("voice-models"))
}
