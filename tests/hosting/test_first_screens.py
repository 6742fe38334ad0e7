"""What the first screen of an audit says of sites with one fault: it is true, and leads to the cause."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import options
from tests.serve.conftest import opened as workbench

from urlset.cli.main import main
from urlset.pipeline.audit import audit
from urlset.pipeline.report_page import page_of_run
from urlset.report.audit import markdown, text
from urlset.report.html.template import render
from urlset.store.file import Store
from urlset.store.page_evidence import page_of_store
from urlset.store.url_facts import url_facts
from urlset.store.url_history import url_in_runs

BASE = "https://www.example.org/"
PROJECT = "https://someone.github.io/docs/"
ROBOTS = f"Sitemap: {BASE}sitemap.xml\n"
NOINDEX = '<meta name="robots" content="noindex">'
REFRESH = '<meta http-equiv="refresh" content="{}; url=/">'


class Case(NamedTuple):
    """A directory, and what is said of it.

    Attributes:
        base: Its base URL.
        files: Its files.
        said: Texts of the screen.
        unsaid: Texts that would mislead.
    """

    base: str
    files: Mapping[str, str]
    said: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()


CASES = {
    "no sitemap": Case(
        BASE,
        {"index.html": page(f"{BASE}", links=["/a"]), "a.html": page(f"{BASE}a", links=["/"])},
        ("Links: read 2 links on 2 pages\n", "makes one: there is no robots.txt"),
        ("of these pages in no sitemap", "linked URLs in no sitemap"),
    ),
    "no sitemap in a part of a host": Case(
        PROJECT,
        {"index.html": page(PROJECT)},
        ("makes one: the directory has none at a usual path; the robots.txt of https://someone.github.io is not in the "
         "directory, and was not checked",),
        ("there is no robots.txt", "were requested"),
    ),
    "pages in no sitemap, and broken links": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE),
         "index.html": page(BASE, links=["/a", "/b", "/gone"]), "a.html": page(None), "b.html": page(None, text="b")},
        ("on 3 pages, 2 of these pages in no sitemap", f"\n  {BASE} links to {BASE}gone, which returns 404\n"),
    ),
    "paths without the host": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset("/", "/a"), "index.html": page(None, links=["/a"]),
         "a.html": page(None, text="a")},
        (f"  {BASE}a  not a valid URL: /a  ", "or the URL of the site in the settings of its generator"),
    ),
    "a stray quotation mark": Case(
        PROJECT,
        {"sitemap.xml": urlset(f"{PROJECT}&quot;/", f"{PROJECT}&quot;/a.html"),
         "index.html": page(None, links=["a.html"]), "a.html": page(None, text="a")},
        (f'  {PROJECT}a.html  not a valid URL: {PROJECT}"/a.html  ',),
    ),
    "all pages on a host with a typing error": Case(
        BASE,
        {"robots.txt": "", "sitemap.xml": urlset("https://www.exampel.org/", "https://www.exampel.org/a"),
         "index.html": page("https://www.exampel.org/", links=["/a"]), "a.html": page("https://www.exampel.org/a")},
        ("All 2 listed pages can be indexed\n  but search engines drop the URLs on the wrong host (SIT004)\n",),
        ("\u2026\n",),
    ),
    "a second sitemap that lists the home page in another spelling": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(f"{BASE}index.html"), "images/sitemap-images.xml": urlset(BASE),
         "index.html": page(BASE)},
        ("The only listed page can be indexed",),
        ("SIT010",),
    ),
    "a canonical that does not exist, which the table of reasons counts": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, f"{BASE}a"), "index.html": page(BASE, links=["/a"]),
         "a.html": page(f"{BASE}b")},
        ("  1 canonical is another URL  ", "error[PGE014]"),
        ("which matters more", "the exit status is 0"),
    ),
    "pages that redirect by themselves, with noindex or late": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, *(f"{BASE}{name}" for name in "abc")),
         "index.html": page(BASE, links=["/a", "/b", "/c"]),
         "a.html": page(None, head=REFRESH.format(0)), "b.html": page(None, head=f"{NOINDEX}{REFRESH.format(0)}"),
         "c.html": page(None, head=REFRESH.format(9), text="c")},
        ("  2 redirects by refresh or script  List the URL that it redirects to instead, and let the server redirect.",
         "server (3 occurrences)\n", "  2 of these 3 pages are counted above\n",
         "error[PGE008]", "  caused by PGE015 (page-meta-refresh): fix that first\n"),
        ("  1 noindex", "which matters more"),
    ),
    "a page that redirects to one with noindex": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, f"{BASE}a", f"{BASE}old"), "_redirects": "/old /a 301\n",
         "index.html": page(BASE, links=["/a"]), "a.html": page(None, head=NOINDEX)},
        ("  1 noindex (PGE008) ", "  1 redirects (PGE005) ", "Found 1 error (2 places)"),
        ("error[PGE008]", "the exit status is 0"),
    ),
    "only warnings about pages that cannot be indexed": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, f"{BASE}a"), "index.html": page(BASE, links=["/a"]),
         "a.html": page(BASE, text="a")},
        ("\nThere are no errors, so the exit status is 0; `--fail-on warning` makes it 1.\n",),
    ),
    "the apex in CNAME, and www everywhere else": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE), "index.html": page(BASE), ".nojekyll": "",
         "CNAME": BASE.removeprefix("https://www.").rstrip("/")},
        ("The only listed page can be indexed\n  but search engines treat the two URLs as different sites, and may "
         "drop the pages of one (SIT005)\n",),
    ),
    "a sitemap on the other host, which nobody asked": Case(
        BASE,
        {"robots.txt": ROBOTS.replace("www.", ""), "sitemap.xml": urlset(BASE), "index.html": page(BASE)},
        ("warning[SIT005]", "host than https://www.example.org/, such as https://example.org/sitemap.xml, is assumed"),
        ("FET018",),
    ),
    "a link to the site with http, whose robots.txt nobody named": Case(
        BASE,
        {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, f"{BASE}a"), "index.html": page(BASE, links=["/a"]),
         "a.html": page(f"{BASE}a", links=[BASE.replace("https", "http")])},
        ("note: 1 URL with another scheme or host than https://www.example.org/, such as http://www.example.org/, ",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_said_is_true(case: Case, tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", case.files)
    audited = audit([str(folder)], options(tmp_path / "urlset.duckdb", base_url=case.base))
    screen = "\n".join(text(audited))
    for said in case.said:
        assert said in screen, screen
    for unsaid in case.unsaid:
        assert unsaid not in screen, screen


def test_no_run_that_fails_is_said_to_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES["only warnings about pages that cannot be indexed"]
    folder = write(tmp_path / "dist", case.files)
    run = ["audit", str(folder), "--base-url", case.base, "--no-store", "--no-config", "--max-warnings", "0"]
    assert main(run) == 1
    assert "the exit status is 0" not in capsys.readouterr().out


def test_models_are_told_the_file_to_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sitemap of a directory is a file: what its URL has may be another version, which `fix` does not write."""
    monkeypatch.chdir(tmp_path)
    entry = "<priority>0.5</priority><lastmod>2026-01-02</lastmod>"
    write(tmp_path / "dist", {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, more={BASE: entry}),
                              "index.html": page(BASE)})  # fmt: skip
    main(["audit", "dist", "--base-url", BASE, "--no-store", "--format", "llm"])
    assert "\nNext: `urlset fix --diff dist/sitemap.xml` shows the edits of this file" in capsys.readouterr().out


def test_every_format_says_what_pages_that_can_be_indexed_lose(tmp_path: Path) -> None:
    case, store = CASES["all pages on a host with a typing error"], tmp_path / "urlset.duckdb"
    audited = audit([str(write(tmp_path / "dist", case.files))], options(store, base_url=case.base))
    said = "All 2 listed pages can be indexed, but search engines drop the URLs on the wrong host (SIT004)"
    assert f"**{said}**" in [*markdown(audited)]
    assert f'<p class="lacking">{said}.</p>' in "\n".join(render(page_of_run(store)))
    with workbench(tmp_path, None, path=store) as bench:
        assert f'<h2 id="why" class="long">{said}</h2>' in bench.page("/runs/1/pages")
        assert f'<a href="/runs/1/pages">{said}.</a>' in bench.page("/")


@pytest.mark.parametrize("path", ["", "a"])
def test_a_page_of_a_directory_is_explained(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, f"{BASE}a"), "index.html": page(BASE, links=["/a"]),
             "a.html": page(f"{BASE}a")}  # fmt: skip
    assert main(["audit", str(write(tmp_path / "dist", files)), f"{BASE}{path}", "--no-store"]) == 0
    assert f"{BASE}{path}\n  Search engines can index this page, and a sitemap lists it." in capsys.readouterr().out


def test_the_view_of_a_page_knows_the_entry_that_means_it(tmp_path: Path) -> None:
    case, path = CASES["paths without the host"], tmp_path / "urlset.duckdb"
    audit([str(write(tmp_path / "dist", case.files))], options(path, base_url=BASE))
    with Store.read(path) as store:
        [facts] = url_facts(store, 1, f"{BASE}a")
        assert [place.line for place in facts.places] == [4]
        assert facts.verdict is not None
        assert (facts.verdict.reason, facts.verdict.value, facts.page["status"]) == ("invalid-url", "/a", 200)
        assert [(run.reason, run.was_checked) for run in url_in_runs(store, f"{BASE}a")] == [("invalid-url", True)]


def test_the_view_of_a_page_counts_links_in_every_spelling_once(tmp_path: Path) -> None:
    files = {
        "robots.txt": ROBOTS, "sitemap.xml": urlset(BASE, f"{BASE}a"),
        "index.html": page(BASE, links=["/a.html", "/b"]),
        "a.html": page(f"{BASE}a", links=["/"]), "b.html": page(None, links=["/a", "/a.html"]),
    }  # fmt: skip
    path = tmp_path / "urlset.duckdb"
    audit([str(write(tmp_path / "dist", files))], options(path, base_url=BASE))
    with Store.read(path) as store:
        links = page_of_store(store, f"{BASE}a", store.runs()[-1]).links
        counted = store.connection.execute("SELECT links, followed FROM linked WHERE url = ?", [f"{BASE}a"]).fetchall()
    assert links is not None
    assert (links.pages, links.followed, links.first) == (2, 2, (BASE, f"{BASE}b"))
    assert counted == [(2, 2)]
