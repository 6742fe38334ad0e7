"""`urlset.audit`, `history` and `inspect`: they do what the commands do, and give values."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import urlset
import urlset.model
from urlset.options.fields import ReadFields

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "audit" / "serve.py"))
FETCH: ReadFields = {"retries": 0, "cache": False}


@pytest.mark.long("slow cases")
def test_an_audit(tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    with EXAMPLE["serving"]() as site:
        result = urlset.audit(site, store=store, sample=10, score=False, select=["PGE"], agents=["GPTBot"], **FETCH)
        again = urlset.audit([site], store=store, pages=False, score=False, **FETCH)
    assert isinstance(result, urlset.model.AuditResult)
    assert (result.store, result.run_id, again.run_id) == (store, 1, 2)
    assert result.pages is not None
    assert (result.pages.selected, result.pages.listed) == (10, len(EXAMPLE["PAGES"]))
    assert 0 <= result.pages.good.low <= result.pages.good.high <= 1
    assert {finding.rule.family for finding in result.report.findings} == {"PGE"}
    assert {one.agent.name for one in result.agents} >= {"Googlebot", "GPTBot"}
    assert (again.pages, again.media, again.checks) == (None, None, ())
    runs = urlset.history(store)
    assert [(run.run_id, run.targets, run.pages) for run in runs] == [
        (1, (site,), result.pages.fetched),
        (2, (site,), 0),
    ]


def test_what_the_file_says_holds_unless_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "sitemap.txt").write_text("https://example.com/\n", "utf-8")
    (tmp_path / "there.txt").write_text("https://example.com/\nhttps://example.com/a\n", "utf-8")
    config = tmp_path / "urlset.toml"
    config.write_text('[audit]\npages = false\nstore = "mine.duckdb"\ninventory = "there.txt"\n', "utf-8")
    target = str(tmp_path / "sitemap.txt")
    result = urlset.audit(target, config=config, select=["LOC"])
    assert (result.store, result.pages) == (tmp_path / "mine.duckdb", None)
    assert result.inventory is not None
    assert result.inventory.unlisted_examples == ("https://example.com/a",)
    other = tmp_path / "other.duckdb"
    assert urlset.audit(target, config=config, select=["LOC"], store=other).store == other


def test_misuse(tmp_path: Path) -> None:
    store = tmp_path / "kept.duckdb"
    message = "method: must be one of auto, head, get, not 'gte'; did you mean 'get'"
    with pytest.raises(urlset.errors.UsageError, match=message):
        urlset.audit("example.com", store=store, method="gte")
    with pytest.raises(urlset.errors.UsageError, match="no target given; use `urlset audit"):
        urlset.audit(store=store)
    with pytest.raises(urlset.errors.UsageError, match="no unfinished run to resume"):
        urlset.audit(store=store, resume=True)
    with pytest.raises(urlset.errors.InputError, match="no such store"):
        urlset.history(tmp_path / "none.duckdb")


def test_inspecting(tmp_path: Path) -> None:
    report = urlset.inspect([b"https://example.com/\n", tmp_path / "none.xml"])
    assert [document.facts["kind"] for document in report.documents] == ["text"]
    assert [one.target for one in report.unreadable] == [str(tmp_path / "none.xml")]
