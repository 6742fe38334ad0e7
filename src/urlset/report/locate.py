"""Locations as editors and CI systems write them, and fingerprints of findings that are stable when lines move."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from urlset.model.finding import FINGERPRINT_DIGITS, fingerprint
from urlset.text.safe import safe

if TYPE_CHECKING:
    from urlset.model.finding import Example, Finding
    from urlset.model.report import Place

_URL = re.compile(r"https?://", re.IGNORECASE)

# Characters besides letters and digits that RFC 3986 allows in a URI (https://www.rfc-editor.org/rfc/rfc3986#section-2).
_URI_MARKS = "-._~:/?#@!$&'()*+,;=%"

_BARE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


def is_url(document_url: str) -> bool:
    return _URL.match(document_url) is not None


def relative_path(document_url: str) -> str:
    """Return the path with `/` separators, relative to the working directory if it is inside it; URLs are unchanged."""
    if is_url(document_url) or document_url.startswith("<"):
        return document_url
    path = Path(document_url)
    absolute = Path(os.path.normpath(Path.cwd() / path))
    return absolute.relative_to(Path.cwd()).as_posix() if absolute.is_relative_to(Path.cwd()) else absolute.as_posix()


def artifact_uri(document_url: str) -> tuple[str, bool]:
    """Return the document as a URI reference, and whether it is relative to the working directory.

    Bytes of a file name that are not valid text, which Python keeps as lone surrogates, are percent-encoded.
    """
    if is_url(document_url):
        whole = _BARE_PERCENT.sub("%25", document_url)
        return quote(_as_bytes(whole), safe=_URI_MARKS), False
    path = relative_path(document_url)
    if Path(path).is_absolute():
        # The path of a Windows drive, `C:/a.xml`, keeps its colon: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.2
        return f"file://{'' if path.startswith('/') else '/'}{quote(_as_bytes(path), safe='/:')}", False
    return quote(_as_bytes(path)), True


def _as_bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # A surrogate that does not represent a byte cannot come from a file system, but a caller may pass any text.
        return text.encode("utf-8", "backslashreplace")


def place(where: Place) -> str:
    """Return a location in the form that editors and terminals recognize: `document:line:column`."""
    parts = [safe(where.name)]
    if where.line is not None:
        parts.append(str(where.line))
        if where.column is not None:
            parts.append(str(where.column))
    return ":".join(parts)


def finding_name(finding: Finding, document_url: str) -> str:
    """Return a fingerprint of a rule in a document, independent of the number and location of its places."""
    import hashlib

    text = f"{finding.rule.code}\0{relative_path(document_url)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_DIGITS]


def example_name(finding: Finding, example: Example, document_url: str) -> str:
    """Return the fingerprint of an example (`model.finding.fingerprint`), the same in every directory of a checkout."""
    return fingerprint(finding, example, relative_path(document_url))
