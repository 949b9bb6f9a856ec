//! One emitter per output format.

pub(crate) mod azure;
pub(crate) mod checkstyle;
pub(crate) mod concise;
pub(crate) mod full;
pub(crate) mod github;
pub(crate) mod gitlab;
pub(crate) mod grouped;
pub(crate) mod html;
pub(crate) mod json;
mod json_records;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod ndjson;
pub(crate) mod rdjson;
pub(crate) mod sarif;
pub(crate) mod statistics;
mod xml;
