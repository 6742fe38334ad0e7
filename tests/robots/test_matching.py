"""Our own table of verdicts: `cases/matching.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

from urlset.errors import UsageError
from urlset.web.robots_txt import Availability, Robots, VerdictReason

CASES = tomllib.loads((Path(__file__).parent / "cases" / "matching.toml").read_text("utf-8"))["case"]


@case_table("case", CASES, ids=lambda case: case["about"])
def test_case(case: dict[str, Any]) -> None:
    assert case.keys() <= {"about", "agent", "robots", "allowed", "forbidden", "line", "reason", "source"}
    assert case.get("allowed", []) + case.get("forbidden", [])
    robots = Robots.parse(case["robots"].encode())
    agent = case.get("agent", "ExampleBot")
    verdicts = {url: robots.verdict(agent, url) for key in ("allowed", "forbidden") for url in case.get(key, ())}
    wrong = {url: verdict for url, verdict in verdicts.items() if verdict.allowed != (url in case.get("allowed", ()))}
    assert wrong == {}
    if "line" in case:
        assert {verdict.line or 0 for verdict in verdicts.values()} == {case["line"]}
    for verdict in verdicts.values():
        by_rule = verdict.reason in (VerdictReason.RULE, VerdictReason.INDEX_PAGE)
        assert by_rule == (verdict.line is not None) == (verdict.pattern is not None)
    if "reason" in case:
        assert {verdict.reason.value for verdict in verdicts.values()} == {case["reason"]}


@pytest.mark.parametrize(
    ("status", "availability"),
    [
        (200, Availability.READ),
        (206, Availability.READ),
        (301, Availability.UNAVAILABLE),
        (400, Availability.UNAVAILABLE),
        (401, Availability.UNAVAILABLE),
        (403, Availability.UNAVAILABLE),
        (404, Availability.UNAVAILABLE),
        (410, Availability.UNAVAILABLE),
        (429, Availability.UNREACHABLE),
        (500, Availability.UNREACHABLE),
        (503, Availability.UNREACHABLE),
        (599, Availability.UNREACHABLE),
        (None, Availability.UNREACHABLE),
    ],
)
def test_status(status: int | None, availability: Availability) -> None:
    robots = Robots.of_answer(status, b"User-agent: *\nDisallow: /cellar\n", "https://example.com/robots.txt")
    assert robots.availability is availability
    expected = {
        Availability.READ: (False, True),
        Availability.UNAVAILABLE: (True, True),
        Availability.UNREACHABLE: (False, False),
    }
    asked = (robots.is_allowed("ExampleBot", "/cellar"), robots.is_allowed("ExampleBot", "/attic"))
    assert asked == expected[availability]


def test_empty_response_is_an_empty_file() -> None:
    assert Robots.of_answer(200, None).is_allowed("ExampleBot", "/")


@pytest.mark.parametrize("url", ["", "cellar", "example.com/cellar", "mailto:me", "://x/", "?q", "*"])
def test_invalid_url_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="neither an absolute URL nor a path"):
        Robots.parse(b"").verdict("ExampleBot", url)


def test_covers() -> None:
    robots = Robots.parse(b"", "https://Example.com/robots.txt")
    assert robots.covers("https://example.com/a")
    assert robots.covers("https://EXAMPLE.com:443/a")
    assert not robots.covers("http://example.com/a")
    assert not robots.covers("https://www.example.com/a")
    assert not robots.covers("https://example.com:8443/a")
    assert not robots.covers("/a")
    assert Robots.parse(b"").covers("https://anywhere.example/")
    assert Robots.parse(b"", "public/robots.txt").covers("https://anywhere.example/")
