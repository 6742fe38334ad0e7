"""The table of verdicts put to Protego, Scrapy's parser: where the two differ is named, with the reason."""

from __future__ import annotations

import tomllib
from pathlib import Path

from protego import Protego

CASES = tomllib.loads((Path(__file__).parent / "cases" / "matching.toml").read_text("utf-8"))["case"]

DIFFERENCES = {
    "a token is compared whole: a longer one is another": "Protego takes a group's token for the beginning of a name",
    "a version in the file is passed over": "Protego compares the version, too; for Google it does not count",
    "the first word of a value is the token": "Protego compares the whole value; Google takes the first word",
    "a star with words behind it is for all": "Protego compares the whole value; Google sees the star",
    "a star with letters behind it is for nobody": "Protego takes any value that begins with a star for all",
    "lines that are no rules do not part the agents of a group": "for Protego a Crawl-delay is a rule",
    "a percent sign that escapes nothing means itself": "Protego leaves it as it is on both sides",
    "robots.txt itself, escaped": "Protego knows no path that is always allowed",
    "the RFC has no such rule: others than Google's crawlers keep to the pattern": (
        "Protego takes an index page for its folder for every crawler"
    ),
    "Applebot heeds the group of Googlebot, but is not Google's": (
        "Protego takes an index page for its folder for every crawler"
    ),
    "Applebot heeds Googlebot's group when there is none of its own": "Protego knows no crawlers by name",
}
"""Cases in which Protego answers otherwise, and why."""


def absolute(url: str) -> str:
    if "://" in url:
        return url
    return f"https:{url}" if url.startswith("//") else f"https://example.com{url}"


def test_protego_differs_where_it_is_known_to() -> None:
    differing = set()
    for case in CASES:
        other = Protego.parse(case["robots"])
        agent = case.get("agent", "ExampleBot")
        for key in ("allowed", "forbidden"):
            if any(other.can_fetch(absolute(url), agent) != (key == "allowed") for url in case.get(key, ())):
                differing.add(case["about"])
    assert differing == DIFFERENCES.keys()
