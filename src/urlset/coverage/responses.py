"""The responses of search engines, requested within a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.fetch import read_bytes
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response

MAX_RESPONSE_BYTES = MiB
"""Maximum size of a response, in bytes, unless it can have many rows."""


def call(
    fetcher: Fetcher,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    max_bytes: int = MAX_RESPONSE_BYTES,
) -> tuple[Response, bytes]:
    """Send a request, and return the response and its content."""
    answer = fetcher.call(method, url, headers=headers, body=body, max_bytes=max_bytes)
    content = read_bytes(answer.content, max_bytes)
    answer.close()
    return answer, content
