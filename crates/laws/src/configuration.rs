//! Configurations and baselines.

use voxlint::{Inputs, Trace, check};
use voxlint_config::{
    Baseline, CheckSettings, Configuration, DocumentScope, LoadError, check_document,
};

use crate::texts::Texts;

/// Holds if a configuration is loaded or has errors inside its text, a check with it terminates, and the baseline can be
/// written and read again.
pub fn configurations(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let (text, base) = (texts.next(), texts.next());
    let format = texts.format();
    let document = texts.document(format);
    let baseline = Baseline::parse(&String::from_utf8_lossy(texts.next())).unwrap_or_default();
    let mut read = |path: &str| {
        let text = if path == "voxlint.toml" { text } else { base };
        Ok(String::from_utf8_lossy(text).into_owned())
    };
    let configuration = match Configuration::load("voxlint.toml", &mut read) {
        Ok(configuration) => configuration,
        Err(LoadError::Faults(files)) => {
            assert!(!files.is_empty());
            for file in files {
                for found in &file.report.diagnostics {
                    let range = found.span.start as usize..found.span.end as usize;
                    assert!(file.text.get(range).is_some(), "{found:?} is not inside its text");
                }
            }
            return;
        }
        Err(_) => return,
    };
    configuration.show();
    let settings = configuration.for_file("agents/en/front-desk.json");
    settings.show();
    let settings = CheckSettings::new(settings, "2027-01-31".parse().expect("a date"));
    let inputs = settings.inputs(Inputs::new(document));
    let count = check(&inputs).diagnostics.len();
    let mut known = baseline.for_file("agents/en/front-desk.json");
    let scope = DocumentScope { baseline: Some(&mut known), ..DocumentScope::default() };
    let report = check_document(inputs.clone(), &settings, scope, &mut Trace::off()).report;
    assert!(report.diagnostics.len() <= count + inputs.document().text().len());
    // Reading a written baseline gives the same entries.
    let written: Baseline =
        known.into_entries().into_iter().chain(baseline.entries().cloned()).collect();
    let again = Baseline::parse(&written.to_json());
    assert!(again.is_ok_and(|again| again == written), "{}", written.to_json());
}
