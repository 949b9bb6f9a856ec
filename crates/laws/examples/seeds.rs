//! Writes the seeds of each law to its own folder: `cargo run --package voxlint-laws --example seeds -- FOLDER`.

use std::path::PathBuf;
use std::{env, fs, io};

use voxlint_laws::LAWS;
use voxlint_laws::seeds::seeds;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "fuzz/corpus".into()));
    for law in LAWS {
        let folder = folder.join(law.name);
        fs::create_dir_all(&folder)?;
        for (name, bytes) in seeds(law.name) {
            fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}
