"""A log that was read before continues where it ended, under any name; what is incomplete is counted."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from tests.access_logs.lines import GOOGLE, combined

from urlset.access_logs import log_reader as log_reading
from urlset.access_logs.visits import LogStore
from urlset.errors import UsageError
from urlset.model.access_log import LogsResult

Read = Callable[..., LogsResult]
Rows = Callable[[str], list[tuple[Any, ...]]]

FIRST = "".join(combined(f"/{n}") for n in range(100))
SECOND = "".join(combined(f"/{n}", day=11) for n in range(50, 80))


def test_a_growing_log_is_read_once(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(FIRST)
    assert read(log).logs[0].hits == 100
    assert read(log).logs[0].lines == 0
    with log.open("a") as file:
        file.write(SECOND)
    (again,) = read(log).logs
    assert (again.start, again.lines, again.hits) == (len(FIRST), 30, 30)
    assert rows("SELECT count(*), sum(hits)::INTEGER FROM crawls") == [(100, 130)]
    assert rows('SELECT count(*), any_value(lines), any_value(hits), any_value("offset") FROM log_files') == [
        (1, 130, 130, len(FIRST) + len(SECOND))
    ]


def test_a_rotated_and_compressed_log_is_the_same(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(FIRST)
    read(log)
    rotated = tmp_path / "access.log.1.gz"
    rotated.write_bytes(gzip.compress((FIRST + SECOND).encode()))
    log.write_text(combined("/new", day=12))
    result = read(tmp_path / "access.log*")
    assert [(Path(one.name).name, one.lines) for one in result.logs] == [("access.log", 1), ("access.log.1.gz", 30)]
    assert rows("SELECT sum(hits)::INTEGER FROM crawls") == [(131,)]


@pytest.mark.long("slow cases")
def test_a_short_log_that_grows_is_the_same(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    text = ""
    for number in range(60):
        line = combined(f"/{number}")
        text += line
        with log.open("a") as file:
            file.write(line)
        if number % 9 == 0:
            read(log)
    read(log)
    assert rows("SELECT sum(hits)::INTEGER FROM crawls") == [(60,)]
    assert rows("SELECT count(*) FROM log_files") == [(1,)]


def test_logs_with_the_same_header_differ(read: Read, rows: Rows, tmp_path: Path) -> None:
    header = "#Version: 1.0\n#Fields: date time cs-uri-stem sc-status cs(User-Agent)\n" + "#" * 5_000 + "\n"
    agent = GOOGLE.replace(" ", "+")
    for number in range(3):
        (tmp_path / f"{number}.log").write_text(f"{header}2026-11-10 10:00:0{number} /{number} 200 {agent}\n")
    read(tmp_path / "0.log")
    read(tmp_path / "*.log")
    assert rows("SELECT count(*), sum(hits)::INTEGER FROM crawls") == [(3, 3)]


def test_a_resumed_w3c_log_knows_its_fields(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "w3c.log"
    agent = GOOGLE.replace(" ", "+")
    log.write_text(
        "#Fields: date time cs-uri-stem sc-status cs(User-Agent)\n"
        f"2026-11-10 10:00:00 /a 200 {agent}\n"
        "#Fields: cs(User-Agent) sc-status cs-uri-stem time date\n"
        f"{agent} 404 /b 10:00:00 2026-11-10\n"
    )
    read(log)
    with log.open("a") as file:
        file.write(f"{agent} 500 /c 10:00:00 2026-11-10\n")
    read(log)
    assert rows("SELECT right(url, 2), statuses FROM crawls ORDER BY url") == [
        ("/a", [200]),
        ("/b", [404]),
        ("/c", [500]),
    ]


def test_a_last_line_without_a_break_waits(read: Read, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    line = combined("/last")
    log.write_text(FIRST + line[:50])
    (first,) = read(log).logs
    assert (first.lines, first.unreadable, first.torn_bytes) == (100, 0, 50)
    log.write_text(FIRST + line)
    (second,) = read(log).logs
    assert (second.lines, second.hits, second.torn_bytes) == (1, 1, 0)


def test_a_last_line_of_a_complete_log_is_read(read: Read) -> None:
    (log,) = read(gzip.compress((FIRST + combined("/last").rstrip()).encode())).logs
    assert (log.lines, log.torn_bytes, log.damage) == (101, 0, None)


def test_a_torn_gzip_is_kept_as_far_as_it_goes(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "access.log.gz"
    packed = gzip.compress("".join(combined(f"/{n * n}", day=1 + n % 28) for n in range(3_000)).encode())
    log.write_bytes(packed[: len(packed) // 2])
    (torn,) = read(log).logs
    assert torn.damage == "gzip data is truncated"
    assert 500 < torn.lines < 2_500
    assert torn.unreadable == 0
    log.write_bytes(packed)
    (rest,) = read(log).logs
    assert torn.lines + rest.lines == 3_000
    assert rows("SELECT sum(hits)::INTEGER FROM crawls") == [(3_000,)]


def test_a_damaged_gzip_is_kept_as_far_as_it_goes(read: Read) -> None:
    packed = bytearray(gzip.compress("".join(combined(f"/{n * n}") for n in range(3_000)).encode()))
    packed[len(packed) // 2] ^= 0xFF
    packed[len(packed) // 2 + 9] ^= 0xFF
    (log,) = read(bytes(packed)).logs
    assert log.damage is not None
    assert log.lines > 100


@pytest.mark.parametrize("pieces", [2, 5])
def test_an_interrupted_log_goes_on(
    pieces: int, read: Read, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urlset.access_logs.log_files.PIECE", 1_000)
    monkeypatch.setattr(log_reading, "SAMPLE", 1_000)
    monkeypatch.setattr(log_reading, "MAX_WEIGHT", 1_000)
    log = tmp_path / "access.log"
    log.write_text(FIRST + SECOND)
    plain = LogStore.add
    calls = 0

    def interrupted(self: LogStore, *arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == pieces:
            raise KeyboardInterrupt
        plain(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(LogStore, "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            read(log)
    (rest,) = read(log).logs
    assert 0 < rest.start < len(FIRST + SECOND)
    assert rows("SELECT count(*), sum(hits)::INTEGER FROM crawls") == [(100, 130)]


def test_what_was_read_before_a_wrong_log_counts(read: Read, rows: Rows, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown log format"):
        read(FIRST.encode(), b"what is this\n")
    assert rows("SELECT sum(hits)::INTEGER FROM crawls") == [(100,)]


def test_an_empty_log(read: Read) -> None:
    result = read(b"", b"\n\n", gzip.compress(b""))
    assert [(log.format, log.lines) for log in result.logs] == [(None, 0)] * 3
    assert result.exit_code == 0


def test_a_log_can_be_read_for_one_site_after_the_other(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    hosts = ("a.example", "b.example")
    log.write_text("".join(combined(f"/{n}", host=hosts[n % 2]) for n in range(100)))
    for host in hosts:
        assert read(log, site=f"https://{host}").logs[0].hits == 50
        assert read(log, site=f"https://{host}").logs[0].lines == 0
    assert rows("SELECT site, sum(hits)::INTEGER FROM crawls GROUP BY site ORDER BY site") == [
        ("https://a.example", 50),
        ("https://b.example", 50),
    ]
    with pytest.raises(UsageError, match=r"was read for https://[ab]\.example before"):
        read(log, site=None)


def test_a_log_that_was_read_for_all_sites_is_not_read_for_one(read: Read, rows: Rows, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(combined("/", host="a.example") * 10)
    assert read(log, site=None).logs[0].hits == 10
    assert read(log, site="https://a.example").logs[0].lines == 0
    with log.open("a") as file:
        file.write(combined("/", host="b.example"))
    assert read(log, site=None).logs[0].hits == 1
    assert rows("SELECT count(*), any_value(site) FROM log_files") == [(1, None)]


def test_verdicts_of_earlier_runs_stay(read: Read, tmp_path: Path) -> None:
    from urlset.access_logs import render_text

    log = tmp_path / "access.log"
    log.write_text(FIRST)
    (tmp_path / "ranges").mkdir()
    (tmp_path / "ranges/googlebot.json").write_text('{"prefixes": [{"ipv4Prefix": "66.249.66.0/24"}]}')
    read(log)
    result = read(log, ranges=tmp_path / "ranges")
    assert [one.verdict.value for one in result.crawlers] == ["unverified"]
    assert "Requests that were read before keep their verdicts" in "\n".join(render_text.render(result))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("most_changed", [0, 10**9])
def test_an_interrupted_merge_loses_nothing_and_counts_nothing_twice(
    most_changed: int,
    read: Read,
    rows: Rows,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    amount: Callable[[str], int],
) -> None:
    monkeypatch.setattr("urlset.access_logs.visits.MAX_CHANGED", most_changed)
    first, second = tmp_path / "1.log", tmp_path / "2.log"
    first.write_text(FIRST)
    read(first)
    second.write_text(SECOND)
    merge = LogStore.merge
    for statements in range(1, 60, amount("interrupted merges of logs")):
        with monkeypatch.context() as patch:
            patch.setattr(LogStore, "merge", lambda self, left=statements: _interrupted(merge, self, left))
            try:
                read(first, second)
            except KeyboardInterrupt:
                # The documented tables are as they were.
                assert rows("SELECT sum(hits)::INTEGER FROM crawls") == [(100,)]
                assert rows("SELECT sum(hits)::INTEGER FROM crawl_days") == [(100,)]
                continue
        break
    assert statements > 10
    for table in ("crawls", "crawl_days"):
        assert rows(f"SELECT sum(hits)::INTEGER FROM {table}") == [(130,)]
    assert rows("SELECT count(*) FROM crawls") == [(100,)]
    assert rows("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'urlset_merged%'") == [(0,)]


def _interrupted(merge: Callable[[LogStore], None], store: LogStore, statements: int) -> None:
    """Interrupt a merge after a number of statements."""
    plain = store._connection

    class Interrupted:
        def execute(self, *arguments: Any) -> Any:
            nonlocal statements
            statements -= 1
            if statements < 0:
                raise KeyboardInterrupt
            return plain.execute(*arguments)

    store._connection = cast("Any", Interrupted())
    merge(store)
    store._connection = plain
