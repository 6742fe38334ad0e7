"""The URL at which a directory is published: what its sources say, which one counts, and which ones differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table
from tests.hosting.folders import opened, page, urlset, write
from tests.hosting.test_audit import codes, options

from urlset.hosting.base_url import UNKNOWN_BASE, clean
from urlset.pipeline.audit import audit
from urlset.store.file import Store

ORG = "https://www.example.org/"


def files(at: str, *, canonical: bool = True, **more: str) -> dict[str, str | bytes]:
    """Return a site of two pages, whose sitemap and canonical links begin with `at`."""
    return {
        "index.html": page(at if canonical else None, links=["a.html"]),
        "a.html": page(f"{at}a.html" if canonical else None, links=["./"], text="a"),
        "sitemap.xml": urlset(at, f"{at}a.html"),
        **more,
    }


GITHUB = {".nojekyll": "", "CNAME": "www.example.org\n"}
ELSEWHERE = "https://www.chairs.org/"

# What a directory holds, the base URL that is given, the one that counts, and the faults: each its kind and a part of
# what is said about it.
SITES: dict[str, tuple[Mapping[str, str | bytes], str | None, str, list[tuple[str, str]]]] = {
    "all agree": (files(ORG) | GITHUB, ORG, ORG, []),
    "CNAME alone": (files("/", canonical=False) | GITHUB, None, ORG, []),
    "a typing error in every URL": (
        files("https://www.exmaple.org/") | GITHUB, None, "https://www.exmaple.org/",
        [("host-differs", "www.example.org in CNAME, but https://www.exmaple.org/ in sitemaps and canonical links: "
          "they differ in 1 letter, so one has a typing error")],
    ),
    "a typing error, and only the given URL is right": (
        files("https://www.exmaple.org/"), ORG, "https://www.exmaple.org/", [("host-differs", "in --base-url")],
    ),
    "a subdomain is no typing error": (
        files("https://x.example.org/") | {"robots.txt": "Sitemap: https://example.org/sitemap.xml"}, None,
        "https://x.example.org/",
        [("host-differs", "https://example.org/ in robots.txt, but https://x.example.org/ in sitemaps and canonical "
          "links; correct the Sitemap lines of robots.txt")],
    ),
    "CNAME and the given URL differ in www.": (
        files("https://www.exmaple.org/") | GITHUB, "https://example.org/", "https://www.exmaple.org/",
        [("host-differs", "https://example.org/ in --base-url and CNAME, but")],
    ),
    "another host in CNAME": (
        files(ELSEWHERE) | GITHUB, ELSEWHERE, ELSEWHERE, [("host-differs", "www.example.org in CNAME, but")],
    ),
    "the apex in CNAME, and www everywhere else": (
        files(ELSEWHERE) | {".nojekyll": "", "CNAME": "chairs.org\n"}, ELSEWHERE, ELSEWHERE,
        [("url-differs", "chairs.org in CNAME, but https://www.chairs.org/ in --base-url, sitemaps, and canonical "
          "links; GitHub Pages redirects to the host in CNAME if it publishes a branch; correct CNAME, or the site's")],
    ),
    "www in CNAME, and the apex everywhere else": (
        files("https://example.org/") | GITHUB, None, "https://example.org/",
        [("url-differs", "www.example.org in CNAME, but https://example.org/ in sitemaps and canonical links; GitHub")],
    ),
    "a preview": (
        files(ELSEWHERE), "https://preview.netlify.app/", ELSEWHERE,
        [("url-differs", "preview.netlify.app/ in --base-url")],
    ),
    "CNAME where another host serves the site": (
        files(ELSEWHERE) | {"CNAME": "x.example", "netlify.toml": ""}, None, ELSEWHERE, [],
    ),
    "http against https": (
        files("http://chairs.org/"), "https://chairs.org/", "http://chairs.org/",
        [("url-differs", "https://chairs.org/ in --base-url, but http://chairs.org/ in sitemaps and canonical links")],
    ),
    "www against apex, in robots.txt alone": (
        files(ELSEWHERE) | {"robots.txt": "Sitemap: https://chairs.org/sitemap.xml\n"}, None, ELSEWHERE,
        [("url-differs", "correct the Sitemap lines of robots.txt")],
    ),
    "a placeholder of a theme": (
        files("http://yoursite.com/") | {"hexo.html": '<meta name="generator" content="Hexo 5.4.0"><p>x'},
        None, "http://yoursite.com/", [("placeholder", "set `url` in _config.yml (Hexo)")],
    ),
    "the host of examples, on another site": (
        files("https://example.com/"), ELSEWHERE, "https://example.com/",
        [("placeholder", f"but {ELSEWHERE} in --base-url")],
    ),
    "a private host": (files("https://shop.local/"), None, "https://shop.local/", [("placeholder", "shop.local")]),
    "a private host that is given": (
        files("http://localhost:8000/"), "http://localhost:8000/", "http://localhost:8000/", [],
    ),
    "a stray quote": (
        files(f"{ORG}course/&quot;/", canonical=False), None, f"{ORG}course/",
        [("stray", f'{ORG}course/"/ in sitemaps')],
    ),
    "a stray slash": (files(f"{ORG}/", canonical=False), ORG, ORG, [("stray", f"{ORG} is meant")]),
    "a minority of canonical links": (
        files(ORG) | {f"{name}.html": page(f"https://other.example/{name}") for name in "b"}, ORG, ORG, [],
    ),
    "a child sitemap outside the site": (
        files(f"{ORG}blog/")
        | {"sitemap.xml": f"<loc>{ORG}sitemap-0.xml</loc>", "sitemap-0.xml": f"<loc>{ORG}blog/</loc>"},
        f"{ORG}blog/", f"{ORG}blog/", [("outside", f"{ORG}blog/sitemap-0.xml is meant")],
    ),
    "nothing": ({"index.html": "home"}, None, UNKNOWN_BASE, [("url-unknown", "set the site's URL")]),
    "the source of a Jekyll site": (
        {"index.html": "---\nlayout: default\n---\n{% for p in site.posts %}{% endfor %}"} | GITHUB,
        None, ORG, [("not-built", "index.html")],
    ),
    "a build with the configuration of its generator": (
        files(ORG) | {"_config.yml": "title: t", "_layouts/x.html": "{{ content }}"}, None, ORG, [],
    ),
    "a source with its build": (
        {"index.html": "---\n---\n{{ page.title }}", "a.html": "---\n---\nx", "_site/index.html": page(ORG),
         "_site/a.html": page(ORG)},
        ORG, ORG, [("not-built", "2 of 2 pages read")],
    ),
}  # fmt: skip


@case_table("holds, given, base, faults", SITES)
def test_the_majority_is_the_site_and_what_differs_is_named(
    tmp_path: Path, holds: Mapping[str, str | bytes], given: str | None, base: str, faults: list[tuple[str, str]]
) -> None:
    site = opened(write(tmp_path, holds), given, None)
    assert site.base == base
    assert [fault.problem.value for fault in site.faults] == [problem for problem, _ in faults]
    for fault, (_, words) in zip(site.faults, faults, strict=True):
        assert words in fault.about, fault.about


@case_table("base, meant", {
    f"{ORG}a/%22/": f"{ORG}a/", f'{ORG}a"/': f"{ORG}a/", f"{ORG}'a'/": f"{ORG}a/", f"{ORG}%20/b/": f"{ORG}b/",
    f"{ORG}it's/": f"{ORG}it's/",
}.items())  # fmt: skip
def test_stray_characters_are_removed(base: str, meant: str) -> None:
    assert clean(base) == meant


def _of_pages(base: str) -> list[tuple[str, str]]:
    return [("PGE001", f"{base}gone/"), ("PGE027", f"{base}thin.html")]


# What the sitemap has, and the codes and URLs of what is found, with the pages that are meant.
MEANT: dict[str, tuple[str, dict[str, Any], list[tuple[str, str]]]] = {
    "paths": ("/", {"base_url": f"{ORG}docs/"}, [*_of_pages(f"{ORG}docs/"), ("SIT007", f"{ORG}docs/")]),
    "a stray quote": (f"{ORG}docs/&quot;/", {}, [*_of_pages(f"{ORG}docs/"), ("SIT006", f"{ORG}docs/")]),
    "paths, and nothing else": (
        "/", {}, [*_of_pages(UNKNOWN_BASE), ("SIT007", UNKNOWN_BASE), ("SIT008", UNKNOWN_BASE)],
    ),
}  # fmt: skip


@case_table("at, given, found", MEANT)
def test_pages_that_are_meant_are_checked(
    tmp_path: Path, at: str, given: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    holds = files(at, canonical=False) | {f"{number}.html": page(None, text=f"{number}") for number in range(98)}
    locs = [*(f"{at}{number}.html" for number in range(98)), f"{at}thin.html", f"{at}gone/"]
    holds |= {"thin.html": "<title>x</title><p>Two words", "sitemap.xml": urlset(at, f"{at}a.html", *locs)}
    folder = write(tmp_path / "dist", holds)
    result = audit(
        [str(folder)],
        options(tmp_path / "s.duckdb", select=("SIT", "PGE001", "PGE024", "PGE027", "LNK003", "LNK011"), **given),
    )
    assert codes(result) == found


def test_files_that_are_listed_on_the_other_scheme_are_read(tmp_path: Path) -> None:
    index = "<sitemapindex><sitemap><loc>http://chairs.org/post-sitemap.xml</loc></sitemap></sitemapindex>"
    holds = files("http://chairs.org/") | {
        "sitemap.xml": index, "post-sitemap.xml": urlset("http://chairs.org/", "http://chairs.org/gone/")
    }  # fmt: skip
    folder = write(tmp_path / "dist", holds)
    given = {"base_url": "https://chairs.org/", "select": ("SIT", "ROB006", "PGE001")}
    result = audit([str(folder)], options(tmp_path / "s.duckdb", **given))
    assert codes(result) == [("PGE001", "http://chairs.org/gone/"), ("SIT005", "http://chairs.org/")]


def test_links_to_the_other_scheme_are_followed_to_the_page(tmp_path: Path) -> None:
    holds = files("http://chairs.org/") | {
        "index.html": page("http://chairs.org/", links=["https://chairs.org/a.html", "https://www.chairs.org/gone.html"])
    }  # fmt: skip
    folder = write(tmp_path / "dist", holds)
    result = audit([str(folder)], options(tmp_path / "s.duckdb"))
    assert result.report.unreadable == ()
    assert [one.rule.code for one in result.report.findings if one.rule.code in ("LNK002", "LNK005")] == ["LNK005"]


def test_a_sitemap_that_is_an_error_message_is_the_first_finding_and_the_run_is_kept(tmp_path: Path) -> None:
    holds = files(ORG) | {"sitemap.xml": "Sitemap generation failed: Site URL not set", "robots.txt": "User-agent: *\n"}
    result = audit([str(write(tmp_path / "dist", holds))], options(tmp_path / "s.duckdb"))
    [error] = [one for one in result.report.findings if one.severity == "error"]
    assert error.rule.code == "STR001"
    assert "starting with: Sitemap generation failed: Site URL not set" in error.examples[0].message
    with Store.read(tmp_path / "s.duckdb") as store:
        assert [run.run_id for run in store.runs()] == [result.run_id]


@pytest.mark.parametrize("given", [{}, {"links": True, "external": True}])
def test_the_source_of_a_site_is_one_finding(given: dict[str, Any], tmp_path: Path) -> None:
    holds = {
        "index.html": '---\nlayout: x\n---\n{% for p in site.posts %}<a href="{{ p.url }}">x</a>{% endfor %}',
        "about.html": "---\n---\n<h1>About</h1>",
        "_layouts/x.html": "<html><body>{{ content }}</body></html>",
    }
    result = audit([str(write(tmp_path / "site", holds))], options(tmp_path / "s.duckdb", base_url=ORG, **given))
    [finding] = result.report.findings
    assert finding.examples[0].message.startswith("the source of a Jekyll site; build the site, and audit `_site/` (")


@pytest.mark.parametrize("named", ["", "Sitemap: https://www.example.org/sitemap.xml\n"])
def test_a_template_of_a_sitemap_is_named(tmp_path: Path, named: str) -> None:
    holds = files(ORG) | {
        "sitemap.xml.njk": "---\npermalink: /sitemap.xml\n---",
        "robots.txt": f"User-agent: *\n{named}",
    }
    del holds["sitemap.xml"]
    result = audit([str(write(tmp_path / "dist", holds))], options(tmp_path / "s.duckdb", select=("SIT",)))
    [finding] = result.report.findings
    assert "sitemap.xml.njk is the template of one that was not built" in finding.examples[0].message
    assert result.run_id == 1


# Files that nothing names, and the codes and URLs of what is found, and whether a note says that they were not read.
UNNAMED: dict[str, tuple[dict[str, str], list[tuple[str, str]], bool]] = {
    "a page of its own": ({"b/sitemap.xml": urlset(f"{ORG}b/c")}, [("SIT010", f"{ORG}b/sitemap.xml")], False),
    "text": ({"b/sitemap.txt": f"{ORG}b/c\n"}, [("SIT010", f"{ORG}b/sitemap.txt")], False),
    "a copy": ({"copy/sitemap.xml": urlset(ORG, f"{ORG}a.html")}, [], True),
    "another spelling": ({"old-sitemap.xml": urlset(f"{ORG}a")}, [], True),
    "missing pages": ({"old-sitemap.xml": urlset(f"{ORG}gone/")}, [], True),
    "no sitemap": ({"b/sitemap.xml": "<p>b/c"}, [], True),
    "of two, the one that comes first": (
        {"b/sitemap.xml": urlset(f"{ORG}b/c"), "c-sitemap.xml": urlset(f"{ORG}b/c/")},
        [("SIT010", f"{ORG}b/sitemap.xml")], True,
    ),
}  # fmt: skip


@case_table("holds, found, is_noted", UNNAMED)
def test_sitemaps_that_nothing_names(
    tmp_path: Path, holds: dict[str, str], found: list[tuple[str, str]], is_noted: bool
) -> None:
    folder = write(tmp_path / "dist", files(ORG) | {"b/c/index.html": page(None, text="c")} | holds)
    given = options(tmp_path / "s.duckdb", base_url=ORG, host="github", select=("SIT",))
    result = audit([str(folder)], given)
    assert codes(result) == found
    assert any("like a sitemap was not read" in note for note in result.report.notes) == is_noted
