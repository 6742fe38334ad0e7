"""A small, fast site for tests of audits: N pages listed in two sitemaps below an index. Prints its origin, then runs.

Every page that is asked for is appended to the file given, one a line, so that a test can see what was asked when.

Usage: page_server.py PAGES LOG
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

ROOT = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def body_of(path: str, origin: str, count: int) -> tuple[int, str, str]:
    """Status, type and body."""
    if path == "/robots.txt":
        return 200, "text/plain", f"User-agent: *\nDisallow: /p/7\nSitemap: {origin}/sitemap.xml\n"
    if path == "/sitemap.xml":
        children = "".join(f"<sitemap><loc>{origin}/sitemap-{half}.xml</loc></sitemap>" for half in (0, 1))
        return 200, "application/xml", f"<sitemapindex {ROOT}>{children}</sitemapindex>"
    if path in ("/sitemap-0.xml", "/sitemap-1.xml"):
        # The halves overlap, so that some pages are listed twice.
        first, last = (0, count * 6 // 10) if path.startswith("/sitemap-0") else (count * 5 // 10, count)
        entries = "".join(f"<url><loc>{origin}/p/{number}</loc></url>\n" for number in range(first, last))
        return 200, "application/xml", f"<urlset {ROOT}>{entries}</urlset>"
    if path.startswith("/p/"):
        status = 404 if path.endswith("13") else 200
        link = f'<link rel="canonical" href="{path}">'
        return status, "text/html", f"<html lang=en><title>Page {path}</title>{link}<main>Text of {path}</main>"
    return 404, "text/plain", "nothing"


async def serve(count: int, log: Path) -> None:
    """Serves until it is killed."""
    origin = ""
    with log.open("a", buffering=1, encoding="ascii") as lines:

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while request := await reader.readuntil(b"\r\n\r\n"):
                    method, path, _ = request.split(b" ", 2)
                    status, kind, body = body_of(path.decode(), origin, count)
                    if path.startswith(b"/p/"):
                        lines.write(f"{path.decode()}\n")
                    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
                    writer.write(head.encode() + (body.encode() if method == b"GET" else b""))
                    await writer.drain()
            except (OSError, asyncio.IncompleteReadError):
                writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        sys.stdout.write(f"{origin}\n")
        sys.stdout.flush()
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), Path(sys.argv[2])))
