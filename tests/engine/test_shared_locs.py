"""Counting only the hashes that may be repeated does not change what rules across documents find."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from urlset import _core
from urlset.api import validate
from urlset.engine.shared_locs import SharedLocs
from urlset.model.finding import Finding
from urlset.rules.derived import shared_locs
from urlset.stages import buffered

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
LASTMODS = ("", "<lastmod>2025-01-01</lastmod>", "<lastmod>2025-03-01</lastmod>")


def document(rng: random.Random, pages: int) -> bytes:
    """Few pages: repeated in a document and across documents, some without loc and some of an unrendered template."""

    def entry() -> str:
        loc = "{{ url }}" if rng.random() < 0.05 else f"https://example.com/{rng.randrange(pages)}"
        written = "" if rng.random() < 0.05 else f"<loc>{loc}</loc>"
        return f"<url>{written}{rng.choice(LASTMODS)}</url>"

    return f"{SITEMAP}{''.join(entry() for _ in range(rng.randrange(1, 8)))}</urlset>".encode()


def findings(documents: Sequence[bytes]) -> Sequence[Finding]:
    return validate(documents, select=["DUP", "STR", "MOD"]).findings


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rows_held", [250_000, 3], ids=["in-memory", "loaded"])
@pytest.mark.parametrize("seed", range(12))
def test_the_findings_are_those_of_counting_all(seed: int, rows_held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", rows_held)
    rng = random.Random(seed)
    documents = [document(rng, rng.choice((5, 40, 10_000))) for _ in range(rng.randrange(2, 10))]
    actual = findings(documents)
    asked: list[bool] = []

    def count_all(self: SharedLocs) -> str:
        asked.append(True)
        return shared_locs()

    monkeypatch.setattr(SharedLocs, "query", count_all)
    assert actual == findings(documents)
    assert asked


@pytest.mark.parametrize("rows_held", [250_000, 3], ids=["in-memory", "loaded"])
def test_a_url_in_two_documents_is_found(rows_held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", rows_held)
    asked: list[str] = []
    query = SharedLocs.query

    def noted(self: SharedLocs) -> str:
        asked.append(query(self))
        return asked[-1]

    monkeypatch.setattr(SharedLocs, "query", noted)
    locs = [f"<url><loc>https://example.com/{number}</loc></url>" for number in range(10)]
    documents = [f"{SITEMAP}{''.join(some)}</urlset>".encode() for some in (locs[:6], locs[5:])]
    found = findings(documents)
    assert [(one.rule.code, one.document_id, one.count) for one in found if one.rule.code == "DUP003"] == [
        ("DUP003", 1, 1)
    ]
    assert asked == [shared_locs("urls SEMI JOIN candidates USING (loc_hash)")]


def test_null_is_not_a_hash() -> None:
    repeats = _core.Repeats("loc_hash")
    for _ in range(2):
        repeats.add(_core.Table.from_rows([("loc_hash", "int64")], [{"loc_hash": None}, {"loc_hash": 4}]))
    repeats.add(_core.Table.from_rows([("loc_hash", "int64")], [{"loc_hash": 5}]))
    found = repeats.take()
    assert found is not None
    assert found.to_dicts() == [{"loc_hash": 4}]


def test_too_many_hashes_are_not_named() -> None:
    repeats = _core.Repeats("loc_hash")
    rows = _core.Table.from_rows([("loc_hash", "int64")], [{"loc_hash": number} for number in range(300_000)])
    for _ in range(6):
        repeats.add(rows)
    assert repeats.take() is None


def test_a_column_of_another_type_is_refused() -> None:
    with pytest.raises(ValueError, match="no column loc_hash of 64-bit integers"):
        _core.Repeats("loc_hash").add(_core.Table.from_rows([("loc_hash", "text")], [{"loc_hash": "a"}]))
