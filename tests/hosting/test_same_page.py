"""Spellings of one page, as its host serves them: what is listed, linked, and canonical is compared as pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.cases import case_table
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import BASE, options, rows

from urlset.options.publishing import HostName
from urlset.pipeline.audit import audit

ROBOTS = f"User-agent: *\nDisallow:\nSitemap: {BASE}/sitemap.xml\n"


def linking(*links: str, text: str = "", canonical: str | None = None) -> str:
    return page(canonical and f"{BASE}{canonical}", links=links, text=text)


class Case(NamedTuple):
    """A directory, and what is said of it.

    Attributes:
        listed: The paths in its sitemap.
        files: Its pages.
        found: The findings.
        indexable: Number of listed pages that are indexable.
    """

    host: HostName
    listed: tuple[str, ...]
    files: Mapping[str, str]
    found: tuple[str, ...]
    indexable: int


SPELLED = {
    "index.html": linking("/blog/", "/about", text="home"),
    "blog/index.html": linking("/", text="blog"),
    "about.html": linking("/", text="about"),
}

CASES = {
    "index files listed, folders linked, both served": Case(
            HostName.GITHUB, ("/index.html", "/blog/index.html", "/about.html"), SPELLED,
            (
                "LNK013 /about.html is linked as /about, which is the same page",
                "LNK013 /blog/index.html is linked as /blog/, which is the same page",
                "LNK013 /index.html is linked as /, which is the same page",
            ), 3,
    ),
    "index files listed, folders linked, and the host redirects": Case(
            HostName.CLOUDFLARE, ("/index.html", "/blog/index.html", "/about.html"), SPELLED,
            (
                "PGE005 /about.html redirects to /about (308)",
                "PGE005 /blog/index.html redirects to /blog/ (308)",
                "PGE005 /index.html redirects to / (308)",
            ), 0,
    ),
    "the canonical decides which of two spellings is the page": Case(
            HostName.GITHUB, ("/", "/about.html"),
            {"index.html": linking("/about", text="home"), "about.html": linking("/", canonical="/about.html")},
            (), 2,
    ),
    "the canonical redirects back to the page": Case(
            HostName.GITHUB, ("/", "/docs"),
            {"index.html": linking("/docs/", text="home"), "docs/index.html": linking("/", canonical="/docs")},
            ("PGE036 /docs/ has the canonical URL /docs, which redirects to it",), 2,
    ),
    "the canonical is the other spelling": Case(
            HostName.GITHUB, ("/", "/about.html"),
            {"index.html": linking("/about", text="home"), "about.html": linking("/", canonical="/about")},
            ("PGE037 /about.html has the canonical URL /about, which is the same page",), 2,
    ),
    "the listed page has a canonical that redirects back": Case(
            HostName.GITHUB, ("/", "/docs/"),
            {"index.html": linking("/docs/", text="home"), "docs/index.html": linking("/", canonical="/docs")},
            ("PGE036 /docs/ has the canonical URL /docs, which redirects to it",), 2,
    ),
    "a page that links to itself in another spelling is an orphan": Case(
            HostName.GITHUB, ("/", "/about.html"),
            {"index.html": linking(text="home"), "about.html": linking("/about", canonical="/about.html")},
            ("LNK002 /about.html: no page links to it",), 2,
    ),
    "two files of almost the same name are two pages": Case(
            HostName.GITHUB, ("/", "/about.html"),
            {
                "index.html": linking("/about.html", "/about/", text="home"),
                "about.html": linking("/", text="about"),
                "about/index.html": linking("/", text="all about us"),
            },
            ("LNK003 /about/ is in no sitemap; linked from 1 page, such as /",), 2,
    ),
    "a page whose listed URL redirects is listed": Case(
            HostName.NETLIFY, ("/", "/old"),
            {
                "index.html": linking("/new", text="home"), "new.html": linking("/", text="new"),
                "_redirects": "/old /new 301\n",
            },
            (
                "LNK003 because of PGE005: /new is in no sitemap; linked from 1 page, such as /",
                "PGE005 /old redirects to /new (301)",
            ), 1,
    ),
    "the canonical has the other scheme, on which nothing is published": Case(
        HostName.GITHUB,
        ("/",),
        {"index.html": page(BASE.replace("https", "http") + "/", text="home")},
        (
            "SIT005 http://www.example.com/ in canonical links, but / in --base-url, robots.txt, and sitemaps; correct "
            "the site's URL in the configuration of its generator",
        ),
        1,
    ),
    "a page is listed with a line break in its URL": Case(
        HostName.GITHUB,
        ("/", "/ab\nout.html"),
        {"index.html": linking("/about.html", text="home"), "about.html": linking("/", text="about")},
        ("LOC005 loc contains whitespace: /ab\nout.html",),
        1,
    ),
    "a page that the host replaces with the home page is a copy, and no orphan": Case(
            HostName.CLOUDFLARE, ("/", "/about", "/gone"),
            {
                "index.html": linking("/about", text="home with a few more words"),
                "about.html": linking("/", text="about"),
            },
            ("PGE019 /gone has the same text as /",), 2,
    ),
    "a missing page is missing in every spelling": Case(
            HostName.GITHUB, ("/", "/gone/"),
            {"index.html": linking("/gone", "/gone.html", text="home")},
            (
                "LNK005 / links to /gone, which returns 404",
                "LNK005 / links to /gone.html, which returns 404",
                "PGE001 /gone/ returns 404",
            ), 1,
    ),
}  # fmt: skip


@case_table("case", CASES)
def test_what_is_one_page(case: Case, tmp_path: Path) -> None:
    sitemap = urlset(*(f"{BASE}{path}" for path in case.listed))
    folder = write(tmp_path / "dist", {**case.files, "sitemap.xml": sitemap, "robots.txt": ROBOTS})
    result = audit(
        [str(folder)],
        options(tmp_path / "s.duckdb", base_url=BASE, host=case.host, preview=False, ignore=("LNK006", "PGE011")),
    )
    found = [
        f"{finding.rule.code}{f' because of {example.cause}:' if example.cause else ''} "
        f"{example.message.replace(BASE, '')}"
        for finding in result.report.findings
        for example in finding.examples
    ]
    assert tuple(sorted(found)) == case.found
    assert result.pages is not None
    assert result.pages.good.part == case.indexable


def test_each_page_is_one_row_of_linked_per_url(tmp_path: Path) -> None:
    sitemap = urlset(f"{BASE}/index.html", f"{BASE}/about.html")
    folder = write(tmp_path / "dist", {**SPELLED, "sitemap.xml": sitemap, "robots.txt": ROBOTS})
    store = tmp_path / "s.duckdb"
    audit([str(folder)], options(store, base_url=BASE, host=HostName.GITHUB))
    linked = rows(store, "linked", "url, page = page_hash, is_listed, listed_as, links, clicks")
    assert [(url.removeprefix(BASE), *rest) for url, *rest in linked] == [
        ("/", False, False, f"{BASE}/index.html", 2, 0),
        ("/about", False, False, f"{BASE}/about.html", 1, 1),
        ("/about.html", True, True, f"{BASE}/about.html", 1, 1),
        ("/blog/", True, False, None, 1, 1),
        ("/index.html", True, True, f"{BASE}/index.html", 2, 0),
    ]


def test_pages_that_are_listed_by_paths_alone_are_not_indexable_at_them(tmp_path: Path) -> None:
    """Even after an unlisted page was requested, after which all pages are judged again."""
    files = {
        "index.html": linking("/about.html", "/more.html", text="home"),
        "about.html": linking("/", text="about"),
        "more.html": linking("/", text="more"),
        "sitemap.xml": urlset("/", "/about.html"),
        "robots.txt": ROBOTS,
    }
    result = audit([str(write(tmp_path / "dist", files))], options(tmp_path / "s.duckdb", base_url=BASE))
    assert result.pages is not None
    assert (result.pages.good.part, result.pages.good.whole) == (0, 2)
