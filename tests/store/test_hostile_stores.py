"""Stores and run folders from someone else: every command that reads one says what is wrong with it, and ends."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import click
import duckdb
import pytest

from urlset.cli.commands import COMMANDS
from urlset.cli.main import app, main
from urlset.database import connections
from urlset.engine.store_tables import RESULTS
from urlset.errors import InputError
from urlset.monitor.store import MonitorStore
from urlset.store.file import STORED, Store
from urlset.tables import RUNS

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>http://127.0.0.1:9/{page}</loc><lastmod>2026-01-0{page}</lastmod></url>"
    "<url><loc>/relative</loc></url></urlset>"
)
AUDIT = ("audit", "--no-pages", "--no-score", "--no-config", "--format", "none", "--fail-on", "never")

READING: dict[str, tuple[str, ...]] = {
    "pages": ("pages", "{store}"),
    "history": ("history", "{store}", "--format", "json"),
    "metrics": ("metrics", "{store}"),
    "prune": ("prune", "{store}", "--keep", "3"),
    "report": ("report", "{store}", "-o", "page.html"),
    "lastmod": ("lastmod", "{store}", "--no-config"),
    "diff": ("diff", "{store}@1", "{store}@2", "--no-config"),
    "diff --urls": ("diff", "{store}@1", "{store}@2", "--urls", "all", "--no-config"),
    "notify": ("notify", "--from", "{store}@1..2", "--dry-run", "--all", "--no-config"),
    "sql": ("sql", "SELECT count(*) FROM urls", "{store}"),
    "coverage": ("coverage", "--store", "{store}", "--no-config"),
    "coverage --clock": ("coverage", "--clock", "--store", "{store}", "--no-config"),
    "audit": ("audit", "a.xml", "--resume", "--store", "{store}", *AUDIT[1:]),
    # Nothing listens there.
    "robots --policy": (
        "robots",
        "http://127.0.0.1:9",
        "--policy",
        "--store",
        "{store}",
        "--no-config",
        "--retries",
        "0",
        "--rate",
        "999",
    ),
    "check": (
        *("check", "http://127.0.0.1:9/a.xml", "--clients", "--store", "{store}", "--no-config", "--rate", "999"),
        *("--bing-key", "bing.key", "--bing-api", "http://127.0.0.1:9", "--retries", "0"),
    ),
    "deploy-check": (
        *("deploy-check", "built", "http://127.0.0.1:9/", "--store", "{store}", "--no-config"),
        *("--retries", "0", "--rate", "999"),
    ),
    "logs": ("logs", "access.log", "--site", "https://example.com", "--store", "{store}", "--no-config"),
}
"""How each command reads a store. A test finds the commands that are missing here."""

UNREACHABLE = ("robots --policy", "check", "deploy-check")
"""Commands that also request something, and end with an error because nothing responds."""

OTHERS = frozenset({"build", "cache", "serve"})
"""Commands whose help mentions a store; `build` and `cache` read no runs, and tests/serve tests `serve`."""

ENDLESS = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r)"
SELECTED = "SELECT NULL::INTEGER AS run_id, count(*)::VARCHAR AS loc FROM r"

SHAPES: dict[str, str] = {
    "view of urls": f"DROP TABLE urls; CREATE VIEW urls AS {ENDLESS} {SELECTED}",
    "view of runs": f"DROP TABLE runs; CREATE VIEW runs AS {ENDLESS} {SELECTED}",
    "view of results": f"DROP TABLE {RESULTS}; CREATE VIEW {RESULTS} AS {ENDLESS} {SELECTED}",
    "view of the mark": f"DROP TABLE urlset_store; CREATE VIEW urlset_store AS {ENDLESS} SELECT n AS version FROM r",
    "macro": "CREATE MACRO count() AS 7",
    "table macro": f"CREATE MACRO read(x) AS TABLE {ENDLESS} SELECT n FROM r",
    "trigger": "CREATE TRIGGER mine AFTER INSERT ON runs FOR EACH STATEMENT INSERT INTO urls (loc) VALUES ('x')",
    "type": "CREATE TYPE mine AS ENUM ('a')",
    "schema": "CREATE SCHEMA other",
    "generated column": "ALTER TABLE runs RENAME TO old; CREATE TABLE runs (run_id INTEGER, x INTEGER AS (run_id + 1))",
    "default": "ALTER TABLE urls ALTER COLUMN loc SET DEFAULT 'x'",
    "constraint": "CREATE TABLE other (n INTEGER CHECK (n > 0))",
    "type of runs": "ALTER TABLE runs ALTER COLUMN targets TYPE VARCHAR",
    "type of urls": "ALTER TABLE urls ALTER COLUMN lastmod_at TYPE VARCHAR",
    "type of documents": "ALTER TABLE documents ALTER COLUMN document_id TYPE VARCHAR",
    "type of results": f"ALTER TABLE {RESULTS} ALTER COLUMN facts TYPE BLOB",
    "no version": "DELETE FROM urlset_store",
    "no versions": "UPDATE urlset_store SET version = NULL",
}
"""What no command may read, whatever it reads of a store."""

OF_RUNS = frozenset({*READING} - {"logs", "metrics", "robots --policy", "check", "deploy-check"})
"""Commands that read runs here; the others read only access logs, documents, and the state of `monitor`.

`deploy-check` reads runs once the site has responded: tests/deployment/test_earlier.py.
"""

VALUES: dict[str, tuple[str, frozenset[str]]] = {
    "settings: text": ("UPDATE runs SET settings = 'no'", OF_RUNS),
    "settings: list": ("UPDATE runs SET settings = '[1]'", OF_RUNS),
    "settings: rules": ("UPDATE runs SET settings = '{\"rules\": 5}'", OF_RUNS),
    "settings: null": ("UPDATE runs SET settings = NULL", OF_RUNS),
    "targets: null": ("UPDATE runs SET targets = NULL", OF_RUNS),
    "start: null": ("UPDATE runs SET started_at = NULL", OF_RUNS),
    "version: null": ("UPDATE runs SET version = NULL", OF_RUNS),
    "results: text": (f"UPDATE {RESULTS} SET facts = 'no'", frozenset({"report", "lastmod", "diff", "notify"})),
    "results: null": (f"UPDATE {RESULTS} SET facts = NULL", frozenset({"report", "lastmod", "diff", "notify"})),
    "results: list": (f"UPDATE {RESULTS} SET facts = '[]'", frozenset({"report", "lastmod", "diff", "notify"})),
    "results: keys": (f"UPDATE {RESULTS} SET facts = '{{}}'", frozenset({"report", "lastmod", "diff", "notify"})),
    "severity": ("UPDATE findings SET severity = 'purple'", frozenset({"report", "lastmod", "diff"})),
    "severity: null": ("UPDATE findings SET severity = NULL", frozenset({"report", "lastmod", "diff"})),
    "count: null": ('UPDATE findings SET "count" = NULL', frozenset({"report", "lastmod", "diff"})),
}
"""Damaged values, and the commands that must notice them; the others may only succeed or notice them, too."""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with two complete runs."""
    workdir = tmp_path_factory.mktemp("good")
    before = Path.cwd()
    os.chdir(workdir)
    try:
        for page in (1, 2):
            Path("a.xml").write_text(SITEMAP.format(page=page))
            assert main([*AUDIT, "a.xml", "--store", "good.duckdb"]) == 0
        with Store.create(Path("good.duckdb")) as store:
            MonitorStore(store)
        return Path("good.duckdb").read_bytes()
    finally:
        os.chdir(before)


@pytest.fixture
def workdir(tmp_path: Path, good: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the store, a sitemap, and a log, as the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("theirs.duckdb").write_bytes(good)
    Path("a.xml").write_text(SITEMAP.format(page=2))
    Path("access.log").write_text("")
    Path("built").mkdir()
    Path("built", "index.html").write_text("<title>Home</title><p>Home")
    Path("bing.key").write_text("0123456789abcdef")
    Path("bing.key").chmod(0o600)
    return tmp_path


def arguments(name: str, store: str = "theirs.duckdb") -> list[str]:
    return [one.format(store=store) if "{store}" in one else one for one in READING[name]]


def damage(sql: str) -> None:
    with duckdb.connect("theirs.duckdb") as connection:
        connection.execute(sql)


def commands_of_stores() -> set[str]:
    """The commands whose options, arguments, or help mention a store."""
    found = set()
    for name in (name for group in COMMANDS.values() for name in group):
        command: Any = app.get_command(click.Context(app), name)
        text = command.get_help(click.Context(command, info_name=name))
        if re.search(r"\bSTORE\b|--store\b|FILE\.duckdb|\bstore: ", text):
            found.add(name)
    return found


def test_every_command_on_stores_is_tested() -> None:
    assert commands_of_stores() == {words[0] for words in READING.values()} | OTHERS


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", READING)
def test_a_good_store(name: str, workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(arguments(name))
    assert "theirs.duckdb: is " not in capsys.readouterr().err
    # There is nothing to resume, no page was requested, and no host responds.
    codes = {"audit": (2,), **dict.fromkeys(("pages", *UNREACHABLE), (3,))}
    assert code in codes.get(name, (0, 1)), code


@pytest.mark.sampled(8, 60)
@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, name: str, workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(SHAPES[shape])
    code = main(arguments(name))
    shown = capsys.readouterr().err
    assert (code, "theirs.duckdb: is " in shown, "internal error" in shown) == (3, True, False), shown


@pytest.mark.sampled(6, 60)
@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("value", VALUES)
def test_values(value: str, name: str, workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql, noticing = VALUES[value]
    damage(sql + ("; UPDATE runs SET finished_at = NULL WHERE run_id = 2" if name == "audit" else ""))
    code = main(arguments(name))
    shown = capsys.readouterr().err
    assert "internal error" not in shown
    if name in noticing:
        assert (code, "theirs.duckdb" in shown) == (3, True), shown
    else:
        assert code in (0, 1, 2, 3), shown
        assert code < 3 or "theirs.duckdb" in shown or name in UNREACHABLE


# Time.


WAYS: dict[str, Any] = {
    "execute": lambda connection, sql: connection.execute(f"CREATE TEMP TABLE kept AS {sql}"),
    "fetch": lambda connection, sql: connection.execute(sql).fetchall(),
    "cursor": lambda connection, sql: connection.cursor().execute(sql).fetchone(),
    "batches": lambda connection, sql: list(connections.batches(connection, sql, 10)),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_query_has_a_time_limit(way: str, workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.read(Path("theirs.duckdb")) as store:
        # Only now, because opening may take longer.
        monkeypatch.setattr(connections, "STORE_SECONDS", 0.2)
        monkeypatch.setattr(connections, "_watch", connections._Watch())
        with pytest.raises(InputError, match=r"theirs\.duckdb: a query ran longer than 0\.2 s and was stopped"):
            WAYS[way](store.connection, f"{ENDLESS} SELECT count(*) FROM r")


# Files that are not regular.


def folder(workdir: Path) -> Path:
    """A run as a folder of Parquet, with the tables of the store."""
    path = workdir / "run"
    with duckdb.connect("theirs.duckdb") as connection:
        for name in (
            *(table.name for table in STORED if table.of_run or table is RUNS),
            RESULTS,
        ):
            rows = f"FROM {name} WHERE run_id = 1"
            if connection.execute(f"SELECT 1 {rows} LIMIT 1").fetchall():
                (path / name).mkdir(parents=True)
                connection.execute(
                    f"COPY (SELECT * EXCLUDE (run_id) {rows}) TO '{path / name / 'part-0.parquet'}' (FORMAT parquet)"
                )
    return path


OF_FOLDERS: dict[str, tuple[str, ...]] = {
    **{name: READING[name] for name in ("history", "report", "lastmod", "sql")},
    "diff": ("diff", "{store}", "{store}", "--no-config"),
}


@pytest.mark.parametrize("name", OF_FOLDERS)
def test_a_good_folder(name: str, workdir: Path) -> None:
    path = folder(workdir)
    assert main([one.replace("{store}", str(path)) for one in OF_FOLDERS[name]]) in (0, 1)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", OF_FOLDERS)
@pytest.mark.parametrize("part", ["pipe.parquet", "**.parquet", "[a].parquet", "a?.parquet", "folder.parquet"])
def test_parts(part: str, name: str, workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder(workdir)
    added = path / "urls" / part
    if part.startswith("pipe"):
        os.mkfifo(added)
    elif part.startswith("folder"):
        added.mkdir()
    else:
        added.write_bytes((path / "urls" / "part-0.parquet").read_bytes())
    assert main([one.replace("{store}", str(path)) for one in OF_FOLDERS[name]]) == 3
    shown = capsys.readouterr().err
    assert f"{path}: is damaged or not a run of urlset: urls/" in shown, shown


@pytest.mark.parametrize("name", READING)
def test_a_pipe_as_the_log_of_a_store(name: str, workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("theirs.duckdb.wal")
    assert main(arguments(name)) == 3
    assert "has theirs.duckdb.wal next to it, and it is neither a file nor a directory" in capsys.readouterr().err


CONTROLS = "\x1b[31m\u202e\u2066\x07\x9b\u2028"

CLOSED = frozenset({
    "code", "kind", "severity", "table_name", "loc_problem", "lastmod_problem", "lastmod_precision", "lastmod_from",
    "encoding", "compression", "fetch_status", "read_as", "settings", "sha256",
})  # fmt: skip
"""Columns with a closed set of values, or of another form, which is checked before anything is shown."""


def with_controls(value: Any) -> Any:
    """A value of stored results with controls in each name or URL."""
    if isinstance(value, dict):
        return {key: with_controls(member) for key, member in value.items()}
    if isinstance(value, list):
        return [*map(with_controls, value)]
    return value + CONTROLS if isinstance(value, str) and {*value} & {*"/ "} else value


def add_controls() -> None:
    """Put controls into every text of the store."""
    with duckdb.connect("theirs.duckdb") as store:
        columns = store.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() "
            "WHERE NOT internal AND starts_with(data_type, 'VARCHAR')"
        ).fetchall()
        assert ("urls", "loc", "VARCHAR") in columns
        for table, column, kind in columns:
            if (table, column) == (RESULTS, "facts"):
                for run, facts in store.execute(f"SELECT run_id, facts FROM {RESULTS}").fetchall():
                    changed = json.dumps(with_controls(json.loads(facts)))
                    store.execute(f"UPDATE {RESULTS} SET facts = ? WHERE run_id = ?", [changed, run])
            elif column not in CLOSED:
                changed = f'"{column}" || $1' if kind == "VARCHAR" else f'list_transform("{column}", lambda x: x || $1)'
                store.execute(f'UPDATE "{table}" SET "{column}" = {changed} WHERE "{column}" IS NOT NULL', [CONTROLS])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", READING)
def test_controls_are_never_shown(name: str, workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing steers a terminal that shows the output, or turns text around in a browser."""
    damage("INSERT INTO pages (run_id, document_id, ordinal, url) VALUES (2, 0, 0, 'https://a.example')")
    if name == "audit":
        damage("UPDATE runs SET finished_at = NULL WHERE run_id = 2")
    add_controls()
    given = arguments(name)
    code = main(given)
    captured = capsys.readouterr()
    assert code in (0, 1) or name in ("audit", *UNREACHABLE), captured.err
    page = Path("page.html").read_text("utf-8") if "page.html" in given else ""
    assert not {*CONTROLS} - {*"[31m"} & {*captured.out, *captured.err, *page}
    assert "page.html" not in given or "[31m" in page
