"""``python -m voxlint`` runs the program that is installed with the package."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import sysconfig
from typing import Iterator, NoReturn


def _installed(name: str) -> Iterator[str]:
    """The paths that the records of this package have for a program, first of the package that this module is in."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    own = list(importlib.metadata.distributions(name="voxlint", path=[folder]))
    # The module of an editable package is in its sources, and the record elsewhere.
    for package in own or importlib.metadata.distributions(name="voxlint"):
        for file in package.files or ():
            if file.name == name and file.parent.name != "voxlint":
                yield os.path.abspath(str(package.locate_file(file)))
        if own:
            # pip install --target moves the program, and its record has the place before that.
            yield os.path.join(folder, "Scripts" if os.name == "nt" else "bin", name)
        return


def find_program() -> str:
    """The path of the program ``voxlint`` that was installed with this package. Another one, such as one in ``PATH``, may have another
    version, so it is not looked for.

    Raises :exc:`FileNotFoundError` if the package was installed without it.
    """
    name = "voxlint" + (sysconfig.get_config_var("EXE") or "")
    searched = list(_installed(name))
    for program in searched:
        if os.path.isfile(program):
            return program
    place = f"the program is not at {' or '.join(searched)}" if searched else "the package has no record of its program"
    raise FileNotFoundError(f"{place}: install the package again")


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
