"""URLs with several entries are found in memory as in rows that were loaded into the database."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from urlset.api import validate
from urlset.model.finding import Finding
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
@pytest.mark.parametrize("seed", range(12))
def test_loaded_rows_have_the_same_findings(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    documents = [document(rng, rng.choice((5, 40, 10_000))) for _ in range(rng.randrange(2, 10))]
    in_memory = findings(documents)
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", 3)
    assert findings(documents) == in_memory


@pytest.mark.parametrize("rows_held", [250_000, 3], ids=["in-memory", "loaded"])
def test_a_url_in_two_documents_is_found(rows_held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", rows_held)
    locs = [f"<url><loc>https://example.com/{number}</loc></url>" for number in range(10)]
    documents = [f"{SITEMAP}{''.join(some)}</urlset>".encode() for some in (locs[:6], locs[5:])]
    found = [(one.rule.code, one.document_id, one.count) for one in findings(documents)]
    assert [one for one in found if one[0] == "DUP003"] == [("DUP003", 1, 1)]
