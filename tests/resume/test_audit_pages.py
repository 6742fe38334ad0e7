"""`audit --resume` while pages are fetched: what was committed is requested once, and the end is the same."""

from __future__ import annotations

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
from urlset.tables import PAGES

COUNT = 200
ROOT = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def answer(site: Site, _: str, path: str) -> tuple[int, dict[str, str], str]:
    """Pages that are listed in two sitemaps below an index."""
    if path == "/robots.txt":
        return 200, {}, f"User-agent: *\nDisallow: /p/7\nSitemap: {site.origin}/sitemap.xml\n"
    if path == "/sitemap.xml":
        children = "".join(f"<sitemap><loc>{site.origin}/sitemap-{half}.xml</loc></sitemap>" for half in (0, 1))
        return 200, XML, f"<sitemapindex {ROOT}>{children}</sitemapindex>"
    if path in ("/sitemap-0.xml", "/sitemap-1.xml"):
        # The halves overlap, so that some pages are listed twice.
        listed = range(COUNT * 6 // 10) if path == "/sitemap-0.xml" else range(COUNT * 5 // 10, COUNT)
        entries = "".join(f"<url><loc>{site.origin}/p/{number}</loc></url>\n" for number in listed)
        return 200, XML, f"<urlset {ROOT}>{entries}</urlset>"
    if path.startswith("/p/"):
        link = f'<link rel="canonical" href="{path}">'
        body = f"<html lang=en><title>Page {path}</title>{link}<main>Text of {path}</main>"
        return 404 if path.endswith("13") else 200, HTML, body
    return 404, {}, "nothing"


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """What a store holds, without what differs between any two runs."""
    found = {}
    with duckdb.connect(str(store), read_only=True) as connection:
        pages = ", ".join(name for name in PAGES.column_names if name not in ("fetched_at", "elapsed_ms"))
        for name, columns in (
            ("pages", pages),
            ("documents", "document_id, url, kind, entries, http_status, sha256"),
            ("urls", "document_id, ordinal, loc"),
            ("children", "document_id, ordinal, loc"),
            ("robots", "*"),
            ("sitemap_lines", "*"),
            ("access", "*"),
            ("findings", "* EXCLUDE (message)"),
            ("runs", "documents, urls, pages, errors, warnings, infos, finished_at IS NOT NULL"),
        ):
            found[name] = connection.execute(f"SELECT {columns} FROM {name} ORDER BY ALL").fetchall()
    return found


def committed(store: Path) -> set[str]:
    """Returns the pages that were fetched, as a store has them: what was skipped is decided again."""
    with duckdb.connect(str(store), read_only=True) as connection:
        return {url for (url,) in connection.execute("SELECT url FROM pages WHERE skipped IS NULL").fetchall()}


def test_pages_are_found_again_in_a_set_that_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = ["/a", "/b", "/c"]
    usual: dict[str, Any] = {"select": ("PGE",), "score": False, "cache": False, "retries": 0}

    def site_of(site: Site, _: str, path: str) -> tuple[int, dict[str, str], str]:
        if path == "/sitemap.xml":
            entries = "".join(f"<url><loc>{site.origin}{one}</loc></url>" for one in listed)
            return 200, XML, f"<urlset {ROOT}>{entries}</urlset>"
        return (200, HTML, f"<title>{path}</title>{path}") if path != "/robots.txt" else (404, {}, "")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with serving(site_of) as site:
        target, store = f"{site.origin}/sitemap.xml", tmp_path / "kept.duckdb"
        with monkeypatch.context() as patched:
            patched.setattr("urlset.pipeline.audit.access_of_agents", stopped)
            with pytest.raises(KeyboardInterrupt):
                audit([target], AuditOptions(store=store, **usual))
        listed[:] = ["/d", "/c", "/b"]
        site.forget()
        report = audit([target], AuditOptions(store=store, resume=True, **usual)).report
        assert sorted(url.removeprefix(site.origin) for url in site.forget()) == ["/d", "/robots.txt", "/sitemap.xml"]
        audit([target], AuditOptions(store=tmp_path / "whole.duckdb", **usual))
    changed = "1 document changed since the run was interrupted; 1 requested page is no longer listed"
    assert [note for note in report.notes if "interrupted" in note] == [changed]
    assert contents(store) == contents(tmp_path / "whole.duckdb")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_kills_lose_nothing_and_request_nothing_twice(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    given = ["--select", "PGE,ROB,DUP", "--no-score", "--concurrency", "32"]
    with serving(answer) as site:
        whole, stores = killed_audits(children, site, given, tmp_path, amount(KILLS), committed)
    expected = contents(whole)
    assert len(expected["pages"]) == COUNT
    assert stores
    for store in stores:
        assert contents(store) == expected
