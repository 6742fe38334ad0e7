"""What is recorded of an answer: its head, and the start of its body after decoding."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from urlset.fetch.encoding import Decoder
from urlset.fetch.response import FetchError
from urlset.files.gunzip import MAGIC
from urlset.model.client_check import Content
from urlset.net.urlparts import without_surrogates
from urlset.sources.sitemap_links import link_values
from urlset.web.llms_txt import is_html

if TYPE_CHECKING:
    from collections.abc import Mapping

START = 64 * 1024
"""Bytes of a body, after decoding, that are read and compared."""

MAX_BYTES = 512 * 1024
"""Bytes, after decoding, that are kept of a body that is read whole: what Googlebot reads of a robots.txt, at least."""

KEPT_HEADERS = frozenset(
    {
        "age",
        "cache-control",
        "cf-cache-status",
        "cf-mitigated",
        "content-encoding",
        "content-length",
        "content-range",
        "content-signal",
        "content-type",
        "content-usage",
        "crawler-price",
        "etag",
        "last-modified",
        "link",
        "retry-after",
        "server",
        "set-cookie",
        "tdm-reservation",
        "vary",
        "via",
        "www-authenticate",
        "x-amzn-waf-action",
        "x-cache",
        "x-datadome",
        "x-robots-tag",
    }
)
"""Headers that an answer keeps: those that the causes look at."""

LONGEST_HEADER = 500

AnswerFields = dict[str, object]


class BodyRecord:
    """Records facts of a body while it is received.

    Args:
        encoding: The Content-Encoding.
        max_bytes: Bytes after decoding at which reading ends.
        is_part: Whether the server sends only a part, so that the encoding may end early.
    """

    def __init__(self, encoding: str | None, max_bytes: int, *, is_part: bool = False) -> None:
        self._decoder = Decoder(encoding, max(max_bytes, START))
        self._max_bytes = max_bytes
        self._is_part = is_part
        self._start = bytearray()
        self._digest = hashlib.sha256()
        self._wire = self._bytes = 0
        self.is_whole = False

    def add(self, piece: bytes) -> bool:
        """Take received bytes; return whether more are wanted.

        Raises:
            EncodingError: They are not in the declared encoding.
        """
        self._wire += len(piece)
        for decoded in self._decoder.feed(piece):
            self._bytes += len(decoded)
            self._digest.update(decoded)
            if len(self._start) < MAX_BYTES:
                self._start += decoded[: MAX_BYTES - len(self._start)]
            if self._bytes > self._max_bytes:
                return False
        return True

    def fields(self) -> AnswerFields:
        """Return the fields of the answer."""
        start = bytes(self._start)
        recorded: AnswerFields = {
            "content": content_of(start),
            "wire_bytes": self._wire,
            "bytes": self._bytes,
            "is_whole": self.is_whole,
            "sha256": hashlib.sha256(start[:START]).hexdigest(),
            "whole_sha256": self._digest.hexdigest() if self.is_whole and not self._is_part else None,
            "start": start,
        }
        if self.is_whole and self._wire and not (self._is_part or self._decoder.is_complete):
            recorded |= failure_of(FetchError.CUT_OFF, f"its {self._decoder.encodings} Content-Encoding is incomplete")
        return recorded


def content_of(start: bytes) -> Content:
    """Return what a body looks like from its first bytes."""
    text = start[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not text:
        return Content.EMPTY
    if start.startswith(MAGIC):
        return Content.GZIP
    if is_html(start) or b"<html" in text:
        return Content.HTML
    if text.startswith((b"<", b"<\x00", b"\xff\xfe", b"\xfe\xff")):
        return Content.XML
    return Content.BINARY if b"\0" in text else Content.TEXT


def fields_of_head(status: int, headers: Mapping[str, str], version: str, ttfb: float) -> AnswerFields:
    """Return the fields of an answer that come from its head."""
    return {
        "status": status,
        "http_version": version,
        "ttfb_ms": round(ttfb, 1),
        "headers": {
            # A cookie can be a secret, and that there is one is all that counts.
            name: "(a cookie)" if name == "set-cookie" else without_surrogates(value)[:LONGEST_HEADER]
            for name, value in sorted(_of_interest(headers).items())
            if name in KEPT_HEADERS
        },
    }


def _of_interest(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers with only the licenses of `Link`, which can have hundreds of other links."""
    if "link" not in headers:
        return headers
    licenses = ", ".join(f'<{target}>; rel="license"' for target, _ in link_values(headers["link"], "license"))
    others = {name: value for name, value in headers.items() if name != "link"}
    return {**others, "link": licenses} if licenses else others


def failure_of(kind: FetchError, reason: str) -> AnswerFields:
    return {"error_kind": kind.value, "error": reason}
