//! Renders voxlint's diagnostics for terminals and for other tools.
