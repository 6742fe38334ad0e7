"""`discover`: from origins to the sitemaps of their sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.options.searching import DiscoverOptions
from urlset.sources.user_origin import parse_origin
from urlset.sources.well_known import paths_of
from urlset.stages.discover import SearchPlan, discover
from urlset.stages.named import trust_in_sites
from urlset.stages.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.fetch.client import Client
    from urlset.model.discovery import Discovery
    from urlset.sources.user_origin import SiteOrigin
    from urlset.text.progress import Progress


def discover_all(
    origins: Sequence[str], options: DiscoverOptions | None = None, progress: Progress | None = None
) -> list[Discovery]:
    """Search several sites concurrently.

    Args:
        progress: Called after each site.

    Raises:
        UsageError: An origin or a path is invalid; raised before anything is fetched.
    """
    options = options or DiscoverOptions()
    plan = SearchPlan(more_paths=options.paths, max_candidates=options.max_candidates, fetches_llms=True)
    sites = [parse_origin(origin) for origin in origins]
    paths_of(plan.more_paths)

    async def search(site: SiteOrigin, client: Client) -> Discovery:
        discovered = await discover(site, client, options, plan)
        discovered.close()
        return discovered.without_responses()

    with Session(options, trust_in_sites(sites, options)) as session:
        return session.each_site(sites, search, progress)
