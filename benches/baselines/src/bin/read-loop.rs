//! Walks a folder of folders, and opens and reads every file, in two threads. Does nothing else.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).expect("a folder");
    let folders: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    let next = AtomicUsize::new(0);
    let read = || -> io::Result<usize> {
        let (mut bytes, mut buffer) = (0, Vec::new());
        while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
            for entry in fs::read_dir(folder)? {
                buffer.clear();
                bytes += File::open(entry?.path())?.read_to_end(&mut buffer)?;
            }
        }
        Ok(bytes)
    };
    let bytes: usize = thread::scope(|scope| {
        let threads = [scope.spawn(read), scope.spawn(read)];
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<io::Result<_>>()
    })?;
    println!("{bytes}");
    Ok(())
}
