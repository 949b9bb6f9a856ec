//! Every law holds for the corpus of its fuzz target, for the fixtures, and for mutations of both.

use std::fs;
use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use flate2::read::GzDecoder;
use voxlint_laws::seeds::seeds;
use voxlint_laws::{LAWS, Law, SEPARATOR};
use voxlint_testing::generated_inputs::Random;
use voxlint_testing::{cases, repository};

/// The corpus of a law: the inputs that `fuzz/run.sh` has kept.
fn kept(law: &Law) -> Vec<(String, Vec<u8>)> {
    let path = repository().join(format!("fuzz/corpora/{}.tar.gz", law.name));
    let file = fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let files = archive.entries().unwrap().map(Result::unwrap);
    files
        .filter(|file| file.header().entry_type().is_file())
        .map(|mut file| {
            let name = file.path().unwrap().display().to_string();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (name, bytes)
        })
        .collect()
}

fn assert_holds(law: &Law, name: &str, bytes: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| (law.hold)(bytes)));
    assert!(
        outcome.is_ok(),
        "{} does not hold for {name}: {:?}",
        law.name,
        String::from_utf8_lossy(bytes)
    );
}

#[test]
fn laws_hold_for_the_kept_inputs() {
    for law in LAWS {
        let inputs = kept(&law);
        assert!(inputs.len() > 20, "{}: {} inputs", law.name, inputs.len());
        for (name, bytes) in inputs {
            assert_holds(&law, &name, &bytes);
        }
    }
}

#[test]
fn laws_hold_for_fixtures_and_changes_of_them() {
    for law in LAWS {
        let mut known = seeds(law.name);
        known.extend(kept(&law));
        let mut random = Random::new(1);
        for case in 0..cases(60, 20_000) {
            let (name, bytes) = &known[random.below(known.len())];
            let mut bytes = bytes.clone();
            for _ in 0..random.below(4) {
                let (_, other) = &known[random.below(known.len())];
                change(&mut random, &mut bytes, other);
            }
            assert_holds(&law, &format!("mutation {case} of {name}"), &bytes);
        }
    }
}

/// Removes some bytes, or replaces them with others, such as bytes of another input.
fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    const UNITS: [&[u8]; 12] = [
        b"{{",
        b"}}",
        b"\"",
        b"\\",
        b"\n",
        b"[",
        b"{",
        b": ",
        b"- ",
        b"1e5",
        b"\xff",
        &[SEPARATOR],
    ];
    let start = random.below(bytes.len() + 1);
    let end = (start + random.below(12)).min(bytes.len());
    let new = match random.below(4) {
        0 => Vec::new(),
        1 => random.pick(&UNITS).to_vec(),
        2 => vec![random.below(256) as u8],
        _ => {
            let from = random.below(other.len() + 1);
            let to = (from + random.below(60)).min(other.len());
            other[from..to].to_vec()
        }
    };
    bytes.splice(start..end, new);
}

#[test]
fn every_law_has_a_target() {
    let files = fs::read_dir(repository().join("fuzz/fuzz_targets")).unwrap();
    let mut targets: Vec<String> = files
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    targets.sort();
    let mut expected: Vec<&str> = LAWS.iter().map(|law| law.name).chain(["complexity"]).collect();
    expected.sort_unstable();
    assert_eq!(targets, expected);
}
