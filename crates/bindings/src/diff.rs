//! The smallest update between two configurations.

use std::sync::Arc;

use voxlint::syntax::SharedText;
use voxlint::{DiffError, DiffInputs, Origin, diff};
use voxlint_project::{Failure, RelatedDocument, all_read};
use voxlint_report::{CheckedDocument, write_difference_json};

use crate::error::guarded;
use crate::run::{related_file, written};
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
            let document = options.document(bytes)?;
            let settings = self.configuration().for_file(&options.path);
            let states = DiffInputs::of(&self.inputs(document.clone(), &settings));
            let (stored, mut inputs) = self.stored().zip(states).ok_or_else(|| {
                Error::new("`diff` needs the stored configuration: give it as `stored`")
            })?;
            if complete {
                inputs = inputs.complete();
            }
            let paths = [&*stored.path, &*options.path];
            Difference::of(paths, document.text(), &inputs, &self.origins())
        })?
    }
}

impl Difference {
    /// The difference between the states of some inputs, which have these paths. `text` is that of the desired settings.
    pub(crate) fn of(
        [old, new]: [&str; 2],
        text: &str,
        inputs: &DiffInputs,
        related: &[(Origin, RelatedDocument)],
    ) -> Result<Self, Error> {
        let difference = diff(inputs).map_err(|error| match error {
            DiffError::NewUnusable(faults) => {
                Error::from(Failure::unusable_text(new, text, &faults, "the desired settings"))
            }
            error @ DiffError::NewNotSettings(_) => Failure::new(new, error.to_string()).into(),
            error => Error::new(error),
        })?;
        let name: Arc<str> = format!("the update from {old} to {new}").into();
        let checked = difference.update.as_deref().zip(difference.report.as_ref());
        let mut texts = Texts::default();
        for (_, it) in related {
            texts.add(Arc::clone(&it.path), it.document.tree().shared_text());
        }
        if let Some((update, report)) = checked {
            all_read(report, (&name, update), related).map_err(|unread| Error::of(&unread))?;
            texts.add(Arc::clone(&name), SharedText::from(update));
        }
        let files: Vec<_> = related.iter().map(related_file).collect();
        let checked = checked.map(|(update, report)| {
            CheckedDocument::new(&name, update, report).related_files(&files)
        });
        let json = written(|out| write_difference_json(out, &difference, checked.as_ref()));
        let is_rejected = difference.is_rejected();
        Ok(Self { update: difference.update, is_rejected, json, texts })
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
