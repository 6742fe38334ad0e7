"""The example site that `make demo` serves: what is found there and how it scores."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import urlset

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
    assert (result.status, result.score) == (urlset.Status.WARN, 0.95)
    assert pages.facts["compression"] == "gzip"
    assert next(entry.loc for entry in pages) == f"{origin}/"
