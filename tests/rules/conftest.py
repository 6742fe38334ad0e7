"""The tests of rules run an engine per case, all of them in one DuckDB."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def one_database(shared_database: None) -> None:
    """Shares the database with all tests of a module."""
