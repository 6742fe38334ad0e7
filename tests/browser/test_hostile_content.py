"""Hostile content stays text: none of it runs, becomes an element or a misleading link, or is invisible."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from urlset.text.safe import safe

from .conftest import Opening, open_folds
from .hostile_content import MARKUP, TEXTS
from .reports import Reports

HOME = "https://www.example.com"

NAMES = ("hostile", "hostile-store")
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def all_text(page: Page) -> str:
    """Return the text of the page with all details open, after every page of its tables was shown once."""
    text: str = page.evaluate(
        """async () => {
          document.querySelectorAll('details').forEach(one => { one.open = true })
          const texts = []
          for (const table of document.querySelectorAll('[data-table]')) {
            const next = table.querySelector('button[data-page=next]')
            for (;;) {
              texts.push(table.textContent)
              if (next.disabled || next.ariaDisabled === 'true') break
              next.click()
              await new Promise(requestAnimationFrame)
            }
          }
          return [...texts, document.querySelector('main').textContent].join('\\n')
        }"""
    )
    return text


@pytest.mark.parametrize("name", NAMES)
def test_content_stays_text(name: str, reports: Reports, opening: Opening, subtests: pytest.Subtests) -> None:
    page = opening(reports[name])
    text = all_text(page)
    with subtests.test("no element and no script"):
        assert page.locator(".alive").count() == 0
        assert page.locator("main img, main svg[onload], iframe, object, embed").count() == 0
        for written in MARKUP:
            assert safe(written)[:60] in text, written
        assert UNSEEN.search(text) is None
        assert page.evaluate("() => ({}).constructor === Object && !('alive' in window)")
    with subtests.test("links show where they lead"):
        links = page.locator("a[href]:not([href^='#'])").evaluate_all(
            "all => all.map(one => [one.getAttribute('href'), one.rel, one.textContent])"
        )
        assert links
        for href, rel, shown in links:
            assert href.startswith(("https://", "http://"))
            assert "noopener" in rel
            assert safe(href) == href
            # Pages of the site are shown by their paths.
            whole = f"{HOME}{shown}" if shown.startswith("/") else shown
            assert href.startswith(whole.partition("…")[0].rstrip()), (href, shown)


@pytest.mark.parametrize("name", NAMES)
def test_filters_take_it_as_text(name: str, reports: Reports, opening: Opening) -> None:
    page = open_folds(opening(reports[name]))
    table = page.locator("[data-table=places]")
    for written in (*MARKUP, "(", "[a-", "\\", "^.*$", "W" * 300):
        table.locator("input[type=search]").fill(written.replace("\u2028", "").replace("\u2029", ""))
        assert re.search(r", filtered from [\d,]+$|of [\d,]+$", table.locator("[data-status]").inner_text())
        assert page.locator(".alive").count() == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_file_itself_has_no_way_out_of_its_data(name: str, reports: Reports) -> None:
    text = reports[name].read_text("utf-8")
    assert UNSEEN.search(text) is None
    assert text.lower().count("<script") == text.lower().count("</script>") == 2
    assert text.count("<!--") == 0
    for written in TEXTS:
        if "<" in written:
            assert written not in text
