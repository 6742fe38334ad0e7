"""Read responses that curl and browsers read although they violate HTTP, and say what is wrong with them.

The parser of aiohttp is strict, because a server must be: a proxy and a server that disagree on where a message ends
can be played against each other. A client that reads one response, and closes the connection if anything follows, has
no such risk.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import BadHttpMessage

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

START = re.compile(rb"HTTP/(\d)(?:\.(\d))?[ \t]+(\d{3})(?:[ \t]+([^\r\n]*))?", re.IGNORECASE)
HEAD_END = re.compile(rb"\r?\n\r?\n")
LONGEST_END = 4
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2"""
CONTROLS = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

EMPTY_STATUSES = frozenset({204, 304})
"""Status codes of responses without a body."""

MAX_INFORMATIONAL = 100
"""Maximum informational responses before a response. Servers send one or two: 100 Continue, 103 Early Hints."""

LONGEST_SIZE_LINE = 4096
"""Bytes of the line before a chunk."""


class Head:
    """The head of a response, as the parser of aiohttp accepts it.

    Args:
        received: The bytes up to the blank line.

    Attributes:
        data: The bytes for the parser.
        problems: What is wrong with them, as phrases.
        length: Size of the body; None if the length is not given or the body is chunked.
        is_chunked: Whether the body comes in chunks.

    Raises:
        ValueError: It is not the head of an HTTP response, or its length is ambiguous.
    """

    def __init__(self, received: bytes) -> None:
        first, *lines = re.split(rb"\r?\n", received.strip(b"\r\n"))
        start = START.fullmatch(first)
        if start is None:
            raise ValueError("not a status line")
        self.status = int(start[3])
        self.problems: list[str] = []
        self._fields: list[tuple[bytes, bytes]] = []
        for line in lines:
            self._read(line)
        self.is_chunked = self._take_encodings()
        self.length = self._take_length()
        version = b"1.0" if (start[1], start[2]) == (b"1", b"0") else b"1.1"
        words = b" ".join(filter(None, (b"HTTP/" + version, start[3], start[4] or b"")))
        self.data = b"".join((words, b"\r\n", *(b"%b: %b\r\n" % field for field in self._fields), b"\r\n"))

    def _read(self, line: bytes) -> None:
        if line[:1] in (b" ", b"\t") and self._fields:
            name, value = self._fields.pop()
            self._fields.append((name, value + b" " + line.strip(b" \t")))
            return self._note("a header is continued on the next line")
        name, colon, value = line.partition(b":")
        if not colon:
            return self._note("a header line has no colon")
        if not name.strip(b" \t"):
            return self._note("a header has no name")
        if name != (name := name.strip(b" \t")):
            self._note("a header name is next to a blank")
        if not TOKEN.fullmatch(name):
            return self._note("a header name is invalid")
        if CONTROLS.search(value):
            value = CONTROLS.sub(b" ", value)
            self._note("a header has a control character")
        return self._fields.append((name, value.strip(b" \t")))

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)

    def _values(self, name: bytes) -> list[bytes]:
        values = [value for field, value in self._fields if field.lower() == name]
        return [part.strip(b" \t") for value in values for part in value.split(b",") if part.strip(b" \t")]

    def _replace(self, name: bytes, values: Iterable[bytes]) -> None:
        others = [(field, value) for field, value in self._fields if field.lower() != name]
        self._fields = [*others, *((name, value) for value in values)]

    def _take_encodings(self) -> bool:
        encodings = self._values(b"transfer-encoding")
        if not encodings:
            return False
        codings = [coding for coding in encodings if coding.lower() != b"identity"]
        if len(codings) < len(encodings):
            self._note("Transfer-Encoding is identity, which HTTP no longer has")
            self._replace(b"transfer-encoding", [b", ".join(codings)] if codings else [])
        if codings and self._values(b"content-length"):
            self._note("Content-Length and Transfer-Encoding are both given")
            self._replace(b"content-length", [])
        return bool(codings) and codings[-1].lower() == b"chunked"

    def _take_length(self) -> int | None:
        lengths = self._values(b"content-length")
        if not lengths:
            return None
        if len({int(length) if length.isdigit() else length for length in lengths}) > 1:
            raise ValueError("different lengths")
        if not lengths[0].isdigit() or len(lengths[0]) > 18:
            raise ValueError("not a length")
        if len(lengths) > 1:
            self._note("Content-Length is given more than once")
            self._replace(b"content-length", lengths[:1])
        return int(lengths[0])


class Chunks:
    """Finds where a chunked body ends: https://www.rfc-editor.org/rfc/rfc9112#section-7.1."""

    def __init__(self) -> None:
        self._line = b""
        self._data = 0
        self._is_trailer = False
        self.is_damaged = False

    def end_in(self, data: bytes) -> int | None:
        """Return how many bytes of the next piece belong to the body if it ends there, else None."""
        at = 0
        while at < len(data) and not self.is_damaged:
            if self._data:
                length = min(self._data, len(data) - at)
                self._data -= length
                at += length
                continue
            end = data.find(b"\n", at)
            self._line += data[at:] if end < 0 else data[at : end + 1]
            at = len(data) if end < 0 else end + 1
            if end < 0:
                self.is_damaged = len(self._line) > LONGEST_SIZE_LINE
                continue
            line, self._line = self._line.strip(), b""
            if self._is_trailer:
                if not line:
                    return at
                continue
            size = line.partition(b";")[0].strip()
            if not re.fullmatch(rb"[0-9A-Fa-f]{1,15}", size):
                self.is_damaged = True
            elif int(size, 16) == 0:
                self._is_trailer = True
            else:
                self._data = int(size, 16) + 2
        return None


class TolerantHandler(ResponseHandler):
    """The protocol of a connection: passes one response per request to the parser, in a form that it accepts.

    Attributes:
        problems: What is wrong with the response to the current request, as phrases.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.problems: list[str] = []
        self._head: bytearray | None = None
        """The received part of a head; None if none is being read."""
        self._remaining: int | None = None
        """Bytes of the body that are to come; None if its end is not known in advance."""
        self._chunks: Chunks | None = None
        self._informational = 0
        self._has_body = True
        self._max_head = 0

    def set_response_params(self, *, skip_payload: bool = False, max_field_size: int = 8190, **options: Any) -> None:
        """Begin to wait for a response."""
        self.problems = []
        self._head, self._remaining, self._chunks = bytearray(), None, None
        self._informational = 0
        self._has_body, self._max_head = not skip_payload, 2 * max_field_size
        super().set_response_params(skip_payload=skip_payload, max_field_size=max_field_size, **options)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._reschedule_timeout()
        while data and self._head is not None:
            data = self._read_head(self._head, data)
        if data:
            self._pass_body(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._give_up_head()
        super().connection_lost(exc)

    def _read_head(self, head: bytearray, data: bytes) -> bytes:
        """Take a piece of a head; return what follows the head: a part of the body, or of the next head."""
        searched = max(len(head) - LONGEST_END, 0)
        head += data
        begin = len(head) - len(head.lstrip(b"\r\n"))
        end = HEAD_END.search(head, max(begin, searched))
        if end is None:
            start = bytes(head[begin : begin + 5]).upper()
            if len(head) > self._max_head or not b"HTTP/".startswith(start):
                self._give_up_head()
            return b""
        try:
            read = Head(bytes(head[begin : end.end()]))
        except ValueError:
            self._give_up_head()
            return b""
        rest = bytes(head[end.end() :])
        if 100 <= read.status < 200 and read.status != 101:
            self._head = bytearray()
            self._informational += 1
            if self._informational > MAX_INFORMATIONAL:
                self._refuse(f"more than {MAX_INFORMATIONAL} informational responses")
                return b""
            return rest
        self._head = None
        self.problems += read.problems
        is_empty = not self._has_body or read.status in EMPTY_STATUSES
        self._remaining = 0 if is_empty else read.length
        self._chunks = Chunks() if read.is_chunked and not is_empty else None
        super().data_received(read.data)
        return rest

    def _refuse(self, reason: str) -> None:
        """Close the connection without a response."""
        self._head = None
        self.set_exception(BadHttpMessage(reason))
        self._close()

    def _give_up_head(self) -> None:
        """Leave what was received to the parser, which says what is wrong with it."""
        head, self._head = self._head, None
        if head:
            super().data_received(bytes(head))

    def _pass_body(self, data: bytes) -> None:
        end = self._remaining
        if self._chunks is not None:
            end = self._chunks.end_in(data)
            if end is not None:
                self._chunks, self._remaining = None, 0
            elif self._chunks.is_damaged:
                self._chunks = None
        elif self._remaining is not None:
            self._remaining -= min(self._remaining, len(data))
        is_within = end is None or end >= len(data)
        if is_within or end:
            super().data_received(data if is_within else data[:end])
        if is_within:
            return
        if self._has_body:
            self.problems.append("the server sent more than the length of the body")
        self._remaining = 0
        self._close()

    def _close(self) -> None:
        self.force_close()
        if self.transport is not None:
            self.transport.close()


class TolerantConnector(aiohttp.TCPConnector):
    """Opens connections that read what curl and browsers read."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._factory = cast("functools.partial[ResponseHandler]", functools.partial(TolerantHandler, loop=self._loop))
