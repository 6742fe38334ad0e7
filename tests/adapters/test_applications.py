"""The WSGI and ASGI applications, called as a server calls them: the same answers from both."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple
from wsgiref.validate import validator

import pytest
from tests.adapters import documented_asgi

import urlset
from urlset.adapters import asgi, wsgi
from urlset.adapters.served import accepts_gzip
from urlset.errors import UsageError

BASE = "https://example.com/"
MODIFIED = datetime(2025, 11, 14, 19, 30, tzinfo=UTC)
PAGES = [{"loc": f"{BASE}{number}?a=1&b=2", "lastmod": "2025-11-14"} for number in range(7)]


class ServedResponse(NamedTuple):
    """What a client gets."""

    status: int
    headers: dict[str, str]
    body: bytes


Call = Callable[..., ServedResponse]


def named(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the application: its headers are called so where those of the request are called that, too."""
    return {name.removeprefix("app_"): value for name, value in arguments.items()}


def call_wsgi(
    place: str, method: str = "GET", headers: dict[str, str] | None = None, **arguments: Any
) -> ServedResponse:
    app = validator(wsgi.SitemapApp(arguments.pop("entries", PAGES), BASE, **named(arguments)))
    began: list[Any] = []
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": place,
        "QUERY_STRING": "",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https",
        "wsgi.input": Silent(),
        "wsgi.errors": Silent(),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in (headers or {}).items()},
    }

    def start(status: str, given: list[tuple[str, str]], _: Any = None) -> Any:
        began.append((int(status[:3]), dict(given)))
        return lambda _: None

    pieces = app(environ, start)
    try:
        body = b"".join(pieces)
    finally:
        pieces.close()  # type: ignore[attr-defined]
    status, sent = began[0]
    return ServedResponse(status, sent, body)


class Silent:
    """What `wsgiref.validate` wants of the streams of a server."""

    def read(self, *_: Any) -> bytes:
        return b""

    readline = readlines = __iter__ = write = writelines = flush = read


def call_asgi(
    place: str, method: str = "GET", headers: dict[str, str] | None = None, **arguments: Any
) -> ServedResponse:
    app = arguments.pop("app", None) or asgi.SitemapApp(arguments.pop("entries", PAGES), BASE, **named(arguments))
    scope = {
        "type": "http",
        "method": method,
        "path": place,
        "headers": [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()],
    }
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        raise AssertionError("nothing of the body is asked for")

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    first, *rest = sent
    assert first["type"] == "http.response.start"
    assert [one.get("more_body", False) for one in rest] == [True] * (len(rest) - 1) + [False]
    sent_headers = {name.decode().title().replace("Etag", "ETag"): value.decode() for name, value in first["headers"]}
    return ServedResponse(first["status"], sent_headers, b"".join(one.get("body", b"") for one in rest))


@pytest.fixture(params=[call_wsgi, call_asgi], ids=["wsgi", "asgi"])
def call(request: pytest.FixtureRequest) -> Call:
    return request.param  # type: ignore[no-any-return]


def locs(content: bytes) -> list[str | None]:
    return [entry.loc for entry in urlset.read(content)]


def test_a_sitemap(call: Call) -> None:
    answer = call("/sitemap.xml")
    assert answer.status == 200
    assert answer.headers == {"Content-Type": "application/xml; charset=utf-8", "Vary": "Accept-Encoding"}
    assert locs(answer.body) == [page["loc"] for page in PAGES]
    report = urlset.validate(answer.body, now=datetime(2026, 1, 1, tzinfo=UTC))
    assert [finding.rule.code for finding in report.findings if finding.rule.severity in ("error", "warning")] == []


def test_it_is_the_same_each_time_and_wherever_it_is_mounted(call: Call) -> None:
    assert call("/sitemap.xml") == call("/sitemap.xml") == call("/maps/sitemap.xml")


@pytest.mark.parametrize(
    "place", ["/", "/other.xml", "/sitemap.xml/x", "/sitemapxxml", "/sitemap-1.xml", "/sitemap-0.xml", "/sitemap.xml\n"]
)
def test_what_there_is_not(call: Call, place: str) -> None:
    answer = call(place)
    assert (answer.status, answer.body) == (404, b"404 Not Found\n")
    assert answer.headers["Content-Length"] == str(len(answer.body))


def test_other_methods(call: Call) -> None:
    answer = call("/sitemap.xml", "POST")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


def test_an_index_over_parts(call: Call) -> None:
    given = {"per_part": 3, "last_modified": MODIFIED}
    index = call("/sitemap.xml", **given)
    children = list(urlset.read(index.body))
    assert [child.loc for child in children] == [f"{BASE}sitemap-{number}.xml" for number in (1, 2, 3)]
    assert {child.lastmod for child in children} == {"2025-11-14T19:30:00+00:00"}
    parts = [call(f"/sitemap-{number}.xml", **given).body for number in (1, 2, 3)]
    assert [len(locs(part)) for part in parts] == [3, 3, 1]
    assert [loc for part in parts for loc in locs(part)] == [page["loc"] for page in PAGES]
    assert call("/sitemap-4.xml", **given).status == call("/sitemap-0.xml", **given).status == 404


def test_beyond_fifty_thousand_there_is_an_index_by_itself(call: Call) -> None:
    asked = []

    def pages(begin: int, end: int) -> Iterator[str]:
        asked.append((begin, end))
        return (f"{BASE}{number}" for number in range(begin, min(end, 50_001)))

    given = {"entries": pages, "count": lambda: 50_001}
    assert len(locs(call("/sitemap.xml", **given).body)) == 2
    assert asked == []
    assert locs(call("/sitemap-2.xml", **given).body) == [f"{BASE}50000"]
    assert asked == [(50_000, 100_000)]


@pytest.mark.parametrize(
    ("header", "is_packed"),
    [
        ("gzip", True),
        ("GZIP;q=0.1, br", True),
        ("br, *", True),
        ("gzip;q=0", False),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("gzip;q=x", False),
        ("br", False),
        ("", False),
    ],
)
def test_gzip_where_it_is_accepted(call: Call, header: str, is_packed: bool) -> None:
    assert accepts_gzip(header) is is_packed
    answer = call("/sitemap.xml", headers={"Accept-Encoding": header})
    assert (answer.headers.get("Content-Encoding") == "gzip") is is_packed
    assert answer.headers["Vary"] == "Accept-Encoding"
    plain = call("/sitemap.xml").body
    assert (gzip.decompress(answer.body) if is_packed else answer.body) == plain


def test_head_asks_for_no_entry(call: Call) -> None:
    def never() -> Iterator[str]:
        gone: dict[str, str] = {}
        return map(gone.__getitem__, ["gone"])

    answer = call("/sitemap.xml", "HEAD", {"Accept-Encoding": "gzip"}, entries=never, etag="7")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers == {**call("/sitemap.xml", "GET", {"Accept-Encoding": "gzip"}, etag="7").headers}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If-None-Match": 'W/"7"'}, 304),
        ({"If-None-Match": '"7"'}, 304),
        ({"If-None-Match": '"6", W/"7"'}, 304),
        ({"If-None-Match": "*"}, 304),
        ({"If-None-Match": '"6"'}, 200),
        # The tag decides where there is one.
        ({"If-None-Match": '"6"', "If-Modified-Since": format_datetime(MODIFIED, usegmt=True)}, 200),
        ({"If-Modified-Since": format_datetime(MODIFIED, usegmt=True)}, 304),
        ({"If-Modified-Since": "Fri, 14 Nov 2025 19:29:59 GMT"}, 200),
        ({"If-Modified-Since": "yesterday"}, 200),
    ],
)
def test_what_did_not_change_is_not_sent(call: Call, headers: dict[str, str], status: int) -> None:
    given = {"etag": lambda: "7", "last_modified": lambda: MODIFIED}
    answer = call("/sitemap.xml", headers=headers, **given)
    assert answer.status == status
    assert answer.headers["ETag"] == 'W/"7"'
    assert answer.headers["Last-Modified"] == "Fri, 14 Nov 2025 19:30:00 GMT"
    assert bool(answer.body) is (status == 200)


def test_an_error_at_the_beginning_is_the_servers_to_answer(call: Call) -> None:
    def broken() -> Iterator[str]:
        gone: dict[str, str] = {}
        return map(gone.__getitem__, ["gone"])

    with pytest.raises(KeyError, match="gone"):
        call("/sitemap.xml", entries=broken)


def test_bad_entries_are_left_out(call: Call) -> None:
    entries = [BASE, "relative", "https://other.example/", BASE]
    assert locs(call("/sitemap.xml", entries=entries).body) == [BASE]
    options = {"hosts": ["*"], "duplicates": "keep"}
    assert len(locs(call("/sitemap.xml", entries=entries, options=options).body)) == 3


def test_names_and_headers_are_the_users_to_choose(call: Call) -> None:
    given = {"options": {"name": "news"}, "app_headers": {"Cache-Control": "max-age=60"}}
    answer = call("/news.xml", **given)
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "max-age=60")
    assert call("/sitemap.xml", **given).status == 404


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"entries": (page for page in PAGES)}, "returns them for each request"),
        ({"per_part": 50_001}, "per_part must be an integer from 1 to 50,000"),
        ({"options": {"colour": "red"}}, "unknown option 'colour'; known options: name, gzip"),
    ],
)
def test_what_cannot_be_meant(call: Call, arguments: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call("/sitemap.xml", **arguments)


def test_wsgi_streams_and_stops_when_the_client_goes() -> None:
    asked = []
    ended = []

    def pages() -> Iterator[str]:
        try:
            for number in range(10_000):
                asked.append(number)
                yield f"{BASE}{number}"
        finally:
            ended.append(len(asked))

    body = wsgi.SitemapApp(pages, BASE)({"REQUEST_METHOD": "GET", "PATH_INFO": "/sitemap.xml"}, lambda *_: None)
    assert len(asked) == 1_000
    next(iter(body))
    body.close()  # type: ignore[attr-defined]
    assert ended == [1_000]


def test_wsgi_has_no_place_for_the_asynchronous() -> None:
    async def pages() -> AsyncIterator[str]:
        yield BASE

    with pytest.raises(UsageError, match=r"use urlset\.adapters\.asgi"):
        call_wsgi("/sitemap.xml", entries=pages)


def test_asgi_takes_the_asynchronous() -> None:
    async def pages() -> AsyncIterator[str]:
        for number in range(2_500):
            await asyncio.sleep(0)
            yield f"{BASE}{number}"

    answer = call_asgi("/sitemap.xml", entries=pages, headers={"Accept-Encoding": "gzip"})
    assert len(locs(gzip.decompress(answer.body))) == 2_500


def test_asgi_agrees_to_the_servers_beginning_and_end() -> None:
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message["type"])

    asyncio.run(asgi.SitemapApp(PAGES, BASE)({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    with pytest.raises(ValueError, match="websocket"):
        asyncio.run(asgi.SitemapApp(PAGES, BASE)({"type": "websocket"}, receive, send))


def test_documented_code_is_what_type_checkers_see() -> None:
    """The lines of the page are in two modules, which mypy checks strictly in `make check`."""
    folder = Path(__file__).parent
    checked = [(folder / f"documented_{kind}.py").read_text(encoding="utf-8").splitlines() for kind in ("asgi", "wsgi")]
    page = (folder.parent.parent / "docs" / "how-to" / "web-applications.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page.partition("\n## ASGI and WSGI\n")[2], re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        assert any(set(block.splitlines()) <= set(lines) for lines in checked), block


def test_documented_application_is_mounted() -> None:
    assert locs(call_asgi("/maps/sitemap.xml", app=documented_asgi.app).body) == ["https://example.com/maps/a"]
