//! One emitter per output format.

pub(crate) mod azure;
#[cfg(feature = "xml")]
pub(crate) mod checkstyle;
pub(crate) mod concise;
pub(crate) mod full;
pub(crate) mod github;
#[cfg(feature = "sarif")]
pub(crate) mod gitlab;
pub(crate) mod grouped;
#[cfg(feature = "html")]
pub(crate) mod html;
pub(crate) mod json;
mod json_records;
#[cfg(feature = "xml")]
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod ndjson;
pub(crate) mod rdjson;
#[cfg(feature = "sarif")]
pub(crate) mod sarif;
pub(crate) mod statistics;
#[cfg(feature = "xml")]
mod xml;
