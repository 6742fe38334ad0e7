"""Opens DuckDB: the only place that does, so that every database loads no code and opens no file it was not given.

DuckDB takes a file's beginning, or a word before a colon, as the name of an extension, which it downloads and runs:
SQLite files, `postgres:…`, `md:…`, `https://…`. So what is to be opened is looked at first, its path is made absolute,
and the settings that forbid extensions are those that it is opened with.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self, cast

from urlset import interrupts
from urlset.errors import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    import duckdb

SIGNATURE = b"DUCK"
"""What a DuckDB file has after the first eight bytes. https://duckdb.org/docs/stable/internals/storage"""

SQLITE_SIGNATURE = b"SQLite format 3\x00"
"""How a file of SQLite begins. https://www.sqlite.org/fileformat.html"""

NO_EXTENSIONS: Mapping[str, str | bool] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    # A name in SQL is a table and no variable of Python.
    "python_enable_replacements": False,
}
"""What every database is opened with. https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview"""

BESIDE = ("", ".wal", ".wal.checkpoint", ".wal.recovery")
"""Ends of the names of the files that belong to a database, which DuckDB reads or writes with it."""

_is_lean = False

_SCHEME = re.compile(r":|[A-Za-z][A-Za-z0-9_+.-]*:")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
# https://github.com/duckdb/duckdb-python: what it makes of the KeyboardInterrupt that it finds while it computes.
_LOST_INTERRUPT = "Query interrupted"


def load_less() -> None:
    """Load no more of DuckDB than a connection needs, from now on; for the command line, which starts for each run.

    DuckDB's package makes its relation API of Python classes, which takes longer than to validate a small sitemap.
    """
    global _is_lean
    _is_lean = True


def _load(*, relations: bool) -> None:
    if relations or not _is_lean or not _load_scan():
        import duckdb  # noqa: F401 - it prepares `_duckdb`


def _load_scan() -> bool:
    """Load what connections scan Arrow tables with, and say whether that could be done."""
    if {"duckdb", "duckdb._sources"} & sys.modules.keys():
        return True
    from importlib.util import find_spec

    import _duckdb

    found = find_spec("duckdb")
    if found is None or found.submodule_search_locations is None:
        return False
    # In its place while its parts are imported, since importing one of them imports the whole package first.
    package = ModuleType("duckdb")
    package.__path__ = list(found.submodule_search_locations)
    sys.modules["duckdb"] = package
    try:
        _duckdb._set_arrow_sources(import_module("duckdb._sources"))
    except (ImportError, AttributeError):  # Another release keeps them elsewhere.
        return False
    finally:
        del sys.modules["duckdb"]
    return True


class Connection:
    """A connection whose statements Ctrl-C stops with `KeyboardInterrupt`; otherwise DuckDB's own.

    Args:
        plain: DuckDB's own.
    """

    def __init__(self, plain: duckdb.DuckDBPyConnection) -> None:
        self._plain = plain
        interrupts.on_interrupt(self, plain.interrupt)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def execute(self, *arguments: Any) -> Connection:
        """Runs a statement."""
        self._interruptible("execute", *arguments)
        return self

    def fetchall(self) -> Any:
        """Every row of the last statement."""
        return self._interruptible("fetchall")

    def fetchmany(self, size: int = 1) -> Any:
        """The next rows of the last statement."""
        return self._interruptible("fetchmany", size)

    def fetchone(self) -> Any:
        """The next row of the last statement."""
        return self._interruptible("fetchone")

    def cursor(self) -> Connection:
        """Another connection to the same database."""
        return Connection(self._plain.cursor())

    def close(self) -> None:
        """Closes it. May be called again."""
        interrupts.forget(self)
        self._plain.close()

    def _interruptible(self, name: str, *arguments: Any) -> Any:
        try:
            return getattr(self._plain, name)(*arguments)
        except RuntimeError as error:
            if str(error) == _LOST_INTERRUPT:
                raise KeyboardInterrupt from None
            raise


def connect(
    config: Mapping[str, Any] | None = None,
    settings: Iterable[str] = (),
    *,
    path: Path | None = None,
    read_only: bool = False,
    files: bool = False,
    readable: Sequence[Path] = (),
    relations: bool = False,
) -> duckdb.DuckDBPyConnection:
    """Opens a database.

    Args:
        config: What else is set when it is opened.
        settings: What else is set then, as `SET` takes it.
        path: Its file, in which `path_problem` finds nothing wrong with; None for one in memory.
        read_only: Open the file for reading only.
        files: Let SQL open files of this machine, too.
        readable: Databases that may be attached to one in memory, and other files that its SQL may open.
        relations: Whether relations are made of its SQL (`sql`).

    Returns:
        The connection: a `Connection`, which has everything that DuckDB's own has.
    """
    _load(relations=relations)
    import _duckdb as duckdb

    merged: dict[str, Any] = {**NO_EXTENSIONS, **(config or {})}
    if path is not None:
        # DuckDB lets itself open the file that it is opened with, and what belongs to it.
        merged["enable_external_access"] = files
    name = ":memory:" if path is None else str(path.absolute())
    connection = Connection(duckdb.connect(name, read_only=read_only, config=merged))
    try:
        if path is None and not files:
            allowed = [f"{one.absolute()}{end}" for one in readable for end in BESIDE]
            if allowed:
                connection.execute("SET allowed_paths = $1", [allowed])
            connection.execute("SET enable_external_access = false")
        for setting in ("enable_progress_bar = false", *settings):
            connection.execute(f"SET {setting}")
    except BaseException:
        connection.close()
        raise
    return cast("duckdb.DuckDBPyConnection", connection)


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attaches a database for reading, in which `path_problem` finds nothing wrong with.

    Args:
        connection: What it is attached to, opened with the path among `readable` or with `files`.
        path: The file.
        name: What it is called then.
    """
    text = str(path.absolute()).replace("'", "''")
    # The type keeps DuckDB from choosing an extension by the beginning of the file.
    connection.execute(f"ATTACH '{text}' AS {name} (READ_ONLY, TYPE duckdb)")


def path_problem(path: Path) -> str | None:
    """Why something cannot be opened as a DuckDB file; None if it can, or if there is nothing yet."""
    name = str(path)
    if _SCHEME.match(name) and not _DRIVE.match(name):
        return "is not the path of a file; give that of a DuckDB file, such as urlset.duckdb"
    if "?" in name or not name.isprintable():
        # The latter are control characters, and bytes that are not UTF-8.
        return "has a character in its path that DuckDB cannot open; rename it"
    try:
        if not path.exists():
            return None
        if not path.is_file():
            return "is not a file"
        with path.open("rb") as file:
            start = file.read(len(SQLITE_SIGNATURE))
    except OSError as error:
        return f"cannot be opened: {reason_of(error)}"
    if start == SQLITE_SIGNATURE:
        return "is an SQLite database, not a DuckDB file"
    return None if is_signed(start) else "is not a DuckDB file"


def is_signed(start: bytes) -> bool:
    """Whether a file that begins so is one of DuckDB."""
    return start[8:12] == SIGNATURE


def is_late(error: Exception) -> bool:
    """Whether DuckDB stopped a statement since `max_execution_time` was over."""
    return "maximum execution time" in str(error)
