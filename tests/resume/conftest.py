"""Fixtures of the tests that resume the reading of logs."""

from __future__ import annotations

from tests.access_logs.conftest import read, rows, store

__all__ = ["read", "rows", "store"]
