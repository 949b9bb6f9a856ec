"""Builds the Python packages: cargo builds the program, and maturin everything else.

maturin puts either a module or a program into a wheel. Therefore the program is placed in the folder of the scripts, and is installed
unchanged: starting it does not start Python. The functions are those of PEP 517 and PEP 660.

VOXLINT_PROGRAM is the path of a program that is already built. Other arguments for maturin are in MATURIN_PEP517_ARGS or the setting `build-args`;
`--profile` and `--target` also apply to the program.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Iterator, List, Mapping, Optional

import maturin

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "bindings" / "python" / "data" / "scripts"

Settings = Optional[Mapping[str, Any]]


def _build_program(arguments: List[str]) -> Path:
    command = ["cargo", "build", "--locked", "--bin", "voxlint", "--message-format", "json-render-diagnostics"]
    pairs = [it.split("=", 1) if "=" in it else [it, *arguments[at + 1 : at + 2]] for at, it in enumerate(arguments)]
    stated = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}
    command += ["--profile", stated.get("--profile", "release")]
    if "--target" in stated:
        command += ["--target", stated["--target"]]
    print("Running `{}`".format(" ".join(command)), flush=True)
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if built.returncode != 0:
        sys.exit("voxlint: cargo could not build the program")
    messages = (json.loads(line) for line in built.stdout.splitlines() if line.startswith(b"{"))
    programs = [message["executable"] for message in messages if message.get("executable")]
    return Path(programs[-1])


def _place_program(settings: Settings) -> None:
    stated = os.environ.get("VOXLINT_PROGRAM")
    program = Path(stated) if stated else _build_program(list(maturin.get_maturin_pep517_args(settings)))
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    name = "voxlint.exe" if program.suffix == ".exe" else "voxlint"
    shutil.copy(program, SCRIPTS / name)
    (SCRIPTS / name).chmod(0o755)


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings: Settings = None) -> List[str]:
    return maturin.get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    return maturin.get_requires_for_build_sdist(config_settings)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    # maturin needs the folder of the scripts, even if it is not used.
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    _place_program(config_settings)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    _place_program(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


# The sources of the program and the module. The folders of the crates include their tests.
SOURCES = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "bindings",
    "crates",
    "pyproject.toml",
]
BUILT = {"target", "data", "node_modules", "__pycache__", ".mypy_cache", ".pytest_cache"}


def _sources() -> Iterator[Path]:
    for name in SOURCES:
        path = ROOT / name
        if path.is_file():
            yield path
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(set(folders) - BUILT)
            yield from (Path(folder) / file for file in sorted(files) if not file.endswith((".pyc", ".so", ".pyd")))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Packs the sources of the program and the module, because maturin would only find those of the module."""
    with tempfile.TemporaryDirectory() as folder:
        information = Path(folder) / prepare_metadata_for_build_wheel(folder, config_settings)
        metadata = (information / "METADATA").read_bytes()
    base = information.name[: -len(".dist-info")]
    date = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))

    def add(archive: tarfile.TarFile, name: str, data: bytes, mode: int) -> None:
        entry = tarfile.TarInfo(f"{base}/{name}")
        entry.size, entry.mode, entry.mtime = len(data), mode, date
        archive.addfile(entry, io.BytesIO(data))

    target = Path(sdist_directory) / f"{base}.tar.gz"
    # The same sources give the same bytes.
    with open(target, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=date) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            add(archive, "PKG-INFO", metadata, 0o644)
            for path in _sources():
                mode = 0o755 if os.access(path, os.X_OK) else 0o644
                add(archive, path.relative_to(ROOT).as_posix(), path.read_bytes(), mode)
    return target.name
