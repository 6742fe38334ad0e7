"""Host names: results of the system resolver, and that a hanging resolver blocks nothing."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import pytest

from urlset.fetch.fetcher import Fetcher
from urlset.fetch.resolver import SystemResolver
from urlset.fetch.response import FetchError
from urlset.net.trust import Trust
from urlset.options import ReadOptions


def test_localhost_is_this_machine() -> None:
    found = asyncio.run(SystemResolver().resolve("localhost", 80))
    assert {result["host"] for result in found} <= {"127.0.0.1", "::1"}
    assert {result["port"] for result in found} == {80}


def test_scope_of_a_link_local_address_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fe80::1", 80, 0, 3))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [entry])
    assert asyncio.run(SystemResolver().resolve("here", 80))[0]["host"] == "fe80::1%3"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "host name gone.example cannot be resolved"),
        (
            socket.gaierror(socket.EAI_AGAIN, "later"),
            "host name gone.example cannot be resolved (temporary DNS failure)",
        ),
        (UnicodeError("label too long"), "host name gone.example cannot be resolved"),
    ],
)
def test_name_that_cannot_be_resolved(monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with Fetcher(ReadOptions(retries=0, cache=False), Trust.of(["http://gone.example/"])) as fetcher:
        answer = fetcher.get("http://gone.example/", via=None)
    assert (answer.error_kind, answer.reason) == (FetchError.DNS, reason)


def test_hanging_resolver_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def hang(*_: Any, **__: Any) -> Any:
        released.wait(30)
        raise OSError("too late")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    options = ReadOptions(connect_timeout=0.2, retries=0, cache=False)
    with Fetcher(options, Trust.of(["http://slow.example/"])) as fetcher:
        answer = fetcher.get("http://slow.example/", via=None)
    # The client closes while the lookup still hangs.
    assert not released.is_set()
    released.set()
    assert (answer.error_kind, answer.reason) == (FetchError.CONNECT_TIMEOUT, "no connection within 0.2 s")
