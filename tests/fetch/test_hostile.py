"""Behaviors of a hostile network and the resulting values, in one table. Nothing hangs."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from urlset.fetch.fetcher import Fetcher
from urlset.fetch.response import FetchError, Response
from urlset.net.trust import Trust
from urlset.options import ReadOptions

QUICK = ReadOptions(
    timeout=1.0,
    read_timeout=0.4,
    connect_timeout=0.4,
    max_document_bytes=1_000_000,
    max_redirects=5,
    retries=0,
    cache=False,
)

SOME = -1

# Behavior, error_kind, message, and how much of the body is kept.
CASES = [
    ("silent", FetchError.READ_TIMEOUT, "the server sent no data for 0.4 s", None),
    ("slow-headers", FetchError.TIMEOUT, "no complete response within 1 s", None),
    ("slow-body", FetchError.TIMEOUT, "no complete response within 1 s", None),
    ("stops-in-body", FetchError.READ_TIMEOUT, "the server sent no data for 0.4 s", 111),
    ("continues", FetchError.TIMEOUT, "no complete response within 1 s", None),
    ("hangs-up", FetchError.RESET, "the server closed the connection without a response", None),
    ("resets", FetchError.RESET, "connection lost: connection reset by peer", None),
    ("resets-in-body", FetchError.CUT_OFF, "response cut off after 111 bytes", 111),
    ("endless", FetchError.TOO_LARGE, "body exceeds 1,000,000 bytes", 1_000_001),
    ("too-little", FetchError.CUT_OFF, "response cut off after 111 bytes", 111),
    ("too-much", None, None, 111),
    ("two-lengths", FetchError.BAD_RESPONSE, "invalid HTTP response: .+", None),
    ("bad-chunk", FetchError.BAD_RESPONSE, "invalid HTTP response: damaged chunked encoding", 0),
    ("bad-second-chunk", FetchError.BAD_RESPONSE, "invalid HTTP response: damaged chunked encoding", 111),
    ("chunk-cut", FetchError.CUT_OFF, "response cut off after 111 bytes", 111),
    ("huge-header", FetchError.HEADERS_TOO_LARGE, "response headers exceed 64 KiB", None),
    ("large-headers", FetchError.HEADERS_TOO_LARGE, "response headers exceed 64 KiB", None),
    ("many-headers", FetchError.HEADERS_TOO_LARGE, "response has more than 256 headers", None),
    ("endless-headers", FetchError.HEADERS_TOO_LARGE, "response has more than 256 headers", None),
    ("nonsense", FetchError.BAD_RESPONSE, "invalid HTTP response: .+", None),
    ("http-0-9", FetchError.BAD_RESPONSE, "invalid HTTP response: .+", None),
    ("itself", FetchError.REDIRECT_LOOP, "redirects to itself", 0),
    ("circle", FetchError.REDIRECT_LOOP, "redirects in a loop", 0),
    ("unique", FetchError.TOO_MANY_REDIRECTS, "more than 5 redirects", 0),
    ("no-location", FetchError.BAD_REDIRECT, "HTTP 301 without a Location", 0),
    ("to-ftp", FetchError.BAD_REDIRECT, "redirects to an invalid URL: its scheme is neither http nor https", 0),
    ("to-file", FetchError.BAD_REDIRECT, "redirects to an invalid URL: its scheme is neither http nor https", 0),
    ("to-nothing", FetchError.BAD_REDIRECT, "redirects to an invalid URL: it has no host", 0),
    ("to-bad-port", FetchError.BAD_REDIRECT, "redirects to an invalid URL: its port is not a number below 65,536", 0),
    ("good", None, None, 111),
    ("lying-type", None, None, 111),
    ("not-found", None, "returned HTTP 404 Not Found", 25),
    ("never-asked", None, "returned HTTP 304 Not Modified", 0),
    ("gzip", None, None, 111),
    ("gzip-members", None, None, 111),
    ("deflate", None, None, 111),
    ("raw-deflate", None, None, 111),
    ("gzip-gzip", None, None, 111),
    ("identity", None, None, 111),
    ("utf-8", None, None, 111),
    ("not-gzip", FetchError.BAD_ENCODING, "Content-Encoding is gzip, but the body is not valid gzip", 0),
    ("not-deflate", FetchError.BAD_ENCODING, "Content-Encoding is deflate, but the body is not valid deflate", 0),
    ("not-br", FetchError.BAD_ENCODING, "Content-Encoding is br, but the body is not valid br", 0),
    ("not-zstd", FetchError.BAD_ENCODING, "Content-Encoding is zstd, but the body is not valid zstd", 0),
    ("gzip-cut", FetchError.CUT_OFF, "response cut off: its gzip Content-Encoding is incomplete", SOME),
    ("gzip-bomb", FetchError.TOO_LARGE, "body exceeds 1,000,000 bytes", 1_000_001),
    ("many-encodings", FetchError.BAD_ENCODING, "Content-Encoding has 4 layers, more than 3", None),
]


def fetched(url: str, options: ReadOptions = QUICK) -> Response:
    with Fetcher(options, Trust.of([url])) as fetcher:
        return fetcher.get(url, via=None)


@pytest.mark.parametrize(("name", "error_kind", "sentence", "kept"), CASES, ids=[case[0] for case in CASES])
def test_every_behavior_gives_a_value(
    hostile: Any, name: str, error_kind: FetchError | None, sentence: str | None, kept: int | None
) -> None:
    answer = fetched(f"{hostile.url}/{name}")
    assert answer.error_kind == error_kind, answer.reason
    assert (sentence is None and answer.reason is None) or re.fullmatch(str(sentence), str(answer.reason))
    assert answer.url == f"{hostile.url}/{name}"
    if kept is None:
        assert answer.content is None
    else:
        assert isinstance(answer.content, bytes)
        assert len(answer.content) == kept or kept == SOME


@pytest.mark.parametrize("name", ["gzip", "gzip-members", "deflate", "raw-deflate", "gzip-gzip", "identity", "utf-8"])
def test_content_encoding_is_decoded(hostile: Any, behaviours: Any, name: str) -> None:
    answer = fetched(f"{hostile.url}/{name}")
    assert answer.content == behaviours.SITEMAP
    is_encoded = name not in ("identity", "utf-8")
    assert (answer.content_encoding is not None) == is_encoded
    assert (answer.wire_bytes != len(behaviours.SITEMAP)) == is_encoded


def test_gzip_file_is_not_a_content_encoding(hostile: Any, behaviours: Any) -> None:
    answer = fetched(f"{hostile.url}/gzip-of-gz")
    assert isinstance(answer.content, bytes)
    assert gzip.decompress(answer.content) == behaviours.SITEMAP
    assert fetched(f"{hostile.url}/child/7.xml.gz").content == behaviours.child(7)


def test_the_page_lists_every_error_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "fetching.md").read_text("utf-8")
    assert re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE) == [error_kind.value for error_kind in FetchError]


def test_many_children_over_few_connections(hostile: Any, behaviours: Any) -> None:
    patient = replace(QUICK, timeout=60, read_timeout=60, connect_timeout=60)
    with Fetcher(patient, Trust.of([hostile.url])) as fetcher:
        index = fetcher.get(f"{hostile.url}/index", max_bytes=10_000_000, via=None)
        assert isinstance(index.content, bytes)
        children = re.findall(rb"<loc>([^<]+)</loc>", index.content)
        assert len(children) == behaviours.CHILDREN
        futures = [fetcher.submit(child.decode(), via=None) for child in children[:300]]
        assert [future.result().content for future in futures] == [behaviours.child(number) for number in range(300)]
    assert len({request.connection for request in hostile.requests}) <= QUICK.concurrency
