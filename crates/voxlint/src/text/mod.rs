//! The formats and contents of strings: how their characters are counted and classified, and how lists, phone numbers, time zones, timestamps
//! and the markup of other template languages are read.

pub(crate) mod address;
pub(crate) mod characters;
pub(crate) mod comments;
pub(crate) mod destinations;
pub(crate) mod forbidden;
pub(crate) mod foreign_markup;
pub(crate) mod invisible;
pub(crate) mod keyword_characters;
pub(crate) mod keywords;
pub(crate) mod mojibake;
pub(crate) mod phone_number;
pub(crate) mod placeholders;
pub(crate) mod spoken;
pub(crate) mod time_zones;
pub(crate) mod timestamp;
pub(crate) mod unusual;
