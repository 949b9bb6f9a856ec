//! Tells what a voice-agent service will answer to an agent configuration before it is published.
