//! What several of these tests share.

pub(crate) mod hostile;
pub(crate) mod yaml;
