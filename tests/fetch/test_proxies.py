"""Proxies: which requests go through one, what it receives, and how it can fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.loopback import closed_port

from urlset.errors import UsageError
from urlset.fetch.fetcher import Fetcher
from urlset.fetch.proxies import Proxies
from urlset.fetch.request_url import address_of
from urlset.fetch.response import FetchError, Response
from urlset.net.trust import Trust
from urlset.options import ReadOptions


@dataclass
class Seen:
    """A proxy, and the requests that it received."""

    url: str
    heads: list[str] = field(default_factory=list)
    answer: bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nproxy"


@pytest.fixture
def proxy() -> Iterator[Seen]:
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    seen = Seen("")

    async def serve() -> None:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            seen.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(seen.answer)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        seen.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        await stop.wait()
        server.close()
        await asyncio.sleep(0.01)

    stop = asyncio.Event()

    def work() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield seen
    loop.call_soon_threadsafe(stop.set)
    thread.join(10)


def fetched(url: str, **more: Any) -> Response:
    options = ReadOptions(timeout=5, retries=0, cache=False, **more)
    with Fetcher(options, Trust.of(["http://site.example/"], allow_private=options.allow_private)) as fetcher:
        return fetcher.get(url, via=None)


def test_the_proxy_of_the_options(proxy: Seen) -> None:
    # The proxy itself is in a private network, as most are, and no name is resolved here.
    answer = fetched("http://site.example/a?b=c", proxy=proxy.url.replace("//", "//me:hunter2@"))
    assert answer.content == b"proxy"
    assert proxy.heads[0].startswith("GET http://site.example/a?b=c HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic bWU6aHVudGVyMg==" in proxy.heads[0]


def test_the_proxies_of_the_environment(proxy: Seen, monkeypatch: pytest.MonkeyPatch, hostile: Any) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,.internal.example")
    assert fetched("http://site.example/").content == b"proxy"
    assert fetched(f"{hostile.url}/good", allow_private=True).ok
    assert len(proxy.heads) == 1


@pytest.mark.parametrize(
    ("variables", "url", "expected"),
    [
        ({}, "http://a.example/", None),
        ({"http_proxy": "http://p:1"}, "http://a.example/", "http://p:1/"),
        ({"http_proxy": "http://p:1"}, "https://a.example/", None),
        ({"HTTPS_PROXY": "http://p:1"}, "https://a.example/", "http://p:1/"),
        ({"ALL_PROXY": "p:1"}, "https://a.example/", "http://p:1/"),
        ({"ALL_PROXY": "http://p:1", "HTTPS_PROXY": "http://q:1"}, "https://a.example/", "http://q:1/"),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "*"}, "https://a.example/", None),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "a.example"}, "https://a.example/", None),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": ".example"}, "https://a.example/", None),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "a.example:8080"}, "https://a.example:8080/", None),
        ({"ALL_PROXY": "http://p:1", "NO_PROXY": "b.example"}, "https://a.example/", "http://p:1/"),
    ],
)
def test_which_proxy(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], url: str, expected: str | None
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = Proxies(None).of(address_of(url))
    assert (None if found is None else str(found.url)) == expected


@pytest.mark.parametrize(
    ("answer", "url", "error_kind", "reason"),
    [
        (b"407 Proxy Authentication Required", "http://site.example/", FetchError.PROXY,
         "the proxy requires a user name and password; add them to the proxy URL"),
        (b"407 Proxy Authentication Required", "https://site.example/", FetchError.PROXY,
         "the proxy requires a user name and password; add them to the proxy URL"),
        (b"403 Forbidden", "https://site.example/", FetchError.PROXY, "the proxy returned HTTP 403"),
        (b"403 Forbidden", "http://site.example/", None, "returned HTTP 403 Forbidden"),
    ],
)  # fmt: skip
def test_responses_of_the_proxy(
    proxy: Seen, answer: bytes, url: str, error_kind: FetchError | None, reason: str
) -> None:
    proxy.answer = b"HTTP/1.1 " + answer + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    got = fetched(url, proxy=proxy.url)
    assert (got.error_kind, got.reason) == (error_kind, reason)


def test_proxy_that_refuses_connections() -> None:
    with closed_port() as port:
        answer = fetched("http://site.example/", proxy=f"http://me:hunter2@127.0.0.1:{port}")
    assert answer.error_kind is FetchError.PROXY
    assert answer.reason == "cannot connect to the proxy: connection refused"


def test_hosts_behind_the_proxy_are_guarded_as_far_as_visible(proxy: Seen) -> None:
    for url in ("http://169.254.169.254/", "http://localhost/", "http://[::1]/"):
        assert fetched(url, proxy=proxy.url).error_kind is FetchError.PRIVATE_ADDRESS
    assert proxy.heads == []


@pytest.mark.parametrize("text", ["socks5://me:hunter2@p:1", "http://", "ftp://p"])
def test_invalid_proxy_url(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="invalid proxy URL") as caught:
        Proxies(text)
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("https_proxy", text)
    with pytest.raises(UsageError, match=r"^HTTPS_PROXY: "):
        Proxies(None)
