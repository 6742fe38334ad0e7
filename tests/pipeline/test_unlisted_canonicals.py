"""Canonical rules judge unlisted pages as well; one that names a listed page is right, such as a sorted list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.hosting.folders import write

from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.stages import probe_pages
from urlset.store.page_rows import judge_pages
from urlset.store.run import Run

BASE = "https://example.org/"
CODES = ("PGE010", "PGE011", "PGE012", "PGE013", "PGE014", "PGE036", "PGE037", "LNK003", "LNK011")


def page(name: str, canonicals: Sequence[str], links: Sequence[str] = (), head: str = "") -> str:
    words = " ".join(f"{name}{number}" for number in range(60))
    heads = "".join(f'<link rel="canonical" href="{BASE}{url}">' for url in canonicals) + head
    anchors = "".join(f'<a href="/{link}">{link}</a>' for link in links)
    return f"<!DOCTYPE html><html lang=en><head><title>{name}</title>{heads}</head><body>{words} {anchors}"


# The linked URL, the canonical URLs of the page in the file `other/index.html`, and what is found.
CASES: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "sorted by a parameter": ("list/?sort=price", (), set()),
    "two parameters, with a fragment": ("list/?sort=price&page=2#top", (), set()),
    "another page that names the listed one": ("other/", ("list/",), set()),
    "the listed one in another spelling": ("other/", ("l%69st/",), set()),
    "itself": ("other/", ("other/",), {"LNK003"}),
    "a missing page": ("other/", ("gone/",), {"PGE014"}),
    "a page that is noindex": ("other/", ("hidden/",), {"PGE014"}),
    "two canonical URLs": ("other/", ("list/", "hidden/"), {"PGE012"}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_canonical_of_an_unlisted_page(name: str, tmp_path: Path) -> None:
    linked, canonicals, expected = CASES[name]
    listed = "".join(f"<url><loc>{BASE}{path}</loc></url>" for path in ("", "list/"))
    files = {
        "index.html": page("home", [""], ["list/", linked]),
        "list/index.html": page("list", ["list/"]),
        "hidden/index.html": page("hidden", [], head='<meta name="robots" content="noindex">'),
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>',
    }
    if canonicals:
        files["other/index.html"] = page("other", canonicals)
    options = AuditOptions(base_url=BASE, store=tmp_path / "s.duckdb", select=CODES, links=True)
    result = audit([str(write(tmp_path / "site", files))], options)
    assert {finding.rule.code for finding in result.report.findings} == expected
    assert result.pages is not None
    assert (result.pages.good.part, result.pages.good.whole) == (2, 2)


@pytest.mark.parametrize("links", [True, False])
def test_verdicts_are_stored_once(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the pages that listed ones name, on which the verdicts depend."""
    calls: list[Run] = []

    def judged(run: Run) -> None:
        calls.append(run)
        judge_pages(run)

    monkeypatch.setattr(probe_pages, "judge_pages", judged)
    listed = f"<url><loc>{BASE}</loc></url><url><loc>{BASE}a/</loc></url>"
    files = {
        "index.html": page("home", [""], ["other/"]),
        "a/index.html": page("a", ["other/"]),
        "other/index.html": page("other", ["other/"]),
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>',
    }
    options = AuditOptions(base_url=BASE, store=tmp_path / "s.duckdb", links=links)
    result = audit([str(write(tmp_path / "site", files))], options)
    assert len(calls) == 1
    assert result.pages is not None
    assert result.pages.reasons == {"canonical-elsewhere": 1}
