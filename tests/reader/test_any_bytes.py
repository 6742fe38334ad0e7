"""Whatever the bytes are, the reader neither fails nor hangs, and what it tells of them is consistent."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.tiers import examples

from urlset import _core

from . import corpus
from .reading import Reading, read

BREAKING = {kind for kind, (_, breaks) in _core.vocabularies()["anomaly_kinds"].items() if breaks}
FORGIVEN = {"html-entity", "undefined-entity"}
"""What breaks XML unless a declaration that is elsewhere may explain it."""

ACTS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Characters that change how a terminal shows others."""

SOUP = st.lists(
    st.sampled_from(
        [
            *corpus.SNIPPETS,
            *corpus.GENTLE,
            b"<urlset>",
            b"<url>",
            b"<rss><channel>",
            b"<item>",
            b"<feed>",
            b"https://a/",
        ]
    )
    | st.binary(max_size=8),
    max_size=60,
).map(b"".join)


def check(document: bytes) -> Reading:
    """Reads a document and holds what was read against itself."""
    reading = read(document)
    facts = reading.facts
    assert facts["entries"] == len(reading.entries)
    assert [row["ordinal"] for row in reading.entries] == list(range(facts["entries"]))
    for table in ("images", "videos", "news", "alternates"):
        assert facts[table] == len(reading[table])
        assert all(0 <= row["ordinal"] < facts["entries"] for row in reading[table])
    for row in reading["anomalies"]:
        assert len(row["evidence"]) <= 120
        assert not any(unicodedata.category(ch) in ("Cc", "Zl", "Zp") or ch in ACTS for ch in row["evidence"])
        assert (row["line"] is None) == (row["col"] is None)
    if facts["well_formed"] is not None:
        breaking = BREAKING & set(reading.kinds)
        assert not breaking or not facts["well_formed"] or breaking <= FORGIVEN or "encoding-conflict" in reading.kinds
        assert facts["well_formed"] or breaking or "encoding-conflict" in reading.kinds
    check_places(document, reading)
    return reading


def check_places(document: bytes, reading: Reading) -> None:
    """Lines and columns agree with the offsets, where the offsets are those of the document itself."""
    is_converted = reading.facts["encoding"] != "UTF-8" or "encoding-invalid" in reading.kinds
    if is_converted or reading.facts["compression"] != "none":
        return
    text = document[3:] if reading.facts["has_bom"] else document
    for row in [*reading.entries, *reading["anomalies"]]:
        if row["line"] is None:
            continue
        before = text[: row["byte_offset"]]
        assert row["line"] == before.count(b"\n") + 1, row
        assert row["col"] == len(before[before.rfind(b"\n") + 1 :].decode()) + 1, row


@settings(max_examples=examples(400))
@given(st.binary(max_size=400))
@example(b"")
@example(b"\x1f\x8b")
@example(b"\xff\xfe")
@example(b"<")
@example(b"&")
@example(b"<\xc3")
@example(b"<urlset>\xf0\x9f")
def test_bytes(document: bytes) -> None:
    check(document)


@settings(max_examples=examples(600))
@given(SOUP)
def test_soup(document: bytes) -> None:
    check(document)
    check(b"<urlset>" + document)
    check(b"<rss>" + document)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("chunk", range(8))
def test_mutated_documents(chunk: int) -> None:
    for number in range(50_000 + chunk * 400, 50_000 + chunk * 400 + 400):
        seed, document = corpus.case(number)
        try:
            check(document)
        except AssertionError as error:
            raise AssertionError(f"case {number} ({seed}): {document!r}") from error
