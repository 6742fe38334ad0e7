"""Stores what crawlers requested, according to access logs, and how far each log was read.

Counts are committed log by log, and piece by piece in large logs, together with the position in the log. They go to
tables of parts first, since the counts of a URL may come from many pieces. `merge` adds them to the documented tables.
If there are many, it writes these tables anew: to drop a table takes no memory, but to delete rows does.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

import _duckdb as duckdb

from urlset.engine.rule_sql import identifier_list, quote
from urlset.engine.store_tables import PARTS
from urlset.errors import InputError
from urlset.model.access_log import CrawlerHits, SitemapFetches, Verdict
from urlset.model.policy import Visits
from urlset.net.origin import origin_url
from urlset.store.file import RUN_ID, Store, unwritten, utc, with_zones
from urlset.store.hash_ranges import HASHES, between, ranges, row_count
from urlset.store.sites import by_site, finished_runs, site_of_url, sites_of
from urlset.store.stored_values import stored_values
from urlset.tables import CRAWL_DAYS, CRAWLS, DOCUMENTS, LOG_FILES, RUNS, SITEMAP_FETCHES, SITEMAP_KINDS, TABLES, URLS
from urlset.text.sizes import MiB
from urlset.web.agents import known_agent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from urlset import _core
    from urlset.tables import Table

MEMORY = 96 * MiB
"""Memory that DuckDB takes at most, beyond which it writes to its temporary folder."""

MERGE_MEMORY = 128 * MiB
"""The same while counts are merged: no log is read then, and a transaction takes memory for each row. The counts of 100
million lines need less than 100 MB (measured)."""

HASHES_AT_ONCE = 500_000
"""Approximate number of rows to search for equal keys at once."""

ROWS_AT_ONCE = 50_000
"""Approximate number of rows with equal keys to merge at once: their lists of status codes are held in memory."""

ROWS_IN_SHARE = 2_000_000
"""Approximate number of rows to take out of the parts and the table at once: all of them are read for each share."""

MAX_CHANGED = 500_000
"""Number of parts beyond which a table is written anew: a transaction takes memory for each row that it deletes."""

HEAD = 4_096
"""Bytes at the start of a log that identify it."""

MAX_ORIGINS = 1_000
"""Maximum hosts of sitemaps of a run among which those of its site are searched."""

MAX_DOCUMENTS = 100_000
"""Number of known sitemaps whose requests are recognized whatever they are called."""

_MERGED = {CRAWLS.name: "urlset_merged_crawls", CRAWL_DAYS.name: "urlset_merged_days"}

_KEYS = {
    CRAWLS.name: ("url", "agent", "verdict"),
    CRAWL_DAYS.name: ("site", "agent", "verdict", "day", "section"),
}

_SUMS = {
    "first_at": "min(first_at)",
    "last_at": "max(last_at)",
    "hits": "sum(hits)::BIGINT",
    "bytes": "sum(bytes)::BIGINT",
}
"""The SQL function that merges the numbers of two parts, by column."""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """The position up to which a log was read: its row of `tables.LOG_FILES`."""

    name: str
    format: str
    site: str | None
    head_hash: str
    head_bytes: int
    header: str | None
    offset: int
    first_at: datetime | None = None
    last_at: datetime | None = None
    lines: int = 0
    unreadable: int = 0
    future: int | None = 0
    hits: int = 0

    def identified_by(self, head: bytes) -> LogPosition:
        """Return the position, identified by the start of the log."""
        start = head[:HEAD]
        return replace(self, head_hash=hashlib.sha256(start).hexdigest(), head_bytes=len(start))


class LogStore:
    """The tables of access logs in a store.

    Args:
        path: The store; created if it does not exist.
        memory: Memory limit of DuckDB, in bytes.

    Raises:
        OutputError: The store cannot be opened, or is in use.
    """

    def __init__(self, path: Path, memory: int) -> None:
        self.path = path
        self._memory = memory
        self._store = Store.create(path)
        self._connection = self._store.connection
        try:
            # Logs have more lines than a small store has rows.
            self._store.use_threads()
            self._connection.execute(
                f"SET memory_limit = '{min(MEMORY, memory)}B'; SET preserve_insertion_order = false"
            )
            for name, parts in PARTS.items():
                self._connection.execute(f"CREATE TABLE IF NOT EXISTS {parts} AS FROM {name} WHERE false")
            lengths = self._connection.execute(f"SELECT DISTINCT head_bytes FROM {LOG_FILES.name}").fetchall()
        except duckdb.Error as error:
            self._store.close()
            raise unwritten(self.path, error) from None
        self._lengths: set[int] = {length for (length,) in lengths}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.__exit__(kind, error, trace)

    def position(self, head: bytes, site: str | None) -> LogPosition | None:
        """Return how far a log was read for a site, or for all sites; None if it was not.

        Args:
            head: The first bytes of the log.
            site: The site; None to also return a position for a single site.
        """
        names = LOG_FILES.column_names[:-1]
        rows = self._connection.execute(
            f"SELECT {identifier_list(names)} FROM {LOG_FILES.name} "
            "WHERE head_hash = ANY($1::VARCHAR[]) AND ($2 IS NULL OR site IS NULL OR site = $2) "
            "ORDER BY head_bytes DESC, site NULLS FIRST, read_at DESC LIMIT 1",
            [_hashes(head, sorted(length for length in self._lengths if length <= len(head))), site],
        ).fetchall()
        for row in rows:
            values: dict[str, Any] = dict(zip(names, with_zones(LOG_FILES.columns[:-1], row), strict=True))
            return LogPosition(**values)
        return None

    def sites(self) -> list[str]:
        """Return scheme and host of each site with a finished run, newest run first."""
        starts: list[str] = []
        for group in reversed(by_site(finished_runs(self._store.runs()))):
            run = group[-1]
            sites = sites_of(run.targets)
            # The sitemaps of a run say how its site was requested; those in local files, only what they list.
            table, column, limit = (DOCUMENTS, "url", MAX_ORIGINS) if sites else (URLS, "loc", 2)
            rows = self._connection.execute(
                f"SELECT DISTINCT regexp_extract({column}, '^https?://[^/?#]+') AS start FROM {table.name} "
                f"WHERE {RUN_ID} = {run.run_id:d} AND start <> '' ORDER BY start DESC LIMIT {limit:d}"
            ).fetchall()
            origins = dict.fromkeys(filter(None, (origin_url(str(start)) for (start,) in rows)))
            if not sites and len(origins) > 1:
                continue
            starts += [
                origin for origin in origins if origin not in starts and (not sites or site_of_url(origin) in sites)
            ]
        return starts

    def documents(self) -> list[str]:
        """Return the URLs of the sitemaps of the last finished run."""
        kinds = ", ".join(f"'{kind}'" for kind in SITEMAP_KINDS)
        rows = self._connection.execute(
            f"SELECT DISTINCT url FROM {DOCUMENTS.name} WHERE kind IN ({kinds}) AND host IS NOT NULL AND {RUN_ID} = "
            f"(SELECT max({RUN_ID}) FROM {RUNS.name} WHERE finished_at IS NOT NULL) LIMIT {MAX_DOCUMENTS:d}"
        ).fetchall()
        return [url for (url,) in rows]

    def add(self, counts: _core.LogCounts, before: LogPosition | None, after: LogPosition) -> None:
        """Add counts, and record at once how far the log was read.

        Args:
            counts: Rows of `crawls`, `crawl_days`, and `sitemap_fetches`.
            before: The position before; None if the log is new.
            after: The position now.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            self._connection.begin()
            for name, table in counts.tables().items():
                if not len(table):
                    continue
                self._connection.register("counted", table)
                names = identifier_list(table.column_names)
                place = PARTS.get(name, name)
                self._connection.execute(f"INSERT INTO {quote(place)} ({names}) SELECT {names} FROM counted")
                self._connection.unregister("counted")
            if before is not None:
                self._connection.execute(
                    f"DELETE FROM {LOG_FILES.name} "
                    "WHERE head_hash = $1 AND head_bytes = $2 AND site IS NOT DISTINCT FROM $3",
                    [before.head_hash, before.head_bytes, before.site],
                )
            values = [_naive(getattr(after, name)) for name in LOG_FILES.column_names[:-1]]
            marks = ", ".join(f"${number}" for number in range(1, len(values) + 2))
            now = datetime.now(UTC).replace(tzinfo=None)
            # A store of an older urlset has its columns in another order.
            columns = identifier_list(LOG_FILES.column_names)
            self._connection.execute(f"INSERT INTO {LOG_FILES.name} ({columns}) VALUES ({marks})", [*values, now])
            self._connection.commit()
            self._lengths.add(after.head_bytes)
        except duckdb.Error as error:
            # DuckDB refuses all other work in the failed transaction.
            with suppress(duckdb.Error):
                self._connection.rollback()
            raise unwritten(self.path, error) from None

    def merge(self) -> None:
        """Add the parts to the documented tables, in one transaction and in bounded memory.

        Raises:
            OutputError: They cannot be written.
        """
        execute = self._connection.execute
        try:
            # Each checkpoint would take 10 s if there are many parts (measured); closing the store makes one.
            memory = min(MERGE_MEMORY, self._memory)
            execute(f"SET memory_limit = '{memory}B'; SET checkpoint_threshold = '1TB'")
            waiting = {name: row_count(self._connection, parts) for name, parts in PARTS.items()}
            # Written before the transaction, whose rows DuckDB would hold in memory.
            for name, count in waiting.items():
                if count > MAX_CHANGED:
                    self._write_anew(TABLES[name])
            execute("BEGIN")
            for name, parts in PARTS.items():
                if waiting[name] > MAX_CHANGED:
                    execute(f"DROP TABLE {name}; ALTER TABLE {_MERGED[name]} RENAME TO {name}")
                elif waiting[name]:
                    self._change(TABLES[name])
                execute(f"DROP TABLE {parts}; CREATE TABLE {parts} AS FROM {name} WHERE false")
            execute("COMMIT")
        except duckdb.Error as error:
            raise unwritten(self.path, error) from None

    def _write_anew(self, table: Table) -> None:
        """Write a table with its parts to another one, share by share: to sort all rows would take memory."""
        name, parts, merged = table.name, PARTS[table.name], _MERGED[table.name]
        # An interrupted run may have left it.
        self._connection.execute(f"DROP TABLE IF EXISTS {merged}; CREATE TABLE {merged} AS FROM {name} WHERE false")
        key, columns = _salted_hash(table), identifier_list(table.column_names)
        shares = (row_count(self._connection, name) + row_count(self._connection, parts)) // ROWS_IN_SHARE + 1
        for share in ranges(0, HASHES, shares):
            self._connection.execute(
                f"CREATE OR REPLACE TEMP TABLE share AS SELECT {columns}, {key} AS hash FROM ("
                f"SELECT {columns} FROM {parts} UNION ALL SELECT {columns} FROM {name}) WHERE hash {between(share)}"
            )
            self._add_share(table, merged, share)
        self._connection.execute("DROP TABLE share")

    def _change(self, table: Table) -> None:
        """Add a few parts to a table: replace the rows with the same keys."""
        name, parts = table.name, PARTS[table.name]
        key, columns = _salted_hash(table), identifier_list(table.column_names)
        changed = f"{key} IN (SELECT {key} FROM {parts})"
        self._connection.execute(
            f"CREATE OR REPLACE TEMP TABLE share AS SELECT {columns}, {key} AS hash FROM ("
            f"SELECT {columns} FROM {parts} UNION ALL SELECT {columns} FROM {name} WHERE {changed}); "
            f"DELETE FROM {name} WHERE {changed}"
        )
        self._add_share(table, name, (0, HASHES))
        self._connection.execute("DROP TABLE share")

    def _add_share(self, table: Table, target: str, share: tuple[int, int]) -> None:
        """Add the rows of `share`, those with equal keys as one.

        Most hashes are those of a single row, so these rows are added at once: rows that do not fill a row group stay
        in memory until the next checkpoint.
        """
        execute, columns = self._connection.execute, identifier_list(table.column_names)
        execute("CREATE OR REPLACE TEMP TABLE repeated (hash UBIGINT)")
        for part in ranges(*share, row_count(self._connection, "share") // HASHES_AT_ONCE + 1):
            execute(
                f"INSERT INTO repeated SELECT hash FROM share WHERE hash {between(part)} "
                "GROUP BY hash HAVING count(*) > 1"
            )
        execute(f"INSERT INTO {target} ({columns}) SELECT {columns} FROM share ANTI JOIN repeated USING (hash)")
        execute("CREATE OR REPLACE TEMP TABLE chosen AS FROM share SEMI JOIN repeated USING (hash)")
        for part in ranges(*share, row_count(self._connection, "chosen") // ROWS_AT_ONCE + 1):
            execute(f"INSERT INTO {target} ({columns}) {_merge_query(table, part)}")
        execute("DROP TABLE repeated; DROP TABLE chosen")

    def crawlers(self) -> tuple[CrawlerHits, ...]:
        """Return the crawlers, those with the most requests first."""
        rows = self._connection.execute(
            f"""
            WITH statuses AS (
                SELECT agent, verdict, status, sum(hits) AS hits FROM (
                    SELECT agent, verdict, unnest(statuses) AS status, unnest(status_hits) AS hits
                    FROM {CRAWL_DAYS.name}
                ) GROUP BY ALL
            ), lists AS (
                SELECT agent, verdict, list(status ORDER BY status) AS statuses,
                    list(hits::BIGINT ORDER BY status) AS status_hits
                FROM statuses GROUP BY ALL
            ), fetches AS (
                SELECT agent, verdict, count(*) AS hits FROM {SITEMAP_FETCHES.name} GROUP BY ALL
            )
            SELECT c.agent, c.verdict, count(*), sum(c.hits)::BIGINT, any_value(l.statuses), any_value(l.status_hits),
                coalesce(any_value(f.hits), 0), min(c.first_at), max(c.last_at)
            FROM {CRAWLS.name} AS c LEFT JOIN lists AS l USING (agent, verdict)
            LEFT JOIN fetches AS f USING (agent, verdict)
            GROUP BY c.agent, c.verdict ORDER BY 4 DESC, 1, 2
            """
        ).fetchall()
        with stored_values(self.path, "the requests of crawlers"):
            return tuple(self._hits(rows))

    def sitemaps(self, limit: int) -> tuple[tuple[SitemapFetches, ...], int]:
        """Return the sitemaps that crawlers requested most, by crawler, and the number of all such rows."""
        rows = self._connection.execute(
            'SELECT document, agent, verdict, count(*) AS hits, max("at"), arg_max(status, "at"), count(*) OVER () '
            f"FROM {SITEMAP_FETCHES.name} GROUP BY document, agent, verdict "
            f"ORDER BY hits DESC, document, agent, verdict LIMIT {limit:d}"
        ).fetchall()
        with stored_values(self.path, "the requests for sitemaps"):
            sitemaps = tuple(
                SitemapFetches(document, agent, Verdict(verdict), hits, utc(last), status)
                for document, agent, verdict, hits, last, status, _ in rows
            )
        return sitemaps, rows[0][-1] if rows else 0

    @staticmethod
    def _hits(rows: Sequence[Sequence[Any]]) -> Iterator[CrawlerHits]:
        for name, verdict, urls, hits, statuses, counts, sitemaps, first, last in rows:
            if (agent := known_agent(name)) is not None:
                of_status = dict(zip(statuses or (), counts or (), strict=True))
                yield CrawlerHits(agent, Verdict(verdict), urls, hits, of_status, sitemaps, utc(first), utc(last))

    def window(self) -> tuple[datetime | None, datetime | None]:
        """Return the earliest and the latest time in all logs."""
        [(first, last)] = self._connection.execute(
            f"SELECT min(first_at), max(last_at) FROM {LOG_FILES.name}"
        ).fetchall()
        return first and utc(first), last and utc(last)


def has_logs(store: Store) -> bool:
    return store.has_table(CRAWL_DAYS.name) and store.has_table(LOG_FILES.name)


def verified_visits(store: Store, site: str) -> tuple[dict[str, Visits], datetime | None, datetime | None]:
    """Return the verified requests of crawlers for a site, and the earliest and latest time in all logs.

    Requests for sitemaps and robots.txt are left out, since every crawler may make them.

    Args:
        site: The site, such as `https://example.com`.

    Raises:
        InputError: The store has no access logs.
    """
    if not has_logs(store):
        raise InputError(str(store.path), "has no access logs; read them with `urlset logs`")
    rows = store.rows(
        f"""
        WITH fetched AS (
            SELECT agent, date_trunc('day', "at") AS day, status, -1 AS hits FROM {SITEMAP_FETCHES.name}
            WHERE site = $1 AND verdict = 'verified'
        ), counted AS (
            SELECT agent, day, unnest(statuses) AS status, unnest(status_hits) AS hits FROM {CRAWL_DAYS.name}
            WHERE site = $1 AND verdict = 'verified'
        ), days AS (
            SELECT agent, day, status, sum(hits)::BIGINT AS hits
            FROM (FROM counted UNION ALL FROM fetched) GROUP BY ALL HAVING sum(hits) > 0
        )
        SELECT agent, sum(hits)::BIGINT, coalesce(sum(hits) FILTER (status BETWEEN 200 AND 299 OR status = 304), 0),
            coalesce(sum(hits) FILTER (status IN (401, 402, 403)), 0), min(day), max(day)
        FROM days GROUP BY agent
        """,
        [site],
    )
    [(first, last)] = store.rows(f"SELECT min(first_at), max(last_at) FROM {LOG_FILES.name}")
    with stored_values(store.path, "the requests of crawlers"):
        visits = {
            agent: Visits(
                hits=int(hits),
                answered=int(answered),
                refused=int(refused),
                first_on=begin.date(),
                last_on=end.date(),
            )
            for agent, hits, answered, refused, begin, end in rows
        }
        return visits, first and utc(first), last and utc(last)


def _hashes(head: bytes, lengths: Iterable[int]) -> list[str]:
    """Return the hashes of the starts of a log, by length in ascending order."""
    hashes = []
    digest, end = hashlib.sha256(), 0
    for length in lengths:
        digest.update(head[end:length])
        hashes.append(digest.hexdigest())
        end = length
    return hashes


def _salted_hash(table: Table) -> str:
    """Return SQL for the salted hash of a key, so that clients cannot choose URLs that all fall into one share."""
    return f"hash({identifier_list(_KEYS[table.name])}, {secrets.randbits(32):d})"


def _merge_query(table: Table, hashes: tuple[int, int]) -> str:
    """Return a query for the rows of `chosen` with some hashes, in which those with equal keys become one."""
    keys = _KEYS[table.name]
    by = identifier_list(keys)
    single = [name for name in table.column_names if name not in (*keys, "statuses", "status_hits")]
    sums = ", ".join(f"{_SUMS.get(name, f'any_value({quote(name)})')} AS {quote(name)}" for name in single)
    columns = identifier_list(table.column_names)
    return (
        f"WITH repeated AS (FROM chosen WHERE hash {between(hashes)}), "
        f"sums AS (SELECT {by}, {sums} FROM repeated GROUP BY {by}), "
        # A request without a response has no status; its row stays.
        f"single AS (SELECT {by}, unnest(if(len(statuses) = 0, [NULL], statuses)) AS status, "
        "unnest(if(len(statuses) = 0, [NULL], status_hits)) AS hits FROM repeated), "
        f"by_status AS (SELECT {by}, status, sum(hits)::BIGINT AS hits FROM single GROUP BY ALL), "
        f"lists AS (SELECT {by}, "
        "coalesce(list(status ORDER BY status) FILTER (status IS NOT NULL), []) AS statuses, "
        "coalesce(list(hits ORDER BY status) FILTER (status IS NOT NULL), []) AS status_hits "
        f"FROM by_status GROUP BY {by}) "
        f"SELECT {columns} FROM sums JOIN lists USING ({by})"
    )


def _naive(value: object) -> object:
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value
