//! The headings that group options in `--help`. Options without a heading are listed under "Options".

/// What is known beside the document.
pub(super) const CONTEXT: &str = "Context";
/// Which rules run, and which findings are suppressed.
pub(super) const CONFIGURATION: &str = "Configuration";
/// What is fixed.
pub(super) const FIXES: &str = "Fixes";
/// What is adopted, and whether it is written.
pub(super) const ADOPTION: &str = "Adoption";
/// What is printed, and where.
pub(super) const OUTPUT: &str = "Output";
/// What makes the run fail.
pub(super) const EXIT_CODE: &str = "Exit code";

/// Every heading.
#[cfg(test)]
pub(super) const ALL: [&str; 6] = [CONTEXT, CONFIGURATION, FIXES, ADOPTION, OUTPUT, EXIT_CODE];
