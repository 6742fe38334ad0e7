"""Which dates are possible: what is dated later, a clock that was wrong has written, and it does not count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from urlset.store.file import without_zone
from urlset.tables import INDEX_STATES, LOG_FILES

if TYPE_CHECKING:
    from urlset.store.file import Store

AHEAD = timedelta(days=1)
"""How far after now a time can be by clocks in any zone."""

POSSIBLE_REPORT = f'epoch("at") <= epoch(now()) + {AHEAD.total_seconds():.0f}'
"""SQL for whether a row of `index_states` has a possible date."""

_FUTURE_REPORTS = f"SELECT count(*) FROM {INDEX_STATES.name} WHERE engine = $1 AND NOT {POSSIBLE_REPORT}"

_FUTURE_LINES = f"SELECT coalesce(sum(future), 0)::BIGINT FROM {LOG_FILES.name}"


def last_possible() -> datetime:
    """Return the last instant, without a zone, that a request or a report can have."""
    return without_zone(datetime.now(UTC) + AHEAD)


def future_reports(store: Store, engine: str | None) -> int:
    """Return the number of reports of a search engine that are left out because of their dates."""
    if not store.has_table(INDEX_STATES.name):
        return 0
    [(count,)] = store.rows(_FUTURE_REPORTS, [engine])
    return int(count)


def future_lines(store: Store) -> int:
    """Return the number of lines of access logs that were skipped because of their dates."""
    if "future" not in store.columns(LOG_FILES.name):
        return 0
    [(count,)] = store.rows(_FUTURE_LINES)
    return int(count)
