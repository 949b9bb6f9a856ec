"""The program that is installed with the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
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


NAME = "voxlint" + (sysconfig.get_config_var("EXE") or "")


def install(site: Path, *record: str) -> None:
    """Puts the package and a record of its files into a folder."""
    source = os.path.dirname(voxlint.__file__)
    shutil.copytree(source, site / "voxlint")
    information = site / "voxlint-0.0.1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: voxlint\nVersion: 0.0.1\n")
    (information / "RECORD").write_text("".join(f"{path},,\n" for path in ("voxlint/__init__.py", *record)))


def found(site: Path) -> str:
    code = "from voxlint.__main__ import find_program\ntry: print(find_program())\nexcept FileNotFoundError as error: print(error)"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.mark.parametrize(
    ("recorded", "place"),
    [(f"../scripts/{NAME}", f"scripts/{NAME}"), (f"../../bin/{NAME}", f"site/{'Scripts' if os.name == 'nt' else 'bin'}/{NAME}")],
    ids=["recorded", "moved by --target"],
)
def test_the_program_is_that_of_the_package(tmp_path: Path, recorded: str, place: str) -> None:
    tmp_path = tmp_path.resolve()
    install(tmp_path / "site", recorded)
    program = tmp_path / place
    program.parent.mkdir(exist_ok=True)
    program.write_text("")
    assert found(tmp_path / "site") == str(program)
    # Another one of this environment is not taken in its place.
    program.unlink()
    assert found(tmp_path / "site").endswith(": install the package again")


def test_a_package_without_a_record_of_a_program_has_none(tmp_path: Path) -> None:
    install(tmp_path / "site")
    assert found(tmp_path / "site").endswith(": install the package again")
