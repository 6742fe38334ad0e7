"""How the bytes come, and how the rows are taken, changes nothing: not a row, not a fact, not a place."""

from __future__ import annotations

import gzip
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiers import examples

from . import corpus
from .reading import Reading, read

CASES = st.integers(0, 10_000_000).map(lambda number: corpus.case(number)[1])
OF_THE_WIRE = ("wire_bytes", "compression", "sha256")
WINDOW = 128 * 1024
"""How much the reader decodes at a time."""


class Pieces:
    """A file that gives its bytes in pieces of given sizes, over and over."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data, self.sizes, self.at, self.calls = data, sizes, 0, 0

    def read(self, size: int, /) -> bytes:
        size = min(size, self.sizes[self.calls % len(self.sizes)])
        self.calls += 1
        piece = self.data[self.at : self.at + size]
        self.at += len(piece)
        return piece


@settings(deadline=None, max_examples=examples(150))
@given(CASES, st.lists(st.integers(1, 4000), min_size=1, max_size=5), st.integers(1, 50), st.booleans())
def test_any_split_and_any_batch(document: bytes, sizes: list[int], batch_rows: int, packed: bool) -> None:
    whole = read(document)
    data = gzip.compress(document, mtime=0) if packed else document
    pieces = read(Pieces(data, sizes), batch_rows=batch_rows)
    assert pieces.tables == whole.tables
    compared = [name for name in whole.facts if not (packed and name in OF_THE_WIRE)]
    assert {name: pieces.facts[name] for name in compared} == {name: whole.facts[name] for name in compared}


@settings(deadline=None, max_examples=examples(150))
@given(CASES, st.integers(1, 50))
def test_the_express_way_changes_nothing(document: bytes, batch_rows: int) -> None:
    general = read(document, express=False)
    express = read(document, batch_rows=batch_rows)
    assert express.tables == general.tables
    assert express.facts == general.facts


@pytest.mark.sampled(3)
@pytest.mark.parametrize("chunk", range(8))
def test_where_the_window_ends(chunk: int) -> None:
    """A long comment before a document moves it over the end of the window, at every byte of it in turn."""
    for number in range(chunk * 15, chunk * 15 + 15):
        seed, document = corpus.case(number)
        document = _as_utf8(document)
        rng = random.Random(number)
        expected = _moved(_behind(document, 5000), 5000)
        for _ in range(8):
            padding = WINDOW - rng.randrange(len(document) + 20)
            assert _moved(_behind(document, padding), padding) == expected, f"case {number} ({seed}), padding {padding}"


def _as_utf8(document: bytes) -> bytes:
    """The same text without what only the first bytes of a document may be, so that it can stand behind others."""
    return document.decode("utf-8", "replace").replace("\ufeff", "").encode()


def _behind(document: bytes, padding: int) -> Reading:
    return read(b"<urlset><!--" + b"x" * padding + b"-->\n" + document)


def _moved(reading: Reading, padding: int) -> Any:
    """What was read, with offsets counted from where the document begins. Evidence may be shorter at a window's end."""
    tables = {}
    for name, rows in reading.tables.items():
        tables[name] = [
            row | {"byte_offset": max(0, row.get("byte_offset", 0) - padding), "evidence": None} for row in rows
        ]
    facts = {name: value for name, value in reading.facts.items() if name not in (*OF_THE_WIRE, "bytes")}
    return tables, facts
