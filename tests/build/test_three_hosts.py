"""The example of three hosts: built, served on loopback under its names, scored and validated."""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from urlset.cli.main import main
from urlset.web.robots_txt import Robots

EXAMPLE = Path(__file__).parents[2] / "examples" / "three-hosts"
HOSTS = {"www": "http://www.example.com", "docs": "http://docs.example.com", "md": "http://md.example.com"}
TYPES = {".xml": "application/xml", ".txt": "text/plain", ".html": "text/html", ".md": "text/markdown"}


class Proxy(BaseHTTPRequestHandler):
    """A proxy behind which the hosts are: it answers with the files of their folders."""

    protocol_version = "HTTP/1.1"
    folder: Path

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        name = str(url.hostname).partition(".")[0]
        path = self.folder / name / (url.path.strip("/") or "index.html")
        is_there = name in HOSTS and path.is_file()
        content = path.read_bytes() if is_there else b"There is no such page.\n"
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Type", TYPES.get(path.suffix, "text/plain"))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Stays quiet."""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The folders of the hosts, served: the proxy to reach them through."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Served", (Proxy,), {"folder": folder}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def copied(folder: Path, scheme: str = "https") -> Path:
    """A copy of the example, without what a build of it left there; with its hosts under another scheme."""
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("sitemap*.xml", ".urlset-build"))
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"https://", f"{scheme}://".encode()))
    return folder / "urlset.toml"


def test_the_three_hosts_are_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = copied(tmp_path / "example", "http")
    assert main(["build", "--config", str(config)]) == 0
    out = capsys.readouterr().out
    for reason in ("noindex", "redirect", "canonical-elsewhere", "draft", "error-page"):
        assert f"left out (1, {reason})" in out
    with serving(config.parent) as proxy:
        for name, origin in HOSTS.items():
            assert main(["check", origin, "--proxy", proxy, "--format", "json"]) == 0
            result = json.loads(capsys.readouterr().out)
            assert (result["status"], result["score"]) == ("pass", 1.0), name
        # From any of the hosts on, all sitemaps are found, and there is nothing to complain of.
        for origin in HOSTS.values():
            command = ["validate", origin, "--discover", "--expand", "--proxy", proxy, "--format", "json"]
            assert main([*command, "--fail-on", "info"]) == 0
            report = json.loads(capsys.readouterr().out)
            assert (report["summary"]["urls"], report["unreadable"]) == (8, [])
            assert {finding["severity"] for finding in report["findings"]} <= {"hint"}
    assert main(["build", "--config", str(config), "--check"]) == 0
    assert "No changes to publish: 8 URLs on 3 sites." in capsys.readouterr().out


def test_its_index_and_robots_txt(tmp_path: Path) -> None:
    config = copied(tmp_path / "example")
    assert main(["build", "--config", str(config), "--format", "json"]) == 0
    index = (config.parent / "www" / "sitemap.xml").read_text()
    assert index.split("\n", 1)[1] == (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<sitemap><loc>https://www.example.com/sitemap-main.xml</loc>"
        "<lastmod>2025-11-15T03:30:00+00:00</lastmod></sitemap>\n"
        "<sitemap><loc>https://docs.example.com/sitemap.xml</loc>"
        "<lastmod>2025-11-13T22:20:00+00:00</lastmod></sitemap>\n"
        "<sitemap><loc>https://md.example.com/sitemap.xml</loc>"
        "<lastmod>2025-11-13T00:00:00+00:00</lastmod></sitemap>\n"
        "</sitemapindex>\n"
    )
    for name in HOSTS:
        robots = config.parent / name / "robots.txt"
        # The example has them as a build leaves them.
        assert robots.read_bytes() == (EXAMPLE / name / "robots.txt").read_bytes()
        assert [one.url for one in Robots.parse(robots.read_bytes()).sitemaps] == [
            f"https://{name}.example.com/sitemap{'-main' if name == 'www' else ''}.xml",
            "https://www.example.com/sitemap.xml",
        ]
