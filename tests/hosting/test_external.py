"""`audit --external` of a directory: links to other sites are requested, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import duckdb
import pytest
from tests.hosting.folders import BASE, page, urlset, write
from tests.loopback import served

from urlset.cli.main import main
from urlset.links import external_links as stored
from urlset.stages import external_links


class Elsewhere(BaseHTTPRequestHandler):
    """Another site: a page that is there, one that is not, one without HEAD, and one that robots.txt disallows."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.command, self.path))
        has_page = self.path in ("/there", "/no-head") and not (self.command == "HEAD" and self.path == "/no-head")
        body = b"User-agent: *\nDisallow: /closed\n" if self.path == "/robots.txt" else b"<p>text"
        self.send_response(200 if has_page or self.path == "/robots.txt" else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Elsewhere, "asked", [])
    # One request per second would make the test slow.
    monkeypatch.setattr(external_links, "RATE", 1_000.0)
    with served(Elsewhere) as origin:
        yield origin


def audited(
    root: Path, links: list[str], *more: str, capsys: pytest.CaptureFixture[str]
) -> tuple[list[tuple[object, ...]], list[str], str]:
    """The rows of external links, the findings on them, and what was said."""
    folder = write(
        root / "site",
        {
            "index.html": page(BASE, links=["/a/", *links]),
            "a/index.html": page(f"{BASE}a/", links=["/", *links[:1]], text="a"),
            "sitemap.xml": urlset(BASE, f"{BASE}a/"),
            "robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
        },
    )
    store = root / "audit.duckdb"
    store.unlink(missing_ok=True)
    report = root / "report.json"
    given = ["--base-url", BASE, "--store", str(store), "--output", str(report), "--select", "LNK", "--no-config"]
    assert main(["audit", str(folder), *given, *more]) in (0, 1)
    output = capsys.readouterr()
    found = [one for one in json.loads(report.read_text())["findings"] if one["code"] == "LNK012"]
    with duckdb.connect(str(store), read_only=True) as kept:
        rows = kept.execute(
            "SELECT url, links, linked_from, line, skipped, status FROM external_links ORDER BY url"
        ).fetchall()
    return rows, [place["message"] for one in found for place in one["examples"]], output.out


@pytest.mark.long("slow cases")
def test_links_to_other_sites_are_requested(elsewhere: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    links = [f"{elsewhere}/{name}" for name in ("there", "gone", "no-head", "closed", "there#part")]
    rows, found, said = audited(tmp_path, links, "--external", "--allow-private", capsys=capsys)
    assert rows == [
        (f"{elsewhere}/closed", 1, BASE, 3, "robots", None),
        (f"{elsewhere}/gone", 1, BASE, 3, None, 404),
        (f"{elsewhere}/no-head", 1, BASE, 3, None, 200),
        (f"{elsewhere}/there", 2, rows[3][2], rows[3][3], None, 200),
    ]
    assert found == [f"{BASE} links to {elsewhere}/gone, which returns 404"]
    assert "1 external URL was not requested because robots.txt of the host disallows it" in said
    asked = Elsewhere.asked
    assert sorted(asked) == [
        ("GET", "/gone"), ("GET", "/no-head"), ("GET", "/robots.txt"), ("HEAD", "/gone"), ("HEAD", "/no-head"),
        ("HEAD", "/there"),
    ]  # fmt: skip


def test_private_addresses_are_not_requested(
    elsewhere: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pages could name any address of the network of the user."""
    rows, found, said = audited(tmp_path, [f"{elsewhere}/gone"], "--external", capsys=capsys)
    assert ([row[4] for row in rows], found, Elsewhere.asked) == (["private"], [], [])
    assert "1 external URL was not requested because a page may not refer to private addresses" in said


def test_nothing_is_requested_without_the_option(
    elsewhere: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, found, _ = audited(tmp_path, [f"{elsewhere}/gone"], "--allow-private", capsys=capsys)
    assert (rows, found, Elsewhere.asked) == ([], [], [])


def test_what_is_beyond_the_limit_is_counted(
    elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stored, "MAX_PER_HOST", 1)
    links = [f"{elsewhere}/{name}" for name in ("there", "gone")]
    rows, found, said = audited(tmp_path, links, "--external", "--allow-private", capsys=capsys)
    # The URL that most pages link to comes first.
    assert ([row[0] for row in rows], found) == ([f"{elsewhere}/there"], [])
    assert "1 external URL was not requested, of 2:" in said
