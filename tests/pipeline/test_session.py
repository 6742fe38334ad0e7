"""Sessions: each verb has one fetcher for each kind of trust, one function makes it, and no URL is requested twice."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.coverage.google_api import BING_KEY, key_of_account
from tests.coverage.google_api import serving as serving_google
from tests.loopback import served

from urlset.cli.main import main
from urlset.fetch import replies
from urlset.fetch.fetcher import Fetcher

KEY = "0f3c8a1e5b7d4962"
HEAD = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
)
PAGE = (
    '<!doctype html><title>{path}</title><link rel=canonical href="{site}{path}"><p>{path} has words'
    '<a href="/">home</a><a href="/unlisted">more</a><a href="{other}/elsewhere">other</a><img src="/picture.png">'
)
DIRECT = "--no-config --no-cache --retries 0 --allow-private --rate 1000"


@dataclass
class World:
    """A site, another site, endpoints, and a sink, with what was asked of them.

    Attributes:
        site: The origin of the site.
        other: That of the other site.
        rule: A line of the robots.txt of the site.
        asked: The method and URL of each request, but for a HEAD that was answered with an error, which GET follows.
    """

    folder: Path
    site: str = ""
    other: str = ""
    rule: str = "Allow: /"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def sitemap(self, paths: Sequence[str]) -> str:
        image = f"<image:image><image:loc>{self.site}/picture.png</image:loc></image:image>"
        return HEAD + "".join(f"<url><loc>{self.site}{path}</loc>{image}</url>" for path in paths) + "</urlset>"

    def answer(self, path: str) -> tuple[int, str, str]:
        """The status, the type or place, and the body."""
        site = self.site
        match path:
            case "/robots.txt":
                return (
                    200,
                    "text/plain",
                    f"User-agent: *\n{self.rule}\nSitemap: {site}/index.xml\nIndexNow-Key: {KEY}\n",
                )
            case "/index.xml":
                return 200, "application/xml", (
                    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                    f"<sitemap><loc>{site}/sitemap.xml</loc></sitemap><sitemap><loc>{site}/moved.xml</loc></sitemap>"
                    "</sitemapindex>"
                )  # fmt: skip
            case "/sitemap.xml":
                return 200, "application/xml", self.sitemap(["/", "/a", "/b", "/old"])
            case "/moved.xml":
                return 301, f"{site}/sitemap.xml", ""
            case "/before.xml":
                return 200, "application/xml", self.sitemap(["/", "/a", "/gone"])
            case "/old":
                return 301, f"{site}/a", ""
            case "/llms.txt":
                return 200, "text/plain", f"# Site\n\n> About\n\n## Pages\n\n- [B]({site}/b)\n- [Else]({site}/else)\n"
            case "/" | "/a" | "/b" | "/else" | "/unlisted" | "/elsewhere":
                return 200, "text/html", PAGE.format(path=path, site=site, other=self.other)
            case "/picture.png":
                return 200, "image/png", "\x89PNG"
            case _ if path == f"/{KEY}.txt":
                return 200, "text/plain", KEY
            case _:
                return 404, "text/plain", ""

    def repeated(self) -> set[str]:
        """The paths that were requested more than once, in whatever way."""
        counts = Counter(url for method, url in self.asked if method in ("GET", "HEAD"))
        return {url.removeprefix(self.site) for url, count in counts.items() if count > 1}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("URLSET_HOOK_SECRET", "0123456789abcdef0123456789abcdef")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, kind, text = world.answer(self.path)
            # A page in another format is another question.
            is_other = self.headers["Accept"] == "text/markdown"
            if (self.command == "GET" or status < 400) and not is_other:
                world.asked.append((self.command, f"http://{self.headers['Host']}{self.path}"))
            body = b"" if self.command == "HEAD" else text.encode("latin-1")
            self.send_response(status)
            self.send_header("Location" if status == 301 else "Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_POST(self) -> None:
            world.asked.append(("POST", f"http://{self.headers['Host']}{self.path}"))
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

    with served(Handler) as site, served(Handler) as other:
        world.site, world.other = site, other
        (tmp_path / "before.xml").write_text(world.sitemap(["/", "/gone"]))
        (tmp_path / "after.xml").write_text(world.sitemap(["/", "/a"]))
        (tmp_path / "map.csv").write_text(f"old,new\n{site}/old,{site}/a\n{site}/a,{site}/a\n")
        (tmp_path / f"{KEY}.txt").write_text(KEY)
        (tmp_path / "monitor.toml").write_text(
            f'[[site]]\nurl = "{site}"\ncheck = ["audit", "robots", "check"]\n'
            f'[[webhook]]\nurl = "{other}/hook"\nsecret-env = "URLSET_HOOK_SECRET"\n'
        )
        yield world


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kind of trust of each fetcher that is made; only one function may make it."""
    kinds: list[str] = []
    make = Fetcher.__init__

    def counted(self: Fetcher, *arguments: Any) -> None:
        caller = sys._getframe(1)
        assert caller.f_code.co_qualname == "Session._fetcher"
        kinds.append(caller.f_locals["asked"].value)
        make(self, *arguments)

    monkeypatch.setattr(Fetcher, "__init__", counted)
    return kinds


VERBS = {
    "validate": "validate {site} --discover --expand --robots",
    "validate of several": "validate {site}/sitemap.xml {site}/moved.xml {site}/index.xml --expand",
    "a report of a page": "validate {site} --discover --expand --report page.html",
    "inspect": "inspect {site} --discover --expand",
    "urls": "inspect {site}/index.xml --expand --urls",
    "sql": "sql 'select count(*) from urls' {site} --discover --expand",
    "sql with findings": "sql 'select count(*) from findings' {site}/index.xml --expand",
    "discover": "discover {site}",
    "check": "check {site}",
    "robots": "robots {site} --urls-from {site}/sitemap.xml --urls-from {site}/moved.xml",
    "fix": "fix {site}/sitemap.xml {site}/moved.xml -o fixed",
    "diff": "diff {site}/before.xml {site}/sitemap.xml --ask-removed 10",
    "diff of sites": "diff {site}/before.xml {site} --no-rules",
    "diff with a redirect map": "diff {site}/before.xml {site}/sitemap.xml --redirects map.csv",
    "build": "build sitemaps:{site}/sitemap.xml sitemaps:{site}/moved.xml --base-url {site}/ -o out",
    "audit": "audit {site} --crawl --external --images",
    "audit of pages": "audit {site}/index.xml --method head",
    "audit of a page": "audit {site}/a",
    "lastmod": "lastmod {site} --no-store",
    "notify": "notify before.xml after.xml --key-file {key}.txt --key-location {site}/{key}.txt --all "
    "--endpoint {other}/indexnow",
}

KINDS = {
    "audit": ["others", "site"],
    "notify": ["engines", "site"],
}
"""What other verbs than these ask is the site."""


@pytest.mark.sampled(10)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_has_one_fetcher_for_each_kind_of_trust_and_asks_nothing_twice(
    verb: str, world: World, made: list[str]
) -> None:
    line = VERBS[verb].format(site=world.site, other=world.other, key=KEY)
    command, *rest = shlex.split(line)
    assert main([command, *shlex.split(DIRECT), *rest]) in (0, 1)
    assert sorted(made) == KINDS.get(verb, ["site"])
    assert world.asked
    assert world.repeated() == set()


def test_a_round_of_monitor_asks_the_site_and_tells_the_sinks(world: World, made: list[str]) -> None:
    assert main(["monitor", "monitor.toml"]) == 0
    made.clear()
    world.asked.clear()
    world.rule = "Disallow: /a"
    assert main(["monitor", "monitor.toml", "--force"]) == 1
    assert sorted(made) == ["sinks", "site"]
    assert ("POST", f"{world.other}/hook") in world.asked
    assert world.repeated() == set()


def test_links_of_llms_txt_take_the_responses_of_pages(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a site with more pages than replies are kept."""
    monkeypatch.setattr(replies, "MAX_REPLIES", 0)
    assert main(["audit", world.site, "--no-score", *shlex.split(DIRECT)]) in (0, 1)
    assert [url for _, url in world.asked].count(f"{world.site}/b") == 1
    assert ("GET", f"{world.site}/else") in world.asked


def test_engines_are_asked_with_one_fetcher(world: World, made: list[str]) -> None:
    for name, content in (("bing.key", BING_KEY), ("key.json", "")):
        (world.folder / name).touch(mode=0o600)
        (world.folder / name).write_text(content)
    with serving_google() as google:
        (world.folder / "key.json").write_text(key_of_account(f"{google.url}/token"))
        main(["audit", "after.xml", "--store", "urlset.duckdb", "--no-pages", "--no-score", "--no-config"])
        made.clear()
        account = ["--property", "sc-domain:example.com", "--credentials", "key.json", "--api", google.url]
        bing = ["--bing-key", "bing.key", "--bing-site", "https://example.com/", "--bing-api", google.url]
        for command in (["sitemaps", *account, *bing], ["inspect", *account]):
            assert main(["coverage", *command]) in (0, 1)
            assert made == ["engines"]
            made.clear()


def test_clients_do_not_reach_a_private_host_that_only_robots_txt_names(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"/robots.txt": (200, "text/plain", f"Sitemap: {world.other}/secret.xml\n")}
    monkeypatch.setattr(world, "answer", lambda path: files.get(path, (404, "text/plain", "")))
    assert main(["check", "--clients", world.site, *shlex.split(DIRECT.replace("--allow-private ", ""))]) == 1
    assert world.asked
    assert not [url for _, url in world.asked if url.startswith(world.other)]
