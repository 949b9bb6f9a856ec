//! The versions of the protocol, and what the server says about itself.

use serde_json::{Map, Value, json};
use voxlint::secrets::mask_value;

use crate::message::{INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION};

/// The versions that a client and a server agree on with `initialize`, the newest first.
pub(crate) const HANDSHAKE_VERSIONS: [&str; 4] =
    ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The only version in which a line may have several messages.
pub(crate) const BATCH_VERSION: &str = "2025-03-26";

/// The version in which each request names its version, and nothing is agreed on before.
pub(crate) const STATELESS_VERSION: &str = "2026-07-28";

/// The key under which a request names its version.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// The key under which a request names what the client is capable of.
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The key under which a result names the server.
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// How long a client may keep the list of tools, in milliseconds: it is the same until the program ends.
const LIST_TTL: u32 = 3_600_000;

/// Which rules a request follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Those after `initialize`.
    Handshake,
    /// Those of requests that name their version.
    Stateless,
}

/// The era of a request.
///
/// # Errors
///
/// If it names a version that this program does not speak, or leaves out what that version requires.
pub(crate) fn era_of(params: Option<&Value>) -> Result<Era, RpcError> {
    let meta = params.and_then(|params| params.get("_meta"));
    let Some(version) = meta.and_then(|meta| meta.get(VERSION_KEY)) else {
        return Ok(Era::Handshake);
    };
    let Some(version) = version.as_str() else {
        return Err(RpcError::new(INVALID_PARAMS, format!("`{VERSION_KEY}` must be a string")));
    };
    if version != STATELESS_VERSION {
        return Err(RpcError {
            code: UNSUPPORTED_VERSION,
            message: format!(
                "this version of the protocol is not supported; use {STATELESS_VERSION}, or begin with `initialize`"
            ),
            data: Some(json!({ "supported": supported(), "requested": mask_value(version) })),
        });
    }
    if !meta.and_then(|meta| meta.get(CAPABILITIES_KEY)).is_some_and(Value::is_object) {
        let message = format!("`{CAPABILITIES_KEY}` must be an object");
        return Err(RpcError::new(INVALID_PARAMS, message));
    }
    Ok(Era::Stateless)
}

/// Every version, the newest first.
fn supported() -> Vec<&'static str> {
    [STATELESS_VERSION].into_iter().chain(HANDSHAKE_VERSIONS).collect()
}

/// The version that `initialize` agrees on: the client's, or else the newest.
///
/// # Errors
///
/// If the client names none.
pub(crate) fn negotiate(params: Option<&Value>) -> Result<&'static str, RpcError> {
    let wanted = params.and_then(|params| params.get("protocolVersion")).and_then(Value::as_str);
    let Some(wanted) = wanted else {
        return Err(RpcError::new(INVALID_PARAMS, "`protocolVersion` must be a string"));
    };
    let known = HANDSHAKE_VERSIONS.into_iter().find(|version| *version == wanted);
    Ok(known.unwrap_or(HANDSHAKE_VERSIONS[0]))
}

fn server_info() -> Value {
    json!({ "name": "voxlint", "title": "voxlint", "version": env!("CARGO_PKG_VERSION") })
}

/// The result of `initialize`.
pub(crate) fn initialized(version: &str, instructions: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": server_info(),
        "instructions": instructions,
    })
}

/// The result of `server/discover`.
pub(crate) fn discovered(instructions: &str) -> Value {
    json!({
        "supportedVersions": supported(),
        "capabilities": { "tools": { "listChanged": false } },
        "instructions": instructions,
        "ttlMs": LIST_TTL,
        "cacheScope": "private",
    })
}

/// The result of `tools/list`.
pub(crate) fn listed(tools: Vec<Value>, era: Era) -> Value {
    let mut result = Map::new();
    result.insert("tools".to_owned(), Value::Array(tools));
    if era == Era::Stateless {
        result.insert("ttlMs".to_owned(), LIST_TTL.into());
        result.insert("cacheScope".to_owned(), "private".into());
    }
    Value::Object(result)
}

/// What a result has beside its content.
pub(crate) fn result_meta(era: Era) -> Option<Value> {
    (era == Era::Stateless).then(|| json!({ SERVER_KEY: server_info() }))
}

/// The type of a result.
pub(crate) fn result_type(era: Era) -> Option<&'static str> {
    (era == Era::Stateless).then_some("complete")
}

/// A result with everything that its era requires.
pub(crate) fn complete(mut result: Value, era: Era) -> Value {
    if let Some(fields) = result.as_object_mut() {
        fields.extend(result_type(era).map(|it| ("resultType".to_owned(), it.into())));
        fields.extend(result_meta(era).map(|it| ("_meta".to_owned(), it)));
    }
    result
}
