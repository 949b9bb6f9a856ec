//! A batch job over an export with one document per line: how many documents each rule reports, and where.
//!
//! ```sh
//! cargo run -p voxlint --example batch < export.ndjson
//! ```

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write as _};

use voxlint::{Document, Inputs, Source, check};

/// The findings of one rule.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    findings: usize,
    /// The first line that has it, counted from 1, and the pointer to the value.
    first: Option<(usize, String)>,
}

/// Goes through the lines one by one, in as much memory as the longest of them takes.
fn tally(mut lines: impl BufRead) -> io::Result<BTreeMap<String, Tally>> {
    let mut rules: BTreeMap<String, Tally> = BTreeMap::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let document = Document::parse(Source::line(text));
        for finding in check(&Inputs::new(document)).diagnostics {
            let rule = rules.entry(finding.rule.id.to_string()).or_default();
            rule.findings += 1;
            rule.first.get_or_insert((number, finding.field));
        }
    }
    Ok(rules)
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (rule, Tally { findings, first }) in tally(io::stdin().lock())? {
        let (line, field) = first.unwrap_or_default();
        writeln!(out, "{findings:>8}  {rule:<32}  first in line {line}, {field}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_counted_over_all_lines() {
        let lines = "{ \"version_number\": 3 }\n\n\
                     { \"version_number\": 3, \"kb_max_chunks\": 12 }\n\
                     { \"version_number\": 3, \"kb_max_chunks\": 0 }\n";
        let rules = tally(lines.as_bytes()).unwrap_or_default();
        let expected = Tally { findings: 2, first: Some((3, "/kb_max_chunks".to_owned())) };
        assert_eq!(rules.get("out-of-range"), Some(&expected));
        assert_eq!(rules.len(), 1);
    }
}
