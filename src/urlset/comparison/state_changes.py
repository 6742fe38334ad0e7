"""How the states that a search engine reports differ between two days, in SQL on a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.comparison.compare_pages import changes_by_page, changes_in_store, count_changes
from urlset.model.coverage import IndexState
from urlset.model.coverage_diff import PageStateChange, ReportedState, StateChange, StateChanges
from urlset.store.file import RUN_ID, utc
from urlset.store.stored_values import stored_values
from urlset.tables import INDEX_STATES, PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from urlset.model.page_changes import ValueChange
    from urlset.options.comparing import PageProperty
    from urlset.store.file import Store

MEMORY = "256MB"
"""Memory limit of DuckDB for these queries."""

# As for `coverage`: of several reports, the newest one with a state counts.
_STATES = f"""
CREATE OR REPLACE TEMP TABLE {{name}} AS
SELECT page_hash, url, state, reason, reason_text, source, "at" FROM {INDEX_STATES.name}
WHERE engine = $1 AND state IS NOT NULL AND "at"::DATE <= $2
QUALIFY row_number() OVER (PARTITION BY page_hash ORDER BY "at" DESC, source = 'url-inspection' DESC) = 1
"""

# Of two reports with the same state, a reason that only one of them has does not count.
_CHANGES = f"""
CREATE OR REPLACE TEMP TABLE state_changes AS
SELECT page_hash, n.url, CASE
        WHEN o.state = 'indexed' AND n.state <> 'indexed' THEN '{StateChange.FELL_OUT}'
        WHEN o.state <> 'indexed' AND n.state = 'indexed' THEN '{StateChange.CAME_IN}'
        WHEN coalesce(o.reason, o.reason_text) <> coalesce(n.reason, n.reason_text) THEN '{StateChange.OTHER_REASON}'
    END AS change,
    o.state AS old_state, coalesce(o.reason, o.reason_text) AS old_reason, o.source AS old_source, o."at" AS old_at,
    n.state AS new_state, coalesce(n.reason, n.reason_text) AS new_reason, n.source AS new_source, n."at" AS new_at
FROM states_before AS o JOIN states_after AS n USING (page_hash) WHERE n."at" > o."at"
"""

_HASHES = f"""
CREATE OR REPLACE TEMP TABLE changed_hashes AS
SELECT DISTINCT page_hash, loc_hash, change FROM {PAGES.name}
JOIN (SELECT page_hash, change FROM state_changes WHERE change IS NOT NULL) USING (page_hash) WHERE {{run}}
"""

_COUNTS = """
SELECT (SELECT count(*) FROM state_changes),
    (SELECT count(*) FROM states_after ANTI JOIN states_before USING (page_hash)),
    (SELECT count(*) FROM states_before) - (SELECT count(*) FROM state_changes)
"""


class StateDiff:
    """The states of an engine at the end of two days. Its temporary tables end with the connection.

    Args:
        store: The store, open for reading, which holds `MEMORY`.
        runs: The two runs whose pages are compared; empty if there are not two.
    """

    def __init__(self, store: Store, engine: str, days: tuple[date, date], runs: Sequence[int]) -> None:
        self._store = store.share()
        run = self._store.connection.execute
        for name, day in zip(("states_before", "states_after"), days, strict=True):
            run(_STATES.format(name=name), [engine, day])
        run(_CHANGES)
        self._has_pages = bool(runs)
        if runs:
            first, last = runs
            changes_in_store(self._store, first, last)
            run(_HASHES.format(run=f"{RUN_ID} = {last:d}"))

    def counts(self) -> tuple[int, int, int]:
        """Return the number of URLs with a newer report, with a first report, and without a newer one."""
        [(compared, first, stale)] = self._store.rows(_COUNTS)
        return int(compared), int(first), int(stale)

    def changes(self, limit: int) -> Iterator[StateChanges]:
        """Yield the URLs of each kind of change, at most some of each."""
        for change in StateChange:
            [(count,)] = self._store.rows("SELECT count(*) FROM state_changes WHERE change = $1", [change])
            rows = self._store.rows(
                f"SELECT * EXCLUDE (change) FROM state_changes WHERE change = $1 ORDER BY url LIMIT {limit:d}", [change]
            )
            on_pages = self._changes_on([page_hash for page_hash, *_ in rows])
            with stored_values(self._store.path, "the reports of search engines"):
                pages = tuple(
                    PageStateChange(
                        url=url,
                        before=_report(states[:4]),
                        after=_report(states[4:]),
                        changes=on_pages.get(page_hash),
                    )
                    for page_hash, url, *states in rows
                )
            yield StateChanges(change=change, urls=int(count), changed=self._counts_of(change), pages=pages)

    def _changes_on(self, page_hashes: list[int]) -> dict[int, tuple[ValueChange, ...]]:
        """Return what changed on pages between the runs, as far as both requested them."""
        if not self._has_pages:
            return {}
        rows = self._store.rows(
            "SELECT loc_hash, page_hash FROM changed_hashes WHERE page_hash IN (SELECT unnest($1::BIGINT[]))",
            [page_hashes],
        )
        pages: dict[int, int] = dict(rows)
        changes = changes_by_page(self._store.connection, pages)
        return {pages[loc_hash]: found for loc_hash, found in changes.items()}

    def _counts_of(self, change: StateChange) -> dict[PageProperty, int]:
        if not self._has_pages:
            return {}
        pages = f"SELECT loc_hash FROM changed_hashes WHERE change = '{change}'"
        return count_changes(self._store.connection, pages)


def _report(values: Sequence[Any]) -> ReportedState:
    state, reason, source, at = values
    return ReportedState(state=IndexState(state), reason=reason, source=source, at=utc(at))
