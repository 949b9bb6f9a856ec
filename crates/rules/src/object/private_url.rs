use voxlint_model::text::address::{Network, TEST_OF_N8N, each_address, is_identifier};
use voxlint_schema::settings::agent_function;

use crate::prelude::*;

rule! {
    /// A function calls an address that only exists in a private network or during a test.
    ///
    /// The service runs elsewhere: it cannot reach `192.168.1.20` or `crm.internal`, and its `localhost` is another computer,
    /// so the function fails during a call. A tunnel such as ngrok ends with the developer's session, and a server such as
    /// `webhook.site` shows what callers said to everyone who opened it. The rule is about values in `config` that consist of an
    /// address, and reports loopback, private and link-local addresses, names that end with `.local`, `.internal`, `.lan` or
    /// `.intranet`, names without a dot, tunnels, servers that only show or return requests, and test addresses of n8n.
    /// The description does not mention addresses: the service accepts them.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "Look up", "type": "custom", "description": "Finds the order.",
    ///     "config": { "url": "http://localhost:3000/orders" }
    ///   }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "Look up", "type": "custom", "description": "Finds the order.",
    ///     "config": { "url": "https://localhost.example.com/orders" }
    ///   }]
    /// }
    /// ```
    "private-url": Object {
        group: Security,
        basis: Inferred("The description does not say which addresses a function may have."),
        section: "2.3",
        table: agent_function::TABLE,
    }
}

fn check(function: &ObjectValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Some((config, _)) = function.get(&agent_function::config) else { return verdicts };
    each_address(config, |node, text, address| {
        let Some(network) = address.network().filter(|_| !is_identifier(node)) else { return };
        let host = quote(address.host);
        let (message, label) = match network {
            Network::Loopback => (
                format!("the function calls {host}, which is the server itself"),
                "a loopback address",
            ),
            Network::LinkLocal => (
                format!("the service cannot reach {host}, which is a link-local address"),
                "a link-local address",
            ),
            Network::Private => (
                format!("the service cannot reach {host}, which is in a private network"),
                "a private address",
            ),
            Network::Tunnel => {
                (format!("the function calls {host}, a tunnel to one computer"), "a tunnel")
            }
            Network::Echo => (
                format!("the function calls {host}, which only shows or returns requests"),
                "a test server",
            ),
            Network::Editor => (
                "the function calls a test address of n8n, which only answers while its editor is listening".to_owned(),
                "a test address",
            ),
        };
        let test = text.find(TEST_OF_N8N).filter(|_| network == Network::Editor);
        let range = test.map_or(address.host_range, |at| at..at + TEST_OF_N8N.len());
        let help = match network {
            Network::Tunnel | Network::Echo => "write the address of the server in production",
            Network::Editor => "write `/webhook/`, and activate the workflow",
            _ => "write an address that can be reached from the internet",
        };
        let place = Place::of(function.origin, node);
        let finding = Finding::new(place.clone().decoded(range), message)
            .about_value(place)
            .label(label)
            .help(help);
        verdicts.add(finding.advice());
    });
    verdicts
}
