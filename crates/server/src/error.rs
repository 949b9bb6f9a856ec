//! Why a request has no result.

use std::fmt;

use lsp_server::{ErrorCode, RequestId, Response};

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Error {
    /// The parameters cannot be read.
    Parameters(String),
    /// There is no such request.
    Method(String),
    /// The request cannot be answered, for a reason that the user can do something about.
    Failed(String),
    /// The text has changed meanwhile.
    Modified,
    /// The client does not want the answer any more.
    Cancelled,
    /// The server is not ready yet, or has been shut down.
    NotReady(&'static str),
    /// A mistake in the server.
    Internal(String),
}

impl Error {
    /// A failure that users read.
    pub(crate) fn failed(message: impl fmt::Display) -> Self {
        Self::Failed(message.to_string())
    }

    fn code(&self) -> i32 {
        let code = match self {
            Self::Parameters(_) => ErrorCode::InvalidParams,
            Self::Method(_) => ErrorCode::MethodNotFound,
            Self::Failed(_) => ErrorCode::RequestFailed,
            Self::Modified => ErrorCode::ContentModified,
            Self::Cancelled => ErrorCode::RequestCanceled,
            Self::NotReady("shut down") => ErrorCode::InvalidRequest,
            Self::NotReady(_) => ErrorCode::ServerNotInitialized,
            Self::Internal(_) => ErrorCode::InternalError,
        };
        code as i32
    }

    /// The answer to a request.
    pub(crate) fn response(&self, id: RequestId) -> Response {
        Response::new_err(id, self.code(), self.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameters(why) => write!(formatter, "invalid parameters: {why}"),
            Self::Method(name) => write!(formatter, "there is no request `{name}`"),
            Self::Failed(message) => formatter.write_str(message),
            Self::Modified => formatter.write_str("the text has changed"),
            Self::Cancelled => formatter.write_str("cancelled"),
            Self::NotReady(why) => write!(formatter, "the server is {why}"),
            Self::Internal(what) => write!(formatter, "internal error in {what}: please report it"),
        }
    }
}
