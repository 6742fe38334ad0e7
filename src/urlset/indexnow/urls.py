"""URLs as IndexNow takes them: percent-encoded according to RFC 3986.

https://www.indexnow.org/documentation
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.fetch.request_url import address_of
from urlset.model.notification import UrlChange

if TYPE_CHECKING:
    from collections.abc import Iterator

_AS_IT_IS = re.compile(
    r"[Hh][Tt][Tt][Pp][Ss]?://(?:[A-Za-z0-9._:-]+|\[[0-9A-Fa-f:.]+\](?::[0-9]*)?)"
    r"(?:[/?](?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?"
)
"""A URL that RFC 3986 allows, without user name and fragment."""

_NOT_AN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


def url_to_send(url: str) -> str:
    """Return a URL as it is sent: escaped, and without user name, password, and fragment.

    Raises:
        ValueError: It cannot be requested; the message says why.
    """
    if _AS_IT_IS.fullmatch(url) is not None:
        return url
    if "\ufffd" in url:
        raise ValueError("it is not UTF-8")
    address = address_of(url)
    target = _NOT_AN_ESCAPE.sub("%25", address.target)
    return address.start[:-1] + target.replace("[", "%5B").replace("]", "%5D")


def changes_of(url: str) -> Iterator[UrlChange]:
    """Yield how `url_to_send` changes a URL."""
    page, sign, _ = url.partition("#")
    if sign:
        yield UrlChange.FRAGMENT_REMOVED
    start, slashes, rest = page.partition("://")
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    if "@" in authority:
        yield UrlChange.CREDENTIALS_REMOVED
        page = start + slashes + rest[authority.rindex("@") + 1 :]
    if _AS_IT_IS.fullmatch(page) is None:
        yield UrlChange.ESCAPED
