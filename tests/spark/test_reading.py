"""Reading and checking files on Spark: the same report as the embedded engine, as a folder that DuckDB opens."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.rules.case_tables import case_tables
from tests.rules.runs import combined
from tests.rules.test_cases import ALL_CASES, NOW
from tests.tiers import selected

import urlset
import urlset.spark
from urlset import _core
from urlset.engine.store_tables import RESULTS
from urlset.errors import InputError, OutputError, UsageError
from urlset.model.report import Report
from urlset.rules import registry
from urlset.store.file import Store

from .whole import as_parquet, by_duckdb, comparable

EXAMPLES = Path(__file__).parents[2] / "examples"
TIMES = {"fetched_at", "elapsed_ms"}
RULES: Mapping[str, Any] = {"select": selected("DUP001", "DUP003", "LOC002", "STR001", "XML001", "XML008"), "now": NOW}
HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def sitemap(*locs: str) -> bytes:
    return f"{HEAD}{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}</urlset>".encode()


def facts(report: Report) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in TIMES} for row in report.documents]


def assert_same(report: Report, expected: Report) -> None:
    assert comparable(report.findings) == comparable(expected.findings)
    assert facts(report) == facts(expected)
    assert report.summary == expected.summary
    assert report.silenced == expected.silenced


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a glob's worth of sitemaps, of which one cannot be read, and one is not listed."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "a.xml").write_bytes(sitemap("https://example.com/same", "ftp://example.com/", "https://example.com/1"))
    (folder / "b.xml.gz").write_bytes(gzip.compress(sitemap("https://example.com/same", "https://example.com/2")))
    (folder / "c.xml").write_bytes(b"<urlset")
    (folder / "d d%20ä.xml").write_bytes(sitemap("https://example.com/ä"))
    (folder / "e.xml").mkdir()
    return folder


@pytest.fixture(scope="module")
def run(spark: Any, site: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Report]:
    folder = tmp_path_factory.mktemp("runs") / "run"
    report = urlset.spark.validate(spark, [f"{site}/[a-d]*.xml*", f"{site}/none*"], str(folder), **RULES)
    return folder, report


@pytest.mark.long("slow cases on Spark")
def test_the_report_is_that_of_the_embedded_engine(site: Path, run: tuple[Path, Report]) -> None:
    files = sorted(map(str, site.glob("[a-d]*.xml*")))
    assert len(files) == 4
    assert_same(run[1], urlset.validate(files, **RULES))


def test_what_matches_nothing_is_unreadable(site: Path, run: tuple[Path, Report]) -> None:
    [one] = run[1].unreadable
    assert (one.target, one.reason) == (f"{site}/none*", "no such file, or nothing matches")


def test_the_folder_has_the_tables_with_rows(run: tuple[Path, Report]) -> None:
    names = {path.name for path in run[0].iterdir() if not path.name.startswith((".", "_"))}
    assert names == {"documents", "urls", "anomalies", "findings", "runs", RESULTS}


@pytest.mark.long("slow cases on Spark")
def test_it_is_opened_like_a_store(run: tuple[Path, Report]) -> None:
    folder, report = run
    with Store.read(folder) as store:
        row = store.run()
    assert (row.documents, row.urls, row.errors) == (4, report.summary.urls, report.summary.errors)
    assert row.pages is None
    [counts] = urlset.query("SELECT count(*), count(DISTINCT document_id) FROM urls", folder).rows
    assert counts == (row.urls, 3)
    found = urlset.query("SELECT DISTINCT code, document_id FROM findings", folder).rows
    assert set(found) == {(one.rule.code, one.document_id) for one in report.findings}


@pytest.mark.long("slow cases on Spark")
def test_a_run_is_judged_again_without_reading(spark: Any, run: tuple[Path, Report]) -> None:
    folder, first = run
    again = urlset.spark.validate(spark, str(folder), select=["LOC"], now=NOW)
    expected = {one for one in comparable(first.findings) if str(one[0]).startswith("LOC")}
    assert comparable(again.findings) == expected
    with pytest.raises(UsageError, match="is a run already"):
        urlset.spark.validate(spark, str(folder), str(folder) + "2")


def test_spark_reads_the_tables(spark: Any, run: tuple[Path, Report]) -> None:
    assert spark.read.parquet(f"{run[0]}/urls").where("loc LIKE '%/same'").count() == 2


@pytest.mark.long("slow cases on Spark")
def test_a_document_that_fails_is_a_row(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/"))
    (tmp_path / "b.xml").write_bytes(sitemap("https://example.com/"))
    (tmp_path / "b.xml").chmod(0)
    source = spark.createDataFrame(
        [(f"{tmp_path}/a.xml", None), (f"{tmp_path}/gone.xml", None)], "url string, content binary"
    )
    read = urlset.spark.read(spark, source, str(tmp_path / "run"))
    assert (read.documents, read.urls) == (1, 1)
    assert [(one.target, one.reason) for one in read.unreadable] == [(f"{tmp_path}/gone.xml", "no such file")]
    rows = urlset.query("SELECT url, error FROM documents ORDER BY url", tmp_path / "run").rows
    assert rows == [(f"{tmp_path}/a.xml", None), (f"{tmp_path}/gone.xml", "no such file")]
    report = urlset.spark.validate(spark, str(tmp_path / "run"), now=NOW, select=["LOC002"])
    assert [row["url"] for row in report.documents] == [f"{tmp_path}/a.xml"]


@pytest.mark.long("slow cases on Spark")
def test_contents_that_were_fetched_elsewhere(spark: Any, tmp_path: Path) -> None:
    rows = [
        ("https://example.com/shop/b.xml", sitemap("https://example.com/shop/", "https://example.org/")),
        ("https://example.com/a.xml", sitemap("https://example.com/")),
        ("https://example.com/a.xml", sitemap("https://example.com/")),
        (None, b""),
    ]
    source = spark.createDataFrame(rows, "url string, content binary")
    report = urlset.spark.validate(spark, source, str(tmp_path / "run"), now=NOW, select=["LOC007"])
    assert [(row["document_id"], row["url"], row["host"], row["site_path"]) for row in report.documents] == [
        (0, "https://example.com/a.xml", "example.com", "/a.xml"),
        (1, "https://example.com/shop/b.xml", "example.com", "/shop/b.xml"),
    ]
    [finding] = report.findings
    assert (finding.rule.code, finding.document_id, finding.examples[0].value) == ("LOC007", 1, "example.org")
    assert report.notes == ("2 rows without a URL, or with one that another row has; not read",)


@pytest.mark.long("slow cases on Spark")
def test_what_repeats_is_read_once(spark: Any, site: Path, tmp_path: Path) -> None:
    found = urlset.spark.read(spark, [f"{site}/a.xml", f"{site}/[ab].xml*"], str(tmp_path / "run"))
    assert found.documents == 2
    assert found.notes == ("1 file matched more than once, and read once",)


@pytest.mark.long("slow cases on Spark")
def test_a_folder_is_searched(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    (folder / "news").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / "news" / "b.xml").write_bytes(sitemap("https://example.com/", "ftp://example.com/"))
    (folder / ".hidden" / "c.xml").write_bytes(sitemap("https://example.com/"))
    (folder / "a-sitemap.xml").write_bytes(b"<other/>")
    (folder / "other.xml").write_bytes(b"<other/>")
    (folder / "robots.txt").write_bytes(b"User-agent: *\nDisallow:\n")
    report = urlset.spark.validate(spark, str(folder), str(tmp_path / "run"), now=NOW, select=["LOC", "STR"])
    expected = urlset.validate(folder, now=NOW, select=["LOC", "STR"])
    assert {row["url"] for row in report.documents} == {f"{folder}/a-sitemap.xml", f"{folder}/news/b.xml"}
    assert sorted(str(row["site_path"]) for row in report.documents) == ["/a-sitemap.xml", "/news/b.xml"]
    assert sorted(report.skipped, key=str) == sorted(expected.skipped, key=str)
    assert {one.rule.code for one in report.findings} == {one.rule.code for one in expected.findings}
    with Store.read(tmp_path / "run") as store:
        assert store.run().documents == 2


def test_an_incomplete_run_is_refused(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    with pytest.raises(InputError, match="is an incomplete run"):
        urlset.spark.validate(spark, str(tmp_path))


def test_a_run_of_another_version_is_refused(spark: Any, tmp_path: Path) -> None:
    rows = spark.createDataFrame([(1, "0.0.9")], "run_id int, version string")
    rows.write.parquet(str(tmp_path / "runs"))
    with pytest.raises(InputError, match=r"was read by urlset 0\.0\.9; read the sitemaps again with "):
        urlset.spark.validate(spark, str(tmp_path))


@pytest.mark.long("slow cases on Spark")
def test_folders_that_a_glob_matches_are_named(spark: Any, site: Path, tmp_path: Path) -> None:
    found = urlset.spark.read(spark, f"{site}/[ae].xml", str(tmp_path / "run"))
    assert (found.documents, found.notes) == (1, ("1 folder that a glob matches was not read",))


BAD: Mapping[str, tuple[Any, type[Exception], str]] = {
    "nothing matches": ("/nowhere/*.xml", InputError, "no such file, or nothing matches"),
    "an unknown scheme": ("s9://bucket/*.xml", InputError, "Spark has no file system for this scheme"),
    "a folder without sitemaps": (f"{EXAMPLES}/ci", InputError, r"ci: no file in this directory ends in \.xml"),
    "only folders": (f"{EXAMPLES}/*e", InputError, "only folders match"),
    "no target": ((), UsageError, "no target given"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_source_that_cannot_be_read(spark: Any, tmp_path: Path, name: str) -> None:
    source, kind, reason = BAD[name]
    with pytest.raises(kind, match=reason):
        urlset.spark.read(spark, source, str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_frame_with_other_columns(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must have the columns url, or url and content, not id"):
        urlset.spark.read(spark, spark.range(1), str(tmp_path / "run"))


def test_a_folder_that_is_not_empty(spark: Any, site: Path) -> None:
    with pytest.raises(OutputError, match="is not empty; name a folder that does not exist yet"):
        urlset.spark.read(spark, f"{site}/a.xml", str(site))


@pytest.mark.parametrize("name", ["discover", "robots"])
def test_an_option_that_only_the_embedded_engine_has(spark: Any, name: str) -> None:
    options: Any = {name: True}
    with pytest.raises(UsageError, match=f"{name} is not available on Spark"):
        urlset.spark.validate(spark, "a.xml", **options)


@pytest.mark.long("slow cases on Spark")
def test_the_settings_and_views_of_the_session_stay(spark: Any, site: Path) -> None:
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    spark.createDataFrame([(1,)], "mine int").createOrReplaceTempView("urls")
    urlset.spark.validate(spark, f"{site}/a.xml", now=NOW, select=["LOC002"])
    assert spark.conf.get("spark.sql.session.timeZone") == "America/New_York"
    assert spark.table("urls").columns == ["mine"]
    spark.conf.unset("spark.sql.session.timeZone")
    spark.catalog.dropTempView("urls")


@pytest.mark.long("slow cases on Spark")
def test_pages_that_were_fetched_elsewhere_are_judged(spark: Any, tmp_path: Path) -> None:
    case = next(case for case in ALL_CASES if case.code == "PGE001" and case.sort == "fails")
    tables = combined([case_tables(case, 0)])
    for name in as_parquet(tables, tmp_path):
        (tmp_path / "run" / name).mkdir(parents=True)
        (tmp_path / f"{name}.parquet").rename(tmp_path / "run" / name / "part.parquet")
    (tmp_path / "run" / "runs").mkdir()
    with pytest.raises(InputError, match=r"run: must be one run, but its table runs has 0 rows"):
        urlset.spark.validate(spark, f"{tmp_path}/run", now=NOW, select=[case.code])
    pq.write_table(pa.table({"version": [_core.__version__]}), tmp_path / "run" / "runs" / "part.parquet")
    rule = registry.rule(case.code)
    report = urlset.spark.validate(spark, f"{tmp_path}/run", now=NOW, select=[case.code])
    assert report.findings
    assert comparable(report.findings) == comparable(by_duckdb(tables, [rule]))
