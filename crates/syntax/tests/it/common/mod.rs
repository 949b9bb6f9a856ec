//! What several of these tests share.

pub(crate) mod hostile;
#[cfg(feature = "yaml")]
pub(crate) mod yaml;
