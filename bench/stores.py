"""Measure a store of ten million URLs and a million pages: the time to open it, and to run the queries of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.measure import Samples, timed
from bench.report import Row, Section, milliseconds, verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

URLS, PAGES, DOCUMENTS = 10_000_000, 1_000_000, 200
FLOOR_SECONDS = 1.0
_VERSION = 1

QUERIES = (
    ("pages by status", "SELECT status, count(*) FROM pages WHERE run_id = 1 GROUP BY status ORDER BY 2 DESC"),
    (
        "indexable pages",
        "SELECT count(*) FILTER (status BETWEEN 200 AND 299 AND noindex IS NULL AND coalesce(len(hops), 0) = 0 "
        "AND coalesce(canonical_is_self, true)), count(*) FROM pages WHERE run_id = 1",
    ),
    (
        "URLs by section",
        "SELECT host, split_part(path, '/', 2) AS section, count(*) FROM urls WHERE run_id = 1 GROUP BY ALL "
        "ORDER BY 3 DESC LIMIT 200",
    ),
    (
        "lastmod by month",
        "SELECT date_trunc('month', lastmod_at) AS month, count(*) FROM urls WHERE run_id = 1 GROUP BY month",
    ),
    ("URLs by document", "SELECT document_id, count(*) FROM urls WHERE run_id = 1 GROUP BY document_id"),
    (
        "findings by rule",
        "SELECT code, severity, sum(count) FROM findings WHERE run_id = 1 AND example <= 1 GROUP BY ALL ORDER BY ALL",
    ),
    ("one URL", "SELECT document_id, line FROM urls WHERE run_id = 1 AND loc = 'https://www.example.com/s7/p9999999'"),
)
"""The queries of a report: name and SQL."""


def _store(folder: Path, say: Callable[[str], None]) -> Path:
    from urlset.store.file import Store
    from urlset.store.run import Run

    path = folder / f"store-{URLS}-v{_VERSION}.duckdb"
    if path.exists():
        return path
    say("  writing the store")
    begun = path.with_suffix(".begun")
    begun.unlink(missing_ok=True)
    with Store.create(begun) as store:
        run = Run.begin(store, ["https://www.example.com"], {})
        each = URLS // DOCUMENTS
        store.connection.execute(
            f"""
            INSERT INTO urls (run_id, document_id, ordinal, line, loc, loc_line, loc_hash, scheme, host, path, lastmod,
                lastmod_at)
            SELECT 1, n // {each}, n % {each}, n % {each} + 3, concat('https://www.example.com', page), n % {each} + 3,
                (hash(page) // 2)::BIGINT, 'https', 'www.example.com', page, strftime(changed, '%Y-%m-%d'),
                changed
            FROM (
                SELECT range AS n, concat('/s', range % 40, '/p', range) AS page,
                    TIMESTAMP '2020-01-01' + to_days((hash(range) % 2000)::INTEGER) AS changed
                FROM range({URLS})
            )
            """
        )
        store.connection.execute(
            f"""
            INSERT INTO pages (run_id, document_id, ordinal, url, status, words, content_hash, canonical_is_self,
                elapsed_ms)
            SELECT 1, range // {each}, range % {each}, concat('https://www.example.com/s', range % 40, '/p', range),
                CASE WHEN hash(range) % 50 = 0 THEN 404 ELSE 200 END, 300, (hash(range) // 2)::BIGINT, true, 12.5
            FROM range({PAGES})
            """
        )
        store.connection.execute(
            "INSERT INTO findings (run_id, code, severity, document_id, document, count, example, message) "
            f"SELECT 1, concat('TST', 100 + range % 90), 'warning', range // 90 % {DOCUMENTS}, 'sitemap.xml', 10, "
            "range % 10 + 1, 'wrong' FROM range(100000)"
        )
        run.finish({"documents": DOCUMENTS, "urls": URLS, "pages": PAGES, "errors": 0, "warnings": 0, "infos": 0})
    begun.rename(path)
    return path


def measure_store(folder: Path, rounds: int, say: Callable[[str], None]) -> Section:
    """Measure opening the store, and each query on a newly opened store, in one process."""
    from urlset.store.file import Store

    path = _store(folder, say)
    rows = [
        Row("open, and list the runs", "`Store.read(path).runs()`", Samples()),
        *(Row(name, f"`{query}`", Samples(), compared=False) for name, query in QUERIES),
    ]
    rows[0].compared = False
    for _ in range(rounds):
        for row, query in zip(rows, ("", *(query for _, query in QUERIES)), strict=True):
            assert row.samples is not None
            with timed(row.samples), Store.read(path) as store:
                if query:
                    store.connection.execute(query).fetchall()
                else:
                    store.runs()
    slowest = max(row.samples.median for row in rows if row.samples is not None)
    return Section(
        f"A store of {URLS:,} URLs and {PAGES:,} pages",
        f"{path.stat().st_size / 1024**2:,.0f} MB on disk. Each query runs on a newly opened store.",
        rows,
        lines=[
            f"Slowest: {milliseconds(slowest)}. Floor {FLOOR_SECONDS:.0f} s each: {verdict(slowest <= FLOOR_SECONDS)}."
        ],
    )
