"""`coverage diff`: states of two days, what is not known, and what changed on the pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlset import _core, api
from urlset.errors import UsageError
from urlset.model.coverage_diff import CoverageDiff, StateChange
from urlset.report.formats import render
from urlset.store.file import Store

SITE = "https://example.com"
DAYS = {"since": "2026-10-31", "until": "2026-11-30"}


@pytest.fixture
def add(tmp_path: Path) -> Callable[..., None]:
    """Adds a row to a table of a new store."""

    def insert(table: str, **values: Any) -> None:
        names, marks = ", ".join(f'"{name}"' for name in values), ", ".join(f"${n + 1}" for n in range(len(values)))
        with Store.create(tmp_path / "urlset.duckdb") as store:
            store.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*values.values()])

    return insert


@pytest.fixture
def report(add: Callable[..., None]) -> Callable[..., None]:
    def insert(
        path: str, at: str, reason: str | None = None, *, state: str | None = "", engine: str = "google"
    ) -> None:
        url = f"{SITE}/{path}"
        if state == "":
            state = "indexed" if reason is None else "not-indexed"
        add(
            "index_states",
            url=url,
            page_hash=_core.page_hash(url),
            engine=engine,
            source="search-console",
            state=state,
            reason=reason,
            at=at,
        )

    return insert


@pytest.fixture
def diff(tmp_path: Path) -> Callable[..., CoverageDiff]:
    return lambda **fields: api.coverage_diff(store=tmp_path / "urlset.duckdb", **{**DAYS, **fields})


def urls(result: CoverageDiff) -> dict[str, list[str]]:
    return {group.change.value: [page.url[len(SITE) + 1 :] for page in group.pages] for group in result.changes}


def test_what_fell_out_came_in_or_has_another_reason(
    report: Callable[..., None], diff: Callable[..., CoverageDiff]
) -> None:
    report("out", "2026-10-20")
    report("out", "2026-11-20 15:00", "noindex")
    report("in", "2026-10-31 23:00", "soft-404")
    report("in", "2026-11-30 23:00")
    report("other", "2026-10-20", "crawled-not-indexed")
    report("other", "2026-11-20", "noindex")
    report("same", "2026-10-20")
    report("same", "2026-11-20")
    # Nothing newer is known of these.
    report("stale", "2026-10-20")
    report("stateless", "2026-10-20")
    report("stateless", "2026-11-20", state=None)
    report("later", "2026-10-20")
    report("later", "2026-12-01", "noindex")
    report("new", "2026-11-20")
    report("bing", "2026-10-20", engine="bing")
    report("bing", "2026-11-20", "noindex", engine="bing")
    result = diff()
    assert urls(result) == {"fell-out": ["out"], "came-in": ["in"], "other-reason": ["other"]}
    assert (result.compared, result.first_reported, result.not_reported, result.runs) == (4, 1, 3, ())
    assert urls(diff(engine="bing"))["fell-out"] == ["bing"]
    text = "\n".join(render("coverage diff", "text", result))
    assert "indexed on 2026-10-20; then not indexed (noindex) on 2026-11-20" in text
    assert "Not reported since then, so unknown: 3 URLs." in text
    assert "the store does not have two runs" in text


def test_a_state_that_changed_and_changed_back_is_the_same(
    report: Callable[..., None], diff: Callable[..., CoverageDiff]
) -> None:
    report("a", "2026-10-20")
    report("a", "2026-11-10", "server-error")
    report("a", "2026-11-20")
    assert diff().changes[0].urls == 0
    assert diff(until="2026-11-15").changes[0].urls == 1


def test_without_two_reports_of_a_url_nothing_is_said_to_be_unchanged(
    report: Callable[..., None], diff: Callable[..., CoverageDiff]
) -> None:
    report("a", "2026-10-20")
    for days in (DAYS, {"since": "2026-10-01"}):
        text = "\n".join(render("coverage diff", "text", diff(**days)))
        assert "Nothing can be compared. Import another export with `urlset coverage import`" in text
        assert "Fell out" not in text
        assert "the pages is unknown" not in text


def page(add: Callable[..., None], run: int, path: str, **values: Any) -> None:
    url = f"{SITE}/{path}"
    add(
        "pages",
        run_id=run,
        document_id=0,
        ordinal=0,
        url=url,
        loc_hash=_core.url_hash(url),
        page_hash=_core.page_hash(url),
        status=200,
        **values,
    )


def test_what_changed_on_the_pages(
    add: Callable[..., None], report: Callable[..., None], diff: Callable[..., CoverageDiff]
) -> None:
    for run, at in enumerate(("2026-10-05", "2026-10-25", "2026-11-25", "2026-12-05"), start=1):
        add("runs", run_id=run, started_at=at, finished_at=at, targets=[SITE], settings="{}", version="1", documents=1)
        page(add, run, "edited", title="Old" if run < 3 else "New \x1b[31m", is_indexable=True)
        page(add, run, "kept", title="Kept", is_indexable=True)
    for path in ("edited", "kept", "gone"):
        report(path, "2026-10-20")
        report(path, "2026-11-20", "crawled-not-indexed")
    result = diff()
    assert [run.run_id for run in result.runs] == [2, 3]
    fell_out = result.changes[0]
    assert fell_out.change is StateChange.FELL_OUT
    assert dict(fell_out.changed) == {"title": 1}
    changes = {found.url[len(SITE) + 1 :]: found.changes for found in fell_out.pages}
    assert (changes["kept"], changes["gone"]) == ((), None)
    assert changes["edited"] is not None
    assert [(change.property, change.before) for change in changes["edited"]] == [("title", "Old")]
    text = "\n".join(render("coverage diff", "text", result))
    assert '"Old" to "New \\u{1b}[31m"' in text
    assert "the page did not change between the runs" in text
    assert json.loads("".join(render("coverage diff", "json", result)))["changes"][0]["urls"] == 3
    # Without a run from before, the oldest one counts, and is named.
    earlier = diff(since="2026-10-01")
    assert f"{earlier.runs[0].made_at:%Y-%m-%d}" == "2026-10-05"


def test_only_some_urls_are_shown(report: Callable[..., None], diff: Callable[..., CoverageDiff]) -> None:
    for number in range(5):
        report(f"{number}", "2026-10-20")
        report(f"{number}", "2026-11-20", "noindex")
    result = diff(rows=2)
    assert (result.changes[0].urls, len(result.changes[0].pages)) == (5, 2)
    assert "3 more URLs; use --rows" in "\n".join(render("coverage diff", "text", result))


def test_wrong_calls(add: Callable[..., None], report: Callable[..., None], diff: Callable[..., CoverageDiff]) -> None:
    add("log_files", name="access.log")
    with pytest.raises(UsageError, match="no reports of search engines; import an export first"):
        diff()
    report("a", "2026-10-20")
    with pytest.raises(UsageError, match="no reports of bing; it has those of google"):
        diff(engine="bing")
    with pytest.raises(UsageError, match="since: must be before --until"):
        diff(since="2026-12-01")
    with pytest.raises(UsageError, match="since: must be a date or a period"):
        diff(since="soon")
