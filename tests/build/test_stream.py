"""One sitemap as a stream of bytes, for synchronous and asynchronous frameworks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import urlset
import urlset.model

from .judging import BASE, complaints


def test_a_stream_is_what_a_file_would_be(tmp_path: Path) -> None:
    entries = [{"loc": f"{BASE}{number}", "lastmod": "2025-11-14", "images": [BASE]} for number in range(2_500)]
    urlset.write(entries, BASE, tmp_path)
    pieces = list(urlset.stream(entries))
    assert len(pieces) == 3
    assert b"".join(pieces) == (tmp_path / "sitemap.xml").read_bytes()
    table = pa.Table.from_pylist(entries)
    assert b"".join(urlset.stream(table)) == b"".join(pieces)


def test_the_first_bytes_come_before_the_last_entry_is_asked_for() -> None:
    asked = []

    def entries() -> Any:
        for number in range(3_000):
            asked.append(number)
            yield f"{BASE}{number}"

    first = next(urlset.stream(entries()))
    assert len(asked) == 1_000
    assert first.startswith(b"<?xml")


def test_a_namespace_that_comes_late_is_declared_where_it_is_used(tmp_path: Path) -> None:
    entries: list[Any] = [f"{BASE}{number}" for number in range(1_000)]
    entries += [{"loc": BASE, "images": [BASE], "hreflang": "en", "alternates": {"de": BASE + "1"}, "own:x": "1"}]
    data = b"".join(urlset.stream(entries, namespaces={"own": "urn:own"}))
    assert b"xmlns:" not in data[:300]
    (tmp_path / "sitemap.xml").write_bytes(data)
    last = list(urlset.read(data))[-1]
    assert isinstance(last, urlset.Url)
    assert (len(last.images), len(last.alternates)) == (1, 2)
    assert complaints(tmp_path) == []


def test_language_versions_at_the_end_are_not_lost() -> None:
    group = [{"loc": f"{BASE}{code}", "hreflang": code, "group": 1} for code in ("en", "de")]
    assert len(list(urlset.read(b"".join(urlset.stream(group))))) == 2


def test_an_asynchronous_iterable() -> None:
    async def entries() -> AsyncIterator[str]:
        for number in range(2_500):
            yield f"{BASE}{number}"

    async def collect() -> list[bytes]:
        return [piece async for piece in urlset.astream(entries())]

    pieces = asyncio.run(collect())
    assert len(pieces) == 3
    assert b"".join(pieces) == b"".join(urlset.stream(f"{BASE}{number}" for number in range(2_500)))


def test_too_many_entries_for_one_sitemap_say_so() -> None:
    with pytest.raises(urlset.errors.UsageError, match="the limit of one sitemap is reached: 10 entries"):
        list(urlset.stream((f"{BASE}{number}" for number in range(11)), max_entries=10))


def test_bad_entries_are_told_of_and_another_host_is_one_when_the_base_is_known() -> None:
    told: list[urlset.model.Refusal] = []
    entries = ["nonsense", "https://other.example/", BASE]
    assert len(list(urlset.read(b"".join(urlset.stream(entries, base_url=BASE, on_refused=told.append))))) == 1
    assert [one.reason for one in told] == ["url-bare", "other-host"]
    assert len(list(urlset.read(b"".join(urlset.stream(entries))))) == 2


def test_options_are_checked_before_the_first_piece_is_asked_for() -> None:
    with pytest.raises(urlset.errors.UsageError, match="unknown option 'colour'"):
        urlset.stream([], colour="red")  # type: ignore[call-arg]


def test_no_entries_are_an_empty_sitemap() -> None:
    assert list(urlset.read(b"".join(urlset.stream([])))) == []
