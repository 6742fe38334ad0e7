"""Rows of a PostgreSQL query through its ADBC driver: in PostgreSQL's SQL dialect, as an Arrow stream.

DuckDB has an extension for PostgreSQL, but downloads it at run time, and a build must not require other network access.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from urlset.build.sources import tabular
from urlset.errors import InputError, UsageError, requiring_extra

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import Query

SCHEMES = ("postgresql://", "postgres://")

BATCH_BYTES = 1 << 20
"""Approximate size of a batch of rows; the driver's default is 16 times as large."""

_ADDRESS = re.compile(
    r"""postgres(?:ql)?://
    (?: (?: [^\s:@/?\#%] | %[0-9A-Fa-f]{2} )* (?: : (?: [^\s@/?\#%] | %[0-9A-Fa-f]{2} )* )? @ )?
    (?: [^\s@/?\#%] | %[0-9A-Fa-f]{2} )*
    (?: / (?: [^\s@/?\#%] | %[0-9A-Fa-f]{2} )* )?
    (?: \? (?: [^\s&=\#%]+ = (?: [^\s&=\#%] | %[0-9A-Fa-f]{2} )* (?: & | $ ) )* )?""",
    re.VERBOSE,
)
"""Unambiguous connection URLs. If libpq parses a URL differently than intended, parts of a password end up in its
messages: in `postgresql://user:pa/ss@host`, libpq reports the port `pa`."""

_WITHOUT = re.compile(
    r"^[A-Z_]+: (\[libpq\] )?((Failed to (connect|prepare query)|could not begin COPY|Failed to execute query[^:]*): )*"
    r"|\s*\nLINE \d+: .*"
    r"|\s*\n\nQuery was: .*"
    r"|\.? SQLSTATE: \w+$",
    re.DOTALL,
)
"""Text that the driver adds to the message of the server: its state, and the query."""


def entries(spec: Query, context: SourceContext, resources: ExitStack) -> tabular.Columns:
    """Return the entries as columns, which are streamed while the writer reads.

    Raises:
        InputError: The connection fails, or the query cannot be run.
        MissingExtraError: The driver is not installed.
        UsageError: The query has no column with URLs or is not a SELECT, or the connection URL is invalid.
    """
    import duckdb

    assert spec.database is not None
    name = masked_address(spec.database)
    what = f"the query of {name}"
    if not spec.sql.strip():
        raise UsageError(f"{what}: must be a single SELECT")
    rows = _Rows(resources.enter_context(_connect(spec.database)), spec.sql)
    resources.callback(rows.close)
    connection = resources.enter_context(tabular.open_duckdb(spec.folder, readable=()))
    with _translated_errors(name, "the query cannot be run"):
        rows.execute()
    try:
        relation = connection.from_arrow(rows)
    except duckdb.InvalidInputException:
        raise UsageError(f"{what}: must be a single SELECT") from None
    with tabular.readable(what):
        return tabular.entries(relation, spec, context, {}, what, tabular.IN_QUERY)


def masked_address(address: str) -> str:
    """Return the location of a database for display, without user, password, and parameters."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


class _Rows:
    """The rows of a query for DuckDB, which requests the columns and then the rows, sometimes repeatedly."""

    def __init__(self, connection: object, sql: str) -> None:
        self._connection = connection
        # The driver adds parentheses around the query, so it must not end in a comment.
        self._sql = sql.rstrip("; \t\r\n") + "\n"
        self._statement: Any = None
        self._rows: Any = None

    def execute(self) -> None:
        import adbc_driver_manager
        from adbc_driver_postgresql import StatementOptions

        self.close()
        self._statement = adbc_driver_manager.AdbcStatement(self._connection)
        self._statement.set_options(**{StatementOptions.BATCH_SIZE_HINT_BYTES.value: str(BATCH_BYTES)})
        self._statement.set_sql_query(self._sql)
        self._rows, _ = self._statement.execute_query()

    def __arrow_c_schema__(self) -> object:
        return self._not_yet_read().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return all rows; the transaction ensures that they are the same each time."""
        return self._not_yet_read().__arrow_c_stream__(requested_schema)

    def _not_yet_read(self) -> Any:
        if not self._rows.is_valid:
            self.execute()
        return self._rows

    def close(self) -> None:
        if self._statement is not None:
            self._statement.close()
            self._statement = self._rows = None


@contextmanager
def _connect(address: str) -> Iterator[object]:
    """Return a connection with a read-only transaction on a snapshot of the database."""
    with requiring_extra("postgres", "PostgreSQL sources require"):
        import adbc_driver_manager
        import adbc_driver_postgresql
    if not _ADDRESS.fullmatch(address):
        raise UsageError(
            "invalid database URL; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and percent-encode @ / : # ? "
            "and % in the user and password as %40 %2F %3A %23 %3F and %25"
        )
    name = masked_address(address)
    with _translated_errors(name, "cannot be opened"):
        database = adbc_driver_postgresql.connect(address)
    with database:
        with _translated_errors(name, "cannot be opened"):
            connection = adbc_driver_manager.AdbcConnection(database)
        with connection:
            with (
                _translated_errors(name, "cannot be opened"),
                adbc_driver_manager.AdbcStatement(connection) as statement,
            ):
                # A transaction rather than a session setting, because a pool may reuse the session.
                connection.set_autocommit(False)
                statement.set_sql_query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                statement.execute_update()
            yield connection


@contextmanager
def _translated_errors(name: str, what: str) -> Iterator[None]:
    """Convert an error of the driver to an InputError, in one line, with the server's message."""
    import adbc_driver_manager

    try:
        yield
    except adbc_driver_manager.Error as error:
        lines = [" ".join(line.split()) for line in _WITHOUT.sub("", str(error)).splitlines()]
        raise InputError(name, f"{what}: {'; '.join(line for line in lines if line)}") from None
