"""The table of verdicts compared with Protego, the parser of Scrapy. Differences are listed with their reasons."""

from __future__ import annotations

import tomllib
from pathlib import Path

from protego import Protego

CASES = tomllib.loads((Path(__file__).parent / "cases" / "matching.toml").read_text("utf-8"))["case"]

DIFFERENCES = {
    "tokens are compared in full: a longer token does not match": "Protego matches the token as a prefix",
    "a version in the file is ignored": "Protego also compares the version, which Google ignores",
    "the first word of a value is the token": "Protego compares the whole value, Google only the first word",
    "a star followed by words is for all": "Protego compares the whole value; Google sees the star",
    "a star followed by letters matches no agent": "Protego treats any value that starts with a star as all agents",
    "lines that are not rules do not separate the agents of a group": "Protego treats Crawl-delay as a rule",
    "a percent sign that is not an escape is literal": "Protego leaves it unchanged on both sides",
    "robots.txt itself, percent-encoded": "Protego has no path that is always allowed",
    "other crawlers match the pattern as written, because the RFC has no such rule": (
        "Protego matches an index page to its folder for every crawler"
    ),
    "Applebot follows the group of Googlebot, but is not a Google crawler": (
        "Protego matches an index page to its folder for every crawler"
    ),
    "AdsBot ignores groups for *": "Protego does not know crawlers by name",
    "AdsBot for phones, with a version, ignores groups for *": "Protego does not know crawlers by name",
    "Google-Safety ignores the file, even a group that names it": "Protego does not know crawlers by name",
    "a fetcher on request of users ignores the file": "Protego does not know crawlers by name",
    "Applebot without a group follows that of Googlebot": "Protego does not know crawlers by name",
}
"""Cases in which Protego differs, and why."""


def absolute(url: str) -> str:
    if "://" in url:
        return url
    return f"https:{url}" if url.startswith("//") else f"https://example.com{url}"


def test_protego_differs_only_where_known() -> None:
    differing = set()
    for case in CASES:
        other = Protego.parse(case["robots"])
        agent = case.get("agent", "ExampleBot")
        for key in ("allowed", "forbidden"):
            if any(other.can_fetch(absolute(url), agent) != (key == "allowed") for url in case.get(key, ())):
                differing.add(case["about"])
    assert differing == DIFFERENCES.keys()
