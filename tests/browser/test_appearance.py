"""How pages look: light and dark, wide and narrow, on paper; and whether everybody can use them (axe-core)."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from .conftest import NARROW, WIDE, Opening
from .reports import NAMES, Reports

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LOOKS = [("light", WIDE), ("dark", NARROW), ("light", NARROW), ("dark", WIDE)]
SHOWN = [
    pytest.param(name, scheme, size, id=f"{name}-{scheme}-{size['width']}")
    for name, looks in (
        ("example", 4),
        ("several-runs", 2),
        ("clean", 2),
        ("coverage", 4),
        ("scored", 2),
        ("logs", 4),
        ("large", 2),
        ("hostile", 2),
    )
    for scheme, size in LOOKS[:looks]
]
"""Each kind of page light and dark, wide and narrow; one of them in all four."""


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


def open_all(page: Page, most: int = 10_000) -> None:
    """Opens what can be opened, or the first of it: what follows is made of the same."""
    page.evaluate(
        "most => [...document.querySelectorAll('details')].slice(0, most).forEach(one => { one.open = true })", most
    )


@pytest.mark.parametrize(("name", "scheme", "size"), SHOWN)
def test_everybody_can_use_it(name: str, scheme: str, size: dict[str, int], reports: Reports, opening: Opening) -> None:
    page = opening(reports[name], color_scheme=scheme, viewport=size)
    assert is_dark(page) == (scheme == "dark")
    open_all(page, 30)
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations', 'incomplete'], reporter: 'v2'})"
    )
    assert [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["any"]) for one in found["violations"]] == []
    assert len(found["passes"]) > 20


def test_axe_sees_what_is_wrong(opening: Opening, tmp_path: Any) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><title>x</title><p style='color:#ccc;background:#fff'>pale</p><img alt>", "utf-8")
    page = opening(path)
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run(document)")
    assert {"color-contrast", "html-has-lang"} <= {one["id"] for one in found["violations"]}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [360, 320])
def test_no_page_is_wider_than_a_telephone(name: str, width: int, reports: Reports, opening: Opening) -> None:
    page = opening(reports[name], viewport={"width": width, "height": 740})
    open_all(page)
    widest: list[str] = page.evaluate(
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
    assert widest == []
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


@pytest.mark.parametrize("name", ["example", "large"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_everything_is_open_and_nothing_is_pressed(
    name: str, scheme: Literal["light", "dark"], reports: Reports, opening: Opening
) -> None:
    page = opening(reports[name], color_scheme=scheme)
    if scheme == "dark":
        page.locator("button#theme").click(click_count=2)
    page.emulate_media(media="print", color_scheme=scheme)
    assert not is_dark(page)
    # The heads of columns are buttons, and stay what they say.
    for control in page.locator("button:not(th button), input, nav, .skip").all():
        assert not control.is_visible()
    # A4 at 96 pixels an inch, without margins: paper does not scroll.
    page.set_viewport_size({"width": 794, "height": 1123})
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    first = page.locator("#findings details.rule").first
    assert first.get_by_text("How to fix").is_visible()
    assert page.pdf().startswith(b"%PDF-")


def test_who_wants_no_motion_sees_none(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"], reduced_motion="reduce")
    moving: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(one => {
          const style = getComputedStyle(one)
          const lasting = style.transitionDuration.split(', ').some(seconds => parseFloat(seconds) > 0.01)
          return lasting || style.animationName !== 'none' || style.scrollBehavior === 'smooth'
        }).map(one => one.outerHTML.slice(0, 100))"""
    )
    assert moving == []
