"""Counts the results of requesting the listed pages and media of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.audit import FetchLimit, MediaCounts, PageCounts, Share
from urlset.probe.facts import PRIVATE
from urlset.store.file import RUN_ID
from urlset.tables import MEDIA, PAGES
from urlset.web.indexability import ROBOTS_UNREACHABLE, PageReason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.store.file import Store
    from urlset.store.media import PendingMedia
    from urlset.store.page_selection import PendingPages

PAGE_COUNTS = (
    "count(*) FILTER (WHERE skipped IS NULL), count(*) FILTER (WHERE skipped = 'robots'), "
    f"count(*) FILTER (WHERE skipped = '{PRIVATE}'), "
    f"count(*) FILTER (WHERE skipped = 'robots' AND blocked_by = '{ROBOTS_UNREACHABLE}'), "
    "count(*) FILTER (WHERE is_indexable), count(*) FILTER (WHERE NOT is_indexable), "
    "count(*) FILTER (WHERE NOT complete), count(*) FILTER (WHERE skipped IS NULL AND len(hops) > 0), "
    "count(*) FILTER (WHERE is_indexable AND len(hops) > 0)"
)
"""SQL for the numbers of pages that were fetched, that robots.txt blocks, that are on private addresses, whose
robots.txt is unreachable, that are indexable, that are not, that were read only in part, that redirect, and that are
indexable although they redirect."""

_COUNTED = ("skipped", "blocked_by", "is_indexable", "complete", "hops", "reason")
"""The columns of `pages` that are counted."""


def uncounted(pending: PendingPages, stopped_by: FetchLimit | None) -> PageCounts:
    """Return what is known of pages that were requested before their verdicts are stored, for `recount`.

    Args:
        stopped_by: The budget that ended the requests early.
    """
    return counts_of((0,) * 9, {}, {}, pending.total, pending.selected_count, stopped_by)


def recount(store: Store, run_id: int, counts: PageCounts) -> PageCounts:
    """Return the counts of a stored run by the verdicts of its pages, which an older urlset counted otherwise."""
    pages = f"({store.pages(run_id, *_COUNTED)}) AS pages"
    queries = (reason_counts(pages), status_counts(PAGES.name, f"{RUN_ID} = {run_id:d}"))
    lists = ", ".join(f"(SELECT list(sizes) FROM ({query}) AS sizes)" for query in queries)
    [(*row, reasons, statuses)] = store.rows(f"SELECT {PAGE_COUNTS}, {lists} FROM {pages}")
    by_reason = {each["reason"]: each["size"] for each in reasons or ()}
    by_status = {each["answer"]: each["size"] for each in statuses or ()}
    return counts_of(row, by_status, by_reason, counts.listed, counts.selected, counts.stopped_by)


def counts_of(
    row: Sequence[int],
    statuses: Mapping[str, int],
    reasons: Mapping[str, int],
    listed: int,
    selected: int,
    stopped_by: FetchLimit | None = None,
) -> PageCounts:
    """Return counts of pages; `row` has the values of `PAGE_COUNTS`, and the others are attributes of the result."""
    fetched, blocked, private, unreachable, good, bad, partial, redirected, indexable_redirected = row
    # Whether the others are indexable is not known. Search engines ignore what the sitemap may not list.
    outside = reasons.get(PageReason.OUTSIDE, 0)
    unknown = sum(count for reason, count in reasons.items() if not PageReason(reason).is_known) - outside
    share = Share.of(good, good + bad + outside, listed - unknown)
    return PageCounts(
        listed, selected, fetched, blocked, stopped_by, statuses, share, private, unreachable, partial, reasons,
        redirected, indexable_redirected,
    )  # fmt: skip


def count_media(store: Store, run_id: int, pending: PendingMedia, stopped_by: FetchLimit | None) -> MediaCounts:
    """Return counts of the requested images, thumbnails, and videos of a run; arguments as for `uncounted`."""
    [(fetched, videos, blocked)] = store.rows(
        f"SELECT count(*) FILTER (skipped IS NULL), count(*) FILTER (skipped = 'video'), "
        f"count(*) FILTER (skipped IN ('robots', '{PRIVATE}')) FROM {MEDIA.name} WHERE {RUN_ID} = {run_id:d}"
    )
    statuses = _statuses(store, run_id, MEDIA.name)
    return MediaCounts(pending.selected_count, fetched, videos, blocked, stopped_by, statuses)


def reason_counts(pages: str) -> str:
    """Return SQL for the number of pages with each reason: those that are not indexable first, the most frequent first.

    Args:
        pages: SQL for the pages of a run, as after FROM.
    """
    return (
        f"SELECT reason, count(*) AS size FROM {pages} WHERE reason IS NOT NULL "
        "GROUP BY reason, is_indexable ORDER BY is_indexable IS NULL, size DESC, reason"
    )


def _statuses(store: Store, run_id: int, table: str) -> dict[str, int]:
    return dict(store.rows(status_counts(table, f"{RUN_ID} = {run_id:d}")))


def status_counts(table: str, condition: str = "true") -> str:
    """Return SQL for how often each status code was returned, the most frequent first."""
    return (
        f"SELECT coalesce(status::VARCHAR, 'no response') AS answer, count(*) AS size FROM {table} "
        f"WHERE {condition} AND skipped IS NULL GROUP BY answer ORDER BY size DESC, answer"
    )
