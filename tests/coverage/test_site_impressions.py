"""Impressions in the HTML report: only on request, each page once, and what is not known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from urlset.api import report_page
from urlset.cli.main import main
from urlset.coverage.index_states import add_impressions
from urlset.coverage.search_analytics import Day, PageCount
from urlset.coverage.site_impressions import DAYS, impressions_of_run
from urlset.model.impressions import PageImpressions, SectionImpressions, SiteImpressions
from urlset.store.file import Store

SITE = "https://example.com"
A, B, C = f"{SITE}/shop/a", f"{SITE}/shop/b", f"{SITE}/blog/c"
LAST = date(2026, 11, 26)
DOMAIN, PREFIX = "sc-domain:example.com", f"{SITE}/"


@pytest.fixture
def store(audited: Callable[[Mapping[str, Sequence[str]]], Path]) -> Path:
    """A store whose run lists two pages."""
    return audited({"sitemap.xml": [A, B]})


def add(
    store: Path,
    ago: int,
    pages: Mapping[str, tuple[int, int]],
    site: str = DOMAIN,
    kind: str = "web",
    *,
    is_provisional: bool = False,
    is_cut: bool = False,
) -> None:
    """Add a day, by its distance from the last one."""
    counts = {url: PageCount(*count) for url, count in pages.items()}
    with Store.create(store) as opened:
        day = Day(LAST - timedelta(days=ago), counts, 0, is_cut)
        add_impressions(opened, site, kind, day, is_provisional=is_provisional)


def found(store: Path, sections: int = 20, pages: int = 20) -> tuple[SiteImpressions, ...]:
    with Store.read(store) as opened:
        return impressions_of_run(opened, 1, sections, pages)


def section(store: Path) -> Any:
    tree: Any = html.document_fromstring(report_page(store, impressions=True))
    [one] = tree.xpath("//section[@id='impressions']")
    return one


def test_a_report_has_impressions_only_on_request(store: Path, tmp_path: Path) -> None:
    add(store, 0, {C: (48_911, 1_377)})
    page, shown = tmp_path / "page.html", tmp_path / "shown.html"
    assert main(["report", str(store), "-o", str(page)]) == 0
    assert main(["report", str(store), "-o", str(shown), "--impressions"]) == 0
    for secret in ('id="impressions"', "48,911", "1,377", "48911", "1377", "/blog/c", DOMAIN):
        assert secret not in page.read_text()
    assert "1 page with 48,911 impressions and 1,377 clicks" in shown.read_text()
    assert shown.read_text() == report_page(store, impressions=True)


def test_pages_and_sections_by_impressions(store: Path) -> None:
    add(store, 1, {A: (5, 1), C: (3, 3)})
    add(store, 0, {A: (2, 0), B: (4, 2)})
    [one] = found(store)
    assert (one.first, one.last, one.days) == (LAST - timedelta(days=DAYS - 1), LAST, 2)
    assert (one.pages, one.impressions, one.clicks, one.listed, one.listed_with) == (3, 14, 6, 2, 2)
    assert one.sections == (
        SectionImpressions("example.com/shop/", 2, 11, 3), SectionImpressions("example.com/blog/", 1, 3, 3),
    )  # fmt: skip
    assert one.top == (
        PageImpressions(A, 7, 1, True), PageImpressions(B, 4, 2, True), PageImpressions(C, 3, 3, False),
    )  # fmt: skip
    rows = [[cell.text_content() for cell in row.xpath("./th|./td")] for row in section(store).xpath(".//tbody/tr")]
    assert rows[0][1:] == ["7", "1", "yes"]
    assert rows[2][1:] == ["3", "3", "no"]
    assert rows[3] == ["example.com/shop/", "2", "11", "3"]


def test_a_page_in_several_properties_and_with_fragments_counts_once(store: Path) -> None:
    add(store, 0, {A: (5, 1), f"{A}#reviews": (2, 1)})
    add(store, 0, {A: (5, 1), f"{A}#reviews": (2, 1)}, PREFIX)
    add(store, 1, {A: (1, 0)}, PREFIX)
    [one] = found(store)
    assert one.top == (PageImpressions(A, 8, 2, True),)
    assert one.days == 2


def test_only_the_last_days_of_pages_on_the_hosts_of_the_run_count(store: Path) -> None:
    add(store, DAYS, {A: (100, 0)})
    add(store, DAYS - 1, {A: (1, 0), "https://shop.example.com/": (9, 0), "https://example.com:8443/x": (2, 0)})
    add(store, 0, {})
    add(store, -300, {"https://other.example/": (7, 0)}, "sc-domain:other.example")
    [one] = found(store)
    assert (one.last, one.days, one.impressions, one.pages) == (LAST, 2, 3, 2)


def test_types_of_search_are_kept_apart(store: Path) -> None:
    add(store, 0, {A: (3, 0)}, kind="discover")
    add(store, 2, {B: (5, 0)})
    assert [(one.search_type, one.last, one.impressions) for one in found(store)] == [
        ("web", LAST - timedelta(days=2), 5),
        ("discover", LAST, 3),
    ]
    assert [heading.text_content() for heading in section(store).xpath(".//h3")] == ["Web search", "Discover"]


def test_what_is_not_known_or_can_change_is_said(store: Path) -> None:
    add(store, 2, {A: (3, 0)}, is_cut=True)
    add(store, 0, {A: (3, 0)}, is_provisional=True)
    text = " ".join(section(store).text_content().split())
    for sentence in (
        "1 of 2 listed pages had impressions. A page with impressions was indexed; a page without impressions may be "
        "indexed, too.",
        "The store has 2 of these 28 days; impressions on the other days are not counted.",
        "Provisional: 1 day, 2026-11-26; Google was still collecting their data.",
        "Incomplete: 1 day, 2026-11-24 with 50,000 pages, the most that Google returns.",
    ):
        assert sentence in text


def test_tables_are_bounded(store: Path) -> None:
    add(store, 0, {f"{SITE}/{number % 30}/{number}": (100 - number % 50, 0) for number in range(90)})
    [one] = found(store, sections=7, pages=5)
    assert (len(one.sections), one.more_sections, len(one.top), one.pages) == (7, 23, 5, 90)
    assert "5 pages with most impressions" not in section(store).text_content()
    assert "20 pages with most impressions" in section(store).text_content()
    assert "and 10 more sections" in section(store).text_content()


def test_a_store_without_impressions_says_how_to_add_them(store: Path) -> None:
    assert found(store) == ()
    sentence = "urlset coverage impressions --property PROPERTY --credentials FILE adds them."
    assert sentence in section(store).text_content()
    add(store, 0, {"https://other.example/": (7, 0)})
    assert sentence in section(store).text_content()


def test_urls_are_escaped(store: Path) -> None:
    add(store, 0, {f"{SITE}/<script>alert(1)</script>\u202e": (7, 0)})
    page = report_page(store, impressions=True)
    assert "<script>alert" not in page
    assert "\u202e" not in page
