"""`build` and `audit` agree: what `build` leaves out, `audit` does not ask to list, and what it lists, `audit` accepts.

A property of every name with every content, in a directory and over HTTP.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.hosting.folders import write
from tests.loopback import served

from urlset.model.audit import AuditResult
from urlset.options import AuditOptions, BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import HtmlFolder
from urlset.pipeline.audit import audit
from urlset.pipeline.build import build

BASE = "https://www.example.com"

NAMES = (
    "a.html", "index.html", "error/index.html", "not-found.html", "404.html", "404/index.html", "x/404.html/index.html",
    "500.html", "200.html", "null/index.html", "jekyll-admin-release.html", "_header.html", "_drafts/a.html",
    "partials/nav.html", "node_modules/a.html", "google1234567890abcdef.html", "godaddy.html", "index.json",
)  # fmt: skip

CONTENTS = {
    "page": "<title>{name}</title><p>{words}",
    "short page": "<title>{name}</title><p>A few words on {name}",
    "no title": "<p>{words}",
    "error title": "<title>Page not found</title><p>{words}",
    "short error": "<title>404</title><p>Go home from {name}",
    "noindex": "<title>{name}</title><meta name=robots content=noindex><p>{words}",
    "canonical elsewhere": "<title>{name}</title><link rel=canonical href='{base}/'><p>{words}",
    "redirect": "<title>{name}</title><meta http-equiv=refresh content='0; url={base}/'><p>{words}",
    "slow refresh": "<title>{name}</title><meta http-equiv=refresh content='30; url={base}/'><p>{words}",
    "redirect by script": "<title>{name}</title><script>location.replace('{base}/')</script><p>Moved",
    "reload at once": "<title>{name}</title><meta http-equiv=refresh content=0><p>One moment",
    "noindex in the body": "<title>{name}</title><p>{words}<meta name=robots content=noindex>",
    "reload": "<title>{name}</title><meta http-equiv=refresh content=60><p>{words}",
    "expired": "<title>{name}</title><meta name=robots content='unavailable_after: 2001-01-01'><p>{words}",
    "template": "<title>{{{{ page.title }}}}</title><p>{words}",
    "pictures": "<title>{name}</title><img src=/a.png>",
    "feed": "<rss version='2.0'><channel><title>{name}</title></channel></rss>",
    "sitemap": "<?xml version='1.0'?><urlset></urlset>",
    "json": '{{"name": "{name}"}}',
    "calendar": "BEGIN:VCALENDAR\nSUMMARY:{name}\nEND:VCALENDAR",
    "login of a CMS": "<title>Content</title><script src=/decap-cms.js></script>",
    "nothing": "",
}

FAMILIES = ("PGE", "LNK003", "LNK011", "LOC", "DUP")
OTHERWISE = ("PGE011", "PGE019", "PGE022", "LOC021", "LOC024", "LOC026", "DUP002")
"""Rules on what pages should say, on a server on loopback, and on names that only look odd."""


def files(base: str, *, linked: bool) -> dict[str, str]:
    """Return a site of all names with all contents, and a home page that links to all or to none of them."""
    made = {}
    for number, content in enumerate(CONTENTS.values()):
        for name in NAMES:
            path = f"{number}/{name}"
            words = " ".join(f"{word} of {path.replace('/', ' ')}" for word in ("oak", "ash", "elm", "fir") * 30)
            made[path] = content.format(name=path, base=base, words=words)
    urls = [f"{base}/{path.removesuffix('index.html')}" for path in made] if linked else []
    links = "".join(f'<a href="{url}">x</a>' for url in urls)
    made["index.html"] = f"<title>Home</title><link rel=canonical href='{base}/'><p>Home page of the trees {links}"
    made["404.html"] = "<title>Oh</title><p>Nothing here"
    return made


def built(folder: Path, base: str) -> None:
    site = Site(base_url=f"{base}/", out=str(folder), sources=(HtmlFolder(folder=folder),), lastmod_from=())
    report, _ = build(BuildSpec(sites=(site,)), BuildOptions())
    [result] = report.sites
    assert report.written > len(NAMES)
    pages = sum(not path.endswith(".json") for path in files(base, linked=False))
    assert report.written + sum(result.left_out.values()) == pages, result.left_out


def complaints(result: AuditResult) -> Iterator[tuple[str, str]]:
    for finding in result.report.findings:
        if finding.rule.severity.value in ("error", "warning"):
            yield from ((finding.rule.code, example.message) for example in finding.examples)


def options(store: Path, **given: Any) -> AuditOptions:
    usual = {"select": FAMILIES, "ignore": OTHERWISE, "score": False, "cache": False, "discover": True, "expand": True}
    return AuditOptions(store=store, max_examples=1_000, retries=0, **{**usual, **given})


@pytest.mark.parametrize("linked", [True, False])
def test_in_a_directory(tmp_path: Path, linked: bool) -> None:
    folder = write(tmp_path / "dist", files(BASE, linked=linked))
    built(folder, BASE)
    result = audit([str(folder)], options(tmp_path / "s.duckdb", base_url=BASE))
    assert sorted(complaints(result)) == []


def test_over_http(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    folder.mkdir()

    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

    with served(Files) as origin:
        write(folder, files(origin, linked=True))
        built(folder, origin)
        result = audit([f"{origin}/sitemap.xml"], options(tmp_path / "s.duckdb", crawl=True, links=True))
    assert sorted(complaints(result)) == []
