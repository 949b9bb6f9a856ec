//! Searches for a prefix, a repeated unit and a suffix whose cost grows faster than their size. The first byte selects the format.

#![no_main]

use voxlint_complexity::{Family, Input, grown};
use voxlint_laws::SEPARATOR;

const INPUTS: [&str; 6] = ["json", "jsonc", "yaml", "toml", "text", "configuration"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, texts)) = bytes.split_first() else { return };
    let name = INPUTS[usize::from(*choice) % INPUTS.len()];
    let mut texts = texts.splitn(3, |byte| *byte == SEPARATOR).map(String::from_utf8_lossy);
    let mut next = || texts.next().unwrap_or_default().into_owned();
    let family = Family {
        input: name.parse().map_or(Input::Configuration, Input::Document),
        prefix: next(),
        unit: next(),
        suffix: next(),
    };
    if family.unit.is_empty() {
        return;
    }
    let found = grown(&family, &[]);
    assert!(found.is_empty(), "{family:?}: {found:?}");
});
