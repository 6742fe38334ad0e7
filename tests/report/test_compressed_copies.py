"""The URLs of a compressed copy of a sitemap are counted once, those of other sitemaps as often as they are listed."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from urlset.options import AuditOptions, InspectOptions, ValidateOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.inspect import inspect
from urlset.pipeline.validate import validate


def sitemap(*paths: str) -> bytes:
    entries = "".join(f"<url><loc>https://example.org/{path}</loc></url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


ABC = sitemap("a", "b", "c")
CASES = {
    "one": ({"sitemap.xml": ABC}, 3),
    "a copy": ({"sitemap.xml": ABC, "sitemap.xml.gz": gzip.compress(ABC)}, 3),
    "only the copy": ({"sitemap.xml.gz": gzip.compress(ABC)}, 3),
    "a copy that differs": ({"sitemap.xml": ABC, "sitemap.xml.gz": gzip.compress(sitemap("a", "b"))}, 5),
    "another name": ({"sitemap.xml": ABC, "other.xml.gz": gzip.compress(ABC)}, 6),
    "text": (
        {"sitemap.txt": b"https://example.org/a\n", "sitemap.txt.gz": gzip.compress(b"https://example.org/a\n")},
        1,
    ),
    "two with copies": (
        {
            f"{name}.xml{end}": pack(sitemap(name))
            for name in "ab"
            for end, pack in (("", bytes), (".gz", gzip.compress))
        },
        2,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_urls_are_counted_once(name: str, tmp_path: Path) -> None:
    files, urls = CASES[name]
    site = tmp_path / "site"
    site.mkdir()
    for file, content in files.items():
        (site / file).write_bytes(content)
    assert validate([str(site)], ValidateOptions()).summary.urls == urls
    assert inspect([str(site)], InspectOptions()).totals.urls == urls
    audited = audit([str(site)], AuditOptions(pages=False, store=tmp_path / "s.duckdb"))
    assert audited.report.summary.urls == urls
