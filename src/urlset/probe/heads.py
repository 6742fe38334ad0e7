"""Decide whether a response to HEAD is meaningful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.fetch.response import FetchError

if TYPE_CHECKING:
    from urlset.fetch.response import Response

NO_HEAD = frozenset({
    FetchError.RESET, FetchError.READ_TIMEOUT, FetchError.TIMEOUT, FetchError.HEADERS_TOO_LARGE,
    FetchError.BAD_RESPONSE,
    FetchError.BAD_ENCODING, FetchError.CUT_OFF, FetchError.TOO_MANY_REDIRECTS, FetchError.REDIRECT_LOOP,
    FetchError.BAD_REDIRECT,
})  # fmt: skip
"""How servers without support for HEAD may fail. Any other failure would affect GET as well."""


def is_not_understood(answer: Response) -> bool:
    """Return whether a response to HEAD says nothing about GET: it is an error or unusable."""
    if answer.error_kind is not None:
        return answer.error_kind in NO_HEAD
    # Servers without support for HEAD return all kinds of status codes.
    return answer.status is None or not 200 <= answer.status < 300
