"""The tables of places and documents: sorted, filtered and turned page by page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page

from .conftest import Opening, SharedPages, open_folds
from .reports import Reports

ROWS = 50


def cells(table: Locator, column: str) -> list[str]:
    """What a column shows, without white space around."""
    names = table.locator("thead th").all_inner_texts()
    (place,) = (number for number, name in enumerate(names, 1) if name.strip().startswith(column))
    return [text.strip() for text in table.locator(f"tbody tr > :nth-child({place})").all_inner_texts()]


def status(table: Locator) -> list[int]:
    """The numbers of `1 to 50 of 1,234, filtered from 5,678`: the first three."""
    said = table.locator("[data-status]").inner_text().partition(", filtered")[0]
    return [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", said)]


def turn(table: Locator, to: str) -> None:
    table.locator(f"button[data-page={to}]").click()


def sort(table: Locator, column: str) -> str | None:
    """Presses the button in the head of a column; how it is sorted then."""
    head = table.locator("th", has=table.page.get_by_role("button", name=re.compile(rf"^{column}")))
    head.locator("button").click()
    return head.get_attribute("aria-sort")


@pytest.fixture
def page(reports: Reports, opening: Opening) -> Page:
    return open_folds(opening(reports["large"]))


@pytest.fixture
def places(page: Page) -> Locator:
    return page.locator("[data-table=places]")


@pytest.fixture
def documents(page: Page) -> Locator:
    return page.locator("[data-table=documents]")


def test_pages_are_turned(places: Locator) -> None:
    first, last, total = status(places)
    assert (first, last) == (1, ROWS)
    assert total > 10 * ROWS
    assert places.locator("tbody tr").count() == ROWS
    assert places.locator("button[data-page=previous]").is_disabled()
    turn(places, "next")
    assert status(places) == [ROWS + 1, 2 * ROWS, total]
    turn(places, "last")
    assert status(places)[1:] == [total, total]
    assert places.locator("tbody tr").count() == (total - 1) % ROWS + 1
    assert places.locator("button[data-page=next]").is_disabled()
    turn(places, "previous")
    turn(places, "first")
    assert status(places) == [1, ROWS, total]


def test_every_row_is_on_exactly_one_page(documents: Locator) -> None:
    total = status(documents)[2]
    seen: list[str] = []
    while True:
        seen += cells(documents, "Document")
        if documents.locator("button[data-page=next]").is_disabled():
            break
        turn(documents, "next")
    assert len(seen) == len(set(seen)) == total


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("table", "column"), [("places", "Line"), ("documents", "Entries")])
def test_numbers_are_sorted_as_numbers(page: Page, table: str, column: str) -> None:
    shown = page.locator(f"[data-table={table}]")
    lengths: set[int] = set()
    directions = []
    for _ in range(4):
        direction = sort(shown, column)
        directions.append(direction)
        numbers = [int(text.replace(",", "")) for text in cells(shown, column) if text]
        assert numbers == sorted(numbers, reverse=direction == "descending")
        lengths |= set(map(len, map(str, numbers)))
    assert directions in (["descending", "ascending"] * 2, ["ascending", "descending"] * 2)
    # Where all have as many digits, text would be sorted so, too.
    assert len(lengths) > 1


def test_text_is_sorted_both_ways(places: Locator) -> None:
    for _ in range(2):
        direction = sort(places, "Rule")
        codes = [text.split()[0] for text in cells(places, "Rule")]
        assert codes == sorted(codes, reverse=direction == "descending")
    assert places.locator("th[aria-sort=ascending], th[aria-sort=descending]").count() == 1


def test_severities_are_sorted_by_their_weight(places: Locator) -> None:
    order = ["error", "warning", "info", "hint"]
    seen = set()
    for _ in range(2):
        direction = sort(places, "Severity")
        ranks = [order.index(text) for text in cells(places, "Severity")]
        assert ranks == sorted(ranks, reverse=direction == "descending")
        seen.add(ranks[0])
    assert len(seen) == 2


def test_text_filters(places: Locator) -> None:
    before = status(places)[2]
    turn(places, "next")
    code = cells(places, "Rule")[0].split()[0]
    places.locator("input[type=search]").fill(code.lower())
    places.locator("[data-status]", has_text="filtered").wait_for()
    assert status(places)[0] == 1
    assert 0 < status(places)[2] < before
    assert all(code in text for text in cells(places, "Rule"))
    places.locator("input[type=search]").fill("nothing is called so")
    places.locator("[data-status]", has_text="no rows").wait_for()
    assert places.locator("tbody tr").count() == 0
    assert places.locator("button[data-page=next]").is_disabled()
    places.locator("input[type=search]").fill("")
    places.locator("tbody tr").nth(ROWS - 1).wait_for()
    assert status(places)[2] == before


def test_severity_filters(places: Locator) -> None:
    before = status(places)[2]
    boxes = places.locator("input[name=severity]")
    assert boxes.count() == 4
    sums = 0
    for value in ("error", "warning", "info", "hint"):
        for box in boxes.all():
            box.set_checked(box.get_attribute("value") == value)
        assert set(cells(places, "Severity")) == {value}
        sums += status(places)[2]
    assert sums == before


def test_a_filter_and_an_order_hold_together(places: Locator) -> None:
    places.locator("input[name=severity][value=error]").uncheck()
    sort(places, "Line")
    turn(places, "last")
    assert "error" not in cells(places, "Severity")


def test_the_table_has_all_rows_of_the_data(shared: SharedPages) -> None:
    page = open_folds(shared("large"))
    rows = page.evaluate("() => JSON.parse(document.getElementById('data').textContent).places.rows.length")
    assert status(page.locator("[data-table=places]"))[2] == rows


def test_the_share_of_listed_places_is_shown(shared: SharedPages) -> None:
    page = open_folds(shared("large"))
    assert re.search(r"of [\d,]+", page.locator("#places").inner_text())


def test_a_table_of_one_page_has_no_page_buttons(shared: SharedPages) -> None:
    places = open_folds(shared("example")).locator("[data-table=places]")
    assert 0 < status(places)[2] <= ROWS
    assert not places.locator("button[data-page=next]").is_visible()
