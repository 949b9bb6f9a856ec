//! Internal to voxlint: the language server of voxlint: what an editor shows while a document is written.
//!
//! The server speaks the Language Server Protocol over standard input and output, or over a pair of channels in tests. It
//! keeps the texts that are open (`sync.rs`), checks them as `voxlint check` does in a thread of its own (`worker.rs`,
//! `project.rs`), and answers requests meanwhile (`routes.rs` has the table of all requests, `handlers/` one file for each
//! feature). `to_protocol.rs` and `from_protocol.rs` are the only places where spans become positions, and positions offsets.

#![forbid(unsafe_code)]
#![allow(clippy::mutable_key_type, reason = "the order of addresses does not change")]

mod analysis;
mod client;
mod context;
mod error;
mod findings;
mod from_protocol;
mod handlers;
mod open_text;
mod options;
mod project;
mod routes;
mod server;
mod settings;
mod shared;
mod stdio;
mod sync;
mod temporary;
mod to_protocol;
mod uri;
mod worker;

use std::io;

pub use lsp_server::Connection;
pub use options::{Ended, Options};

/// Serves a client until it sends `exit` or closes the connection.
///
/// ```
/// use voxlint_server::{Connection, Ended, Options, run};
///
/// let (server, client) = Connection::memory();
/// drop(client);
/// assert_eq!(run(&server, &Options::default()), Ended::Early);
/// ```
pub fn run(connection: &Connection, options: &Options) -> Ended {
    server::run(connection, options)
}

/// Serves a client on standard input and output.
///
/// # Errors
///
/// If standard output cannot be written. A client that closes it has only gone.
pub fn run_stdio(options: &Options) -> io::Result<Ended> {
    let (connection, writer) = stdio::connect();
    let ended = run(&connection, options);
    writer.finish()?;
    Ok(ended)
}
