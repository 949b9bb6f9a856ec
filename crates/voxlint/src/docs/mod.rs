//! Documentation made from the rules and the tables: pages, example files and JSON Schemas.

pub mod example_file;
pub mod pages;

mod json_schema;

pub use json_schema::json_schema;
