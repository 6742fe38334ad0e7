"""What a browser may reach, and with which credentials: only the command line of `urlset serve` decides."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.serve.conftest import HERE, opened
from tests.serve.test_jobs import waited

from urlset.cli.serve import Options
from urlset.net.origin import parse_origin
from urlset.options.auditing import AuditOptions
from urlset.serve import app
from urlset.serve.jobs import JobState, Limits

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{}/page</loc></url></urlset>'


class Site:
    """A site on the loopback network, whose robots.txt lists the sitemap of every site in `others`.

    Attributes:
        received: The credentials of each request, by its path.
    """

    def __init__(self) -> None:
        self.received: dict[str, list[str | None]] = defaultdict(list)
        self.others: list[Site] = [self]
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.received[self.path].append(self.headers.get("authorization") or self.headers.get("x-preview"))
                text = "<!DOCTYPE html><title>page</title><p>A page."
                if self.path == "/robots.txt":
                    text = "".join(f"Sitemap: {other.origin}/sitemap.xml\n" for other in site.others)
                elif self.path == "/sitemap.xml":
                    text = SITEMAP.format(site.origin)
                self.send_response(200)
                self.send_header("Content-Type", "text/html" if self.path == "/page" else "text/plain")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def credentials(self) -> set[str | None]:
        return {text for texts in self.received.values() for text in texts}


@pytest.fixture
def sites() -> Iterator[tuple[Site, Site]]:
    """Two sites, each of which lists the sitemaps of both."""
    first, second = Site(), Site()
    first.others = second.others = [first, second]
    yield first, second
    for site in (first, second):
        site.server.shutdown()
        site.server.server_close()


def state_after(folder: Path, target: str, limits: Limits, kind: str = "audit") -> JobState:
    """Run a job, and return how it ended."""
    with opened(folder, None, HERE, limits) as bench:
        bench.post("/jobs", target=target, kind=kind)
        return waited(bench, 1).state


@pytest.mark.parametrize("kind", ["audit", "validate", "check", "page"])
def test_credentials_go_to_their_origin_alone(sites: tuple[Site, Site], tmp_path: Path, kind: str) -> None:
    """Whichever target the browser names."""
    first, second = sites
    options = Options(header=(f"{first.origin}=X-Preview: 1",), auth=(f"{second.origin}/=me:secret",))
    limits = Limits(allow_private=True, headers=options.headers_by_origin())
    target = f"{first.origin}/page" if kind == "page" else first.origin
    assert state_after(tmp_path, target, limits, kind) is JobState.FINISHED
    assert first.credentials == {"1"}
    assert second.credentials <= {"Basic bWU6c2VjcmV0"}
    assert second.credentials or kind in ("check", "page")


@pytest.mark.parametrize(("named", "reached"), [(True, True), (False, False)])
def test_an_origin_that_the_command_line_names_is_reached(
    sites: tuple[Site, Site], tmp_path: Path, named: bool, reached: bool
) -> None:
    """Others on private networks are not, also not from there."""
    first, second = sites
    headers = {parse_origin(first.origin): (("X-Preview", "1"),)} if named else {}
    assert (state_after(tmp_path, first.origin, Limits(headers=headers)) is JobState.FINISHED) is reached
    assert bool(first.received) is reached
    assert not second.received


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Any, ...]]:
    """The arguments of servers, which do not start."""
    started: list[tuple[Any, ...]] = []
    monkeypatch.setattr(app, "serve", lambda *arguments: started.append(arguments))
    monkeypatch.chdir(tmp_path)
    return started


CONFIGURED: Mapping[str, str] = {
    "allow-private": "true",
    "header": '["Cookie: secret=1"]',
    "auth": '"me:secret"',
    "proxy": '"http://10.0.0.1:8080"',
    "ca-bundle": '"ca.pem"',
    "insecure": "true",
    "map": '["https://www.example.com=http://10.0.0.1"]',
}


@pytest.mark.parametrize("key", CONFIGURED)
@pytest.mark.parametrize("table", ["[network]\n", ""])
def test_a_file_decides_neither_reach_nor_credentials(
    served: list[tuple[Any, ...]], cli: Callable[..., Any], key: str, table: str
) -> None:
    """Each key that is not used is named when the server starts, without its value."""
    Path("urlset.toml").write_text(f"{table}{key} = {CONFIGURED[key]}\n", "utf-8")
    done = cli("serve")
    assert done.code == 0
    assert f"urlset.toml: network.{key} is not used by `urlset serve`" in done.err
    assert "secret" not in done.err
    [(_, _, _, options, limits)] = served
    assert getattr(options, key.replace("-", "_")) == getattr(AuditOptions(), key.replace("-", "_"))
    assert not limits.allow_private
    assert limits.headers == {}


def test_the_command_line_decides_both(served: list[tuple[Any, ...]], cli: Callable[..., Any]) -> None:
    Path("urlset.toml").write_text('[network]\nretries = 0\nproxy = "http://10.0.0.1"\n', "utf-8")
    arguments = ("--allow-private", "--proxy", "http://localhost:1", "--auth", "https://EXAMPLE.com:443=a:b=c")
    assert cli("serve", *arguments).code == 0
    [(_, _, _, options, limits)] = served
    assert (options.proxy, options.retries, limits.allow_private) == ("http://localhost:1", 0, True)
    assert limits.headers == {parse_origin("https://example.com"): (("Authorization", "Basic YTpiPWM="),)}


WRONG = [
    ("--header", "X-Preview: 1"),
    ("--header", "example.com=X-Preview: 1"),
    ("--header", "https://example.com/path=X-Preview: 1"),
    ("--header", "https://example.com?a=X-Preview: 1"),
    ("--header", "https://me:secret@example.com=X-Preview: 1"),
    ("--header", "https://example.com=secret"),
    ("--header", "https://example.com=X: secret\nY: 2"),
    ("--header", "https://example.com="),
    ("--header", "file:///etc=X: secret"),
    ("--auth", "me:secret"),
    ("--auth", "https://example.com=secret"),
    ("--auth", "https://example.com:0=me:secret"),
    ("--auth", "https://127.1=me:secret"),
]


@pytest.mark.parametrize(("option", "value"), WRONG)
def test_credentials_without_an_origin_are_refused(
    served: list[tuple[Any, ...]], cli: Callable[..., Any], option: str, value: str
) -> None:
    done = cli("serve", option, value)
    assert done.code == 2
    assert "must be" in done.err or "is not a valid" in done.err
    assert "secret" not in done.err.partition("\n")[0]
    assert served == []


@pytest.mark.parametrize(
    "more", [("--auth", "https://a.example=b:c"), ("--header", "https://a.example=authorization: x")]
)
def test_an_origin_gets_one_authorization(
    served: list[tuple[Any, ...]], cli: Callable[..., Any], more: tuple[str, str]
) -> None:
    done = cli("serve", "--auth", "https://a.example=a:b", *more)
    assert done.code == 2
    assert "https://a.example would receive two Authorization headers" in done.err
    assert served == []
