"""Collects the examples in docstrings as tests, and faster."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(__file__).parent / "src"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects modules of the package with examples; `--doctest-modules` would import all, and search all tests."""
    if file_path.suffix == ".py" and SOURCES in file_path.parents and b">>> " in file_path.read_bytes():
        return DoctestModule.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leaves out garbage collection while objects are made that live as long as pytest."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
