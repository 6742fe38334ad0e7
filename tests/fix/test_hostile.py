"""Documents that are made to do harm."""

from __future__ import annotations

import gzip

import pytest

import urlset
from urlset.fixes import Outcome

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
ENTRY = b"<url><loc>https://example.com/</loc></url>"


def refused(content: bytes, **options: int) -> str:
    (document,) = urlset.fix(content, **options).documents  # type: ignore[arg-type]
    assert document.outcome is Outcome.NOT_REPAIRED
    assert document.content == content
    return document.reason or ""


def test_a_bomb_is_let_be() -> None:
    bomb = gzip.compress(HEAD + ENTRY + b" " * 2_000_000 + b"</urlset>")
    assert "larger than the bound" in refused(bomb, max_inflated=100_000)
    assert "larger than the bound" in refused(gzip.compress(b"https://example.com/\n" * 100_000), max_inflated=100_000)


def test_a_gzip_stream_that_is_cut_off_keeps_its_whole_entries() -> None:
    entries = b"".join(b"<url><loc>https://example.com/%d</loc></url>" % number for number in range(2_000))
    packed = gzip.compress(HEAD + entries + b"</urlset>")
    (document,) = urlset.fix(packed[: len(packed) // 2]).documents
    assert document.content is not None
    assert gzip.decompress(document.content).endswith(b"</urlset>\n")
    assert 0 < document.entries < 2_000
    assert [omission.kind for omission in document.omissions] == ["cut-off"]


@pytest.mark.parametrize(
    "body",
    [
        ENTRY + b"<!--" + b"-" * 5_000_000,
        ENTRY + b"<url a='" + b"b" * 5_000_000 + b"'/>",
        ENTRY + b"<url><loc>https://example.com/" + b"b" * 5_000_000 + b"</loc></url>",
    ],
    ids=["comment", "attribute", "text"],
)
def test_a_token_beyond_the_bound_is_no_document_of_ours(body: bytes) -> None:
    assert "longer than the bound" in refused(HEAD + body + b"</urlset>")


def test_elements_nested_beyond_the_bound() -> None:
    assert "nested" in refused(HEAD + ENTRY + b"<url>" + b"<a>" * 110_000 + b"</urlset>")


def test_an_entry_beyond_the_bound() -> None:
    image = b"<a xmlns='urn:x'>" + b"x" * 1_000_000 + b"</a>"
    assert "entries is larger" in refused(HEAD + ENTRY + b"<url>" + image * 20 + b"</url></urlset>")


def test_a_million_faults_are_counted_and_not_kept() -> None:
    entries = b"<url><loc>/a</loc></url>" * 50_000
    (document,) = urlset.fix(HEAD + ENTRY + entries + b"</urlset>").documents
    assert (document.omitted, len(document.omissions)) == (50_000, 10_000)


def test_entities_are_not_expanded() -> None:
    layers = b"".join(b'<!ENTITY e%d "%s">' % (number, b"&e%d;" % (number - 1) * 10) for number in range(1, 10))
    content = HEAD.replace(b"\n<urlset", b"<!DOCTYPE urlset [<!ENTITY e0 'x'>" + layers + b"]><urlset")
    (document,) = urlset.fix(content + ENTRY + b"<url><loc>https://example.com/&e9;</loc></url></urlset>").documents
    assert document.entries == 1
    assert [omission.kind for omission in document.omissions] == ["declared-entity"]
