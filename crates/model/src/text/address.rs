//! Web addresses in the settings of functions.

use core::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use voxlint_syntax::{Kind, Node};

/// A value that consists of a web address.
#[derive(Debug)]
pub struct Address<'a> {
    /// Whether requests to it are encrypted.
    pub is_encrypted: bool,
    /// The bytes of the scheme, with `://`.
    pub scheme: Range<usize>,
    /// The bytes of the host in the text.
    pub host_range: Range<usize>,
    /// The host, without its port.
    pub host: &'a str,
    /// Everything after the host and the port.
    pub path: &'a str,
}

impl<'a> Address<'a> {
    /// Reads a text that is an absolute address. The host of other texts is a variable, or they have none.
    pub fn read(text: &'a str) -> Option<Self> {
        let start = text.len() - text.trim_start().len();
        let rest = text.get(start..)?.trim_end();
        let (scheme, is_encrypted) =
            [("http://", false), ("https://", true), ("ws://", false), ("wss://", true)]
                .into_iter()
                .find(|(scheme, _)| {
                    rest.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme))
                })?;
        let rest = rest.get(scheme.len()..)?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end)?;
        let user = authority.rfind('@').map_or(0, |at| at + 1);
        let host = authority.get(user..)?;
        let length = match host.strip_prefix('[') {
            Some(rest) => rest.find(']')? + 2,
            None => host.find(':').unwrap_or(host.len()),
        };
        let host = host.get(..length)?;
        let is_readable = !host.is_empty() && !host.contains(['{', '<', '$', '%', ' ']);
        let from = start + scheme.len() + user;
        is_readable.then(|| Self {
            is_encrypted,
            scheme: start..start + scheme.len(),
            host_range: from..from + host.len(),
            host,
            path,
        })
    }

    /// The network that has the host, or what else the address is for than calls, unless every computer can reach it at any time.
    pub fn network(&self) -> Option<Network> {
        let host = self.host.trim_end_matches('.');
        // The address of a computer ends with a number.
        if host.ends_with(|last: char| last.is_ascii_digit())
            && let Ok(address) = host.parse::<Ipv4Addr>()
        {
            return network([
                address.is_loopback() || address.is_unspecified(),
                address.is_link_local(),
                address.is_private() || is_shared(address),
            ]);
        }
        if let Some(address) = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            let address = address.parse::<Ipv6Addr>().ok()?;
            return network([
                address.is_loopback() || address.is_unspecified(),
                address.is_unicast_link_local(),
                address.is_unique_local(),
            ]);
        }
        let (before, last) = host.rsplit_once('.').unwrap_or(("", host));
        let is_last = |names: &[&str]| names.iter().any(|name| last.eq_ignore_ascii_case(name));
        let is_of_home = || {
            let name = before.rsplit('.').next().unwrap_or(before);
            is_last(&["arpa"]) && name.eq_ignore_ascii_case("home") && name != before
        };
        // Names without a dot are those of computers in the same network.
        let is_private = is_last(&["local", "internal", "lan", "intranet"])
            || !host.contains('.')
            || is_of_home();
        network([is_last(&["localhost"]), false, is_private]).or_else(|| self.test(host))
    }

    /// What the address is for, if it is a way to test functions.
    fn test(&self, host: &str) -> Option<Network> {
        let is_of = |name: &&str| {
            let start = host.len().checked_sub(name.len());
            let end = start.and_then(|start| host.split_at_checked(start));
            end.is_some_and(|(before, end)| {
                end.eq_ignore_ascii_case(name) && (before.is_empty() || before.ends_with('.'))
            })
        };
        if TUNNELS.iter().any(is_of) {
            Some(Network::Tunnel)
        } else if ECHOES.iter().any(is_of) {
            Some(Network::Echo)
        } else {
            self.path.contains(TEST_OF_N8N).then_some(Network::Editor)
        }
    }
}

/// The path that n8n gives a workflow while it is edited. Its published address has `/webhook/` instead.
pub const TEST_OF_N8N: &str = "/webhook-test/";

/// Names under which the computers of developers can be reached.
const TUNNELS: [&str; 12] = [
    "ngrok.io",
    "ngrok.app",
    "ngrok.dev",
    "ngrok-free.app",
    "ngrok-free.dev",
    "loca.lt",
    "localtunnel.me",
    "trycloudflare.com",
    "localhost.run",
    "lhr.life",
    "serveo.net",
    "devtunnels.ms",
];

/// Servers that show requests, or send them back. Those of workflows, such as `m.pipedream.net`, also serve real calls.
const ECHOES: [&str; 6] = [
    "webhook.site",
    "requestbin.com",
    "requestbin.net",
    "requestcatcher.com",
    "httpbin.org",
    "postman-echo.com",
];

/// Where an address leads that not every computer can reach at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// The computer that makes the request: `localhost`.
    Loopback,
    /// The computers on one link: `169.254.169.254`.
    LinkLocal,
    /// The computers of an organisation or a provider: `192.168.1.20`.
    Private,
    /// The computer of a developer: `a1b2.ngrok-free.app`.
    Tunnel,
    /// A server that shows requests: `webhook.site`.
    Echo,
    /// A workflow that is being edited: `/webhook-test/`.
    Editor,
}

/// The first of the networks that has an address.
fn network([is_loopback, is_link_local, is_private]: [bool; 3]) -> Option<Network> {
    if is_loopback {
        Some(Network::Loopback)
    } else if is_link_local {
        Some(Network::LinkLocal)
    } else {
        is_private.then_some(Network::Private)
    }
}

/// Whether an address is one of 100.64.0.0/10, which providers share between their customers.
const fn is_shared(address: Ipv4Addr) -> bool {
    matches!(address.octets(), [100, 64..=127, _, _])
}

/// Visits the texts in the settings of a function that are addresses.
pub fn each_address<'a>(config: Node<'a>, mut visit: impl FnMut(Node<'a>, &str, Address<'_>)) {
    let nodes = std::iter::once(config).chain(config.inside());
    for node in nodes.filter(|node| node.kind() == Kind::String) {
        let text = node.as_str().unwrap_or_default();
        if let Some(address) = Address::read(&text) {
            visit(node, &text, address);
        }
    }
}

/// Whether the text names something, as the addresses of schemas do, and is not requested.
pub fn is_identifier(node: Node<'_>) -> bool {
    let name = node.name().and_then(Node::as_str).unwrap_or_default().to_ascii_lowercase();
    name.starts_with(['$', '@'])
        || ["xmlns", "schema", "namespace", "soapaction", "iss", "issuer", "aud", "audience"]
            .contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::{Address, Network};

    #[test]
    fn hosts_of_a_network_are_private() {
        for (address, network) in [
            ("http://localhost:3000/hook", Network::Loopback),
            ("http://shop.localhost/", Network::Loopback),
            ("https://127.0.0.1/", Network::Loopback),
            ("http://0.0.0.0:8000/", Network::Loopback),
            ("http://[::1]:8000/", Network::Loopback),
            ("ws://user:x@localhost/", Network::Loopback),
            ("http://169.254.169.254/latest/meta-data", Network::LinkLocal),
            ("http://[fe80::1]/", Network::LinkLocal),
            ("http://10.1.2.3:8080/a", Network::Private),
            ("http://172.16.0.9", Network::Private),
            ("http://192.168.1.20/api", Network::Private),
            ("http://100.64.0.1/", Network::Private),
            ("http://100.127.255.254/", Network::Private),
            ("http://[fd12::1]/", Network::Private),
            ("https://crm.internal/orders", Network::Private),
            ("http://printer.local", Network::Private),
            ("http://backend:8080/orders", Network::Private),
            ("https://a1b2.ngrok-free.app/orders", Network::Tunnel),
            ("https://Two-Words.TryCloudflare.com", Network::Tunnel),
            ("https://webhook.site/0b1c", Network::Echo),
            ("https://flows.northside.example/webhook-test/orders", Network::Editor),
        ] {
            let found = Address::read(address).and_then(|it| it.network());
            assert_eq!(found, Some(network), "{address}");
        }
        for address in [
            "https://api.example.com/localhost",
            "https://172.32.0.1/",
            "https://100.63.0.1/",
            "https://100.128.0.1/",
            "https://8.8.8.8/",
            "https://[2001:db8::1]/",
            "https://localhost.example.com/",
            "https://internal.example.com",
            "https://notngrok.io/",
            "https://webhook.site.example.com/",
            "https://flows.northside.example/webhook/orders",
        ] {
            assert!(Address::read(address).is_some_and(|it| it.network().is_none()), "{address}");
        }
        for text in
            ["http://{{host}}/", "localhost", "see http://localhost", "https://", "http:///a"]
        {
            assert!(Address::read(text).is_none(), "{text}");
        }
    }
}
