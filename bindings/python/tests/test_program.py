"""The program that is installed with the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import voxlint
from voxlint.__main__ import find_program


def test_python_m_voxlint_is_the_program(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text('{ "version_number": 3 }')
    (tmp_path / "bad.json").write_text('{ "version_number": 3, "kb_max_chunks": 12 }')
    for arguments, code in ((["--version"], 0), (["check", "good.json"], 0), (["check", "bad.json"], 1), (["check", "gone.json"], 2)):
        ran = [
            subprocess.run([*program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
            for program in ([sys.executable, "-m", "voxlint"], [find_program()])
        ]
        assert [it.returncode for it in ran] == [code, code]
        assert ran[0].stdout == ran[1].stdout and ran[0].stderr == ran[1].stderr


def test_the_program_is_native() -> None:
    with open(find_program(), "rb") as program:
        assert program.read(2) != b"#!", "starting it would start Python"


def test_the_program_has_the_version_of_the_module() -> None:
    ran = subprocess.run([find_program(), "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"voxlint {voxlint.__version__}"
