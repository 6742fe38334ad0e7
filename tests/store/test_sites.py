"""Runs of a store: those of different sites are never paired, those that read nothing are not saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from urlset import api
from urlset.cli.main import main
from urlset.comparison.notices import sides_of
from urlset.errors import ExitCode, InputError, UsageError
from urlset.model.run import RunRow
from urlset.options import AuditOptions, LastmodOptions
from urlset.pipeline.audit import NOT_SAVED, audit
from urlset.pipeline.lastmod import lastmod
from urlset.pipeline.report_page import page_of_run
from urlset.store.file import Store
from urlset.store.run import Run
from urlset.store.sites import by_subject, name_of, sites_of
from urlset.tables import TABLES

NOW = datetime(2026, 11, 1, tzinfo=UTC)
NUMBERS = {"documents": 1, "urls": 1, "pages": 0, "errors": 0, "warnings": 0, "infos": 0}
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)
Stored = Callable[..., Path]


@pytest.mark.parametrize(
    ("targets", "settings", "name"),
    [
        (("dist",), '{"site": "https://www.example.com/docs/"}', "example.com/docs"),
        (("dist",), '{"site": null}', "dist"),
        (("dist",), "{}", "dist"),
        (("dist",), "damaged", "dist"),
        (("https://www.example.com/",), "{}", "example.com"),
    ],
)
def test_a_run_is_called_by_its_site(targets: tuple[str, ...], settings: str, name: str) -> None:
    assert name_of(RunRow(1, NOW, NOW, targets, settings, "1", 0, 0, 0, 0, 0, 0)) == name


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    """Makes a store with a finished run for each target; None is a run that read nothing."""

    def make(*targets: str | None) -> Path:
        path = tmp_path / "runs.duckdb"
        with Store.create(path) as store:
            for target in targets:
                run = Run.begin(store, [target or "https://example.com"], {}, NOW)
                run.finish({**NUMBERS, "documents": int(target is not None)}, NOW)
        return path

    return make


def test_sites() -> None:
    assert sites_of(["https://www.example.com/a.xml", "example.com", "public/sitemap.xml"]) == {"example.com"}
    assert sites_of(["http://127.0.0.1:8000/", "https://example.com:443"]) == {"127.0.0.1:8000", "example.com"}
    assert sites_of(["sitemap.xml", "-"]) == frozenset()


def test_the_last_two_runs_of_the_only_site(stored: Stored) -> None:
    path = stored("https://example.com", "www.example.com", "https://other.example", None)
    assert sides_of(str(path)) == (f"{path}@1", f"{path}@2")


def test_two_sites_are_not_paired(stored: Stored) -> None:
    path = stored("https://a.example", "https://b.example")
    with pytest.raises(InputError, match="has 1 finished run; a comparison needs two of one site"):
        sides_of(str(path))
    with pytest.raises(UsageError, match=r"run 1 is of a\.example, and run 2 of b\.example; name two runs of one site"):
        sides_of(f"{path}@1..2")


def test_it_is_asked_which_of_two_pairs_is_meant(stored: Stored) -> None:
    path = stored(*["https://a.example", "https://b.example"] * 2)
    asked = r"has runs of 2 sites.*a\.example: --from .*@1\.\.3; b\.example: --from .*@2\.\.4"
    with pytest.raises(UsageError, match=asked):
        sides_of(str(path))


@pytest.mark.long("slow cases")
def test_it_is_asked_which_site_is_meant(stored: Stored, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored("https://a.example", "https://b.example", "https://a.example")
    asked = r"has runs of 2 sites, so choose one of them: b\.example: --run 2; a\.example: --run 3"
    with pytest.raises(UsageError, match=asked):
        api.coverage(store=path)
    with pytest.raises(UsageError, match=asked):
        page_of_run(path)
    with pytest.raises(UsageError, match=r"b\.example: .*runs\.duckdb@2"):
        lastmod(str(path), LastmodOptions())
    assert main(["pages", str(path)]) == ExitCode.USAGE
    assert main(["diff", str(path), str(path)]) == ExitCode.USAGE
    assert "a.example: " in capsys.readouterr().err
    assert page_of_run(path, 2).targets == ("https://b.example",)
    assert [run.run_id for run in page_of_run(path, 3).runs] == [1, 3]
    assert api.coverage(store=path, run=2).run_id == 2


def test_coverage_is_that_of_the_site_of_the_logs(stored: Stored) -> None:
    path = stored("https://a.example", "https://b.example")
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO crawls (site, url, agent, hits) VALUES ('https://a.example', 'x', 'B', 1)")
    assert api.coverage(store=path).run_id == 1


def test_local_files_have_no_site_and_are_one_group(stored: Stored) -> None:
    path = stored("public/sitemap.xml", "build/sitemap.xml")
    assert sides_of(str(path)) == (f"{path}@1", f"{path}@2")


def test_local_files_are_different_subjects(stored: Stored) -> None:
    with Store.read(stored("dist", "https://a.example", "public", "dist", "www.a.example/")) as store:
        groups = [[run.run_id for run in group] for group in by_subject(store.runs())]
    assert groups == [[3], [1, 4], [2, 5]]


def test_a_run_that_read_nothing_is_not_the_newest(stored: Stored) -> None:
    path = stored("https://example.com", None)
    with Store.read(path) as store:
        assert store.run().run_id == 1
        assert store.run(2).documents == 0


@pytest.mark.parametrize("target", ["missing.xml", "http://127.0.0.1:9/sitemap.xml"])
def test_what_read_nothing_is_not_saved(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.xml").write_text(SITEMAP)
    store = tmp_path / "runs.duckdb"
    options = AuditOptions(store=store, pages=False, score=False, retries=0)
    first = audit([str(tmp_path / "good.xml")], options)
    given = target if "://" in target else str(tmp_path / target)
    second = audit([given], options)
    assert (first.run_id, second.run_id, second.store) == (1, None, None)
    assert NOT_SAVED in second.report.notes
    assert second.report.unreadable or any(row["error"] for row in second.report.documents)
    assert [run.run_id for run in api.history(store)] == [1]
    page = tmp_path / "page.html"
    command = ["audit", given, "--store", str(store), "--report", str(page), "--retries", "0", "--no-score"]
    assert main(command) == ExitCode.UNREADABLE
    captured = capsys.readouterr()
    assert NOT_SAVED in captured.out + captured.err
    assert "Saved as run" not in captured.out
    assert f"N{NOT_SAVED[1:]}." in page.read_text()


def test_single_runs_are_deleted(stored: Stored, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(*["https://example.com"] * 5)
    with pytest.raises(InputError, match="no run 9"):
        api.history(path, delete=[1, 9])
    assert len(api.history(path)) == 5
    assert main(["history", str(path), "--delete", "2,4", "--format", "json"]) == ExitCode.CLEAN
    shown = capsys.readouterr()
    assert [run["run"] for run in json.loads(shown.out)["runs"]] == [1, 3, 5]
    assert shown.err == "urlset: deleted 2 runs: 2, 4\n"
    assert [run.run_id for run in api.history(path, keep=1, delete=[5])] == [3]


def test_an_unfinished_run_shows_how_far_it_got(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.duckdb"
    with Store.create(path) as store:
        run = Run.begin(store, ["https://example.com"], {}, NOW)
        run.add_rows("pages", [{"document_id": 0, "ordinal": 0, "url": "https://example.com/", "status": 200}])
        run.commit()
    assert main(["history", str(path)]) == ExitCode.CLEAN
    shown = capsys.readouterr().out
    assert "NULL" not in shown
    assert "unfinished" in shown
    [only] = api.history(path)
    assert (only.documents, only.urls, only.pages, only.errors) == (0, 0, 1, None)


def test_no_table_of_a_store_is_one_that_only_a_query_fills(tmp_path: Path) -> None:
    path = tmp_path / "runs.duckdb"
    Store.create(path).close()
    computed = {name for name, table in TABLES.items() if table.built_by == "engine"}
    with duckdb.connect(str(path)) as connection:
        there = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        assert there.isdisjoint(computed)
        connection.execute("CREATE TABLE coverage (url VARCHAR)")
    Store.create(path).close()
    with duckdb.connect(str(path), read_only=True) as connection:
        assert not connection.execute("FROM duckdb_tables() WHERE table_name = 'coverage'").fetchall()
