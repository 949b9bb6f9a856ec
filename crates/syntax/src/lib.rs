//! Text to positioned trees: every value of a configuration file with its byte range.
