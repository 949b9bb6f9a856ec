//! The configuration of voxlint itself, as far as its table of keys describes it. The crate `voxlint-config` reads all of it.

pub use crate::engine::configuration_faults as faults;
