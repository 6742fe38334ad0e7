"""A loopback site for each test, and the check of it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from urlset.pipeline.check import check
from urlset.score import CheckResult

if TYPE_CHECKING:
    from types import ModuleType

_SERVER = Path(__file__).parent / "site.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("loopback_site", _SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_site = _loaded()


@pytest.fixture(scope="session")
def running() -> Iterator[Any]:
    """The server, once for all tests."""
    with _site.serving() as site:
        yield site


@pytest.fixture
def site(running: Any) -> Any:
    """A site without any page, where a sitemap is soon put."""
    running.clear()
    return running


@pytest.fixture
def checked(site: Any) -> Callable[[], CheckResult]:
    """Checks the site as it is now."""
    return lambda: check([site.url])[0]
