"""Validate a document against the schemas while it is read, and collect libxml2's messages with their lines.

The bytes are streamed to libxml2, which does not build a tree, so a document of any size takes little memory. In this
mode it does not report lines, so the document is passed line by line until enough messages are collected, and the line
of a message is the last one passed.
"""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from urlset.errors import requiring_extra
from urlset.model.schema import SchemaFault, SchemaStatus, SchemaVerdict
from urlset.schema.inflate import Inflate

with requiring_extra("xsd", "XML schema validation requires"):
    from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_FAULTS = 10
"""Maximum messages to keep per document; their number is exact regardless."""

LONGEST_MESSAGE = 500
"""Maximum characters of a message, which can quote a value of any length."""

HEAD = 64 * 1024
"""Bytes to search for a document type declaration."""

MAX_IN_TREE = 8 * 1024 * 1024
"""Maximum size of a document with a document type declaration, which is validated as a tree in memory."""

LONGEST_PIECE = 64 * 1024
"""Maximum bytes of a line to pass to libxml2 at once."""

_DOCTYPE = tuple("<!DOCTYPE".encode(encoding) for encoding in ("ascii", "utf-16-le", "utf-16-be"))
_SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
_TOO_LARGE = "it exceeds the size limit for a document"
_NOT_WELL_FORMED = "The document is not well-formed XML from here on"
"""Message for a document that was not validated beyond this point."""


_ONE_AT_A_TIME = Lock()
"""Held while a tree is validated, because messages are then stored in the shared schema."""


class _HasDoctypeError(Exception):
    """An unexpected document type declaration."""


class _Way(Protocol):
    """A way to validate a document against the schema."""

    faults: list[SchemaFault]
    total: int
    unchecked: str | None

    @property
    def is_over(self) -> bool: ...

    def feed(self, piece: bytes) -> None: ...

    def finish(self) -> None: ...


class Validator:
    """Validates the bytes of a document, compressed or not, in chunks, and then returns the verdict."""

    def __init__(self, schema: etree.XMLSchema, max_inflated: int) -> None:
        self._schema = schema
        self._remaining = max_inflated
        self._inflate = Inflate()
        self._head = b""
        self._way: _Way | None = None
        self._unchecked: str | None = None
        self._is_finished = False

    def feed(self, piece: bytes) -> None:
        """Take a chunk of bytes, or an empty one at the end; never raises because of their content."""
        if not piece:
            self._finish()
        elif not self._is_over:
            self._take(self._inflate(piece))

    def verdict(self, document_id: int) -> SchemaVerdict:
        """Return the verdict after the document was read."""
        if self._inflate.has_ended:
            self._finish()
        if not self._is_finished:
            self._unchecked = self._unchecked or _TOO_LARGE
        way = self._way or self._begin()
        unchecked = self._unchecked or way.unchecked
        if unchecked is not None:
            return SchemaVerdict(document_id, SchemaStatus.UNCHECKED, (), 0, unchecked)
        faults, total = way.faults, way.total
        if self._inflate.damage is not None:
            faults, total = [*faults, SchemaFault(None, self._inflate.damage)], total + 1
        status = SchemaStatus.INVALID if total else SchemaStatus.VALID
        return SchemaVerdict(document_id, status, tuple(faults), total)

    def _finish(self) -> None:
        if self._is_finished:
            return
        self._is_finished = True
        if not self._is_over:
            self._take(self._inflate.finish())
        (self._way or self._begin()).finish()

    @property
    def _is_over(self) -> bool:
        return self._unchecked is not None or (self._way is not None and self._way.is_over)

    def _take(self, parts: Iterable[bytes]) -> None:
        for part in parts:
            self._remaining -= len(part)
            if self._remaining < 0:
                self._unchecked = _TOO_LARGE
            if self._is_over:
                return
            if self._way is not None:
                self._way.feed(part)
                continue
            self._head += part
            if len(self._head) >= HEAD:
                self._begin()

    def _begin(self) -> _Way:
        """Choose the way of validation from the beginning of the document."""
        has_doctype = any(mark in self._head[:HEAD] for mark in _DOCTYPE)
        self._way = _AsTree(self._schema) if has_doctype else _AsStream(self._schema)
        self._way.feed(self._head)
        self._head = b""
        return self._way


class _AsStream:
    """Validation in chunks, in constant memory except for the messages.

    A second parser without a schema reports where the document is not well-formed, which the first one does not.
    """

    def __init__(self, schema: etree.XMLSchema) -> None:
        self._validating = _parser(schema)
        self._plain_parser = _parser(None)
        self._not_well_formed: SchemaFault | None = None
        self._line = 1
        self.faults: list[SchemaFault] = []
        self.total = 0
        self.unchecked: str | None = None
        self.is_over = False

    def feed(self, piece: bytes) -> None:
        self._watch(lambda: self._plain_parser.feed(piece))
        at = 0
        while at < len(piece) and not self.is_over:
            end = len(piece)
            if len(self.faults) < MAX_FAULTS:
                end = min(piece.find(b"\n", at) + 1 or end, at + LONGEST_PIECE)
            self._validate(lambda part: self._validating.feed(part), piece[at:end])
            self._line += piece[end - 1 : end] == b"\n"
            at = end

    def finish(self) -> None:
        if not self.is_over:
            self._watch(self._plain_parser.close)
            self._validate(lambda _: self._validating.close(), b"")
            self.is_over = True
        wrong = [
            SchemaFault(entry.line, shorten_message(entry.message))
            for entry in self._plain_parser.feed_error_log
            if entry.domain_name == "NAMESPACE" and entry.level_name != "WARNING"
        ]
        wrong += [self._not_well_formed] if self._not_well_formed is not None else []
        self.faults = sorted([*self.faults, *wrong], key=lambda fault: fault.line or 0)[:MAX_FAULTS]
        self.total += len(wrong)

    def _watch(self, step: Callable[[], object]) -> None:
        if self._not_well_formed is None and not self.is_over:
            try:
                step()
            except etree.XMLSyntaxError as error:
                message = f"{_NOT_WELL_FORMED}: {without_place(error.msg or '')}"
                self._not_well_formed = SchemaFault(error.lineno, shorten_message(message))
            except _HasDoctypeError:
                self.unchecked = f"it has a document type declaration after more than {HEAD:,} bytes"
                self.is_over = True

    def _validate(self, step: Callable[[bytes], object], part: bytes) -> None:
        try:
            step(part)
        except etree.XMLSyntaxError:
            self.is_over = True
            self._not_well_formed = self._not_well_formed or SchemaFault(self._line, _NOT_WELL_FORMED)
        log = self._validating.feed_error_log
        for number in range(self.total, min(len(log), MAX_FAULTS)):
            self.faults.append(SchemaFault(self._line, shorten_message(log[number].message)))
        self.total = len(log)


def _parser(schema: etree.XMLSchema | None) -> etree.XMLParser:
    # Without huge_tree, which would remove libxml2's limits on depth and text length.
    return etree.XMLParser(
        schema=schema,
        target=_NullTarget(),  # type: ignore[arg-type]  # it need not have every method
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
    )


class _NullTarget:
    """Parser target that libxml2 calls while it validates."""

    def doctype(self, *_: str | None) -> None:
        # libxml2 would silently ignore an entity reference here.
        raise _HasDoctypeError

    def close(self) -> None:
        return None


class _AsTree:
    """Validation of a whole tree: the only way in which libxml2 reports entity references, which are never expanded."""

    def __init__(self, schema: etree.XMLSchema) -> None:
        self._schema = schema
        self._pieces: list[bytes] = []
        self._size = 0
        self.faults: list[SchemaFault] = []
        self.total = 0
        self.unchecked: str | None = None

    @property
    def is_over(self) -> bool:
        return self.unchecked is not None

    def feed(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > MAX_IN_TREE:
            self._pieces = []
            self.unchecked = f"it has a document type declaration and more than {MAX_IN_TREE:,} bytes"

    def finish(self) -> None:
        if self.is_over:
            return
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            root = etree.fromstring(b"".join(self._pieces), parser)
        except etree.XMLSyntaxError as error:
            message = f"{_NOT_WELL_FORMED}: {without_place(error.msg or '')}"
            self._add(error.lineno, message)
            return
        with _ONE_AT_A_TIME:
            try:
                self._schema.validate(root)
            except etree.XMLSchemaValidateError:
                self._add(None, "It refers to an entity that it declares, and entities are never expanded")
                return
            log = list(self._schema.error_log)  # type: ignore[call-overload]
        log += [entry for entry in parser.error_log if entry.level_name != "WARNING"]
        self.faults = [SchemaFault(entry.line, shorten_message(entry.message)) for entry in log[:MAX_FAULTS]]
        self.total = len(log)

    def _add(self, line: int | None, message: str) -> None:
        self.faults.append(SchemaFault(line, shorten_message(message)))
        self.total += 1


def shorten_message(message: str) -> str:
    """Return a message of libxml2, shortened, and without the sitemap namespace of most names."""
    message = message.replace(_SITEMAP, "")
    return message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"


def without_place(message: str) -> str:
    """Return a message of lxml without its line and column."""
    message = re.sub(r", line \d+, column \d+$", "", message)
    found = re.fullmatch(r"line \d+: b(['\"])(.*)\1", message, re.DOTALL)
    return found[2] if found else message
