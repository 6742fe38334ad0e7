"""Answer requests from a directory instead of the network, as the host of the directory would."""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from urlset.errors import reason_of
from urlset.fetch.reply import ERROR_BODY, Reply, RequestSettings
from urlset.fetch.response import FetchError
from urlset.text.sizes import limit_size

if TYPE_CHECKING:
    from urlset.fetch.request_url import Address
    from urlset.net.origin import Origin
    from urlset.net.trust import ServedFolder

OUTSIDE_REASON = "not in the audited directory, and nothing is requested over the network"


class FolderExchange:
    """Answers requests with the files of a directory; nothing is sent."""

    def __init__(self, folder: ServedFolder) -> None:
        self._folder = folder

    async def open(self) -> None:
        """Do nothing: there are no connections."""

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    async def ask(self, address: Address, _via: Origin | None, request: RequestSettings, _seconds: float) -> Reply:
        """Return the response of the host to one request, without following redirects."""
        reply = Reply()
        if not self._folder.is_of_origin(address.url):
            reply.fail(FetchError.OUTSIDE, OUTSIDE_REASON)
            return reply
        answer = self._folder.answer(address.url)
        if answer.why:
            reply.fail(FetchError.UNDECIDED, answer.why)
            return reply
        reply.status, reply.headers = answer.status, MappingProxyType(dict(answer.headers))
        if request.method == "HEAD" or answer.path is None:
            reply.content = None if request.method == "HEAD" else b""
            return reply
        is_success = 200 <= answer.status < 300
        limit = request.limit if is_success else min(request.limit, ERROR_BODY)
        try:
            with open(answer.path, "rb") as file:  # noqa: PTH123 - once per page
                # A buffer of the maximum size would take longer than the rest.
                content = file.read(min(limit, os.fstat(file.fileno()).st_size) + 1)
        except OSError as error:
            reason = reason_of(error)
            self._folder.record_failure(answer.path, reason)
            reply.status = None
            reply.fail(FetchError.UNREADABLE, f"the file cannot be read: {reason}")
            return reply
        reply.content, reply.wire_bytes = content[:limit], min(len(content), limit)
        if len(content) > limit and is_success:
            reply.fail(FetchError.TOO_LARGE, f"body exceeds {limit_size(request.limit)}")
        return reply
