"""The check of a loopback site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from urlset.config import FetchOptions, ReadOptions
from urlset.model.check import CheckResult
from urlset.pipeline.check import check


@pytest.fixture
def checked(site: Any) -> Callable[[], CheckResult]:
    """Checks the site as it is now."""
    return lambda: check([site.url])[0]


@pytest.fixture
def checked_anywhere(site: Any) -> Callable[[], CheckResult]:
    """The same where other names of this machine may be reached, which the site leads to."""
    options = ReadOptions(fetch=FetchOptions(allow_private=True))
    return lambda: check([site.url], options)[0]
