"""URLs that are only counted have the same overview as stored ones."""

from __future__ import annotations

from pathlib import Path

from urlset import _core
from urlset.model.run import Overview
from urlset.store.file import Store
from urlset.store.overview import OverviewRows, overview
from urlset.store.run import Run

LINKS = "".join(
    f'<xhtml:link rel="alternate" hreflang="{code}" href="https://example.com/{code}/a"/>' for code in ("de", "en")
)
DOCUMENTS = [
    f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
    <url><loc>https://example.com/</loc><lastmod>2026-01-02</lastmod></url>
    <url><loc>https://example.com/shop/chairs/1</loc><lastmod>2026-01-02T10:00:00Z</lastmod></url>
    <url><loc>https://example.com/shop/chairs/2</loc><lastmod>yesterday</lastmod></url>
    <url><loc>https://example.com/shop/lamps/3?a=/b/</loc></url>
    <url><loc>no-host</loc></url>
    <url><loc>https://example.com/de/a</loc>{LINKS}</url>
    </urlset>""",
    """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <url><loc>https://example.org/shop/chairs/4</loc><lastmod>2026-01-03</lastmod></url>
    </urlset>""",
]


def overview_of(path: Path, *, counted: bool, removed: int | None = None) -> Overview:
    with Store.create(path) as store:
        rows = OverviewRows(store, ["example.com"]) if counted else Run.begin(store, ["example.com"], {})
        for number, text in enumerate(DOCUMENTS):
            for batch in _core.Reader(text.encode(), document_id=number):
                rows.add(batch)
        if removed is not None:
            rows.remove(removed)
        if isinstance(rows, OverviewRows):
            rows.finish()
        else:
            rows.finish({})
    with Store.read(path) as store:
        return overview(store, 1)


def test_counted_urls_have_the_same_overview(tmp_path: Path) -> None:
    counted = overview_of(tmp_path / "counted.duckdb", counted=True)
    assert counted == overview_of(tmp_path / "stored.duckdb", counted=False)
    assert (counted.entries, counted.lastmod_missing, counted.lastmod_unreadable) == (7, 3, 1)
    assert [section.name for section in counted.sections][:1] == ["example.com/shop/"]


def test_a_document_can_be_removed(tmp_path: Path) -> None:
    counted = overview_of(tmp_path / "counted.duckdb", counted=True, removed=0)
    assert counted == overview_of(tmp_path / "stored.duckdb", counted=False, removed=0)
    assert counted.entries == 1


def test_there_may_be_no_urls(tmp_path: Path) -> None:
    with Store.create(tmp_path / "empty.duckdb") as store:
        OverviewRows(store, []).finish()
    with Store.read(tmp_path / "empty.duckdb") as store:
        assert overview(store, 1).entries == 0
