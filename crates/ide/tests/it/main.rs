//! Tests of what editors ask, over all fixtures.
#![allow(missing_docs)]

mod file;
