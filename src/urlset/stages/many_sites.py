"""Process many sites concurrently with one client, with results in the order of the sites."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from urlset.fetch.client import Client
    from urlset.sources.user_origin import SiteOrigin
    from urlset.text.progress import Progress

SITES_AT_ONCE = 8
"""Maximum sites to search concurrently."""

Result = TypeVar("Result")


async def for_each_site(
    sites: Sequence[SiteOrigin],
    client: Client,
    work: Callable[[SiteOrigin, Client], Awaitable[Result]],
    progress: Progress | None = None,
) -> list[Result]:
    """Run a function for each site.

    Args:
        progress: Called after each site.
    """
    turn = asyncio.Semaphore(SITES_AT_ONCE)
    done_count = 0

    async def counted_work(site: SiteOrigin) -> Result:
        nonlocal done_count
        async with turn:
            result = await work(site, client)
        done_count += 1
        if progress is not None:
            progress(ProgressEvent(done_count, len(sites), site.url))
        return result

    return list(await asyncio.gather(*map(counted_work, sites)))
