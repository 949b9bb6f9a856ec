//! Passages of the service's description that can be read in several ways, and what a team knows about them.

#[doc(hidden)]
pub use voxlint_model::readings::ReadingEntry;
pub use voxlint_model::readings::{Assumption, Readings, SetReading, by_readings, to_settle};
pub use voxlint_schema::readings::{ALL, Reading, ReadingValue};
