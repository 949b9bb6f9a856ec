//! Words.
use crate::fault::Fault;
pub(crate) fn message(_: &Fault, _: &str) -> String {
    String::new()
}
pub(crate) fn label(_: &Fault) -> &'static str {
    ""
}
pub(crate) fn help(_: &Fault, _: &str) -> Option<String> {
    None
}
