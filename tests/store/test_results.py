"""The results of an audit as a store has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import structs

from urlset.engine.store_tables import RESULTS
from urlset.errors import InputError, Unreadable
from urlset.model.audit import AgentAccess, Inventory, PageCounts, Share
from urlset.model.document import SkippedFile
from urlset.store.file import Store
from urlset.store.results import NO_RESULTS, Results, StoredAccess, StoredCheck, keep_results, read_results
from urlset.store.run import Run
from urlset.web.agents import KNOWN_AGENTS

ACCESS = AgentAccess(KNOWN_AGENTS[0], 90, 40, (("https://example.com/blog/", 30, 20),))
CHECK = StoredCheck(
    check={"id": "sitemap"}, origin="https://example.com", status="pass", score=1.0, steps=(), candidates=()
)
FULL = structs.replace(
    NO_RESULTS,
    pages=PageCounts(30, 20, 20, 0, None, {"200": 20}, Share.of(15, 20, 30)),
    agents=(StoredAccess.of(ACCESS),),
    inventory=Inventory(90, 1, ("https://example.com/ä",), 0, ()),
    checks=(CHECK,),
    earlier_run=1,
    unreadable=(Unreadable("a.xml", "not found"),),
    skipped=(SkippedFile("b.txt", "unknown"),),
    notes=("a note",),
)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Store.create(tmp_path / "s.duckdb") as store:
        yield Run.begin(store, ["a.xml"], {}, datetime(2026, 11, 1, tzinfo=UTC))


def kept(run: Run, facts: str) -> Results:
    """The results of a run whose store has this JSON."""
    keep_results(run, NO_RESULTS)
    with run.writing() as connection:
        connection.execute(f"UPDATE {RESULTS} SET facts = $1", [facts])
    run.commit()
    return read_results(run.store, run.run_id)


def changed(**values: object) -> str:
    """The JSON of `FULL` with other values; a member is left out if its value is `...`."""
    members = json.loads(FULL.to_json()) | values
    return json.dumps({name: value for name, value in members.items() if value is not ...})


def test_results_are_read_as_they_were_kept(run: Run) -> None:
    assert kept(run, FULL.to_json()) == FULL
    assert FULL.access == (ACCESS,)


def test_a_run_without_results(run: Run) -> None:
    assert read_results(run.store, run.run_id) == NO_RESULTS


def test_results_of_an_older_version(run: Run) -> None:
    """Older versions stored no counts of media and links, and may know crawlers that were removed."""
    removed = {"agent": "Removedbot", "urls": 1, "blocked": 0, "sections": []}
    results = kept(run, changed(media=..., links=..., agents=[removed]))
    assert (results.media, results.links, results.access) == (None, None, ())


def test_a_name_that_is_not_text(run: Run) -> None:
    """Python reads bytes of names of files that are not UTF-8 as lone surrogates, which JSON cannot have."""
    results = structs.replace(NO_RESULTS, skipped=(SkippedFile("\udcff.xml", "xml"),))
    assert kept(run, results.to_json()).skipped == (SkippedFile("\ufffd.xml", "xml"),)


@pytest.mark.parametrize(
    "facts",
    [
        "{}",
        changed(pages={"listed": "30"}),
        changed(agents=[{"agent": 1}]),
        changed(checks=[{"origin": "https://example.com"}]),
        changed(notes="a note"),
        changed(unreadable=...),
    ],
)
def test_damaged_results(facts: str, run: Run) -> None:
    with pytest.raises(InputError, match="is damaged: the results of run 1 cannot be read"):
        kept(run, facts)
