//! The main loop: takes messages, keeps the open texts, and passes work on. It never waits for a check.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, thread};

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidChangeWorkspaceFolders, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Exit, Initialized, Notification as _,
};
use lsp_types::request::{Initialize, RegisterCapability, Request as _, Shutdown};
use lsp_types::{
    CancelParams, DidChangeConfigurationParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidSaveTextDocumentParams,
    MessageType, NumberOrString,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client::{Client, folders};
use crate::error::Error;
use crate::handlers::capabilities::{server_capabilities, watchers};
use crate::routes::{Pending, Route, answer, routes};
use crate::settings::Settings;
use crate::shared::{Shared, lock};
use crate::sync::{OpenText, Sync};
use crate::worker::{Job, Worker};
use crate::{Ended, Options, uri};

/// Serves a client.
pub(crate) fn run(connection: &Connection, options: &Options) -> Ended {
    let Some((id, parameters)) = wait_for_initialize(connection) else { return Ended::Early };
    let client = Client::new(&parameters);
    let shared = Arc::new(Shared::new(connection.sender.clone(), client, options));
    *lock(&shared.folders) = folders(&parameters);
    let stated = parameters.get("initializationOptions").cloned().unwrap_or_default();
    let settings = Settings::new(&stated, &shared.folders());
    let result = server_capabilities(&shared.client, &settings);
    shared.send(Response::new_ok(id, result));

    let (jobs, taken) = unbounded();
    let worker = Worker::new(Arc::clone(&shared), &settings);
    let worker = thread::Builder::new().name("worker".to_owned()).spawn(move || worker.run(&taken));
    let (requests, waiting) = unbounded();
    let for_worker = jobs.clone();
    let answering = Arc::clone(&shared);
    let reader = thread::Builder::new()
        .name("requests".to_owned())
        .spawn(move || answer_requests(&answering, &waiting, &for_worker));
    let routes = routes().into_iter().map(|route| (route.method, Arc::new(route))).collect();
    let mut server = Server {
        shared,
        settings_at_start: settings.clone(),
        settings,
        sync: Sync::default(),
        routes,
        jobs,
        requests,
        is_shut_down: false,
    };
    if worker.is_err() || reader.is_err() {
        server.shared.report_bug("the start of a thread");
        return Ended::Early;
    }
    let ended = server.serve(&connection.receiver);
    // The threads may work on, and would keep the files.
    server.shared.temporary.remove();
    ended
}

/// Answers requests that do not need the project. The worker gets the others.
fn answer_requests(shared: &Shared, requests: &Receiver<Pending>, worker: &Sender<Job>) {
    for request in requests {
        if let Some(request) = answer(shared, request, None) {
            drop(worker.send(Job::Request(Box::new(request))));
        }
    }
}

/// The first request that counts; `None` if the client goes before it. Others are answered with an error.
fn wait_for_initialize(connection: &Connection) -> Option<(RequestId, Value)> {
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == Initialize::METHOD => {
                return Some((request.id, request.params));
            }
            Message::Request(request) => {
                let error = Error::NotReady("not initialized");
                connection.sender.send(error.response(request.id).into()).ok()?;
            }
            Message::Notification(notification) if notification.method == Exit::METHOD => {
                return None;
            }
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    None
}

/// The state of the main loop.
struct Server {
    shared: Arc<Shared>,
    settings_at_start: Settings,
    settings: Settings,
    sync: Sync,
    routes: BTreeMap<&'static str, Arc<Route>>,
    jobs: Sender<Job>,
    requests: Sender<Pending>,
    is_shut_down: bool,
}

impl Server {
    fn serve(&mut self, messages: &Receiver<Message>) -> Ended {
        for message in messages {
            match message {
                Message::Request(request) => self.take_request(request),
                Message::Notification(notification) if notification.method == Exit::METHOD => {
                    return if self.is_shut_down { Ended::Regularly } else { Ended::Early };
                }
                Message::Notification(notification) => self.take_notification(notification),
                // No answer of the client changes anything.
                Message::Response(_) => {}
            }
        }
        Ended::Early
    }

    fn take_request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        self.shared.take(&id);
        let error = if self.is_shut_down {
            Error::NotReady("shut down")
        } else if method == Shutdown::METHOD {
            self.is_shut_down = true;
            return self.shared.respond(&id, Ok(Value::Null));
        } else if method == Initialize::METHOD {
            Error::Parameters("the server is initialized already".to_owned())
        } else if let Some(route) = self.routes.get(&*method) {
            let open = uri_of(&params).and_then(|uri| self.sync.get(uri)).cloned();
            let (route, texts) = (Arc::clone(route), self.sync.texts());
            let needs_project = route.needs_project();
            let request = Pending { id, route, parameters: params, open, texts };
            if needs_project {
                drop(self.jobs.send(Job::Request(Box::new(request))));
            } else {
                drop(self.requests.send(request));
            }
            return;
        } else {
            Error::Method(method)
        };
        self.shared.respond(&id, Err(error));
    }

    fn take_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let taken = match &*method {
            DidOpenTextDocument::METHOD => read(params).map(|opened| {
                let folders = self.shared.folders();
                let here = || env::current_dir().unwrap_or_default();
                let folder = folders.into_iter().next().unwrap_or_else(here);
                let encoding = self.shared.client.encoding;
                if let Some(open) = self.sync.open(opened, &folder, encoding) {
                    self.take_text(open);
                }
            }),
            DidChangeTextDocument::METHOD => read(params).map(|changed| {
                if let Some(open) = self.sync.change(&changed) {
                    self.take_text(open);
                }
            }),
            DidCloseTextDocument::METHOD => {
                read(params).map(|closed: DidCloseTextDocumentParams| {
                    if let Some(open) = self.sync.close(&closed.text_document.uri) {
                        lock(&self.shared.newest).remove(&open.key);
                        drop(self.jobs.send(Job::Texts(self.sync.texts())));
                    }
                })
            }
            DidSaveTextDocument::METHOD => read(params).map(|saved: DidSaveTextDocumentParams| {
                // A client without watchers says only this about the file.
                self.take_files(uri::to_path(&saved.text_document.uri).into_iter().collect());
            }),
            DidChangeWatchedFiles::METHOD => {
                read(params).map(|changed: DidChangeWatchedFilesParams| {
                    let paths = changed.changes.iter().filter_map(|it| uri::to_path(&it.uri));
                    self.take_files(paths.collect());
                })
            }
            DidChangeWorkspaceFolders::METHOD => {
                read(params).map(|changed: DidChangeWorkspaceFoldersParams| {
                    let event = changed.event;
                    let mut folders = lock(&self.shared.folders);
                    let removed: Vec<PathBuf> =
                        event.removed.iter().filter_map(|it| uri::to_path(&it.uri)).collect();
                    folders.retain(|folder| !removed.contains(folder));
                    let added = event.added.iter().filter_map(|it| uri::to_path(&it.uri));
                    for folder in added {
                        if !folders.contains(&folder) {
                            folders.push(folder);
                        }
                    }
                })
            }
            DidChangeConfiguration::METHOD => {
                read(params).map(|changed: DidChangeConfigurationParams| {
                    self.take_settings(&changed.settings);
                })
            }
            Cancel::METHOD => read(params).map(|cancelled: CancelParams| {
                let id = match cancelled.id {
                    NumberOrString::Number(id) => id.into(),
                    NumberOrString::String(id) => id.into(),
                };
                self.shared.respond(&id, Err(Error::Cancelled));
            }),
            Initialized::METHOD => {
                if self.shared.client.registers_watchers {
                    self.shared.request::<RegisterCapability>(watchers());
                }
                Ok(())
            }
            // Notifications that are not known may be ignored.
            _ => Ok(()),
        };
        if let Err(why) = taken {
            let message = format!("voxlint: `{method}` is ignored: {why}");
            self.shared.log(MessageType::WARNING, message);
        }
    }

    fn take_text(&self, open: Arc<OpenText>) {
        lock(&self.shared.newest).insert(open.key.clone(), open);
        drop(self.jobs.send(Job::Texts(self.sync.texts())));
    }

    fn take_files(&self, paths: Vec<PathBuf>) {
        if !paths.is_empty() {
            drop(self.jobs.send(Job::Files(paths)));
        }
    }

    fn take_settings(&mut self, stated: &Value) {
        // Some clients send nothing, an empty object or only the settings of other programs, if the user has set nothing. What the
        // server was started with counts then.
        let is_stated = Settings::are_in(stated);
        if !is_stated && stated.get("voxlint").is_none() {
            return;
        }
        let settings = if is_stated {
            Settings::new(stated, &self.shared.folders())
        } else {
            self.settings_at_start.clone()
        };
        if settings != self.settings {
            self.settings = settings.clone();
            drop(self.jobs.send(Job::Settings(settings)));
        }
    }
}

fn read<T: DeserializeOwned>(parameters: Value) -> Result<T, String> {
    serde_json::from_value(parameters).map_err(|error| error.to_string())
}

/// The text that a request is about.
fn uri_of(parameters: &Value) -> Option<&str> {
    let command = parameters.pointer("/arguments/0");
    let command = command.and_then(|it| it.as_str().or_else(|| it.get("uri")?.as_str()));
    let of = |pointer| parameters.pointer(pointer).and_then(Value::as_str);
    of("/textDocument/uri").or_else(|| of("/data/uri")).or(command)
}
