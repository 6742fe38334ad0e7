"""Builds a small site into a directory, and serves it on loopback with the faults of faults.toml.

Usage: python examples/deploy/serve.py DIR [PORT] [FAULT…]   (stop with Ctrl+C)
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).resolve().parent / "faults.toml").read_text("utf-8"))
NAMES = [each["name"] for each in (*TABLE["fault"], *TABLE["harmless"])]

EDITION, EARLIER = 2026, 2025
"""The build to deploy, and the one before it."""

PAGES = {"/": "Furniture", "/chairs/": "Chairs", "/tables/": "Tables", "/lamps/": "Lamps", "/shelves/": "Shelves"}
EMAIL = "shop@example.com"
TYPES = {"html": "text/html; charset=utf-8", "xml": "application/xml", "txt": "text/plain; charset=utf-8"}

MANAGED = """# BEGIN Cloudflare Managed content

User-agent: *
Content-Signal: search=yes,ai-train=no
Allow: /

User-agent: GPTBot
Disallow: /

User-agent: CCBot
Disallow: /
# END Cloudflare Managed Content

"""


def built(origin: str, edition: int = EDITION) -> dict[str, bytes]:
    """Returns the files of a build by their path in the directory."""
    files = {f"{path.lstrip('/')}index.html": page(origin, path, edition) for path in PAGES}
    entries = "".join(f"<url><loc>{origin}{path}</loc><lastmod>{edition}-10-01</lastmod></url>\n" for path in PAGES)
    files["sitemap.xml"] = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )
    files["robots.txt"] = f"User-agent: *\nDisallow: /cart/\n\nSitemap: {origin}/sitemap.xml\n"
    files["llms.txt"] = f"# Furniture\n\n> A shop.\n\n## Pages\n\n- [Chairs]({origin}/chairs/): all chairs\n"
    return {name: text.encode() for name, text in files.items()}


def page(origin: str, path: str, edition: int) -> str:
    """Returns the HTML of a page."""
    name = PAGES[path]
    links = "\n".join(f'      <li><a href="{other}">{title}</a></li>' for other, title in PAGES.items())
    text = " ".join(f"{name} number {number} of the year {edition} is on offer." for number in range(1, 9))
    return f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{name}</title>
    <link rel="canonical" href="{origin}{path}">
  </head>
  <body>
    <nav>
      <ul>
{links}
      </ul>
    </nav>
    <main>
      <h1>{name}</h1>
      <p>{text}</p>
      <p>Write to <a href="mailto:{EMAIL}">{EMAIL}</a> for a catalogue.</p>
    </main>
  </body>
</html>
"""


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Writes the files of a build."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@dataclass(frozen=True)
class Sent:
    """A response."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A request, and the site that it is for."""

    origin: str
    path: str
    query: str
    files: dict[str, bytes]

    @property
    def name(self) -> str:
        """The file of the path."""
        return f"{self.path.lstrip('/')}index.html" if self.path.endswith("/") else self.path.lstrip("/")


def sent(asked: Asked) -> Sent:
    """Returns the response of a server that serves the files as they are."""
    if asked.name not in asked.files:
        return Sent(
            404, b"<!doctype html><title>Not found</title><p>There is no such page.", {"content-type": TYPES["html"]}
        )
    return Sent(200, asked.files[asked.name], {"content-type": TYPES[asked.name.rpartition(".")[2]]})


def with_header(response: Sent, name: str, value: str) -> Sent:
    """Returns a response with another header."""
    return replace(response, headers={**response.headers, name: value})


def earlier(asked: Asked) -> Sent:
    """Returns the response of the earlier build."""
    return sent(replace(asked, files=built(asked.origin, EARLIER)))


def minified(response: Sent) -> Sent:
    """Returns a page without the spaces between its elements, and without quotes and optional tags."""
    if not response.headers.get("content-type", "").startswith("text/html"):
        return response
    text = re.sub(rb"\s+", b" ", response.body)
    text = re.sub(rb"> <", b"><", text)
    text = re.sub(rb'="([\w/-]+)"', rb"=\1", text)
    return replace(response, body=re.sub(rb"</(?:p|li|body|html)>", b"", text))


def obfuscated(response: Sent) -> Sent:
    """Returns a page with its address as Cloudflare writes it."""
    key = 0x5A
    digits = bytes([key, *(byte ^ key for byte in EMAIL.encode())]).hex()
    link = f'<a href="mailto:{EMAIL}">{EMAIL}</a>'
    hidden = (
        f'<a href="/cdn-cgi/l/email-protection#{digits}"><span class="__cf_email__" data-cfemail="{digits}">'
        "[email&#160;protected]</span></a>"
    )
    script = b'<script data-cfasync="false" src="/cdn-cgi/scripts/email-decode.min.js"></script></body>'
    body = response.body.replace(link.encode(), hidden.encode()).replace(b"</body>", script)
    return replace(response, body=body)


def on(path: str, change: Callable[[Asked, Sent], Sent]) -> Change:
    """Returns a change of the responses for one path."""
    return lambda asked, response: change(asked, response) if asked.path == path else response


def _with_old_offer(asked: Asked, response: Sent) -> Sent:
    if asked.path == "/old-offer/":
        body = b"<!doctype html><title>Old offer</title><main><p>This offer has ended, and nobody built this page."
        return Sent(200, body, {"content-type": TYPES["html"]})
    if asked.path == "/sitemap.xml":
        entry = f"<url><loc>{asked.origin}/old-offer/</loc></url>\n</urlset>"
        return replace(response, body=response.body.replace(b"</urlset>", entry.encode()))
    return response


def _edge(asked: Asked, response: Sent) -> Sent:
    if asked.query:
        return with_header(response, "cf-cache-status", "MISS")
    return with_header(with_header(earlier(asked), "age", "86400"), "cf-cache-status", "HIT")


Change: TypeAlias = Callable[[Asked, Sent], Sent]

CHANGES: dict[str, Change] = {
    "managed-robots": on("/robots.txt", lambda _, response: replace(response, body=MANAGED.encode() + response.body)),
    "fallback": on("/sitemap.xml", lambda asked, _: sent(replace(asked, path="/"))),
    "stale-page": on("/chairs/", lambda asked, _: earlier(asked)),
    "stale-site": lambda asked, _: earlier(asked),
    "missing-page": on("/tables/", lambda asked, _: sent(replace(asked, path="/none"))),
    "login": on("/tables/", lambda _, __: Sent(302, b"", {"location": "/sso?next=/tables/"})),
    "noindex-header": on("/lamps/", lambda _, response: with_header(response, "x-robots-tag", "noindex")),
    "preview-canonical": on(
        "/lamps/",
        lambda asked, response: replace(
            response,
            body=response.body.replace(
                f'canonical" href="{asked.origin}'.encode(), b'canonical" href="https://preview-42.pages.dev'
            ),
        ),
    ),
    "edge": on("/chairs/", _edge),
    "cut-sitemap": on("/sitemap.xml", lambda _, response: replace(response, body=response.body[:200])),
    "content-type": on(
        "/shelves/", lambda _, response: with_header(response, "content-type", "application/octet-stream")
    ),
    "unbuilt-page": _with_old_offer,
    "minified": lambda _, response: minified(response),
    "obfuscated-email": lambda _, response: obfuscated(response),
}
"""What each fault, and each harmless change, makes of a response."""


class Site(ThreadingHTTPServer):
    """Serves a build.

    Attributes:
        faults: The changes of its responses, by name.
        instead: The response to every request, in place of the site; None to serve the site.
        asked: The requested paths.
    """

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        self.faults: list[str] = []
        self.instead: Sent | None = None
        self.asked: list[str] = []
        self.files = built(self.origin)

    def response(self, target: str) -> Sent:
        """Returns the response to a request."""
        path, _, query = target.partition("?")
        self.asked.append(target)
        if self.instead is not None:
            return self.instead
        asked = Asked(self.origin, path, query, self.files)
        if path == "/sso":
            form = b"<!doctype html><title>Log in</title><form><input type=password></form>"
            return Sent(200, form, {"content-type": TYPES["html"]})
        response = sent(asked)
        for name in self.faults:
            response = CHANGES[name](asked, response)
        return response


class Handler(BaseHTTPRequestHandler):
    """Sends the responses of a site."""

    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        """Sends one response."""
        response = self.server.response(self.path)
        self.send_response(response.status)
        for name, value in {**response.headers, "content-length": str(len(response.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)

    def log_message(self, *_: object) -> None:
        """Writes nothing."""


@contextlib.contextmanager
def serving(port: int = 0) -> Iterator[Site]:
    """Serves in the block."""
    with Site(port) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        try:
            yield site
        finally:
            site.shutdown()


def main() -> int:
    """Builds the site, and serves it until Ctrl+C."""
    if len(sys.argv) < 2 or not set(sys.argv[3:]) <= set(NAMES):
        print(__doc__, file=sys.stderr)
        print(f"Faults: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    with serving(int(sys.argv[2]) if len(sys.argv) > 2 else 0) as site, contextlib.suppress(KeyboardInterrupt):
        write(Path(sys.argv[1]), site.files)
        site.faults = sys.argv[3:]
        print(
            f"Serving {site.origin}/ with {', '.join(site.faults) or 'no faults'}; built in {sys.argv[1]}", flush=True
        )
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
