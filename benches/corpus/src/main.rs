//! Writes documents to measure with.

use std::error::Error;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use voxlint_corpus::{Corpus, Format};

const HELP: &str = "\
Writes agent documents to measure with, the same for the same seed.

corpus --documents 10000 --out FOLDER     a file for each document (--yaml or --toml for another format)
corpus --documents 100000 --ndjson FILE   one document per line
corpus --size 50000000 --out FOLDER       one document of that many bytes

  --seed NUMBER   other documents (default: 1)
  --clean         no mistakes (default: one document in ten has one)
";

#[derive(Default)]
struct Options {
    documents: Option<usize>,
    size: Option<usize>,
    out: Option<PathBuf>,
    ndjson: Option<PathBuf>,
    format: Option<Format>,
    seed: Option<u64>,
    clean: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(options) = options()? else {
        print!("{HELP}");
        return Ok(());
    };
    let seed = options.seed.unwrap_or(1);
    let corpus = if options.clean { Corpus::clean(seed) } else { Corpus::new(seed) };
    let format = options.format.unwrap_or(Format::Json);
    if let Some(file) = options.ndjson {
        let mut out = BufWriter::new(fs::File::create(file)?);
        for number in 0..options.documents.unwrap_or(100_000) {
            out.write_all(corpus.text(number, Format::Line).as_bytes())?;
        }
        return Ok(out.flush()?);
    }
    let folder = options.out.ok_or("give a folder with --out, or a file with --ndjson")?;
    if let Some(bytes) = options.size {
        fs::create_dir_all(&folder)?;
        let file = folder.join("agent").with_extension(format.extension());
        return Ok(fs::write(file, corpus.huge(bytes, format))?);
    }
    for number in 0..options.documents.unwrap_or(10_000) {
        let file = folder.join(corpus.path(number, format));
        if let Some(parent) = file.parent().filter(|_| number < 128) {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, corpus.text(number, format))?;
    }
    Ok(())
}

/// The options of the command line, or nothing if help is wanted.
fn options() -> Result<Option<Options>, Box<dyn Error>> {
    let mut options = Options::default();
    let mut arguments = env::args().skip(1);
    if arguments.len() == 0 {
        return Ok(None);
    }
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--documents" => options.documents = Some(value()?.parse()?),
            "--size" => options.size = Some(value()?.parse()?),
            "--out" => options.out = Some(value()?.into()),
            "--ndjson" => options.ndjson = Some(value()?.into()),
            "--seed" => options.seed = Some(value()?.parse()?),
            "--yaml" => options.format = Some(Format::Yaml),
            "--toml" => options.format = Some(Format::Toml),
            "--clean" => options.clean = true,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("unknown option {argument}\n\n{HELP}").into()),
        }
    }
    Ok(Some(options))
}
