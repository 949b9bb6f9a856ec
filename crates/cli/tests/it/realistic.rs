//! Realistic documents: prompts as teams write them, half of them clean, half with planted faults. And documents that look
//! odd and are right.
//!
//! `fixtures/realistic/faults.tsv` lists the planted faults: file, rule, pointer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;

use serde_json::Value;

use crate::process::{run, stderr};
use voxlint_testing::repository;

/// Rules that are still to come, or do not find everything yet.
const TO_COME: &[&str] = &[];

#[test]
fn realistic_documents_without_mistakes_have_no_findings() {
    for folder in ["clean", "traps"] {
        let (documents, findings) = findings(folder);
        assert!(documents >= 12, "{folder}: {documents} documents");
        assert!(findings.is_empty(), "{folder}: {findings:#?}");
    }
}

#[test]
fn every_fault_of_realistic_documents_is_found() {
    let (_, found) = findings("faulty");
    let (_, clean) = findings("clean");
    let planted = planted();
    let mut tally: BTreeMap<&str, Tally> = BTreeMap::new();
    for fault in &planted {
        let tally = tally.entry(&fault.rule).or_default();
        tally.planted += 1;
        tally.found += u32::from(found.contains(fault));
    }
    for finding in found.union(&clean) {
        let tally = tally.entry(&finding.rule).or_default();
        tally.unplanted += u32::from(!planted.contains(finding));
    }
    println!("{:40} planted found unplanted precision recall", "rule");
    for (rule, tally) in &tally {
        println!("{rule:40} {tally}");
    }

    let (to_come, missed): (Vec<&Finding>, Vec<&Finding>) =
        planted.difference(&found).partition(|it| TO_COME.contains(&it.rule.as_str()));
    let unplanted: Vec<&Finding> = found.difference(&planted).collect();
    println!("to come: {to_come:#?}");
    assert!(missed.is_empty(), "not found: {missed:#?}\nfound, and not planted: {unplanted:#?}");
    assert!(unplanted.is_empty(), "found, and not planted: {unplanted:#?}");
}

/// A rule that objects to a place of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    file: String,
    rule: String,
    pointer: String,
}

/// The planted and found faults of a rule.
#[derive(Debug, Default)]
struct Tally {
    planted: u32,
    found: u32,
    unplanted: u32,
}

impl fmt::Display for Tally {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u32, whole: u32| match whole {
            0 => "-".to_owned(),
            _ => format!("{:.2}", f64::from(part) / f64::from(whole)),
        };
        write!(
            to,
            "{:7} {:5} {:9} {:>9} {:>6}",
            self.planted,
            self.found,
            self.unplanted,
            share(self.found, self.found + self.unplanted),
            share(self.found, self.planted),
        )
    }
}

fn planted() -> BTreeSet<Finding> {
    let table = fs::read_to_string(repository().join("fixtures/realistic/faults.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let [file, rule, pointer] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}: file, rule, pointer")
            };
            Finding { file: file.into(), rule: rule.into(), pointer: pointer.into() }
        })
        .collect()
}

/// The number of documents in a folder of `fixtures/realistic`, and the findings in them.
fn findings(folder: &str) -> (u64, BTreeSet<Finding>) {
    let directory = repository().join("fixtures/realistic");
    let output = run(&directory, &["check", "--format", "json", folder]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let mut findings = BTreeSet::new();
    for file in report["files"].as_array().unwrap() {
        for diagnostic in file["diagnostics"].as_array().unwrap() {
            let text = |value: &Value| value.as_str().unwrap().replace('\\', "/");
            findings.insert(Finding {
                file: text(&file["path"]),
                rule: text(&diagnostic["rule"]),
                pointer: text(&diagnostic["field"]),
            });
        }
    }
    (report["summary"]["documents"].as_u64().unwrap(), findings)
}
