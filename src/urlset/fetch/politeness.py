"""Rate limits: how often to send requests to each host, and how long to wait before a retry."""

from __future__ import annotations

import asyncio
import random
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from urlset.net.origin import Origin
    from urlset.options.fetching import FetchingOptions

FIRST_WAIT = 0.5
"""Maximum seconds before the first retry. Each further retry waits twice as long."""
LONGEST_WAIT = 20.0
"""Maximum seconds before a retry if the server sends no Retry-After."""
LONGEST_RETRY_AFTER = 60.0
"""Maximum Retry-After in seconds. If a server sends a longer one, the request is not retried."""
OVERLOADED = frozenset({429, 503})
"""Status codes with which a host signals overload."""
SLOWEST = 8.0
"""Maximum seconds between two requests to an overloaded host."""
FIRST_PAUSE = 0.25
"""Seconds between two requests after the first sign of overload."""
MAX_CONCURRENT = 128
"""Maximum concurrent requests to all hosts together: each takes a file descriptor, and their number is limited."""
RECOVERY = 10
"""Successful responses in a row after which requests to an overloaded host speed up by one step."""


class Timing(Struct, frozen=True):
    """Clock and randomness, replaceable in tests.

    Attributes:
        clock: A monotonic clock, in seconds.
        now: The current time, UTC.
        sleep: Sleep for a number of seconds.
        chance: A random number from 0 to 1.
    """

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


class Politeness:
    """Gives each request its turn, host by host.

    When a host returns 429 or 503, the number of concurrent requests is halved and the interval between requests
    doubled. After some successful responses, requests speed up again step by step, up to the limits of the options.
    Retry-After applies to the whole host.
    """

    def __init__(self, options: FetchingOptions, timing: Timing) -> None:
        self._options = options
        self._timing = timing
        self._hosts: dict[Origin, Turns] = {}
        self._all = asyncio.Semaphore(MAX_CONCURRENT)

    def turn(self, origin: Origin) -> Turn:
        """Return a turn at this host, to wait for and hold with `async with`."""
        turns = self._hosts.get(origin)
        if turns is None:
            turns = self._hosts[origin] = Turns(self._options, self._timing)
        return Turn(turns, self._all)

    def wait_before_retry(self, attempt: int, retry_after: str | None) -> float | None:
        """Return the seconds to wait before the next attempt; None if the server requires too long a wait."""
        seconds = seconds_of(retry_after, self._timing.now())
        if seconds is not None:
            return seconds if seconds <= LONGEST_RETRY_AFTER else None
        return min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_WAIT) * (0.5 + self._timing.chance() / 2)


class Turn:
    """The turn of one request, at its host and among all hosts."""

    __slots__ = ("_all", "_turns")

    def __init__(self, turns: Turns, all_: asyncio.Semaphore) -> None:
        self._turns = turns
        self._all = all_

    async def __aenter__(self) -> Turns:
        await self._turns.take()
        try:
            await self._all.acquire()
        except BaseException:
            self._turns.give_back()
            raise
        return self._turns

    async def __aexit__(self, *_: object) -> None:
        self._all.release()
        self._turns.give_back()


class Turns:
    """The turns at one host."""

    def __init__(self, options: FetchingOptions, timing: Timing) -> None:
        self._timing = timing
        self._max_limit = options.concurrency
        self._min_interval = 0.0 if options.rate is None else 1 / options.rate
        self._interval = self._min_interval
        self._limit = self._max_limit
        self._busy = 0
        self._next = 0.0
        self._successes = 0
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def limit(self) -> int:
        """The current maximum of concurrent requests."""
        return self._limit

    @property
    def interval(self) -> float:
        """The current seconds between the starts of two requests."""
        return self._interval

    async def take(self) -> None:
        """Wait for a turn."""
        while self._busy >= self._limit:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            try:
                await waiting
            except asyncio.CancelledError:
                self._wake_one()
                raise
        self._busy += 1
        now = self._timing.clock()
        begin = max(now, self._next)
        self._next = begin + self._interval
        if begin > now:
            try:
                await self._timing.sleep(begin - now)
            except asyncio.CancelledError:
                self.give_back()
                raise

    def give_back(self) -> None:
        """End the turn, and pass it to the next request."""
        self._busy -= 1
        self._wake_one()

    def adapt(self, status: int | None, retry_after: str | None) -> None:
        """Slow down or speed up according to a response."""
        if status in OVERLOADED:
            self._successes = 0
            self._limit = max(1, self._limit // 2)
            self._interval = min(max(self._interval * 2, FIRST_PAUSE), SLOWEST)
            seconds = seconds_of(retry_after, self._timing.now())
            if seconds is not None and seconds <= LONGEST_RETRY_AFTER:
                self._next = max(self._next, self._timing.clock() + seconds)
        elif status is not None and self._is_slowed:
            self._successes += 1
            if self._successes >= RECOVERY:
                self._successes = 0
                self._limit = min(self._max_limit, self._limit + 1)
                halved = self._interval / 2
                self._interval = max(self._min_interval, halved if halved > FIRST_PAUSE / 8 else 0.0)
                self._wake_one()

    @property
    def _is_slowed(self) -> bool:
        return self._limit < self._max_limit or self._interval > self._min_interval

    def _wake_one(self) -> None:
        while self._waiting:
            waiting = self._waiting.pop(0)
            if not waiting.done():
                waiting.set_result(None)
                return


def seconds_of(retry_after: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, which has seconds or a date; None if it has neither."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    wait: float = (moment - now).total_seconds()
    return max(0.0, wait)
