"""Bytes that are not of the encoding: each is noted where it stands, however much was decoded by then."""

import pytest

from urlset import _core
from urlset.errors import UsageError
from urlset.options import ReadOptions
from urlset.options.reading import MAX_DOCUMENT_BYTES

from .reading import read

BEGIN = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'


@pytest.mark.parametrize("packed", [b"", b"<!-- " + b"x" * 200_000 + b" -->"])
def test_the_entry_of_bad_bytes(packed: bytes) -> None:
    bad = {3, 700, 701, 2_900}
    lines = [
        b"<url><loc>https://example.com/%d%s</loc></url>\n" % (number, b"\xff" if number in bad else b"")
        for number in range(3_000)
    ]
    lines[1_500] = b"\xfe" + packed + b"\n"
    reading = read(BEGIN + b"".join(lines) + b"</urlset>")
    found = [
        (row["ordinal"], row["line"], row["col"]) for row in reading["anomalies"] if row["kind"] == "encoding-invalid"
    ]
    column = len("<url><loc>https://example.com/") + 1
    assert found == [
        (3, 5, column + 1),
        (700, 702, column + 3),
        (701, 703, column + 3),
        (None, 1_502, 1),
        (2_899, 2_902, column + 4),
    ]


def test_bad_bytes_of_a_list() -> None:
    lines = [
        b"https://example.com/%d%s\n" % (number, b"\xff" if number % 5_000 == 7 else b"") for number in range(20_000)
    ]
    lines[3] = b"\n"
    reading = read(b"".join(lines))
    found = [(row["ordinal"], row["line"]) for row in reading["anomalies"] if row["kind"] == "encoding-invalid"]
    assert found == [(6, 8), (5_006, 5_008), (10_006, 10_008), (15_006, 15_008)]


def test_the_largest_bound_on_the_size() -> None:
    assert _core.protocol_limits()["most_inflated"] == MAX_DOCUMENT_BYTES
    assert ReadOptions(max_document_bytes=MAX_DOCUMENT_BYTES).max_document_bytes == MAX_DOCUMENT_BYTES
    with pytest.raises(UsageError, match="max_document_bytes: must be an integer from 1 to 536,870,912, not 536870913"):
        ReadOptions(max_document_bytes=MAX_DOCUMENT_BYTES + 1)
    for kind in (_core.Reader, _core.Rewriter):
        with pytest.raises(ValueError, match="max_inflated must be at most 536870912, not 4294967296"):
            kind(b"", max_inflated=2**32)
