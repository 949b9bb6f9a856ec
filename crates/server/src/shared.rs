//! What the threads of the server share.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use lsp_types::notification::LogMessage;
use lsp_types::{LogMessageParams, MessageType};
use serde_json::Value;
use voxlint::Cancellation;

use crate::Options;
use crate::analysis::Analysis;
use crate::client::Client;
use crate::error::Error;
use crate::sync::OpenText;
use crate::temporary::TemporaryFiles;

/// What the threads share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) client: Client,
    pub(crate) temporary: TemporaryFiles,
    sender: Sender<Message>,
    /// The requests without an answer. The thread that removes one answers it, and stops the work for it.
    waiting: Mutex<BTreeMap<RequestId, Cancellation>>,
    /// The open texts as the client has them now.
    pub(crate) newest: Mutex<BTreeMap<String, Arc<OpenText>>>,
    analyses: Mutex<BTreeMap<String, Arc<Analysis>>>,
    /// What was found in the texts of the last checks.
    shown: Mutex<BTreeMap<String, Arc<Analysis>>>,
    /// The folders that are open.
    pub(crate) folders: Mutex<Vec<PathBuf>>,
    requests: AtomicU32,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(sender: Sender<Message>, client: Client, options: &Options) -> Self {
        Self {
            options: options.clone(),
            client,
            temporary: TemporaryFiles::default(),
            sender,
            waiting: Mutex::default(),
            newest: Mutex::default(),
            analyses: Mutex::default(),
            shown: Mutex::default(),
            folders: Mutex::default(),
            requests: AtomicU32::new(0),
        }
    }

    /// Sends a message. A client that has gone does not want it.
    pub(crate) fn send(&self, message: impl Into<Message>) {
        drop(self.sender.send(message.into()));
    }

    /// Sends a notification.
    pub(crate) fn notify<N: lsp_types::notification::Notification>(&self, parameters: N::Params) {
        if let Ok(params) = serde_json::to_value(parameters) {
            self.send(Notification { method: N::METHOD.to_owned(), params });
        }
    }

    /// Asks the client for something whose answer does not matter.
    pub(crate) fn request<R: lsp_types::request::Request>(&self, parameters: R::Params) {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let id = RequestId::from(format!("voxlint-{number}"));
        if let Ok(params) = serde_json::to_value(parameters) {
            self.send(Request { id, method: R::METHOD.to_owned(), params });
        }
    }

    /// Notes that a request waits for its answer.
    pub(crate) fn take(&self, id: &RequestId) {
        lock(&self.waiting).insert(id.clone(), Cancellation::default());
    }

    /// The work for a request that still waits for its answer.
    pub(crate) fn wanted(&self, id: &RequestId) -> Option<Cancellation> {
        lock(&self.waiting).get(id).cloned()
    }

    /// Answers a request, unless it is answered already.
    pub(crate) fn respond(&self, id: &RequestId, result: Result<Value, Error>) {
        let answered = lock(&self.waiting).remove(id);
        if let Some(work) = answered {
            work.cancel();
            self.send(response(id, result));
        }
    }

    /// Whether a text is as the client has it now.
    pub(crate) fn is_newest(&self, open: &Arc<OpenText>) -> bool {
        lock(&self.newest).get(&open.key).is_some_and(|newest| Arc::ptr_eq(newest, open))
    }

    pub(crate) fn analysis(&self, key: &str) -> Option<Arc<Analysis>> {
        lock(&self.analyses).get(key).cloned()
    }

    pub(crate) fn set_analysis(&self, key: &str, analysis: Option<Arc<Analysis>>) {
        let mut all = lock(&self.analyses);
        match analysis {
            Some(analysis) => drop(all.insert(key.to_owned(), analysis)),
            None => drop(all.remove(key)),
        }
    }

    /// All analyses as they were shown last.
    pub(crate) fn shown(&self) -> BTreeMap<String, Arc<Analysis>> {
        lock(&self.shown).clone()
    }

    pub(crate) fn set_shown(&self, all: BTreeMap<String, Arc<Analysis>>) {
        *lock(&self.shown) = all;
    }

    /// The folders that are open.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        lock(&self.folders).clone()
    }

    /// Writes a line to the log of the client.
    pub(crate) fn log(&self, typ: MessageType, message: String) {
        self.notify::<LogMessage>(LogMessageParams { typ, message });
    }

    /// Says that something went wrong that is not the fault of the user.
    pub(crate) fn report_bug(&self, what: &str) {
        let message = format!("voxlint: internal error in {what}: please report it");
        drop(writeln!(std::io::stderr(), "{message}"));
        self.log(MessageType::ERROR, message);
    }
}

/// The answer to a request.
fn response(id: &RequestId, result: Result<Value, Error>) -> Response {
    match result {
        Ok(value) => Response::new_ok(id.clone(), value),
        Err(error) => error.response(id.clone()),
    }
}
