"""Hostile logs: nothing of a client but its requests is stored, and bytes stay text."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.access_logs.lines import (
    BING,
    GOOGLE,
    GOOGLE_ADDRESS,
    OTHER_ADDRESS,
    PERSON,
    PERSON_ADDRESS,
    combined,
)

from urlset import _core
from urlset.model.access_log import LogsResult
from urlset.options.reading_logs import LOG_FORMATS
from urlset.report.formats import render

Read = Callable[..., LogsResult]
Rows = Callable[[str], list[tuple[Any, ...]]]

ADDRESSES = (GOOGLE_ADDRESS, OTHER_ADDRESS, PERSON_ADDRESS, "2001:db8:4801::abcd")


def forms(address: str) -> list[bytes]:
    """An address as text, and as bytes in both orders."""
    packed = ip_address(address).packed
    return [address.encode(), packed, packed[::-1]]


@pytest.mark.parametrize("way", ["plain", "ranges", "dns"])
def test_no_address_reaches_the_disk(way: str, read: Read, store: Path, tmp_path: Path) -> None:
    lines = "".join(
        combined(f"/{n}", (GOOGLE, BING, PERSON)[n % 3], client=ADDRESSES[n % len(ADDRESSES)], day=1 + n % 28)
        for n in range(3_000)
    )
    options: dict[str, Any] = {}
    if way == "ranges":
        (tmp_path / "ranges").mkdir()
        prefixes = [{"ipv4Prefix": f"{GOOGLE_ADDRESS}/32"}]
        (tmp_path / "ranges/googlebot.json").write_text(json.dumps({"prefixes": prefixes}))
        options = {"ranges": tmp_path / "ranges"}
    elif way == "dns":

        class Nobody:
            def names(self, address: str) -> list[str]:
                return []

            def addresses(self, name: str) -> list[str]:
                return []

        options = {"dns": True, "resolver": Nobody()}
    before = set(tmp_path.rglob("*"))
    read(gzip.compress(lines.encode()), **options)
    written = [path for path in tmp_path.rglob("*") if path not in before and path.is_file() and path.suffix != ".log"]
    assert store in written
    for path in written:
        content = path.read_bytes()
        for address in ADDRESSES:
            text, *packed = forms(address)
            assert text not in content
            # Four bytes can occur by chance; sixteen cannot.
            assert not any(one in content for one in packed if len(one) == 16)
    assert PERSON.encode() not in store.read_bytes()


def test_no_address_in_the_reports(read: Read) -> None:
    result = read(combined("/sitemap.xml").encode())
    text = "\n".join(line for form in ("text", "json", "csv") for line in render("logs", form, result))
    assert GOOGLE_ADDRESS not in text


def test_hostile_bytes_stay_text(read: Read, rows: Rows) -> None:
    path = b"/\xff\xfe\x1b[31m\x00%0a\xe2\x80\xae'; DROP TABLE crawls; --"
    line = combined("/PATH").encode().replace(b"/PATH", path)
    (log,) = read(line).logs
    assert (log.hits, log.unreadable) == (1, 0)
    [(url,)] = rows("SELECT url FROM crawls")
    assert url == "https://example.com" + path.decode("utf-8", "replace")


def test_hostile_names_are_safe_in_reports(read: Read) -> None:
    result = read(combined("/\x1b[31m\u202e/sitemap.xml").encode())
    text = "\n".join(line for form in ("text", "json") for line in render("logs", form, result))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_long_lines_are_cut_and_counted(read: Read) -> None:
    long = combined("/" + "a" * 100_000) + combined("/ok") + combined("/b", GOOGLE + "x" * 5_000_000) + combined("/end")
    (log,) = read(long.encode()).logs
    assert (log.lines, log.cut, log.unreadable, log.hits) == (4, 2, 2, 2)


def test_a_line_of_many_pieces_is_one(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.access_logs.log_files.PIECE", 777)
    text = (combined("/a") + combined("/" + "a" * 200_000) + combined("/b")).encode()
    (log,) = read(text).logs
    assert (log.lines, log.cut, log.hits) == (3, 1, 2)


SHARES = [(0, 0, False), (1, 0, True), (5, 0, True), (50, 0, True), (51, 3, True)]


@pytest.mark.parametrize(("bad", "code", "warns"), SHARES)
def test_unreadable_lines(bad: int, code: int, warns: bool, read: Read) -> None:
    text = combined() * (100 - bad) + "garbage\n" * bad
    result = read(text.encode())
    assert result.exit_code == code
    if code:
        assert "51 lines of 100 cannot be read as combined" in result.unreadable[0].reason
        assert (result.logs, result.crawlers) == ((), ())
        return
    assert result.logs[0].unreadable == bad
    shown = "\n".join(render("logs", "text", result))
    assert ("cannot be read as combined" in shown) == warns
    assert (f"({bad}.0%)" in shown or f"({bad}%)" in shown) == (bad > 1)


FORMATS = st.sampled_from(LOG_FORMATS)
SNIPPETS = st.sampled_from([combined().encode(), b"#Fields: date time c-ip\n", b'{"a":', b"\n"])
REQUEST = st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(0, 3), st.integers(1, 28))
CRAWLERS = [("Googlebot", None, True), ("bingbot", None, False)]


@given(FORMATS, st.lists(st.binary(max_size=80) | SNIPPETS, max_size=20))
def test_any_bytes_can_be_read_in_any_format(kind: str, pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    _core.sample_log(whole, [])
    _core.sample_log(whole, [], kind)
    once, parts = (_core.LogReader(kind, [], CRAWLERS, site=("https", "example.com")) for _ in range(2))
    once.push(whole)
    for piece in pieces:
        parts.push(piece)
        parts.questions()
        parts.read()
    once.read()
    assert once.end(True) == parts.end(True) == 0
    assert once.facts == parts.facts
    of_parts = parts.take().tables()
    for name, table in once.take().tables().items():
        assert sorted(map(repr, table.to_dicts())) == sorted(map(repr, of_parts[name].to_dicts()))
    facts = once.facts
    kinds = ("unreadable", "people", "early", "elsewhere", "hostless", "pathless", "hits")
    assert facts["lines"] == sum(facts[kind] for kind in kinds)


@given(st.lists(REQUEST, max_size=60), st.integers(1, 400))
def test_counts_are_those_of_a_plain_program(requests: list[tuple[int, int, int, int]], piece: int) -> None:
    agents = (GOOGLE, BING, PERSON)
    names = ("Googlebot", "bingbot")
    statuses = (200, 301, 404, 503)
    lines = (combined(f"/{path}", agents[a], status=statuses[s], day=day) for path, a, s, day in requests)
    text = "".join(lines).encode()
    reader = _core.LogReader("combined", [], CRAWLERS, site=("https", "example.com"))
    for start in range(0, len(text), piece):
        reader.push(text[start : start + piece])
        reader.read()
    expected = Counter((f"https://example.com/{path}", names[a], statuses[s]) for path, a, s, _ in requests if a < 2)
    found = Counter(
        {
            (row["url"], row["agent"], status): hits
            for row in reader.take().tables()["crawls"].to_dicts()
            for status, hits in zip(row["statuses"], row["status_hits"], strict=True)
        }
    )
    assert found == expected
    assert reader.facts["people"] == sum(a == 2 for _, a, *_ in requests)
