"""What `build` opens on the word of an index: http(s) URLs by the one client, and files beside a local index."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import OTHER, PRIVATE, Internet, index_of, urlset_of

BUILD = ("--base-url", "https://example.com/", "-o", "out")
SECRETS = ("--auth", "bob:hunter2", "--header", "X-Key: 4711")


def published(folder: Path) -> str:
    out = folder / "out"
    return "".join(path.read_text() for path in sorted(out.rglob("*.xml"))) if out.exists() else ""


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A local file and a standard input that nobody gave."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "secret.txt").write_text("https://example.com/secret\n")
    (folder / "sitemap.xml").write_text(urlset_of("https://example.com/secret"))

    class Input:
        buffer = io.BytesIO(b"https://example.com/secret\n")

    monkeypatch.setattr("sys.stdin", Input)
    return folder


REFUSED = [
    "{secret}/secret.txt", "{secret}", "{secret}/", "-", "../elsewhere/secret.txt", "file://{secret}/secret.txt",
    "ftp://example.com/b.xml", "elsewhere", "..", ".", "/", "//[", "http:secret.txt", "elsewhere/secret.txt",
]  # fmt: skip


@pytest.mark.parametrize("loc", REFUSED)
def test_a_remote_index_opens_no_file(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path, secret: Path, loc: str
) -> None:
    written = loc.format(secret=secret)
    internet.urlset("public.test", "/a.xml", "https://example.com/a")
    internet.index("public.test", "/index.xml", internet.url("public.test", "/a.xml"), written)
    # A file of that name in the working directory is none of the index's either.
    (tmp_path / "secret.txt").write_text("https://example.com/secret\n")
    outcome = cli("build", internet.url("public.test", "/index.xml"), *BUILD)
    assert (outcome.code, published(tmp_path)) == (3, "")
    assert f"lists the sitemap {written}, which is not an http or https URL" in outcome.err


@pytest.mark.parametrize("loc", REFUSED)
def test_a_local_index_opens_no_file_elsewhere(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path, secret: Path, loc: str
) -> None:
    written = loc.format(secret=secret)
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.xml").write_text(urlset_of("https://example.com/a"))
    (site / "index.xml").write_text(index_of("https://example.com/a.xml", written))
    outcome = cli("build", "site/index.xml", *BUILD)
    assert (outcome.code, published(tmp_path)) == (3, "")
    assert f"lists the sitemap {written}, which is neither a file next to it nor an http or https URL" in outcome.err
    assert internet.requests == []


def test_an_index_on_standard_input_opens_no_file(
    cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.xml").write_text(urlset_of("https://example.com/a"))

    class Input:
        buffer = io.BytesIO(index_of("a.xml").encode())

    monkeypatch.setattr("sys.stdin", Input)
    outcome = cli("build", "sitemaps:-", *BUILD)
    assert (outcome.code, published(tmp_path)) == (3, "")
    assert "lists the sitemap a.xml" in outcome.err


def test_the_children_of_a_local_index_lie_beside_it(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.xml").write_text(urlset_of("https://example.com/a"))
    (site / "b c.xml").write_text(urlset_of("https://example.com/b"))
    internet.urlset("public.test", "/maps/d.xml", "https://example.com/d")
    internet.index("public.test", "/maps/more.xml", internet.url("public.test", "/maps/d.xml"))
    (site / "index.xml").write_text(
        index_of("https://example.com/maps/a.xml", "/maps/b%20c.xml", internet.url("public.test", "/maps/more.xml"))
    )
    outcome = cli("build", "site/index.xml", *BUILD)
    assert outcome.code == 0, outcome.text
    assert [f"https://example.com/{name}<" in published(tmp_path) for name in "abd"] == [True] * 3


def test_what_a_fetched_child_lists_is_not_beside_the_local_index(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "index.xml").write_text(index_of(internet.url("public.test", "/more.xml")))
    (tmp_path / "a.xml").write_text(urlset_of("https://example.com/secret"))
    internet.index("public.test", "/more.xml", "/a.xml")
    outcome = cli("build", "index.xml", *BUILD)
    assert (outcome.code, published(tmp_path)) == (3, "")


@pytest.mark.parametrize("host", ["intra.test", PRIVATE, "localhost", "169.254.169.254"])
@pytest.mark.parametrize("way", ["child", "redirect", "local"])
def test_no_index_leads_into_a_private_network(
    internet: Internet, cli: Callable[..., Any], tmp_path: Path, host: str, way: str
) -> None:
    internet.names["localhost"] = [[OTHER]]
    internet.urlset(host, "/a.xml", "https://example.com/a")
    internet.redirect("public.test", "/moved.xml", internet.url(host, "/a.xml"))
    child = internet.url(*(("public.test", "/moved.xml") if way == "redirect" else (host, "/a.xml")))
    internet.index("public.test", "/index.xml", child)
    (tmp_path / "index.xml").write_text(index_of(child))
    target = "index.xml" if way == "local" else internet.url("public.test", "/index.xml")
    outcome = cli("build", target, *BUILD, *SECRETS)
    assert (outcome.code, published(tmp_path)) == (3, "")
    assert internet.paths(PRIVATE) + internet.paths(OTHER) == []
    assert "--allow-private" in outcome.err


def test_a_private_index_leads_to_its_own_origin(internet: Internet, cli: Callable[..., Any], tmp_path: Path) -> None:
    internet.urlset("intra.test", "/a.xml", "https://example.com/a")
    internet.index("intra.test", "/index.xml", internet.url("intra.test", "/a.xml"))
    outcome = cli("build", internet.url("intra.test", "/index.xml"), *BUILD, *SECRETS)
    assert outcome.code == 0, outcome.text
    assert {each.authorization is not None for each in internet.requests} == {True}
