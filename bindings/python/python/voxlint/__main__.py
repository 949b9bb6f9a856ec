"""``python -m voxlint`` runs the program that is installed with the package."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from typing import Iterator, NoReturn


def _folders() -> Iterator[str]:
    """The folders of this environment that may contain the program, the most likely first."""
    yield sysconfig.get_path("scripts")
    # pip install --user
    yield sysconfig.get_path("scripts", f"{os.name}_user")
    # pip install --prefix and --target: the package is in PREFIX/lib/pythonX.Y/site-packages, or in the target itself.
    package = os.path.dirname(os.path.abspath(__file__))
    target = os.path.dirname(package)
    yield os.path.join(target, "bin")
    levels = 3 if os.name != "nt" else 2
    for _ in range(levels):
        target = os.path.dirname(target)
    yield os.path.join(target, "Scripts" if os.name == "nt" else "bin")


def find_program() -> str:
    """The path of the program ``voxlint`` that belongs to this package.

    Raises :exc:`FileNotFoundError` if the package was installed without it.
    """
    name = "voxlint" + (sysconfig.get_config_var("EXE") or "")
    searched = list(_folders())
    for folder in searched:
        program = os.path.join(folder, name)
        if os.path.isfile(program):
            return program
    raise FileNotFoundError(f"the program {name} is in none of {', '.join(searched)}: install the package again")


def main() -> NoReturn:
    """Replace this process with the program."""
    try:
        program = find_program()
    except FileNotFoundError as error:
        print(f"voxlint: {error}", file=sys.stderr)
        sys.exit(2)
    arguments = [program, *sys.argv[1:]]
    if os.name != "nt":
        os.execv(program, arguments)
    # Windows cannot replace a process.
    sys.exit(subprocess.run(arguments, check=False).returncode)


if __name__ == "__main__":
    main()
