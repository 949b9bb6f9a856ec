//! Secrets in documents and texts, and texts without them.

pub use crate::check::findings;
pub use crate::masking::{Mask, masked_json, spans};
pub use crate::secret::mask_text;
