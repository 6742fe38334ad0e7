"""The loopback servers, once for all tests of this folder."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


def _load(name: str) -> ModuleType:
    """A module of this folder; other test modules then import it by its name."""
    spec = importlib.util.spec_from_file_location(f"fetch_{name}", Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_server = _load("server")
_hostile = _load("hostile")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the well-behaved server, without a slash at its end."""
    with _server.serving() as address:
        yield address


@pytest.fixture(scope="session")
def hostile_server() -> Iterator[object]:
    with _hostile.serving() as running:
        yield running


@pytest.fixture
def hostile(hostile_server: object) -> object:
    """The hostile server, with an empty list of requests."""
    hostile_server.requests.clear()  # type: ignore[attr-defined]
    return hostile_server


@pytest.fixture
def behaviours() -> ModuleType:
    """The module of the hostile server."""
    return _hostile
