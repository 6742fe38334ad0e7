"""Serve a site from memory on the loopback network: a robots.txt, an index, and the compressed sitemaps that it lists.

Usage: python -m bench.server FOLDER [MILLISECONDS]

It prints the URL of the proxy, and ends when its standard input is closed. Each response is delayed by this time.

The site is http://www.example.com, and this server is the proxy for it, so that it lists pages of its own host, as
sites do.

It is a separate process with one thread and prepared responses, so that it does not limit what is measured.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

ORIGIN = "http://www.example.com"
TYPES = {".gz": "application/gzip", ".xml": "application/xml", ".txt": "text/plain"}


class _Connection(asyncio.Protocol):
    """Respond to requests in order, by their paths alone."""

    def __init__(self, answers: dict[bytes, bytes], delay: float) -> None:
        self._answers = answers
        self._delay = delay
        self._pending = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._pending += data
        while (end := self._pending.find(b"\r\n\r\n")) >= 0:
            request, self._pending = self._pending[:end], self._pending[end + 4 :]
            path = request.split(b" ", 2)[1].removeprefix(ORIGIN.encode())
            answer = self._answers.get(path) or self._answers[b""]
            if self._delay:
                # Responses with the same delay stay in order.
                asyncio.get_running_loop().call_later(self._delay, self._transport.write, answer)
            else:
                self._transport.write(answer)


def _answers(folder: Path) -> dict[bytes, bytes]:
    children = sorted(folder.glob("*.xml.gz"))
    entries = "\n".join(f"<sitemap><loc>{ORIGIN}/{path.name}</loc></sitemap>" for path in children)
    index = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}\n</sitemapindex>\n'
    )
    files = {path.name: path.read_bytes() for path in children}
    files["sitemap.xml"] = index.encode()
    files["robots.txt"] = f"User-agent: *\nAllow: /\n\nSitemap: {ORIGIN}/sitemap.xml\n".encode()
    answers = {f"/{name}".encode(): _answer("200 OK", name, content) for name, content in files.items()}
    return {**answers, b"": _answer("404 Not Found", "none.txt", b"There is no such page.\n")}


def _answer(status: str, name: str, content: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {TYPES[Path(name).suffix]}\r\nContent-Length: {len(content)}\r\n"
        "Last-Modified: Thu, 02 Jan 2025 00:00:00 GMT\r\n\r\n"
    )
    return head.encode() + content


async def _serve(folder: Path, delay: float) -> None:
    answers: dict[bytes, bytes] = {}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers, delay), "127.0.0.1", 0, backlog=512)
    answers |= _answers(folder)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    ended = asyncio.Event()

    def wait() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait, daemon=True).start()
    await ended.wait()
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), float(sys.argv[2]) / 1000 if len(sys.argv) > 2 else 0))
