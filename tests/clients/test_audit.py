"""`audit --clients N` asks for some of the listed pages as crawlers do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.loopback import served

from urlset import api
from urlset.cli.main import main
from urlset.errors import UsageError
from urlset.report.json_schema import schema

PAGE = b"<!DOCTYPE html><html lang=en><head><title>Page</title></head><body><main>Some words</main></body></html>"


@pytest.fixture
def site() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A site with 6 pages, of which those from 3 on refuse Googlebot."""
    seen: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            agent = self.headers["User-Agent"]
            seen.append((self.path, agent))
            port = self.connection.getsockname()[1]
            status, kind, body = 404, "text/plain", b"none"
            if self.path == "/sitemap.xml":
                locs = "".join(f"<url><loc>http://127.0.0.1:{port}/p{number}</loc></url>" for number in range(6))
                foreign = "<url><loc>http://localhost:9/foreign</loc></url>"
                body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{locs}{foreign}</urlset>'.encode()
                status, kind = 200, "application/xml"
            elif self.path.startswith("/p"):
                is_refused = "Googlebot" in agent and self.path[2] >= "3"
                status, kind, body = (403, "text/plain", b"no") if is_refused else (200, "text/html", PAGE)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    with served(Handler) as origin:
        yield origin, seen


@pytest.mark.long("slow cases")
def test_a_sample_of_pages(site: tuple[str, Any], tmp_path: Path) -> None:
    origin, seen = site
    store = tmp_path / "a.duckdb"
    audited = api.audit(f"{origin}/sitemap.xml", store=store, clients=2, rate=10_000, score=False)
    assert [check.url for check in audited.clients] == [f"{origin}/p2", f"{origin}/p5"]
    assert [check.status for check in audited.clients] == ["pass", "fail"]
    assert audited.clients[1].findings[0].cause == "user-agent"
    asked = {path for path, agent in seen if "Googlebot" in agent}
    assert asked == {"/p2", "/p5"}


def test_no_page_is_asked_for_by_default(site: tuple[str, Any], tmp_path: Path) -> None:
    origin, seen = site
    audited = api.audit(f"{origin}/sitemap.xml", store=tmp_path / "a.duckdb", rate=10_000, score=False)
    assert audited.clients == ()
    assert {agent.partition("/")[0] for _, agent in seen} == {"urlset"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_command(form: str, site: tuple[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    origin, _ = site
    arguments = ["audit", f"{origin}/sitemap.xml", "--clients", "1", "--rate", "10000", "--format", form, "--no-store"]
    main(arguments)
    text = capsys.readouterr().out
    assert f"{origin}/p5" in text
    if form == "json":
        written = json.loads(text)
        assert written.keys() <= schema("audit")["properties"].keys()
        assert written["clients"][0]["status"] == "fail"
    else:
        assert "HTTP 403 under the user agent of Googlebot" in text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"pages": False}, "cannot be combined with --no-pages"),
        ({"proxy": "http://127.0.0.1:9"}, "without --proxy"),
    ],
)
def test_misuse(fields: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        api.audit("http://127.0.0.1:9/sitemap.xml", store=tmp_path / "a.duckdb", clients=1, **fields)
    assert not (tmp_path / "a.duckdb").exists()


def test_a_directory_has_no_server(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_bytes(PAGE)
    with pytest.raises(UsageError, match="cannot be combined with a directory"):
        api.audit(str(tmp_path / "site"), store=tmp_path / "a.duckdb", base_url="https://example.com/", clients=1)
