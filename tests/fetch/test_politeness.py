"""Rate limits and retries, on a fake clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from urlset.fetch.client import Client
from urlset.fetch.politeness import MAX_CONCURRENT, Politeness, Timing, seconds_of
from urlset.fetch.response import FetchError, Response
from urlset.net.origin import Origin
from urlset.net.trust import Trust
from urlset.options import ReadOptions

HERE = Origin("http", "127.0.0.1", 80)
NOW = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
Result = TypeVar("Result")


class Clock:
    """A clock that advances only by sleeping."""

    def __init__(self) -> None:
        self.at = 100.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)

    def timing(self) -> Timing:
        return Timing(lambda: self.at, lambda: NOW, self.sleep, lambda: 1.0)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("Thu, 02 Jan 2025 03:04:15 GMT", 10.0),
        ("Thursday, 02-Jan-25 03:05:05 GMT", 60.0),
        ("Thu Jan  2 03:04:06 2025", 1.0),
        ("Wed, 01 Jan 2025 00:00:00 GMT", 0.0),
        ("-1", None),
        ("soon", None),
        ("1.5", None),
        ("", None),
        ("9" * 400, 999_999_999.0),
        ("Thu, 02 Jan 99999 03:04:15 GMT", None),
    ],
)
def test_retry_after_in_both_forms(header: str | None, seconds: float | None) -> None:
    assert seconds_of(header, NOW) == seconds


def polite(work: Callable[[Politeness], Awaitable[Result]], options: ReadOptions, clock: Clock) -> Result:
    async def whole() -> Result:
        return await work(Politeness(options, clock.timing()))

    return asyncio.run(whole())


def test_concurrency_limit_per_host() -> None:
    busy = most = 0

    async def work(politeness: Politeness) -> None:
        async def one() -> None:
            nonlocal busy, most
            async with politeness.turn(HERE):
                busy += 1
                most = max(most, busy)
                await asyncio.sleep(0)
                busy -= 1

        await asyncio.gather(*(one() for _ in range(20)))

    polite(work, ReadOptions(concurrency=3), Clock())
    assert (most, busy) == (3, 0)


def test_concurrency_limit_for_all_hosts() -> None:
    busy = most = 0

    async def work(politeness: Politeness) -> None:
        async def one(number: int) -> None:
            nonlocal busy, most
            async with politeness.turn(Origin("http", str(number), 80)):
                busy += 1
                most = max(most, busy)
                await asyncio.sleep(0)
                busy -= 1

        await asyncio.gather(*(one(number) for number in range(MAX_CONCURRENT + 50)))

    polite(work, ReadOptions(), Clock())
    assert most == MAX_CONCURRENT


def test_rate_limit_per_host() -> None:
    clock = Clock()

    async def work(politeness: Politeness) -> list[float]:
        begun = []
        for _ in range(3):
            async with politeness.turn(HERE):
                begun.append(clock.at)
        async with politeness.turn(Origin("http", "other", 80)):
            begun.append(clock.at)
        return begun

    assert polite(work, ReadOptions(rate=4), clock) == [100.0, 100.25, 100.5, 100.5]


def test_it_slows_down_on_overload_and_recovers() -> None:
    async def work(politeness: Politeness) -> list[tuple[int, float]]:
        seen = []
        async with politeness.turn(HERE) as turn:
            for status in [200, 429, 503, *[200] * 200]:
                turn.adapt(status, None)
                seen.append((turn.limit, turn.interval))
        return seen

    seen = polite(work, ReadOptions(concurrency=8), Clock())
    assert seen[:3] == [(8, 0.0), (4, 0.25), (2, 0.5)]
    assert seen[11] == (2, 0.5)
    assert seen[12] == (3, 0.25)
    assert seen[-1] == (8, 0.0)
    assert seen[3:] == sorted(seen[3:], key=lambda state: (state[0], -state[1]))


def test_retry_after_applies_to_the_whole_host() -> None:
    clock = Clock()

    async def work(politeness: Politeness) -> float:
        async with politeness.turn(HERE) as turn:
            turn.adapt(429, "7")
        async with politeness.turn(HERE):
            return clock.at

    assert polite(work, ReadOptions(), clock) >= 107.0


def test_a_cancelled_wait_leaves_no_turn_behind() -> None:
    async def work(politeness: Politeness) -> str:
        async with politeness.turn(HERE):
            waiting = [asyncio.create_task(hold(politeness)) for _ in range(3)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await asyncio.sleep(0)
        await asyncio.wait_for(asyncio.gather(*waiting[1:]), 5)
        return "all had a turn"

    async def hold(politeness: Politeness) -> None:
        async with politeness.turn(HERE):
            await asyncio.sleep(0)

    assert polite(work, ReadOptions(concurrency=1), Clock()) == "all had a turn"


def fetched(url: str, clock: Clock, **options: Any) -> Response:
    async def work() -> Response:
        async with Client(ReadOptions(cache=False, **options), Trust.of([url]), timing=clock.timing()) as client:
            return await client.get(url, via=None)

    return asyncio.run(work())


@pytest.fixture
def overloaded(behaviours: Any) -> Callable[..., Any]:
    """A server whose `/` reports overload a few times."""

    def begin(times: int, status: str, *headers: str) -> Any:
        return behaviours.serving(more={"/": behaviours.overloaded(times, status, *headers)})

    return begin


def test_temporary_failure_is_retried(overloaded: Callable[..., Any]) -> None:
    clock = Clock()
    with overloaded(2, "502 Bad Gateway") as server:
        assert fetched(server.url + "/", clock).ok
        assert len(server.requests) == 3
    assert clock.slept == [0.5, 1.0]


def test_limit_on_retries(overloaded: Callable[..., Any]) -> None:
    clock = Clock()
    with overloaded(9, "504 Gateway Timeout") as server:
        answer = fetched(server.url + "/", clock, retries=3)
        assert (answer.status, answer.error_kind, len(server.requests)) == (504, None, 4)
        assert answer.reason == "returned HTTP 504 Gateway Timeout"


@pytest.mark.parametrize(
    "header", ["Retry-After: 30", "Retry-After: Thu, 02 Jan 2025 03:04:35 GMT"], ids=["seconds", "date"]
)
def test_retry_after_is_obeyed(overloaded: Callable[..., Any], header: str) -> None:
    clock = Clock()
    with overloaded(1, "429 Too Many Requests", header) as server:
        assert fetched(server.url + "/", clock).ok
    assert sum(clock.slept) >= 30.0


def test_long_retry_after_is_not_retried(overloaded: Callable[..., Any]) -> None:
    clock = Clock()
    with overloaded(1, "503 Service Unavailable", "Retry-After: 3600") as server:
        answer = fetched(server.url + "/", clock)
        assert (answer.status, len(server.requests), clock.slept) == (503, 1, [])


@pytest.mark.parametrize(
    ("path", "requests", "error_kind"),
    [
        # aiohttp itself retries each request once, since the server may just have closed an idle connection.
        ("hangs-up", 6, FetchError.RESET),
        ("too-little", 3, FetchError.CUT_OFF),
        ("not-found", 1, None),
        ("not-gzip", 1, FetchError.BAD_ENCODING),
        ("nonsense", 1, FetchError.BAD_RESPONSE),
        ("itself", 1, FetchError.REDIRECT_LOOP),
        ("no-location", 1, FetchError.BAD_REDIRECT),
    ],
)
def test_only_temporary_failures_are_retried(
    hostile: Any, path: str, requests: int, error_kind: FetchError | None
) -> None:
    assert fetched(f"{hostile.url}/{path}", Clock()).error_kind == error_kind
    assert len(hostile.requests) == requests


def test_connection_closed_between_two_requests_is_not_a_failure(hostile: Any) -> None:
    async def work() -> list[bool]:
        url = f"{hostile.url}/hangs-up-after"
        async with Client(ReadOptions(cache=False, retries=0), Trust.of([url])) as client:
            first = await client.get(url, via=None)
            await asyncio.sleep(0.05)
            return [first.ok, (await client.get(url, via=None)).ok]

    assert asyncio.run(work()) == [True, True]


def test_connections_are_reused(hostile: Any) -> None:
    async def work() -> None:
        async with Client(ReadOptions(cache=False), Trust.of([hostile.url])) as client:
            for _ in range(5):
                assert (await client.get(f"{hostile.url}/good", via=None)).ok

    asyncio.run(work())
    assert len({request.connection for request in hostile.requests}) == 1


def test_wait_before_a_retry_is_limited() -> None:
    async def work(politeness: Politeness) -> list[float | None]:
        return [politeness.wait_before_retry(attempt, None) for attempt in (1, 2, 3, 20)]

    assert polite(work, ReadOptions(), Clock()) == [0.5, 1.0, 2.0, 20.0]
