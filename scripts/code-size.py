#!/usr/bin/env python3
"""Counts the bytes of machine code in each crate of a release build, and compares them with benches/code-size.tsv.

  scripts/code-size.py            fails if a crate has over 15 % more than the table says
  scripts/code-size.py --update   writes the table

Code that is generated for many types is the longest part of a build, and grows unseen. A count does not depend on what else the
machine does. CARGO_TARGET_DIR is the folder of the build (default: target).
"""

import os
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "benches" / "code-size.tsv"
ROOM = 1.15
EXECUTABLE = 4


def code_of_object(data):
    """The bytes of the sections with code of an object file; 0 if it is not one in ELF with 64 bits."""
    if data[:5] != b"\x7fELF\x02":
        return 0
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    total = 0
    for at in range(start, start + size * count, size):
        flags, _, _, length = struct.unpack_from("<4Q", data, at + 8)
        total += length if flags & EXECUTABLE else 0
    return total


def code_of_library(path):
    """The bytes of code of the object files of a library, which is an archive of `ar`."""
    data = path.read_bytes()
    total, at = 0, len(b"!<arch>\n")
    while at + 60 <= len(data):
        length = int(data[at + 48 : at + 58])
        total += code_of_object(data[at + 60 : at + 60 + length])
        at += 60 + length + length % 2
    return total


def measured(folder):
    """The bytes of code of each crate of this workspace, as it was built last."""
    sizes = {}
    for manifest in sorted((ROOT / "crates").glob("*/Cargo.toml")):
        name = next(line.split('"')[1] for line in manifest.read_text().splitlines() if line.startswith("name = "))
        libraries = folder.glob(f"lib{name.replace('-', '_')}-*.rlib")
        newest = max(libraries, key=lambda path: path.stat().st_mtime, default=None)
        if newest is not None:
            sizes[name] = code_of_library(newest)
    return sizes


def main():
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "deps"
    sizes = measured(folder)
    if not any(sizes.values()):
        print("skipped: there is no release build for Linux")
        return 0
    if sys.argv[1:] == ["--update"]:
        TABLE.write_text("".join(f"{name}\t{size}\n" for name, size in sizes.items()))
        return 0
    known = dict(line.split("\t") for line in TABLE.read_text().splitlines())
    grown = [name for name, size in sizes.items() if size > ROOM * int(known.get(name, 0))]
    for name, size in sizes.items():
        mark = "  over 15 % more than benches/code-size.tsv says" if name in grown else ""
        print(f"{name:20} {size:>10} bytes of code{mark}")
    if grown:
        print("Generate less code, or run scripts/code-size.py --update and say why.", file=sys.stderr)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
