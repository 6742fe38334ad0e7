"""A finding is fixed only if its places were checked again; every comparison says what was not checked, and why."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lxml import html
from tests.cases import case_table

import urlset
from urlset.cli.main import main
from urlset.comparison.unchecked import unchecked_findings
from urlset.model.comparison import State, Unchecked
from urlset.pipeline.report_page import page_of_run
from urlset.report.html.template import render
from urlset.store.file import Store

SITE = "https://example.org"
ROBOTS = f"User-agent: *\nDisallow:{{}}\nSitemap: {SITE}/index.xml\n"
HEADS = {
    "docs/hidden": '<meta name="robots" content="noindex">',
    "docs/copy": f'<link rel="canonical" href="{SITE}/docs/plain.html">',
}
LINKS = {"index": ("docs/plain", "docs/hidden", "docs/copy", "team"), "docs/plain": ("docs/lost",)}
LISTED = ("docs/plain", "docs/hidden", "docs/copy", "docs/gone", "team")
CODES = ("PGE001", "PGE008", "PGE010", "LNK005", "LNK007", "LOC013")


def write_site(folder: Path) -> Path:
    """Write a directory of pages with one finding each of a missing page, a noindex, a canonical, and links."""
    for name in ("index", "docs/plain", "docs/hidden", "docs/copy", "team"):
        links = "".join(f'<a href="/{one}.html">{one}</a>' for one in LINKS.get(name, ()))
        text = " ".join(f"{name}{number}" for number in range(60))
        page = f"<!DOCTYPE html><html lang=en><head><title>{name}</title>{HEADS.get(name, '')}</head><body>"
        path = folder / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{page}<main>{text} {links}</main></body></html>")
    (folder / "robots.txt").write_text(ROBOTS.format(""))
    write_index(folder, "pages", "more")
    write_sitemap(folder, "pages", f"{SITE}/", *(f"{SITE}/{name}.html" for name in LISTED))
    # The default port is redundant.
    write_sitemap(folder, "more", f"{SITE}:443/team.html?more")
    return folder


def write_sitemap(folder: Path, name: str, *urls: str, end: str = "</urlset>") -> None:
    entries = "".join(f"<url><loc>{url}</loc></url>\n" for url in urls)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    (folder / f"{name}.xml").write_text(f'<?xml version="1.0"?>\n<urlset xmlns="{namespace}">\n{entries}{end}')


def write_index(folder: Path, *names: str, end: str = "</sitemapindex>") -> None:
    entries = "".join(f"<sitemap><loc>{SITE}/{name}.xml</loc></sitemap>\n" for name in names)
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    (folder / "index.xml").write_text(f'<?xml version="1.0"?>\n<sitemapindex xmlns="{namespace}">\n{entries}{end}')


def audit(folder: Path, store: Path, **options: Any) -> None:
    given = {"select": CODES, **options}
    urlset.audit(str(folder), base_url=f"{SITE}/", host="github", expand=True, store=str(store), **given)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory, and a store with its first run."""
    folder = tmp_path_factory.mktemp("before")
    audit(write_site(folder / "site"), folder / "runs.duckdb")
    return folder


def after(before: Path, tmp_path: Path, change: Callable[[Path], object], **options: Any) -> Path:
    """Return a store with the first run, and one of the directory after a change."""
    folder = tmp_path / "copy"
    shutil.copytree(before, folder)
    change(folder / "site")
    audit(folder / "site", folder / "runs.duckdb", **options)
    return folder / "runs.duckdb"


def same(_: Path) -> None:
    """Change nothing."""


def disallow(path: str) -> Callable[[Path], object]:
    return lambda site: (site / "robots.txt").write_text(ROBOTS.format(f" {path}"))


def listing(*names: str, end: str = "</urlset>") -> Callable[[Path], object]:
    return lambda site: write_sitemap(site, "pages", *(f"{SITE}/{name}" for name in names), end=end)


def indexing(*names: str, end: str = "</sitemapindex>") -> Callable[[Path], object]:
    return lambda site: write_index(site, *names, end=end)


def with_page(name: str, content: str) -> Callable[[Path], object]:
    return lambda site: (site / name).write_text(content)


def without(name: str) -> Callable[[Path], object]:
    return lambda site: (site / name).unlink()


ALL = dict.fromkeys(CODES, "unchanged")
PAGES_BLOCKED = {
    "PGE001": "robots", "PGE008": "robots", "PGE010": "robots", "LNK007": "robots", "LNK005": "links",
}  # fmt: skip
PAGES_LEFT_OUT = dict.fromkeys(("PGE001", "PGE008", "PGE010"), "page")
PAGES = tuple(PAGES_BLOCKED)
GOOD = "<!DOCTYPE html><html lang=en><head><title>Good</title></head><body>Good, and long enough.</body></html>"


def disallow_and_respell(site: Path) -> None:
    disallow("/docs/gone")(site)
    write_sitemap(site, "pages", *(f"HTTPS://EXAMPLE.org:443/{name}.html" for name in LISTED))


CASES: dict[str, tuple[Callable[[Path], object], dict[str, Any], dict[str, str]]] = {
    "nothing changed": (same, {}, {}),
    # Requested no more, and still listed.
    "robots.txt blocks a directory": (disallow("/docs/"), {}, PAGES_BLOCKED),
    "robots.txt blocks everything": (disallow("/"), {}, PAGES_BLOCKED),
    "a page is blocked, and listed in another spelling of its URL": (
        disallow_and_respell,
        {"select": ("PGE001",)}, {**dict.fromkeys(CODES[1:], "rule"), "PGE001": "robots"},
    ),
    "robots.txt blocks one page": (disallow("/docs/gone"), {}, {"PGE001": "robots"}),
    "robots.txt blocks the page with the link": (
        disallow("/docs/plain"), {}, {"LNK005": "links", "PGE010": "robots"},
    ),
    "a sample": (same, {"sample": 1}, PAGES_LEFT_OUT),
    "a limit": (
        same, {"max_pages": 1}, {**PAGES_LEFT_OUT, "LNK007": "page", "LNK005": "links"},
    ),
    "another selection": (
        same, {"exclude": ("*/docs/*",)}, {**PAGES_LEFT_OUT, "LNK005": "page"},
    ),
    "no pages": (same, {"pages": False}, dict.fromkeys(PAGES, "rule")),
    # Rules that did not run.
    "rules left out": (same, {"select": ("LNK", "LOC")}, dict.fromkeys(("PGE001", "PGE008", "PGE010"), "rule")),
    "rules not selected": (same, {"select": ("LOC",)}, dict.fromkeys(PAGES, "rule")),
    # Removed from sitemaps that were read to their end, or repaired.
    "a missing page is not listed any more": (
        listing("", "docs/plain.html", "docs/hidden.html", "docs/copy.html", "team.html"), {}, {"PGE001": "unlisted"},
    ),
    "a page with noindex is not listed any more": (
        listing("", "docs/plain.html", "docs/copy.html", "docs/gone.html", "team.html"), {}, {"PGE008": "unlisted"},
    ),
    "a missing page is restored": (with_page("docs/gone.html", GOOD), {}, {"PGE001": "fixed"}),
    "a noindex is removed": (with_page("docs/hidden.html", GOOD), {}, {"PGE008": "fixed", "LNK007": "fixed"}),
    "the broken link is removed": (with_page("docs/plain.html", GOOD), {}, {"LNK005": "fixed"}),
    "an index does not list a sitemap any more": (indexing("pages"), {}, {"LOC013": "fixed"}),
    # Not in what could be read.
    "the sitemap is cut": (
        listing("", "docs/plain.html", "docs/hidden.html", "docs/copy.html", end="<url><loc>"), {},
        {"PGE001": "document"},
    ),
    "the sitemap is an error message": (
        lambda site: (site / "more.xml").write_text("Internal error"), {}, {"LOC013": "document"},
    ),
    "the sitemap is lost": (without("more.xml"), {}, {"LOC013": "document"}),
    "the index is cut before the sitemap": (indexing("pages", end="<sitemap>"), {}, {"LOC013": "document"}),
}  # fmt: skip


def states(store: Path) -> dict[str, str]:
    """Return what `diff` says of each rule: its state, or why it was not checked."""
    found: dict[str, str] = {}
    for change in urlset.diff(f"{store}@1", f"{store}@2").findings or ():
        if change.code in CODES and change.before:
            is_unchecked = change.state is State.NOT_CHECKED
            found[change.code] = " ".join(change.unchecked) if is_unchecked else change.state.value
    return found


def reversed_states(store: Path) -> dict[str, str]:
    """Return what `diff` says if the runs are given in reverse."""
    found: dict[str, str] = {}
    for change in urlset.diff(f"{store}@2", f"{store}@1").findings or ():
        if change.code in CODES and change.after:
            is_unchecked = change.state is State.NOT_CHECKED_BEFORE
            found[change.code] = " ".join(change.unchecked_before) if is_unchecked else change.state.value
    return found


@pytest.mark.sampled(8)
@case_table("change, options, expected", CASES)
def test_what_was_not_checked_is_not_fixed(
    before: Path,
    tmp_path: Path,
    change: Callable[[Path], object],
    options: dict[str, Any],
    expected: dict[str, str],
) -> None:
    store = after(before, tmp_path, change, **options)
    assert states(store) == {**ALL, **expected}
    # The other way round, what is fixed or no longer listed is new, and what was no longer checked was not checked
    # before.
    assert reversed_states(store) == {
        code: {"fixed": "new", "unlisted": "new"}.get(why, why)
        for code, why in {**ALL, **expected}.items()
        if why != "rule"
    }
    # `monitor` asks the same of the runs in its store.
    with Store.create(store) as kept:
        found = {code: " ".join(reasons) for (code, _), reasons in unchecked_findings(kept, 1, 2).items()}
    reasons = {*Unchecked}
    assert {code: why for code, why in found.items() if code in CODES} == {
        code: why for code, why in expected.items() if why in reasons
    }


RESPONSES = {
    "a server error": ("status = 503", "response"),
    "a refusal": ("status = 403", "response"),
    "no response": ("status = NULL, error_kind = 'timeout'", "response"),
    "another client error": ("status = 410", "fixed"),
}


@case_table("response, expected", RESPONSES)
def test_a_page_that_does_not_respond_hides_what_it_says(
    before: Path, tmp_path: Path, response: str, expected: str
) -> None:
    store = after(before, tmp_path, with_page("docs/hidden.html", GOOD), select=("PGE008",))
    with duckdb.connect(str(store)) as connection:
        connection.execute(f"UPDATE pages SET {response} WHERE run_id = 2 AND url LIKE '%hidden%'")
    assert states(store)["PGE008"] == expected


def test_a_rule_that_also_reads_links_runs_without_them(tmp_path: Path) -> None:
    site, store = write_site(tmp_path / "site"), tmp_path / "runs.duckdb"
    head = f'<link rel="canonical" href="{SITE}/docs/gone.html">'
    with_page("docs/copy.html", GOOD.replace("<title>", f"{head}<title>"))(site)
    for _ in range(2):
        audit(site, store, select=("PGE014",), links=False)
        with_page("docs/gone.html", GOOD)(site)
    [change] = urlset.diff(f"{store}@1", f"{store}@2").findings or ()
    assert (change.code, change.state, change.before) == ("PGE014", State.FIXED, 1)


def test_of_many_places_as_many_are_not_checked_as_pages_were_not_requested(tmp_path: Path) -> None:
    names = [f"{folder}/{number}.html" for folder in ("a", "b") for number in range(20)]
    site, store = write_site(tmp_path / "site"), tmp_path / "runs.duckdb"
    write_sitemap(site, "pages", *(f"{SITE}/{name}" for name in names))
    audit(site, store, select=("PGE001",))
    disallow("/b/")(site)
    audit(site, store, select=("PGE001",))
    write_sitemap(site, "pages", f"{SITE}/team.html", *(f"{SITE}/{name}" for name in names[20:]))
    audit(site, store, select=("PGE001",))
    for run, state, counts in ((2, State.NOT_CHECKED, (40, 20)), (3, State.SHRUNK, (40, 0))):
        [change] = urlset.diff(f"{store}@1", f"{store}@{run}").findings or ()
        assert (change.state, change.before, change.after) == (state, *counts)
        assert change.unchecked == {Unchecked.ROBOTS: 20}


def test_a_finding_is_fixed_only_if_a_page_that_had_it_is_still_listed(tmp_path: Path) -> None:
    names = [f"a/{number}.html" for number in range(40)]
    site, store = write_site(tmp_path / "site"), tmp_path / "runs.duckdb"
    write_sitemap(site, "pages", *(f"{SITE}/{name}" for name in names))
    audit(site, store, select=("PGE001",), max_examples=10)
    write_sitemap(site, "pages", f"{SITE}/team.html")
    audit(site, store, select=("PGE001",))
    (site / "a").mkdir()
    for name in names[10:]:
        with_page(name, GOOD)(site)
    write_sitemap(site, "pages", *(f"{SITE}:443/{name}" for name in names[10:]))
    audit(site, store, select=("PGE001",))
    for run, state, places in (
        (2, State.UNLISTED, "40 to 0; 40 on pages no longer listed"),
        # The other 30 are listed in another spelling.
        (3, State.FIXED, "40 to 0; 10 on pages no longer listed"),
    ):
        [change] = urlset.diff(f"{store}@1", f"{store}@{run}").findings or ()
        assert (change.state, change.places) == (state, places)


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of a directory, between which robots.txt was changed to block a part of it."""
    folder = tmp_path_factory.mktemp("blocked")
    site, store = write_site(folder / "site"), folder / "runs.duckdb"
    audit(site, store)
    disallow("/docs/")(site)
    audit(site, store)
    return store


FACES: dict[str, tuple[str, ...]] = {
    "text": ("5 no longer checked", "4 places no longer checked: robots.txt blocks the page", "unchecked error"),
    "pr": ("5 findings no longer checked", "Findings that were no longer checked: 5", "robots.txt blocks the page"),
    "llm": ("5 findings no longer checked", "1 no longer checked: a page that linked to it was not read"),
}


@case_table("name, expected", {name: (name, expected) for name, expected in FACES.items()})
def test_every_format_of_diff_counts_them(
    blocked: Path, capsys: pytest.CaptureFixture[str], name: str, expected: tuple[str, ...]
) -> None:
    main(["diff", f"{blocked}@1", f"{blocked}@2", "--color", "never", "--format", name])
    text = capsys.readouterr().out
    assert [one for one in expected if one not in text] == []
    assert "fixed" not in text.lower()
    # In reverse, nothing is new.
    assert main(["diff", f"{blocked}@2", f"{blocked}@1", "--color", "never", "--format", name]) == 0
    text = capsys.readouterr().out
    reverse = [
        one.replace("no longer checked", "not checked before")
        .replace("robots.txt blocks", "robots.txt blocked")
        .replace("linked", "links")
        for one in expected
    ]
    assert [one for one in reverse if one not in text] == []
    assert "finding new" not in text
    assert "findings new" not in text


def test_json_counts_them_by_reason(blocked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["diff", f"{blocked}@1", f"{blocked}@2", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    none = {
        "new": 0, "grown": 0, "unchanged": 1, "shrunk": 0, "fixed": 0, "unlisted": 0, "not_checked": 0,
        "not_checked_before": 0,
    }  # fmt: skip
    assert found["counts"] == {**none, "not_checked": 5}
    assert found["unchecked"] == {"robots": 4, "links": 1}
    main(["diff", f"{blocked}@2", f"{blocked}@1", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert found["counts"] == {**none, "not_checked_before": 5}
    assert (found["unchecked"], found["unchecked_before"]) == ({}, {"robots": 4, "links": 1})


def test_the_report_counts_them(blocked: Path) -> None:
    page = page_of_run(blocked)
    assert page.since is not None
    assert page.since.states == {State.UNCHANGED: 1, State.NOT_CHECKED: 5}
    shown = "".join(map(str, html.document_fromstring("".join(render(page))).itertext()))
    assert "No longer checked: 5 findings" in shown
    assert "1 no longer checked: robots.txt blocks the page" in shown


def test_an_anchor_that_a_script_may_add_is_not_fixed(tmp_path: Path) -> None:
    """The link of the template was reported, until its pages got a script."""
    folder, store = tmp_path / "site", tmp_path / "runs.duckdb"
    folder.mkdir()
    names = ("a", "b", "c")
    write_sitemap(folder, "sitemap", *(f"{SITE}/{name}.html" for name in names))
    for script in ("", "<script src=/app.js></script>"):
        for name in names:
            text = " ".join(f"{name}{number}" for number in range(60))
            (folder / f"{name}.html").write_text(
                f"<!DOCTYPE html><html lang=en><head><title>{name}</title></head><body>"
                f'<a href="#menu">Menu</a><main>{text}</main>{script}</body></html>'
            )
        urlset.audit(str(folder), base_url=f"{SITE}/", host="github", store=str(store), select=("LNK014",))
    [change] = urlset.diff(f"{store}@1", f"{store}@2").findings or ()
    assert (change.code, change.before, change.after, change.state) == ("LNK014", 1, 0, State.NOT_CHECKED)
    assert change.unchecked == {Unchecked.ANCHORS: 1}


@pytest.mark.parametrize(
    ("content", "states"),
    [
        ("garbage", {"ROB001": State.NOT_CHECKED, "STR001": State.NEW}),
        ("<html></html>", {"ROB001": State.NOT_CHECKED, "STR001": State.NEW}),
        # A sitemap that is read says nothing about robots.txt either.
        (f"{SITE}/\n", {"ROB001": State.NOT_CHECKED}),
    ],
)
def test_a_side_that_cannot_be_read_fixes_nothing(tmp_path: Path, content: str, states: dict[str, State]) -> None:
    (site := tmp_path / "site").mkdir()
    (site / "index.html").write_text("<html><head><title>A</title></head><body>a</body></html>")
    write_sitemap(site, "sitemap", f"{SITE}/")
    (other := tmp_path / "other.txt").write_text(content)
    found = urlset.diff(str(site), str(other), select=("ROB001", "STR001")).findings
    assert found is not None
    assert {change.code: change.state for change in found} == states


def test_what_is_said_of_the_site_is_no_sitemap_that_was_not_read(tmp_path: Path) -> None:
    """One side has a finding on the site, which is recorded as a document, and the other a sitemap more."""
    sides = []
    for name, scheme, more in (("a", "http", None), ("b", "https", f"{SITE}/about%zz.html")):
        (side := tmp_path / name).mkdir()
        (side / "index.html").write_text("<html><head><title>A</title></head><body>a</body></html>")
        write_sitemap(side, "sitemap", f"{SITE}/")
        named = [f"Sitemap: {SITE.replace('https', scheme)}/sitemap.xml\n"]
        if more is not None:
            write_sitemap(side, "new", more)
            named.append(f"Sitemap: {SITE}/new.xml\n")
        (side / "robots.txt").write_text("".join(named))
        sides.append(str(side))
    states = {
        (change.code, change.state)
        for before, after in (sides, sides[::-1])
        for change in urlset.diff(before, after, select=("SIT005", "LOC004")).findings or ()
    }
    assert states == {
        ("SIT005", State.FIXED), ("LOC004", State.NEW), ("SIT005", State.NEW), ("LOC004", State.FIXED),
    }  # fmt: skip
