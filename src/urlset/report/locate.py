"""Where a document or an example is as editors and CI name it, and names for findings that outlive moved lines."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from urlset.model.finding import FINGERPRINT_DIGITS, fingerprint
from urlset.safe import safe

if TYPE_CHECKING:
    from urlset.model.finding import Example, Finding

_URL = re.compile(r"https?://", re.IGNORECASE)

# What RFC 3986 lets stand in a URI (https://www.rfc-editor.org/rfc/rfc3986#section-2), besides letters and digits.
_URI_MARKS = "-._~:/?#@!$&'()*+,;=%"

_BARE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


def is_url(document_url: str) -> bool:
    """Whether the document came from the network, and is no file."""
    return _URL.match(document_url) is not None


def relative_path(document_url: str) -> str:
    """The path with `/` between its parts, relative to the working directory if it lies below it; URLs stay."""
    if is_url(document_url) or document_url.startswith("<"):
        return document_url
    path = Path(document_url)
    absolute = Path(os.path.normpath(Path.cwd() / path))
    return absolute.relative_to(Path.cwd()).as_posix() if absolute.is_relative_to(Path.cwd()) else absolute.as_posix()


def artifact_uri(document_url: str) -> tuple[str, bool]:
    """The document as a URI reference, and whether that is relative to the working directory.

    A name may hold bytes that are no text, which Python keeps as lone surrogates; they are percent-encoded as bytes.
    """
    if is_url(document_url):
        whole = _BARE_PERCENT.sub("%25", document_url)
        return quote(_as_bytes(whole), safe=_URI_MARKS), False
    path = relative_path(document_url)
    if Path(path).is_absolute():
        return f"file://{'' if path.startswith('/') else '/'}{quote(_as_bytes(path))}", False
    return quote(_as_bytes(path)), True


def _as_bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # A surrogate that stands for no byte: of no file system, but a caller may write anything.
        return text.encode("utf-8", "backslashreplace")


def place(document_url: str, example: Example) -> str:
    """Where an example is, as editors and terminals understand it: `document:line:column`, safe to show."""
    parts = [safe(document_url)]
    if example.line is not None:
        parts.append(str(example.line))
        if example.column is not None:
            parts.append(str(example.column))
    return ":".join(parts)


def finding_name(finding: Finding, document_url: str) -> str:
    """A name for this rule broken in this document, the same however often and wherever: 16 hexadecimal digits."""
    text = f"{finding.rule.code}\0{relative_path(document_url)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_DIGITS]


def example_name(finding: Finding, example: Example, document_url: str) -> str:
    """A name for this fault, as `model.finding.fingerprint` makes it, the same in every folder of a checkout."""
    return fingerprint(finding, example, relative_path(document_url))
