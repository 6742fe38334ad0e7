"""Servers that refuse or fail are named with their status, and never called without a sitemap."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from urlset.cli.main import main

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{site}/a</loc></url></urlset>'
WITHOUT = ("no sitemap", "has no sitemap", "does not list a sitemap", "SIT001")

PLACES: dict[str, dict[str, str | None]] = {
    "everywhere": {},
    "robots.txt": {"/robots.txt": None},
    "the usual sitemap": {"/sitemap.xml": None},
    "the declared sitemap": {"/robots.txt": "Sitemap: {site}/a/list.xml\n", "/a/list.xml": None},
    "a linked sitemap": {"/": '<link rel="sitemap" href="/a/list.xml">', "/a/list.xml": None},
}
"""What the server has; None for what it refuses. Without anything, it refuses everything."""


def told(site: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> str:
    store = ("--store", str(tmp_path / "s.duckdb")) if command == "audit" else ()
    main([command, site.url, "--no-config", "--retries", "0", *store])
    printed = capsys.readouterr()
    return printed.out + printed.err


# The specification of the check reads no home page.
CASES = [
    (place, command)
    for place in PLACES
    for command in ("discover", "check", "audit")
    if (place, command) != ("a linked sitemap", "check")
]


@pytest.mark.parametrize("status", [403, 503])
@pytest.mark.parametrize(("place", "command"), CASES)
def test_a_refusal_is_named(
    place: str, status: int, command: str, site: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for path, body in PLACES[place].items():
        site.put(path, body or "<html><title>No</title>", 200 if body else status)
    if not PLACES[place]:
        site.otherwise = site.otherwise.__class__(b"", status)
    text = told(site, capsys, tmp_path, command)
    named = (f"{status} {HTTPStatus(status).phrase}", f"HTTP status {status}", f"returns {status}")
    assert any(words in text for words in named), text
    assert not any(words in text for words in WITHOUT), text


@pytest.mark.parametrize("command", ["discover", "check", "audit"])
def test_an_unusual_path_may_be_refused(
    command: str, site: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Firewalls refuse names such as `/sitemap.php`, whether or not there is a sitemap."""
    site.put("/sitemap.php", "", 403)
    text = told(site, capsys, tmp_path, command)
    assert any(words in text for words in (*WITHOUT, "robots.txt does not list a sitemap")), text


@pytest.mark.parametrize("command", ["discover", "check", "audit"])
def test_a_sitemap_elsewhere_counts(
    command: str, site: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    site.put("/sitemap.xml", "", 403)
    site.put("/sitemap_index.xml", SITEMAP)
    text = told(site, capsys, tmp_path, command)
    assert not any(words in text for words in ("whether there is a sitemap", "whether the site has a sitemap")), text
