"""Large and hostile documents: every bound is kept and reported, and the time stays in proportion to the size.

Nothing here measures time. The hostile shapes are of a size at which a reader that looks at anything again and again
would need hours.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping

import pytest
from tests.cases import case_table
from tests.tiers import amount

from urlset import _core

from .corpus import IMAGE, SITEMAP
from .reading import read

ROWS = int(_core.protocol_limits()["max_anomalies_per_kind"])
MAX_TOKEN = 4 * 1024 * 1024
BEGIN = f'<urlset xmlns="{SITEMAP}" xmlns:image="{IMAGE}"><url><loc>https://example.com/first</loc></url>'.encode()
END = b"<url><loc>https://example.com/last</loc></url></urlset>"
BOTH = ["https://example.com/first", "https://example.com/last"]
MEGABYTES_10 = 10_000_000
SIZE = amount("cost of hostile input")


def fill(unit: bytes, size: int = SIZE) -> bytes:
    return unit * (size // len(unit) + 1)


def test_equal_anomalies_are_counted_exactly_and_listed_in_bounded_number() -> None:
    reading = read(BEGIN + b"<url><loc>https://example.com/?" + b"&" * 2500 + b"</loc></url>" + END)
    rows = [row for row in reading["anomalies"] if row["kind"] == "bare-ampersand"]
    assert len(rows) == ROWS + 1
    assert [row["count"] for row in rows] == [1] * ROWS + [1500]
    assert (rows[-1]["line"], rows[-1]["col"]) == (None, None)
    assert [row["col"] - rows[0]["col"] for row in rows[:-1]] == list(range(ROWS))
    assert reading.count("bare-ampersand") == 2500
    assert not reading.facts["well_formed"]


def test_equal_anomalies_over_many_batches() -> None:
    document = BEGIN + b"<url><loc>https://example.com/?a&b</loc></url>" * 1700 + END
    reading = read(document, batch_rows=7)
    assert reading.count("bare-ampersand") == 1700
    assert len(reading["anomalies"]) == ROWS + 1
    assert reading.facts["entries"] == 1702


def test_invalid_bytes_are_counted_exactly() -> None:
    reading = read(BEGIN + b"<url><loc>https://example.com/" + b"\xff" * 2500 + b"</loc></url>" + END)
    assert reading.count("encoding-invalid") == 2500
    assert len(reading["anomalies"]) == ROWS + 1


def test_more_entries_than_the_protocol_allows() -> None:
    entries = b"".join(b"<url><loc>https://example.com/%d</loc></url>\n" % number for number in range(60_000))
    reading = read(BEGIN + entries + END)
    assert reading.facts["entries"] == 60_002
    assert reading.locs[-2:] == ["https://example.com/59999", "https://example.com/last"]
    assert reading.facts["complete"]


def test_the_first_sites_are_listed() -> None:
    entries = b"".join(b"<url><loc>https://%d.example.com/</loc></url>" % number for number in range(200))
    assert read(BEGIN + entries + END).facts["sites"] == [
        "https://example.com",
        *(f"https://{number}.example.com" for number in range(99)),
    ]


def test_more_bytes_than_the_protocol_allows() -> None:
    limit = int(_core.protocol_limits()["max_bytes"])
    reading = read(BEGIN + b"<!--" + b"x" * MAX_TOKEN + b"-->" + fill(b" ", limit) + END)
    assert reading.facts["bytes"] > limit
    assert reading.locs == BOTH
    assert reading.facts["complete"]


@pytest.mark.parametrize("packed", [False, True])
def test_the_bound_on_the_size(packed: bool) -> None:
    document = BEGIN + fill(b"\n") + END
    reading = read(gzip.compress(document) if packed else document, max_inflated=1_000_000)
    assert reading.facts["bytes"] == 1_000_000
    assert reading.locs == BOTH[:1]
    assert reading.noted == [("truncated", 1_000_001 - len(BEGIN), 1), ("size-limit", None, None)]
    assert not reading.facts["complete"]


def test_a_gzip_bomb() -> None:
    bomb = gzip.compress(gzip.compress(b"\0" * 50_000_000))
    reading = read(bomb, max_inflated=20_000_000)
    assert reading.facts["bytes"] <= 20_000_000
    assert reading.count("size-limit") == 1
    assert not reading.facts["complete"]


def test_deep_nesting() -> None:
    reading = read(BEGIN + b"<a>" * 99_000 + b"</a>" * 99_000 + END)
    assert reading.locs == BOTH
    assert reading.noted == [("unknown-element", 1, len(BEGIN) + 1)]
    assert reading.facts["well_formed"]


def test_nesting_beyond_the_bound() -> None:
    reading = read(BEGIN + b"<a>" * 120_000 + b"</a>" * 120_000 + END)
    assert reading.locs == BOTH
    assert reading.kinds == ["unknown-element", "too-deep"]


LONG: Mapping[str, Callable[[], bytes]] = {
    "an attribute": lambda: b'<x a="' + b"b" * MEGABYTES_10 + b'"/>',
    "an attribute of an element with an end tag": lambda: b'<x a="' + b"b" * MEGABYTES_10 + b'"></x>',
    "an attribute like ends of tags": lambda: b"<x a='" + b"/>" * MEGABYTES_10 + b"'/>",
    "many attributes": lambda: b"<x " + b"".join(b'a%d="" ' % number for number in range(1_000_000)) + b"/>",
    "a comment": lambda: b"<!--" + b"b" * MEGABYTES_10 + b"-->",
    "a comment like tags": lambda: b"<!--" + b"<url>" * (MEGABYTES_10 // 5) + b"-->",
    "a CDATA section": lambda: b"<x><![CDATA[" + b"b" * MEGABYTES_10 + b"]]></x>",
    "a processing instruction": lambda: b"<?x " + b"b" * MEGABYTES_10 + b"?>",
}


@case_table("token", LONG)
def test_long_tokens_are_passed_over(token: Callable[[], bytes]) -> None:
    reading = read(BEGIN + token() + END)
    assert reading.locs == BOTH
    assert reading.count("token-too-long") == 1
    assert reading.facts["well_formed"]
    assert reading.facts["complete"]


def test_a_long_text_is_read_in_pieces() -> None:
    text = b"https://example.com/" + b"&amp;" * (MEGABYTES_10 // 5) + b"]]"
    reading = read(BEGIN + b"<url><loc>" + text + b"</loc></url>" + END)
    assert reading.locs == [BOTH[0], text.decode().replace("&amp;", "&"), BOTH[1]]
    assert set(reading.kinds) == {"token-too-long"}


def test_a_long_line_of_text_is_one_entry() -> None:
    reading = read(b"https://example.com/" + b"a" * MEGABYTES_10 + b"\nhttps://example.com/last\n")
    assert [len(loc or "") for loc in reading.locs] == [MAX_TOKEN, 24]
    assert reading.noted == [("token-too-long", 1, 1)]


HOSTILE: dict[str, Callable[[], bytes]] = {
    "ampersands in text": lambda: b"<url><loc>" + fill(b"&") + b"</loc></url>",
    "ampersands in an attribute": lambda: b'<url a="' + fill(b"&") + b'"/>',
    "unknown entities": lambda: b"<url><loc>" + fill(b"&x;") + b"</loc></url>",
    "long names of entities": lambda: b"<url><loc>" + fill(b"&" + b"a" * 1000) + b"</loc></url>",
    "less-than signs": lambda: fill(b"<"),
    "less-than signs and spaces": lambda: b"<url><loc>" + fill(b"< ") + b"</loc></url>",
    "unfinished tags": lambda: fill(b"<a"),
    "unclosed quotes": lambda: fill(b'<a b="'),
    "quotes of both kinds": lambda: fill(b"<a b='\""),
    "one unclosed quote": lambda: b'<x a="' + fill(b"b "),
    "tags in an attribute": lambda: b'<x a="' + fill(b"<b ") + b'">',
    "attributes": lambda: b"<x " + b" ".join(b'a%d=""' % number for number in range(SIZE // 10)) + b"/>",
    "the same attribute": lambda: b"<x " + fill(b'a="" ') + b"/>",
    "unclosed comments": lambda: fill(b"<!--"),
    "unclosed comments in a long document": lambda: fill(b"<!-- ", 2 * MAX_TOKEN),
    "unclosed CDATA sections": lambda: fill(b"<![CDATA["),
    "unclosed CDATA sections in a long document": lambda: fill(b"<![CDATA[", 2 * MAX_TOKEN),
    "unclosed instructions": lambda: fill(b"<?x "),
    "unclosed instructions in a long document": lambda: fill(b"<?x >", 2 * MAX_TOKEN),
    "XML declarations": lambda: fill(b"<?xml "),
    "document type declarations": lambda: fill(b"<!DOCTYPE [>"),
    "document type declarations with comments": lambda: fill(b"<!DOCTYPE [<!--", 2 * MAX_TOKEN),
    "markup that is none": lambda: fill(b"<!"),
    "end tags without name": lambda: fill(b"</"),
    "stray end tags": lambda: fill(b"</b>"),
    "stray end tags in deep nesting": lambda: fill(b"<a>", 270_000) + fill(b"</b>"),
    "elements that nothing closes": lambda: fill(b"<p>"),
    "elements in a loc": lambda: b"<url><loc>" + fill(b" ") + fill(b"<x/>") + b"</loc></url>",
    "entries in a loc": lambda: b"<url><loc>" + fill(b" ") + fill(b"<url></url>") + b"</loc></url>",
    "namespaces of one element": lambda: (
        b"<x " + b" ".join(b'xmlns:p%d="u"' % n for n in range(SIZE // 30)) + b">" + fill(b"<q:a/>") + b"</x>"
    ),
    "namespaces, and defaults inside": lambda: (
        b"<x " + b" ".join(b'xmlns:p%d="u"' % n for n in range(SIZE // 30)) + b">" + fill(b"<a xmlns=''/>") + b"</x>"
    ),
    "namespaces in depth": lambda: (
        b"".join(b'<p%d:x xmlns:p%d="u%d">' % (n, n, n) for n in range(SIZE // 60)) + fill(b"<q:a/>")
    ),
    "namespaces that are all different": lambda: b"".join(
        b'<image:x xmlns:image="u%d"/>' % n for n in range(SIZE // 30)
    ),
    "faults in one line": lambda: fill(b"x<a b=1/>"),
    "fields": lambda: b"<url>" + fill(b"<loc>a</loc>") + b"</url>",
    "records": lambda: b"<url><loc>a</loc>" + fill(b"<image:image/>") + b"</url>",
    "CDATA sections": lambda: b"<url><loc>" + fill(b"<![CDATA[x]]>") + b"</loc></url>",
    "digits of a reference": lambda: b"<url><loc>&#" + fill(b"0") + b";</loc></url>",
}


@case_table("shape", list(HOSTILE))
def test_hostile_shapes(shape: str) -> None:
    reading = read(BEGIN + HOSTILE[shape]() + END, hash=False)
    assert [reading.locs[0], reading.locs[-1]] == BOTH
    assert reading.facts["complete"]
    assert len(reading["anomalies"]) <= (ROWS + 1) * len(_core.vocabularies()["anomaly_kinds"])


@pytest.mark.parametrize("unit", [b"<a:rss <p>", b"<a:rss ", b"<br>x", b"<?xml <p>"])
def test_shapes_around_the_root(unit: bytes) -> None:
    for document in (BEGIN + END + fill(unit), fill(unit) + BEGIN + END):
        assert len(read(document, hash=False)["anomalies"]) <= (ROWS + 1) * len(_core.vocabularies()["anomaly_kinds"])


def test_unclosed_comment_in_a_long_document() -> None:
    """Beyond the bound a comment without end cannot be told from a long one: what is behind it is passed over."""
    reading = read(BEGIN + b"<!-- " + fill(b"<url><loc>https://example.com/x</loc></url>", MEGABYTES_10) + END)
    assert reading.locs == BOTH[:1]
    assert reading.kinds == ["token-too-long", "truncated"]
    assert not reading.facts["complete"]
