"""A small internet on loopback: 127.0.0.1 is public, what lies above is private, and names lead where a test says."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp.abc import ResolveResult

from urlset.fetch.resolver import SystemResolver
from urlset.net import reach

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PUBLIC, PRIVATE, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
ROOT = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
IMAGES = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'


@dataclass(frozen=True)
class Request:
    """A request that arrived."""

    address: str
    host: str
    method: str
    path: str
    authorization: str | None
    key: str | None


@dataclass
class Internet:
    """What the hosts answer, where their names lead, and what they were asked.

    A name has several answers; each is given once, the last for ever.
    """

    port: int = 0
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    pages: dict[tuple[str, str], tuple[int, str, bytes]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    added: dict[str, str] = field(default_factory=dict)
    """Headers of all answers."""

    def url(self, host: str, path: str = "") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, host: str, path: str, body: str = "", kind: str = "application/xml") -> None:
        self.pages[host, path] = 200, kind, body.encode()

    def redirect(self, host: str, path: str, to: str) -> None:
        self.pages[host, path] = 302, to, b""

    def index(self, host: str, path: str, *locs: str) -> None:
        self.put(host, path, index_of(*locs))

    def urlset(self, host: str, path: str, *locs: str) -> None:
        self.put(host, path, urlset_of(*locs))

    def paths(self, address: str) -> list[str]:
        """What was asked for at an address."""
        return [each.path for each in self.requests if each.address == address]


def index_of(*locs: str) -> str:
    return f"<sitemapindex {ROOT}>{''.join(f'<sitemap><loc>{loc}</loc></sitemap>' for loc in locs)}</sitemapindex>"


def urlset_of(*locs: str) -> str:
    return f"<urlset {ROOT}>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}</urlset>"


class Handler(BaseHTTPRequestHandler):
    """Answers from the table."""

    internet: Internet
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        internet = self.internet
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        internet.requests.append(
            Request(
                self.connection.getsockname()[0],
                host,
                self.command,
                self.path,
                self.headers.get("Authorization"),
                self.headers.get("X-Key"),
            )
        )
        status, what, body = internet.pages.get((host, self.path), (404, "text/plain", b"nothing"))
        self.send_response(status)
        self.send_header("Location" if status == 302 else "Content-Type", what)
        self.send_header("Content-Length", str(len(body)))
        for name, value in internet.added.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[int, type[Handler]]]:
    """The same port at each address."""

    class Mine(Handler):
        pass

    with ExitStack() as stack:
        running: list[ThreadingHTTPServer] = []
        port = 0
        for address in (PUBLIC, PRIVATE, OTHER):
            server = ThreadingHTTPServer((address, port), Mine)
            server.daemon_threads = True
            stack.callback(server.server_close)
            port = server.server_address[1]
            running.append(server)
        for server in running:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.shutdown)
        yield port, Mine


@pytest.fixture
def internet(servers: tuple[int, type[Handler]], monkeypatch: pytest.MonkeyPatch) -> Internet:
    """The internet, empty."""
    port, handler = servers
    internet = handler.internet = Internet(port)

    async def resolve(
        _: SystemResolver, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if host not in internet.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        answers = internet.names[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(hostname=host, host=each, port=port, family=socket.AF_INET, proto=0, flags=0)
            for each in addresses
        ]

    monkeypatch.setattr(SystemResolver, "resolve", resolve)
    networks = [network for network in reach.NOT_PUBLIC_V4 if not network.network_address.is_loopback]
    loopback = ipaddress.IPv4Network("127.0.0.0/8").address_exclude(ipaddress.IPv4Network(f"{PUBLIC}/32"))
    monkeypatch.setattr(reach, "NOT_PUBLIC_V4", (*networks, *loopback))
    internet.names |= {"public.test": [[PUBLIC]], "other.test": [[PUBLIC]], "intra.test": [[PRIVATE]]}
    return internet


@pytest.fixture
def cli(cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Runs a command in an empty folder, without waiting between requests."""
    monkeypatch.chdir(tmp_path)

    def run(command: str, *arguments: str, fetches: bool = True) -> Any:
        return cli(command, *arguments, *(["--no-cache", "--retries", "0"] if fetches else []))

    return run
