"""The stages by themselves: what the read stage gives, what a tee and a record add, and in which order."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from urlset.documents import DocumentReader
from urlset.net.trust import Trust
from urlset.options import InspectOptions
from urlset.sources import Target
from urlset.stages import buffered
from urlset.stages.buffered import BufferedDocument
from urlset.stages.outcomes import (
    DocumentRead,
    NotSitemap,
    Outcome,
    ReadSummary,
    UnreadableDocument,
    read_to_end,
)
from urlset.stages.record import record
from urlset.stages.session import Session
from urlset.stages.tee import tee
from urlset.store.file import Store
from urlset.store.run import Run
from urlset.text.progress import Progress, ProgressEvent

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap(*locs: str) -> bytes:
    return f"<urlset {XMLNS}>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}</urlset>".encode()


class Breaking:
    """A file that gives sixty thousand URLs and then fails."""

    def __init__(self) -> None:
        self.pieces = [b"https://example.com/\n" * 20_000] * 3

    def read(self, size: int, /) -> bytes:
        if not self.pieces:
            raise OSError(5, "Input/output error")
        return self.pieces.pop()


def names(outcomes: list[Outcome]) -> list[str]:
    return [type(outcome).__name__ for outcome in outcomes]


def outcomes_of(*targets: Target) -> list[Outcome]:
    with reading(targets) as outcomes:
        return list(used(outcomes))


@contextmanager
def reading(targets: Sequence[Target], progress: Progress | None = None) -> Iterator[Iterator[Outcome]]:
    with Session(InspectOptions(), Trust(), progress) as session, session.read(targets, InspectOptions()) as outcomes:
        yield outcomes


def used(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The outcomes, each given once its rows were read."""
    for outcome in outcomes:
        read_to_end(outcome)
        yield outcome


def test_failures_are_outcomes_in_the_order_of_the_targets(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "browserconfig.xml").write_text("<browserconfig/>")
    gone = str(tmp_path / "gone.xml")
    found = outcomes_of(str(tmp_path / "a.xml"), gone, str(tmp_path / "folder"), b"https://example.com/b")
    assert names(found) == ["DocumentRead", "UnreadableDocument", "NotSitemap", "DocumentRead", "ReadSummary"]
    assert [one.number for one in found if not isinstance(one, ReadSummary)] == [0, 1, 2, 3]
    _, unreadable, not_sitemap, _, summary = found
    assert isinstance(unreadable, UnreadableDocument)
    assert isinstance(not_sitemap, NotSitemap)
    assert summary == ReadSummary((unreadable.unreadable,), (not_sitemap.file,))
    assert unreadable.unreadable.target == gone


def test_a_small_document_is_one_batch_and_a_large_one_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", 100)
    large = "".join(f"https://example.com/{n}\n" for n in range(60_000)).encode()
    with reading([b"https://example.com/a", large]) as outcomes:
        small, big = (list(one.batches) for one in outcomes if isinstance(one, DocumentRead))
    assert len(small) == 1
    assert len(big) > 1
    assert sum(batch["urls"].num_rows for batch in big) == 60_000


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> list[Target]:
    """A document that is too large to be held, between others, and cannot be read to its end."""
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", 100)
    return [b"https://example.com/a", Breaking(), b"https://example.com/b"]


def test_what_breaks_off_while_it_is_used_is_told_next(breaking: list[Target]) -> None:
    found = outcomes_of(*breaking)
    assert names(found) == ["DocumentRead", "DocumentRead", "UnreadableDocument", "DocumentRead", "ReadSummary"]
    failed, summary = found[2], found[-1]
    assert isinstance(failed, UnreadableDocument)
    assert isinstance(summary, ReadSummary)
    assert (failed.number, failed.unreadable.reason) == (1, "cannot be read: input/output error")
    assert summary.unreadable == (failed.unreadable,)


def test_progress_counts_it_once(breaking: list[Target]) -> None:
    told: list[ProgressEvent] = []
    with reading(breaking, told.append) as outcomes:
        for outcome in outcomes:
            read_to_end(outcome)
    assert [one.done for one in told] == [1, 2, 3]


class Kept:
    """A keeper that notes what it is told."""

    def __init__(self) -> None:
        self.rows: dict[int, int] = {}
        self.removed: list[int] = []

    def add(self, batch: object) -> None:
        assert isinstance(batch, dict)
        for document_id in batch["urls"].column("document_id") if "urls" in batch else ():
            self.rows[document_id] = self.rows.get(document_id, 0) + 1

    def remove(self, document_id: int) -> None:
        self.removed.append(document_id)
        self.rows.pop(document_id, None)


def test_a_tee_gives_the_same_and_takes_back_what_breaks_off(breaking: list[Target]) -> None:
    kept = Kept()
    with reading(breaking) as outcomes:
        seen = list(used(tee(outcomes, kept)))
    assert names(seen) == ["DocumentRead", "DocumentRead", "UnreadableDocument", "DocumentRead", "ReadSummary"]
    assert (kept.rows, kept.removed) == ({0: 1, 2: 1}, [1])


def test_a_record_has_no_rows_of_what_breaks_off(tmp_path: Path, breaking: list[Target]) -> None:
    with Store.create(tmp_path / "kept.duckdb") as store:
        run = Run.begin(store, [], {})
        with reading(breaking) as outcomes:
            recorded = record(outcomes, run)
        assert [facts["document_id"] for facts in recorded.documents] == [0, 2]
        assert len(recorded.summary.unreadable) == 1
        for table in ("documents", "urls"):
            assert store.rows(f"SELECT DISTINCT document_id FROM {table} ORDER BY ALL") == [(0,), (2,)]


def test_reading_begins_before_anybody_asks(tmp_path: Path) -> None:
    begun = threading.Event()

    def buffer(reader: DocumentReader) -> BufferedDocument:
        begun.set()
        return BufferedDocument(reader)

    with Session(InspectOptions(), Trust()) as session:
        assert not begun.is_set()
        with session.read([b"https://example.com/"], InspectOptions(), buffer) as outcomes:
            assert begun.wait(30)
            assert names(list(outcomes)) == ["DocumentRead", "ReadSummary"]


def test_what_nobody_asks_for_ends_with_the_context() -> None:
    before = threading.active_count()
    targets = [b"https://example.com/" for _ in range(50)]
    with reading(targets) as outcomes:
        next(outcomes)
    assert threading.active_count() == before
