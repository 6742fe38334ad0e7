"""Opens a run as DuckDB sees it: a run in a store, or a run as a folder of Parquet, which Spark writes.

A folder has one folder of Parquet per table with rows. The row of `runs` is written last: without it, the run is not
complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.database.connections import attach, path_problem
from urlset.engine.page_verdicts import INDEXABLE, REASON, pages_query
from urlset.engine.rule_sql import quote, text_literal
from urlset.engine.store_tables import (
    RESULTS,
    UNDOCUMENTED,
    column_types,
    columns_in,
    is_checked,
    remember,
    shape_problem,
    state_of,
)
from urlset.errors import InputError
from urlset.files.repository_links import leads_out
from urlset.tables import DOCUMENTS, PAGES, RUNS, TABLES

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from urlset.engine.store_tables import Columns

RUN_NUMBER = 1
"""The number of the only run of a folder."""

INCOMPLETE = "is an incomplete run: it was interrupted before its end; read the sitemaps again"

# DuckDB would take these as patterns for names of files.
_PATTERN = frozenset("*?[")


def is_run_folder(path: Path) -> bool:
    """Return whether a path is a run as a folder of Parquet, complete or not."""
    return any((path / name).is_dir() and _files(path / name) for name in (RUNS.name, DOCUMENTS.name))


def folder_problem(path: Path) -> str | None:
    """Return why a run as a folder cannot be read; None if it can."""
    if not _files(path / RUNS.name):
        return INCOMPLETE
    if not _is_plain(str(path.absolute())):
        return "contains a character that DuckDB does not support in paths; rename it"
    for file in (file for name in (*TABLES, RESULTS) for file in _files(path / name)):
        shown = f"{file.parent.name}/{file.name!r}"
        if not _is_plain(file.name):
            return f"is damaged or not a run of urlset: {shown} has a character that DuckDB does not support in paths"
        # DuckDB waits forever for the end of a pipe.
        if not file.is_file():
            return f"is damaged or not a run of urlset: {shown} is not a regular file"
        if leads_out(file.parent) or leads_out(file):
            return f"has a symbolic link that leads out of the repository: {shown}"
    return None


def _is_plain(name: str) -> bool:
    return name.isprintable() and not _PATTERN & set(name)


def attach_run(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> Columns:
    """Attach a store, or a run as a folder, read-only.

    Args:
        connection: The connection, opened with the path among `readable`.
        path: The file or folder.
        name: The name of the database or schema to attach it as.

    Returns:
        The types of all columns, by table and column.

    Raises:
        InputError: It is not a run, or an incomplete one.
    """
    if is_run_folder(path):
        connection.execute(f"CREATE SCHEMA {quote(name)}")
        return create_views(connection, path, name)
    if (wrong := path_problem(path)) is not None:
        raise InputError(str(path), wrong)
    state = state_of(path)
    attach(connection, path, name)
    columns = columns_in(connection, name)
    if not is_checked(state):
        if (wrong := shape_problem(connection, columns, name)) is not None:
            raise InputError(str(path), wrong)
        remember(state, is_complete=False)
    return columns


def create_views(connection: duckdb.DuckDBPyConnection, path: Path, schema: str) -> Columns:
    """Create a view of each table of a run as a folder, and return the tables with their columns.

    Raises:
        InputError: The run is incomplete.
    """
    if (problem := folder_problem(path)) is not None:
        raise InputError(str(path), problem)
    types_of = {name: column_types(table) for name, table in TABLES.items() if table.built_by != "engine"}
    types_of[RESULTS] = dict(UNDOCUMENTED[RESULTS])
    for name, types in types_of.items():
        files = _files(path / name)
        there = columns_of(connection, _read(files)) if files else frozenset()
        read = f"FROM {_read(files)}" if files else "WHERE FALSE"
        if name == PAGES.name and files and not {REASON, INDEXABLE} <= there:
            read = f"FROM ({pages_query(_read(files), there)}) AS pages"
            there = frozenset(PAGES.column_names)
        selects = [
            f"{RUN_NUMBER:d}::INTEGER AS run_id" if column == "run_id" else _column_sql(column, kind, there)
            for column, kind in types.items()
        ]
        connection.execute(f"CREATE VIEW {quote(schema)}.{quote(name)} AS SELECT {', '.join(selects)} {read}")
    return types_of


def _column_sql(column: str, kind: str, there: frozenset[str]) -> str:
    value = quote(column) if column in there else "NULL"
    return f"CAST({value} AS {kind}) AS {quote(column)}"


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.parquet") if not path.name.startswith(("_", ".")))


def _read(files: list[Path]) -> str:
    paths = ", ".join(text_literal(str(path.absolute())) for path in files)
    return f"read_parquet([{paths}])"


def columns_of(connection: duckdb.DuckDBPyConnection, source: str) -> frozenset[str]:
    """Return the names of the columns of what can stand after FROM; `duckdb_columns()` takes 40 ms at first."""
    return frozenset(str(name) for name, *_ in connection.execute(f"DESCRIBE FROM {source}").fetchall())
