"""Samples of URLs to inspect, and the requests for them, so that the quota is kept over days. Tables of a store."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import _duckdb as duckdb

from urlset.coverage.index_states import add_states
from urlset.engine.rule_sql import text_literal
from urlset.engine.store_tables import create_statement
from urlset.model.coverage import ReasonCount
from urlset.store.file import RUN_ID, unwritten, utc, without_zone
from urlset.store.page_selection import evenly_spaced
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.store.file import Store

WINDOW = timedelta(hours=24)
"""Period in which requests count. It is never less strict than the day of Google, wherever that begins."""

_TABLES = ("urlset_samples", "urlset_inspections", "urlset_inspection_calls")

# The first of each URL; a sample is spaced evenly over the entries in order, so that each document gets its share.
_DRAW = f"""
INSERT INTO urlset_inspections
WITH firsts AS (
    SELECT document_id, ordinal, loc FROM {URLS.name}
    WHERE {{run}} AND loc_problem IS NULL AND scheme IN ('http', 'https') AND {{inside}}
    QUALIFY row_number() OVER (PARTITION BY loc_hash ORDER BY document_id, ordinal) = 1
), numbered AS (
    SELECT loc, row_number() OVER (ORDER BY document_id, ordinal) AS place, count(*) OVER () AS total FROM firsts
)
SELECT {{sample_id}}, place, loc, NULL, NULL, NULL, NULL FROM numbered WHERE {{sampled}}
"""

_COUNTED = f"""
SELECT count(DISTINCT loc_hash) FILTER ({{inside}}), count(DISTINCT loc_hash) FILTER (NOT ({{inside}})) FROM {URLS.name}
WHERE {{run}} AND loc_problem IS NULL AND scheme IN ('http', 'https')
"""


class Inspections:
    """The samples and requests of a property.

    Args:
        store: The store, open for writing.

    Raises:
        OutputError: The store cannot be written.
    """

    def __init__(self, store: Store, site: str) -> None:
        self._store = store
        self._connection = store.connection
        self._site = site
        self._execute("; ".join(map(create_statement, _TABLES)))

    def last_sample(self) -> int | None:
        """Return the number of the last sample of the property; None if none was taken."""
        [(number,)] = self._store.rows("SELECT max(sample_id) FROM urlset_samples WHERE site = $1", [self._site])
        return None if number is None else int(number)

    def draw(self, run_id: int, inside: str, size: int | None, now: datetime) -> int:
        """Draw a sample of the listed URLs of a run, and return its number.

        Args:
            inside: SQL predicate on `urls`, true for URLs of the property.
            size: Number of URLs; None for all.
        """
        run = f"{RUN_ID} = {run_id:d}"
        [(last,)] = self._store.rows("SELECT coalesce(max(sample_id), 0) FROM urlset_samples")
        [(listed, outside)] = self._store.rows(_COUNTED.format(run=run, inside=inside))
        number = int(last) + 1
        sampled = "true" if size is None else evenly_spaced(size)
        self._connection.begin()
        self._execute(_DRAW.format(run=run, inside=inside, sample_id=number, sampled=sampled))
        self._execute(
            "INSERT INTO urlset_samples VALUES ($1, $2, $3, $4, $5, $6)",
            [number, self._site, run_id, without_zone(now), listed, outside],
        )
        self._connection.commit()
        return number

    def facts(self, sample_id: int) -> tuple[int, int, int]:
        """Return the number of listed URLs inside and outside of the property, and of URLs in the sample."""
        [(listed, outside)] = self._store.rows(
            "SELECT listed, outside FROM urlset_samples WHERE sample_id = $1", [sample_id]
        )
        [(size,)] = self._store.rows("SELECT count(*) FROM urlset_inspections WHERE sample_id = $1", [sample_id])
        return int(listed), int(outside), int(size)

    def pending_urls(self, sample_id: int, limit: int) -> list[tuple[int, str]]:
        """Return places and URLs that are not inspected yet, in an order that is independent of the documents."""
        rows = self._store.rows(
            "SELECT place, url FROM urlset_inspections WHERE sample_id = $1 AND done_at IS NULL "
            f"ORDER BY hash(place), place LIMIT {limit:d}",
            [sample_id],
        )
        return [(int(place), url) for place, url in rows]

    def recent_requests(self, now: datetime) -> int:
        """Return the number of requests in the last 24 hours."""
        [(count,)] = self._store.rows(
            "SELECT count(*) FROM urlset_inspection_calls WHERE site = $1 AND asked_at > $2",
            [self._site, without_zone(now - WINDOW)],
        )
        return int(count)

    def free_at(self, per_day: int, now: datetime) -> datetime:
        """Return when the next request is possible with a limit in 24 hours."""
        rows = self._store.rows(
            "SELECT asked_at FROM urlset_inspection_calls WHERE site = $1 "
            f"ORDER BY asked_at DESC LIMIT 1 OFFSET {per_day - 1:d}",
            [self._site],
        )
        return max(now, utc(rows[0][0]) + WINDOW) if rows else now

    def record(self, sample_id: int, place: int, at: datetime, row: Mapping[str, object], problem: str | None) -> None:
        """Record a request, and its result if there is one: a row of `index_states`, or why the URL is refused."""
        self._execute("INSERT INTO urlset_inspection_calls VALUES ($1, $2)", [self._site, without_zone(at)])
        if not row and problem is None:
            return
        if row:
            add_states(self._store, [[row]])
        reason = row.get("reason") or row.get("reason_text")
        self._execute(
            "UPDATE urlset_inspections SET state = $1, reason = $2, problem = $3, done_at = $4 "
            "WHERE sample_id = $5 AND place = $6",
            [row.get("state"), reason, problem, without_zone(at), sample_id, place],
        )

    def results(self, sample_id: int) -> tuple[dict[str | None, int], dict[str, int], tuple[ReasonCount, ...]]:
        """Return the numbers of inspected URLs by state, of refused ones by problem, and by reason."""
        states = self._store.rows(
            "SELECT state, count(*) FROM urlset_inspections WHERE sample_id = $1 AND done_at IS NOT NULL "
            "AND problem IS NULL GROUP BY state",
            [sample_id],
        )
        problems = self._store.rows(
            "SELECT problem, count(*) FROM urlset_inspections WHERE sample_id = $1 AND problem IS NOT NULL "
            "GROUP BY problem ORDER BY 2 DESC, 1",
            [sample_id],
        )
        reasons = self._store.rows(
            "SELECT coalesce(reason, ''), count(*) FROM urlset_inspections WHERE sample_id = $1 "
            "AND done_at IS NOT NULL AND problem IS NULL GROUP BY 1 ORDER BY 2 DESC, 1",
            [sample_id],
        )
        return dict(states), dict(problems), tuple(ReasonCount(reason or None, count) for reason, count in reasons)

    def _execute(self, statement: str, values: list[object] | None = None) -> None:
        try:
            self._connection.execute(statement, values)
        except duckdb.Error as error:
            raise unwritten(self._store.path, error) from None


def of_domain(host: str) -> str:
    """Return SQL on `urls` for the URLs of a domain property: all of the host and its subdomains."""
    return f"(host = {text_literal(host)} OR ends_with(host, {text_literal(f'.{host}')}))"


def of_prefix(prefix: str) -> str:
    """Return SQL on `urls` for the URLs of a property that is a prefix of URLs."""
    return f"starts_with(loc || CASE WHEN path = '' THEN '/' ELSE '' END, {text_literal(prefix)})"
