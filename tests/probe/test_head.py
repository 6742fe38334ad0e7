"""HEAD, and GET if HEAD fails: one case for each kind of failure."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from tests.fetch.hostile import Behaviour, Request, reset, send, serving

from urlset.fetch.fetcher import Fetcher
from urlset.net.trust import Trust
from urlset.options import ProbeMethod, ProbingOptions, ReadOptions
from urlset.probe.facts import ProbeTarget, Row
from urlset.probe.prober import Prober

PDF = b"%PDF-1.7"
PAGE = b"<!doctype html><title>Not found</title><meta name=robots content=noindex><main>Text</main>"


def on_head(*answer: str, body: bytes = PDF, kind: str = "application/pdf") -> Behaviour:
    """Responds to HEAD with a given status and headers, and to GET normally."""

    async def behave(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if request.method == "HEAD":
            lines = [f"HTTP/1.1 {answer[0]}", *(answer[1:] or ("Content-Length: 8",)), "", ""]
            writer.write("\r\n".join(lines).encode())
        else:
            send(writer, "200 OK", body, f"Content-Type: {kind}")

    return behave


async def hangs_up_on_head(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if request.method == "HEAD":
        writer.close()
    else:
        send(writer, "200 OK", PDF, "Content-Type: application/pdf")


async def resets_on_head(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if request.method == "HEAD":
        reset(writer)
    else:
        send(writer, "200 OK", PDF, "Content-Type: application/pdf")


async def silent_on_head(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if request.method == "HEAD":
        await asyncio.sleep(60)
    send(writer, "200 OK", PDF, "Content-Type: application/pdf")


async def nonsense_on_head(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if request.method == "HEAD":
        writer.write(b"\x00\x01what?\r\n\r\n")
        writer.close()
    else:
        send(writer, "200 OK", PDF, "Content-Type: application/pdf")


async def body_on_head(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    send(writer, "200 OK", PDF, "Content-Type: application/pdf")


BEHAVIOURS: dict[str, Behaviour] = {
    **{
        f"/{status[:3]}.pdf": on_head(status)
        for status in (
            "400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found", "405 Method Not Allowed",
            "429 Too Many Requests", "500 Internal Server Error", "501 Not Implemented", "503 Service Unavailable",
        )
    },
    "/304.pdf": on_head("304 Not Modified"),
    "/no-location.pdf": on_head("302 Found"),
    "/to-itself.pdf": on_head("302 Found", "Location: /to-itself.pdf", "Content-Length: 0"),
    "/hangs-up.pdf": hangs_up_on_head,
    "/resets.pdf": resets_on_head,
    "/silent.pdf": silent_on_head,
    "/nonsense.pdf": nonsense_on_head,
    "/body.pdf": body_on_head,
    "/good.pdf": on_head("200 OK", "Content-Type: application/pdf", "Content-Length: 8"),
    "/page.pdf": on_head("200 OK", "Content-Type: text/html; charset=utf-8", body=PAGE, kind="text/html"),
    "/page": on_head("200 OK", "Content-Type: text/html", body=PAGE, kind="text/html"),
    "/typeless.pdf": on_head("200 OK"),
}  # fmt: skip

NOT_UNDERSTOOD = {
    **{f"/{status}.pdf": (status, None) for status in (304, 400, 401, 403, 404, 405, 429, 500, 501, 503)},
    "/no-location.pdf": (302, "bad-redirect"),
    "/to-itself.pdf": (302, "redirect-loop"),
    "/hangs-up.pdf": (None, "reset"),
    "/resets.pdf": (None, "reset"),
    "/silent.pdf": (None, "read-timeout"),
    "/nonsense.pdf": (None, "bad-response"),
}


def fetched(*paths: str, method: ProbeMethod = ProbeMethod.AUTO) -> tuple[dict[str, Row], list[tuple[str, str]]]:
    """Return the row of each path, and the requests."""
    fetch = ReadOptions(cache=False, retries=1, read_timeout=0.3, concurrency=1)
    with serving(more=BEHAVIOURS) as server, Fetcher(fetch, Trust.of([server.url])) as fetcher:
        waiting = [ProbeTarget(server.url + path, {}, None) for path in paths]

        def more(_: int) -> list[ProbeTarget]:
            taken, waiting[:] = waiting[:], []
            return taken

        prober = Prober(fetcher, ProbingOptions(method=method), more)
        rows = {row["url"].removeprefix(server.url): row for batch in prober for row in batch}
        asked = [(request.method, request.path) for request in server.requests if request.path != "/robots.txt"]
    return rows, asked


@pytest.mark.sampled(1)
@pytest.mark.parametrize("method", [ProbeMethod.AUTO, ProbeMethod.HEAD])
def test_get_follows_if_head_fails(method: ProbeMethod) -> None:
    rows, asked = fetched(*NOT_UNDERSTOOD, method=method)
    seen: dict[str, Any] = {path: (row["head_status"], row["head_error_kind"]) for path, row in rows.items()}
    assert seen == NOT_UNDERSTOOD
    assert {(row["method"], row["status"], row["error_kind"]) for row in rows.values()} == {("GET", 200, None)}
    assert all(row.get("hops") is None for row in rows.values())
    assert set(asked) == {(one, path) for path in NOT_UNDERSTOOD for one in ("GET", "HEAD")}
    assert sorted(path for one, path in asked if one == "GET") == sorted(NOT_UNDERSTOOD)
    # HEAD is not retried, since GET decides. Only a reused connection may happen to be closed.
    by_head = Counter(path for one, path in asked if one == "HEAD")
    assert {path for path, count in by_head.items() if count > 1} <= {"/hangs-up.pdf", "/resets.pdf"}


@pytest.mark.parametrize(
    ("path", "method", "expected"),
    [
        ("/good.pdf", ProbeMethod.AUTO, ["HEAD"]),
        ("/typeless.pdf", ProbeMethod.AUTO, ["HEAD"]),
        ("/page.pdf", ProbeMethod.AUTO, ["HEAD", "GET"]),
        ("/page", ProbeMethod.AUTO, ["GET"]),
        ("/page.pdf", ProbeMethod.HEAD, ["HEAD"]),
        ("/page", ProbeMethod.HEAD, ["HEAD"]),
        ("/good.pdf", ProbeMethod.GET, ["GET"]),
        ("/404.pdf", ProbeMethod.GET, ["GET"]),
    ],
)
def test_methods_sent(path: str, method: ProbeMethod, expected: list[str]) -> None:
    rows, asked = fetched(path, method=method)
    assert [one for one, _ in asked] == expected
    row = rows[path]
    assert (row["method"], row["status"]) == (expected[-1], 200)
    assert row.get("head_status") == (200 if len(expected) == 2 else None)
    # What a page says about itself is known if its body was fetched.
    is_page_read = path.startswith("/page") and expected[-1] == "GET"
    assert row["noindex"] == ("meta robots: noindex" if is_page_read else None)


def test_body_after_head_does_not_disturb_later_requests() -> None:
    rows, _ = fetched("/body.pdf", "/good.pdf", "/page")
    assert {path: (row["status"], row["error_kind"]) for path, row in rows.items()} == dict.fromkeys(rows, (200, None))
    assert rows["/page"]["noindex"] == "meta robots: noindex"


def test_failure_that_affects_get_too_is_requested_once() -> None:
    fetch = ReadOptions(cache=False, retries=0)
    with Fetcher(fetch, Trust.of(["http://127.0.0.1:1/"])) as fetcher:
        batches = [[ProbeTarget("http://127.0.0.1:1/a.pdf", {}, None)], []]
        prober = Prober(fetcher, ProbingOptions(ask_forbidden=True), lambda _: batches.pop(0))
        [row] = [row for batch in prober for row in batch]
    assert (row["method"], row["error_kind"], row.get("head_error_kind")) == ("HEAD", "refused", None)
