"""The public names are one list, and all of them are there."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cases import case_table

import urlset


@case_table("name", urlset.__all__)
def test_every_public_name_exists(name: str) -> None:
    value = getattr(urlset, name)
    assert name == "__version__" or value.__doc__ or name == "Entry"


def test_the_list_is_sorted_and_complete() -> None:
    assert list(urlset.__all__) == sorted(set(urlset.__all__))
    assert set(dir(urlset)) >= set(urlset.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        _ = urlset.reed  # type: ignore[attr-defined]


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


def test_names_are_read_from_the_stub_alone() -> None:
    package = Path(urlset.__file__).parent
    stub = ast.parse((package / "__init__.pyi").read_text(encoding="utf-8"))
    named = {each.asname: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for each in node.names}
    assert sorted(filter(None, named)) == urlset.__all__
    for name, home in named.items():
        assert getattr(urlset, str(name)) is getattr(importlib.import_module(str(home)), str(name))
    # Neither a second list nor an import of them stands in the module.
    module = (package / "__init__.py").read_text(encoding="utf-8")
    assert not re.findall(r"^from urlset(?!\._names)|TYPE_CHECKING|__all__ =", module, re.MULTILINE)


def test_names_can_be_asked_for_by_threads_at_once() -> None:
    code = """
import sys, threading
sys.setswitchinterval(1e-6)
import urlset
missed = []
def ask():
    try:
        urlset.UrlsetError
    except AttributeError as error:
        missed.append(error)
threads = [threading.Thread(target=ask) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
sys.exit(bool(missed))
"""
    subprocess.run([sys.executable, "-c", code], check=True)
