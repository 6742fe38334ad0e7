"""`audit --crawl --resume`: pages that were committed are requested once, and the links are the same at the end."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.build.killing import Children
from tests.resume.killed import HTML, KILLS, XML, Site, killed_audits, serving

from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.store.run import Run

COUNT = 200


def answer(site: Site, _: str, path: str) -> tuple[int, dict[str, str], str]:
    """A tree of pages, of which only the first is listed, with broken links at its end."""
    if path == "/robots.txt":
        return 200, {}, f"Sitemap: {site.origin}/sitemap.xml\n"
    if path == "/sitemap.xml":
        root = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return 200, XML, f"{root}<url><loc>{site.origin}/</loc></url></urlset>"
    number = int(path[1:] or 0)
    if number >= COUNT // 2:
        return 404, HTML, "not found"
    links = "".join(f'<a href="/{child}">x</a>' for child in (2 * number + 1, 2 * number + 2))
    return 200, HTML, f'<html><head><link rel="canonical" href="{site.origin}{path}"></head><body>{links}</body></html>'


@pytest.mark.long("slow cases")
def test_an_interrupted_crawl_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class StopError(Exception):
        pass

    usual: dict[str, Any] = {"links": True, "crawl": True, "select": ("LNK",), "score": False, "cache": False}
    store = tmp_path / "s.duckdb"
    # Whatever the clock says, each batch of pages is committed.
    monkeypatch.setattr(Run, "seconds_since_commit", math.inf)
    with serving(answer) as site:
        target = f"{site.origin}/sitemap.xml"

        def stop(event: Any) -> None:
            if event.name == "linked pages" and len(site.asked) > 60:
                raise StopError

        with pytest.raises(StopError):
            audit([target], AuditOptions(store=store, **usual), stop)
        done = committed(store)
        site.forget()
        result = audit([target], AuditOptions(store=store, resume=True, **usual))
        assert len(done) > 1
        assert done.isdisjoint(site.forget())
        whole = audit([target], AuditOptions(store=tmp_path / "whole.duckdb", **usual))
    assert result.links is not None
    assert whole.links is not None
    assert (result.links.pages, result.links.links, result.links.depths) == (
        whole.links.pages, whole.links.links, whole.links.depths,
    )  # fmt: skip
    first, second = ({finding.rule.code: finding.count for finding in one.report.findings} for one in (result, whole))
    assert first == second


def committed(store: Path) -> set[str]:
    """Returns the pages whose rows are in a store, which the links of each page are committed with.

    The home page is not among them: a search for sitemaps requests it again.
    """
    with duckdb.connect(str(store), read_only=True) as kept:
        linking = "SELECT count(DISTINCT from_url) FROM links"
        all_pages = "SELECT links FROM crawled UNION ALL SELECT links FROM pages"
        reading = f"SELECT count(*) FROM ({all_pages}) WHERE links > 0"
        assert kept.execute(linking).fetchall() == kept.execute(reading).fetchall()
        rows = kept.execute("SELECT url FROM crawled UNION ALL SELECT url FROM pages").fetchall()
    return {url for (url,) in rows if not url.endswith("/")}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_crawl_loses_nothing_and_requests_nothing_twice(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    given = ["--crawl", "--select", "LNK", "--no-score", "--concurrency", "2"]
    with serving(answer) as site:
        whole, stores = killed_audits(children, site, given, tmp_path, amount(KILLS), committed)
    assert stores
    expected = linked_rows(whole)
    assert all(linked_rows(store) == expected for store in stores)


def linked_rows(store: Path) -> list[tuple[Any, ...]]:
    columns = "url, is_listed, links, followed, clicks, basis, skipped, status, is_indexable"
    with duckdb.connect(str(store), read_only=True) as kept:
        rows = kept.execute(f"SELECT {columns} FROM linked ORDER BY url").fetchall()
        return [*rows, *kept.execute("SELECT from_url, to_url FROM links ORDER BY ALL").fetchall()]
