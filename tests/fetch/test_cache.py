"""The HTTP cache: unchanged responses are not downloaded again, and entries are verified before use."""

from __future__ import annotations

import asyncio
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from urlset.fetch.cache import Cache, CacheEntry, key_of
from urlset.fetch.fetcher import Fetcher
from urlset.fetch.response import FetchError, Response
from urlset.net.trust import Trust
from urlset.options import ReadOptions

HEAD = CacheEntry("https://example.com/", 200, {"etag": '"1"'}, 3, "", 3, None)


def options(folder: Path, **more: Any) -> ReadOptions:
    return ReadOptions(cache_dir=folder, retries=0, **more)


def fetched(url: str, folder: Path, **more: Any) -> Response:
    with Fetcher(options(folder, **more), Trust.of([url])) as fetcher:
        return fetcher.get(url, via=None)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("http/??/*"))


@pytest.mark.parametrize("name", ["versioned", "dated"])
def test_unchanged_response_is_not_downloaded_again(hostile: Any, behaviours: Any, tmp_path: Path, name: str) -> None:
    first = fetched(f"{hostile.url}/{name}", tmp_path)
    second = fetched(f"{hostile.url}/{name}", tmp_path)
    assert [first.from_cache, second.from_cache] == [False, True]
    assert (second.status, second.reason, second.error_kind) == (200, None, None)
    assert first.content == second.content == behaviours.SITEMAP
    assert second.wire_bytes == len(behaviours.SITEMAP)
    assert {"if-none-match", "if-modified-since"} & hostile.requests[1].headers.keys()


def test_headers_of_both_responses_count(hostile: Any, tmp_path: Path) -> None:
    fetched(f"{hostile.url}/versioned", tmp_path)
    headers = fetched(f"{hostile.url}/versioned", tmp_path).headers
    assert headers["content-type"] == "text/xml"
    assert headers["cache-control"] == "max-age=60"


def test_large_body_is_a_file(hostile: Any, tmp_path: Path) -> None:
    url = f"{hostile.url}/large-versioned"
    with Fetcher(options(tmp_path), Trust.of([url])) as fetcher:
        answers = [fetcher.get(url, via=None), fetcher.get(url, via=None)]
    bodies = []
    for answer in answers:
        assert answer.content is not None
        assert not isinstance(answer.content, bytes)
        bodies.append(answer.content.read(-1))
        answer.close()
    assert bodies[0] == bodies[1] == b"https://example.com/\n" * 450_000
    assert answers[1].from_cache


@pytest.mark.parametrize("name", ["good", "not-stored", "not-found", "too-little"])
def test_response_that_is_not_cached(hostile: Any, tmp_path: Path, name: str) -> None:
    fetched(f"{hostile.url}/{name}", tmp_path)
    assert entries(tmp_path) == []


def test_entry_that_may_no_longer_be_cached_is_removed(hostile: Any, behaviours: Any, tmp_path: Path) -> None:
    answers = iter(['ETag: "1"', "Cache-Control: no-store"])

    async def changing(request: Any, reader: Any, writer: Any) -> None:
        behaviours.send(writer, "200 OK", b"body", next(answers))

    with behaviours.serving(more={"/": changing}) as server:
        fetched(server.url + "/", tmp_path)
        assert len(entries(tmp_path)) == 1
        fetched(server.url + "/", tmp_path)
        assert entries(tmp_path) == []


@pytest.mark.parametrize(
    "more",
    [
        {"auth": "user:secret"},
        {"header": ("X-Key: secret",)},
        {"header": ("Cookie: secret",)},
        {"insecure": True},
        {"cache": False},
    ],
)
def test_response_fetched_with_credentials_or_without_tls_checks_is_not_cached(
    hostile: Any, tmp_path: Path, more: dict[str, Any]
) -> None:
    assert fetched(f"{hostile.url}/versioned", tmp_path, **more).ok
    assert entries(tmp_path) == []


def test_secrets_of_the_server_are_not_cached(hostile: Any, tmp_path: Path) -> None:
    fetched(f"{hostile.url}/versioned", tmp_path)
    (entry,) = entries(tmp_path)
    assert b"secret" not in entry.read_bytes().lower()
    assert b"set-cookie" not in entry.read_bytes().lower()


def test_different_request_headers_have_different_entries(hostile: Any, tmp_path: Path) -> None:
    for agent in ("one", "two", "one"):
        fetched(f"{hostile.url}/versioned", tmp_path, user_agent=agent)
    assert len(entries(tmp_path)) == 2
    assert ["if-none-match" in request.headers for request in hostile.requests] == [False, False, True]


def damaged_at(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def with_another_type(data: bytes) -> bytes:
    """The entry with a status that is text, under the right hash."""
    first, head, body = data.split(b"\n", 2)
    head = head.replace(b'"status": 200', b'"status": "200"')
    return b"\n".join([first.partition(b" ")[0] + b" " + hashlib.sha256(head).hexdigest().encode(), head, body])


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: damaged_at(data, 3),
        lambda data: damaged_at(data, 30),
        lambda data: damaged_at(data, 120),
        lambda data: damaged_at(data, len(data) - 5),
        lambda data: data[:-1],
        lambda data: data + b"more",
        lambda data: data[:40],
        lambda data: b"",
        lambda data: os.urandom(500),
        with_another_type,
    ],
    ids=["version", "hash", "head", "body", "shorter", "longer", "cut", "empty", "random", "type"],
)
def test_damaged_entry_is_fetched_again(hostile: Any, behaviours: Any, tmp_path: Path, damage: Any) -> None:
    url = f"{hostile.url}/versioned"
    fetched(url, tmp_path)
    (entry,) = entries(tmp_path)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    answer = fetched(url, tmp_path)
    assert (answer.ok, answer.from_cache, answer.content) == (True, False, behaviours.SITEMAP)
    assert entry.read_bytes() == whole
    assert fetched(url, tmp_path).from_cache


def test_unusable_directory_only_costs_speed(hostile: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    assert fetched(f"{hostile.url}/versioned", file).ok


def test_lower_limit_applies_to_cached_bodies(hostile: Any, tmp_path: Path) -> None:
    fetched(f"{hostile.url}/versioned", tmp_path)
    answer = fetched(f"{hostile.url}/versioned", tmp_path, max_document_bytes=10)
    assert answer.error_kind is FetchError.TOO_LARGE


def test_least_recently_used_entries_are_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path, max_bytes=100_000)
    keys = [key_of(str(number)) for number in range(20)]
    for age, key in enumerate(keys):
        content = bytes(10_000)
        kept = replace(HEAD, size=len(content), sha256=hashlib.sha256(content).hexdigest())
        cache.store(key, kept, content)
        os.utime(cache._path(key), (1_000 + age, 1_000 + age))
    oldest = cache.find(keys[0])
    assert oldest is not None
    assert cache.load(keys[0], oldest) == bytes(10_000)
    cache.close()
    left = [key for key in keys if cache.find(key) is not None]
    assert cache.info().bytes <= 80_000
    assert left == [keys[0], *keys[-(len(left) - 1) :]]


def test_concurrent_runs_see_complete_entries(tmp_path: Path) -> None:
    key = key_of("shared")
    bodies = {hashlib.sha256(body).hexdigest(): body for body in (bytes([n]) * 50_000 for n in range(8))}

    def work(number: int) -> int:
        cache = Cache(tmp_path)
        seen = 0
        for digest, body in bodies.items():
            cache.store(key, replace(HEAD, size=len(body), sha256=digest), body)
            kept = cache.find(key)
            if kept is not None and (content := cache.load(key, kept)) is not None:
                assert content == bodies[kept.sha256]
                seen += 1
        return seen

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) > 0
    assert len(entries(tmp_path)) == 1


def test_partial_files_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store(key_of("a"), replace(HEAD, size=3), b"abc")
    partial = cache._path(key_of("a")).with_suffix(".entry.0.partial")
    partial.write_bytes(b"half")
    assert cache.info().entries == 1
    cache.close()
    # Another run may be writing it.
    assert partial.exists()
    os.utime(partial, (0, 0))
    cache.store(key_of("b"), replace(HEAD, size=3), b"abc")
    cache.close()
    assert not partial.exists()
    partial.write_bytes(b"half")
    cache.clear()
    assert entries(tmp_path) == []


def test_many_concurrent_requests(hostile: Any, tmp_path: Path) -> None:
    urls = [f"{hostile.url}/versioned?{number}" for number in range(50)]
    for expected in (False, True):
        with Fetcher(options(tmp_path), Trust.of([hostile.url])) as fetcher:

            async def all_of_them(client: Any) -> list[Response]:
                return list(await asyncio.gather(*(client.get(url, via=None) for url in urls)))

            assert {answer.from_cache for answer in fetcher.run(all_of_them)} == {expected}
