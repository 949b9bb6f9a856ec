use voxlint_model::text::address::{Network, each_address, is_identifier};
use voxlint_schema::settings::agent_function;

use crate::prelude::*;

rule! {
    /// A function sends requests without encryption.
    ///
    /// Everyone between the service and the server can read a request to an `http://` or `ws://` address: what callers
    /// said, and the credentials in its headers. The rule is about values in `config` that consist of such an address. Names
    /// of schemas and namespaces are not reported, and private addresses and tunnels are reported by `private-url`. The
    /// description does not mention addresses: the service accepts them.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "Look up", "type": "custom", "description": "Finds the order.",
    ///     "config": { "url": "http://api.example.com/orders" }
    ///   }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "Look up", "type": "custom", "description": "Finds the order.",
    ///     "config": { "url": "https://api.example.com/orders" }
    ///   }]
    /// }
    /// ```
    "insecure-url": Object {
        group: Security,
        basis: Inferred("The description does not say which addresses a function may have."),
        section: "2.3",
        fix: Unsafe("Writes `https://` or `wss://`. Not every server supports encryption at the same address."),
        table: agent_function::TABLE,
    }
}

fn check(function: &ObjectValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Some((config, _)) = function.get(&agent_function::config) else { return verdicts };
    each_address(config, |node, text, address| {
        if address.is_encrypted
            || address.network().is_some_and(|it| it != Network::Editor)
            || is_identifier(node)
        {
            return;
        }
        let place = Place::of(function.origin, node);
        let scheme = text.get(address.scheme.clone()).unwrap_or_default();
        let secure = if scheme.starts_with(['w', 'W']) { "wss://" } else { "https://" };
        let finding = Finding::new(
            place.clone().decoded(address.scheme.clone()),
            format!("requests to {} are not encrypted", quote(address.host)),
        )
        .about_value(place.clone())
        .label("not encrypted")
        .help(format!("write `{secure}` if the server supports it"))
        .fix(ProposedFix::replace(
            format!("write `{secure}`"),
            Safety::Unsafe,
            place.decoded(address.scheme),
            Replacement::Part(secure.to_owned()),
        ));
        verdicts.add(finding.advice());
    });
    verdicts
}
