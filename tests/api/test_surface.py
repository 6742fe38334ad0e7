"""The public surface: small, and each package has one list of its names."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import urlset

MAX_NAMES = 32
"""Names in `urlset` itself: verbs, documents, entries, errors. Values are in `urlset.model`, options in `.options`."""

PACKAGES = ("urlset", "urlset.model", "urlset.options")


def test_the_surface_is_small() -> None:
    assert len([name for name in urlset.__all__ if name != "__version__"]) <= MAX_NAMES


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_one_list_of_names(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__all__ == sorted(set(module.__all__))
    for name in module.__all__:
        value = getattr(module, name)
        assert name in ("__version__", "Entry", "Source") or value.__doc__, name
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    assert not re.findall(r"TYPE_CHECKING|__all__ =|^    from urlset", source, re.MULTILINE)


def test_no_name_is_in_two_packages() -> None:
    lists = [importlib.import_module(package).__all__ for package in PACKAGES]
    names = [name for one in lists for name in one]
    assert len(names) == len(set(names))
