"""The example site that `make demo` serves: what is found there and how it scores."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import urlset
import urlset.model

SCRIPT = Path(__file__).parents[2] / "examples" / "serve_site.py"


def test_the_example_site_is_found_and_warns() -> None:
    serve: dict[str, Any] = runpy.run_path(str(SCRIPT))
    with serve["serving"]() as origin:
        found = urlset.discover(origin)
        result = urlset.check(origin)
        pages = urlset.read(f"{origin}/sitemaps/pages.xml.gz")
    assert [(one.url.removeprefix(origin), one.kind) for one in found.candidates] == [
        ("/sitemap.xml", "sitemapindex"),
        ("/feed.xml", "rss"),
    ]
    assert (result.status, result.score) == (urlset.model.Status.WARN, 0.95)
    assert pages.facts["compression"] == "gzip"
    assert next(entry.loc for entry in pages) == f"{origin}/"


def test_the_example_site_as_a_whole() -> None:
    serve: dict[str, Any] = runpy.run_path(str(SCRIPT))
    with serve["serving"]() as origin:
        report = urlset.validate(
            origin, discover=True, expand=True, select=["FET001", "ROB", "IDX", "LOC001", "MOD001"]
        )
    assert [(str(row["url"]).removeprefix(origin), row["found_by"], row["kind"]) for row in report.documents] == [
        ("/robots.txt", "well-known", "robots"),
        ("/sitemap.xml", "robots", "sitemapindex"),
        ("/sitemaps/winter-sale.xml", "robots", None),
        ("/feed.xml", "html-link", "rss"),
        ("/sitemaps/pages.xml.gz", "index", "urlset"),
        ("/sitemaps/offers.txt", "index", "text"),
        ("/sitemaps/journal.xml", "index", "urlset"),
    ]
    assert [(f.rule.code, report.document_url(f.document_id).removeprefix(origin)) for f in report.findings] == [
        ("FET001", "/robots.txt"),
        ("ROB002", "/robots.txt"),
        ("LOC001", "/sitemaps/journal.xml"),
        ("MOD001", "/sitemaps/journal.xml"),
        ("IDX007", "/sitemap.xml"),
    ]
    assert report.summary.urls == 8
