"""The connections of browsers: how many there may be, and how long each may take to send a request.

A client that sends only half of a request would otherwise keep its connection for ever, and 1,000 of them use all files
that a process can open: https://owasp.org/www-community/attacks/Slowloris
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

MAX_CONNECTIONS = 400
"""Maximum connections, well below the files that most systems let a process open."""

MAX_OF_ADDRESS = 100
"""Maximum connections of an address, which can be that of a proxy with many users."""

MAX_ACCEPTED = 100
"""Maximum connections to accept before those above the limits are closed."""

HEAD_SECONDS = 20.0
"""Time limit for the headers of a request."""

BODY_SECONDS = 900.0
"""Time limit for the body of a request, which can be a large upload."""


class LimitedConnection(H11Protocol):
    """A connection within these limits.

    Attributes:
        active_at: When it was opened, or sent something.
    """

    active_at = 0.0
    _timer: asyncio.TimerHandle | None = None
    _is_body = False

    @property
    def is_waiting(self) -> bool:
        """Whether its client has not sent a complete request."""
        return not self.transport.is_closing() and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    @property
    def host(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Limit the time for the first request, and the number of connections."""
        super().connection_made(transport)
        self.active_at = self.loop.time()
        self._limit(HEAD_SECONDS)
        others = [each for each in self.connections if isinstance(each, LimitedConnection)]
        others = [each for each in others if not each.transport.is_closing()]
        of_address = [each for each in others if each.host == self.host]
        for some, most in ((of_address, MAX_OF_ADDRESS), (others, MAX_CONNECTIONS)):
            if len(some) > most:
                # A client that sends its request at once is served, even if others at its address send none.
                waiting = [each for each in some if each.is_waiting and each is not self]
                min(waiting, key=lambda each: each.active_at, default=self).transport.abort()
                return

    def connection_lost(self, exc: Exception | None) -> None:
        self._limit(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Limit the time from the first bytes of a request to its last."""
        self.active_at = self.loop.time()
        if self._timer is None:
            self._limit(HEAD_SECONDS)
        super().data_received(data)
        is_body = self.conn.their_state is h11.SEND_BODY
        if is_body and not self._is_body:
            self._limit(BODY_SECONDS)
        elif not is_body and (self._is_body or self.conn.their_state is not h11.IDLE):
            self._limit(None)
        self._is_body = is_body

    def _limit(self, seconds: float | None) -> None:
        """End the connection after this time, unless it is limited again; with None, it may wait for an answer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
