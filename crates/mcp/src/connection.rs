//! One client: what was agreed on with it, and the answers to its requests.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use voxlint::secrets::mask_text;
use voxlint::suggest::nearest;

use crate::answer::{Answer, secrets_of_path};
use crate::message::{INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError};
use crate::protocol::{self, Era};
use crate::tool::Tool;
use crate::workspace::Workspace;

/// The result of a request, as JSON on one line.
type Outcome = Result<Box<RawValue>, RpcError>;

/// A client.
pub(crate) struct Connection<'s> {
    workspace: &'s Workspace,
    tools: &'static [&'static Tool],
    is_initialized: bool,
}

impl<'s> Connection<'s> {
    pub(crate) fn new(workspace: &'s Workspace, tools: &'static [&'static Tool]) -> Self {
        Self { workspace, tools, is_initialized: false }
    }

    /// The result of a request.
    pub(crate) fn answer(&mut self, method: &str, params: Option<&Value>) -> Outcome {
        if params.is_some_and(|params| !params.is_object()) {
            return Err(RpcError::new(INVALID_PARAMS, "`params` must be an object"));
        }
        if method == "initialize" {
            return self.initialize(params);
        }
        let era = protocol::era_of(params)?;
        match method {
            "ping" => return raw(&protocol::complete(json!({}), era)),
            "server/discover" => {
                let instructions = self.workspace.instructions();
                return raw(&protocol::complete(
                    protocol::discovered(&instructions),
                    Era::Stateless,
                ));
            }
            _ => {}
        }
        if era == Era::Handshake && !self.is_initialized {
            let why = "the first request must be `initialize`, or name the version of the protocol in `_meta`";
            return Err(RpcError::new(INVALID_REQUEST, why));
        }
        match method {
            "tools/list" => self.list(params, era),
            "tools/call" => self.call(params, era),
            _ => Err(RpcError::new(METHOD_NOT_FOUND, unknown_method(method))),
        }
    }

    fn initialize(&mut self, params: Option<&Value>) -> Outcome {
        if self.is_initialized {
            return Err(RpcError::new(INVALID_REQUEST, "the connection is initialized already"));
        }
        protocol::check_initialize(params)?;
        self.is_initialized = true;
        raw(&protocol::initialized(&self.workspace.instructions()))
    }

    fn list(&self, params: Option<&Value>, era: Era) -> Outcome {
        // All tools are on one page, so there are no cursors.
        if params.and_then(|params| params.get("cursor")).is_some_and(|it| !it.is_null()) {
            let why = "`cursor` is not one of this server: leave it out";
            return Err(RpcError::new(INVALID_PARAMS, why));
        }
        let tools = self.tools.iter().map(|tool| tool.listed()).collect();
        raw(&protocol::complete(protocol::listed(tools, era), era))
    }

    fn call(&self, params: Option<&Value>, era: Era) -> Outcome {
        let name = params.and_then(|params| params.get("name")).and_then(Value::as_str);
        let Some(name) = name else {
            return Err(RpcError::new(INVALID_PARAMS, "`name` must be the name of a tool"));
        };
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let tool = tool.ok_or_else(|| RpcError::new(INVALID_PARAMS, self.unknown_tool(name)))?;
        let answer = match params.and_then(|params| params.get("arguments")) {
            None | Some(Value::Null) => self.run(tool, &serde_json::Map::new()),
            Some(Value::Object(arguments)) => self.run(tool, arguments),
            Some(_) => {
                return Err(RpcError::new(INVALID_PARAMS, "`arguments` must be an object"));
            }
        };
        let result = answer.to_result(era);
        result.map_err(|error| RpcError::new(INTERNAL_ERROR, error.to_string()))
    }

    /// Runs a tool. What is wrong with the arguments is an answer, so that the assistant sees it.
    fn run(&self, tool: &Tool, arguments: &serde_json::Map<String, Value>) -> Answer {
        let answer =
            tool.check(arguments).and_then(|arguments| (tool.run)(self.workspace, &arguments));
        let answer = answer.unwrap_or_else(|wrong_use| Answer::wrong_use(&wrong_use));
        // The paths of an answer are as they were given, and the name of a file may be a secret.
        let paths = arguments.iter().filter(|(name, _)| name.ends_with("path") || *name == "paths");
        let paths = paths.flat_map(|(_, value)| match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        });
        let secrets = paths.filter_map(Value::as_str).flat_map(secrets_of_path);
        answer.without(&secrets.collect::<Vec<_>>())
    }

    fn unknown_tool(&self, name: &str) -> String {
        let names = self.tools.iter().map(|tool| tool.name);
        match nearest(name, names) {
            Some(near) => format!("there is no tool `{}`: did you mean `{near}`?", short(name)),
            None => format!("there is no tool `{}`: `tools/list` lists them", short(name)),
        }
    }
}

fn raw(result: &Value) -> Outcome {
    to_raw_value(result).map_err(|error| RpcError::new(INTERNAL_ERROR, error.to_string()))
}

fn unknown_method(method: &str) -> String {
    format!("there is no method `{}`: this server has only tools", short(method))
}

/// The beginning of a name, for messages.
fn short(name: &str) -> String {
    const MOST: usize = 64;
    let name = mask_text(name);
    let mut short: String = name.chars().take(MOST).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}
