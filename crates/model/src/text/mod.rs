//! The formats and contents of strings: how their characters are counted and classified, and how lists, phone numbers, time zones, timestamps
//! and the markup of other template languages are read.

pub mod address;
pub mod characters;
pub(crate) mod comments;
pub mod destinations;
pub mod forbidden;
pub mod foreign_markup;
pub mod invisible;
pub mod keyword_characters;
pub mod keywords;
pub mod mojibake;
pub mod phone_number;
pub mod placeholders;
pub mod spoken;
pub mod time_zones;
pub mod timestamp;
pub mod unusual;
