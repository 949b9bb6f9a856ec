//! The files that findings are written to.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufWriter;

use voxlint::Source;

use crate::args::OutputFile;
use crate::files::Input;
use crate::paths::{absolute, describe};

/// The files to write to, made before anything is checked: a run of minutes should not end with a typing mistake. What an
/// earlier run has written to them is not checked.
///
/// # Errors
///
/// What keeps one of them from being written. A document is not written over.
pub(crate) fn open(
    outputs: &[OutputFile],
    inputs: &mut Vec<Input>,
) -> Result<Vec<BufWriter<File>>, String> {
    let mut paths = BTreeSet::new();
    for output in outputs {
        let shown = output.path.to_string_lossy();
        if !paths.insert(absolute(&output.path)) {
            return Err(format!("--output names {shown} twice: each report wants its own file"));
        }
    }
    let written_over = |input: &&Input| input.path.is_some() && paths.contains(&input.absolute);
    if let Some(input) = inputs.iter().filter(written_over).find(|input| is_document(input)) {
        return Err(format!("{}: --output would write over what is to be checked", input.shown));
    }
    inputs.retain(|input| !written_over(&input));
    let open = |output: &OutputFile| {
        File::create(&output.path)
            .map(BufWriter::new)
            .map_err(|error| format!("{}: {}", output.path.display(), describe(&error)))
    };
    outputs.iter().map(open).collect()
}

/// Whether somebody has named a file, or it holds a document of ours.
fn is_document(input: &Input) -> bool {
    let holds_one = |bytes: Vec<u8>| {
        let lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
        let text = if input.is_lines() { first.unwrap_or_default() } else { &bytes };
        let source = Source::from_bytes(text);
        input.documents(&source).iter().any(|document| document.recognise().is_some())
    };
    // What cannot be read says nothing; the attempt to write it will.
    input.is_named || input.read().is_ok_and(holds_one)
}
