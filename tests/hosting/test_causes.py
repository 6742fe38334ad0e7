"""Causes: what a rule names as the cause of a place is that. Repairing it alone ends the finding there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.cases import case_table
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import BASE, options

from urlset.options.publishing import HostName
from urlset.pipeline.audit import audit

ROBOTS = f"User-agent: *\nDisallow:\nSitemap: {BASE}/sitemap.xml\n"
NOINDEX = '<meta name="robots" content="noindex">'


def linking(*links: str, text: str, head: str = "") -> str:
    return page(None, links=links, text=text, head=head)


def listed(*paths: str, more: Mapping[str, str] | None = None) -> str:
    given = {f"{BASE}{path}": xml for path, xml in (more or {}).items()}
    return urlset(*(f"{BASE}{path}" for path in paths), more=given)


def alternates(*paths: str) -> str:
    link = '<xhtml:link xmlns:xhtml="http://www.w3.org/1999/xhtml" rel="alternate"'
    versions = zip(("en", "de"), paths, strict=True)
    return "".join(f'{link} hreflang="{code}" href="{BASE}{path}"/>' for code, path in versions)


def _images(base: str) -> str:
    """Return a sitemap with an image, whose URLs begin with the URL of the site."""
    image = (
        '<image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        f"<image:loc>{base}/a.png</image:loc></image:image>"
    )
    return urlset(f"{base}/", more={f"{base}/": image})


class Case(NamedTuple):
    """A directory with a fault that causes another one.

    Attributes:
        effect: Code of the rule that reports what is caused.
        cause: Code of the rule that reports the cause.
        files: The directory.
        repair: The files that repair the cause.
    """

    effect: str
    cause: str
    files: Mapping[str, str]
    repair: Mapping[str, str]


HOME = linking("/new", text="home")
VERSIONS = {path: alternates("/", "/de") for path in ("/", "/de")}
CANONICAL = page(f"{BASE}/main", text="copy")
INDEX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    f"<sitemap><loc>{BASE}/a.xml</loc></sitemap>\n<sitemap><loc>{BASE}/b.xml</loc></sitemap>\n</sitemapindex>\n"
)
CASES = {
    "a page is listed by a URL that redirects to it": Case(
        "LNK003", "PGE005",
        {"index.html": HOME, "new.html": linking("/", text="new"), "_redirects": "/old /new 301\n",
         "sitemap.xml": listed("/", "/old")},
        {"sitemap.xml": listed("/", "/new")},
    ),
    "a page is listed by a URL that redirects to it in two steps": Case(
        "LNK003", "PGE006",
        {"index.html": HOME, "new.html": linking("/", text="new"), "_redirects": "/a /old 301\n/old /new 301\n",
         "sitemap.xml": listed("/", "/a")},
        {"sitemap.xml": listed("/", "/new")},
    ),
    "a child sitemap is missing": Case(
        "LNK003", "FET001",
        {"index.html": HOME, "new.html": linking("/", text="new"), "b.xml": listed("/"), "sitemap.xml": INDEX},
        {"a.xml": listed("/new")},
    ),
    "a listed page with noindex is linked": Case(
        "LNK007", "PGE008",
        {"index.html": HOME, "new.html": linking("/", text="new", head=NOINDEX), "sitemap.xml": listed("/", "/new")},
        {"new.html": linking("/", text="new")},
    ),
    "a language version is missing": Case(
        "HRL014", "PGE001",
        {"index.html": linking(text="home"), "sitemap.xml": listed("/", "/de", more=VERSIONS)},
        {"de.html": linking("/", text="de")},
    ),
    "a language version has noindex": Case(
        "HRL014", "PGE008",
        {"index.html": linking("/de", text="home"), "de.html": linking("/", text="de", head=NOINDEX),
         "sitemap.xml": listed("/", "/de", more=VERSIONS)},
        {"de.html": linking("/", text="de")},
    ),
    "the canonical page is missing": Case(
        "PGE014", "PGE001",
        {"index.html": linking("/copy", text="home"), "copy.html": CANONICAL,
         "sitemap.xml": listed("/", "/copy", "/main")},
        {"main.html": linking("/", text="main")},
    ),
    "a page is listed twice, with and without index.html": Case(
        "PGE019", "DUP002",
        {"index.html": linking(text="home"), "sitemap.xml": listed("/", "/index.html")},
        {"sitemap.xml": listed("/")},
    ),
    "the URL of the site is set nowhere, also not for images": Case(
        "IMG001", "SIT007",
        {"index.html": linking(text="home"), "sitemap.xml": _images("")},
        {"sitemap.xml": _images(BASE)},
    ),
    "most pages that are not indexable are missing": Case(
        "PGE024", "PGE001",
        {"index.html": linking(text="home"), "sitemap.xml": listed("/", *(f"/gone{number}" for number in range(100)))},
        {"sitemap.xml": listed("/")},
    ),
}  # fmt: skip

APEX = BASE.replace("www.", "")


def _most_pages(base: str) -> dict[str, str]:
    names = [f"p{number}" for number in range(9)]
    pages = {f"{name}.html": page(f"{base}/{name}", text=name) for name in names}
    return {**pages, "c.xml": listed(*(f"/{name}" for name in names)).replace(BASE, base)}


ON_OTHER_NAME = {
    **_most_pages(APEX), "index.html": page(f"{APEX}/", links=[f"{BASE}/copy"], text="home"), "copy.html": CANONICAL,
    "main.html": page(f"{BASE}/main", text="main"), "sitemap.xml": INDEX, "a.xml": listed("/", "/main"),
    "b.xml": listed("/copy"),
}  # fmt: skip
CASES |= {
    f"a sitemap lists the other one of two names of the site: {effect}": Case(
        effect, "SIT005", ON_OTHER_NAME, {**_most_pages(BASE), "index.html": page(f"{BASE}/", links=[f"{BASE}/copy"])}
    )
    for effect in ("PGE005", "PGE014", "PGE036", "LOC007", "IDX009", "LNK006")
}


UNNAMED = {
    "a page that no link reaches": {
        "index.html": linking(text="home"), "fr/a/index.html": linking("/", text="fr"), "sitemap.xml": listed("/"),
        "fr/sitemap.xml": listed("/fr/a"),
    },
    "a linked page, in a sitemap of an index": {
        "index.html": HOME, "new.html": page(f"{BASE}/new", text="new"), "sitemap.xml": listed("/"),
        "b/sitemap-index.xml": INDEX.replace("/b.xml", "/b/sitemap-1.xml"), "b/sitemap-1.xml": listed("/new.html"),
    },
}  # fmt: skip


@case_table("files", UNNAMED)
def test_a_page_of_a_sitemap_that_nothing_names_is_not_in_no_sitemap(files: dict[str, str], tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", {"robots.txt": ROBOTS, **files})
    result = audit([str(folder)], options(tmp_path / "a.duckdb", base_url=BASE, ignore=()))
    codes = {finding.rule.code for finding in result.report.findings}
    assert "SIT010" in codes
    assert codes.isdisjoint({"LNK003", "LNK011"})
    assert result.links is not None
    assert (result.links.unlisted, result.links.crawled) == (0, 0)


@case_table("case", CASES)
def test_repairing_the_cause_ends_the_finding(case: Case, tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", {"robots.txt": ROBOTS, **case.files})
    before = _effects(folder, case, tmp_path / "before.duckdb")
    write(folder, case.repair)
    after = _effects(folder, case, tmp_path / "after.duckdb")
    assert {*before.values()} == {case.cause}
    assert before.keys().isdisjoint(after)


def _effects(folder: Path, case: Case, store: Path) -> dict[str | None, str | None]:
    """Return the cause of each place of the effect, by its URL."""
    select = (case.effect, case.cause)
    host = HostName.NETLIFY if "_redirects" in case.files else HostName.GITHUB
    report = audit([str(folder)], options(store, base_url=BASE, host=host, select=select, ignore=())).report
    return {
        example.url: example.cause
        for finding in report.findings
        for example in finding.examples
        if finding.rule.code == case.effect
    }
