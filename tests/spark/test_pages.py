"""Pages that were fetched elsewhere: the same findings as an audit, and nothing where a column is missing."""

from __future__ import annotations

import json
import re
import runpy
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests import tiers
from tests.rules.test_cases import NOW
from tests.tiers import sampled, selected

import urlset
import urlset.spark
from urlset.errors import ExitCode, InputError, UsageError
from urlset.model.audit import AuditResult
from urlset.model.report import Report
from urlset.options import AuditOptions
from urlset.pipeline import cluster
from urlset.pipeline.audit import audit
from urlset.rules import registry
from urlset.store.file import Store
from urlset.store.page_selection import OF_ENTRY
from urlset.store.results import read_results
from urlset.tables import PAGES

from .test_commands import ended
from .test_reading import sitemap
from .whole import comparable

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "audit" / "serve.py"))
OF_UNLISTED = ("HRL020",)
"""Rules that also read pages that no sitemap lists: only an audit requests them."""

ON_PAGES = [rule.code for rule in registry.all_rules() if PAGES.name in rule.tables and rule.code not in OF_UNLISTED]
RULES: Mapping[str, Any] = {"select": selected(*sampled(ON_PAGES, 16), "LOC002") or (*ON_PAGES, "LOC"), "now": NOW}


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[AuditResult, Path, str]:
    """An audit of the site with every fault of pages, the folder with its pages as Parquet, and its sitemap."""
    folder = tmp_path_factory.mktemp("audited")
    with EXAMPLE["serving"]() as origin:
        options = AuditOptions(store=folder / "audit.duckdb", retries=0, cache=False, discover=True, **RULES)
        result = audit([origin], options)
        (folder / "sitemap.xml").write_text(EXAMPLE["sitemap"]().replace("{site}", origin), encoding="utf-8")
    facts = ", ".join(name for name in PAGES.column_names if name == "url" or name not in OF_ENTRY)
    (folder / "pages").mkdir()
    with duckdb.connect(str(folder / "audit.duckdb"), read_only=True) as store:
        store.execute(f"COPY (SELECT {facts} FROM pages) TO '{folder}/pages/part-0.parquet' (FORMAT parquet)")
    return result, folder, origin


def of_pages(result: Any) -> set[tuple[object, ...]]:
    """The findings on pages, in the only sitemap."""
    return {(code, *rest) for code, _, *rest in comparable(result.findings) if code in ON_PAGES}


def some_codes(report: Report) -> list[str]:
    """A few of the rules on pages that found something, in `make test-all` all rules on pages."""
    found = sorted({finding.rule.code for finding in report.findings} & {*ON_PAGES})
    return sorted(selected(*sampled(found, 3)) or ON_PAGES)


def test_the_findings_are_those_of_an_audit(spark: Any, audited: tuple[AuditResult, Path, str], tmp_path: Path) -> None:
    result, folder, _ = audited
    assert result.pages is not None
    run = tmp_path / "run"
    report = urlset.spark.validate(spark, f"{folder}/sitemap.xml", str(run), pages=f"{folder}/pages", **RULES)
    assert of_pages(report) == of_pages(result.report)
    assert len({code for code, *_ in of_pages(report)}) >= (20 if tiers.IS_LONG else 8)
    assert report.notes == ()
    with Store.read(run) as store:
        assert store.run().pages == result.pages.fetched
        assert read_results(store, 1).pages == result.pages
    assert urlset.query("SELECT count(*) FROM pages", run).rows == [(result.pages.fetched + result.pages.blocked,)]
    some = some_codes(report)
    again = urlset.spark.validate(spark, str(run), select=some, now=NOW)
    assert comparable(again.findings) == {one for one in comparable(report.findings) if one[0] in some}


@pytest.mark.long("slow cases on Spark")
def test_the_command(
    spark: Any, audited: tuple[AuditResult, Path, str], run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, folder, _ = audited
    assert result.pages is not None
    some = some_codes(result.report)
    asked = ("audit", "--engine", "spark", "--select", ",".join(some), "--fail-on", "hint")
    page = tmp_path / "page.html"
    given = (f"{folder}/sitemap.xml", "--pages-from", f"{folder}/pages", "--report", str(page))
    code, text, errors = ended(capsys, *asked, "--format", "json", *given)
    assert code == ExitCode.FINDINGS, errors
    made = json.loads(text)
    assert {one["code"] for one in made["report"]["findings"]} == {*some} & {
        code for code, *_ in of_pages(result.report)
    }
    assert made["pages"]["fetched"] == result.pages.fetched
    assert made["pages"]["health"]["indexable"] == result.pages.good.part
    shown = page.read_text(encoding="utf-8")
    assert "data-health=" in shown
    # The folder of that run was temporary, and the page does not name it.
    assert "The complete data is in" not in shown
    code, _, errors = ended(capsys, *asked, run)
    assert code == ExitCode.USAGE
    assert "pages are not fetched on Spark; name a table of fetched pages with --pages-from" in errors


def test_an_audit_without_pages_reads_nothing(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/"))
    with pytest.raises(UsageError, match="pages are not fetched on Spark; name a table of fetched pages"):
        cluster.audit(spark, f"{tmp_path}/a.xml", AuditOptions(), f"{tmp_path}/run")
    assert not (tmp_path / "run").exists()


ROWS = [
    ("https://example.com/a", 404),
    ("https://example.com/b", 200),
    ("https://example.com/b", 200),
    ("https://example.com/other", 200),
    (None, 200),
]


@pytest.fixture(scope="module")
def run(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("pages")
    locs = [f"https://example.com/{name}" for name in ("a", "b", "b", "c")]
    (folder / "a.xml").write_bytes(sitemap(*locs))
    urlset.spark.validate(spark, f"{folder}/a.xml", f"{folder}/run", now=NOW, select=["LOC002"])
    return f"{folder}/run"


@pytest.mark.long("slow cases on Spark")
def test_what_is_not_known_is_not_judged(spark: Any, run: str) -> None:
    pages = spark.createDataFrame(ROWS, "url string, status bigint").selectExpr("*", "1 AS run_id")
    unknown = ("PGE010", "PGE011", "PGE012", "PGE014")
    options = AuditOptions(select=selected("PGE001", "PGE002", "PGE003", *unknown, "LOC002") or ("PGE", "LOC"), now=NOW)
    result = cluster.audit(spark, run, options, pages=pages)
    assert of_pages(result.report) == {("PGE001", 1, result.report.findings[0].examples)}
    [left_out, *notes] = result.report.notes
    assert re.search(r" rules did not run, because the pages have no columns .*\bcanonical, canonical_hash, ", left_out)
    assert "PGE010, PGE011, PGE012" in left_out
    assert not any(code in left_out for code in ("PGE001", "PGE002", "PGE003", "LOC"))
    assert notes == [
        "the pages: unknown column ignored: run_id",
        "the pages: 1 row without a URL ignored",
        "the pages: 1 row with a repeated URL ignored; the newest one counts",
        "the pages: 1 URL that no sitemap lists is not checked",
        "the pages: 1 of 3 listed pages is missing",
        "page health is unknown, because the pages have no columns canonical_is_self, hops, noindex",
    ]
    assert result.pages is not None
    assert (result.pages.listed, result.pages.fetched, dict(result.pages.statuses)) == (3, 2, {"200": 1, "404": 1})
    assert result.pages.good.whole == 0


@pytest.mark.long("slow cases on Spark")
def test_the_newest_row_counts(spark: Any, run: str) -> None:
    times = {404: None, 503: "2026-01-02", 200: "2026-01-01"}
    rows = [("https://example.com/a", status, at) for status, at in times.items()]
    pages = spark.createDataFrame(rows, "url string, status int, at string")
    pages = pages.selectExpr("url", "status", "CAST(at AS timestamp) AS fetched_at")
    found = urlset.spark.validate(spark, run, pages=pages, select=["PGE001", "PGE002", "PGE003"], now=NOW)
    assert [one.rule.code for one in found.findings] == ["PGE003"]


@pytest.mark.long("slow cases on Spark")
def test_a_hash_is_derived_from_the_canonical(spark: Any, run: str) -> None:
    """The first page names the second one as its canonical, which returns an error."""
    rows = [("https://example.com/a", 200, "https://example.com/b", False), ("https://example.com/b", 410, None, None)]
    pages = spark.createDataFrame(rows, "url string, status int, canonical string, canonical_is_self boolean")
    pages = pages.selectExpr(
        "*", "NULL AS hops", "CAST(NULL AS string) AS noindex", "CAST(NULL AS string) AS final_url"
    )
    found = urlset.spark.validate(spark, run, pages=pages, select=["PGE010", "PGE014"], now=NOW)
    assert [note for note in found.notes if "did not run" in note] == []
    assert [(one.rule.code, one.count) for one in found.findings] == [("PGE014", 1)]


REFUSED: Mapping[str, tuple[str, str]] = {
    "no status": ("url string", r"no column status, only url; pages need the columns url and status"),
    "another type": ("url string, status string", r"the column status must be int, not string"),
    "a list of another type": (
        "url string, status int, hops array<int>",
        r"hops must be array<string>, not array<int>",
    ),
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", REFUSED)
def test_columns_that_cannot_be_used(spark: Any, run: str, name: str) -> None:
    schema, reason = REFUSED[name]
    with pytest.raises(UsageError, match=reason):
        urlset.spark.validate(spark, run, pages=spark.createDataFrame([], schema))


def test_pages_that_cannot_be_read(spark: Any, run: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        urlset.spark.validate(spark, run, pages=str(tmp_path / "nothing"))
    frame = spark.createDataFrame([("https://example.com/a", 1 << 40)], "url string, status bigint")
    with pytest.raises(InputError, match=r"the pages: cannot be read: .*overflow"):
        urlset.spark.validate(spark, run, pages=frame, select=["PGE001"])
    assert not spark.catalog.listTables("global_temp")


def test_pages_of_a_run_are_not_replaced(spark: Any, run: str, tmp_path: Path) -> None:
    pages = spark.createDataFrame(ROWS[:1], "url string, status int")
    kept = shutil.copytree(run, tmp_path / "run")
    (kept / PAGES.name).mkdir()
    with pytest.raises(UsageError, match="has pages already; remove its folder pages to use other ones"):
        urlset.spark.validate(spark, str(kept), pages=pages)


@pytest.mark.long("slow cases on Spark")
def test_a_run_without_entries(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap())
    pages = spark.createDataFrame(ROWS[:1], "url string, status int")
    options = AuditOptions(now=NOW, select=("PGE00", "LOC002"))
    result = cluster.audit(spark, f"{tmp_path}/a.xml", options, pages=pages)
    assert result.pages is not None
    assert (result.pages.listed, result.pages.fetched) == (0, 0)
    assert "no document lists a page, so the table of pages is not used" in result.report.notes
