"""Fixtures of the tests that build."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.build.killing import Children


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    """A process whose children build, and are killed."""
    started = Children()
    yield started
    started.close()
