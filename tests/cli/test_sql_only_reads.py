"""Statements that would do more than read: each is refused or harmless, as the folder shows afterwards."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pytest
from tests.tiers import sampled

from urlset.cli.main import main
from urlset.errors import ExitCode

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)

WRITING = (
    "copy (select 1) to 'x.csv'",
    "copy urls to 'x.parquet' (format parquet)",
    "copy urls from 'a.csv'",
    "explain analyze copy (select 1) to 'x.csv'",
    "explain copy (select 1) to 'x.csv'",
    "EXPLAIN (ANALYZE) copy (select 1) to 'x.csv'",
    "explain (analyze, format json) copy (select 1) to 'x.csv'",
    "/* select */ explain -- select\n analyze /* select 1 */ copy (select 1) to 'x.csv'",
    "explain analyse copy (select 1) to 'x.csv'",
    "with x as (copy (select 1 as y) to 'x.csv') select * from x",
    "with x as (copy urls to 'x.csv') from x",
    "with x as materialized (copy urls to 'x.csv') from x",
    "explain analyze with x as (copy urls to 'x.csv') from x",
    "with x as (with y as (copy urls to 'x.csv') from y) from x",
    "from (with x as (copy urls to 'x.csv') from x)",
    "select (with x as (copy urls to 'x.csv') select count(*) from x)",
    "from urls union (with x as (copy urls to 'x.csv') select null)",
    "with x as (copy urls to 'x.csv') pivot x on Count using sum(Count)",
    "explain analyze with x as (copy urls to 'x.csv') pivot x on Count using sum(Count)",
    "with x as (insert into urls (loc) values ('z') returning *) from x",
    "with x as (delete from urls returning *) from x",
    "with x as (update urls set loc = 'z' returning *) from x",
    "explain analyze with x as (delete from urls returning *) from x",
    "with x as (insert into urls (loc) values ('z') returning *) pivot x on loc using count(*)",
    "from query('with x as (copy urls to ''x.csv'') from x')",
    "from query('from enable_logging(storage := ''file'', storage_path := ''logs'')')",
    "from enable_logging(storage := 'file', storage_path := 'logs')",
    "from \"enable_logging\"(storage := 'file', storage_path := 'logs')",
    "from main.enable_logging(storage := 'file', storage_path := 'logs')",
    "with x as (from enable_logging(storage := 'file', storage_path := 'logs')) from x",
    "select (select count(*) from enable_logging(storage := 'file', storage_path := 'logs'))",
    "pivot enable_logging(storage := 'file', storage_path := 'logs') on 1",
    "from enable_profiling('json')",
    "call enable_logging(storage := 'file', storage_path := 'logs')",
    "from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    "from checkpoint()",
    "from force_checkpoint()",
    "from truncate_duckdb_logs()",
    "from duckdb_secrets()",
    "pragma json_execute_serialized_sql('x')",
    "export database 'x'",
    "import database 'x'",
    "copy from database memory to store",
    "attach 'x.duckdb'",
    "attach 'x.duckdb' as x; select 1",
    "attach 'postgres:host=127.0.0.1' as p (type postgres)",
    "detach memory",
    "install httpfs",
    "install 'x.duckdb_extension'",
    "load httpfs",
    "force install httpfs from 'http://127.0.0.1:9/'",
    "update extensions",
    "set threads = 1",
    "set enable_external_access = true",
    "set temp_directory = 'x'",
    "set profile_output = 'x.json'",
    "set variable x = 1",
    "reset lock_configuration",
    "pragma threads = 1",
    "pragma enable_profiling = 'json'",
    "pragma profile_output = 'x.json'",
    "call pragma_version()",
    "create table x as select 1",
    "create or replace temp view urls as select 1",
    "create macro x() as 1",
    "create secret (type s3)",
    "create persistent secret (type s3)",
    "create type x as enum ('a')",
    "explain analyze create table x as select 1",
    "prepare x as select 1",
    "execute x",
    "explain analyze execute x",
    "prepare x as copy (select 1) to 'x.csv'; execute x",
    "select 1; copy (select 1) to 'x.csv'",
    "select 1;; copy (select 1) to 'x.csv'",
    "explain select 1; copy (select 1) to 'x.csv'",
    "explain analyze select 1; copy (select 1) to 'x.csv'",
    "drop table urls",
    "alter table urls add column x int",
    "truncate urls",
    "delete from urls",
    "insert into urls (loc) values ('z')",
    "merge into urls using urls as u on true when matched then delete",
    "comment on table urls is 'x'",
    "vacuum",
    "checkpoint",
    "begin",
    "use memory",
    "explain",
    "explain analyze",
    "",
    ";",
)

OF_FILES = (
    "from read_text('secret.txt')",
    "from read_blob('secret.txt')",
    "from read_csv('secret.txt')",
    "from 'secret.csv'",
    "from glob('*')",
    "from sniff_csv('secret.csv')",
    "from read_json('secret.json')",
    "from read_parquet('secret.parquet')",
    "from parquet_schema('secret.parquet')",
    "from read_duckdb('secret.duckdb')",
    "from query_table('secret.csv')",
    "select (select content from read_text('secret.txt'))",
    "explain analyze from read_text('secret.txt')",
    "with x as (from read_text('secret.txt')) from x",
    "from read_text('/proc/self/environ')",
    "from read_csv('http://127.0.0.1:9/x.csv')",
    "select getenv('HOME')",
)

HARMLESS = (
    "select 1",
    "select 1;",
    "/* x */ select 1 -- y",
    "from urls",
    "values (1)",
    "table urls",
    "describe urls",
    "summarize urls",
    "show tables",
    "explain select 1",
    "explain analyze select 1",
    "/* x */ explain /* y */ analyze -- z\n select 1",
    "explain (format json) select 1",
    "explain (analyze) select 1",
    "explain (select 1)",
    "with x as (select 1) from x",
    "with recursive x(n) as (select 1 union all select n + 1 from x where n < 3) from x",
    "from urls union all from urls",
    "select * from (pivot urls on loc in ('a') using count(*))",
    "pivot urls on loc using count(*)",
    "explain pivot urls on loc using count(*)",
    "unpivot (select 1 as a, 2 as b) on a, b",
    "from range(3)",
    "select unnest([1, 2])",
    "from duckdb_columns()",
    "select histogram(length(loc)) from urls",
    "select 'copy (select 1) to x' as \"insert\"",
    "select loc from urls where loc in (select loc from urls) order by all limit 1",
)


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("a.xml").write_text(SITEMAP)
    for name, text in (("secret.txt", "hunter2"), ("secret.csv", "hunter2\n1"), ("secret.json", '{"hunter2": 1}')):
        Path(name).write_text(text)
    with duckdb.connect("secret.duckdb") as connection:
        connection.execute("CREATE TABLE x AS SELECT 'hunter2' AS y")
        connection.execute("COPY x TO 'secret.parquet'")
    with sqlite3.connect("shop.sqlite") as shop:
        shop.execute("CREATE TABLE pages (url)")
        shop.execute("INSERT INTO pages VALUES ('https://example.com/a')")
    shop.close()
    return tmp_path


def contents(workdir: Path) -> dict[str, bytes]:
    return {str(path.relative_to(workdir)): path.read_bytes() for path in workdir.rglob("*") if path.is_file()}


@pytest.fixture(params=["documents", "store"])
def target(request: pytest.FixtureRequest, workdir: Path) -> str:
    if request.param == "documents":
        return "a.xml"
    assert main(["audit", "a.xml", "--no-pages", "--no-score", "--store", "kept.duckdb", "--format", "none"]) == 0
    return "kept.duckdb"


@pytest.mark.sampled(15)
def test_what_writes_is_refused(workdir: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(workdir)
    # A store is asked by the same check, and so of some; files are allowed, since without them DuckDB refuses more.
    for sql in sampled(WRITING, 40) if target == "a.xml" else sampled(WRITING, 6, 18):
        code = main(["sql", sql, target, "--allow-files"])
        shown = capsys.readouterr()
        assert code == ExitCode.USAGE, sql
        assert (shown.out, "Traceback" in shown.err) == ("", False), sql
        assert contents(workdir) == before, sql
        assert not (workdir / "logs").exists(), sql


def test_files_are_read_only_where_allowed(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(workdir)
    for sql in OF_FILES:
        assert main(["sql", sql, "a.xml"]) == ExitCode.USAGE, sql
        shown = capsys.readouterr()
        assert "hunter2" not in shown.out + shown.err, sql
        assert contents(workdir) == before, sql
    assert main(["sql", "select content from read_text('secret.txt')", "a.xml", "--allow-files"]) == ExitCode.CLEAN
    assert "hunter2" in capsys.readouterr().out


@pytest.mark.sampled(15)
def test_what_reads_runs(workdir: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(workdir)
    for sql in sampled(HARMLESS, 15 if target == "a.xml" else 5):
        assert main(["sql", sql, target]) == ExitCode.CLEAN, (sql, capsys.readouterr().err)
        assert contents(workdir) == before, sql


def build(sql: str, *more: str) -> int:
    return main(["build", "--query", sql, *more, "--base-url", "https://example.com", "-o", "out", "--dry-run"])


# What is refused is decided by the same function as for `urlset sql`: here it is shown that it is asked.
@pytest.mark.parametrize("database", [[], ["--database", "secret.duckdb"]], ids=["files", "database"])
def test_a_query_of_duckdb_in_a_build_writes_nothing(workdir: Path, database: list[str]) -> None:
    before = contents(workdir)
    for sql in sampled([sql.replace("urls", "x") for sql in WRITING if "copy" in sql or "enable_" in sql], 12):
        assert build(sql, *database) in (ExitCode.USAGE, ExitCode.UNREADABLE), sql
        assert contents(workdir) == before, sql
        assert not (workdir / "logs").exists(), sql


SQLITE_WRITING = (
    "vacuum into 'x.sqlite'",
    "vacuum",
    "attach 'x.sqlite' as x",
    "attach 'file:x.sqlite?mode=rwc' as x",
    "attach 'shop.sqlite' as x",
    "detach main",
    "insert into pages values ('/z') returning url",
    "update pages set url = '/z' returning url",
    "delete from pages returning url",
    "with x as (select 1) insert into pages select '/z' returning url",
    "replace into pages values ('/z') returning url",
    "create table x (url)",
    "create temp table x (url)",
    "create temp view x as select 1 as url",
    "drop table pages",
    "alter table pages add column x",
    "pragma journal_mode = wal",
    "pragma writable_schema = on",
    "pragma temp_store_directory = 'x'",
    "pragma user_version = 7",
    "select load_extension('x.so')",
    "update sqlite_master set sql = 'x' returning name as url",
    "begin immediate",
    "savepoint x",
    "reindex",
    "analyze",
    "select url from pages; vacuum into 'x.sqlite'",
    "/* select */ vacuum into 'x.sqlite'",
    "explain vacuum into 'x.sqlite'",
)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("sql", SQLITE_WRITING)
def test_a_query_of_sqlite_writes_nothing(workdir: Path, sql: str) -> None:
    before = contents(workdir)
    assert build(sql, "--database", "shop.sqlite") in (ExitCode.USAGE, ExitCode.UNREADABLE)
    assert contents(workdir) == before


@pytest.mark.parametrize(
    "sql",
    [
        "select url from pages",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select '/' || i as url from n",
        "select value as url from json_each('[\"/a\"]')",
        "select upper(max(url)) as url from pages",
        "select url from (select url, row_number() over (order by url) as n from pages) where n = 1",
    ],
)
def test_a_query_of_sqlite_reads(workdir: Path, sql: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(sql, "--database", "shop.sqlite") == ExitCode.CLEAN
    assert " URL" in capsys.readouterr().out
