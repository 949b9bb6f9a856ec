//! The versions of the protocol, and what the server says about itself.

use serde_json::{Map, Value, json};
use voxlint::secrets::mask_text;

use crate::message::{INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION};

/// The version that begins with `initialize`. A client that asks for another one is told this one, and may go on with it.
const HANDSHAKE_VERSION: &str = "2025-11-25";

/// The version in which each request names its version, and nothing is agreed on before.
const STATELESS_VERSION: &str = "2026-07-28";

/// Every version, the newest first.
const VERSIONS: [&str; 2] = [STATELESS_VERSION, HANDSHAKE_VERSION];

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
            data: Some(json!({ "supported": VERSIONS, "requested": mask_text(version) })),
        });
    }
    if !meta.and_then(|meta| meta.get(CAPABILITIES_KEY)).is_some_and(Value::is_object) {
        let message = format!("`{CAPABILITIES_KEY}` must be an object");
        return Err(RpcError::new(INVALID_PARAMS, message));
    }
    Ok(Era::Stateless)
}

/// Checks the parameters of `initialize`.
///
/// # Errors
///
/// If the client names no version.
pub(crate) fn check_initialize(params: Option<&Value>) -> Result<(), RpcError> {
    let wanted = params.and_then(|params| params.get("protocolVersion")).and_then(Value::as_str);
    let why = || RpcError::new(INVALID_PARAMS, "`protocolVersion` must be a string");
    wanted.map(drop).ok_or_else(why)
}

fn server_info() -> Value {
    json!({ "name": "voxlint", "title": "voxlint", "version": env!("CARGO_PKG_VERSION") })
}

/// The result of `initialize`.
pub(crate) fn initialized(instructions: &str) -> Value {
    json!({
        "protocolVersion": HANDSHAKE_VERSION,
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": server_info(),
        "instructions": instructions,
    })
}

/// The result of `server/discover`.
pub(crate) fn discovered(instructions: &str) -> Value {
    json!({
        "supportedVersions": VERSIONS,
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
