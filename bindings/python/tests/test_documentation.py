"""The examples of the docstrings and of the guide."""

from __future__ import annotations

import doctest
from pathlib import Path

import voxlint._api
import voxlint._results


def test_the_examples_of_the_docstrings_are_right() -> None:
    for module, least in ((voxlint, 4), (voxlint._api, 15), (voxlint._results, 12)):
        result = doctest.testmod(module)
        assert result.failed == 0 and result.attempted >= least, module


def test_the_examples_of_the_guide_are_right(repository: Path) -> None:
    result = doctest.testfile(str(repository / "docs/python.md"), module_relative=False)
    assert result.failed == 0 and result.attempted >= 20


def test_every_public_name_has_a_description() -> None:
    for name in voxlint.__all__:
        value = getattr(voxlint, name)
        if callable(value) and name not in ("Document", "Format", "Kind"):
            assert value.__doc__, name
