//! Internal to voxlint: a server of the Model Context Protocol, so that an assistant that writes agent documents gets voxlint's verdict
//! before a person sees them.
//!
//! The protocol is small where a server only has tools: messages in JSON, one per line. So this crate speaks it without a runtime
//! and without a network. [`Server::serve`] answers until the input ends. It reads files in the folders that it was given, nothing
//! else, and writes nothing but its answers.
//!
//! ```
//! use std::io::Cursor;
//!
//! use voxlint_mcp::Server;
//!
//! let folder = tempfile::tempdir()?;
//! let server = Server::new(&[folder.path().to_owned()])?;
//! let input = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! let mut output = Vec::new();
//! server.serve(Cursor::new(input), &mut output)?;
//! assert_eq!(output, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod answer;
mod arguments;
mod connection;
mod message;
mod object;
mod protocol;
mod server;
mod tool;
mod tools;
mod workspace;

pub use server::Server;
