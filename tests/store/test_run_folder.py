"""A run as a folder of Parquet is read like a store; what is incomplete or no run is refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import urlset
from urlset import _core
from urlset.engine.documents_table import documents_table
from urlset.engine.findings_table import findings_table
from urlset.engine.run_folder import is_run_folder
from urlset.errors import InputError, OutputError
from urlset.store.file import Store
from urlset.tables import RUNS

from .test_store import NOW


def kept(folder: Path, urls: list[str], *, complete: bool = True) -> Path:
    """A folder as Spark writes it, with several files in a table."""
    content = "\n".join(urls).encode()
    document, report = urlset.read(content), urlset.validate(content, now=NOW)
    columns = [(column.name, column.type) for column in RUNS.columns]
    run = {
        "run_id": 1,
        "started_at": NOW,
        "finished_at": NOW,
        "targets": ["s3a://bucket/*.xml"],
        "settings": json.dumps({"rules": sorted(rule.code for rule in report.rules)}),
        "version": urlset.__version__,
        "documents": 1,
        "urls": len(urls),
        "errors": report.summary.errors,
        "warnings": report.summary.warnings,
        "infos": report.summary.infos,
    }
    tables = {
        "documents": documents_table([document.facts]),
        "urls": document.urls,
        "findings": findings_table(report.findings, report.document_urls),
        "runs": _core.Table.from_rows(columns, [dict(run)]),
    }
    for name, table in tables.items():
        if len(table) and (complete or name != "runs"):
            (folder / name).mkdir(parents=True)
            rows = pa.table(table)
            pq.write_table(rows[:1], folder / name / "part-0.parquet")
            pq.write_table(rows[1:], folder / name / "part-1.parquet")
            (folder / name / "_SUCCESS").touch()
    return folder


def test_it_is_read_like_a_store(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a", "https://example.com/b", "ftp://example.com/"])
    with Store.read(folder) as store:
        [run] = store.runs()
        assert (run.run_id, run.started_at, run.targets, run.urls) == (1, NOW, ("s3a://bucket/*.xml",), 3)
        assert store.run() == store.run(1) == run
        assert store.connection.execute("SELECT count(*), min(run_id) FROM urls").fetchall() == [(3, 1)]
        assert store.connection.execute("SELECT count(*) FROM videos").fetchall() == [(0,)]
    assert [one.urls for one in urlset.history(folder)] == [3]


@pytest.mark.long("slow cases")
def test_it_is_queried(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a", "ftp://example.com/"])
    found = urlset.query("SELECT loc, (SELECT urls FROM runs) AS urls FROM urls ORDER BY loc", folder)
    assert found.rows == [("ftp://example.com/", 2), ("https://example.com/a", 2)]
    assert urlset.query("SELECT code FROM findings", folder).rows
    assert urlset.query("SELECT run_id FROM store.urls LIMIT 1", folder).rows == [(1,)]


def test_a_query_of_it_opens_no_other_file(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a"])
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    with pytest.raises(urlset.errors.QueryError, match=r"(disabled|Permission Error)"):
        urlset.query(f"SELECT * FROM read_parquet('{other}')", folder)


@pytest.mark.long("slow cases")
def test_it_is_compared(tmp_path: Path) -> None:
    before = kept(tmp_path / "before", ["https://example.com/a", "https://example.com/b"])
    after = kept(tmp_path / "after", ["https://example.com/b", "https://example.com/c"])
    (tmp_path / "now.txt").write_text("https://example.com/a\n")
    found = urlset.diff(before, after)
    assert [one.url for one in found.added.examples] == ["https://example.com/c"]
    assert [one.url for one in found.removed.examples] == ["https://example.com/a"]
    assert urlset.diff(before, tmp_path / "now.txt").removed.count == 1


def test_its_report_is_rendered(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a", "ftp://example.com/"])
    page = urlset.report_page(folder)
    assert "ftp://example.com/" in page


def test_an_incomplete_run_is_refused(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a"], complete=False)
    assert is_run_folder(folder)
    with pytest.raises(InputError, match="is an incomplete run: it was interrupted before its end"):
        Store.read(folder)
    with pytest.raises(InputError, match="is an incomplete run"):
        urlset.query("SELECT 1", folder)


def test_it_is_never_changed(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a"])
    with pytest.raises(OutputError, match="is a run as a folder, which is never changed"):
        urlset.history(folder, keep=1)


def test_a_name_that_is_a_pattern_is_refused(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run[1]", ["https://example.com/a"])
    with pytest.raises(InputError, match="contains a character that DuckDB does not support in paths"):
        Store.read(folder)


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    folder = kept(tmp_path / "run", ["https://example.com/a"])
    (folder / "urls" / "part-0.parquet").write_bytes(b"PAR1 is not enough")
    with pytest.raises(InputError, match="cannot be read"):
        Store.read(folder)


def test_other_folders_are_no_runs(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "notes.txt").touch()
    assert not is_run_folder(tmp_path)
    assert not is_run_folder(tmp_path / "missing")
