"""The rows of a query of PostgreSQL, by its ADBC driver: in PostgreSQL's own SQL, as a stream of Arrow.

DuckDB has an extension for PostgreSQL, but fetches it when it runs, and a build needs no network besides the database.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from urlset.build.sources import tabular
from urlset.errors import InputError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

    from urlset.build.sources.source import Run
    from urlset.options.sources import Query

SCHEMES = ("postgresql://", "postgres://")

BATCH_BYTES = 1 << 20
"""About as much of the rows is handed over at a time; the driver's own choice is sixteen times that."""

_ADDRESS = re.compile(
    r"""postgres(?:ql)?://
    (?: (?: [^\s:@/?\#%] | %[0-9A-Fa-f]{2} )* (?: : (?: [^\s@/?\#%] | %[0-9A-Fa-f]{2} )* )? @ )?
    (?: [^\s@/?\#%] | %[0-9A-Fa-f]{2} )*
    (?: / (?: [^\s@/?\#%] | %[0-9A-Fa-f]{2} )* )?
    (?: \? (?: [^\s&=\#%]+ = (?: [^\s&=\#%] | %[0-9A-Fa-f]{2} )* (?: & | $ ) )* )?""",
    re.VERBOSE,
)
"""Addresses that mean the same to everybody. What libpq takes apart otherwise than its writer meant ends up in its
messages, a part of a password among it: `postgresql://user:pa/ss@host` is the port `pa` to it."""

_WITHOUT = re.compile(
    r"^[A-Z_]+: (\[libpq\] )?((Failed to (connect|prepare query)|could not begin COPY|Failed to execute query[^:]*): )*"
    r"|\s*\nLINE \d+: .*"
    r"|\s*\n\nQuery was: .*"
    r"|\.? SQLSTATE: \w+$",
    re.DOTALL,
)
"""What the driver says around the words of the server: its own states, and the query."""


def entries(spec: Query, run: Run, opened: ExitStack) -> tabular.Columns:
    """What the writer takes: columns, which are computed and sent while it reads.

    Raises:
        InputError: The server cannot be reached or does not let in, or the query cannot be run.
        MissingExtraError: There is no driver.
        UsageError: The query has no column with URLs, or is none; or the address is not written as such.
    """
    import duckdb

    assert spec.database is not None
    name = shown(spec.database)
    what = f"the query of {name}"
    if not spec.sql.strip():
        raise UsageError(f"{what}: is one SELECT")
    rows = _Rows(opened.enter_context(_connected(spec.database)), spec.sql)
    opened.callback(rows.close)
    connection = opened.enter_context(tabular.connected(spec.folder, readable=()))
    with _told(name, "the query cannot be run"):
        rows.execute()
    try:
        relation = connection.from_arrow(rows)
    except duckdb.InvalidInputException:
        raise UsageError(f"{what}: is one SELECT") from None
    with tabular.readable(what):
        return tabular.entries(relation, spec, run, {}, what, tabular.IN_QUERY)


def shown(address: str) -> str:
    """Where a database is, as it may be shown: without user, password and what else is said of the connection."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


class _Rows:
    """The rows of a query, for DuckDB: it asks for their columns, and then for themselves, now and then repeatedly."""

    def __init__(self, connection: Any, sql: str) -> None:
        self._connection = connection
        # The driver puts parentheses around the query, and so it ends as one line does, and not with a comment.
        self._sql = sql.rstrip("; \t\r\n") + "\n"
        self._statement: Any = None
        self._rows: Any = None

    def execute(self) -> None:
        """Has the server begin."""
        import adbc_driver_manager
        from adbc_driver_postgresql import StatementOptions

        self.close()
        self._statement = adbc_driver_manager.AdbcStatement(self._connection)
        self._statement.set_options(**{StatementOptions.BATCH_SIZE_HINT_BYTES.value: str(BATCH_BYTES)})
        self._statement.set_sql_query(self._sql)
        self._rows, _ = self._statement.execute_query()

    def __arrow_c_schema__(self) -> object:
        """The columns."""
        return self._not_yet_read().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows from the first on; the transaction sees to it that they are the same each time."""
        return self._not_yet_read().__arrow_c_stream__(requested_schema)

    def _not_yet_read(self) -> Any:
        if not self._rows.is_valid:
            self.execute()
        return self._rows

    def close(self) -> None:
        """Ends the query, wherever it is."""
        if self._statement is not None:
            self._statement.close()
            self._statement = self._rows = None


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A connection with a transaction that only reads, and sees the database as it was when it began."""
    try:
        import adbc_driver_manager
        import adbc_driver_postgresql
    except ImportError:
        raise MissingExtraError("a query of PostgreSQL needs its driver: pip install 'urlset[postgres]'") from None
    if not _ADDRESS.fullmatch(address):
        raise UsageError(
            "the address of the database is not written as postgresql://USER:PASSWORD@HOST:PORT/DATABASE: characters "
            "of a user or password such as @ / : # ? and % are written as %40 %2F %3A %23 %3F and %25"
        )
    name = shown(address)
    with _told(name, "cannot be opened"):
        database = adbc_driver_postgresql.connect(address)
    with database:
        with _told(name, "cannot be opened"):
            connection = adbc_driver_manager.AdbcConnection(database)
        with connection:
            with _told(name, "cannot be opened"), adbc_driver_manager.AdbcStatement(connection) as statement:
                # A transaction and no setting of the session: a pool may hand the session to others.
                connection.set_autocommit(False)
                statement.set_sql_query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                statement.execute_update()
            yield connection


@contextmanager
def _told(name: str, what: str) -> Iterator[None]:
    """Says of an error of the driver that a database cannot be read, in one line and in the server's own words."""
    import adbc_driver_manager

    try:
        yield
    except adbc_driver_manager.Error as error:
        lines = [" ".join(line.split()) for line in _WITHOUT.sub("", str(error)).splitlines()]
        raise InputError(name, f"{what}: {'; '.join(line for line in lines if line)}") from None
