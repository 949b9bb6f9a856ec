"""Shared by the tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(os.environ.get("VOXLINT_REPOSITORY") or Path(__file__).resolve().parents[3])


@pytest.fixture(scope="session")
def program() -> str:
    """The program that is installed with the package, unless VOXLINT_BINARY names another one."""
    from voxlint.__main__ import find_program

    return os.environ.get("VOXLINT_BINARY") or find_program()


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY
