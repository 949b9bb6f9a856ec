//! The stored configuration in one file: an agent and the settings of one of its versions.
//!
//! This is a format of voxlint, made of the objects of sections 2.1 and 2.3.

use crate::table::table;
use crate::{Flag, Map, Spec, UnknownFields, agent, settings};
use crate::{boolean, map};

table! {
    /// An agent and the settings of one version.
    pub static TABLE: "a stored configuration", UnknownFields::Reject;

    "stored" {
        /// The agent, as the service returns it.
        agent: Map = map().nullable().with(&agent::TABLE);
        /// The settings of one version, with its `version_number`.
        version: Map = map().nullable().with(&settings::TABLE);
        /// Whether fields that `version` omits are not set. Otherwise they are unknown.
        complete: Flag = boolean();
    }
}
