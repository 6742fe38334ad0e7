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
from urlset.store.page_states import last_changes
from urlset.store.possible import POSSIBLE_REPORT
from urlset.store.url_hashes import add_hashes
from urlset.tables import INDEX_STATES, SEARCH_ANALYTICS, URLS

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


# What was inspected today for an earlier sample is not requested again.
_CARRY_OVER = """
UPDATE urlset_inspections AS i SET state = e.state, reason = e.reason, problem = e.problem, done_at = e.done_at
FROM (
    SELECT p.* FROM urlset_inspections AS p JOIN urlset_samples AS s USING (sample_id)
    WHERE s.site = $1 AND p.sample_id <> $2 AND p.done_at BETWEEN $3 AND $4
    QUALIFY row_number() OVER (PARTITION BY p.url ORDER BY p.done_at DESC) = 1
) AS e
WHERE i.sample_id = $2 AND i.url = e.url
"""

# Unknown pages first, then those that changed since the last report or impression, then by its age.
_BY_NEED = f"""
WITH known AS (
    SELECT page_hash, max("at") AS known_at FROM (
        SELECT page_hash, "at" FROM {INDEX_STATES.name} WHERE engine = 'google' AND state IS NOT NULL
            AND {POSSIBLE_REPORT}
        UNION ALL SELECT page_hash, day FROM {SEARCH_ANALYTICS.name} WHERE impressions > 0
    ) GROUP BY page_hash
)
SELECT p.place, p.url FROM urlset_inspections AS p JOIN pending_hashes USING (place)
LEFT JOIN known USING (page_hash) LEFT JOIN ({{changes}}) USING (page_hash)
WHERE p.sample_id = $1 AND p.done_at IS NULL
ORDER BY known_at IS NOT NULL, NOT coalesce(changed_at > known_at, false), known_at, hash(place), place LIMIT {{limit}}
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
        self._execute(_CARRY_OVER, [self._site, number, without_zone(now - WINDOW), without_zone(now + WINDOW)])
        self._connection.commit()
        return number

    def facts(self, sample_id: int) -> tuple[int, int, int]:
        """Return the number of listed URLs inside and outside of the property, and of URLs in the sample."""
        [(listed, outside)] = self._store.rows(
            "SELECT listed, outside FROM urlset_samples WHERE sample_id = $1", [sample_id]
        )
        [(size,)] = self._store.rows("SELECT count(*) FROM urlset_inspections WHERE sample_id = $1", [sample_id])
        return int(listed), int(outside), int(size)

    def count_earlier(self, sample_id: int) -> int:
        """Return the number of URLs of a sample that were inspected before it was drawn."""
        [(count,)] = self._store.rows(
            "SELECT count(*) FROM urlset_inspections JOIN urlset_samples USING (sample_id) "
            "WHERE sample_id = $1 AND done_at < begun_at",
            [sample_id],
        )
        return int(count)

    def pending_urls(self, sample_id: int, limit: int) -> list[tuple[int, str]]:
        """Return places and URLs that are not inspected yet.

        A sample is in an order that is independent of the documents and of what is known, so that its first part is
        a sample, too. Of all URLs of a property, those come first whose state is least known.
        """
        listed, _, size = self.facts(sample_id)
        if size == listed:
            return self._least_known(sample_id, limit)
        rows = self._store.rows(
            "SELECT place, url FROM urlset_inspections WHERE sample_id = $1 AND done_at IS NULL "
            f"ORDER BY hash(place), place LIMIT {limit:d}",
            [sample_id],
        )
        return [(int(place), url) for place, url in rows]

    def _least_known(self, sample_id: int, limit: int) -> list[tuple[int, str]]:
        pending = f"FROM urlset_inspections WHERE sample_id = {sample_id:d} AND done_at IS NULL"
        self._execute("CREATE OR REPLACE TEMP TABLE pending_hashes (place BIGINT, page_hash BIGINT)")
        add_hashes(self._connection, "pending_hashes", f"SELECT place, url {pending}")
        query = _BY_NEED.format(changes=last_changes(self._store), limit=f"{limit:d}")
        return [(int(place), url) for place, url in self._store.rows(query, [sample_id])]

    def recent_requests(self, now: datetime) -> int:
        """Return the number of requests in the last 24 hours.

        Requests that a wrong clock has dated more than a day ahead do not count.
        """
        [(count,)] = self._store.rows(
            "SELECT count(*) FROM urlset_inspection_calls WHERE site = $1 AND asked_at > $2 AND asked_at < $3",
            [self._site, without_zone(now - WINDOW), without_zone(now + WINDOW)],
        )
        return int(count)

    def free_at(self, per_day: int, now: datetime) -> datetime:
        """Return when the next request is possible with a limit in 24 hours."""
        rows = self._store.rows(
            "SELECT asked_at FROM urlset_inspection_calls WHERE site = $1 AND asked_at < $2 "
            f"ORDER BY asked_at DESC LIMIT 1 OFFSET {per_day - 1:d}",
            [self._site, without_zone(now + WINDOW)],
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
