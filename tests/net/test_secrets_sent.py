"""Where Authorization and the user's headers go, command by command: to the origins that the user named."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from .conftest import IMAGES, PRIVATE, ROOT, Internet, index_of, urlset_of

SECRETS = ("--auth", "bob:hunter2", "--header", "X-Key: 4711")
STORE = ("--store", "run.duckdb")


@pytest.fixture
def linked(internet: Internet) -> Internet:
    """A site that leads to another one in every way."""
    site, other = "public.test", internet.url("other.test", "/other")
    internet.put(site, "/robots.txt", f"Sitemap: {other}-robots\nSitemap: {internet.url(site, '/index.xml')}\n")
    internet.put(site, "/", f'<link rel="sitemap" href="{other}-home">', "text/html")
    internet.index(site, "/index.xml", f"{other}-index", internet.url(site, "/a.xml"), internet.url(site, "/moved.xml"))
    internet.redirect(site, "/moved.xml", f"{other}-moved.xml")
    image = f"<image:image><image:loc>{other}-image</image:loc></image:image>"
    pages = f"<url><loc>{internet.url(site, '/page')}</loc>{image}</url><url><loc>{other}-page</loc></url>"
    internet.put(site, "/a.xml", f"<urlset {ROOT} {IMAGES}>{pages}</urlset>")
    internet.put(site, "/page", "<html><title>A page</title></html>", "text/html")
    for name in ("robots", "home", "index", "moved.xml"):
        internet.urlset("other.test", f"/other-{name}", f"{other}-page")
    return internet


def told(internet: Internet, host: str) -> set[tuple[bool, bool]]:
    """For the requests to a host: whether they had the password and the key."""
    return {(each.authorization is not None, each.key is not None) for each in internet.requests if each.host == host}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("command", "path"),
    [
        (("validate", "--expand"), "/index.xml"),
        (("validate", "--discover", "--expand"), "/"),
        (("inspect", "--discover", "--expand"), "/"),
        (("sql", "select count(*) from urls", "--expand"), "/index.xml"),
        (("audit", "--images", *STORE), "/"),
        (("audit", "--images", *STORE), "/index.xml"),
        (("check",), "/"),
        (("discover",), "/"),
        (("fix", "--dry-run"), "/moved.xml"),
        (("build", "--base-url", "https://example.com/", "-o", "out"), "/index.xml"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_only_the_origin_that_is_named_gets_them(
    linked: Internet, cli: Callable[..., Any], command: tuple[str, ...], path: str
) -> None:
    name, *more = command
    query = [more.pop(0)] if name == "sql" else []
    outcome = cli(name, *query, linked.url("public.test", path), *more, *SECRETS)
    assert outcome.code in (0, 1, 3), outcome.text
    assert told(linked, "public.test") == {(True, True)}
    assert told(linked, "other.test") == {(False, False)}


@pytest.mark.parametrize("command", ["validate", "inspect", "audit", "build"])
def test_a_local_file_names_nobody(linked: Internet, cli: Callable[..., Any], tmp_path: Path, command: str) -> None:
    (tmp_path / "index.xml").write_text(index_of(linked.url("public.test", "/a.xml")))
    more = {"audit": STORE, "build": ("--base-url", "https://example.com/", "-o", "out")}.get(command, ("--expand",))
    outcome = cli(command, "index.xml", *more, *SECRETS)
    assert outcome.code in (0, 1), outcome.text
    assert told(linked, "public.test") == {(False, False)}


def test_a_path_is_no_host(linked: Internet, cli: Callable[..., Any], tmp_path: Path) -> None:
    for host in ("public.test", "intra.test"):
        folder = tmp_path / f"{host}:{linked.port}"
        folder.mkdir()
        linked.put(host, "/page", "<html></html>", "text/html")
        (folder / "pages.xml").write_text(urlset_of(linked.url(host, "/page"), f"https://{folder.name}/page"))
        cli("audit", f"{folder.name}/pages.xml", *STORE, *SECRETS)
    assert told(linked, "public.test") == {(False, False)}
    assert told(linked, "intra.test") == set()


# Comparing.


@pytest.fixture
def before(internet: Internet, tmp_path: Path) -> Internet:
    """What was listed before, on a private host and on two public ones, in a file; now nothing is."""
    hosts = ("intra.test", "public.test", "other.test")
    (tmp_path / "before.xml").write_text(urlset_of(*(internet.url(host, "/gone") for host in hosts)))
    (tmp_path / "after.xml").write_text(urlset_of("https://example.com/"))
    for host in hosts:
        internet.urlset(host, "/sitemap.xml", *(internet.url(each, "/gone") for each in hosts))
        internet.urlset(host, "/after.xml", "https://example.com/")
    return internet


ASK = ("--ask-removed", "10", *SECRETS)


def test_what_was_listed_earlier_is_not_trusted(before: Internet, cli: Callable[..., Any]) -> None:
    outcome = cli("diff", "before.xml", "after.xml", *ASK)
    assert outcome.code in (0, 1), outcome.text
    assert told(before, "public.test") == told(before, "other.test") == {(False, False)}
    assert told(before, "intra.test") == set()


@pytest.mark.parametrize("sides", [("public.test", None), (None, "public.test")])
def test_both_sides_are(before: Internet, cli: Callable[..., Any], sides: tuple[str | None, str | None]) -> None:
    earlier, later = sides
    targets = [
        f"{name}.xml" if host is None else before.url(host, path)
        for host, name, path in ((earlier, "before", "/sitemap.xml"), (later, "after", "/after.xml"))
    ]
    assert cli("diff", *targets, *ASK).code in (0, 1)
    assert told(before, "public.test") == {(True, True)}
    assert told(before, "other.test") == {(False, False)}
    assert told(before, "intra.test") == set()


def test_what_a_run_of_a_store_was_on_is_not(before: Internet, cli: Callable[..., Any]) -> None:
    target = before.url("public.test", "/sitemap.xml").replace("http://", "http://bob:hunter2@")
    cli("audit", target, "--no-pages", *STORE)
    before.requests.clear()
    outcome = cli("diff", "run.duckdb", "after.xml", *ASK)
    assert outcome.code in (0, 1), outcome.text
    assert "/gone" in [each.path for each in before.requests if each.host == "public.test"]
    assert told(before, "public.test") == {(False, False)}
    assert told(before, "other.test") == {(False, False)}
    assert told(before, "intra.test") == set()


def test_an_earlier_file_leads_to_no_private_host_that_is_named(before: Internet, cli: Callable[..., Any]) -> None:
    outcome = cli("diff", "before.xml", before.url("intra.test", "/after.xml"), *ASK)
    assert outcome.code in (0, 1), outcome.text
    assert "/after.xml" in before.paths(PRIVATE)
    assert "/gone" not in before.paths(PRIVATE)
    assert "--allow-private" in outcome.text
    before.requests.clear()
    cli("diff", "before.xml", before.url("intra.test", "/after.xml"), *ASK, "--allow-private")
    assert "/gone" in before.paths(PRIVATE)


# robots.txt.


def test_robots_are_asked_with_secrets_at_a_port_of_its_own(linked: Internet, cli: Callable[..., Any]) -> None:
    linked.redirect("public.test", "/robots.txt", linked.url("other.test", "/robots.txt"))
    assert cli("robots", linked.url("public.test", "/page"), *SECRETS).code == 0
    assert told(linked, "public.test") == {(True, True)}
    assert told(linked, "other.test") == {(False, False)}


def test_robots_are_not_asked_with_secrets_in_the_clear(
    linked: Internet, cli: Callable[..., Any], behaviours: Any
) -> None:
    """From https to http of the same host."""
    linked.put("127.0.0.1", "/robots.txt", "User-agent: *\n", "text/plain")

    async def to_http(request: Any, reader: Any, writer: Any) -> None:
        behaviours.send(writer, "302 Found", b"", f"Location: {linked.url('127.0.0.1', '/robots.txt')}")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with behaviours.serving(tls=context, more={"/robots.txt": to_http}) as secure:
        assert cli("robots", secure.url, "--insecure", *SECRETS).code == 0
        assert ["authorization" in each.headers for each in secure.requests] == [True]
    assert told(linked, "127.0.0.1") == {(False, False)}
