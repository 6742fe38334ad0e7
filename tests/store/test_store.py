"""The store: what is committed is there, whatever happens then; what is no store is refused with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.build.killing import MOMENT, Call, Children

import urlset
from urlset.build.stable_ledger import open_ledger
from urlset.cli.main import main
from urlset.engine.store_tables import Columns, is_checked, is_complete, shape_problem, state_of
from urlset.errors import InputError, OutputError
from urlset.store import file
from urlset.store.file import STORED, Store, unwritten
from urlset.store.run import Run

NOW = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)


def kept(path: Path, urls: list[str]) -> int:
    document = urlset.read("\n".join(urls).encode())
    with Store.create(path) as store:
        run = Run.begin(store, ["here"], {"rules": ["LOC"]}, NOW)
        run.add(document.tables)
        run.add_documents([document.facts])
        run.finish({"documents": 1, "urls": len(urls), "errors": 0, "warnings": 0, "infos": 0}, NOW)
        return run.run_id


def test_a_run_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    assert [kept(path, ["https://example.com/a"]), kept(path, ["https://example.com/b", "https://example.com/c"])] == [
        1,
        2,
    ]
    with Store.read(path) as store:
        first, second = store.runs()
        assert (first.run_id, first.started_at, first.finished_at, first.targets) == (1, NOW, NOW, ("here",))
        assert (second.urls, second.pages, second.version) == (2, None, urlset.__version__)
        assert store.run() == second
        rows = store.connection.execute("SELECT run_id, loc FROM urls ORDER BY ALL").fetchall()
    assert rows == [(1, "https://example.com/a"), (2, "https://example.com/b"), (2, "https://example.com/c")]


def test_every_table_of_the_contract_is_there(tmp_path: Path) -> None:
    Store.create(tmp_path / "kept.duckdb").close()
    with duckdb.connect(str(tmp_path / "kept.duckdb"), read_only=True) as plain:
        for table in STORED:
            names = [row[0] for row in plain.execute(f"DESCRIBE {table.name}").fetchall()]
            assert names == [*(["run_id"] if table.of_run else []), *table.column_names]


def test_a_store_of_an_older_urlset_gets_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    kept(path, ["https://example.com/a"])
    with duckdb.connect(str(path)) as plain:
        plain.execute("ALTER TABLE urls DROP COLUMN traits")
        plain.execute("DROP TABLE cuts")
        plain.execute("DROP TABLE urlset_robots")
    assert kept(path, ["https://example.com/b"]) == 2
    with Store.read(path) as store:
        assert store.connection.execute("SELECT loc, traits IS NULL FROM urls ORDER BY ALL").fetchall() == [
            ("https://example.com/a", True),
            ("https://example.com/b", False),
        ]
        assert store.connection.execute("SELECT * FROM cuts, urlset_robots").fetchall() == []


def test_a_store_is_checked_unless_it_is_as_this_process_left_or_found_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.duckdb"
    checks: list[str | None] = []

    def noted(connection: Any, columns: Columns) -> str | None:
        checks.append(shape_problem(connection, columns))
        return checks[-1]

    monkeypatch.setattr("urlset.store.file.shape_problem", noted)
    kept(path, ["https://example.com/"])
    for opened in (Store.read, Store.create, Store.read):
        opened(path).close()
    assert not checks
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(path.read_bytes())
    for opened in (Store.read, Store.read, Store.create, Store.read):
        opened(copy).close()
    # By the first that reads it, and by the one that completes it.
    assert checks == [None] * 2
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE VIEW other AS SELECT 1")
    with pytest.raises(InputError, match="it has the view"):
        Store.read(path)
    with pytest.raises(OutputError, match="it has the view"):
        Store.create(path)


def test_the_log_goes_to_the_file_only_if_it_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "a.duckdb.wal"
    with Store.create(tmp_path / "a.duckdb") as store:
        run = Run.begin(store, ["a.xml"], {})
        run.flush()
        assert log.stat().st_size > 0
        monkeypatch.setattr("urlset.store.run.SMALL_LOG", log.stat().st_size)
        run.flush()
        assert not log.exists() or log.stat().st_size == 0
        run.flush()


def test_a_store_with_a_log_next_to_it_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    kept(path, ["https://example.com/"])
    log = tmp_path / "a.duckdb.wal"
    assert is_complete(state_of(path))
    log.touch()
    assert state_of(path) is None
    assert not is_complete(None)
    assert not is_checked(None)


def test_a_run_is_forgotten_whole(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    kept(path, ["https://example.com/a"])
    kept(path, ["https://example.com/b"])
    with Store.create(path) as store:
        store.forget(1)
        assert [run.run_id for run in store.runs()] == [2]
        for name in ("runs", *(table.name for table in STORED if table.of_run)):
            assert store.connection.execute(f"SELECT count(*) FROM {name} WHERE run_id = 1").fetchall() == [(0,)]


def test_a_run_without_an_end_is_not_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "kept.duckdb"
    kept(path, ["https://example.com/a"])
    with Store.create(path) as store:
        Run.begin(store, ["here"], {})
    with Store.read(path) as store:
        assert [run.finished_at is None for run in store.runs()] == [False, True]
        assert store.run().run_id == 1


def test_a_block_with_less_memory_gives_back_what_was_there_before(tmp_path: Path) -> None:
    with Store.create(tmp_path / "kept.duckdb") as store:

        def limit() -> str:
            [(limit,)] = store.connection.execute("SELECT current_setting('memory_limit')").fetchall()
            return str(limit)

        before = limit()
        with store.holding("200MB"):
            outer = limit()
            with store.holding("100MB"):
                assert limit() not in {before, outer}
            assert limit() == outer != before
        assert limit() == before


def test_several_threads_are_for_many_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "THREADS", 3)
    monkeypatch.setattr("urlset.store.run.ROWS_FOR_THREADS", 5)
    path = tmp_path / "kept.duckdb"

    def threads(store: Store) -> object:
        return store.rows("SELECT current_setting('threads')")[0][0]

    with Store.create(path) as store:
        run = Run.begin(store, ["here"], {}, NOW)
        assert threads(store) == 1
        with store.holding("200MB", threads=2):
            run.add(urlset.read(b"https://example.com/a\n" * 5).tables)
            assert threads(store) == 2
        assert threads(store) == 3
    with Store.read(path) as store:
        assert threads(store) == 1
    monkeypatch.setattr(file, "SMALL_STORE", path.stat().st_size)
    for open_store in (Store.read, Store.create):
        with open_store(path) as store:
            assert threads(store) == 3
    # A file that grows while it is open can be opened again.
    monkeypatch.setattr(file, "SMALL_STORE", 2 * path.stat().st_size)
    with Store.create(path) as store:
        monkeypatch.setattr(file, "SMALL_STORE", 0)
        with Store.create(path) as again:
            assert threads(store) == threads(again) == 3


def test_a_failure_in_a_block_with_less_memory_is_reported_as_it_is(tmp_path: Path) -> None:
    with Store.create(tmp_path / "kept.duckdb") as store:
        run = Run.begin(store, ["here"], {}, NOW)
        with pytest.raises(OutputError, match="the disk is full"), run.writing() as connection, store.holding("64MB"):
            connection.execute("SELECT error('the disk is full')").fetchall()


def write_changed(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Write a store of which something was lost."""
    Store.create(path).close()
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(lambda path: None, "no such store", id="none"),
        pytest.param(lambda path: path.write_bytes(b"<urlset/>" * 500), "is not a DuckDB file", id="not DuckDB"),
        pytest.param(lambda path: duckdb.connect(str(path)).close(), "but not a store of urlset", id="of nobody"),
        pytest.param(
            lambda path: duckdb.connect(str(path)).execute("CREATE TABLE urlset_store AS SELECT 99 AS version").close(),
            "was written by a newer urlset",
            id="newer",
        ),
        pytest.param(
            lambda path: write_changed(path, lambda store: store[:20_000]), "it is truncated$", id="truncated"
        ),
        pytest.param(
            lambda path: write_changed(path, lambda store: store[:13_000] + b"\xaa" * 20_000 + store[33_000:]),
            "it is damaged$",
            id="damaged",
        ),
    ],
)
def test_what_is_no_store_is_refused(tmp_path: Path, make: object, reason: str) -> None:
    path = tmp_path / "kept.duckdb"
    make(path)  # type: ignore[operator]
    with pytest.raises(InputError, match=reason):
        Store.read(path)


def test_a_database_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as shop:
        shop.execute("CREATE TABLE orders (id INTEGER)")
    with pytest.raises(OutputError, match="of another program, with a table orders"):
        Store.create(path)
    with duckdb.connect(str(path)) as shop:
        assert shop.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("orders",)]


def write_documents(path: Path, count: int) -> None:
    """Commits after every fifth document; the process may be killed within each document, and after each commit."""
    with Store.create(path) as store:
        run = Run.begin(store, ["here"], {})
        for number in range(count):
            document = urlset.read(b"https://example.com/%d/1\nhttps://example.com/%d/2\n" % (number, number))
            run.add(document.tables)
            sys.audit(MOMENT)
            run.add_documents([{**document.facts, "document_id": number}])
            sys.audit(MOMENT)
            if number % 5 == 4:
                run.commit()
                sys.audit(MOMENT)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_run_keeps_what_it_committed_and_nothing_by_halves(tmp_path: Path, children: Children) -> None:
    path = tmp_path / "kept.duckdb"
    # Eleven moments between two commits.
    for moment, documents in ((0, 0), (9, 0), (10, 5), (11, 5), (21, 10), (32, 15)):
        assert children.run([Call(write_documents, (path, 20))], tmp_path / "none", moment) is None
        with Store.create(path) as store:  # What was begun is undone when it is opened.
            run = store.runs()[-1]
            assert run.finished_at is None
            for table, rows in (("documents", documents), ("urls", 2 * documents)):
                counting = f"SELECT count(*) FROM {table} WHERE run_id = {run.run_id}"
                assert store.connection.execute(counting).fetchall() == [(rows,)], moment


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('IO Error: Cannot open file "/x.duckdb": Permission denied', "permission denied"),
        ('IO Error: Could not write file "/x.duckdb": No space left on device', "no space left on device"),
        ("IO Error: something else\nmore", "IO Error: something else"),
    ],
)
def test_what_the_system_said_is_said_without_the_words_of_duckdb(said: str, reason: str) -> None:
    assert str(unwritten(Path("x.duckdb"), duckdb.IOException(said))) == f"x.duckdb: cannot be written: {reason}"


def test_lack_of_memory_is_not_blamed_on_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lack = duckdb.OutOfMemoryException("Out of Memory Error: Failed to allocate block of 32768 bytes (bad allocation)")
    with pytest.raises(duckdb.OutOfMemoryException):
        unwritten(Path("x.duckdb"), lack)
    kept(tmp_path / "x.duckdb", ["https://example.com/"])

    def fail(*_: object, **__: object) -> None:
        raise lack

    monkeypatch.setattr("urlset.store.file.connect", fail)
    for opened in (Store.create, Store.read):
        with pytest.raises(duckdb.OutOfMemoryException):
            opened(tmp_path / "x.duckdb")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT 0 AS high, 0 AS low, 0 AS part) TO '{tmp_path}/ledger.parquet'")
    with pytest.raises(duckdb.OutOfMemoryException), open_ledger(tmp_path / "ledger.parquet"):
        raise lack


SPILL = """
import os, sys, threading, time
from pathlib import Path
from urlset.store.file import Store
store = Store.create(Path(sys.argv[1]))
def kill():
    while not any(name.endswith(".tmp") for name in os.listdir(f"{sys.argv[1]}.tmp")):
        time.sleep(0.01)
    os.kill(os.getpid(), 9)
store.connection.execute("SET memory_limit = '60MB'; SET threads = 2")
os.mkdir(f"{sys.argv[1]}.tmp")
threading.Thread(target=kill, daemon=True).start()
store.connection.execute("CREATE TEMP TABLE t AS SELECT hash(i)::VARCHAR AS h FROM range(5000000) AS r(i) ORDER BY h")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_what_a_killed_run_spilled_goes_with_the_next_run(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    place = tmp_path / "a.duckdb"
    killed = subprocess.run([sys.executable, "-c", SPILL, str(place)], env=environment, timeout=120, check=False)
    assert killed.returncode == -9
    left = tmp_path / "a.duckdb.tmp"
    assert [*left.glob("duckdb_temp_*")]
    Store.create(place).close()
    assert not left.exists()
    # Not ours: another file, and a link.
    left.mkdir()
    (left / "mine").touch()
    Store.create(place).close()
    assert (left / "mine").exists()
    left.rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "duckdb_temp_1_0_owner").touch()
    left.symlink_to("elsewhere")
    # A link could lead anywhere, so the store is not opened.
    with pytest.raises(OutputError, match=r"has a\.duckdb\.tmp next to it, and it is a symbolic link"):
        Store.create(place)
    assert (left / "duckdb_temp_1_0_owner").exists()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["audit", "http://127.0.0.1:9/"], 3),
        (["audit", "missing.xml"], 3),
        (["logs", "empty.log", "--site", "https://example.com"], 0),
        (["coverage", "import", "missing.csv"], 3),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_that_stores_nothing_leaves_no_store(
    command: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.log").write_text("")
    assert main([*command, "--store", "new.duckdb"]) == code
    assert [path.name for path in tmp_path.iterdir() if "duckdb" in path.name] == []
    # One that was there stays.
    Store.create(Path("old.duckdb")).close()
    assert main([*command, "--store", "old.duckdb"]) == code
    with Store.read(Path("old.duckdb")) as store:
        assert store.runs() == ()
