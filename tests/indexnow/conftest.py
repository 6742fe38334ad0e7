"""The loopback site and endpoints, once for all tests, and sides to compare."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.indexnow.search_engine import serving

from urlset import api
from urlset.model.notification import NotifyResult

KEY = "0f3c8a1e5b7d4962"
HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


@pytest.fixture(scope="session")
def running_engine() -> Iterator[Any]:
    with serving() as engine:
        yield engine


@pytest.fixture
def engine(running_engine: Any) -> Any:
    """The server with a live key file, and nothing received."""
    running_engine.clear()
    running_engine.files[f"/{KEY}.txt"] = (200, KEY.encode(), {})
    return running_engine


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / f"{KEY}.txt"
    path.write_text(KEY)
    return path


@pytest.fixture
def side(tmp_path: Path) -> Callable[[str, Mapping[str, str]], str]:
    """Writes a sitemap of URLs with their lastmod, and returns its path."""

    def write(name: str, urls: Mapping[str, str]) -> str:
        entries = (
            f"<url><loc>{url}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</url>" for url, date in urls.items()
        )
        (tmp_path / name).write_text(f"{HEAD}{''.join(entries)}</urlset>")
        return str(tmp_path / name)

    return write


@pytest.fixture
def notify(engine: Any, key_file: Path, tmp_path: Path) -> Callable[..., NotifyResult]:
    """Calls `notify` with the loopback endpoint `/indexnow`, and waits as short as possible."""

    def call(*sides: str, **fields: Any) -> NotifyResult:
        usual = {
            "key_file": [str(key_file)],
            "endpoint": [f"{engine.url}/indexnow"],
            "ledger": tmp_path / "ledger.duckdb",
            "wait_live": 0,
            "max_wait": 0,
            "allow_private": True,
        }
        return api.notify(*sides, **{**usual, **fields})

    return call


@pytest.fixture
def notify_urls(
    notify: Callable[..., NotifyResult], engine: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., NotifyResult]:
    """Calls `notify` with three URLs and their versions on standard input: nothing is compared, which takes longest."""

    def call(**fields: Any) -> NotifyResult:
        lines = "".join(f"{engine.url}/{number}\tv1\n" for number in (0, 20, 5))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        return notify("-", **fields)

    return call


@pytest.fixture
def site(engine: Any, side: Callable[[str, Mapping[str, str]], str]) -> tuple[str, str]:
    """Two sides of 20 URLs: 1 is new, 1 is changed, and of 2 that are no longer listed, 1 is gone."""
    old = {f"{engine.url}/{number}": "2026-01-01" for number in range(20)}
    new = {f"{engine.url}/{number}": "2026-01-01" for number in range(2, 21)}
    new[f"{engine.url}/5"] = "2026-01-02"
    engine.files["/1"] = (200, b"", {})
    return side("old.xml", old), side("new.xml", new)
