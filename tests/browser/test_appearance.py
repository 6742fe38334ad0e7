"""The rendering of reports: light and dark, wide and narrow, in print, and its accessibility (axe-core)."""

from __future__ import annotations

from importlib.resources import files
from itertools import cycle, product
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from .conftest import NARROW, WIDE, Opening, Scheme, SharedPages, open_all
from .reports import NAMES, Reports

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LOOKS: list[tuple[Scheme, ViewportSize]] = [("light", WIDE), ("dark", NARROW), ("light", NARROW), ("dark", WIDE)]
ACCEPTED = {"hostile-store": {"empty-table-header"}}
"""Violations that come from the content: a directory whose name is a space."""


def background(page: Page) -> tuple[int, ...]:
    """The colour of the page behind everything: red, green and blue."""
    colour: list[int] = page.evaluate(
        """() => {
          const canvas = document.createElement('canvas')
          const brush = canvas.getContext('2d')
          brush.fillStyle = getComputedStyle(document.body).backgroundColor
          brush.fillRect(0, 0, 1, 1)
          return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3)
        }"""
    )
    return tuple(colour)


def is_dark(page: Page) -> bool:
    return sum(background(page)) < 3 * 128


def shorten(page: Page, most: int) -> None:
    """Remove all but the first rows of tables, items of lists, and rules: the others have the same structure."""
    page.evaluate(
        """most => document.querySelectorAll('main :is(tbody, ul, ol, svg, :has(> details.rule))')
          .forEach(parent => [...parent.children].filter(one => one.matches('tr, li, rect, details.rule'))
            .slice(most).forEach(one => one.remove()))""",
        most,
    )


def check_with_axe(page: Page, name: str) -> None:
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations'], reporter: 'v2'})")
    violations = [one for one in found["violations"] if one["id"] not in ACCEPTED.get(name, ())]
    assert [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["any"]) for one in violations] == []
    assert len(found["passes"]) > 20


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "scheme", "size"),
    [
        pytest.param(name, *look, id=f"{name}-{look[0]}-{look[1]['width']}")
        for name, look in zip(NAMES, cycle(LOOKS), strict=False)
    ],
)
def test_axe_finds_no_violations(
    name: str, scheme: Scheme, size: ViewportSize, reports: Reports, opening: Opening
) -> None:
    page = opening(reports[name], color_scheme=scheme, viewport=size)
    assert is_dark(page) == (scheme == "dark")
    shorten(page, 2)
    open_all(page)
    check_with_axe(page, name)


@pytest.mark.long("renderings of reports")
@pytest.mark.parametrize(
    ("name", "scheme", "size"),
    [pytest.param(name, *look, id=f"{name}-{look[0]}-{look[1]['width']}") for name, look in product(NAMES, LOOKS)],
)
def test_axe_finds_no_violations_in_any_theme_and_width(
    name: str, scheme: Scheme, size: ViewportSize, reports: Reports, opening: Opening
) -> None:
    page = opening(reports[name], color_scheme=scheme, viewport=size)
    assert is_dark(page) == (scheme == "dark")
    open_all(page, 30)
    check_with_axe(page, name)


def test_axe_finds_violations(opening: Opening, tmp_path: Any) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><title>x</title><p style='color:#ccc;background:#fff'>pale</p><img alt>", "utf-8")
    page = opening(path)
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run(document)")
    assert {"color-contrast", "html-has-lang"} <= {one["id"] for one in found["violations"]}


def wider_elements(page: Page) -> list[str]:
    """Return the elements that make the page scroll horizontally."""
    found: list[str] = page.evaluate(
        """() => {
          const room = document.documentElement.clientWidth
          if (document.documentElement.scrollWidth <= room) return []
          const scrolls = one => one && (['auto', 'scroll', 'hidden'].includes(getComputedStyle(one).overflowX)
            || scrolls(one.parentElement))
          return [...document.body.querySelectorAll('*')]
            .filter(one => one.getBoundingClientRect().right > room + 1 && !scrolls(one.parentElement))
            .map(one => one.outerHTML.slice(0, 200))
        }"""
    )
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_pages_fit_the_width_of_phones(name: str, shared: SharedPages) -> None:
    for width in (360, 320):
        page = shared(name, size={"width": width, "height": 740})
        open_all(page)
        assert wider_elements(page) == [], width
        assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_theme_follows_the_system_until_the_button_is_pressed(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"], color_scheme="light")
    root, button = page.locator("html"), page.locator("button#theme")
    assert (root.get_attribute("data-theme"), is_dark(page)) == ("auto", False)
    page.emulate_media(color_scheme="dark")
    assert is_dark(page)
    page.emulate_media(color_scheme="light")
    for theme, dark in (("light", False), ("dark", True), ("auto", False)):
        button.click()
        assert (root.get_attribute("data-theme"), is_dark(page)) == (theme, dark)
        assert theme in button.inner_text().lower()
    page.emulate_media(color_scheme="dark")
    button.click()
    assert (root.get_attribute("data-theme"), is_dark(page)) == ("light", False)


def check_print(name: str, scheme: Scheme, reports: Reports, opening: Opening) -> None:
    page = opening(reports[name], color_scheme=scheme)
    if scheme == "dark":
        page.locator("button#theme").click(click_count=2)
    page.emulate_media(media="print", color_scheme=scheme)
    assert not is_dark(page)
    # Column headings are buttons, and are printed.
    for control in page.locator("button:not(th button), input, nav, .skip").all():
        assert not control.is_visible()
    # A4 at 96 pixels an inch, without margins: paper does not scroll.
    page.set_viewport_size({"width": 794, "height": 1123})
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    first = page.locator("#findings details.rule").first
    assert first.get_by_text("How to fix").is_visible()
    assert page.pdf().startswith(b"%PDF-")


def test_print_opens_details_and_hides_controls(reports: Reports, opening: Opening) -> None:
    check_print("example", "dark", reports, opening)


@pytest.mark.long("renderings of reports")
@pytest.mark.parametrize("name", ["example", "large"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print_in_both_themes(name: str, scheme: Scheme, reports: Reports, opening: Opening) -> None:
    check_print(name, scheme, reports, opening)


def test_reduced_motion_turns_animations_off(shared: SharedPages) -> None:
    page = shared("example")
    moving: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(one => {
          const style = getComputedStyle(one)
          const lasting = style.transitionDuration.split(', ').some(seconds => parseFloat(seconds) > 0.01)
          return lasting || style.animationName !== 'none' || style.scrollBehavior === 'smooth'
        }).map(one => one.outerHTML.slice(0, 100))"""
    )
    assert moving == []
