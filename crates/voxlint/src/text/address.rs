//! Web addresses in the settings of functions.

use core::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use voxlint_syntax::{Kind, Node};

use crate::glance::may_skip;

/// A value that consists of a web address.
#[derive(Debug)]
pub(crate) struct Address<'a> {
    /// Whether requests to it are encrypted.
    pub(crate) is_encrypted: bool,
    /// The bytes of the scheme, with `://`.
    pub(crate) scheme: Range<usize>,
    /// The bytes of the host in the text.
    pub(crate) host_range: Range<usize>,
    /// The host, without its port.
    pub(crate) host: &'a str,
    /// Everything after the host and the port.
    pub(crate) path: &'a str,
}

impl<'a> Address<'a> {
    /// Reads a text that is an absolute address. The host of other texts is a variable, or they have none.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
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

    /// Whether only computers in the same network can reach the host.
    pub(crate) fn is_private(&self) -> bool {
        let host = self.host.trim_end_matches('.').to_ascii_lowercase();
        if let Ok(address) = host.parse::<Ipv4Addr>() {
            return address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified();
        }
        if let Some(address) = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            return address.parse::<Ipv6Addr>().is_ok_and(|address| {
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
            });
        }
        let last = host.rsplit('.').next().unwrap_or(&host);
        // Names without a dot are those of computers in the same network.
        matches!(last, "localhost" | "local" | "internal" | "lan" | "intranet")
            || !host.contains('.')
            || host.ends_with(".home.arpa")
    }
}

/// Visits the texts in the settings of a function.
pub(crate) fn each_text<'a>(config: Node<'a>, visit: &mut impl FnMut(Node<'a>)) {
    if config.kind() == Kind::String {
        visit(config);
        return;
    }
    for value in config.members().map(|member| member.value).chain(config.elements()) {
        each_text(value, visit);
    }
}

/// Visits the texts in the settings of a function that are addresses.
pub(crate) fn each_address<'a>(
    config: Node<'a>,
    mut visit: impl FnMut(Node<'a>, &str, Address<'_>),
) {
    each_text(config, &mut |node| {
        // White space before the address may be an escape.
        let may_begin = |byte: u8| matches!(byte, b'h' | b'H' | b'w' | b'W' | b'\\');
        let may_be_one = |text: &str| text.trim_start().bytes().next().is_some_and(may_begin);
        if may_skip() && !node.legible().is_none_or(may_be_one) {
            return;
        }
        let text = node.as_str().unwrap_or_default();
        if let Some(address) = Address::read(&text) {
            visit(node, &text, address);
        }
    });
}

/// Whether the text names something, as the addresses of schemas do, and is not requested.
pub(crate) fn is_identifier(node: Node<'_>) -> bool {
    let name = node.name().and_then(Node::as_str).unwrap_or_default().to_ascii_lowercase();
    name.starts_with(['$', '@'])
        || ["xmlns", "schema", "namespace", "soapaction", "iss", "issuer", "aud", "audience"]
            .contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn hosts_of_a_network_are_private() {
        for address in [
            "http://localhost:3000/hook",
            "https://127.0.0.1/",
            "http://10.1.2.3:8080/a",
            "http://172.16.0.9",
            "http://192.168.1.20/api",
            "http://169.254.169.254/latest/meta-data",
            "http://[::1]:8000/",
            "http://[fd12::1]/",
            "https://crm.internal/orders",
            "http://printer.local",
            "http://backend:8080/orders",
            "ws://user:x@localhost/",
        ] {
            assert!(Address::read(address).is_some_and(|it| it.is_private()), "{address}");
        }
        for address in [
            "https://api.example.com/localhost",
            "https://172.32.0.1/",
            "https://8.8.8.8/",
            "https://[2001:db8::1]/",
            "https://localhost.example.com/",
            "https://internal.example.com",
        ] {
            assert!(Address::read(address).is_some_and(|it| !it.is_private()), "{address}");
        }
        for text in
            ["http://{{host}}/", "localhost", "see http://localhost", "https://", "http:///a"]
        {
            assert!(Address::read(text).is_none(), "{text}");
        }
    }
}
