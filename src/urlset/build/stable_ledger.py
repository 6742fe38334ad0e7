"""The ledger of a set with the stable layout: a Parquet file with the part of each URL, sorted by the hash of the URL.

Its columns are `high` and `low`, the halves of the 128-bit XXH3 hash of the URL, and `part`, the name of the part
without the name of the set, such as `12` or `shoes-2`. It has no URLs. DuckDB reads and writes it as a stream, so that
it is never in memory as a whole.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from urlset.database.connections import connect, system_reason
from urlset.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from urlset import _core

_SETTINGS = {"threads": 1, "memory_limit": "128MiB"}
"""The rows are sorted already, and are passed on in order."""


def write_ledger(rows: _core.LedgerTable, path: Path) -> None:
    """Write the rows of a ledger, which are sorted, to a new file.

    Raises:
        OutputError: It cannot be written.
    """
    import duckdb

    with connect(_SETTINGS, readable=[path]) as connection:
        connection.register("ledger", rows)
        try:
            connection.execute(f"COPY ledger TO {_literal(path)} (FORMAT parquet, COMPRESSION zstd)")
        except duckdb.Error as error:
            raise OutputError(f"{path}: the ledger cannot be written: {system_reason(error)}") from None
    # Only the build needs it: a web server that runs as another user does not serve it.
    path.chmod(0o600)


@contextmanager
def open_ledger(path: Path) -> Iterator[object]:
    """Open a ledger, and yield its rows as an Arrow stream.

    Raises:
        OutputError: It cannot be read.
    """
    import duckdb

    with connect(_SETTINGS, readable=[path], relations=True) as connection:
        try:
            yield connection.sql(f"SELECT high, low, part FROM read_parquet({_literal(path)})")
        except (duckdb.Error, ValueError) as error:
            raise OutputError(
                f"{path}: the ledger cannot be read: {system_reason(error)}; "
                "delete it, and it is rebuilt from the published sitemaps"
            ) from None


def _literal(path: Path) -> str:
    return "'" + str(path.absolute()).replace("'", "''") + "'"
