"""The loopback server, once for all tests of this folder."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("loopback_server", Path(__file__).parent / "server.py")
assert _spec is not None
assert _spec.loader is not None
_server = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_server)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the server, without a slash at its end."""
    with _server.serving() as address:
        yield address
