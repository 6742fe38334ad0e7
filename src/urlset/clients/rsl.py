"""Parse an RSL document: the license of a site for machines. No I/O: bytes in, permissions and problems out.

<https://rslstandard.org/rsl>, version 1.0. Document types and entities are refused, since no license needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from urlset.model.policy import Use

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMESPACE = "https://rslstandard.org/rsl"

MAX_LICENSES = 1_000
"""Number of licenses to read. Our choice."""

LONGEST_TEXT = 2_000
"""Characters of a text to read. Our choice."""

USES: Mapping[str, tuple[Use, ...]] = {
    "all": tuple(Use),
    "ai-all": (Use.AI_INPUT, Use.AI_TRAIN),
    "ai-train": (Use.AI_TRAIN,),
    "ai-input": (Use.AI_INPUT,),
    "ai-index": (),
    "search": (Use.SEARCH,),
}
"""The uses that robots.txt can also state, by values of `usage`."""

PAYMENTS = ("purchase", "subscription", "training", "crawl", "use", "contribution", "attribution", "free")
FREE = ("contribution", "attribution", "free")
"""Payments that ask for no money."""


class RslLicense(NamedTuple):
    """One `<license>`.

    Attributes:
        path: The `url` of its `<content>`: a URL, or a path as in robots.txt.
        permits: The uses that it permits, as written.
        prohibits: The uses that it prohibits, as written.
        payments: The types of its payments, each with the amount if there is one.
    """

    path: str
    permits: tuple[str, ...]
    prohibits: tuple[str, ...]
    payments: tuple[str, ...]

    @property
    def is_paid(self) -> bool:
        return any(payment.split(" ")[0] not in FREE for payment in self.payments)

    def uses(self) -> dict[Use, bool]:
        """Return the uses that it allows without payment, and those that it prohibits."""
        permitted = () if self.is_paid else [use for name in self.permits for use in USES.get(name, ())]
        prohibited = [use for name in self.prohibits for use in USES.get(name, ())]
        return {**dict.fromkeys(permitted, True), **dict.fromkeys(prohibited, False)}


class RslError(ValueError):
    """The problem of an RSL document, as a phrase."""


def parse_rsl(content: bytes) -> tuple[RslLicense, ...]:
    """Parse an RSL document.

    Raises:
        RslError: It is not a valid one.
    """
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.StartNamespaceDeclHandler = reader.namespace
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise RslError(f"is not well-formed XML: {error}") from None
    except (LookupError, ValueError) as error:
        raise error if isinstance(error, RslError) else RslError(f"cannot be read: {error}") from None
    if not reader.has_content:
        raise RslError("has no <content>")
    return tuple(reader.licenses)


class _Reader:
    """Takes the events of the parser."""

    def __init__(self) -> None:
        self.licenses: list[RslLicense] = []
        self.has_content = False
        self._depth = 0
        self._path = ""
        self._has_license = False
        self._permits: list[str] = []
        self._prohibits: list[str] = []
        self._payments: list[str] = []
        self._text: list[str] = []
        self._length = 0
        self._type = ""
        self._currency = ""

    def doctype(self, *_: object) -> None:
        raise RslError("has a document type, which RSL does not need")

    def namespace(self, _: str | None, uri: str | None) -> None:
        # It becomes a part of the name of each element in it.
        if uri is not None and len(uri) > LONGEST_TEXT:
            raise RslError(f"has a namespace of more than {LONGEST_TEXT:,} characters")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        space, _, local = name.rpartition(" ")
        if self._depth == 1 and (space, local) != (NAMESPACE, "rsl"):
            raise RslError(f"does not begin with <rsl> in the namespace {NAMESPACE}")
        if space != NAMESPACE:
            return
        self._forget_text()
        match local:
            case "content":
                self.has_content = True
                self._path = attributes.get("url", "")
                self._has_license = False
                if not self._path:
                    raise RslError("has a <content> without url")
                if "server" in attributes:
                    self._has_license = True
            case "license":
                self._has_license = True
                self._permits, self._prohibits, self._payments = [], [], []
            case "permits" | "prohibits":
                self._type = attributes.get("type", "")
                if not self._type:
                    raise RslError(f"has <{local}> without type")
            case "payment":
                kind = attributes.get("type", "free")
                if kind not in PAYMENTS:
                    raise RslError(f"has the unknown payment {kind[:40]!r}")
                self._payments.append(kind)
            case "amount":
                self._currency = attributes.get("currency", "")

    def text(self, text: str) -> None:
        if self._length < LONGEST_TEXT:
            self._text.append(text)
            self._length += len(text)

    def _forget_text(self) -> None:
        self._text.clear()
        self._length = 0

    def end(self, name: str) -> None:
        self._depth -= 1
        space, _, local = name.rpartition(" ")
        if space != NAMESPACE:
            return
        written = "".join(self._text).strip()[:LONGEST_TEXT]
        match local:
            case "permits" | "prohibits" if self._type == "usage":
                values = [value for value in written.replace(",", " ").split() if value]
                if unknown := [value for value in values if value not in USES]:
                    raise RslError(f"has the unknown usage {unknown[0][:40]!r}")
                (self._permits if local == "permits" else self._prohibits).extend(values)
            case "amount" if self._payments and " " not in self._payments[-1]:
                self._payments[-1] += f" {self._currency} {written}".rstrip()[:60]
            case "license" if len(self.licenses) < MAX_LICENSES:
                terms = (tuple(self._permits), tuple(self._prohibits), tuple(self._payments))
                self.licenses.append(RslLicense(self._path, *terms))
            case "content" if not self._has_license:
                raise RslError("has a <content> without <license> and without server")
        self._forget_text()
