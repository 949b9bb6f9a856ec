//! The answers of the service to an update.

use std::sync::Arc;

use voxlint::{Inputs, Origin};
use voxlint_project::{RelatedDocument, predict};
use voxlint_report::{CheckedDocument, write_prediction_json};

use crate::error::guarded;
use crate::run::{related_file, written};
use crate::texts::{Texts, Unit};
use crate::{Context, DocumentOptions, Error};

/// The answers that the service may give to an update.
#[derive(Debug)]
pub struct Prediction {
    statuses: Vec<u16>,
    json: String,
    texts: Texts,
}

impl Context {
    /// Predicts the answers of the service to an update.
    ///
    /// # Errors
    ///
    /// If the document is not exactly one update, or a part of it was not read.
    pub fn predict(&self, bytes: &[u8], options: &DocumentOptions) -> Result<Prediction, Error> {
        guarded(|| {
            let document = options.document(bytes)?;
            let settings = self.configuration().for_file(&options.path);
            let mut inputs = self.inputs(document, &settings);
            if let Some(kind) = options.kind {
                inputs = inputs.kind(kind);
            }
            Prediction::of(&options.path, &inputs, &self.origins())
        })?
    }
}

impl Prediction {
    /// The prediction for a document and the inputs that it is checked with.
    pub(crate) fn of(
        path: &str,
        inputs: &Inputs,
        related: &[(Origin, RelatedDocument)],
    ) -> Result<Self, Error> {
        let prediction = predict(path, inputs, related).map_err(|failures| Error::of(&failures))?;
        let text = inputs.document().text();
        let files: Vec<_> = related.iter().map(related_file).collect();
        let checked = CheckedDocument::new(path, text, &prediction.report).related_files(&files);
        Ok(Self {
            statuses: prediction.answers.iter().map(|answer| answer.status).collect(),
            json: written(|out| write_prediction_json(out, &checked, &prediction)),
            texts: texts_of(path, inputs, related),
        })
    }

    /// The statuses of all answers, in ascending order.
    pub fn statuses(&self) -> &[u16] {
        &self.statuses
    }

    /// The document that `voxlint predict --format json` writes.
    pub fn to_json(&self) -> &str {
        &self.json
    }

    /// The texts that spans point into.
    pub const fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Offsets in bytes of the file at a path as offsets in another unit; see [`Texts::offsets`].
    pub fn offsets(&self, path: &str, bytes: &[u64], unit: Unit) -> Option<Vec<u64>> {
        self.texts.offsets(path, bytes, unit)
    }
}

/// The texts of a document and of its related files.
pub(crate) fn texts_of(
    path: &str,
    inputs: &Inputs,
    related: &[(Origin, RelatedDocument)],
) -> Texts {
    let mut texts = Texts::default();
    for (_, it) in related {
        texts.add(Arc::clone(&it.path), it.document.tree().shared_text());
    }
    texts.add(path.into(), inputs.document().tree().shared_text());
    texts
}
