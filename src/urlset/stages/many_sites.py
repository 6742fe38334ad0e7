"""Process many sites concurrently with one client, with results in the order of the sites."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from urlset.fetch.fetcher import Fetcher
from urlset.stages.named import trust_in_sites
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from urlset.fetch.client import Client
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions
    from urlset.sources.user_origin import SiteOrigin
    from urlset.text.progress import Progress

SITES_AT_ONCE = 8
"""Maximum sites to search concurrently."""

Result = TypeVar("Result")


def each_site(
    sites: Sequence[SiteOrigin],
    options: ReadOptions,
    work: Callable[[SiteOrigin, Client], Awaitable[Result]],
    progress: Progress | None = None,
    trust: Trust | None = None,
) -> list[Result]:
    """Run a function for each site.

    Args:
        progress: Called after each site.
        trust: Trusted hosts; by default those of the sites, which the user gave.
    """
    with Fetcher(options, trust or trust_in_sites(sites, options)) as fetcher:
        return fetcher.run(lambda client: for_each_site(sites, client, work, progress))


async def for_each_site(
    sites: Sequence[SiteOrigin],
    client: Client,
    work: Callable[[SiteOrigin, Client], Awaitable[Result]],
    progress: Progress | None = None,
) -> list[Result]:
    """Do the same as `each_site` with an existing client."""
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
