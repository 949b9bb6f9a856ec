//! Documentation made from the rules and the tables: pages, example files and JSON Schemas.

pub mod example_file;
pub mod fix_examples;
pub mod pages;

mod json_schema;
mod page_examples;

pub use json_schema::json_schema;
pub use page_examples::levels;
