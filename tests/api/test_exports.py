"""The public names are one list, and all of them are there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import urlset


@pytest.mark.parametrize("name", urlset.__all__)
def test_every_public_name_exists(name: str) -> None:
    value = getattr(urlset, name)
    assert name == "__version__" or value.__doc__ or name == "Entry"


def test_the_list_is_sorted_and_complete() -> None:
    assert list(urlset.__all__) == sorted(set(urlset.__all__))
    assert set(dir(urlset)) >= set(urlset.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        _ = urlset.reed


@pytest.mark.parametrize(
    ("work", "heavy"),
    [
        ("import urlset", {"duckdb", "aiohttp", "lxml", "pyarrow", "click", "rich", "urlset._core"}),
        ("import urlset; urlset.read(b'https://example.com/')", {"duckdb", "aiohttp", "lxml", "pyarrow", "click"}),
        ("import urlset; urlset.discover", {"duckdb", "aiohttp", "idna"}),
        ("import urlset; urlset.validate(b'https://example.com/')", {"aiohttp", "lxml", "pyarrow", "pandas", "click"}),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_used(work: str, heavy: set[str]) -> None:
    code = f"{work}\nimport sys; print(' '.join(sorted({heavy!r} & set(sys.modules))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    assert done.stderr == ""
