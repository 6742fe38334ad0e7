"""Responses that violate HTTP and that curl reads are read, and what is wrong with them is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fetch.test_connection import OK, asked

from urlset.fetch import read_bytes
from urlset.fetch.tolerance import Chunks

if TYPE_CHECKING:
    import pytest

    from urlset.fetch.client import Client
    from urlset.fetch.response import Response

LONGER = "the server sent more than the length of the body"
TWICE = "Content-Length is given more than once"
BOTH = "Content-Length and Transfer-Encoding are both given"
IDENTITY = "Transfer-Encoding is identity, which HTTP no longer has"
BLANK = "a header name is next to a blank"

READ: list[tuple[str, bytes, int, bytes, tuple[str, ...]]] = [
    ("valid", OK, 200, b"ok", ()),
    ("short length", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", 200, b"ok", (LONGER,)),
    (
        "short length, closed",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nokay",
        200,
        b"ok",
        (LONGER,),
    ),
    ("short length of an error", b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nnothing", 404, b"no", (LONGER,)),
    ("length 0", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nok", 200, b"", (LONGER,)),
    ("body of 204", b"HTTP/1.1 204 No Content\r\n\r\nok", 204, b"", (LONGER,)),
    ("two equal lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nok", 200, b"ok", (TWICE,)),
    ("a list of lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok", 200, b"ok", (TWICE,)),
    (
        "length and chunks",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        200,
        b"ok",
        (BOTH,),
    ),
    (
        "bytes after the last chunk",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nmore",
        200,
        b"ok",
        (LONGER,),
    ),
    (
        "identity",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok",
        200,
        b"ok",
        (IDENTITY,),
    ),
    ("identity without a length", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nok", 200, b"ok", (IDENTITY,)),
    ("blank before the colon", b"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok", 200, b"ok", (BLANK,)),
    (
        "blank in a name",
        b"HTTP/1.1 200 OK\r\nX y: 1\r\nContent-Length: 2\r\n\r\nok",
        200,
        b"ok",
        ("a header name is invalid",),
    ),
    ("no name", b"HTTP/1.1 200 OK\r\n: 1\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", ("a header has no name",)),
    (
        "no colon",
        b"HTTP/1.1 200 OK\r\nhello\r\nContent-Length: 2\r\n\r\nok",
        200,
        b"ok",
        ("a header line has no colon",),
    ),
    (
        "folded header",
        b"HTTP/1.1 200 OK\r\nX-A: 1,\r\n 2\r\nContent-Length: 2\r\n\r\nok",
        200,
        b"ok",
        ("a header is continued on the next line",),
    ),
    (
        "control character",
        b"HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 2\r\n\r\nok",
        200,
        b"ok",
        ("a header has a control character",),
    ),
    ("line feeds alone", b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, b"ok", ()),
    ("status line of HTTP/2", b"HTTP/2 200\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", ()),
    ("blank line first", b"\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", ()),
    ("no length", b"HTTP/1.0 200 OK\r\n\r\nok", 200, b"ok", ()),
]

REFUSED: list[tuple[str, bytes, str]] = [
    ("different lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", "bad-response"),
    ("no length", b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok", "bad-response"),
    ("another protocol", b"SSH-2.0-OpenSSH_9.6\r\n", "bad-response"),
    ("damaged chunk", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n", "bad-response"),
    ("too little", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", "cut-off"),
]


async def _once(client: Client, origin: str) -> list[Response]:
    return [await client.get(f"{origin}/a", via=None)]


def test_what_curl_reads_is_read(subtests: pytest.Subtests) -> None:
    for name, sent, status, body, problems in READ:
        with subtests.test(name):
            _, [answer] = asked([sent], _once)
            read = (answer.status, answer.error_kind, read_bytes(answer.content, 100), answer.problems)
            assert read == (status, None, body, problems)


def test_what_has_no_one_reading_is_refused(subtests: pytest.Subtests) -> None:
    for name, sent, error_kind in REFUSED:
        with subtests.test(name):
            _, [answer] = asked([sent], _once)
            assert answer.error_kind == error_kind


def test_a_connection_with_more_than_a_response_is_not_used_again() -> None:
    async def twice(client: Client, origin: str) -> list[Response]:
        return [await client.get(f"{origin}/a", via=None), await client.get(f"{origin}/b", via=None)]

    planted = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
    server, answers = asked([OK + planted, OK], twice)
    assert [read_bytes(answer.content, 100) for answer in answers] == [b"ok", b"ok"]
    assert server.connections == 2


def test_problems_of_a_redirect_are_named() -> None:
    moved = b"HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 2\r\n\r\nmoved"
    _, [answer] = asked([moved, OK], _once)
    assert (answer.status, answer.problems) == (200, (LONGER,))


def test_the_end_of_chunks_does_not_depend_on_the_pieces() -> None:
    body = b"5;x=y\r\nhello\r\n1\r\n\n\r\n0\r\nTrailer: a\r\n\r\n"
    for size in range(1, len(body) + 5):
        chunks, sent, ends = Chunks(), body + b"more", []
        for at in range(0, len(sent), size):
            end = chunks.end_in(sent[at : at + size])
            if end is not None:
                ends.append(at + end)
                break
        assert ends == [len(body)]
