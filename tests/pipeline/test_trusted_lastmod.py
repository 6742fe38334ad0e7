"""`audit --trust-index-lastmod`: what an index says has not changed is not requested, but asked for now and then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator

import urlset
from urlset.errors import UsageError
from urlset.model.audit import AuditResult
from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.report.formats import render
from urlset.report.json_schema import schema as schema_of
from urlset.store import unchanged

XMLNS = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
OLD, NEWER = "2025-11-14T08:00:00Z", "2025-11-21T08:00:00Z"
NAMES = ("a", "b", "c")


def put_child(site: Any, name: str, urls: int) -> None:
    entries = "".join(f"<url><loc>{{site}}/{name}{number}</loc></url>" for number in range(urls))
    site.put(f"/{name}.xml", f"<?xml version='1.0'?><urlset {XMLNS}>{entries}</urlset>", Content_Type="application/xml")


def put_index(site: Any, path: str = "/index.xml", names: tuple[str, ...] = NAMES, **lastmods: str) -> None:
    dates = dict.fromkeys(names, OLD) | lastmods
    entries = "".join(
        f"<sitemap><loc>{{site}}/{name}.xml</loc><lastmod>{date}</lastmod></sitemap>\n" for name, date in dates.items()
    )
    site.put(path, f"<?xml version='1.0'?><sitemapindex {XMLNS}>\n{entries}</sitemapindex>")


@pytest.fixture
def indexed(site: Any) -> Any:
    for name in NAMES:
        put_child(site, name, 3)
    put_index(site)
    return site


def run(site: Any, store: Path, **given: Any) -> tuple[AuditResult, list[str]]:
    """The result of a run by one rule, the one on such sitemaps, and the sitemaps that it asked for."""
    site.asked.clear()
    usual: dict[str, Any] = {"trust_index_lastmod": True, "pages": False, "cache": False, "score": False, "retries": 0}
    usual["select"] = ("IDX023",)
    result = audit([f"{site.url}/index.xml"], AuditOptions(store=store, **usual | given))
    return result, sorted(path[1:-4] for path in site.asked if path.endswith(".xml"))


def rows(store: Path, sql: str) -> list[Any]:
    with duckdb.connect(str(store), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def comparable(store: Path, run_id: int) -> list[list[Any]]:
    """What a run says of its documents and entries."""
    return [
        rows(store, f"SELECT document_id, url, entries, sha256 FROM documents WHERE run_id = {run_id} ORDER BY 1"),
        rows(store, f"SELECT * EXCLUDE (run_id) FROM urls WHERE run_id = {run_id} ORDER BY document_id, ordinal"),
        rows(store, f"SELECT * EXCLUDE (run_id) FROM children WHERE run_id = {run_id} ORDER BY document_id, ordinal"),
        rows(store, f"SELECT code, document_id, count FROM findings WHERE run_id = {run_id} ORDER BY ALL"),
    ]


@pytest.mark.long("slow cases")
def test_what_did_not_change_is_not_requested_and_its_rows_are_taken_over(indexed: Any, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    assert run(indexed, store, select=())[1] == ["a", "b", "c", "index"]
    result, asked = run(indexed, store, select=())
    assert asked == ["index"]
    assert comparable(store, 1) == comparable(store, 2)
    marked = "SELECT url, assumed_from FROM documents WHERE run_id = 2 AND assumed_from IS NOT NULL ORDER BY url"
    assert rows(store, marked) == [(f"{indexed.url}/{name}.xml", 1) for name in NAMES]
    assert result.report.summary.assumed == 3
    assert result.report.summary.urls == 9
    told = "3 sitemaps were not requested but taken from run 1: their lastmods in the index did not change"
    assert told in result.report.notes
    assert told in "\n".join(render("audit", "text", result))
    written = json.loads("\n".join(render("validate", "json", result.report)))
    Draft202012Validator(schema_of("validate")).validate(written)
    assert written["summary"]["assumed"] == 3
    assert [one.get("assumed_from") for one in written["documents"] if one["kind"] == "urlset"] == [1, 1, 1]


def test_nothing_is_taken_from_a_run_of_another_version(indexed: Any, tmp_path: Path) -> None:
    """It may have read other facts of the same bytes, on which rules depend."""
    store = tmp_path / "kept.duckdb"
    run(indexed, store)
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE runs SET version = '0.0.9'")
    result, asked = run(indexed, store)
    assert asked == ["a", "b", "c", "index"]
    assert "all sitemaps were requested, because run 1 is of urlset 0.0.9" in result.report.notes


@pytest.mark.long("slow cases")
def test_only_what_changed_is_requested(indexed: Any, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    run(indexed, store)
    put_child(indexed, "d", 2)
    put_child(indexed, "b", 5)
    # Another order, another number: what is taken over moves with it.
    put_index(indexed, names=("d", "a", "b", "c"), b=NEWER)
    result, asked = run(indexed, store)
    assert asked == ["b", "d", "index"]
    assert result.report.summary.urls == 2 + 3 + 5 + 3
    listed = "SELECT d.url, u.loc FROM urls u JOIN documents d USING (run_id, document_id) WHERE run_id = 2"
    assert all(loc.startswith(url.removesuffix(".xml")) for url, loc in rows(store, listed))


def test_indexes_in_indexes_are_taken_over_with_what_they_list(indexed: Any, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    put_index(indexed, "/inner.xml")
    put_index(indexed, names=("inner",))
    assert run(indexed, store)[1] == ["a", "b", "c", "index", "inner"]
    result, asked = run(indexed, store)
    assert asked == ["index"]
    assert result.report.summary.assumed == 4
    assert comparable(store, 1) == comparable(store, 2)


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("date", ["", "2025", "2025-11", "2999-01-01", "2999-01-01T00:00:00Z", "yesterday"])
def test_a_lastmod_that_says_nothing_is_not_trusted(date: str, indexed: Any, tmp_path: Path) -> None:
    put_index(indexed, b=date)
    run(indexed, tmp_path / "kept.duckdb")
    assert run(indexed, tmp_path / "kept.duckdb")[1] == ["b", "index"]


def test_what_failed_or_was_cut_off_is_requested_again(indexed: Any, tmp_path: Path) -> None:
    indexed.put("/a.xml", "gone", 500)
    indexed.put("/b.xml", f"<?xml version='1.0'?><urlset {XMLNS}><url><loc>{{site}}/b0</loc></url><url><loc>")
    indexed.put("/c.xml", "", 301, Location="/moved.xml")
    indexed.put("/moved.xml", f"<?xml version='1.0'?><urlset {XMLNS}><url><loc>{{site}}/c0</loc></url></urlset>")
    run(indexed, tmp_path / "kept.duckdb")
    assert set(NAMES) - {"b"} <= set(run(indexed, tmp_path / "kept.duckdb")[1])


def test_without_the_option_everything_is_requested(indexed: Any, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    run(indexed, store)
    assert run(indexed, store, trust_index_lastmod=False)[1] == ["a", "b", "c", "index"]


def test_every_seventh_run_requests_all_and_says_which_lastmod_lied(
    indexed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unchanged.RUNS_IN_BETWEEN == 6
    # Two show the same as six.
    for module in ("store.unchanged", "stages.previous"):
        monkeypatch.setattr(f"urlset.{module}.RUNS_IN_BETWEEN", 2)
    store = tmp_path / "kept.duckdb"
    run(indexed, store)
    # The sitemap changes; its lastmod in the index does not. Another one changes in white space alone.
    put_child(indexed, "b", 7)
    indexed.pages["/c.xml"].content = indexed.pages["/c.xml"].content.replace(b"<url>", b"\n<url>")
    for _ in range(2):
        result, asked = run(indexed, store)
        assert asked == ["index"]
        assert result.report.summary.urls == 9
    result, asked = run(indexed, store)
    assert asked == ["a", "b", "c", "index"]
    assert result.report.summary.assumed == 0
    assert "all sitemaps were requested, because the last 2 runs trusted their lastmods" in result.report.notes
    (finding,) = [one for one in result.report.findings if one.rule.code == "IDX023"]
    (example,) = finding.examples
    assert (example.line, example.url) == (3, f"{indexed.url}/b.xml")
    assert "entries before: 3, now: 7" in example.message
    assert run(indexed, store)[1] == ["index"]


@pytest.mark.long("slow cases")
def test_the_previous_run_is_one_on_the_same_targets_that_ended(indexed: Any, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    put_index(indexed, "/other.xml")
    audit(
        [f"{indexed.url}/other.xml"],
        AuditOptions(store=store, pages=False, cache=False, score=False, select=("IDX023",)),
    )
    assert run(indexed, store)[1] == ["a", "b", "c", "index"]
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE runs SET finished_at = NULL WHERE run_id = 2")
    assert run(indexed, store)[1] == ["a", "b", "c", "index"]


@pytest.mark.long("slow cases")
def test_an_interrupted_run_goes_on_with_what_it_had_taken_over(indexed: Any, tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    run(indexed, store, select=())
    run(indexed, store, select=())
    before = comparable(store, 2)
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE runs SET finished_at = NULL WHERE run_id = 2")
        connection.execute("DELETE FROM findings WHERE run_id = 2")
        connection.execute("DELETE FROM documents WHERE run_id = 2 AND document_id = 4")
        connection.execute("DELETE FROM urls WHERE run_id = 2 AND document_id = 4")
    _, asked = run(indexed, store, resume=True, select=())
    assert asked == ["index"]
    assert comparable(store, 2) == before


def test_it_needs_a_store() -> None:
    with pytest.raises(UsageError, match="--trust-index-lastmod needs the previous run"):
        urlset.audit("https://example.com", no_store=True, trust_index_lastmod=True)
