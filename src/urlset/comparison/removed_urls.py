"""Check URLs that are no longer listed: after a migration, each should redirect instead of returning an error."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from urlset.model.comparison import Part, RemovedUrl, RemovedUrlStatus
from urlset.net.origin import document_origin
from urlset.net.status import TO_US
from urlset.options.probing import ProbeMethod, ProbingOptions
from urlset.probe.facts import OUTSIDE, PRIVATE, ProbeTarget, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.comparison.compare import Comparer
    from urlset.fetch.fetcher import Fetcher

_ORDER = {
    outcome: rank
    for rank, outcome in enumerate(
        (RemovedUrlStatus.LOST, RemovedUrlStatus.UNKNOWN, RemovedUrlStatus.STILL_THERE, RemovedUrlStatus.REDIRECTED)
    )
}


class RemovedUrlResults(NamedTuple):
    """Results of requesting the URLs that only the earlier side lists.

    Attributes:
        part: The results, lost URLs first, and of these the ones whose page is nowhere else.
        counts: The number of URLs per status.
        moved_lost: The number of lost URLs whose page the later side lists at another URL.
    """

    part: Part[RemovedUrl]
    counts: dict[RemovedUrlStatus, int]
    moved_lost: int


def removed_url_results(comparer: Comparer, limit: int, max_examples: int, fetcher: Fetcher) -> RemovedUrlResults:
    """Request the URLs that only the earlier side lists, as `request_removed_urls` does.

    Args:
        comparer: The two sides; `one_sided` was called.
        max_examples: Maximum number of results to keep.
    """
    results = list(request_removed_urls(comparer, limit, fetcher))
    moved = comparer.moved_to([result.url for result in results])
    results = [structs.replace(result, moved=moved.get(result.url)) for result in results]
    results.sort(key=lambda result: (_ORDER[result.outcome], result.moved is not None, result.url))
    counts = Counter(result.outcome for result in results)
    moved_lost = sum(result.outcome is RemovedUrlStatus.LOST and not result.is_lost for result in results)
    return RemovedUrlResults(
        Part(len(results), tuple(results[:max_examples])),
        {outcome: counts[outcome] for outcome in RemovedUrlStatus if counts[outcome]},
        moved_lost,
    )


def request_removed_urls(comparer: Comparer, limit: int | None, fetcher: Fetcher) -> Iterator[RemovedUrl]:
    """Request the URLs that only the earlier side lists, and yield the results as they arrive.

    Args:
        comparer: The two sides; `only("before", "after")` was called.
        limit: Maximum number of URLs to request; None for all.
        fetcher: Trusts the hosts of the sides, and none that only the earlier side lists.
    """
    from urlset.probe.prober import Prober, one_after_another

    urls = islice(comparer.urls_of("before"), limit)
    waiting = (ProbeTarget(url, {}, document_origin(listed_in)) for url, listed_in in urls)

    for rows in Prober(fetcher, ProbingOptions(method=ProbeMethod.HEAD), one_after_another(waiting)):
        listed = comparer.lists("after", [row["final_url"] for row in rows if row.get("hops")])
        yield from (_removed_url(row, listed) for row in rows)


def _removed_url(row: Row, listed: set[str]) -> RemovedUrl:
    url, status = row["url"], row.get("status")
    if (reason := missing_response_reason(row) or row.get("error")) is not None:
        return RemovedUrl(url, RemovedUrlStatus.UNKNOWN, status, reason=reason)
    assert status is not None
    if status in TO_US or status >= 500:
        return RemovedUrl(url, RemovedUrlStatus.UNKNOWN, status)
    if status >= 400:
        return RemovedUrl(url, RemovedUrlStatus.LOST, status)
    if row.get("hops"):
        return RemovedUrl(url, RemovedUrlStatus.REDIRECTED, status, row["final_url"], row["final_url"] in listed)
    return RemovedUrl(url, RemovedUrlStatus.STILL_THERE, status)


def missing_response_reason(row: Row) -> str | None:
    """Return why there is no response for a URL; None if there is one, whether or not its body is complete."""
    if row.get("skipped") == PRIVATE:
        return "on a private network, where its document may not lead; pass --allow-private to allow it"
    if row.get("skipped") == OUTSIDE:
        return "not below the base URL of the directory"
    if row.get("skipped") == "robots":
        return f"blocked by robots.txt: {row['blocked_by']}"
    if row.get("skipped") or row.get("status") is None:
        return str(row["error"])
    return None
