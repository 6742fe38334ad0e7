"""Work on many sites: a client for all of them, several at once, results in the order of the sites."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from urlset.fetch.fetcher import Fetcher
from urlset.pipeline.named import trust_in_sites
from urlset.progress import Progressed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from urlset.fetch.client import Client
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions
    from urlset.progress import Progress
    from urlset.sources.origin import Origin

SITES_AT_ONCE = 8
"""Sites that are searched at once, at most."""

Result = TypeVar("Result")


def each_site(
    sites: Sequence[Origin],
    options: ReadOptions,
    work: Callable[[Origin, Client], Awaitable[Result]],
    progress: Progress | None = None,
    trust: Trust | None = None,
) -> list[Result]:
    """Does some work for each site.

    Args:
        sites: The sites, which the user named.
        options: How to fetch.
        work: What to do; it gets the site and the client.
        progress: Told after each site.
        trust: Whom the user trusts; the sites unless given.
    """
    trust = trust or trust_in_sites(sites, options)
    with Fetcher(options, trust) as fetcher:
        return fetcher.run(lambda client: for_each_site(sites, client, work, progress))


async def for_each_site(
    sites: Sequence[Origin],
    client: Client,
    work: Callable[[Origin, Client], Awaitable[Result]],
    progress: Progress | None = None,
) -> list[Result]:
    """As `each_site`, with a client that is there already."""
    turn = asyncio.Semaphore(SITES_AT_ONCE)
    done = 0

    async def one(site: Origin) -> Result:
        nonlocal done
        async with turn:
            result = await work(site, client)
        done += 1
        if progress is not None:
            progress(Progressed(done, len(sites), site.url))
        return result

    return list(await asyncio.gather(*map(one, sites)))
