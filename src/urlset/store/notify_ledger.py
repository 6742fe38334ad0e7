"""The ledger of `notify`: which endpoint accepted which URL in which version, in a table of a store."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Self

import _duckdb as duckdb

from urlset import _core
from urlset.engine.store_tables import create_statement
from urlset.model.notification import HostNotices, Notice, NoticeKind
from urlset.store.file import Store, unwritten
from urlset.store.url_hashes import add_page_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

NOTICES = "urlset_notices"
"""The table: a row for each URL that an endpoint accepted."""

ROWS_AT_ONCE = 10_000

_PLANNED = "CREATE OR REPLACE TEMP TABLE planned (host VARCHAR, url VARCHAR, kind VARCHAR, version VARCHAR)"

_COLUMNS = [("host", "text"), ("url", "text"), ("kind", "text"), ("version", "text")]

# The hashes by which URLs are compared, so that one that is only spelled differently is not sent again.
_KEYS = f"""
CREATE OR REPLACE TEMP TABLE notice_urls AS SELECT url FROM planned UNION SELECT url FROM {NOTICES};
CREATE OR REPLACE TEMP TABLE notice_keys (url VARCHAR, page_hash BIGINT)
"""

# A version that was accepted is not sent again, unless the opposite was accepted after it: a page that was removed and
# came back has the same lastmod as before.
_PENDING = f"""
CREATE OR REPLACE TEMP TABLE pending AS
WITH accepted AS (
    SELECT page_hash, version, kind = '{NoticeKind.REMOVED}' AS is_removed, max(accepted_at) AS latest
    FROM {NOTICES} JOIN notice_keys USING (url)
    WHERE endpoint IN (SELECT unnest($1::VARCHAR[])) GROUP BY ALL
), newest AS (
    SELECT page_hash, is_removed, max(latest) AS latest FROM accepted GROUP BY ALL
), done AS (
    SELECT accepted.page_hash, version, accepted.is_removed FROM accepted
    LEFT JOIN newest ON newest.page_hash = accepted.page_hash AND newest.is_removed <> accepted.is_removed
    WHERE newest.latest IS NULL OR newest.latest < accepted.latest
), once AS (
    SELECT page_hash, min(url) AS url, arg_min(host, url) AS host, arg_max(kind, version) AS kind,
        max(version) AS version
    FROM planned JOIN notice_keys USING (url) GROUP BY page_hash
)
SELECT row_number() OVER (ORDER BY host, url) AS position, host, url, kind, version FROM once
ANTI JOIN done ON done.page_hash = once.page_hash AND done.version = once.version
    AND done.is_removed = (once.kind = '{NoticeKind.REMOVED}')
"""


class Ledger:
    """The accepted URLs, and those that are still to be sent.

    Args:
        path: The store; created if it does not exist.
        endpoints: The endpoints of this run, which share what they accept.

    Raises:
        OutputError: The store cannot be opened, or is in use.
    """

    def __init__(self, path: Path, endpoints: Sequence[str]) -> None:
        self.path = path
        self._endpoints = list(endpoints)
        self._store = Store.create(path)
        self._connection = self._store.connection
        try:
            self._connection.execute(create_statement(NOTICES))
            self._connection.execute(_PLANNED)
        except duckdb.Error as error:
            self._store.close()
            raise unwritten(self.path, error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.__exit__(kind, error, trace)

    def plan(self, notices: Iterable[tuple[str, Notice]]) -> int:
        """Set the URLs to send.

        Args:
            notices: The URLs, each with its host. A URL that occurs repeatedly, in any spelling, is sent once.

        Returns:
            The number of URLs that were accepted before in this version.
        """
        rows = iter(notices)
        while batch := [
            {"host": host, "url": notice.url, "kind": notice.kind.value, "version": notice.version}
            for host, notice in islice(rows, ROWS_AT_ONCE)
        ]:
            self._connection.register("batch", _core.Table.from_rows(_COLUMNS, batch))
            self._connection.execute("INSERT INTO planned SELECT host, url, kind, version FROM batch")
            self._connection.unregister("batch")
        self._connection.execute(_KEYS)
        add_page_hashes(self._connection, "notice_keys", "notice_urls", "url AS name")
        self._connection.execute(_PENDING, [self._endpoints])
        [(planned, waiting)] = self._connection.execute(
            "SELECT (SELECT count(DISTINCT page_hash) FROM planned JOIN notice_keys USING (url)), "
            "(SELECT count(*) FROM pending)"
        ).fetchall()
        return int(planned) - int(waiting)

    def hosts(self) -> list[tuple[HostNotices, str]]:
        """Return the hosts with the number of their URLs to send, each with the first of them."""
        rows = self._connection.execute(
            "SELECT host, count(*), min(url) FROM pending GROUP BY host ORDER BY host"
        ).fetchall()
        return [(HostNotices(host, int(count)), url) for host, count, url in rows]

    def examples(self, limit: int) -> tuple[Notice, ...]:
        """Return the first URLs to send of each kind."""
        rows = self._connection.execute(
            "SELECT url, kind, version FROM pending QUALIFY row_number() OVER (PARTITION BY kind ORDER BY position) "
            f"<= {limit:d} ORDER BY position"
        ).fetchall()
        return tuple(Notice(url, NoticeKind(kind), version) for url, kind, version in rows)

    def pending(self, urls: Sequence[str]) -> set[str]:
        """Return those of some URLs that would be sent."""
        rows = self._connection.execute(
            "SELECT url FROM pending WHERE url IN (SELECT unnest($1::VARCHAR[]))", [[*urls]]
        ).fetchall()
        return {str(url) for (url,) in rows}

    def leave_out(self, urls: Sequence[str]) -> None:
        """Do not send some URLs in this run."""
        self._connection.execute("DELETE FROM pending WHERE url IN (SELECT unnest($1::VARCHAR[]))", [[*urls]])

    def outside(self, host: str, scope: str, limit: int) -> list[str]:
        """Return URLs of a host whose path does not begin with the directory of its key, up to a number."""
        rows = self._connection.execute(
            "SELECT url FROM pending WHERE host = $1 "
            "AND NOT regexp_matches(url, '^[a-zA-Z]+://[^/?#]*' || regexp_escape($2)) "
            f"ORDER BY position LIMIT {limit:d}",
            [host, scope],
        ).fetchall()
        return [url for (url,) in rows]

    def batch(self, host: str, after: int, limit: int) -> tuple[list[Notice], int]:
        """Return the next URLs of a host to send, and the position of the last one.

        Args:
            after: The position of the last URL of the batch before; 0 for the first batch.
        """
        rows = self._connection.execute(
            f"SELECT position, url, kind, version FROM pending WHERE host = $1 AND position > $2 "
            f"ORDER BY position LIMIT {limit:d}",
            [host, after],
        ).fetchall()
        last = int(rows[-1][0]) if rows else after
        return [Notice(url, NoticeKind(kind), version) for _, url, kind, version in rows], last

    def accept(self, host: str, first: int, last: int, endpoint: str, status: int) -> None:
        """Record, and write to disk, that an endpoint accepted a batch.

        Args:
            first: The position before the first URL of the batch.
            last: The position of its last URL.

        Raises:
            OutputError: It cannot be written.
        """
        try:
            self._connection.execute(
                f"INSERT INTO {NOTICES} SELECT url, version, $1, kind, $2, $3 FROM pending "
                "WHERE host = $4 AND position > $5 AND position <= $6",
                [endpoint, status, datetime.now(UTC).replace(tzinfo=None), host, first, last],
            )
        except duckdb.Error as error:
            raise unwritten(self.path, error) from None
