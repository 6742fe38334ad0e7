"""Counts the results of requesting the listed pages and media of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.model.audit import MediaCounts, PageCounts, Share
from urlset.probe.facts import OUTSIDE, PRIVATE, ROBOTS_UNREACHABLE
from urlset.store.file import RUN_ID
from urlset.tables import MEDIA, PAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.store.file import Store
    from urlset.store.media import PendingMedia
    from urlset.store.pages import PendingPages

GOOD = """status BETWEEN 200 AND 299 AND coalesce(error_kind, 'too-large') = 'too-large' AND noindex IS NULL
    AND coalesce(len(hops), 0) = 0 AND coalesce(canonical_is_self, true)"""
"""SQL for a page that is indexable at its listed URL."""

READ_BY_GOOD = frozenset({"error_kind", "noindex", "hops", "canonical_is_self"})
"""The columns that `GOOD` reads in addition to the status."""

PAGE_COUNTS = (
    "count(*) FILTER (WHERE skipped IS NULL), count(*) FILTER (WHERE skipped = 'robots'), "
    f"count(*) FILTER (WHERE skipped = '{PRIVATE}'), "
    f"count(*) FILTER (WHERE skipped = 'robots' AND blocked_by = '{ROBOTS_UNREACHABLE}'), "
    f"count(*) FILTER (WHERE {GOOD}), count(*) FILTER (WHERE NOT complete), "
    f"count(*) FILTER (WHERE skipped = '{OUTSIDE}')"
)
"""SQL for the numbers of pages that were fetched, that robots.txt blocks, that are on private addresses, whose
robots.txt is unreachable, that are indexable, that were read only in part, and that the audited directory lacks."""


def pages_seen(store: Store, run_id: int, pending: PendingPages, stopped_by: str | None) -> PageCounts:
    """Return counts of the requested pages of a run.

    Args:
        store: The store.
        run_id: The run.
        pending: The pages that were selected.
        stopped_by: The budget that ended the requests early; None if none was exhausted.
    """
    [row] = store.connection.execute(f"SELECT {PAGE_COUNTS} FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d}").fetchall()
    statuses = _statuses(store, run_id, PAGES.name)
    return counts_of(row, statuses, pending.total, pending.chosen, stopped_by)


def counts_of(
    row: Sequence[int], statuses: Mapping[str, int], listed: int, selected: int, stopped_by: str | None = None
) -> PageCounts:
    """Return counts of pages.

    Args:
        row: The values of `PAGE_COUNTS`.
        statuses: How often each status code was returned.
        listed: Number of distinct listed pages.
        selected: Number of pages selected for fetching.
        stopped_by: The budget that ended the requests early; None if none was exhausted.
    """
    fetched, blocked, private, unreachable, good, partial, outside = row
    # Whether these are indexable is not known.
    unknown = private + unreachable + outside
    share = Share.of(good, fetched + blocked - unreachable, listed - unknown)
    return PageCounts(
        listed, selected, fetched, blocked, stopped_by, statuses, share, private, unreachable, partial, outside
    )


def media_seen(store: Store, run_id: int, pending: PendingMedia, stopped_by: str | None) -> MediaCounts:
    """Return counts of the requested images, thumbnails, and videos of a run; arguments as for `pages_seen`."""
    [(fetched, videos, blocked)] = store.connection.execute(
        f"SELECT count(*) FILTER (skipped IS NULL), count(*) FILTER (skipped = 'video'), "
        f"count(*) FILTER (skipped IN ('robots', '{PRIVATE}')) FROM {MEDIA.name} WHERE {RUN_ID} = {run_id:d}"
    ).fetchall()
    statuses = _statuses(store, run_id, MEDIA.name)
    return MediaCounts(pending.chosen, fetched, videos, blocked, stopped_by, statuses)


def _statuses(store: Store, run_id: int, table: str) -> dict[str, int]:
    """Return how often each status code was returned, the most frequent first."""
    return dict(store.connection.execute(status_counts(table, f"{RUN_ID} = {run_id:d}")).fetchall())


def status_counts(table: str, wanted: str = "true") -> str:
    """Return SQL for how often each status code was returned, the most frequent first."""
    return (
        f"SELECT coalesce(status::VARCHAR, 'no response') AS answer, count(*) AS size FROM {table} "
        f"WHERE {wanted} AND skipped IS NULL GROUP BY answer ORDER BY size DESC, answer"
    )
