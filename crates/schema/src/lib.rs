//! The voice-agent service's field tables as data.
