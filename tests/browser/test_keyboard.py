"""Use of the report by keyboard: the order of focus, its visibility, and the keys of every control."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from .conftest import NARROW, WIDE, Opening, Scheme, SharedPages, open_folds
from .reports import Reports

FOCUSED = """() => {
  const one = document.activeElement
  if (one === document.body) return null
  const style = getComputedStyle(one)
  const box = one.getBoundingClientRect()
  return {
    what: one.outerHTML.slice(0, 120),
    id: one.id,
    text: (one.textContent || one.getAttribute('aria-label') || '').trim().slice(0, 60),
    marked: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none',
    shown: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0,
    named: one.matches('input') ? one.labels.length > 0 : Boolean((one.textContent || '').trim()
      || one.getAttribute('aria-label') || one.getAttribute('aria-labelledby')),
    order: [...document.querySelectorAll('*')].indexOf(one),
    covered: ![1, 3, 5, 7, 9].some(x => [1, 3, 5, 7, 9].some(y => one.contains(
      document.elementFromPoint(box.left + box.width * x / 10, box.top + box.height * y / 10)))),
  }
}"""


def focused(page: Page) -> dict[str, Any] | None:
    found: dict[str, Any] | None = page.evaluate(FOCUSED)
    return found


def check_tab_order(name: str, scheme: Scheme, size: ViewportSize, reports: Reports, opening: Opening) -> None:
    page = opening(reports[name], viewport=size, color_scheme=scheme)
    controls = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')]
          .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled).length"""
    )
    page.keyboard.press("Tab")
    seen: list[dict[str, Any]] = []
    # After the last control the focus leaves the document, or returns to the first one.
    while (now := focused(page)) is not None and len(seen) <= controls + 20:
        if seen and now["order"] == seen[0]["order"]:
            break
        seen.append(now)
        page.keyboard.press("Tab")
    assert [one["what"] for one in seen if not (one["marked"] and one["shown"] and one["named"])] == []
    assert [one["what"] for one in seen if one["covered"]] == []
    orders = [one["order"] for one in seen]
    assert orders == sorted(set(orders))
    assert len(seen) >= controls


@pytest.mark.parametrize(
    ("name", "scheme", "size"), [("example", "dark", NARROW), ("scored", "light", WIDE)], ids=["example", "scored"]
)
def test_tab_reaches_every_control_in_order(
    name: str, scheme: Scheme, size: ViewportSize, reports: Reports, opening: Opening
) -> None:
    check_tab_order(name, scheme, size, reports, opening)


@pytest.mark.long("renderings of reports")
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["example", "scored"])
def test_tab_order_in_every_theme_and_width(
    name: str, scheme: Scheme, size: ViewportSize, reports: Reports, opening: Opening
) -> None:
    check_tab_order(name, scheme, size, reports, opening)


def test_the_first_stop_skips_to_the_verdict(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"])
    page.keyboard.press("Tab")
    now = focused(page)
    assert now is not None
    assert "skip" in str(now["text"]).lower()
    page.keyboard.press("Enter")
    # Whatever comes next stands behind the verdict's beginning.
    page.keyboard.press("Tab")
    assert page.evaluate(
        "() => Boolean(document.querySelector('#verdict').compareDocumentPosition(document.activeElement)"
        " & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY))"
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_keys_open_a_rule_sort_a_table_and_turn_its_pages(key: str, reports: Reports, opening: Opening) -> None:
    page = open_folds(opening(reports["large"]))
    rule = page.locator("#findings details.rule").first
    rule.locator("summary").first.focus()
    page.keyboard.press(key)
    assert rule.evaluate("one => one.open")
    page.keyboard.press(key)
    assert not rule.evaluate("one => one.open")

    table = page.locator("[data-table=places]")
    head = table.locator("th[aria-sort]", has_text="Line")
    before = head.get_attribute("aria-sort")
    head.locator("button").focus()
    page.keyboard.press(key)
    assert head.get_attribute("aria-sort") != before
    # The focus stays where it was, so that another press turns the order around.
    assert head.locator("button").evaluate("one => one === document.activeElement")

    box = table.locator("input[name=severity][value=error]")
    box.focus()
    page.keyboard.press("Space")
    assert not box.is_checked()

    table.locator("button[data-page=next]").focus()
    page.keyboard.press(key)
    assert table.locator("[data-status]").inner_text().startswith("51 ")

    page.locator("button#theme").focus()
    page.keyboard.press(key)
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_a_button_that_has_come_to_its_end_does_not_lose_the_focus(reports: Reports, opening: Opening) -> None:
    page = open_folds(opening(reports["large"]))
    table = page.locator("[data-table=places]")
    table.locator("button[data-page=last]").focus()
    page.keyboard.press("Enter")
    # Whatever lost the focus has lost it once the page is drawn.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("() => document.querySelector('[data-table=places]').contains(document.activeElement)")


def test_links_of_the_navigation_lead_to_their_sections(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"])
    for link in page.locator("nav a:visible").all():
        link.focus()
        page.keyboard.press("Enter")
        target = str(link.get_attribute("href"))
        top = page.locator(target).evaluate("one => one.getBoundingClientRect().top")
        at_end = page.evaluate("() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert -1 <= top < 200 or at_end


def test_a_link_to_a_rule_opens_it(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"])
    link = page.locator("#first a").first
    target = str(link.get_attribute("href"))
    link.focus()
    page.keyboard.press("Enter")
    page.locator(f"{target}[open]").wait_for()


def test_a_link_to_a_folded_section_opens_it(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"])
    table = page.locator("#agents table")
    assert not table.is_visible()
    for _ in range(2):
        page.locator("nav a[href='#agents']").click()
        assert table.is_visible()
        page.locator("#agents summary").click()
        assert not table.is_visible()


def test_everything_is_expanded_and_collapsed_with_a_button(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"])
    button, closed = page.locator("button#expand"), page.locator("main details:not([open])")
    assert closed.count() > 10
    button.click()
    assert (closed.count(), button.inner_text()) == (0, "Collapse all")
    button.click()
    assert (page.locator("main details[open]").count(), button.inner_text()) == (0, "Expand all")


def test_the_navigation_stays_in_view_and_covers_nothing(reports: Reports, opening: Opening) -> None:
    for size in (WIDE, NARROW):
        page = opening(reports["example"], viewport=size)
        group = page.locator("nav a.group", has_text="Site")
        group.click()
        assert group.is_visible()
        box, nav = page.locator("#documents").bounding_box(), page.locator("nav").bounding_box()
        assert box
        assert nav
        assert -1 <= nav["y"] < 40
        assert box["y"] >= (nav["y"] + nav["height"] - 1 if size == NARROW else -1)


def test_status_of_tables_is_announced(shared: SharedPages) -> None:
    page = open_folds(shared("large"))
    for name in ("places", "documents"):
        status = page.locator(f"[data-table={name}] [data-status]")
        assert status.get_attribute("role") == "status" or status.get_attribute("aria-live") == "polite"
