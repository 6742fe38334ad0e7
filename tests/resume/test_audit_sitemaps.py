"""`audit --resume` while sitemaps are still read: they are read again, and the end is the same."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from tests.resume.killed import KILLS, Site, serving

from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.store.run import Run
from urlset.tables import TABLES
from urlset.text.progress import ProgressEvent

ROOT = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
CHILDREN = 40
VARYING = {
    "documents": ("fetched_at", "elapsed_ms"),
    "pages": ("fetched_at", "elapsed_ms"),
    "runs": ("started_at", "finished_at"),
    "findings": ("message",),
}


def answer(site: Site, host: str, path: str) -> tuple[int, dict[str, str], str]:
    """A site of many sitemaps with faults across them."""
    if path == "/robots.txt":
        line = "" if host.startswith("localhost") else f"Sitemap: {site.origin}/index.xml\n"
        return 200, {}, f"User-agent: *\nDisallow: /p/7\n{line}"
    if path == "/index.xml":
        children = [f"{site.origin}/c{number}.xml" for number in range(CHILDREN)]
        others = [f"{site.origin}/nested.xml", f"{site.origin}/c5.xml", f"{site.origin}/gone.xml"]
        return 200, {}, index([*children[:20], *others, *children[20:], f"{site.origin}/index.xml"])
    if path == "/nested.xml":
        deeper = [f"{site.origin}/d{number}.xml" for number in range(6)]
        elsewhere = f"http://localhost:{site.port}/elsewhere.xml"
        return 200, {}, index([f"{site.origin}/c3.xml", *deeper, elsewhere, f"{site.origin}/index.xml"])
    if path in ("/c10.xml", "/c11.xml", "/d2.xml"):
        return 301, {"Location": "/c30.xml" if path != "/d2.xml" else "/d4.xml"}, ""
    if path == "/gone.xml":
        return 404, {}, "gone"
    if path == "/d5.xml":
        return 200, {}, "<html><title>No sitemap</title></html>"
    if known := re.fullmatch(r"/(?:elsewhere|[cd](\d+))\.xml", path):
        return 200, {}, urlset(site.origin, int(known[1] or 77))
    return 404, {}, "nothing"


def index(urls: list[str]) -> str:
    return f"<sitemapindex {ROOT}>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


def urlset(origin: str, number: int) -> str:
    # Neighbours list some of the same pages, each with a date of its own.
    pages = range(number * 3, number * 3 + 5)
    day = f"2026-01-{number % 28 + 1:02}"
    entries = "".join(f"<url><loc>{origin}/p/{page}</loc><lastmod>{day}</lastmod></url>\n" for page in pages)
    return f"<urlset {ROOT}>{entries}<url><loc>/relative</loc></url></urlset>"


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """What a store holds, without what differs between any two runs."""
    with duckdb.connect(str(store), read_only=True) as connection:
        there = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        return {
            name: connection.execute(
                f"SELECT * EXCLUDE ({', '.join(VARYING[name])}) FROM {name} ORDER BY ALL"
                if name in VARYING
                else f"SELECT * FROM {name} ORDER BY ALL"
            ).fetchall()
            for name in TABLES
            if name in there
        }


def options(store: Path, *, resume: bool = False) -> AuditOptions:
    # One after the other, so that it is always the same document that another one's redirects arrive at first.
    return AuditOptions(
        store=store,
        retries=0,
        cache=False,
        concurrency=1,
        discover=True,
        expand=True,
        max_documents=48,
        max_examples=100,
        ignore=("LOC024",),
        preview=True,
        pages=False,
        # The score asks a site anew, as `urlset check` does.
        score=False,
        resume=resume,
    )


class StoppedError(Exception):
    """Where a run is torn off."""


def test_an_audit_that_is_interrupted_while_it_reads_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, amount: Callable[[str], int]
) -> None:
    chance = random.Random(1)
    # Now and then, as the clock would have it: what was read since is lost.
    monkeypatch.setattr(Run, "is_commit_due", property(lambda _: chance.random() < 0.6))
    with serving(answer) as site:
        audit([site.origin], options(tmp_path / "whole.duckdb"))
        expected = contents(tmp_path / "whole.duckdb")
        documents = site.forget()
        store = tmp_path / "kept.duckdb"
        for _ in range(max(6, amount(KILLS))):
            left = chance.randint(1, len(documents) // 2)

            def stop_soon(_: ProgressEvent) -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise StoppedError

            with pytest.raises(StoppedError):
                audit([site.origin], options(store, resume=store.exists()), stop_soon)
        report = audit([site.origin], options(store, resume=True)).report
        assert contents(store) == expected
    assert not [note for note in report.notes if "interrupted" in note]
    # The site is as hostile as it says.
    codes = {finding.rule.code for finding in report.findings}
    assert codes >= {"IDX009", "DUP003"} | {"LOC001"}, codes
    assert len(documents) > CHILDREN
    assert len(expected["cuts"]) >= 5
