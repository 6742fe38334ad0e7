"""Servers and ports on the loopback network."""

from __future__ import annotations

import itertools
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORTS = range(20_000, 32_000)
"""What no system hands out to a program that asks for any port: there, another test may take a port that was free."""

_next = itertools.count(os.getpid() * 100)


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Runs a server in the block, which writes nothing to standard error, and yields its origin."""
    quiet = type(handler.__name__, (handler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), quiet) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def free_port() -> int:
    """A port for a program that binds it itself, which no other test gets meanwhile."""
    for number in itertools.islice(_next, len(PORTS)):
        port = PORTS[number % len(PORTS)]
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no port is free")


@contextmanager
def closed_port() -> Iterator[int]:
    """A port that refuses connections: it is bound in the block, and nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
