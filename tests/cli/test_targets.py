"""A target without a scheme means the same to every command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

import urlset
from urlset.cli.commands import NAMES
from urlset.cli.main import main
from urlset.errors import ExitCode
from urlset.sources import url_of

URLSET = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>{site}/</loc></url></urlset>"
)

TAKES_NO_TARGET = {
    "pages", "history", "logs", "deploy-check", "report", "coverage", "ignore", "rules", "explain", "config", "cache",
    "skill", "mcp", "key", "monitor", "metrics", "prune", "serve", "help",
}  # fmt: skip

NO_PROBES = ("--no-store", "--no-pages", "--no-score")

COMMANDS: dict[str, tuple[str, ...]] = {
    "inspect {}": (),
    "validate {}": (),
    "audit {}": NO_PROBES,
    "fix {}": ("--dry-run",),
    "diff {} {}": (),
    "lastmod {}": ("--no-store", "--exclude", "*"),
    "notify {} {}": ("--dry-run", "--store", "sent.duckdb"),
    "sql SELECT\\ loc\\ FROM\\ urls {}": (),
    "robots {}": (),
    "robots robots.txt --urls-from {}": (),
    "build {}": ("--base-url", "http://127.0.0.1/", "-o", "-"),
    "check {}": (),
    "discover {}": (),
}
"""Every command line that takes a target, and more options for it."""


def arguments_of(line: str, target: str) -> list[str]:
    words = line.replace("\\ ", "\0").split(" ")
    return [word.replace("\0", " ").format(target) for word in words] + list(COMMANDS[line])


def timeless(text: str) -> str:
    return re.sub(r"http://|\d\d:\d\d:\d\d", "", text)


@pytest.fixture
def port(site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The port of a site with a sitemap, and a working directory without one."""
    monkeypatch.chdir(tmp_path)
    Path("robots.txt").write_text("User-agent: *\nDisallow:\n")
    site.put("/", "<!doctype html><title>Home</title>", Content_Type="text/html")
    site.put("/robots.txt", "User-agent: *\nDisallow:\n\nSitemap: {site}/sitemap.xml\n", Content_Type="text/plain")
    site.put("/sitemap.xml", URLSET, Content_Type="application/xml")
    return str(site.url.rpartition(":")[2])


def test_every_command_that_takes_a_target_is_tried() -> None:
    assert {line.split()[0] for line in COMMANDS} == {*NAMES} - TAKES_NO_TARGET


@pytest.mark.sampled(3)
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("line", COMMANDS)
def test_a_host_and_port_is_a_url(
    line: str, host: str, port: str, site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    target = f"{host}:{port}/sitemap.xml"
    site.asked.clear()
    code = main(arguments_of(line, target))
    bare, asked = capsys.readouterr(), site.asked[:]
    assert code in (ExitCode.CLEAN, ExitCode.FINDINGS), bare.err
    assert asked, "the site was requested"
    site.asked.clear()
    assert main([*arguments_of(line, f"http://{target}"), "--no-cache"]) == code
    whole = capsys.readouterr()
    assert timeless(bare.out) == timeless(whole.out)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", [line for line in COMMANDS if not line.startswith(("check", "discover"))])
def test_a_file_of_that_name_comes_first(line: str, port: str, site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(f"localhost:{port}")
    folder.mkdir()
    (folder / "sitemap.xml").write_text(URLSET.format(site="http://127.0.0.1"))
    site.asked.clear()
    assert main(arguments_of(line, f"{folder}/sitemap.xml")) in (ExitCode.CLEAN, ExitCode.FINDINGS), capsys.readouterr()
    assert [path for path in site.asked if path == "/sitemap.xml"] == []


def test_python_takes_the_same_targets(port: str) -> None:
    target = f"localhost:{port}/sitemap.xml"
    assert urlset.read(target).facts["entries"] == 1
    assert urlset.validate(target).documents[0]["url"] == f"http://{target}"
    assert urlset.inspect(target).documents[0].facts["entries"] == 1
    assert len(urlset.query("SELECT loc FROM urls", target).rows) == 1
    assert urlset.check_robots(f"localhost:{port}").robots.sitemaps


URLS = {
    "https://example.com/sitemap.xml": "https://example.com/sitemap.xml",
    "HTTP://example.com/": "HTTP://example.com/",
    "example.com": "https://example.com",
    "example.com/sitemap.xml": "https://example.com/sitemap.xml",
    "www.example.co.uk/a/b.xml.gz?x=1#y": "https://www.example.co.uk/a/b.xml.gz?x=1#y",
    "example.com?x": "https://example.com?x",
    "bücher.example/sitemap.xml": "https://bücher.example/sitemap.xml",
    "example.xn--p1ai": "https://example.xn--p1ai",
    "example.md/sitemap.xml": "https://example.md/sitemap.xml",
    "localhost": "http://localhost",
    "localhost:8000/sitemap.xml": "http://localhost:8000/sitemap.xml",
    "127.0.0.1:8000": "http://127.0.0.1:8000",
    "127.0.0.1/sitemap.xml": "http://127.0.0.1/sitemap.xml",
    "[::1]:8000/sitemap.xml": "http://[::1]:8000/sitemap.xml",
    "intranet:8080/sitemap.xml": "https://intranet:8080/sitemap.xml",
}

PATHS = (
    "-",
    "",
    "sitemap.xml",
    "sitemap.xml.gz",
    "sitemap.de.xml",
    "urls.csv",
    "urlset.duckdb",
    "urlset.duckdb@3",
    "index.html",
    "README.md",
    "public",
    "public/sitemap.xml",
    "./example.com/sitemap.xml",
    "../example.com/sitemap.xml",
    "/example.com/sitemap.xml",
    "~/sitemap.xml",
    "v1.2/sitemap.xml",
    "sitemap.xml/x",
    "sitemap.xml:42",
    "a b.com/sitemap.xml",
    "*.com",
    "-x.com/y",
    "user:password@example.com/",
    "bob@example.com",
    "C:\\sitemaps\\example.com",
    "C:/sitemap.xml",
    "ftp://example.com/sitemap.xml",
    "mailto:me@example.com",
    "html:public",
    "[]/x",
    "example..com/x",
)


@pytest.mark.parametrize("target", URLS)
def test_what_names_a_url(target: str) -> None:
    assert url_of(target) == URLS[target]


@case_table("target", PATHS)
def test_what_names_a_file(target: str) -> None:
    assert url_of(target) is None


def test_what_exists_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("example.com").mkdir()
    assert url_of("example.com") is None
    assert url_of("example.com/sitemap.xml") is None
    assert url_of("example.org/sitemap.xml") is not None


@pytest.mark.parametrize("more", [[], ["--urls"], ["--format", "json"]], ids=["text", "urls", "json"])
@pytest.mark.parametrize("path", ["", "/"], ids=["host", "page"])
def test_inspect_of_a_home_page_suggests_to_discover(
    more: list[str], path: str, port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["inspect", f"127.0.0.1:{port}{path}", *more])
    shown = capsys.readouterr()
    url = f"http://127.0.0.1:{port}{path}"
    assert f"urlset: {url}: an HTML page, not a sitemap; add --discover to find the sitemaps of the site" in shown.err
    if more == ["--format", "json"]:
        json.loads(shown.out)
    assert main(["inspect", "--discover", f"127.0.0.1:{port}{path}", *more]) == ExitCode.CLEAN
    assert "--discover" not in capsys.readouterr().err
