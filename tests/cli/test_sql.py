"""`urlset sql`: the whole way from documents to rows, in every form."""

from __future__ import annotations

import csv
import io
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from urlset.cli.main import main
from urlset.engine.user_query import STORE_TABLES
from urlset.report.formats import OUTPUTS

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
Cli = Callable[..., Any]

HOSTILE = "https://example.com/&#x202E;gpj.\u200b,&quot;x"


def sitemap(*entries: str) -> str:
    return f"<urlset {XMLNS}>{''.join(f'<url>{entry}</url>' for entry in entries)}</urlset>"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.xml").write_text(
        sitemap(
            "<loc>https://example.com/</loc><lastmod>2026-01-02T03:04:05+02:00</lastmod><priority>0.5</priority>",
            "<loc>https://example.com/b</loc>",
        )
    )
    (tmp_path / "b.xml").write_text(sitemap("<loc>https://example.org/</loc>"))
    return tmp_path


def test_a_table_for_people(cli: Cli, site: Path) -> None:
    done = cli("sql", "select loc, lastmod_at, priority_value as p from urls", "a.xml")
    assert done.out.splitlines() == [
        "loc                    lastmod_at               p",
        "---------------------  --------------------  ----",
        "https://example.com/   2026-01-02T01:04:05Z   0.5",
        "https://example.com/b  NULL                  NULL",
    ]
    assert (done.code, done.err) == (0, "")


def test_without_a_target_the_store_of_the_last_audit_is_read(cli: Cli, site: Path) -> None:
    missing = cli("sql", "select 1")
    assert (missing.code, missing.out) == (2, "")
    assert "target missing" in missing.err
    assert cli("audit", "a.xml", "--no-pages", "--format", "none").code in (0, 1)
    assert "https://example.com/b" in cli("sql", "select loc from urls").out


def test_rows_are_bounded_unless_asked(cli: Cli, site: Path) -> None:
    sql = "select * from range(100)"
    bounded = cli("sql", sql, "a.xml").out.splitlines()
    assert len(bounded) == 43
    assert "--rows 0" in bounded[-1]
    assert len(cli("sql", sql, "a.xml", "--rows", "0").out.splitlines()) == 102
    assert cli("sql", "from urls where false", "a.xml").out.endswith("no rows\n")


def test_tables_of_all_documents_in_their_order(cli: Cli, site: Path) -> None:
    done = cli("sql", "select d.url, u.loc from urls u join documents d using (document_id)", ".", "--format", "jsonl")
    assert [json.loads(line)["loc"] for line in done.out.splitlines()] == [
        "https://example.com/",
        "https://example.com/b",
        "https://example.org/",
    ]


def test_order_by_is_kept(cli: Cli, site: Path) -> None:
    done = cli("sql", "select now() as t, range as n from range(9000) order by n desc", "a.xml", "--format", "jsonl")
    assert [json.loads(line)["n"] for line in done.out.splitlines()] == list(range(8999, -1, -1))


@pytest.mark.parametrize("form", OUTPUTS["sql"].formats)
def test_nothing_in_a_value_acts_on_a_terminal(
    cli: Cli, site: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "hostile.xml").write_text(sitemap(f"<loc>{HOSTILE}</loc>"), encoding="utf-8")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    sql = "select loc, chr(27) || '[2J' || chr(10) || 'forged' as \"a\x1b\" from urls"
    done = cli("sql", sql, "hostile.xml", "--format", form, "--color", "never")
    assert "example.com" in done.out
    assert not set("\x1b\u202e\u200b") & set(done.out)
    assert not any(line.startswith("forged") for line in done.out.splitlines())


def test_csv_keeps_text_and_guards_formulas(cli: Cli, site: Path) -> None:
    sql = """select '=1+1' as "=x", 'a,"b' || chr(10) || 'c' as t, -1 as n, null as e, [1, 2] as l, true as y"""
    done = cli("sql", sql, "a.xml", "--format", "csv")
    assert list(csv.reader(io.StringIO(done.out))) == [
        ["'=x", "t", "n", "e", "l", "y"],
        ["'=1+1", 'a,"b\nc', "-1", "", "[1, 2]", "true"],
    ]


def test_json_holds_every_type(cli: Cli, site: Path) -> None:
    sql = """select 1 as a, 2 as a, 1.5::decimal(4, 2) as d, 'nan'::double as f, timestamp '2026-01-01' as t,
        timestamptz '2026-01-01 00:00:00+01' as z, 'ab'::blob as b, {'k': date '2026-01-01'} as s, interval 1 day as i,
        170141183460469231731687303715884105727::hugeint as h"""
    (row,) = json.loads(cli("sql", sql, "a.xml", "--format", "json").out)
    assert row == {
        "a": 1,
        "a_1": 2,
        "d": 1.5,
        "f": None,
        "t": "2026-01-01T00:00:00Z",
        "z": "2025-12-31T23:00:00Z",
        "b": "6162",
        "s": {"k": "2026-01-01"},
        "i": "1 day, 0:00:00",
        "h": 2**127 - 1,
    }


@pytest.mark.parametrize(("sql", "rows"), [("from urls where false", 0), ("from urls limit 1", 1), ("from urls", 2)])
def test_json_is_one_array(cli: Cli, site: Path, sql: str, rows: int) -> None:
    assert len(json.loads(cli("sql", sql, "a.xml", "--format", "json").out)) == rows


@pytest.mark.parametrize("sql", ["from urls order by ordinal", "select * from urls order by ordinal ; -- all of them"])
def test_parquet(cli: Cli, site: Path, sql: str) -> None:
    done = cli("sql", sql, "a.xml", "-o", "out'.parquet")
    assert (done.code, done.out, done.err) == (0, "", "")
    with duckdb.connect() as connection:
        rows = connection.read_parquet("out'.parquet").select("loc", "lastmod_at").fetchall()
    assert [str(row[1]) for row in rows] == ["2026-01-02 01:04:05", "None"]
    assert {path.name for path in site.iterdir()} == {"a.xml", "b.xml", "out'.parquet"}


def test_parquet_needs_a_file(cli: Cli, site: Path) -> None:
    done = cli("sql", "from urls", "a.xml", "--format", "parquet")
    assert (done.code, done.out) == (2, "")
    assert "--output" in done.err


@pytest.mark.parametrize(
    ("name", "begin"), [("o.csv", "loc\n"), ("o.json", "[\n"), ("o.JSONL", '{"loc"'), ("o.txt", "loc\n---")]
)
def test_the_form_follows_the_name(cli: Cli, site: Path, name: str, begin: str) -> None:
    (site / name).write_text("old")
    (site / name).chmod(0o640)
    assert cli("sql", "select loc from urls", "a.xml", "-o", name).code == 0
    assert (site / name).read_text().startswith(begin)
    assert stat.S_IMODE((site / name).stat().st_mode) == 0o640


def test_a_query_that_fails_leaves_the_old_file(cli: Cli, site: Path) -> None:
    (site / "o.csv").write_text("old")
    assert cli("sql", "select loc::int from urls", "a.xml", "-o", "o.csv").code == 2
    assert (site / "o.csv").read_text() == "old"
    assert cli("sql", "from urls", "a.xml", "-o", "no/such/o.csv").code == 3
    assert cli("sql", "from urls", "a.xml", "-o", "o.what").code == 2


@pytest.mark.parametrize(
    ("sql", "message", "mark"),
    [
        ("selec 1", 'syntax error at or near "selec"', "  ^^^^^"),
        ("select nope from urls", 'column "nope" not found', "         ^^^^"),
        ("select * from nope", "nope does not exist", "                ^^^^"),
        ("select loc::int from urls", "Could not convert string 'https://example.com/' to INT32", "            ^^"),
    ],
)
def test_wrong_sql_is_shown_with_its_place(cli: Cli, site: Path, sql: str, message: str, mark: str) -> None:
    done = cli("sql", sql, "a.xml")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert mark in done.err


def test_wrong_sql_is_known_before_anything_is_read(cli: Cli, site: Path) -> None:
    assert "gone.xml" not in cli("sql", "select nope from urls", "gone.xml").err


def test_a_message_cannot_forge_a_line(cli: Cli, site: Path) -> None:
    done = cli("sql", "select error('x' || chr(10) || 'urlset: ' || chr(27) || loc) from urls", "a.xml")
    assert done.err.splitlines()[1] == r"  urlset: \u{1b}https://example.com/"


@pytest.mark.parametrize("sql", ["drop table urls", "delete from urls", "copy urls to 'x.csv'", "set threads = 1", ""])
def test_a_query_only_reads(cli: Cli, site: Path, sql: str) -> None:
    done = cli("sql", sql, "a.xml")
    assert done.code == 2
    assert not (site / "x.csv").exists()


def test_one_query_at_a_time(cli: Cli, site: Path) -> None:
    assert "a single SELECT" in cli("sql", "select 1; select 2", "a.xml").err


def test_files_are_read_only_when_allowed(cli: Cli, site: Path) -> None:
    (site / "sales.csv").write_text("loc,sold\nhttps://example.com/b,3\n")
    sql = "select sold from urls join read_csv('sales.csv') using (loc)"
    refused = cli("sql", sql, "a.xml")
    assert refused.code == 2
    assert "--allow-files" in refused.err
    assert cli("sql", sql, "a.xml", "--allow-files", "--format", "csv").out == "sold\n3\n"


def test_no_name_reaches_into_the_program(cli: Cli, site: Path) -> None:
    assert cli("sql", "from batch", "a.xml").code == 2
    assert cli("sql", "from targets", "a.xml").code == 2


def test_an_unreadable_target_is_reported_beside_the_others(cli: Cli, site: Path) -> None:
    done = cli("sql", "select count(*) as n from urls", "gone.xml", "b.xml", "--format", "csv")
    assert (done.code, done.out, done.err) == (3, "n\n1\n", "urlset: gone.xml: no such file\n")


def test_a_file_that_is_no_sitemap_leaves_no_row(cli: Cli, site: Path) -> None:
    (site / "other.xml").write_text("<config><a></config>")
    done = cli("sql", "select count(*) from anomalies union all select count(*) from documents", ".", "--format", "csv")
    assert sorted(done.out.splitlines()[1:]) == ["0", "2"]
    assert "other.xml" in done.err


def test_columns_that_depend_on_the_data(cli: Cli, site: Path) -> None:
    done = cli("sql", "pivot urls on host using count(*) group by scheme", ".", "--format", "json")
    assert json.loads(done.out) == [{"scheme": "https", "example.com": 2, "example.org": 1}]


@pytest.mark.long("slow cases")
def test_more_rows_than_memory_go_to_the_disk(cli: Cli, site: Path) -> None:
    (site / "long.txt").write_text("".join(f"https://example.com/{'x' * 200}/{n}\n" for n in range(60_000)))
    sql = "select count(distinct loc) as n from (from urls order by loc desc)"
    done = cli("sql", sql, *["long.txt"] * 4, "--memory", "100MB", "--format", "csv")
    assert (done.code, done.out) == (0, "n\n60000\n")


def test_memory_is_a_size(cli: Cli, site: Path) -> None:
    done = cli("sql", "select 1", "a.xml", "--memory", "much")
    assert done.code == 2
    assert "memory: must be a size such as 2GB, not 'much'" in done.err


def test_tables_are_listed(cli: Cli) -> None:
    out = cli("sql", "--tables").out
    assert "\nurls: a row is one entry" in out
    assert "lastmod_at " in out
    assert cli("sql").code == 2
    assert cli("sql", "select 1").code == 2


FINDINGS = "select document, code, count, example, line from findings order by document, code, example"


def test_findings_are_those_of_validate(cli: Cli, site: Path) -> None:
    (site / "c.xml").write_text(sitemap("<loc>/c</loc>", "<loc>/d</loc>", *["<loc>https://example.com/</loc>"] * 2))
    (site / "urlset.toml").write_text('select = ["LOC001", "DUP001"]\nmax-examples = 1\n')
    rows = json.loads(cli("sql", FINDINGS, ".", "--format", "json").out)
    assert [(row["code"], row["count"], row["example"]) for row in rows] == [("DUP001", 1, 1), ("LOC001", 2, 1)]
    report = json.loads(cli("validate", ".", "--format", "json").out)
    assert sorted((each["document"], each["code"], each["count"]) for each in report["findings"]) == [
        (row["document"], row["code"], row["count"]) for row in rows
    ]
    sql = "select count(*) as n from findings where code = 'LOC001'"
    more = cli("sql", sql, "c.xml", "--max-examples", "5", "--format", "csv")
    assert more.out == "n\n2\n"


def test_findings_meet_the_other_tables(cli: Cli, site: Path) -> None:
    (site / "c.xml").write_text(sitemap("<loc>https://example.com/c</loc>", "<loc>/d</loc>"))
    sql = """
        select u.loc, d.entries from findings f
        join urls u using (document_id, ordinal) join documents d using (document_id) where code = 'LOC001'
    """
    done = cli("sql", sql, "gone.xml", "a.xml", "c.xml", "--format", "csv")
    assert (done.code, done.out) == (3, "loc,entries\n/d,2\n")


def test_rules_run_only_for_findings(cli: Cli, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("urlset.pipeline.sql.judge")
    assert cli("sql", "select count(*) from urls", "a.xml").code == 0
    assert cli("sql", "select count(*) from findings", "a.xml").code == 4


@pytest.mark.parametrize("table", ["urls", "findings"])
def test_documents_larger_than_what_is_held(cli: Cli, site: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.stages.buffered.MAX_BUFFERED_ROWS", 10_000)
    (site / "long.txt").write_text("".join(f"https://example.com/{n}\n" for n in range(40_000)))
    sql = f"select document_id, count(*) as n from urls where (select count(*) from {table}) >= 0 group by 1 order by 1"
    done = cli("sql", sql, "b.xml", "long.txt", "a.xml", "--no-config", "--format", "csv")
    assert (done.code, done.out) == (0, "document_id,n\n0,1\n1,40000\n2,2\n")


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = tmp_path / "kept.duckdb"
    for name in ("a", "b"):
        (tmp_path / "sitemap.txt").write_text(f"https://example.com/{name}\n", "utf-8")
        audit = ["audit", str(tmp_path / "sitemap.txt"), "--store", str(path), "--no-pages", "--no-config"]
        assert main([*audit, "--format", "none"]) in (0, 1)
    return str(path)


@pytest.mark.long("slow cases")
def test_a_run_of_a_store(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    def asked(sql: str, target: str = store) -> list[list[object]]:
        assert main(["sql", sql, target, "--format", "json"]) == 0
        return [list(row.values()) for row in json.loads(capsys.readouterr().out)]

    assert asked("select loc from urls") == [["https://example.com/b"]]
    assert asked("select loc from urls", f"{store}@1") == [["https://example.com/a"]]
    assert asked("select run_id, loc from store.urls order by 1") == [
        [1, "https://example.com/a"], [2, "https://example.com/b"],
    ]  # fmt: skip
    assert asked("select run_id, urls from runs order by 1") == [[1, 1], [2, 1]]
    counts = asked("select " + ", ".join(f"(select count(*) from (select * from {name}))" for name in STORE_TABLES))
    assert len(counts[0]) == len(STORE_TABLES)


@pytest.mark.long("slow cases")
def test_a_store_is_asked_alone_and_only_looked_at(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in (
        (["sql", "from urls", store, "sitemap.xml"], "a store cannot be combined with other targets"),
        (["sql", "delete from store.urls", store], "a query can only read"),
        (["sql", "from nothing", store], "nothing"),
        (["sql", "from urls", f"{store}@7"], "no run 7 in the store; available runs: 1, 2"),
        (["sql", "from urls", "none.duckdb"], "no such store"),
        (["sql", "from read_text('/etc/hostname')", store], "disabled"),
    ):
        assert main(command) in (2, 3), command
        assert words in capsys.readouterr().err, command


def test_only_the_sentences_of_a_description_are_wrapped(cli: Cli, site: Path) -> None:
    assert len(cli("sql", "select 1 as a, repeat('x y ', 500_000) as about", "a.xml").out.splitlines()) < 10
    # Columns with these names are wrapped, and end.
    named = "select loc as column_name, loc as column_type, repeat('x', 2_000_000) as about from urls limit 1"
    assert 10 < len(cli("sql", named, "a.xml").out.splitlines()) < 40
