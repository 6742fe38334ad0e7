"""Requests on the wire, and connections that are reused."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from urlset.fetch.client import Client
from urlset.net.trust import Trust
from urlset.options.verbs import ReadOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from urlset.fetch.response import Response

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Answers each request with the next of the answers, and closes the connection after an empty one and the last."""

    def __init__(self, answers: list[bytes]) -> None:
        self.answers = answers
        self.connections = 0
        self.requests: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = [line for line in head.splitlines() if line.lower().startswith("content-length:")]
                body = await reader.readexactly(int(length[0].partition(":")[2])) if length else b""
                self.requests.append(head + body.decode())
                answer = self.answers.pop(0)
                if not answer:
                    break
                writer.write(answer)
                await writer.drain()
                if not self.answers:
                    break
        writer.close()


def asked(
    answers: list[bytes], ask: Callable[[Client, str], Awaitable[list[Response]]], **options: object
) -> tuple[Server, list[Response]]:
    """Return the server after some requests, and the responses."""
    server = Server(answers)

    @contextlib.asynccontextmanager
    async def running() -> AsyncIterator[str]:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        host, port = listening.sockets[0].getsockname()
        yield f"http://{host}:{port}"
        listening.close()

    async def work() -> list[Response]:
        async with running() as origin:
            settings = ReadOptions(cache=False, retries=0, timeout=5.0, **options)  # type: ignore[arg-type]
            async with Client(settings, Trust.of([origin])) as client:
                return await ask(client, origin)

    return server, asyncio.run(work())


async def _twice(client: Client, origin: str) -> list[Response]:
    return [await client.get(f"{origin}/{path}", via=None) for path in ("a?b=c#d", "e")]


def test_a_connection_is_reused() -> None:
    server, responses = asked([OK, OK], _twice)
    assert [response.content for response in responses] == [b"ok", b"ok"]
    assert server.connections == 1
    assert [request.partition("\r\n")[0] for request in server.requests] == ["GET /a?b=c HTTP/1.1", "GET /e HTTP/1.1"]


def test_headers_on_the_wire() -> None:
    server, _ = asked([OK, OK], _twice, header=("X-Own: 1",), user_agent="test/1")
    names = [line.partition(":")[0] for line in server.requests[0].splitlines()[1:] if line]
    assert names == ["Host", "Accept", "User-Agent", "Accept-Encoding", "X-Own"]
    assert "\r\nUser-Agent: test/1\r\n" in server.requests[0]


def test_host_of_the_user_replaces_that_of_the_url() -> None:
    server, _ = asked([OK, OK], _twice, header=("host: staging.example",))
    hosts = [line for line in server.requests[0].splitlines() if line.lower().startswith("host:")]
    assert [line.partition(": ")[2] for line in hosts] == ["staging.example"]


def test_a_closed_idle_connection_is_replaced() -> None:
    server, responses = asked([OK, b"", OK], _twice)
    assert [response.content for response in responses] == [b"ok", b"ok"]
    assert server.connections == 2


def test_a_server_that_keeps_closing_is_asked_twice() -> None:
    server, responses = asked([b"", b"", OK, OK], _twice)
    assert [response.error_kind for response in responses] == ["reset", None]
    assert server.connections == 3


def test_post_is_sent_once() -> None:
    async def post(client: Client, origin: str) -> list[Response]:
        return [await client.post(f"{origin}/key", b'{"a":1}', max_bytes=100) for _ in range(2)]

    server, responses = asked([OK, b"", OK], post)
    assert [response.error_kind for response in responses] == [None, "reset"]
    assert len(server.requests) == 2
    assert server.requests[0].endswith('\r\n\r\n{"a":1}')
    assert "Content-Length: 7\r\n" in server.requests[0]
    assert "Content-Type: application/json; charset=utf-8\r\n" in server.requests[0]


def test_interim_responses_are_skipped() -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
    _, responses = asked([hints + hints + OK, OK], _twice)
    assert [(response.status, response.content) for response in responses] == [(200, b"ok"), (200, b"ok")]
    assert "link" not in responses[0].headers


def test_head_and_responses_without_a_body_keep_the_connection() -> None:
    async def ask(client: Client, origin: str) -> list[Response]:
        head = await client.head(f"{origin}/a", via=None)
        return [head, *[await client.get(f"{origin}/{path}", via=None) for path in "bc"]]

    head = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
    server, responses = asked([head, b"HTTP/1.1 204 No Content\r\n\r\n", OK], ask)
    assert [response.status for response in responses] == [200, 204, 200]
    assert [response.content for response in responses] == [b"", b"", b"ok"]
    assert server.connections == 1
