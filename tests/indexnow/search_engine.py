"""A loopback server that is a site with a key file, and IndexNow endpoints that behave as told."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class SearchEngine(ThreadingHTTPServer):
    """The server, and what it received.

    Attributes:
        plan: For each endpoint path, what it answers, in order: a status code, `reset`, or `slow`; then `usual`.
        usual: What an endpoint answers without a plan.
        bodies: The body of each POST, with its path and what it answered.
        files: Statuses and contents of other paths.
        message: The body of each response of an endpoint.
        kill_at: The number of the POST at which the client is killed, before the response or after it.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.clear()

    def clear(self) -> None:
        self.plan: dict[str, list[Any]] = {}
        self.usual: Any = 200
        self.bodies: list[tuple[str, dict[str, Any], Any]] = []
        self.headers: list[dict[str, str]] = []
        self.files: dict[str, tuple[int, bytes, dict[str, str]]] = {}
        self.message = b""
        self.kill_at: int | None = None
        self.kill: Callable[[], None] = lambda: None
        self.is_killed_late = False
        self.delay = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def accepted(self) -> list[str]:
        """Every URL of each accepted batch."""
        return [
            url
            for _, body, answer in self.bodies
            if isinstance(answer, int) and 200 <= answer < 300
            for url in body["urlList"]
        ]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: SearchEngine

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        status, content, headers = self.server.files.get(self.path, (404, b"", {}))
        self._send(status, content, headers)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        plan = self.server.plan.get(self.path)
        answer = plan.pop(0) if plan else self.server.usual
        self.server.headers.append(dict(self.headers))
        self.server.bodies.append((self.path, body, answer))
        is_last = len(self.server.bodies) == self.server.kill_at
        if is_last and not self.server.is_killed_late:
            self.server.kill()
            self.close_connection = True
            return
        if answer == "reset":
            self.connection.close()
            self.close_connection = True
        elif answer == "slow":
            with contextlib.suppress(OSError):
                time.sleep(3)
                self._send(500, b"")
        elif isinstance(answer, tuple):
            self._send(answer[0], self.server.message, answer[1])
        else:
            self._send(answer, self.server.message)
        if is_last:
            time.sleep(self.server.delay)
            self.server.kill()

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


@contextlib.contextmanager
def serving() -> Iterator[SearchEngine]:
    """The running server."""
    server = SearchEngine()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
