//! Results for JavaScript.

use std::mem;

use napi::bindgen_prelude::{Either, Float64Array};
use napi_derive::napi;
use voxlint_bindings::{Difference, Plan, Prediction, Report, Texts, Unit};

/// A result with positions in texts, or with bodies to send.
#[napi]
pub struct Outcome {
    json: String,
    texts: Texts,
    bodies: Vec<Body>,
}

/// The body of an update.
#[napi(object, object_from_js = false)]
pub struct Body {
    /// The document that it is the body of.
    pub name: String,
    /// Its text, with every digit as it was written.
    pub text: String,
}

/// A result that consists of its JSON only.
pub(crate) type Answer = Either<String, Outcome>;

#[napi]
impl Outcome {
    /// The result in the format of the command line. It can be taken once.
    #[napi(catch_unwind)]
    pub fn take_json(&mut self) -> String {
        mem::take(&mut self.json)
    }

    /// The bodies to send. They can be taken once.
    #[napi(catch_unwind)]
    pub fn take_bodies(&mut self) -> Vec<Body> {
        mem::take(&mut self.bodies)
    }

    /// Frees the texts. Otherwise they would be kept until the garbage collector frees the result, which is late because the result
    /// looks small to it.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.texts = Texts::default();
    }

    /// Offsets in bytes of the text at a path, as offsets in UTF-16 units; null if the text is not known.
    #[napi(catch_unwind)]
    pub fn offsets(&self, path: String, bytes: Float64Array) -> Option<Float64Array> {
        // Files are far smaller than the numbers that a double can hold.
        #[expect(clippy::cast_sign_loss, reason = "the offsets of a result are not negative")]
        let bytes: Vec<u64> = bytes.iter().map(|offset| *offset as u64).collect();
        let offsets = self.texts.offsets(&path, &bytes, Unit::Utf16)?;
        #[expect(clippy::cast_precision_loss, reason = "texts have less than 2^53 bytes")]
        let offsets: Vec<f64> = offsets.into_iter().map(|offset| offset as f64).collect();
        Some(Float64Array::new(offsets))
    }
}

/// A report. Undecided rules have no positions, so a report without findings only needs its JSON.
pub(crate) fn report(report: &Report) -> Answer {
    let counts = report.summary();
    if counts.errors + counts.warnings + counts.infos == 0 {
        return Either::A(report.to_json());
    }
    Either::B(Outcome { json: report.to_json(), texts: report.texts().clone(), bodies: Vec::new() })
}

pub(crate) fn prediction(it: &Prediction) -> Answer {
    let (json, texts) = (it.to_json().to_owned(), it.texts().clone());
    Either::B(Outcome { json, texts, bodies: Vec::new() })
}

pub(crate) fn difference(it: &Difference) -> Answer {
    let update = it.update().map(|text| Body { name: "update".to_owned(), text: text.to_owned() });
    let (json, texts) = (it.to_json().to_owned(), it.texts().clone());
    Either::B(Outcome { json, texts, bodies: update.into_iter().collect() })
}

pub(crate) fn plan(it: &Plan) -> Answer {
    let body = |(name, text): &(std::sync::Arc<str>, String)| Body {
        name: name.to_string(),
        text: text.clone(),
    };
    let (json, texts) = (it.to_json().to_owned(), it.texts().clone());
    Either::B(Outcome { json, texts, bodies: it.bodies().iter().map(body).collect() })
}
