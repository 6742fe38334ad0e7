"""`check --clients` names the planted cause of each server first, and finds nothing wrong with ordinary ones."""

from __future__ import annotations

import gzip
import http.server
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import brotli
import msgspec
import pytest
import trustme
from aiohttp.abc import AbstractResolver, ResolveResult
from tests.cases import case_table
from tests.loopback import closed_port, served

from urlset.cli.commands import COMMANDS
from urlset.clients.answer_record import content_of
from urlset.clients.causes import CAUSES
from urlset.errors import UsageError
from urlset.model.client_check import ClientCheck, Content
from urlset.options import ClientsOptions
from urlset.pipeline.clients import check_clients

XML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://shop.example/käse</loc></url></urlset>\n"
).encode()
PAGE = b"<!DOCTYPE html><html><head><title>Shop</title></head><body><div id=app></div></body></html>"
TYPE = {"Content-Type": "application/xml"}


class Ask(NamedTuple):
    """A request as a planted server sees it; `number` counts those for the sitemap from 1."""

    method: str
    path: str
    headers: Any
    number: int


Answer = tuple[int, dict[str, str], bytes]
Plan = Callable[[Ask], Answer | None]


def sitemap(ask: Ask) -> Answer:
    """A server that does everything right."""
    if ask.path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nAllow: /\n"
    if ask.path != "/sitemap.xml":
        return 404, {"Content-Type": "text/plain"}, b"not found"
    tag = '"v1"'
    if ask.headers.get("If-None-Match") == tag:
        return 304, {"ETag": tag}, b""
    if ask.headers.get("Range") == "bytes=0-99":
        return 206, {**TYPE, "Content-Range": f"bytes 0-99/{len(XML)}"}, XML[:100]
    accepted = ask.headers.get("Accept-Encoding", "")
    for name, compress in (("gzip", gzip.compress), ("br", brotli.compress)):
        if name in accepted:
            return 200, {**TYPE, "ETag": tag, "Content-Encoding": name, "Vary": "Accept-Encoding"}, compress(XML)
    return 200, {**TYPE, "ETag": tag}, XML


def changed(**headers: str) -> Plan:
    """The sitemap with other headers."""

    def plan(ask: Ask) -> Answer:
        status, usual, body = sitemap(ask)
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return status, {**usual, **(more if ask.path == "/sitemap.xml" and status in (200, 206) else {})}, body

    return plan


def instead(status: int, body: bytes, when: Callable[[Ask], bool] = lambda _: True, **headers: str) -> Plan:
    """Something else in place of the sitemap."""

    def plan(ask: Ask) -> Answer:
        if ask.path != "/sitemap.xml" or not when(ask):
            return sitemap(ask)
        return status, {name.replace("_", "-"): value for name, value in headers.items()}, body

    return plan


def is_agent(*names: str) -> Callable[[Ask], bool]:
    return lambda ask: any(name in ask.headers.get("User-Agent", "") for name in names)


def robots(text: bytes, status: int = 200) -> Plan:
    return lambda ask: (status, {"Content-Type": "text/plain"}, text) if ask.path == "/robots.txt" else sitemap(ask)


def app(ask: Ask) -> Answer:
    return 200, {"Content-Type": "text/html"}, PAGE


def moved(ask: Ask) -> Answer:
    hops = {"/sitemap.xml": "/a", "/a": "/b", "/b": "/maps.xml"}
    if ask.path in hops:
        return 301, {"Location": hops[ask.path]}, b""
    return sitemap(ask._replace(path="/sitemap.xml")) if ask.path == "/maps.xml" else sitemap(ask)


def cookie_wall(ask: Ask) -> Answer:
    return 302, {"Location": ask.path, "Set-Cookie": "seen=1"}, b""


def half(ask: Ask) -> Answer:
    status, headers, body = sitemap(ask)
    return status, {**headers, "Content-Length": str(len(body) + 10)} if body else headers, body


PLANTED: dict[str, tuple[str, Plan]] = {
    "cloudflare": ("challenge", instead(403, b"<title>Just a moment...</title>", cf_mitigated="challenge")),
    "challenge-in-the-page": ("challenge", instead(200, b"<html><title>Just a moment...</title></html>")),
    "accepted": ("challenge", instead(202, b"", x_amzn_waf_action="challenge")),
    "cookie": ("consent", cookie_wall),
    "app": ("web-page", app),
    "googlebot": ("user-agent", instead(403, b"no", is_agent("Googlebot", "bingbot"))),
    "ai-crawlers": ("user-agent", instead(403, b"no", is_agent("GPTBot", "ClaudeBot"))),
    "now-and-then": ("intermittent", instead(503, b"busy", lambda ask: ask.number % 3 == 1)),
    "always-down": ("server-error", instead(500, b"oops")),
    "missing": ("refused", instead(404, b"not found")),
    "login": ("login", instead(401, b"who?", WWW_Authenticate='Basic realm="staging"')),
    "payment": ("payment", instead(402, b"", is_agent("GPTBot"), crawler_price="USD 0.01")),
    "robots": ("robots", robots(b"User-agent: *\nDisallow: /sitemap.xml\n")),
    "robots-down": ("robots", robots(b"", 503)),
    "not-modified": ("not-modified", instead(304, b"")),
    "not-modified-for-any-tag": ("not-modified", instead(304, b"", lambda ask: "If-None-Match" in ask.headers)),
    "empty": ("empty", instead(200, b"", Content_Type="application/xml")),
    "broken-gzip": ("encoding", changed(Content_Encoding="gzip, gzip")),
    "compression-unasked": (
        "encoding",
        instead(200, gzip.compress(XML), Content_Encoding="gzip", Content_Type="application/xml"),
    ),
    "length": ("content-length", half),
    "control-character": ("http", changed(X_Powered_By="a\x01b")),
    "type": ("content-type", changed(Content_Type="text/html")),
    "charset": ("charset", changed(Content_Type="text/xml; charset=iso-8859-1")),
    "cache": ("cache-age", changed(Age=str(30 * 86_400))),
    "redirects": ("redirects", moved),
    "noindex": ("noindex", changed(X_Robots_Tag="noindex")),
    "head": ("head", instead(405, b"", lambda ask: ask.method == "HEAD")),
    "range": ("range", instead(500, b"", lambda ask: "Range" in ask.headers)),
    "loop": ("redirect-loop", instead(301, b"", Location="/sitemap.xml")),
}
"""The cause that is found first, and the server, by what is planted."""


@contextmanager
def planted(plan: Plan) -> Iterator[str]:
    count = 0

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            nonlocal count
            count += self.path == "/sitemap.xml"
            found = plan(Ask(self.command, self.path, self.headers, count))
            assert found is not None
            status, headers, body = found
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD" and status != 304:
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    with served(Handler) as origin:
        yield origin


def checked(url: str, **more: Any) -> ClientCheck:
    options = ClientsOptions(rate=10_000, cache=False, retries=0, timeout=20, **more.pop("options", {}))
    return check_clients(url, options, **more)


@case_table("cause, plan", PLANTED)
def test_the_planted_cause_is_named_first(cause: str, plan: Plan) -> None:
    with planted(plan) as origin:
        check = checked(f"{origin}/sitemap.xml")
    assert check.findings, check.answers
    assert check.findings[0].cause == cause, check.findings
    # What follows from the cause is not reported as another one.
    assert len({finding.cause for finding in check.findings}) == 1, check.findings


@pytest.mark.parametrize("value", ["max-image-preview: none", "otherbot: noindex", "noarchive"])
def test_directives_that_do_not_forbid_indexing(value: str) -> None:
    with planted(changed(X_Robots_Tag=value)) as origin:
        assert checked(f"{origin}/sitemap.xml").findings == ()


def test_an_ordinary_server_is_not_accused() -> None:
    with planted(sitemap) as origin:
        check = checked(f"{origin}/sitemap.xml")
    assert check.findings == ()
    assert check.status == "pass"
    assert [left.request for left in check.not_tried] == ["ipv6"]


def test_a_server_without_compression_validators_and_ranges_is_not_accused() -> None:
    def plan(ask: Ask) -> Answer:
        return (200, TYPE, XML) if ask.path == "/sitemap.xml" else (404, {}, b"")

    with planted(plan) as origin:
        assert checked(f"{origin}/sitemap.xml").findings == ()


def compressed(ask: Ask) -> Answer:
    """As Apache sends a part of the compressed file, and Caddy the length of an empty body."""
    status, headers, body = sitemap(ask)
    if ask.path != "/sitemap.xml" or status == 304 or "gzip" not in ask.headers.get("Accept-Encoding", ""):
        return status, headers, body
    packed = {**TYPE, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    if ask.method == "HEAD":
        return 200, {**packed, "Content-Length": "20"}, b""
    body = gzip.compress(XML)
    if status == 206:
        return 206, {**packed, "Content-Range": f"bytes 0-99/{len(body)}"}, body[:100]
    return 200, packed, body


def test_a_server_that_compresses_parts_and_nothing_is_not_accused() -> None:
    with planted(compressed) as origin:
        check = checked(f"{origin}/sitemap.xml")
    part = check.answer("range")
    assert part is not None
    assert (part.status, part.wire_bytes) == (206, 100)
    assert check.findings == ()


def test_a_server_of_files_is_not_accused(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(XML)

    class Files(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(tmp_path))

    with served(Files) as origin:
        assert checked(f"{origin}/sitemap.xml").findings == ()


def test_a_server_that_cannot_be_reached_has_one_cause() -> None:
    with closed_port() as port:
        check = checked(f"http://127.0.0.1:{port}/sitemap.xml")
    assert [finding.cause for finding in check.findings] == ["unreachable"]


def test_a_page_may_be_a_page() -> None:
    with planted(app) as origin:
        assert checked(f"{origin}/about.html").findings == ()


def test_the_sitemap_of_a_site_is_found() -> None:
    def plan(ask: Ask) -> Answer:
        if ask.path == "/robots.txt":
            return 200, {}, f"Sitemap: http://{ask.headers['Host']}/maps.xml\n".encode()
        return sitemap(ask._replace(path="/sitemap.xml" if ask.path == "/maps.xml" else ask.path))

    with planted(plan) as origin:
        check = checked(origin)
    assert check.url == f"{origin}/maps.xml"
    assert check.found_by == "robots"
    assert check.findings == ()


def test_a_slow_answer() -> None:
    now = 0.0

    def plan(ask: Ask) -> Answer:
        nonlocal now
        now += 9.0
        return sitemap(ask)

    with planted(plan) as origin:
        check = checked(f"{origin}/sitemap.xml", clock=lambda: now)
    assert [finding.cause for finding in check.findings] == ["slow"]
    assert "9.0 s" in check.findings[0].evidence


class Names(AbstractResolver):
    """Resolves every name to the loopback addresses."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = addresses

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=0,
            )
            for address in self._addresses
        ]

    async def close(self) -> None:
        pass


def test_ipv6_that_does_not_answer() -> None:
    with planted(sitemap) as origin:
        port = origin.rpartition(":")[2]
        check = checked(f"http://shop.example:{port}/sitemap.xml", resolver=Names("127.0.0.1", "::1"))
    [finding] = check.findings
    assert finding.cause == "ipv6"
    assert "over IPv6" in finding.evidence


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[trustme.CA, str]:
    root = trustme.CA()
    path = tmp_path_factory.mktemp("tls") / "root.pem"
    root.cert_pem.write_to_path(str(path))
    return root, str(path)


@contextmanager
def secured(
    certificate: trustme.LeafCert,
    chain: int | None,
    handle: Callable[[ssl.SSLSocket], None],
    protocols: tuple[str, ...] = ("http/1.1",),
) -> Iterator[int]:
    """A TLS server; `chain` is how many of its certificates it sends."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(list(protocols))
    pem = b"".join(blob.bytes() for blob in certificate.cert_chain_pems[:chain])
    with certificate.private_key_pem.tempfile() as key, trustme.Blob(pem).tempfile() as file:
        context.load_cert_chain(file, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def work() -> None:
        while True:
            try:
                accepted, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(accepted, server_side=True) as connection:
                    handle(connection)
            except OSError:
                continue

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


def plain_answer(connection: ssl.SSLSocket) -> None:
    text = connection.recv(65_536)
    if not text:
        return
    found = text.split(b" ")[1] == b"/sitemap.xml"
    body = XML if found else b""
    head = f"HTTP/1.1 {200 if found else 404} X\r\nContent-Type: application/xml\r\nConnection: close\r\n"
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + (b"" if text[:4] == b"HEAD" else body))


def test_a_chain_without_the_intermediate_certificate(authority: tuple[trustme.CA, str]) -> None:
    root, path = authority
    leaf = root.create_child_ca().issue_cert("127.0.0.1")
    with secured(leaf, 1, plain_answer) as port:
        check = checked(f"https://127.0.0.1:{port}/sitemap.xml", options={"ca_bundle": path})
    assert check.findings[0].cause == "certificate"
    assert "intermediate certificate" in check.findings[0].evidence
    with secured(leaf, None, plain_answer) as port:
        check = checked(f"https://127.0.0.1:{port}/sitemap.xml", options={"ca_bundle": path})
    assert check.findings == ()


def http2_answer(status: int) -> Callable[[ssl.SSLSocket], None]:
    from h2.config import H2Configuration
    from h2.connection import H2Connection
    from h2.events import RequestReceived

    def handle(connection: ssl.SSLSocket) -> None:
        if connection.selected_alpn_protocol() != "h2":
            plain_answer(connection)
            return
        state = H2Connection(H2Configuration(client_side=False))
        state.initiate_connection()
        connection.sendall(state.data_to_send())
        while data := connection.recv(65_536):
            for event in state.receive_data(data):
                if isinstance(event, RequestReceived):
                    headers = [(":status", str(status)), ("content-type", "application/xml")]
                    state.send_headers(event.stream_id, headers)
                    state.send_data(event.stream_id, XML, end_stream=True)
            connection.sendall(state.data_to_send())

    return handle


@pytest.mark.parametrize(("status", "causes"), [(200, []), (421, ["http2"])])
def test_http2(authority: tuple[trustme.CA, str], status: int, causes: list[str]) -> None:
    root, path = authority
    with secured(root.issue_cert("127.0.0.1"), None, http2_answer(status), ("h2", "http/1.1")) as port:
        check = checked(f"https://127.0.0.1:{port}/sitemap.xml", options={"ca_bundle": path})
    answer = check.answer("http2")
    assert answer is not None
    assert (answer.http_version, answer.status) == ("2", status)
    assert [finding.cause for finding in check.findings] == causes


def test_a_redirect_cannot_lead_into_a_private_network() -> None:
    with planted(instead(302, b"", Location="http://169.254.169.254/latest/meta-data/")) as origin:
        check = checked(f"{origin}/sitemap.xml")
    assert {answer.error_kind for answer in check.answers if answer.redirects} == {"private-address"}


def test_secrets_are_not_sent() -> None:
    seen: list[Any] = []

    def plan(ask: Ask) -> Answer:
        seen.append(ask.headers)
        return sitemap(ask)

    with planted(plan) as origin:
        checked(f"{origin}/sitemap.xml", options={"auth": "bob:SECRET", "header": ["X-Key: SECRET"]})
    assert seen
    assert not [headers for headers in seen if "SECRET" in str(headers)]


def test_a_proxy_is_refused() -> None:
    with pytest.raises(UsageError, match="without --proxy"):
        checked("http://127.0.0.1:9/sitemap.xml", options={"proxy": "http://127.0.0.1:9"})


@pytest.mark.parametrize(
    ("start", "content"),
    [
        (b"", Content.EMPTY),
        (b"  \n", Content.EMPTY),
        (b"\xef\xbb\xbf<?xml?>", Content.XML),
        (b"<!DOCTYPE HTML>", Content.HTML),
        (b"<!-- a --><html>", Content.HTML),
        (b"\x1f\x8b\x08", Content.GZIP),
        (b"https://a.example/", Content.TEXT),
        (b"\x00\x01", Content.BINARY),
    ],
)
def test_what_a_body_looks_like(start: bytes, content: Content) -> None:
    assert content_of(start) is content


def test_every_cause_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "couldnt-fetch.md").read_text("utf-8")
    table = page[page.index("| cause |") :]
    named = {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([a-z0-9-]+)`", line.split("|")[1])
    }
    assert named == {cause.name for cause in CAUSES}
    assert {cause for cause, _ in PLANTED.values()} <= named


def test_every_row_of_the_table_has_the_command_that_proves_it() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "couldnt-fetch.md").read_text("utf-8")
    rows = page[page.index("| Search Console says |") : page.index("## Causes")].strip().splitlines()[2:]
    named = set()
    for row in rows:
        proof = row.split(" | ")[2]
        commands = re.findall(r"`urlset ([a-z]+)", proof)
        assert commands, row
        assert {*commands} <= {name for group in COMMANDS.values() for name in group}, row
        named |= {*re.findall(r"`([a-z][a-z0-9-]+)`", proof)} if "--clients" in proof else set()
    assert named <= {cause.name for cause in CAUSES}
    # These stop a crawler.
    assert {cause for cause, _ in PLANTED.values()} - named <= {"robots", "noindex", "head", "range"}


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_the_command(form: str, cli: Any) -> None:
    hostile = instead(200, b"<html>", X_Robots_Tag="noindex \x1b[31m | ::error::")
    with planted(hostile) as origin:
        options = ("--clients", "--rate", "10000", "--no-cache", "--format", form, "-v", "--color", "never")
        done = cli("check", f"{origin}/sitemap.xml", *options)
    assert done.code == 1
    assert "A web page is returned instead of the sitemap" in done.out
    assert "\x1b" not in done.out
    if form == "json":
        found = json.loads(done.out)
        assert found.pop("version") == 1
        assert msgspec.convert(found, ClientCheck).findings[0].cause == "web-page"


def test_no_address_is_said_as_without_the_option(cli: Any) -> None:
    assert cli("check", "", "--clients").err == cli("check", "").err
