"""Charts: every date and every URL is in one bar and one area, whatever they are."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from urlset.model.run import Section
from urlset.report.html.charts import MAX_BARS, bar, bars_of_days, histogram, line, ring, squarify, treemap


def days(*written: str) -> list[tuple[date, int]]:
    return [(date.fromisoformat(one), 1) for one in written]


@pytest.mark.parametrize(
    ("given_days", "unit", "bars"),
    [
        (days("2026-01-30", "2026-02-01"), "day", [("2026-01-30", 1), ("2026-01-31", 0), ("2026-02-01", 1)]),
        (days("2025-11-03", "2025-11-04", "2026-01-09"), "month", [("2025-11", 2), ("2025-12", 0), ("2026-01", 1)]),
        (
            days("2019-01-01", "2019-06-30", *(f"{year}-07-01" for year in range(2020, 2026))),
            "year",
            [("2019", 2), *((str(year), 1) for year in range(2020, 2026))],
        ),
        (days("1900-01-01", "2026-01-01")[:1], "day", [("1900-01-01", 1)]),
        # Of many dates a few odd ones do not flatten the others.
        (
            [(date(1970, 1, 1), 1), *((date(2026, 1, 1) + timedelta(one), 1_000) for one in range(3)), (date.max, 2)],
            "day",
            [
                ("before 2026-01-01", 1),
                ("2026-01-01", 1_000),
                ("2026-01-02", 1_000),
                ("2026-01-03", 1_000),
                ("after 2026-01-03", 2),
            ],
        ),
        # What lies in the future is a fault, and no reason to draw decades.
        (
            [(date(2026, 2, 2), 5), (date(2099, 1, 1), 3)],
            "day",
            [("2026-02-02", 5), ("after 2026-02-02", 3)],
        ),
        ([], "day", []),
    ],
)  # fmt: skip
def test_days_are_put_together(given_days: list[tuple[date, int]], unit: str, bars: list[tuple[str, int]]) -> None:
    found, made = bars_of_days(given_days, date(2026, 2, 3))
    assert (found, [(one.label, one.count) for one in made]) == (unit, bars)


@given(st.dictionaries(st.dates(), st.integers(1, 10_000_000), min_size=1, max_size=80), st.dates())
def test_every_date_is_in_one_bar(counts: dict[date, int], until: date) -> None:
    _, bars = bars_of_days(sorted(counts.items()), until)
    assert sum(one.count for one in bars) == sum(counts.values())
    # Two more for what lies before and after, and a century may cut through a period.
    assert len(bars) <= MAX_BARS + 50
    etree.fromstring(histogram(bars, "chart"))


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=60), st.floats(0.1, 10))
def test_areas_are_as_the_sizes_and_fill_the_whole(sizes: list[int], shape: float) -> None:
    sizes.sort(reverse=True)
    cells = squarify(sizes, shape)
    total = sum(sizes)
    for size, cell in zip(sizes, cells, strict=True):
        assert cell.width * cell.height / 10_000 == pytest.approx(size / total, rel=1e-6, abs=1e-12)
        assert -1e-6 <= cell.x <= cell.x + cell.width <= 100 + 1e-6
        assert -1e-6 <= cell.y <= cell.y + cell.height <= 100 + 1e-6


def test_a_treemap_names_each_section_and_its_folders() -> None:
    sections = [
        Section("example.com/blog/", 70, (("2025/", 40), ("2026/", 20), ("", 10))),
        Section('example.com/<b>"&/', 29),
        Section("example.com/", 1),
    ]
    drawn = treemap(sections, "chart")
    titles = [one.text for one in etree.fromstring(drawn).iter("title")]
    assert titles == [
        "example.com/blog/: 70 URLs, 70.0%",
        "example.com/blog/2025/: 40 URLs",
        "example.com/blog/2026/: 20 URLs",
        "example.com/blog/ (other): 10 URLs",
        'example.com/<b>"&/: 29 URLs, 29.0%',
        "example.com/: 1 URL, 1.0%",
    ]


def test_a_treemap_shows_names_where_there_is_room() -> None:
    def shown(sections: list[Section]) -> list[tuple[str | None, str | None]]:
        return [(one.text, one.get("class")) for one in etree.fromstring(treemap(sections, "x")).iter("text")]

    parts = (("2025/", 60), ("a-folder-whose-name-is-much-too-long-for-its-area/", 20))
    one_host = [
        Section("example.com/blog/", 80, parts),
        Section("example.com/furniture/", 19),
        Section("example.com/", 1),
    ]
    # The host that all have is not said; what has room on a wide screen alone is marked.
    assert shown(one_host) == [
        ("2025/", "folder"),
        ("/blog/", "name"),
        ("80.0%", "share"),
        ("/furniture/", "name cramped"),
        ("19.0%", "share cramped"),
    ]
    two_hosts = [Section("example.com/blog/", 50), Section("shop.example.com/", 50)]
    assert [text for text, _ in shown(two_hosts)] == ["example.com/blog/", "50.0%", "shop.example.com/", "50.0%"]


@pytest.mark.parametrize("drawn", [bar(0, 0), bar(1, 10**9), line([1]), line([0, 5, 2]), ring(0.875, "warn", "x")])
def test_small_charts_are_well_formed(drawn: str) -> None:
    assert etree.fromstring(drawn).tag == "svg"


def test_what_is_there_is_seen_however_little() -> None:
    assert 'class="bar " width="0.6%"' in bar(1, 10**9)
    assert 'class="bar " width="0%"' in bar(0, 10**9)
