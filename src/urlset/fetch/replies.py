"""Keeps the replies of a run in memory, so that no URL is requested twice."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from urlset.fetch.response import FetchError
from urlset.text.sizes import limit_size

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from urlset.fetch.reply import Reply
    from urlset.net.reach import Reach

MAX_REPLIES = 2_000
"""Maximum number of replies to keep. Those requested first are needed most often: robots.txt, sitemaps, home pages."""

MAX_REPLY_BYTES = 16 * 1024 * 1024
"""Maximum size of their bodies. A URL whose reply does not fit is requested again if it is needed again."""

RequestKey: TypeAlias = tuple[str, str]
"""The method and the URL of a request."""


class KeptReply(Struct, frozen=True):
    """A reply, and what it depended on.

    Attributes:
        limit: The maximum size of its body, in bytes.
        reach: How near the address of the host could be.
        seconds: How long it took.
    """

    reply: Reply
    limit: int
    reach: Reach
    seconds: float

    def within(self, limit: int) -> Reply:
        """Return the reply to a request with another maximum size."""
        reply = replace(self.reply)
        if isinstance(reply.content, bytes) and len(reply.content) > limit:
            reply.content = reply.content[:limit]
            if reply.error_kind in (None, FetchError.TOO_LARGE) and (reply.status or 0) // 100 == 2:
                reply.fail(FetchError.TOO_LARGE, f"body exceeds {limit_size(limit)}")
        return reply


class Replies:
    """Keeps replies as far as they are small and few enough. A method and a URL are requested by one caller at a time.

    A reply is passed on only if the address of its host could be as near for the new request: a link of a stranger must
    not lead to what the user may reach.
    """

    def __init__(self) -> None:
        self._kept: dict[RequestKey, KeptReply] = {}
        self._bytes = 0
        self._running: dict[RequestKey, asyncio.Event] = {}

    @asynccontextmanager
    async def turn(self, key: RequestKey) -> AsyncIterator[None]:
        """Wait until nobody else requests the same."""
        while (running := self._running.get(key)) is not None:
            await running.wait()
        self._running[key] = done = asyncio.Event()
        try:
            yield
        finally:
            del self._running[key]
            done.set()

    def find(self, key: RequestKey, limit: int, reach: Reach) -> KeptReply | None:
        """Return an earlier reply that answers a request, too; that to GET also answers HEAD."""
        method, url = key
        kept = self._kept.get(key)
        if kept is None and method == "HEAD" and (kept := self._kept.get(("GET", url))) is not None:
            kept = replace(kept, reply=replace(kept.reply, content=None))
        if kept is None or reach < kept.reach:
            return None
        return None if kept.reply.error_kind is FetchError.TOO_LARGE and limit > kept.limit else kept

    def keep(self, key: RequestKey, kept: KeptReply) -> None:
        """Keep a reply if it fits, is in memory, and does not depend on who asked."""
        content = kept.reply.content
        if not isinstance(content, bytes | None) or kept.reply.error_kind is FetchError.PRIVATE_ADDRESS:
            return
        size = len(content or b"")
        if len(self._kept) < MAX_REPLIES and self._bytes + size <= MAX_REPLY_BYTES:
            self._kept[key] = replace(kept, reply=replace(kept.reply))
            self._bytes += size
