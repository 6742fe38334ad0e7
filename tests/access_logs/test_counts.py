"""What is counted: by URL, by day and section, and each request for a sitemap."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.access_logs.lines import BING, GOOGLE, combined

from urlset import _core
from urlset.access_logs import log_reader as log_reading
from urlset.access_logs import visits as store_of_logs
from urlset.access_logs.render_text import render
from urlset.errors import UsageError
from urlset.model.access_log import LogsResult
from urlset.store.file import Store
from urlset.store.possible import future_lines

Read = Callable[..., LogsResult]
Rows = Callable[[str], list[tuple[Any, ...]]]


def test_counts_by_url(read: Read, rows: Rows) -> None:
    text = (
        combined("/a", day=11, status=404, size=5)
        + combined("/a", day=10, status=200, size="-")
        + combined("/a", day=12, status=200)
        + combined("/a", BING)
        + combined("/b", status="-")
    )
    read(text.encode())
    assert rows(
        "SELECT url, agent, day(first_at), day(last_at), hits, statuses, status_hits, bytes FROM crawls ORDER BY ALL"
    ) == [
        ("https://example.com/a", "Bingbot", 10, 10, 1, [200], [1], 100),
        ("https://example.com/a", "Googlebot", 10, 12, 3, [200, 404], [2, 1], 105),
        ("https://example.com/b", "Googlebot", 10, 10, 1, [], [], 100),
    ]
    for url, page_hash in rows("SELECT url, page_hash FROM crawls"):
        assert page_hash == _core.page_hash(url)


def test_counts_by_day_and_section(read: Read, rows: Rows) -> None:
    paths = ("/", "/a", "/blog/", "/blog/x/y", "/blog?a=/b/c", "//x", "/%C3%A4/b")
    read("".join(combined(path, day=10 + (path == "/a")) for path in paths).encode())
    assert rows("SELECT day(day), section, hits, statuses, status_hits FROM crawl_days ORDER BY ALL") == [
        (10, "/", 2, [200], [2]),
        (10, "/%C3%A4/", 1, [200], [1]),
        (10, "//", 1, [200], [1]),
        (10, "/blog/", 2, [200], [2]),
        (11, "/", 1, [200], [1]),
    ]


def test_requests_for_sitemaps(read: Read, rows: Rows) -> None:
    paths = (
        "/sitemap.xml",
        "/s/Posts.xml.gz?x=1",
        "/robots.txt",
        "/sitemap-1.txt",
        "/a.txt",
        "/feed",
        "/x.xsl",
        "/a/robots.txt",
    )
    read("".join(combined(path, status=304) for path in paths).encode())
    assert [url for (url,) in rows("SELECT document FROM sitemap_fetches ORDER BY document")] == [
        "https://example.com/robots.txt",
        "https://example.com/s/Posts.xml.gz?x=1",
        "https://example.com/sitemap-1.txt",
        "https://example.com/sitemap.xml",
    ]
    assert rows('SELECT DISTINCT site, agent, verdict, status, day("at") FROM sitemap_fetches') == [
        ("https://example.com", "Googlebot", "unverified", 304, 10)
    ]


def test_sitemaps_of_the_last_run_are_known(read: Read, rows: Rows, store: Path) -> None:
    from urlset.store.file import Store
    from urlset.store.run import Run

    with Store.create(store) as kept:
        run = Run.begin(kept, ["example.com"], {})
        kept.connection.execute(
            "INSERT INTO documents (run_id, document_id, url, host, kind) VALUES "
            f"({run.run_id}, 0, 'https://example.com/feed', 'example.com', 'rss')"
        )
        kept.connection.execute("UPDATE runs SET finished_at = now()")
    read(combined("/feed").encode())
    assert rows("SELECT document FROM sitemap_fetches") == [("https://example.com/feed",)]


@pytest.mark.long("slow cases")
def test_parts_are_merged_exactly(read: Read, rows: Rows, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = "".join(
        combined(f"/s{n % 5}/{n % 7}", (GOOGLE, BING)[n % 2], day=1 + n % 9, status=(200, 301, 404, "-")[n % 4], size=n)
        for n in range(200)
    )
    whole = tmp_path / "whole.duckdb"
    read(text.encode(), store=whole)
    monkeypatch.setattr("urlset.access_logs.log_files.PIECE", 1_000)
    monkeypatch.setattr(log_reading, "SAMPLE", 1_000)
    monkeypatch.setattr(log_reading, "MAX_WEIGHT", 2_000)
    monkeypatch.setattr(store_of_logs, "ROWS_AT_ONCE", 20)
    monkeypatch.setattr(store_of_logs, "HASHES_AT_ONCE", 20)
    half = text.index("\n", len(text) // 2) + 1
    for number, part in enumerate((text[:half], text[half:])):
        path = tmp_path / f"part{number}.log"
        path.write_text(part)
        read(path)
    import duckdb

    for table in ("crawls", "crawl_days"):
        rows_of_parts = rows(f"FROM {table} ORDER BY ALL")
        with duckdb.connect(str(whole), read_only=True) as plain:
            assert plain.execute(f"FROM {table} ORDER BY ALL").fetchall() == rows_of_parts
    assert rows("SELECT sum(hits)::INTEGER, sum(list_sum(status_hits))::INTEGER FROM crawls") == [(200, 150)]


@pytest.mark.parametrize("since", ["30d", "720h", "4w", "date"])
def test_since(since: str, read: Read, rows: Rows) -> None:
    now = datetime.now(UTC)

    def line(at: datetime) -> str:
        return combined(f"/{at:%j}").replace("10/Nov/2026:13:55:36", f"{at:%d/%b/%Y:%H:%M:%S}")

    value = since if since != "date" else f"{now - timedelta(days=30):%Y-%m-%d}"
    (log,) = read((line(now - timedelta(days=40)) + line(now - timedelta(days=2))).encode(), since=value).logs
    assert (log.hits, log.early) == (1, 1)


def test_wrong_since_is_refused(read: Read) -> None:
    with pytest.raises(UsageError, match="since: must be a date or a period such as 30d"):
        read(combined().encode(), since="30 days")


def test_requests_of_the_future_are_counted_and_said_but_not_stored(read: Read, rows: Rows, store: Path) -> None:
    later = combined("/b").replace("/2026:", "/2999:")
    text = combined("/a", day=10) + combined("/a", day=11) + later
    result = read(text.encode())
    [log] = result.logs
    assert (log.future, log.hits) == (1, 2)
    assert result.last_at is not None
    assert result.last_at.year == 2026
    assert "1 request dated in the future skipped; check the clock of the server" in "\n".join(render(result))
    # More of the log, with another one.
    read((text + later + combined("/c", day=12)).encode())
    assert rows("SELECT lines, future, hits, year(last_at) FROM log_files") == [(5, 2, 3, 2026)]
    assert rows("SELECT count(*) FROM crawls WHERE url LIKE '%/b'") == [(0,)]
    with Store.read(store) as stored:
        assert future_lines(stored) == 2


def test_a_log_of_the_future_counts_again_when_the_clock_is_right(
    read: Read, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Past(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime(1990, 1, 1, tzinfo=tz)

    text = (combined("/a", day=10) + combined("/a", day=11)).encode()
    with monkeypatch.context() as patch:
        patch.setattr(log_reading, "datetime", Past)
        [unreadable] = read(text).unreadable
    assert unreadable.reason == (
        "2 lines of 2 are dated in the future, so none of them count; check the clocks of this machine and of the "
        "server"
    )
    read(text)
    assert rows("SELECT future, hits FROM log_files") == [(0, 2)]
