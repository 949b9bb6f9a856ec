//! Converts arguments for the shared core.

use napi::bindgen_prelude::{Either, Status, Uint8Array};
use voxlint_bindings::{DocumentOptions, Error};

/// A text: a string, or the bytes of a file.
pub(crate) type Text = Either<String, Uint8Array>;

/// The bytes of a text. JavaScript may change a buffer while another thread reads, so they are copied.
pub(crate) fn bytes(text: Text) -> Vec<u8> {
    match text {
        Either::A(text) => text.into_bytes(),
        Either::B(bytes) => bytes.to_vec(),
    }
}

/// How a document is read.
#[napi_derive::napi(object, object_to_js = false)]
#[derive(Default)]
pub struct Reading {
    /// The name of its format.
    pub format: Option<String>,
    /// The name of its kind.
    pub kind: Option<String>,
    /// The path that reports show.
    pub path: Option<String>,
}

/// The options of a document.
pub(crate) fn options(reading: Option<Reading>) -> Result<DocumentOptions, Error> {
    match reading {
        None => Ok(DocumentOptions::default()),
        Some(Reading { format, kind, path }) => {
            DocumentOptions::parse(format.as_deref(), kind.as_deref(), path.as_deref())
        }
    }
}

/// Converts an error of the core for JavaScript. `lib/native.js` takes every status but this one for a bug of voxlint.
pub(crate) fn thrown(error: Error) -> napi::Error {
    let status = if error.is_bug() { Status::GenericFailure } else { Status::InvalidArg };
    napi::Error::new(status, error.to_string())
}
