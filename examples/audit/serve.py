"""Serves the site in site.toml on loopback. It has every fault that an audit finds on pages.

It is also an IndexNow endpoint, at /indexnow, which accepts everything and keeps it in `RECEIVED`.

Usage: python examples/audit/serve.py [PORT]   (default: a free port; stop with Ctrl+C)
"""

from __future__ import annotations

import base64
import contextlib
import json
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE: dict[str, Any] = tomllib.loads((Path(__file__).resolve().parent / "site.toml").read_text("utf-8"))
PAGES: dict[str, dict[str, Any]] = {page["path"]: page for page in SITE["page"]}
UNLISTED: dict[str, dict[str, Any]] = {page["path"]: page for page in SITE["unlisted"]}
FILES: dict[str, bytes] = {file["path"]: base64.b64decode(file["content"]) for file in SITE["file"]}
NAMESPACES = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
}
KEY = "0f3c8a1e5b7d49620f3c8a1e5b7d4962"
"""The IndexNow key of the site, which it serves at /KEY.txt."""

RECEIVED: list[list[str]] = []
"""The URLs of each request to the endpoint."""

WORDS = 180
"""Words on a page: enough for the rules on its text to apply."""


def sitemap() -> str:
    """Returns the sitemap: the declaration, the root, and one entry per line."""
    names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    names += "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<urlset {names}>"]
    for number, page in enumerate(SITE["page"]):
        if not page.get("listed", True):
            continue
        lastmod = f"<lastmod>{page.get('lastmod', f'2025-10-{1 + number % 31:02}')}</lastmod>"
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{{site}}{path}"/>'
            for code, path in page.get("versions", {}).items()
        )
        pictures = "".join(
            f"<image:image><image:loc>{{site}}{path}</image:loc></image:image>" for path in page.get("images", ())
        )
        lines.append(f"<url><loc>{{site}}{page['path']}</loc>{lastmod}{links}{pictures}{film(page)}</url>")
    return "\n".join([*lines, "</urlset>", ""])


def film(page: dict[str, Any]) -> str:
    """Returns the video of a page, if the page has a thumbnail."""
    if "thumbnail" not in page:
        return ""
    return (
        f"<video:video><video:thumbnail_loc>{{site}}{page['thumbnail']}</video:thumbnail_loc><video:title>A film"
        "</video:title><video:description>How a chair is made.</video:description><video:content_loc>"
        f"{{site}}{page['path']}.mp4</video:content_loc></video:video>"
    )


def change() -> None:
    """Changes the site as site.toml says: pages that are new, removed, or have another lastmod or text."""
    for one in SITE["change"]:
        if one["path"] in PAGES:
            PAGES[one["path"]].update(one)
        else:
            PAGES[one["path"]] = one
            SITE["page"].append(one)


def line_of(path: str) -> int:
    """Returns the line of the sitemap that lists a page."""
    return 3 + list(PAGES).index(path)


def html(page: dict[str, Any]) -> str:
    """Returns the HTML of a page."""
    name = page["path"].strip("/").replace("/", " ").replace("-", " ") or "home"
    canonical = f'<link rel="canonical" href="{{site}}{page["path"]}">' if page.get("canonical", True) else ""
    text = f"About {page.get('text', name)}. " * (page.get("words", WORDS) // 2)
    head = f'<meta charset="utf-8"><title>{page.get("title", name)}</title>{canonical}{page.get("head", "")}'
    body = f"<main><p>{text}</p>{page.get('body', '')}{links(page)}</main>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def links(page: dict[str, Any]) -> str:
    """Returns the links of a page. The home page links to every listed page that does not say otherwise."""
    targets = list(page.get("links", ()))
    if page["path"] == "/":
        targets += [
            one["path"]
            for one in SITE["page"]
            if one.get("linked", True) and one.get("listed", True) and one is not page
        ]
    written = [f'<a href="{path}">{path}</a>' for path in targets]
    written += [f'<a rel="nofollow" href="{path}">{path}</a>' for path in page.get("nofollow", ())]
    return "".join(f"<p>{link}</p>" for link in written)


class Handler(BaseHTTPRequestHandler):
    """Responds as site.toml specifies."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Sends one response."""
        path = self.path.partition("?")[0]
        if path == "/robots.txt":
            self._send(200, SITE["robots"].lstrip(), {"Content-Type": "text/plain"})
        elif path == "/sitemap.xml":
            self._send(200, sitemap(), {"Content-Type": "application/xml"})
        elif path == f"/{KEY}.txt":
            self._send(200, KEY, {"Content-Type": "text/plain"})
        elif path in FILES:
            self._send_bytes(200, FILES[path], {"Content-Type": "image/png"})
        elif path in UNLISTED:
            self._send(200, html(UNLISTED[path]), {})
        elif path not in PAGES:
            self._send(404, "Page not found.\n", {"Content-Type": "text/plain"})
        elif PAGES[path].get("hangs_up"):
            self.close_connection = True
        else:
            page = PAGES[path]
            self._send(page.get("status", 200), html(page), page.get("headers", {}))

    def do_POST(self) -> None:
        """Accepts URLs, as an IndexNow endpoint does."""
        content = self.rfile.read(int(self.headers["Content-Length"]))
        RECEIVED.append(json.loads(content)["urlList"])
        self._send(200, "", {})

    def _send(self, status: int, text: str, headers: dict[str, str]) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        self._send_bytes(status, text.replace("{site}", address_of(self.server)).encode(), headers)

    def _send_bytes(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", "ETag": '"1"', **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Logs nothing."""


def address_of(server: ThreadingHTTPServer) -> str:
    """Returns the origin of the server."""
    return f"http://127.0.0.1:{server.server_address[1]}"


@contextlib.contextmanager
def serving(port: int = 0) -> Iterator[str]:
    """Serves the site and yields its origin."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield address_of(server)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> int:
    """Serves the site until it is interrupted."""
    with serving(int(sys.argv[1]) if len(sys.argv) > 1 else 0) as site, contextlib.suppress(KeyboardInterrupt):
        print(f"{site} serves the site with faults; stop with Ctrl+C", flush=True)
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
