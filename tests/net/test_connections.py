"""What every command connects to: what the user named, and the public; no link of a stranger leads further."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import IMAGES, OTHER, PRIVATE, PUBLIC, ROOT, Internet, index_of, urlset_of

STORE = ("--store", "run.duckdb")


@pytest.fixture
def mixed(internet: Internet) -> Internet:
    """A public site, every part of which links to a private one, which has a sitemap and pages of its own."""
    public, intra = "public.test", "intra.test"
    secret = internet.url(intra, "/secret")
    internet.put(public, "/robots.txt", f"Sitemap: {secret}-robots\nSitemap: {internet.url(public, '/index.xml')}\n")
    internet.put(public, "/", f'<link rel="sitemap" href="{secret}-home">', "text/html")
    internet.redirect(public, "/moved.xml", f"{secret}-moved")
    # What the private site lists itself, too, is asked for on its behalf.
    own = internet.url(intra, "/own.xml")
    internet.index(
        public, "/index.xml", f"{secret}-index", own, *(internet.url(public, f"/{name}.xml") for name in "abm")
    )
    internet.urlset(
        public, "/a.xml", internet.url(public, "/page"), f"{secret}-page", internet.url(public, "/moved.xml")
    )
    image = f"<image:image><image:loc>{secret}-image</image:loc></image:image>"
    page = internet.url(public, "/page")
    internet.put(public, "/b.xml", f"<urlset {ROOT} {IMAGES}><url><loc>{page}-b</loc>{image}</url></urlset>")
    internet.redirect(public, "/m.xml", f"{secret}-child-moved")
    internet.put(public, "/page", "<html><title>A page</title></html>", "text/html")
    pages = [internet.url(intra, f"/own-{number}") for number in (1, 2)]
    internet.put(intra, "/robots.txt", f"Sitemap: {internet.url(intra, '/index.xml')}\n")
    internet.index(intra, "/index.xml", own)
    internet.urlset(intra, "/own.xml", *pages)
    for path in (*(f"/own-{number}" for number in (1, 2)), "/"):
        internet.put(intra, path, "<html><title>Own</title></html>", "text/html")
    return internet


def secrets_asked_for(internet: Internet) -> list[str]:
    return sorted({each.path for each in internet.requests if "/secret" in each.path})


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "command",
    [
        ("validate", "--expand"),
        ("validate", "--discover", "--expand"),
        ("inspect", "--expand"),
        ("sql", "--expand", "--query", "select count(*) from urls"),
        ("audit", "--images", "--no-score", *STORE),
        ("audit", *STORE),
        ("fix", "--dry-run"),
        ("diff", "--ask-removed", "10"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
@pytest.mark.parametrize("kind", ["files", "sites"])
def test_a_public_target_does_not_lead_into_the_private_one(
    mixed: Internet, cli: Callable[..., Any], command: tuple[str, ...], kind: str
) -> None:
    name, *options = command
    path = "/" if kind == "sites" else "/index.xml"
    targets = [mixed.url("public.test", path), mixed.url("intra.test", path)]
    if name == "sql":
        options.remove("--query")
        targets.insert(0, options.pop())
    outcome = cli(name, *targets, *options)
    assert outcome.code in (0, 1, 3), outcome.text
    assert secrets_asked_for(mixed) == []
    if kind == "files" or "--discover" in options or name == "audit":
        # The private target itself is read, and where links are followed so is what it links to at its own origin.
        assert "/index.xml" in mixed.paths(PRIVATE)
        assert ("/own.xml" in mixed.paths(PRIVATE)) is (name != "fix")
    if name == "audit":
        assert {"/own-1", "/own-2"} <= set(mixed.paths(PRIVATE))


@pytest.mark.parametrize("command", ["discover", "check"])
def test_nor_does_a_public_site(mixed: Internet, cli: Callable[..., Any], command: str) -> None:
    outcome = cli(command, mixed.url("public.test"), mixed.url("intra.test"))
    assert outcome.code in (0, 1), outcome.text
    assert secrets_asked_for(mixed) == []
    assert "/index.xml" in mixed.paths(PRIVATE)


def test_nor_does_a_public_robots_txt(mixed: Internet, cli: Callable[..., Any]) -> None:
    mixed.redirect("public.test", "/robots.txt", mixed.url("intra.test", "/secret-robots"))
    cli("robots", mixed.url("public.test"), "--urls-from", mixed.url("intra.test", "/own.xml"))
    assert secrets_asked_for(mixed) == []
    assert mixed.paths(PRIVATE) == ["/own.xml"]


def test_nor_does_a_document_that_redirects(mixed: Internet, cli: Callable[..., Any]) -> None:
    outcome = cli("fix", mixed.url("public.test", "/moved.xml"), mixed.url("intra.test", "/own.xml"), "--dry-run")
    assert outcome.code == 3
    assert "--allow-private" in outcome.text
    assert mixed.paths(PRIVATE) == ["/own.xml"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["intra.test", PRIVATE, "localhost"])
@pytest.mark.parametrize("command", ["validate", "inspect", "audit"])
def test_a_local_file_leads_to_public_hosts_alone(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path, name: str, command: str
) -> None:
    internet.names["localhost"] = [[OTHER]]
    (tmp_path / "index.xml").write_text(index_of(internet.url(name, "/a.xml"), internet.url("public.test", "/b.xml")))
    (tmp_path / "pages.xml").write_text(urlset_of(internet.url(name, "/page"), internet.url("public.test", "/page")))
    more = STORE if command == "audit" else ("--expand",)
    outcome = cli(command, "index.xml", "pages.xml", *more)
    assert internet.paths(PRIVATE) + internet.paths(OTHER) == []
    assert "/b.xml" in internet.paths(PUBLIC)
    assert "--allow-private" in outcome.text or command == "audit"
    assert ("/page" in internet.paths(PUBLIC)) is (command == "audit")


@pytest.mark.parametrize("command", ["validate", "inspect", "audit"])
def test_a_local_file_leads_to_no_private_host_that_is_named(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path, command: str
) -> None:
    (tmp_path / "index.xml").write_text(index_of(internet.url("intra.test", "/a.xml")))
    internet.urlset("intra.test", "/b.xml")
    more = STORE if command == "audit" else ("--expand",)
    cli(command, "index.xml", internet.url("intra.test", "/b.xml"), *more)
    assert "/b.xml" in internet.paths(PRIVATE)
    assert "/a.xml" not in internet.paths(PRIVATE)


def test_everything_leads_everywhere_with_the_option(mixed: Internet, cli: Callable[..., Any]) -> None:
    cli("audit", mixed.url("public.test", "/"), "--images", "--no-score", "--allow-private", *STORE)
    assert {f"/secret-{name}" for name in ("robots", "home", "index", "child-moved", "page", "moved", "image")} <= set(
        secrets_asked_for(mixed)
    )


def test_a_private_site_leads_to_no_other_private_host(internet: Internet, cli: Callable[..., Any]) -> None:
    internet.names["near.test"] = [[OTHER]]
    near, other_port = internet.url("near.test", "/b.xml"), "http://intra.test:9/c.xml"
    internet.index("intra.test", "/index.xml", internet.url("intra.test", "/a.xml"), near, other_port)
    internet.urlset("intra.test", "/a.xml")
    outcome = cli("inspect", internet.url("intra.test", "/index.xml"), "--expand")
    assert internet.paths(PRIVATE) == ["/index.xml", "/a.xml"]
    assert internet.paths(OTHER) == []
    assert outcome.text.count("--allow-private") == 2


# By the order in which the name answers: what is asked for, and at which address.


@pytest.fixture
def attacked(internet: Internet) -> Internet:
    """A host that the user names, which lists every private address, its own name included."""
    everywhere = [internet.url(host, "/secret") for host in (PRIVATE, OTHER, "intra.test", "localhost", "flip.test")]
    internet.put("flip.test", "/robots.txt", "".join(f"Sitemap: {url}-robots\n" for url in everywhere))
    internet.index("flip.test", "/sitemap.xml", *everywhere)
    internet.urlset("flip.test", "/pages.xml", *everywhere)
    internet.put("flip.test", "/", "<html></html>", "text/html")
    internet.names["localhost"] = [[OTHER]]
    return internet


GONE = "127.9.9.9"
"""A private address where nobody listens."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "answers",
    [
        # The one of the first report: refused at a private address, then public, then private.
        [[GONE], [PUBLIC], [PRIVATE]],
        [[GONE], [PUBLIC], [OTHER], [PUBLIC], [PRIVATE]],
        [[PUBLIC], [PRIVATE]],
        [[PUBLIC], [PRIVATE, OTHER], [PUBLIC], [PRIVATE]],
        [[GONE, PUBLIC], [PRIVATE]],
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "command",
    [
        ("check",), ("discover",), ("validate", "--discover", "--expand"), ("inspect", "--discover", "--expand"),
        ("audit", *STORE),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_a_name_that_moves_never_leads_back_in(
    attacked: Internet, cli: Callable[..., Any], command: tuple[str, ...], answers: list[list[str]]
) -> None:
    attacked.names["flip.test"] = [list(each) for each in answers]
    name, *more = command
    # Without a scheme http is asked after https, which nobody answers at the first address.
    target = attacked.url("flip.test")
    cli(name, target.removeprefix("http://") if answers[0] == [GONE] else target, *more)
    assert attacked.paths(PRIVATE) + attacked.paths(OTHER) == []
    assert "/robots.txt" in attacked.paths(PUBLIC)


def test_a_private_name_that_becomes_public_stays_so(attacked: Internet, cli: Callable[..., Any]) -> None:
    attacked.names["flip.test"] = [[PRIVATE], [PUBLIC], [PRIVATE]]
    targets = [attacked.url("flip.test", f"/{name}.xml") for name in ("sitemap", "pages")]
    cli("inspect", *targets, "--expand", "--concurrency", "1")
    assert not any("/secret" in path for path in attacked.paths(PRIVATE) + attacked.paths(OTHER))
