"""The JSON of every command, and every JSON Schema, held to goldens.

`URLSET_UPDATE_GOLDENS=1 pytest --long tests/report/test_json_goldens.py` writes them. The inputs are `PAGES`, a site on
the loopback network, and `FILES`.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from jsonschema import Draft202012Validator
from tests.access_logs.lines import BING, OTHER_ADDRESS, PERSON, combined
from tests.coverage.google_api import BING_KEY, GoogleApi, key_of_account
from tests.coverage.google_api import serving as serving_google
from tests.indexnow.search_engine import SearchEngine
from tests.indexnow.search_engine import serving as serving_endpoint
from tests.shared_database import copy_store

import urlset
from urlset.cli.main import main
from urlset.fetch.cache import Cache, CacheEntry
from urlset.files.user_folders import cache_folder
from urlset.report import formats, json_schema
from urlset.report.formats import renderer
from urlset.store.file import Store

from .conftest import GOLDEN

Golden = Callable[[str, Iterable[str] | str], None]

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HEAD = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {XMLNS} xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
)
NOW = "2025-06-01T12:00:00Z"
FEW = tuple(part for code in ("LOC", "MOD", "HRL", "ROB", "PGE") for part in ("--select", code))
"""A few rules of each kind."""

LOCAL = ("--no-config", "--no-cache", "--retries", "0", "--rate", "10000")
KEY = "0f3c8a1e5b7d4962"
WIDTH = 120

CLOSED = "http://127.0.0.1:9"
"""A port at which nothing is served."""


def sitemap(*entries: str) -> str:
    return HEAD + "".join(f"<url>{entry}</url>\n" for entry in entries) + "</urlset>\n"


PAGES: Mapping[str, tuple[int, str]] = {
    "/robots.txt": (
        200,
        "User-agent: *\nDisallow: /closed/\nAllow: /\nContent-Signal: search=yes, ai-train=no\n"
        "Content-Usage: train-ai=n\nCrawl-delay: 0\n\nUser-agent: GPTBot\nDisalow: /\n\n"
        "License: {site}/license.xml\nSitemap: {site}/sitemap.xml\n"
        f"Sitemap: /relative.xml\nIndexNow-Key: {KEY}\n",
    ),
    "/license.xml": (
        200,
        '<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search</permits>'
        '<prohibits type="usage">ai-train</prohibits><payment type="attribution"/></license></content></rsl>',
    ),
    "/sitemap.xml": (
        200,
        f"<sitemapindex {XMLNS}>\n<sitemap><loc>{{site}}/pages.xml</loc><lastmod>2025-01-02</lastmod></sitemap>\n"
        "<sitemap><loc>{site}/missing.xml</loc></sitemap>\n</sitemapindex>\n",
    ),
    "/pages.xml": (
        200,
        sitemap(
            "<loc>{site}/</loc><lastmod>2025-01-02</lastmod><priority>7</priority>"
            "<image:image><image:loc>{site}/a.png</image:loc></image:image>",
            "<loc>{site}/good</loc><lastmod>2025-01-02T03:04:05</lastmod>",
            "<loc>{site}/hidden</loc>",
            "<loc>{site}/old</loc>",
            "<loc>{site}/gone</loc>",
            "<loc>{site}/copy</loc>",
            "<loc>{site}/closed/a</loc>",
            '<loc>{site}/en</loc><xhtml:link rel="alternate" hreflang="fr" href="{site}/fr"/>',
            '<loc>{site}/fr</loc><xhtml:link rel="alternate" hreflang="en" href="{site}/en"/>',
        ),
    ),
    "/": (
        200,
        '<!doctype html><html lang=en><title>Home</title><link rel=alternate hreflang=en href="/en">'
        '<p>Welcome to the home page of a small shop. <a href="/good">Good</a> <a href="/unlisted">Unlisted</a> '
        '<a href="/lost">Lost</a> <a href="/old">Old</a> <a href="/en">English</a>',
    ),
    "/good": (
        200,
        '<!doctype html><html lang=en><title>Good</title><p>Good. <a href="/">Home</a> <a href="/copy">c</a>',
    ),
    "/unlisted": (200, "<!doctype html><title>Unlisted</title><p>Unlisted."),
    "/hidden": (200, "<!doctype html><meta name=robots content=noindex><title>Hidden</title><p>Hidden."),
    "/old": (301, "/older"),
    "/older": (302, "/good"),
    "/copy": (200, '<!doctype html><title>Good</title><link rel=canonical href="/good"><p>Good.'),
    "/en": (
        200,
        '<!doctype html><html lang=en><title>E</title><link rel=alternate hreflang=de href="/de"><p>English words.',
    ),
    "/fr": (200, "<!doctype html><html lang=fr><title>F</title><p>Des mots."),
    f"/{KEY}.txt": (200, KEY),
    "/llms.txt": (200, "# Shop\n\n> A shop.\n\n- [Good]({site}/good): a page\n"),
}
"""The site: statuses, and contents or the addresses of redirects."""

FILES: Mapping[str, str] = {
    "index.xml": f"<sitemapindex {XMLNS}>\n<sitemap><loc>https://example.com/one.xml</loc></sitemap>\n</sitemapindex>\n",
    "one.xml": sitemap(
        "<loc>https://example.com/</loc><lastmod>2025-01-02</lastmod><changefreq>daily</changefreq>"
        "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>",
        "<loc>https://example.com/a b</loc><lastmod>2024/01/05</lastmod>",
        "<loc>/relative</loc><lastmod>2025-01-02T03:04:05</lastmod><priority>7</priority>",
        '<loc>https://example.com/?a&b</loc><xhtml:link rel="alternate" hreflang="xx-yy" href="https://example.com/x"/>',
    ),
    "before.xml": sitemap(
        *(f"<loc>https://example.com/{name}</loc>" for name in ("same", "gone", "moved/")),
        *(
            f"<loc>https://example.com/{name}</loc><lastmod>2025-01-02</lastmod>"
            for name in ("later", "earlier", "loses")
        ),
    ),
    "after.xml": sitemap(
        *(f"<loc>https://example.com/{name}</loc>" for name in ("same", "loses", "moved", "new")),
        "<loc>https://example.com/later</loc><lastmod>2025-01-03</lastmod>",
        "<loc>https://example.com/earlier</loc><lastmod>2025-01-01</lastmod><priority>7</priority>",
    ),
    "cut.xml": sitemap("<loc>https://example.com/</loc>")[:-20],
    "robots.txt": PAGES["/robots.txt"][1].replace("{site}", "https://example.com"),
    "list.csv": "loc,lastmod\n/c,2024-11-14\n/bad,2025-99-99\n/c,2024-11-14\n",
    "public/index.html": '<title>Home</title><p>Home <a href="/blog/a.html">A</a> <a href="/lost.html">Lost</a>',
    "public/blog/a.html": '<title>A</title><meta property="article:modified_time" content="2025-02-03"><p>A',
    "public/hidden.html": "<meta name=robots content=noindex><title>Hidden</title><p>Hidden",
    "public/robots.txt": "User-agent: *\nDisallow: /private\n",
    "ranges/googlebot.json": '{"prefixes": [{"ipv4Prefix": "66.249.66.0/24"}]}',
    "settings.toml": 'ignore = ["LOC001"]\n[severity]\nMOD002 = "error"\n',
    "bing.key": BING_KEY,
    f"{KEY}.txt": KEY,
}


@dataclass
class World:
    """A folder with the inputs, and the servers.

    Attributes:
        folder: The folder, in which commands run.
        site: The site, a server of `tests/check/site.py`.
        google: The API of Search Console and of Bing.
        endpoint: An IndexNow endpoint, and a site with a key file.
        credentials: A key of a service account.
    """

    folder: Path
    site: Any
    google: GoogleApi
    endpoint: SearchEngine
    credentials: Path

    def run(self, *arguments: str | Path, form: str = "json") -> str:
        """Run a command with `--format`, and return its standard output."""
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            main([*map(str, arguments), "--format", form])
        assert out.getvalue(), err.getvalue()
        return out.getvalue()

    def fill(self, changed: Mapping[str, str] = {}) -> str:
        """Fill the site, with the contents of these pages changed, and return its origin."""
        self.site.clear()
        kinds = {".xml": "application/xml", ".txt": "text/plain; charset=utf-8"}
        for path, (status, content) in PAGES.items():
            headers = {"Content_Type": kinds.get(Path(path).suffix, "text/html; charset=utf-8")}
            if 300 <= status < 400:
                self.site.put(path, "", status, Location=content)
            else:
                self.site.put(path, changed.get(path, content), status, **headers)
        return str(self.site.url)

    @cached_property
    def audited(self) -> Path:
        """A store with two audits of the site, between which it changed."""
        store = self.folder / "audited.duckdb"
        later = PAGES["/pages.xml"][1].replace("2025-01-02<", "2025-01-05<")
        for changed in ({}, {"/good": "<!doctype html><title>Good</title><p>Better.", "/pages.xml": later}):
            self.run("audit", self.fill(changed), "--store", store, "--now", NOW, "--no-score", *CHOSEN, *LOCAL)
        return store

    @cached_property
    def listed(self) -> Path:
        """A store with a run on a sitemap of example.com, whose pages were not fetched."""
        store = self.folder / "listed.duckdb"
        self.run(
            "audit",
            "after.xml",
            "--no-pages",
            "--no-score",
            "--store",
            store,
            "--now",
            NOW,
            "--select",
            "LOC001",
            "--no-config",
        )
        return store

    def copy(self, store: Path, name: str) -> Path:
        return copy_store(store, self.folder / name)


Make = Callable[[World], str]
OUTPUTS: dict[tuple[str, str, str], Make] = {}
"""What makes an output, by command, format, and what is special about it. Special ones run in the long form."""


def output(command: str, form: str = "json", special: str = "") -> Callable[[Make], Make]:
    def add(make: Make) -> Make:
        OUTPUTS[command, form, special] = make
        return make

    return add


def shortened(text: str, *path: str | int) -> str:
    """Return JSON with only the first items of a list, which has one for each crawler or place that urlset knows."""
    value = json.loads(text)
    part = value
    for step in path:
        part = part[step]
    del part[3:]
    return json.dumps(value)


@output("validate")
def _validate(world: World) -> str:
    return world.run("validate", "index.xml", "one.xml", "cut.xml", "gone.xml", "--now", NOW, *FEW, "--no-config")


@output("validate", "jsonl")
def _validate_jsonl(world: World) -> str:
    return world.run("validate", "one.xml", "cut.xml", "gone.xml", "--now", NOW, *FEW, "--no-config", form="jsonl")


@output("statistics")
def _statistics(world: World) -> str:
    return world.run(
        "validate", "index.xml", "one.xml", "cut.xml", "gone.xml", "--statistics", "--select", "LOC001", "--no-config"
    )


@output("statistics", "jsonl")
def _statistics_jsonl(world: World) -> str:
    return world.run(
        "validate", "one.xml", "gone.xml", "--statistics", "--select", "LOC001", "--no-config", form="jsonl"
    )


CHOSEN = ("--agents", "Googlebot", "--select", "ROB", "--select", "PGE008", "--select", "LNK", "--select", "FET001")


@output("audit")
def _audit(world: World) -> str:
    return world.run("audit", world.fill(), "--no-store", "--now", NOW, "--links", "--images", *CHOSEN, *LOCAL)


@output("audit", special="clients")
def _audit_clients(world: World) -> str:
    chosen = ("--clients", "1", "--sample", "5", "--select", "PGE008", "--agents", "GPTBot", "--no-store", "--no-score")
    written = world.run("audit", world.fill(), "--now", NOW, *chosen, *LOCAL)
    return shortened(written, "clients", 0, "answers")


@output("audit", special="limits")
def _audit_limits(world: World) -> str:
    origin = world.fill()
    (world.folder / "known.csv").write_text(f"url\n{origin}/good\n{origin}/unlisted\nnothing\n")
    chosen = ("--inventory", "known.csv", "--max-pages", "2", "--max-documents", "1", "--no-score", "--no-store")
    return world.run("audit", origin, "--now", NOW, *chosen, *CHOSEN, *LOCAL)


@output("logs")
def _logs(world: World) -> str:
    lines = [combined(f"/{name}", day=day) for day in (8, 9) for name in ("same", "later", "unlisted", "after.xml")]
    lines += [combined("/same", BING, client=OTHER_ADDRESS, status=503), combined("/new", client=OTHER_ADDRESS)]
    lines += [combined("/new", "ClaudeBot/1.0"), combined("/", PERSON), "garbage\n"]
    (world.folder / "access.log").write_text("".join(lines).replace("/2026:", "/2024:"))
    store = world.copy(world.listed, "logs.duckdb")
    chosen = ("--site", "https://example.com", "--ranges", "ranges", "--store", store, "--no-config")
    return world.run("logs", "access.log", "none.log", *chosen)


@output("deploy-check")
def _deploy_check(world: World) -> str:
    return world.run("deploy-check", "public", world.fill(), *LOCAL)


@output("check")
def _check(world: World) -> str:
    return world.run("check", world.fill(), *LOCAL)


@output("check", special="several")
def _check_several(world: World) -> str:
    origin = world.fill({"/robots.txt": "", "/sitemap.xml": "<html></html>"})
    return world.run("check", origin, CLOSED, *LOCAL)


@output("check --clients")
def _check_clients(world: World) -> str:
    world.google.clear()
    return shortened(world.run("check", f"{world.fill()}/sitemap.xml", "--clients", *LOCAL), "answers")


@output("check --clients", special="readings")
def _check_clients_readings(world: World) -> str:
    chosen, url = console(world), f"{world.fill()}/sitemap.xml"
    world.google.sitemaps = [{"path": url, "lastDownloaded": "2024-11-03T09:30:00.000Z", "errors": "2"}]
    return shortened(world.run("check", url, "--clients", *chosen, *LOCAL), "answers")


@output("inspect")
def _inspect(world: World) -> str:
    return world.run("inspect", "index.xml", "one.xml", "cut.xml", "gone.xml", "--no-config")


@output("inspect", special="site")
def _inspect_site(world: World) -> str:
    return world.run("inspect", world.fill(), "--discover", "--expand", *LOCAL)


@output("diff")
def _diff(world: World) -> str:
    return world.run("diff", "before.xml", "after.xml", "--now", NOW, *FEW, "--no-config")


@output("diff", special="runs")
def _diff_runs(world: World) -> str:
    return world.run("diff", f"{world.audited}@1", f"{world.audited}@2", "--no-config")


@output("diff", special="removed")
def _diff_removed(world: World) -> str:
    origin = world.fill()
    for name, paths in {"earlier.xml": ("good", "old", "gone", "copy"), "later.xml": ("good",)}.items():
        (world.folder / name).write_text(sitemap(*(f"<loc>{origin}/{path}</loc>" for path in paths)))
    return world.run("diff", "earlier.xml", "later.xml", "--ask-removed", "9", "--now", NOW, "--allow-private", *LOCAL)


@output("page")
def _page(world: World) -> str:
    return shortened(world.run("audit", f"{world.fill()}/old", "--no-store", *LOCAL), "robots", "verdicts")


@output("page", special="languages")
def _page_languages(world: World) -> str:
    return shortened(world.run("audit", f"{world.fill()}/en", "--no-store", *LOCAL), "robots", "verdicts")


def requested(world: World, name: str) -> Path:
    """A copy of the store with audits, with requests of a log."""
    store = world.copy(world.audited, name)
    lines = combined("/good") + combined("/good", BING, status=503) + combined("/closed/a")
    (world.folder / "site.log").write_text(lines.replace("/2026:", "/2024:"))
    world.run("logs", "site.log", "--site", world.site.url, "--ranges", "ranges", "--store", store, "--no-config")
    return store


@output("page", special="stored")
def _page_stored(world: World) -> str:
    store = requested(world, "page.duckdb")
    return shortened(world.run("audit", f"{world.fill()}/good", "--store", store, *LOCAL), "robots", "verdicts")


@output("pages")
def _pages(world: World) -> str:
    return world.run("pages", world.audited)


@output("pages", "jsonl")
def _pages_jsonl(world: World) -> str:
    return world.run("pages", world.audited, "--all", form="jsonl")


@output("urls", "jsonl")
def _urls(world: World) -> str:
    return world.run("diff", "before.xml", "after.xml", "--urls", "all", "--no-config", form="jsonl")


@output("lastmod")
def _lastmod(world: World) -> str:
    return world.run("lastmod", world.audited)


@output("redirects", "jsonl")
def _redirects(world: World) -> str:
    origin = world.fill()
    rows = {"/old": "/good", "/good": "/new", "/gone": "", "/lost": "/good", "/copy": "/copy"}
    content = "".join(f"{origin}{old},{origin if new else ''}{new}\n" for old, new in rows.items())
    (world.folder / "map.csv").write_text(f"old,new\n{content}")
    return world.run("diff", "before.xml", "after.xml", "--redirects", "map.csv", *LOCAL, form="jsonl")


@output("discover")
def _discover(world: World) -> str:
    return shortened(world.run("discover", world.fill(), *LOCAL), "origins", 0, "tried")


@output("discover", special="llms")
def _discover_llms(world: World) -> str:
    broken = "Shop\n## Pages\n- text\n- [Good](/good): a page\n- [Lost](/lost)\n"
    return shortened(world.run("discover", world.fill({"/llms.txt": broken}), *LOCAL), "origins", 0, "tried")


@output("robots")
def _robots(world: World) -> str:
    chosen = ("--agents", "Googlebot", "--agents", "GPTBot", "--urls-from", "one.xml", "--no-config")
    return world.run("robots", "robots.txt", "https://example.com/closed/a", "https://example.com/", *chosen)


@output("robots --policy")
def _policy(world: World) -> str:
    agents = ("--agents", "Googlebot", "--agents", "GPTBot", "--agents", "Google-Extended")
    return world.run("robots", world.fill(), "--policy", "--clients", *agents, *LOCAL)


@output("robots --policy", special="requests")
def _policy_requests(world: World) -> str:
    store = requested(world, "policy.duckdb")
    return world.run("robots", world.fill(), "--policy", "--agents", "Googlebot", "--store", store, *LOCAL)


@output("robots --write-policy")
def _write_policy(world: World) -> str:
    stated = ("--set", "policy.training=no", "--set", "policy.ai-agents=no", "--set", "policy.training-token=a-token")
    files = ("robots.txt", "--urls-from", "one.xml", "--write-policy", "--dry-run", *stated, "--no-config")
    return shortened(world.run("robots", *files), "groups")


@output("agents")
def _agents(world: World) -> str:
    return shortened(world.run("robots", "--list-agents", "--no-config"), "agents")


@output("fix")
def _fix(world: World) -> str:
    return world.run("fix", "one.xml", "after.xml", "cut.xml", "gone.xml", "-o", "fixed", "--no-config")


@output("fix", special="differences")
def _fix_differences(world: World) -> str:
    return world.run("fix", "one.xml", "--diff", "--no-config")


BUILD = ("--base-url", "https://example.com", "--no-config")


@output("build")
def _build(world: World) -> str:
    files = ("--robots", "public/robots.txt", "--feed", "feed.xml", "--images", "--part-by", "lastmod:month")
    return world.run("build", "public", "list.csv", "-o", "built", "--dry-run", *files, *BUILD)


@output("build", special="checks")
def _build_checks(world: World) -> str:
    return world.run("build", "public", "-o", "public", "--check", "--links", *BUILD)


@output("build", special="differences")
def _build_differences(world: World) -> str:
    world.run("build", "public", "-o", "again", *BUILD)
    return world.run("build", "public", "list.csv", "-o", "again", "--diff", *BUILD)


@output("build", special="dates")
def _build_dates(world: World) -> str:
    return world.run(
        "build", "public", "-o", "dated", "--explain-lastmod", "https://example.com/blog/a.html",
        "--lastmod-from", "page", *BUILD,
    )  # fmt: skip


@output("build", special="stable")
def _build_stable(world: World) -> str:
    return world.run("build", "public", "list.csv", "-o", "stable", "--layout", "stable", "--dry-run", *BUILD)


@output("notify")
def _notify(world: World) -> str:
    endpoint = world.endpoint
    endpoint.clear()
    endpoint.files = {f"/{KEY}.txt": (200, KEY.encode(), {}), "/1": (200, b"", {})}
    for name, entries in {
        "old.xml": [f"<loc>{endpoint.url}/{number}</loc><lastmod>2025-01-01</lastmod>" for number in range(9)],
        "new.xml": [
            f"<loc>{endpoint.url}/{number}</loc><lastmod>2025-01-0{number - 1}</lastmod>" for number in range(2, 10)
        ],
    }.items():
        (world.folder / name).write_text(sitemap(*entries))
    chosen = (
        "--key-file",
        f"{KEY}.txt",
        "--store",
        world.folder / "ledger.duckdb",
        "--wait-live",
        "0",
        "--allow-private",
    )
    sent = [f"{endpoint.url}/indexnow", f"{endpoint.url}/other"]
    endpoint.plan = {"/indexnow": [429]}
    return world.run(
        "notify", "old.xml", "new.xml", "--endpoint", sent[0], "--endpoint", sent[1], "--all",
        "--set", "notify.max-wait=0", *chosen, *LOCAL,
    )  # fmt: skip


def write_monitored(world: World, *sites: str) -> None:
    options = '[site.options]\nretries = 0\ncache = false\nselect = ["LOC001"]\n'
    text = "".join(f'[[site]]\nurl = "{site}"\n{options}' for site in sites)
    (world.folder / "monitor.toml").write_text(f'store = "{len(sites)}.duckdb"\n{text}')


@output("monitor")
def _monitor(world: World) -> str:
    write_monitored(world, CLOSED)
    return world.run("monitor", "monitor.toml", "--force")


@output("monitor", special="alarms")
def _monitor_alarms(world: World) -> str:
    write_monitored(world, world.fill(), CLOSED)
    world.run("monitor", "monitor.toml", "--force")
    noindex = "<!doctype html><meta name=robots content=noindex><p>No."
    pages = PAGES["/pages.xml"][1].replace("<loc>{site}/old</loc>", "<loc>/relative</loc>")
    world.fill({"/good": noindex, "/en": noindex, "/fr": noindex, "/pages.xml": pages})
    return world.run("monitor", "monitor.toml", "--force")


@output("key")
def _key(world: World) -> str:
    return world.run("notify", "key", "--write", "public", "--no-config")


@output("key new")
def _key_new(world: World) -> str:
    return world.run("key", "new", "signing.key", "--agent", "https://bot.example.com", "--directory", "public")


STATES = {
    "same": "Submitted and indexed",
    "loses": "URL is unknown to Google",
    "moved": "Crawled - currently not indexed",
    "later": "A new state",
}


def console(world: World, *inspected: str) -> tuple[str, ...]:
    """Options for the API of Search Console, which knows these states."""
    world.google.clear()
    usual: dict[str, object] = {"verdict": "NEUTRAL", "lastCrawlTime": "2024-11-01T08:00:00Z"}
    world.google.states = {f"https://example.com/{name}": usual | {"coverageState": STATES[name]} for name in inspected}
    signed_in = ("--property", "sc-domain:example.com", "--credentials", str(world.credentials))
    return (*signed_in, "--api", world.google.url)


def imported(world: World, store: Path) -> str:
    (world.folder / "report.csv").write_text(
        "url,reason,at\nhttps://example.com/same,Soft 404,2024-11-20\n"
        "https://example.com/old,A reason,2024-11-20\nx,y,z\n"
    )
    fields = [part for name in ("url=url", "reason=reason", "last_crawled=at") for part in ("--fields", name)]
    state = ("--state", "not-indexed", "--engine", "google")
    return world.run("coverage", "import", "report.csv", *fields, *state, "--store", store, "--no-config")


def inspected(world: World, store: Path) -> str:
    chosen = console(world, *STATES)
    world.google.quota = 5
    return world.run("coverage", "inspect", *chosen, "--store", store, "--rate", "1000", "--no-config")


@output("coverage import")
def _coverage_import(world: World) -> str:
    return imported(world, world.copy(world.listed, "imported.duckdb"))


@output("coverage inspect")
def _coverage_inspect(world: World) -> str:
    return inspected(world, world.copy(world.listed, "inspected.duckdb"))


@output("coverage diff")
def _coverage_diff(world: World) -> str:
    store = world.copy(world.listed, "compared.duckdb")
    with Store.create(store) as opened:
        for at, state in (("2024-10-20", "indexed"), ("2024-11-20", "not-indexed")):
            opened.connection.execute(
                'INSERT INTO index_states (url, page_hash, engine, source, state, "at") '
                "VALUES ('https://example.com/a', 1, 'google', 'csv', $1, $2)",
                [state, at],
            )
    days = ("--since", "2024-11-01", "--until", "2024-12-01")
    return world.run("coverage", "diff", *days, "--store", store, "--no-config")


@output("coverage impressions")
def _coverage_impressions(world: World) -> str:
    store = world.copy(world.listed, "impressions.duckdb")
    chosen = console(world)
    first, second = "https://example.com/a", "https://example.com/b"
    world.google.impressions = {"2024-11-01": {first: 4, second: 1}, "2024-11-03": {first: 2}}
    world.google.incomplete_from = "2024-11-03"
    clock = SimpleNamespace(now=lambda zone: datetime(2024, 11, 8, 12, tzinfo=zone))
    with patch("urlset.coverage.fetch_impressions.datetime", clock):
        return world.run("coverage", "impressions", *chosen, "--store", store, "--rate", "1000", "--no-config")


@output("coverage")
def _coverage(world: World) -> str:
    store = world.copy(world.listed, "coverage.duckdb")
    imported(world, store)
    inspected(world, store)
    return world.run("coverage", "--store", store, "--no-config")


@output("coverage", special="sections")
def _coverage_sections(world: World) -> str:
    return world.run("coverage", "--store", world.listed, "--by", "section", "--no-config")


@output("coverage --clock")
def _coverage_clock(world: World) -> str:
    store = world.copy(world.listed, "clock.duckdb")
    imported(world, store)
    return world.run("coverage", "--clock", "--store", store, "--no-config")


@output("coverage sitemaps")
def _coverage_sitemaps(world: World) -> str:
    chosen = console(world)
    world.google.sitemaps = [
        {
            "path": "https://example.com/after.xml", "lastSubmitted": "2024-10-20T10:00:00.000Z",
            "lastDownloaded": "2024-11-03T09:30:00.000Z", "isPending": False, "isSitemapsIndex": False,
            "type": "sitemap", "warnings": "1", "errors": "2",
            "contents": [{"type": "web", "submitted": "7", "indexed": "0"}],
        },
        {"path": "https://example.com/new.xml", "isPending": True},
    ]  # fmt: skip
    return world.run("coverage", "sitemaps", *chosen, "--no-config")


@output("rules")
def _rules(world: World) -> str:
    return world.run("rules", "LOC001", "LOC006", "MOD002", "PGE008", "LOG001", "--config", "settings.toml")


@output("config")
def _config(world: World) -> str:
    return world.run("config", "--config", "settings.toml", "--profile", "google")


@output("cache")
def _cache(world: World) -> str:
    cached = Cache(world.folder / "cache")
    cached.store("0" * 64, CacheEntry("https://example.com/", 200, {"etag": '"1"'}, 5, "0" * 64, 5, None), b"12345")
    with pytest.MonkeyPatch.context() as patch:
        # Other tests of this process have stores in the cache that they share.
        patch.setenv("URLSET_CACHE_DIR", str(world.folder / "user"))
        shown = world.run("cache", "info", "--set", f"cache-dir={world.folder / 'cache'}", "--no-config")
        return shown.replace(str(cache_folder()), "user-cache")


@output("history")
def _history(world: World) -> str:
    return world.run("history", world.audited)


QUERY = "SELECT loc, lastmod_at, priority_value, ordinal, line IS NULL AS no_line FROM urls ORDER BY ordinal"


@output("sql")
def _sql(world: World) -> str:
    return world.run("sql", QUERY, "one.xml", "--no-config")


@output("sql", "jsonl")
def _sql_jsonl(world: World) -> str:
    return world.run("sql", QUERY, "one.xml", "--no-config", form="jsonl")


@pytest.fixture(scope="module")
def running(running_site: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("outputs")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8", newline="")
    with serving_google() as google, serving_endpoint() as endpoint:
        credentials = folder / "account.json"
        credentials.write_text(key_of_account(f"{google.url}/token"))
        credentials.chmod(0o600)
        yield World(folder, running_site, google, endpoint, credentials)


@pytest.fixture
def world(running: World, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.chdir(running.folder)
    return running


MASKS = (
    (r'("(?:\w+_)?(?:seconds|ttfb_ms)": )[\d.]+', r"\g<1>1"),
    (r'("seen_on": "|report of )\d{4}-\d\d-\d\d', r"\g<1>2000-01-01"),
    (r'("key": "|public/)[0-9a-f]{32}', rf"\g<1>{KEY}"),
    (r'("keyid": ")[^"]+', r"\g<1>KEY"),
    (r'"BaseHTTP/[^"]+', '"SERVER'),
    (r'"[^"]+/urlset-[0-9a-f]{16}/', '"TEMPORARY/'),
)
MASKS_OF_SERVERS = (
    (r'("(?:wire_|file_)?bytes": |"content-length": ")\d+', r"\g<1>1"),
    (r"\b[0-9a-f]{64}\b", "0" * 64),
)
"""What also differs if the address of a server is in a document, which has another port in each run."""


def masked(text: str, world: World) -> str:
    """Return an output with constants of the same type for what differs from run to run."""
    masks = [*MASKS]
    for server, name in ((world.site, "site"), (world.endpoint, "endpoint"), (world.google, "google")):
        if server.url in text:
            masks = [*MASKS, *MASKS_OF_SERVERS]
        text = text.replace(server.url, f"http://{name}.example")
        text = text.replace(server.url.removeprefix("http://"), f"{name}.example")
    text = text.replace(json.dumps(str(world.folder))[1:-1], "FOLDER").replace(f'"{urlset.__version__}"', '"VERSION"')
    for pattern, constant in masks:
        text = re.sub(pattern, constant, text)
    return re.sub(r'"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00))"', _time, text)


def _time(found: re.Match[str]) -> str:
    """Return the time of an input as it is; those of this run are constant."""
    is_now = abs(datetime.fromisoformat(found[1]) - datetime.now(UTC)) < timedelta(days=2)
    return '"2000-01-01T00:00:00Z"' if is_now else found[0]


def readable(value: object, indent: str = "") -> str:
    """Return JSON in lines that are filled, if what they have fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = f"{indent}  "
    names = [f"{json.dumps(name)}: " for name in value] if isinstance(value, dict) else [""] * len(value)
    parts = value.values() if isinstance(value, dict) else value
    lines = [""]
    for name, part in zip(names, parts, strict=True):
        piece = f"{name}{readable(part, inner)},"
        is_plain = not isinstance(part, dict | list) and len(f"{inner}{lines[-1]} {piece}") <= WIDTH
        if is_plain and lines[-1] and "\n" not in lines[-1]:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return "\n".join((opening, *(inner + each for each in lines[1:]))).removesuffix(",") + f"\n{indent}{closing}"


def schema_name(command: str) -> str | None:
    """Return the name of the schema of the JSON of a command; tables have none."""
    made = getattr(renderer(formats.OUTPUTS[command].formats["json"]), "__self__", None)
    return next((name for name, one in json_schema.outputs().items() if one is made), None)


schema_of = cache(json_schema.schema)


def file_name(*words: str) -> str:
    return "-".join(" ".join(words).replace("--", "").split())


@pytest.mark.parametrize(
    ("command", "form", "special"),
    [pytest.param(*key, marks=[pytest.mark.long("JSON of commands")] if key[2] else []) for key in OUTPUTS],
)
def test_outputs(command: str, form: str, special: str, world: World, golden: Golden) -> None:
    text = masked(OUTPUTS[command, form, special](world), world)
    name = f"json/{file_name(command, special)}.{form}"
    if form == "jsonl":
        golden(name, text)
        return
    value = json.loads(text)
    if schema := schema_name(command):
        Draft202012Validator(schema_of(schema)).validate(value)
    golden(name, readable(value) + "\n")


@pytest.mark.parametrize("name", json_schema.names())
def test_schemas(name: str, golden: Golden) -> None:
    golden(f"schemas/{file_name(name)}.json", json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n")


def test_every_output_and_every_schema_has_a_golden() -> None:
    forms = {
        (command, form)
        for command, output in formats.OUTPUTS.items()
        for form in output.formats
        if form in ("json", "jsonl")
    }
    assert {(command, form) for command, form, _ in OUTPUTS} == forms
    files = {f"{file_name(command, special)}.{form}" for command, form, special in OUTPUTS}
    assert {path.name for path in (GOLDEN / "json").iterdir()} == files
    assert {path.stem for path in (GOLDEN / "schemas").iterdir()} == {*map(file_name, json_schema.names())}
