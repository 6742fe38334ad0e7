"""Zstandard and Brotli: read as far as they can be, whole or in any pieces, and never beyond the limit."""

from __future__ import annotations

import hashlib
import io
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset.files.decompress import decompress

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACKED: dict[str, Callable[[bytes], bytes]] = {"zstd": zstd.compress, "br": brotli.compress}
SUFFIX = {"zstd": ".zst", "br": ".br"}


def sitemap(urls: int) -> bytes:
    entries = b"".join(b"<url><loc>https://example.com/%d</loc></url>" % number for number in range(urls))
    return b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' + entries + b"</urlset>"


class Dripping:
    """A file that gives at most some bytes at a time."""

    def __init__(self, content: bytes, most: int) -> None:
        self._file = io.BytesIO(content)
        self._most = most

    def read(self, size: int, /) -> bytes:
        return self._file.read(min(size, self._most))


@pytest.mark.parametrize("compression", PACKED)
def test_a_file_is_read_with_the_facts_of_what_was_received(compression: str, tmp_path: Path) -> None:
    packed = PACKED[compression](sitemap(5_000))
    path = tmp_path / f"sitemap.xml{SUFFIX[compression]}"
    path.write_bytes(packed)
    document = urlset.read(path)
    facts = document.facts
    assert len(document) == 5_000
    assert (facts["kind"], facts["compression"], facts["complete"]) == ("urlset", compression, True)
    assert (facts["wire_bytes"], facts["bytes"]) == (len(packed), len(sitemap(5_000)))
    assert facts["sha256"] == hashlib.sha256(packed).hexdigest()
    assert [row["compression"] for row in urlset.validate(tmp_path).documents] == [compression]


def test_zstandard_needs_no_name() -> None:
    packed = zstd.compress(sitemap(3))
    for target in (packed, io.BytesIO(packed), Dripping(packed, 3)):
        assert len(urlset.read(target)) == 3


def test_frames_follow_each_other() -> None:
    whole = sitemap(100)
    assert len(urlset.read(zstd.compress(whole[:1_000]) + zstd.compress(whole[1_000:]))) == 100


@pytest.mark.parametrize("compression", PACKED)
def test_over_http(compression: str, site: Any) -> None:
    packed = PACKED[compression](sitemap(7))
    path = f"/sitemap.xml{SUFFIX[compression]}"
    site.put(f"{path}?a=b", packed, Content_Type="application/octet-stream")
    report = urlset.validate(f"{site.url}{path}?a=b", cache=False, select=["ENC011"])
    assert [finding.rule.code for finding in report.findings] == ["ENC011"]
    assert (report.summary.urls, report.documents[0]["wire_bytes"]) == (7, len(packed))
    # With a Content-Encoding, the compression is that of the transfer.
    site.put(path, packed, Content_Type="application/xml", Content_Encoding=compression)
    report = urlset.validate(f"{site.url}{path}", cache=False, select=["ENC011"])
    assert (report.summary.urls, report.findings) == (7, ())


@pytest.mark.parametrize("compression", PACKED)
def test_a_bomb_stops_at_the_limit_in_little_memory(compression: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.xml{SUFFIX[compression]}"
    path.write_bytes(PACKED[compression](b"<!--" + b" " * 20_000_000))
    tracemalloc.start()
    try:
        facts = urlset.read(path, max_document_bytes=1_000_000).facts
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (facts["bytes"], facts["complete"]) == (1_000_000, False)
    assert most < 4 * 1024 * 1024


@given(
    compression=st.sampled_from(sorted(PACKED)),
    content=st.binary(min_size=1, max_size=2_000),
    most=st.integers(1, 100),
    cut=st.integers(0, 30),
    size=st.integers(1, 500),
)
def test_any_content_in_any_pieces(compression: str, content: bytes, most: int, cut: int, size: int) -> None:
    packed = PACKED[compression](content)
    kept = packed[: len(packed) - cut]
    file = decompress(Dripping(kept, most), f"a{SUFFIX[compression]}", hashed=True)
    found = b""
    while piece := file.read(size):
        assert len(piece) <= size
        found += piece
    # Without enough bytes to know the format, or if they look like text, they are passed on as they are.
    assert content.startswith(found) or found == kept
    if not cut and found != kept:
        assert found == content
