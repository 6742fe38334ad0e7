"""`fix` leaves files alone that are compressed in a way that no search engine reads, and says why."""

from __future__ import annotations

import sys
from pathlib import Path

import brotli
import pytest

import urlset

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SITEMAP = (
    b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    b"<url><loc> https://example.com/</loc></url></urlset>"
)


PACKED = {"a.xml.zst": zstd.compress(SITEMAP), "a.xml.br": brotli.compress(SITEMAP)}


@pytest.mark.parametrize(("name", "packed"), PACKED.items(), ids=PACKED)
def test_a_file_that_no_search_engine_reads_is_left_alone(name: str, packed: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(packed)
    (document,) = urlset.fix(str(path), in_place=True).documents
    assert path.read_bytes() == packed
    assert not document.repairs
    assert document.reason is not None
    assert document.reason.startswith("search engines read no compression but gzip")
