"""Opens DuckDB databases. No other module does, so that no database loads code or opens files that it was not given.

DuckDB derives an extension from the beginning of a file or from a word before a colon, and downloads and runs it:
SQLite files, `postgres:…`, `md:…`, `https://…`. Therefore, files are inspected before they are opened, their paths are
made absolute, and databases are opened with settings that disable extensions.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from threading import Event, Lock, Thread
from time import monotonic, sleep
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from urlset import _core
from urlset.database import interrupts
from urlset.errors import InputError, is_out_of_resources, reason_of
from urlset.text.sizes import in_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    import duckdb

T = TypeVar("T")

SIGNATURE = b"DUCK"
"""Bytes of a DuckDB file after the first eight. https://duckdb.org/docs/stable/internals/storage"""

SQLITE_SIGNATURE = b"SQLite format 3\x00"
"""First bytes of an SQLite file. https://www.sqlite.org/fileformat.html"""

NO_EXTENSIONS: Mapping[str, str | bool] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    # A name in SQL is a table, not a Python variable.
    "python_enable_replacements": False,
}
"""Settings that every database is opened with. https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview"""

ROW_GROUP = 122_880
"""Rows of a row group. DuckDB compresses a row group once if it gets all its rows in one transaction."""

LOG_SUFFIX = ".wal"
"""Suffix of the log of a database."""

FILE_SUFFIXES = ("", LOG_SUFFIX, f"{LOG_SUFFIX}.checkpoint", f"{LOG_SUFFIX}.recovery")
"""Suffixes of the files that DuckDB reads or writes along with a database."""

TEMPORARY_SUFFIX = ".tmp"
"""Suffix of the directory to which DuckDB moves what does not fit into memory."""

STORE_SECONDS = 1_800.0
"""Time limit of a statement on a store, in seconds, and of the next rows of its result. Our choice: urlset's own
statements take a few minutes on the largest sites; the rows of an untrusted store can make them take forever."""

_is_lean = False
_loading = Lock()

_SCHEME = re.compile(r":|[A-Za-z][A-Za-z0-9_+.-]*:")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
# https://github.com/duckdb/duckdb-python: the message of the error that replaces a KeyboardInterrupt during a query.
_LOST_INTERRUPT = "Query interrupted"


def load_lazily() -> None:
    """Load no more of DuckDB than a connection needs, from now on; for the command line, which starts for each run.

    DuckDB's package makes its relation API of Python classes, which takes longer than to validate a small sitemap.
    """
    global _is_lean
    _is_lean = True


def _load(*, relations: bool) -> None:
    # A thread may be loading it, and then parts of the package stand in for it.
    with _loading:
        if relations or not _is_lean or not _load_scan():
            import duckdb  # noqa: F401 - it prepares `_duckdb`


def _load_scan() -> bool:
    """Load what connections need to scan Arrow tables, and return whether that worked."""
    if {"duckdb", "duckdb._sources"} & sys.modules.keys():
        return True
    from pathlib import Path

    import _duckdb

    # In its place while its parts are imported, since importing one of them imports the whole package first.
    package = ModuleType("duckdb")
    package.__path__ = [str(Path(_duckdb.__file__).with_name("duckdb"))]
    sys.modules["duckdb"] = package
    try:
        _duckdb._set_arrow_sources(import_module("duckdb._sources"))
    except (ImportError, AttributeError):  # Another release keeps them elsewhere.
        return False
    finally:
        del sys.modules["duckdb"]
    return True


class _Opening:
    """A database in memory that a thread opens, while the caller imports and reads something else."""

    def __init__(self) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._error: BaseException | None = None
        # Not a daemon: Python must not end while a thread runs C++. The installed command ends without waiting for it.
        self._thread = Thread(target=self._open, name="open-database")
        self._thread.start()

    def _open(self) -> None:
        try:
            self._connection = _connect(":memory:", {"threads": 1})
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that takes the database
            self._error = error

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return the database, or raise the exception with which opening it failed."""
        self._thread.join()
        if self._connection is None:
            assert self._error is not None
            raise self._error
        return self._connection


_opening: _Opening | None = None


def open_ahead() -> None:
    """Begin to open a database in memory, which the next `connect` for one takes: this takes 40 ms."""
    global _opening
    _opening = _Opening()


def _connect(name: str, config: Mapping[str, Any], *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    _load(relations=False)
    import _duckdb

    return _duckdb.connect(name, read_only=read_only, config={**NO_EXTENSIONS, **config})


def _take_preopened(config: Mapping[str, object]) -> duckdb.DuckDBPyConnection | None:
    """Return the database in memory that is being opened, with its configuration, or None."""
    global _opening
    if _opening is None:
        return None
    connection, _opening = _opening.connection(), None
    for name, value in config.items():
        connection.execute(f"SET {name} = $1", [value])
    return connection


def engine_version() -> str:
    """Return the version and the revision of DuckDB, without opening a database.

    Raises:
        ImportError: It cannot be loaded.
    """
    import _duckdb

    return f"{_duckdb.__version__} ({_duckdb.__git_revision__})"


class _Watch:
    """Interrupts statements on stores that exceed their time limit, from a single thread."""

    def __init__(self) -> None:
        self._running: dict[int, tuple[float, Connection]] = {}
        self._lock = Lock()
        self._has_work = Event()
        self._thread: Thread | None = None

    def begin(self, connection: Connection) -> None:
        with self._lock:
            self._running[id(connection)] = monotonic() + STORE_SECONDS, connection
            if self._thread is None or not self._thread.is_alive():
                # A daemon only waits and interrupts, so Python may end while it runs.
                self._thread = Thread(target=self._watch, name="limit-statements", daemon=True)
                self._thread.start()
        self._has_work.set()

    def end(self, connection: Connection) -> None:
        with self._lock:
            self._running.pop(id(connection), None)

    def _watch(self) -> None:
        while True:
            self._has_work.wait()
            self._stop_overdue()
            sleep(STORE_SECONDS / 16)

    def _stop_overdue(self) -> None:
        # A function of its own, so that the waiting thread keeps no connection alive.
        with self._lock:
            now = monotonic()
            for deadline, connection in self._running.values():
                if deadline <= now:
                    connection.stop_overdue()
            if not self._running:
                self._has_work.clear()


_watch = _Watch()


class Connection:
    """A DuckDB connection whose statements Ctrl-C stops with `KeyboardInterrupt`.

    Args:
        plain: The DuckDB connection.
        store: The names of the stores that it opens, for errors; None if it opens none. Their statements have a time
            limit.
        only_reads: Whether its errors mean that a store cannot be read.
    """

    def __init__(self, plain: duckdb.DuckDBPyConnection, store: str | None = None, *, only_reads: bool = False) -> None:
        self._raw = plain
        self._store = store
        self._only_reads = only_reads
        self._is_late = False
        interrupts.on_interrupt(self, plain.interrupt)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getattr__(self, name: str) -> object:
        return getattr(self._raw, name)

    def execute(self, *arguments: object) -> Connection:
        self._interruptible(self._raw.execute, *arguments)
        return self

    def fetchall(self) -> object:
        return self._interruptible(self._raw.fetchall)

    def fetchmany(self, size: int = 1) -> object:
        return self._interruptible(self._raw.fetchmany, size)

    def fetchone(self) -> object:
        return self._interruptible(self._raw.fetchone)

    def batches(self, statement: str, rows: int) -> Iterator[_core.Table]:
        stream = self._interruptible(lambda: _core.Table.stream(_Rows(self._raw, statement), rows))
        while (batch := self._interruptible(next, stream, None)) is not None:
            yield batch

    def cursor(self) -> Connection:
        """Return another connection to the same database."""
        return Connection(self.plain_cursor(), self._store, only_reads=self._only_reads)

    def plain_cursor(self) -> duckdb.DuckDBPyConnection:
        return self._raw.cursor()

    def close(self) -> None:
        """Close the connection. Can be called repeatedly."""
        interrupts.forget(self)
        self._raw.close()

    def stop_overdue(self) -> None:
        """Interrupt the statement that is running, because it exceeds its time limit."""
        self._is_late = True
        self._raw.interrupt()

    def _interruptible(self, call: Callable[..., T], *arguments: object) -> T:
        if self._store is not None:
            _watch.begin(self)
        try:
            return call(*arguments)
        except RuntimeError as error:
            if self._is_late:
                raise self._timeout_error() from None
            if str(error) == _LOST_INTERRUPT:
                raise KeyboardInterrupt from None
            raise
        except Exception as error:
            if self._is_late:
                raise self._timeout_error() from None
            if not self._only_reads or not is_from_duckdb(error) or is_out_of_resources(error):
                raise
            raise InputError(str(self._store), f"cannot be read: {first_line(error)}") from None
        finally:
            if self._store is not None:
                _watch.end(self)

    def _timeout_error(self) -> InputError:
        return InputError(
            str(self._store),
            f"a query ran longer than {STORE_SECONDS:,g} s and was stopped; the store is damaged or from someone else, "
            "so write a new one with `urlset audit`",
        )


class _Rows:
    """The rows of a statement as a stream of Arrow, by the PyCapsule interface.

    A relation would do the same, but binds the statement twice, and takes longer to import than to validate a small
    sitemap.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, statement: str) -> None:
        self._connection = connection
        self._statement = statement

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        submit = getattr(self._connection, "_submit", None)
        if submit is None:  # Another release.
            _load(relations=True)
            return self._connection.sql(self._statement).__arrow_c_stream__(requested_schema)
        return submit(self._statement, None, "stream").arrow_capsule()


def is_from_duckdb(error: Exception) -> bool:
    """Return whether DuckDB raised an error because of what it reads, not because it was interrupted."""
    import _duckdb

    # Batches of rows raise an OSError of the core, with the text of DuckDB.
    is_of_batches = isinstance(error, OSError) and error.errno is None
    return (isinstance(error, _duckdb.Error) or is_of_batches) and not isinstance(error, _duckdb.InterruptException)


def first_line(error: Exception) -> str:
    """Return the first line of an error of DuckDB, which continues with the statement."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


_REASONS = {
    **{
        reason: reason.lower()
        for reason in (
            "Permission denied", "No space left on device", "Disk quota exceeded", "File too large",
            "Read-only file system", "Input/output error", "Too many open files",
        )
    },
    "Could not read enough bytes": "it is truncated",
    "does not match stored checksum": "it is damaged",
    "Corrupt database file": "it is damaged",
}  # fmt: skip
"""Messages by a part of the message of an error."""


def system_reason(error: Exception) -> str:
    """Return what the system said or what is wrong with a file, without DuckDB's words; otherwise their first line.

    Raises:
        Exception: The error itself, if it is lack of memory, which says nothing about a file.
    """
    if is_out_of_resources(error):
        raise error
    return next((words for part, words in _REASONS.items() if part in str(error)), first_line(error))


def batches(connection: duckdb.DuckDBPyConnection, statement: str, rows: int) -> Iterator[_core.Table]:
    """Run a statement on a connection of this module and yield its rows in batches."""
    return cast("Connection", connection).batches(statement, rows)


def cursor_for(connection: duckdb.DuckDBPyConnection, store: str | None) -> duckdb.DuckDBPyConnection:
    """Return another connection to a database in memory, which has temporary tables of its own.

    Args:
        connection: A connection of this module.
        store: The names of the stores that its statements read, if any; see `connect`.
    """
    plain = cast("Connection", connection).plain_cursor()
    return cast("duckdb.DuckDBPyConnection", Connection(plain, store, only_reads=store is not None))


def connect(
    config: Mapping[str, object] | None = None,
    settings: Iterable[str] = (),
    *,
    path: Path | None = None,
    read_only: bool = False,
    files: bool = False,
    readable: Sequence[Path] = (),
    relations: bool = False,
    store: str | None = None,
) -> duckdb.DuckDBPyConnection:
    """Open a database.

    Args:
        config: Additional settings for opening it.
        settings: Additional settings after opening, in the syntax of `SET`.
        path: Its file, which must have passed `path_problem`; None for a database in memory.
        files: Allow SQL to open local files.
        readable: Databases that may be attached to a database in memory, other files that its SQL may open, and folders
            whose files it may open.
        relations: Whether relations are made from its SQL (`sql`).
        store: The names of the stores that it opens, if any: their statements have a time limit, and unless it writes
            to its file, its errors are errors of reading them (`InputError`).

    Returns:
        The connection: a `Connection`, which has all methods of a DuckDB connection.
    """
    if relations:
        _load(relations=True)
    merged = dict(config or {})
    if path is not None:
        # DuckDB can always open its own database file and the files that belong to it.
        plain = _connect(str(path.absolute()), {**merged, "enable_external_access": files}, read_only=read_only)
    else:
        plain = _take_preopened(merged) or _connect(":memory:", merged, read_only=read_only)
    connection = Connection(plain, store, only_reads=store is not None and (read_only or path is None))
    try:
        if path is None and not files:
            allowed = [f"{place.absolute()}{end}" for place in readable if not place.is_dir() for end in FILE_SUFFIXES]
            if allowed:
                connection.execute("SET allowed_paths = $1", [allowed])
            if folders := [str(place.absolute()) for place in readable if place.is_dir()]:
                connection.execute("SET allowed_directories = $1", [folders])
            # DuckDB asks for the working directory here; without one, the error of the system says so more clearly.
            os.getcwd()  # noqa: PTH109
            connection.execute("SET enable_external_access = false")
        connection.execute("; ".join(f"SET {setting}" for setting in ("enable_progress_bar = false", *settings)))
    except BaseException:
        connection.close()
        raise
    return cast("duckdb.DuckDBPyConnection", connection)


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a database read-only. Its path must have passed `path_problem`.

    Args:
        connection: The connection to attach it to, opened with the path among `readable` or with `files`.
    """
    text = str(path.absolute()).replace("'", "''")
    # The explicit type keeps DuckDB from choosing an extension by the beginning of the file.
    connection.execute(f"ATTACH '{text}' AS {name} (READ_ONLY, TYPE duckdb)")


def attach_empty(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Attach an empty database in memory."""
    connection.execute(f"ATTACH ':memory:' AS {name}")


def path_problem(path: Path) -> str | None:
    """Return why a path cannot be opened as a DuckDB file; None if it can, or if it does not exist yet."""
    name = str(path)
    if _SCHEME.match(name) and not _DRIVE.match(name):
        return "is not a file path; give the path of a DuckDB file, such as urlset.duckdb"
    if "?" in name or not name.isprintable():
        # Not printable: control characters, and bytes that are not UTF-8.
        return "contains a character that DuckDB does not support in paths; rename it"
    # Imported here, because help opens no file.
    from urlset.files.own_files import check_own

    try:
        if path.is_dir():
            return "is a directory; give the path of a DuckDB file, such as urlset.duckdb"
        if path.exists() and not path.is_file():
            return "is not a file"
        # DuckDB reads a log next to the file, and waits forever for the end of a pipe.
        for suffix in (*FILE_SUFFIXES[1:], TEMPORARY_SUFFIX):
            other = path.with_name(path.name + suffix)
            try:
                check_own(other, folder=suffix == TEMPORARY_SUFFIX)
            except OSError as error:
                return f"has {other.name} next to it, and {reason_of(error)}"
        if not path.exists():
            return None
        with path.open("rb") as file:
            start = file.read(len(SQLITE_SIGNATURE))
    except OSError as error:
        return f"cannot be opened: {reason_of(error)}"
    if start == SQLITE_SIGNATURE:
        return "is an SQLite database, not a DuckDB file"
    return None if is_signed(start) else "is not a DuckDB file"


def is_signed(start: bytes) -> bool:
    """Return whether a file with these first bytes is a DuckDB file."""
    return start[8:12] == SIGNATURE


def memory_limit(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the memory limit of a connection, in bytes."""
    [(limit,)] = connection.execute("SELECT current_setting('memory_limit')").fetchall()
    return in_bytes(str(limit))


def set_memory_limit(connection: duckdb.DuckDBPyConnection, text: str) -> bool:
    """Set the memory limit of a connection; return False if DuckDB does not accept the text."""
    try:
        connection.execute("SET memory_limit = $1", [text])
    except Exception as error:
        if not is_from_duckdb(error):
            raise
        return False
    return True


def is_late(error: Exception) -> bool:
    """Return whether DuckDB stopped a statement because it exceeded `max_execution_time`."""
    return "maximum execution time" in str(error)
