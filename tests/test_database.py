"""Opening databases: in one place, with nothing downloaded, nothing loaded, and no file but the one that was meant."""

from __future__ import annotations

import ast
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, cast

import duckdb
import pytest
from tests.cases import case_table

from urlset.cli.main import main
from urlset.database import connections
from urlset.errors import ExitCode, InputError
from urlset.store.file import Store
from urlset.store.run import Run

PACKAGE = Path(connections.__file__).parents[1]
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)


def openings(path: Path) -> list[str]:
    """What a module does to open a DuckDB by itself: `duckdb.connect`, under whatever name, and SQL that attaches."""
    text = path.read_text("utf-8")
    # To parse all files would take seconds.
    if "duckdb" not in text and "ATTACH" not in text:
        return []
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "duckdb":
            if node.attr in {"connect", "sql", "execute", "query", "from_query", "default_connection"}:
                found.append(f"duckdb.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and node.module == "duckdb":
            found += [f"from duckdb import {name.name}" for name in node.names if name.name in {"connect", "sql"}]
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lstrip().startswith("ATTACH")
        ):
            found.append(node.value)
    return found


def test_databases_are_opened_in_one_place() -> None:
    opening = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if openings(path)}
    assert opening == {"database/connections.py"}


def test_a_stray_would_be_found(tmp_path: Path) -> None:
    for number, text in enumerate(
        ("import duckdb\nduckdb.connect()", "from duckdb import connect", "x.execute(f\"ATTACH '{y}'\")")
    ):
        module = tmp_path / f"{number}.py"
        module.write_text(text)
        assert openings(module)


def setting(connection: Any, name: str) -> Any:
    [(value,)] = connection.execute("SELECT value FROM duckdb_settings() WHERE name = $1", [name]).fetchall()
    return value


@pytest.mark.parametrize("kind", ["file", "read only", "memory", "with files"])
def test_no_database_loads_code(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.duckdb"
    connections.connect(path=path).close()
    with connections.connect(
        path=path if kind in ("file", "read only") else None, read_only=kind == "read only", files=kind == "with files"
    ) as connection:
        assert setting(connection, "autoinstall_known_extensions") == "false"
        assert setting(connection, "autoload_known_extensions") == "false"
        assert setting(connection, "allow_community_extensions") == "false"
        assert setting(connection, "enable_external_access") == str(kind == "with files").lower()
        with pytest.raises(duckdb.Error):
            connection.execute("LOAD httpfs")


def test_only_what_is_readable_is_attached(tmp_path: Path) -> None:
    for name in ("a'b", "other"):
        with connections.connect(path=tmp_path / name) as connection:
            connection.execute("CREATE TABLE x AS SELECT 1 AS y")
    with connections.connect(readable=[tmp_path / "a'b"]) as connection:
        connections.attach(connection, tmp_path / "a'b", "one")
        assert connection.execute("FROM one.x").fetchall() == [(1,)]
        with pytest.raises(duckdb.PermissionException):
            connections.attach(connection, tmp_path / "other", "two")
        with pytest.raises(duckdb.PermissionException):
            connection.execute(f"COPY (SELECT 1) TO '{tmp_path}/x.csv'")


LEAN = """
import sys
from urlset import _core
from urlset.database import connections as database
database.load_lazily()
table = _core.Table.from_rows([("a", "int32"), ("b", "text")], [{"a": 1, "b": "x"}, {"a": 2, "b": None}])
with database.connect() as connection:
    connection.register("t", table)
    assert connection.execute("SELECT b FROM t WHERE a > 0 ORDER BY a").fetchall() == [("x",), (None,)]
    [rows] = database.batches(connection, "SELECT a FROM t ORDER BY a", 5)
    assert rows.column("a") == [1, 2]
    assert "duckdb" not in sys.modules and "duckdb._relation" not in sys.modules
    with database.connect(relations=True) as other:
        assert other.sql("SELECT 1").fetchall() == [(1,)]
    import duckdb
    assert connection.sql("SELECT a FROM t WHERE b = 'x'").fetchall() == [(1,)]
    assert duckdb.sql("SELECT 2").fetchall() == [(2,)]
"""


def test_the_command_line_loads_what_connections_need() -> None:
    subprocess.run([sys.executable, "-c", LEAN], check=True)


MOVED = """
from urlset.database import connections as database
def missing(name):
    raise ImportError(name)
database.import_module = missing
"""


def test_where_its_parts_are_kept_elsewhere_all_of_duckdb_is_loaded() -> None:
    script = MOVED + LEAN.replace("not in sys.modules", "in sys.modules")
    subprocess.run([sys.executable, "-c", script], check=True)


def test_rows_are_read_in_batches_from_a_release_without_its_function() -> None:
    class Other:
        def sql(self, statement: str) -> object:
            return real.sql(statement)

        def interrupt(self) -> None:
            real.interrupt()

    with connections.connect(relations=True) as real:
        other = connections.Connection(cast("duckdb.DuckDBPyConnection", Other()))
        numbers = [rows.column("a") for rows in other.batches("SELECT unnest([1, 2]) AS a", 5)]
    assert numbers == [[1, 2]]


def test_a_store_of_a_stranger_opens_nothing_else(tmp_path: Path) -> None:
    path, secret = tmp_path / "theirs.duckdb", tmp_path / "secret.txt"
    secret.write_text("hunter2")
    with Store.create(path) as store:
        Run.begin(store, ["https://example.com"], {})
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE VIEW stolen AS FROM read_text('{secret}')")
    with pytest.raises(InputError, match=r'theirs.duckdb: is not a store .*the view "stolen"'):
        Store.read(path)
    with Store.read(_without_view(path)) as store, pytest.raises(InputError, match="Permission Error"):
        store.connection.execute(f"FROM read_text('{secret}')")


def _without_view(path: Path) -> Path:
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP VIEW stolen")
    return path


NO_STORES = (
    "postgres:host=127.0.0.1", "postgres://127.0.0.1/db", "md:mine", "motherduck:mine", "sqlite:x", "mysql:x",
    "http://127.0.0.1:9/x.duckdb", "https://127.0.0.1:9/x.duckdb", "s3://bucket/x.duckdb", "ducklake:x", ":memory:",
    "x.sqlite", "text.duckdb", "short", "folder", "fifo", "que?ry.duckdb", "/dev/zero",
)  # fmt: skip
"""What is not a store, and how DuckDB's extensions would be named."""


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    Path("sitemap.xml").write_text(SITEMAP)
    with sqlite3.connect("x.sqlite") as connection:
        connection.execute("CREATE TABLE pages (url)")
    Path("text.duckdb").write_text("a text of more than sixteen bytes")
    Path("short").write_bytes(b"x")
    Path("folder").mkdir()
    os.mkfifo("fifo")
    return tmp_path


COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "audit": lambda store: ["audit", "sitemap.xml", "--no-pages", "--no-score", "--store", store],
    "resume": lambda store: ["audit", "--resume", "--store", store],
    "history": lambda store: ["history", store],
    "report": lambda store: ["report", store, "-o", "page.html"],
    "lastmod": lambda store: ["lastmod", "sitemap.xml", "--store", store],
    "coverage": lambda store: ["coverage", "--store", store],
}


@case_table("command, store", product(COMMANDS, NO_STORES), ids=lambda case: f"{case[0]} {case[1]}")
def test_what_is_not_a_store_is_refused(
    workdir: Path, command: str, store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object, **__: object) -> None:
        pytest.fail("DuckDB was asked to open it")

    before = sorted(path.relative_to(workdir) for path in workdir.rglob("*"))
    monkeypatch.setattr(duckdb, "connect", never)
    expected = ExitCode.USAGE if store.startswith("s3:") else ExitCode.UNREADABLE
    assert main(COMMANDS[command](store)) == expected
    complaint = capsys.readouterr().err
    assert any(
        words in complaint
        for words in ("is not a file path", "is not a DuckDB file", "is not a file", "is a directory",
                      "is an SQLite database", "a store must be a local file",
                      "a character that DuckDB does not support")
    ), complaint  # fmt: skip
    assert sorted(path.relative_to(workdir) for path in workdir.rglob("*")) == before


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("name", ["a'b.duckdb", "[a].duckdb", " b.duckdb", "2026-11-22T10:00.duckdb", "%41.duckdb"])
def test_odd_names_of_files_work(workdir: Path, name: str) -> None:
    assert main(COMMANDS["audit"](f"./{name}")) == ExitCode.CLEAN
    assert (workdir / name).is_file()
    assert main(COMMANDS["history"](name)) == ExitCode.CLEAN
    assert main(["sql", "from store.runs", name]) == ExitCode.CLEAN
    assert main(["diff", name, f"{name}@1"]) == ExitCode.CLEAN
