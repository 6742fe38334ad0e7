"""The report as one file: its sections, its content security policy, and its use without JavaScript."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import Opening, SharedPages, Watched
from .reports import NAMES, Reports, run

SECTIONS = [
    "verdict", "first", "pages", "findings", "places", "coverage", "impressions", "score", "agents", "policy", "logs",
    "documents", "statuses", "redirects", "images", "links", "lastmod", "sections", "hreflang", "inventory", "trend",
    "about",
]  # fmt: skip
"""All sections in the order of what a reader wants to know."""

WITH = {
    "example": {
        "verdict",
        "score",
        "first",
        "pages",
        "findings",
        "places",
        "documents",
        "statuses",
        "redirects",
        "hreflang",
        "agents",
        "policy",
    },
    "several-runs": {"trend"},
    "clean": {"verdict", "lastmod", "sections", "documents", "about"},
    "coverage": {"verdict", "coverage", "impressions", "documents", "about"},
    "logs": {"verdict", "logs", "documents", "about"},
    "scored": {"verdict", "score", "first", "findings", "about"},
    "large": set(SECTIONS)
    - {"pages", "coverage", "impressions", "policy", "score", "images", "links", "logs", "inventory"},
    "hostile": {"verdict", "findings", "places", "documents"},
    "hostile-store": {"verdict", "findings", "places", "documents", "trend", "redirects", "hreflang", "agents"},
}
WITHOUT = {
    "clean": {"first", "findings", "places", "score", "statuses", "agents", "trend"},
    "scored": {"places", "documents", "trend"},
    "example": {"trend", "inventory"},
}
MAX_BYTES = 2_000_000
"""Of the page besides its data."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_page_opens_without_messages_and_has_its_sections_in_order(name: str, shared: SharedPages) -> None:
    page = shared(name)
    there = page.locator("main > section").evaluate_all("all => all.map(one => one.id)")
    assert there == [one for one in SECTIONS if one in there]
    assert WITH[name] <= set(there)
    assert not WITHOUT.get(name, set()) & set(there)
    named = page.locator("nav li li a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert [link.removeprefix("#") for link in named] == [one for one in there if one != "verdict"]
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("h1").count() == 1
    assert page.title()


@pytest.mark.parametrize("name", NAMES)
def test_page_has_no_inline_handlers_and_loads_no_resources(name: str, shared: SharedPages) -> None:
    page = shared(name)
    found: dict[str, Any] = page.evaluate(
        """() => {
          const all = [...document.querySelectorAll('*')]
          const attributes = all.flatMap(one => [...one.attributes].map(other => other.name))
          return {
            attributes: attributes.filter(name => name === 'style' || name === 'srcdoc' || /^on/i.test(name)),
            loading: all.filter(one => one.matches('[src], link, iframe, object, embed, base, form'))
              .map(one => one.outerHTML),
            scripts: [...document.scripts].map(one => one.id || one.type),
            links: [...new Set([...document.links].map(one => one.protocol))].sort(),
          }
        }"""
    )
    assert found["attributes"] == []
    assert found["loading"] == []
    assert found["scripts"] == ["data", ""]
    assert set(found["links"]) <= {"file:", "http:", "https:"}
    # Links to files are those within the page.
    local = page.locator("a[href]").evaluate_all(
        "all => all.filter(one => one.protocol === 'file:').map(one => one.getAttribute('href'))"
    )
    assert [link for link in local if not link.startswith("#")] == []


def test_the_policy_lets_nothing_else_run(reports: Reports, opening: Opening, watched: Watched) -> None:
    page = opening(reports["example"])
    failures: dict[str, str | None] = {}
    page.on("requestfailed", lambda request: failures.update({request.url: request.failure}))
    page.evaluate(
        """() => {
          const script = document.createElement('script')
          script.textContent = 'window.owned = true'
          document.body.append(script)
          const add = markup => document.body.insertAdjacentHTML('beforeend', markup)
          add('<p id=last style="position: fixed" onclick="window.owned = true">')
          document.getElementById('last').click()
          add('<img src="https://example.com/x.png">')
          add('<link rel="stylesheet" href="https://example.com/x.css">')
        }"""
    )
    assert page.evaluate("() => fetch('https://example.com/').catch(error => error.name)") == "TypeError"
    assert page.evaluate("() => window.owned") is None
    assert page.locator("#last").evaluate("one => getComputedStyle(one).position") == "static"
    broken = [message for message in watched.messages if "Content Security Policy" in message]
    assert len(broken) >= 5
    watched.messages.clear()
    # What the policy keeps back is announced all the same.
    page.wait_for_timeout(100)
    assert set(failures.values()) == {"csp"}
    watched.requests[:] = [url for url in watched.requests if url not in failures]


def test_the_policy_stands_before_all_that_it_is_for(reports: Reports) -> None:
    text = reports["example"].read_text("utf-8")
    policy = re.search(r'<meta http-equiv="?Content-Security-Policy"? content="([^"]+)"', text)
    assert policy
    assert policy.start() < text.index("<style") < text.index("<script")
    directives = dict(one.strip().split(" ", 1) for one in policy[1].replace("&#39;", "'").split(";") if one.strip())
    assert directives["default-src"] == "'none'"
    for name in ("script-src", "style-src"):
        assert re.fullmatch(r"('sha256-[A-Za-z0-9+/]{43}='\s*)+", directives[name])


@pytest.mark.parametrize("name", NAMES)
def test_it_is_small_besides_its_data(name: str, reports: Reports) -> None:
    text = reports[name].read_text("utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert data
    assert len(text.encode()) - len(data[1].encode()) < MAX_BYTES


def test_without_script_it_still_says_what_is_wrong(reports: Reports, opening: Opening) -> None:
    page = opening(reports["example"], java_script_enabled=False)
    assert page.locator("#verdict h2").is_visible()
    assert page.locator("[data-number=errors]").is_visible()
    rules = page.locator("#findings details.rule:visible")
    assert rules.count() > 10
    rules.first.locator("summary").click()
    assert rules.first.get_by_text("How to fix").is_visible()
    assert page.locator("#first a.url").first.is_visible()
    page.locator("#agents summary").click()
    assert page.locator("#agents table").is_visible()
    # What would do nothing is not there.
    for control in page.locator("button, input").all():
        assert not control.is_visible()
    assert page.locator("noscript").inner_text()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["several-runs", "large"])
def test_reports_of_a_store_are_identical_in_every_process(name: str, reports: Reports, tmp_path: Path) -> None:
    store, here, other = reports.store(name), tmp_path / "here.html", tmp_path / "other.html"
    run("report", store, "--output", here)
    # Another seed of hashes, and so another order of sets.
    subprocess.run(
        [sys.executable, "-m", "urlset", "report", store, "--output", other], check=True, capture_output=True
    )
    assert here.read_bytes() == other.read_bytes()


def test_a_small_site_gives_a_short_page_that_starts_with_what_to_fix(reports: Reports, opening: Opening) -> None:
    page = opening(reports["several-runs"], viewport={"width": 1440, "height": 900})
    assert page.evaluate("() => document.documentElement.scrollHeight") < 4_500
    for one in ("#verdict h2", "#first > ol > li:nth-child(3)", "#pages h2", "[data-table=pages] tbody tr:first-child"):
        box = page.locator(one).bounding_box()
        assert box
        assert box["y"] + box["height"] < 900, one


def test_a_table_that_is_wider_than_the_screen_says_so(reports: Reports, opening: Opening) -> None:
    for width, overflows in ((1440, False), (390, True)):
        page = opening(reports["logs"], viewport={"width": width, "height": 844})
        page.locator("#logs summary", has_text="What crawlers fetched").click()
        page.locator("#logs summary", has_text="Requests by day as a table").click()
        table = page.locator("#logs .calendars + .values .scroll")
        page.wait_for_function(
            "([one, overflows]) => one.matches('.overflows') === overflows", arg=[table.element_handle(), overflows]
        )
        hint = table.evaluate("one => getComputedStyle(one, '::before').content")
        assert ("Scroll sideways" in hint) is overflows


def test_a_run_is_chosen(reports: Reports, opening: Opening, tmp_path: Path) -> None:
    first = tmp_path / "first.html"
    run("report", reports.store("several-runs"), "--run", "1", "--output", first)
    page = opening(first)
    assert page.locator("#trend").count() == 0
    assert "run 1" in page.locator("header").inner_text()
