//! The smallest update between two configurations.

use std::sync::Arc;

use voxlint::syntax::SharedText;
use voxlint::{Inputs, Origin};
use voxlint_project::{RelatedDocument, difference};
use voxlint_report::write_difference_json;

use crate::error::guarded;
use crate::run::{with_update, written};
use crate::texts::{Texts, Unit};
use crate::{Context, DocumentOptions, Error};

/// The smallest update that turns the stored configuration into the desired one.
#[derive(Debug)]
pub struct Difference {
    update: Option<String>,
    is_rejected: bool,
    json: String,
    texts: Texts,
}

impl Context {
    /// Compares the stored configuration with the desired settings. `complete`: a setting that they omit is to be unset instead of
    /// keeping its stored value.
    ///
    /// # Errors
    ///
    /// If there is no stored configuration, or the document cannot be used as the desired settings.
    pub fn diff(
        &self,
        bytes: &[u8],
        options: &DocumentOptions,
        complete: bool,
    ) -> Result<Difference, Error> {
        guarded(|| {
            let settings = self.configuration().for_file(&options.path);
            let inputs = self.inputs(options.document(bytes)?, &settings);
            let difference = Difference::of(&options.path, &inputs, complete, &self.origins())?;
            difference.ok_or_else(|| {
                Error::new("`diff` needs the stored configuration: give it as `stored`")
            })
        })?
    }
}

impl Difference {
    /// The difference between the stored configuration in some inputs and the settings at a path; `None` without one.
    pub(crate) fn of(
        path: &str,
        inputs: &Inputs,
        complete: bool,
        related: &[(Origin, RelatedDocument)],
    ) -> Result<Option<Self>, Error> {
        let found = difference(path, inputs, complete, related).map_err(|it| Error::of(&it))?;
        let Some((difference, name)) = found else { return Ok(None) };
        let json = with_update(&difference, &name, related, |checked| {
            written(|out| write_difference_json(out, &difference, checked))
        });
        let mut texts = Texts::default();
        for (_, it) in related {
            texts.add(Arc::clone(&it.path), it.document.tree().shared_text());
        }
        if let Some(update) = difference.update.as_deref().filter(|_| difference.report.is_some()) {
            texts.add(name.into(), SharedText::from(update));
        }
        let is_rejected = difference.is_rejected();
        Ok(Some(Self { update: difference.update, is_rejected, json, texts }))
    }

    /// The body of the update; `None` if there is nothing to send. Numbers keep all their digits, and secrets are not masked.
    pub fn update(&self) -> Option<&str> {
        self.update.as_deref()
    }

    /// Whether the service would certainly reject the update.
    pub const fn is_rejected(&self) -> bool {
        self.is_rejected
    }

    /// The document that `voxlint diff --format json` writes.
    pub fn to_json(&self) -> &str {
        &self.json
    }

    /// The texts that spans point into.
    pub const fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Offsets in bytes of the text with a name as offsets in another unit; see [`Texts::offsets`].
    pub fn offsets(&self, path: &str, bytes: &[u64], unit: Unit) -> Option<Vec<u64>> {
        self.texts.offsets(path, bytes, unit)
    }
}
