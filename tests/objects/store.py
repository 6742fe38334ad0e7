"""An object store on loopback with the S3 protocol: moto's server, and faults in front of it by the prefix of the key."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import fsspec
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

BUCKET = "sitemaps"
REFUSED = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
)
SLOWNESS = 30.0
"""Seconds between two pieces of a slow body, more than any test waits."""


@dataclass
class ObjectStore:
    """The server, and what was requested of it.

    Attributes:
        address: Its URL.
        requests: Method, path and query of each request.
        released: Ends slow bodies.
    """

    address: str = ""
    requests: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    app: Any = None

    def __call__(self, environment: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        method, path = environment["REQUEST_METHOD"], environment["PATH_INFO"]
        query = environment.get("QUERY_STRING", "")
        self.requests.append(f"{method} {path}{'?' if query else ''}{query}")
        key = path.removeprefix(f"/{BUCKET}/")
        if key.startswith("refused/") or f"prefix=refused{'%2F'}" in query:
            start("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(REFUSED)))])
            return [REFUSED] if method != "HEAD" else []
        if method == "GET" and key.startswith("slow/"):
            start("206 Partial Content", [("Content-Length", "1000"), ("ETag", '"slow"')])
            return self._slowly()
        if method == "GET" and key.startswith("torn/"):
            start("206 Partial Content", [("Content-Length", "1000"), ("ETag", '"torn"')])
            return [b"<urlset>"]
        return self.app(environment, start)  # type: ignore[no-any-return]

    def _slowly(self) -> Iterator[bytes]:
        yield b"<urlset>"
        self.released.wait(SLOWNESS)

    def bodies(self) -> list[str]:
        """The objects whose bodies were requested."""
        return [one.split()[1].partition("?")[0] for one in self.requests if one.startswith("GET") and "list-type" not in one]


@contextmanager
def serving() -> Iterator[ObjectStore]:
    store = ObjectStore(app=DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, store, threaded=True, request_handler=MotoRequestHandler)
    store.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        store.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
