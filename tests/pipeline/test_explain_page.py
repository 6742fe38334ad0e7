"""`urlset audit URL-OF-A-PAGE` explains the page: a verdict, everything that is known, and what is not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.conftest import Outcome
from tests.loopback import served

import urlset
import urlset.api
from urlset.errors import InputError, UsageError
from urlset.model.page_explanation import PageExplanation
from urlset.report.formats import render
from urlset.report.json_schema import schema as schema_of
from urlset.web.indexability import PageReason

Cli = Callable[..., Outcome]

SCHEMA = Draft202012Validator(schema_of("audit page"))
HOSTILE = "\x1b]0;owned\x07\u202e"

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    "<url><loc>{site}/good</loc><lastmod>2026-01-02</lastmod></url><url><loc>{site}/hidden</loc></url>"
    "<url><loc>{site}/old</loc></url><url><loc>{site}/gone</loc></url><url><loc>{site}/members</loc></url>"
    "<url><loc>{site}/copy</loc></url><url><loc>{site}/closed/a</loc></url><url><loc>{site}/not-for-google</loc></url>"
    '<url><loc>{site}/en</loc><xhtml:link rel="alternate" hreflang="fr" href="{site}/fr"/></url>'
    '<url><loc>{site}/fr</loc><xhtml:link rel="alternate" hreflang="en" href="{site}/en"/></url>'
    '<url><loc>{site}/it</loc><xhtml:link rel="alternate" hreflang="en" href="{site}/en"/></url>'
    "<url><loc>{site}/slash/</loc></url></urlset>"
)
ROBOTS = (
    "Sitemap: {site}/sitemap.xml\nUser-agent: *\nDisallow: /closed/\n\n"
    "User-agent: Googlebot\nDisallow: /not-for-google\nDisallow: /closed/\n"
)

PAGES: dict[str, tuple[int, str]] = {
    "/robots.txt": (200, ROBOTS),
    "/sitemap.xml": (200, SITEMAP),
    "/": (200, '<title>Home</title><link rel=alternate hreflang=en href="/en"><p><a href="/good">Good</a>'),
    "/good": (200, "<title>Good</title><p>Good."),
    "/unlisted": (200, "<title>Unlisted</title><p>Unlisted."),
    "/hidden": (200, "<meta name=robots content=noindex><p>Hidden."),
    "/old": (301, "/older"),
    "/older": (302, "/good"),
    "/members": (403, ""),
    "/copy": (200, '<link rel=canonical href="/good"><p>Copy.'),
    "/not-for-google": (200, "<p>Not for Google."),
    "/en": (
        200,
        '<link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=x-default href="/">'
        '<link rel=alternate hreflang=en href="/en"><link rel=alternate hreflang=es href="/es"><p>English.',
    ),
    "/de": (200, "<p>Deutsch."),
    "/hostile": (200, f"<meta name=robots content='noindex {HOSTILE}'><link rel=canonical href='/{HOSTILE}'><p>x"),
    "/slash": (404, ""),
    "/loop": (302, "/loop"),
    "/long": (200, f'<link rel=canonical href="/{"a" * 3_000}"><p>x'),
}

requests: Counter[str] = Counter()


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        requests[self.path] += 1
        status, content = PAGES.get(self.path.partition("?")[0], (404, ""))
        site = f"http://{self.headers['Host']}"
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", content)
            content = ""
        body = content.replace("{site}", site).encode()
        kind = "application/xml" if self.path.endswith(".xml") else "text/plain" if self.path.endswith(".txt") else ""
        self.send_header("Content-Type", kind or "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served(Site) as origin:
        yield origin


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    requests.clear()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explained(url: str, **fields: Any) -> PageExplanation:
    return urlset.api.explain_page(url, retries=0, **fields)


@pytest.fixture(scope="module")
def once(site: str) -> Callable[[str], tuple[PageExplanation, Counter[str]]]:
    """Explains each page of the site once for all tests, without a store, and counts the requests for it."""

    @cache
    def explain(path: str) -> tuple[PageExplanation, Counter[str]]:
        assert not Path("urlset.duckdb").exists()
        requests.clear()
        return explained(site + path), requests.copy()

    return explain


Once = Callable[[str], tuple[PageExplanation, Counter[str]]]


CASES: dict[str, tuple[str | None, bool | None, str]] = {
    # The reason, whether a sitemap lists it, and the verdict or a part of it.
    "/good": (None, True, "Search engines can index this page, and a sitemap lists it."),
    "/unlisted": (None, False, "Search engines can index this page, but no sitemap lists it."),
    "/hidden": (
        "noindex",
        True,
        "Search engines cannot index this page: noindex (meta robots: noindex), although a sitemap lists it.",
    ),
    "/old": ("redirect", True, "redirects ({site}/good), although"),
    "/gone": ("not-found", True, "not found (404), although"),
    "/nothing": ("not-found", False, "not found (404), and no sitemap lists it."),
    "/members": (
        "refused",
        True,
        "Whether search engines can index this page is unknown: refused to this client (403)",
    ),
    "/copy": ("canonical-elsewhere", True, "canonical is another URL ({site}/good)"),
    "/closed/a": ("blocked-by-robots", True, "blocked by robots.txt (line 3: /closed/)"),
    "/not-for-google": (None, True, "can index this page, except those that robots.txt blocks: Googlebot, and"),
}


def test_the_verdict(site: str, once: Once, subtests: pytest.Subtests) -> None:
    for path, (reason, is_listed, verdict) in CASES.items():
        with subtests.test(path):
            page, _ = once(path)
            assert (page.reason, page.is_listed) == (reason, is_listed)
            assert verdict.replace("{site}", site) in page.verdict
            SCHEMA.validate(written := json.loads("".join(render("page", "json", page))))
            assert (written["reason"], written["verdict"]) == (reason, page.verdict)
            assert page.verdict in "\n".join(render("page", "text", page))
            brief = "\n".join(render("page", "llm", page))
            assert f"indexable{f', {reason}' if reason else ''}" in brief
            assert ("; a sitemap lists it" in brief, f"fix: {page.fix}" in brief) == (is_listed, page.fix is not None)
    assert {reason for reason, *_ in CASES.values() if reason is not None} <= set(PageReason)


def test_exit_codes(site: str, cli: Cli) -> None:
    assert cli("audit", f"{site}/good").code == 0
    assert cli("audit", f"{site}/hidden").code == cli("audit", f"{site}/not-for-google").code == 1
    assert cli("audit", f"{site}/hidden", "--fail-on", "never").code == 0
    assert cli("audit", f"{site}/members").code == 3


@pytest.mark.long("slow cases")
def test_only_the_page_is_requested_and_no_url_twice(once: Once, subtests: pytest.Subtests) -> None:
    for path, also in {
        "/good": set(),
        "/old": {"/older", "/good"},
        "/copy": {"/good"},
        "/en": {"/de", "/es", "/fr"},
        "/": {"/en"},
    }.items():
        with subtests.test(path):
            _, requested = once(path)
            assert set(requested.values()) == {1}
            pages = {one for one in requested if one in PAGES or one in also} - {"/robots.txt", "/sitemap.xml", "/"}
            assert pages == ({path} | also) - {"/"}


@pytest.mark.long("slow cases")
def test_places_and_lines(site: str, once: Once) -> None:
    page, _ = once("/good")
    [listing] = page.listings
    assert (listing.document, listing.line, listing.lastmod, page.sitemaps) == (
        f"{site}/sitemap.xml",
        1,
        "2026-01-02",
        1,
    )
    closed, _ = once("/closed/a")
    assert (closed.access["Googlebot"].line, closed.access["GPTBot"].line) == (7, 3)
    asked = explained(f"{site}/closed/a", ask_forbidden=True, agents=("GPTBot",))
    assert asked.access.keys() == {"GPTBot"}
    assert (asked.reason, asked.page["status"]) == ("blocked-by-robots", 404)
    [similar] = explained(f"{site}/slash").similar
    assert similar.url == f"{site}/slash/"
    [target] = once("/old")[0].similar or explained(f"{site}/older").similar
    assert target.url == f"{site}/good"


def test_language_versions_both_ways(site: str, once: Once) -> None:
    page, _ = once("/en")
    versions = {one.url.removeprefix(site): one for one in page.versions}
    assert {path: (one.codes, one.declared_by, one.links_back, one.reason) for path, one in versions.items()} == {
        "/de": (("de",), ("page",), False, None),
        "/": (("x-default",), ("page",), True, None),
        "/es": (("es",), ("page",), False, "not-found"),
        "/fr": (("fr",), ("sitemap",), True, "not-found"),
    }
    assert page.referring == (f"{site}/it",)


def test_what_a_store_knows(site: str, once: Once, cli: Cli, folder: Path) -> None:
    page, _ = once("/good")
    assert page.stored is None
    assert any("there is no store urlset.duckdb" in one for one in page.unknown)
    audit = ("audit", site, "--format", "none", "--retries", "0", "--select", "LOC001", "--no-score")
    assert cli(*audit).code == 0
    stored = explained(f"{site}/hidden").stored
    assert stored is not None
    assert (stored.run_id, stored.was_checked, stored.reason) == (1, True, "noindex")
    assert (stored.links, stored.crawls, stored.reports) == (None, None, None)
    assert cli(*audit, "--links").code == 0
    (folder / "access.log").write_text(
        '66.249.66.1 - - [02/Jan/2026:10:00:00 +0000] "GET /good HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; '
        'Googlebot/2.1; +http://www.google.com/bot.html)"\n'
    )
    cli("logs", "access.log", "--site", site)
    (folder / "states.csv").write_text(f"url,state\n{site}/good,indexed\n")
    assert (
        cli("coverage", "import", "states.csv", "--fields", "url=url", "--state", "indexed", "--engine", "bing").code
        == 0
    )
    page = explained(f"{site}/good")
    assert page.stored is not None
    links = page.stored.links
    assert links is not None
    assert (links.pages, links.clicks, f"{site}/" in links.first) == (1, 1, True)
    assert [(one.agent, one.hits, dict(one.statuses)) for one in page.stored.crawls or ()] == [
        ("Googlebot", 1, {200: 1})
    ]
    assert [one.state for one in page.stored.reports or ()] == ["indexed"]
    SCHEMA.validate(json.loads("".join(render("page", "json", page))))
    text = cli("audit", f"{site}/good").out
    assert "links to it" in text
    assert "Googlebot (unverified): 1 request" in text
    assert "bing on" in text
    assert urlset.api.explain_page(f"{site}/good", no_store=True).stored is None


def test_nothing_is_stored(site: str, folder: Path) -> None:
    explained(f"{site}/good")
    assert list(folder.iterdir()) == []


def test_a_site_that_is_down_is_unknown(cli: Cli) -> None:
    outcome = cli("audit", "http://127.0.0.1:9/page", "--retries", "0", "--format", "json")
    assert outcome.code == 3
    SCHEMA.validate(outcome.json)
    assert (outcome.json["is_indexable"], outcome.json["is_listed"]) == (None, None)
    assert outcome.json["verdict"].endswith("whether a sitemap lists it is unknown.")


SITEMAPS = {
    "cut off": (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{site}/go',
        "was only read in part",
    ),
    "a web page": ("<!doctype html><title>Sitemap</title>", "is not a sitemap but html"),
    "an index of a missing sitemap": (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{site}/x.xml</loc></sitemap>'
        "</sitemapindex>",
        "returned HTTP 404 Not Found",
    ),
}


def test_a_page_may_be_in_a_sitemap_that_cannot_be_read(
    site: str, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for name, (content, reason) in SITEMAPS.items():
        with subtests.test(name):
            monkeypatch.setitem(PAGES, "/sitemap.xml", (200, content))
            page = explained(f"{site}/good")
            assert page.is_listed is None
            assert [one.reason for one in page.unread] == [reason]
            assert page.verdict == "Search engines can index this page; whether a sitemap lists it is unknown."


def test_a_store_that_cannot_be_read_is_said(site: str, cli: Cli, folder: Path) -> None:
    (folder / "urlset.duckdb").write_text("not a store")
    assert any("urlset.duckdb" in one for one in explained(f"{site}/good").unknown)
    (folder / "other.duckdb").write_text("not a store")
    for name in ("other.duckdb", "missing.duckdb"):
        requests.clear()
        assert cli("audit", f"{site}/good", "--store", name).code == 3
        assert not requests
    with pytest.raises(InputError):
        explained(f"{site}/good", store=folder / "other.duckdb")
    (folder / "urlset.toml").write_text('[audit]\nstore = "missing.duckdb"\n')
    outcome = cli("audit", f"{site}/good", "--format", "json")
    assert (outcome.code, any("no store missing.duckdb" in one for one in outcome.json["unknown"])) == (0, True)


def test_text_of_pages_controls_nothing(site: str, cli: Cli) -> None:
    page = explained(f"{site}/hostile")
    forms = ["\n".join(render("page", form, page)) for form in ("text", "json", "llm")]
    for out in (*forms, cli("audit", f"{site}/hostile", "-v").out):
        assert "noindex" in out
        assert all(line.isprintable() for line in out.split("\n"))
    assert max(map(len, cli("audit", f"{site}/long").out.splitlines())) < 300
    page = explained(f"{site}/loop")
    assert page.reason == "redirect-error"
    assert not any("limit" in one for one in page.unknown)


def test_sitemaps_beyond_a_limit_are_counted(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a", "b", "c", "d"]
    index = "".join(f"<sitemap><loc>{{site}}/{name}.xml</loc></sitemap>" for name in names)
    root = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    monkeypatch.setitem(PAGES, "/sitemap.xml", (200, f"{root}{index}</sitemapindex>"))
    monkeypatch.setitem(PAGES, "/a.xml", (200, SITEMAP))
    found = explained(f"{site}/unlisted", max_documents=3)
    assert found.is_listed is None
    assert [(document.target, document.reason) for document in found.unread] == [
        (
            f"{site}/b.xml",
            "was not read, like 2 others that the same document lists: maximum number of documents reached",
        )
    ]


USAGE = {
    "another target": (("{page}", "{site}"), "name it alone or with the directory"),
    "an option for sites": (("{page}", "--sample", "3"), "--sample is for a site; add --site"),
    "the report of a site": (("{page}", "--report", "r.html"), "--report is for a site"),
    "a format for findings": (("{page}", "--format", "sarif"), "use text or json"),
}


def test_what_needs_the_site_is_refused(site: str, cli: Cli, subtests: pytest.Subtests) -> None:
    for name, (arguments, message) in USAGE.items():
        with subtests.test(name):
            outcome = cli("audit", *(one.format(page=f"{site}/good", site=site) for one in arguments))
            assert outcome.code == 2
            assert message in outcome.err
    assert not requests
    for url in ("sitemap.xml", "ftp://example.com/a", ""):
        with pytest.raises(UsageError):
            urlset.api.explain_page(url)


def test_a_page_of_a_built_site_is_explained_without_requests(cli: Cli, tmp_path: Path) -> None:
    base = "https://example.com/"
    names = {"index.html": "", "hidden.html": "<meta name=robots content=noindex>", "sitemap.xml": ""}
    for name, head in names.items():
        (tmp_path / name).write_text(f"<!doctype html><head><title>{name}</title>{head}</head><p>Words of {name}.")
    (tmp_path / "sitemap.xml").write_text(SITEMAP.format(site=base[:-1]).replace("/hidden<", "/hidden.html<"))
    for order in ((str(tmp_path), f"{base}hidden.html"), (f"{base}hidden.html", str(tmp_path))):
        outcome = cli("audit", *order, "--base-url", base, "--no-store", "--format", "json")
        assert (outcome.code, outcome.json["reason"], outcome.json["is_listed"]) == (1, "noindex", True)
        assert "nothing was requested" in " ".join(outcome.json["notes"])
    text = " ".join(f"word{number}" for number in range(60))
    for name in ("index.html", "copy.html"):
        (tmp_path / name).write_text(f"<!doctype html><title>{name}</title><p>{text}")
    (tmp_path / "sitemap.xml").write_text(
        SITEMAP.format(site=base[:-1]).replace("/gone<", "/copy.html<").replace("/old<", "/<")
    )
    store = tmp_path.with_suffix(".duckdb")
    urlset.api.audit([str(tmp_path)], store=store, base_url=base)
    page = urlset.api.explain_page(f"{base}copy.html", directory=tmp_path, base_url=base, store=store)
    assert page.stored is not None
    assert (page.stored.reason, page.stored.was_checked) == ("duplicate", True)
    # The run compared the page with the others, and its text is the same.
    assert (page.reason, page.is_indexable, page.value) == ("duplicate", False, base)
    assert f"cannot index this page: same content as another listed page ({base})" in page.verdict
    assert not any("same content" in one for one in page.unknown)
    (tmp_path / "copy.html").write_text(
        f"<!doctype html><title>copy</title><p>Other <link rel=canonical href='{base}x'><meta name=robots "
        f"content=noindex> {text}"
    )
    page = urlset.api.explain_page(f"{base}copy.html", directory=tmp_path, base_url=base, store=store)
    assert page.reason == "noindex-in-body"
    assert any("as in run 1 of the store" in one for one in page.unknown)
    lines = [line.strip() for line in render("page", "text", page)]
    assert f"canonical: none in the head; in the body, ignored: {base}x" in lines
    assert "noindex: none in the head; in the body, which Google reportedly obeys: meta robots: noindex" in lines
    page = urlset.api.explain_page(base, directory=tmp_path, base_url=base, no_store=True)
    assert (page.is_indexable, page.page["status"]) == (True, 200)
    outcome = cli("audit", str(tmp_path), "https://other.example/a", "--base-url", base)
    assert (outcome.code, f"not below {base}" in outcome.err) == (2, True)
    with pytest.raises(UsageError, match="not below"):
        urlset.api.explain_page("https://other.example/a", directory=tmp_path, base_url=base)
    with pytest.raises(InputError, match="is not a directory with HTML pages"):
        urlset.api.explain_page(f"{base}hidden.html", directory=tmp_path / "none")


@pytest.mark.long("slow cases")
def test_site_audits_the_site_of_the_page(site: str, cli: Cli) -> None:
    options = ("--format", "json", "--no-store", "--retries", "0", "--select", "LOC001", "--no-score")
    outcome = cli("audit", f"{site}/good", "--site", *options)
    assert outcome.json["pages"]["selected"] == 12
    outcome = cli("audit", f"{site}/sitemap.xml", *options)
    assert outcome.json["pages"]["selected"] == 12


def test_validate_says_what_a_web_page_is(site: str, cli: Cli, folder: Path) -> None:
    home = f"{site}/ is a web page; to check the site: `urlset audit {site}`"
    assert f"note: {home}" in cli("validate", f"{site}/").out.splitlines()
    assert urlset.validate(f"{site}/").notes == (home,)
    [note] = urlset.validate(f"{site}/good?a=1&b").notes
    assert note.endswith(f"to check this page: `urlset audit '{site}/good?a=1&b'`")
    (folder / "index.html").write_text("<!doctype html><title>A page</title>")
    assert urlset.validate([folder / "index.html", f"{site}/sitemap.xml"]).notes == ()
