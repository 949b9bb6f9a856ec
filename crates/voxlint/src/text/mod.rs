//! The formats of strings: how their characters are counted, and how lists, phone numbers, time zones and timestamps are read.

pub(crate) mod characters;
pub(crate) mod destinations;
pub(crate) mod keywords;
pub(crate) mod phone_number;
pub(crate) mod time_zones;
pub(crate) mod timestamp;
