"""Documents and batches: facts, typed entries, and tables that other libraries read."""

from __future__ import annotations

import gzip
import io
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset import _core
from urlset.tables import READER_TABLES, TABLES

EVERYTHING = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
        xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
        xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc>https://example.com/a?x=1&amp;y=2</loc>
    <lastmod>2025-01-02T03:04:05.678+01:00</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.8</priority>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a"/>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/a?x=1&amp;y=2"/>
    <image:image><image:loc>https://example.com/1.png</image:loc><image:title>One</image:title></image:image>
    <image:image><image:loc>https://example.com/2.png</image:loc></image:image>
    <video:video>
      <video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>
      <video:title>T</video:title>
      <video:description>D</video:description>
      <video:content_loc>https://example.com/v.mp4</video:content_loc>
      <video:duration>600</video:duration>
      <video:restriction relationship="allow">DE AT</video:restriction>
      <video:uploader info="https://example.com/u">Somebody</video:uploader>
      <video:tag>one</video:tag><video:tag>two</video:tag>
      <video:price currency="EUR" type="rent">1.99</video:price><video:price currency="USD">2.99</video:price>
    </video:video>
    <news:news>
      <news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
      <news:publication_date>2025-01-02</news:publication_date>
      <news:title>News</news:title>
    </news:news>
  </url>
  <url><loc>https://example.com/b</loc></url>
</urlset>
"""


def test_entries_are_plain_typed_values() -> None:
    first, second = urlset.read(EVERYTHING)
    assert isinstance(first, urlset.Url)
    assert first.loc == "https://example.com/a?x=1&y=2"
    assert first.lastmod == "2025-01-02T03:04:05.678+01:00"
    assert first.lastmod_at == datetime(2025, 1, 2, 2, 4, 5, 678_000, tzinfo=UTC)
    assert (first.changefreq, first.priority, first.line) == ("daily", "0.8", 7)
    assert first.alternates == (
        urlset.Alternate("alternate", "de", "https://example.com/de/a"),
        urlset.Alternate("alternate", "en", "https://example.com/a?x=1&y=2"),
    )
    assert [image.loc for image in first.images] == ["https://example.com/1.png", "https://example.com/2.png"]
    assert first.images[0].title == "One"
    (video,) = first.videos
    assert (video.restriction, video.restriction_relationship) == ("DE AT", "allow")
    assert (video.uploader, video.uploader_info, video.tags) == ("Somebody", "https://example.com/u", ("one", "two"))
    assert first.news == (urlset.News("N", "en", "2025-01-02", "News"),)
    lines_before = EVERYTHING.partition(b"  <url><loc>https://example.com/b")[0].count(b"\n")
    assert second == urlset.Url("https://example.com/b", line=lines_before + 1)


def test_repeated_and_dropped_fields_are_in_the_tables() -> None:
    (video,) = urlset.read(EVERYTHING).videos.to_dicts()
    assert video["prices"] == ["1.99", "2.99"]
    assert video["price_currencies"] == ["EUR", "USD"]
    assert video["price_types"] == ["rent", None]
    assert (video["duration"], video["duration_value"]) == ("600", 600.0)


def test_facts_count_what_is_there() -> None:
    facts = urlset.read(EVERYTHING).facts
    assert facts.keys() == set(TABLES["documents"].column_names) - _of_the_network()
    assert {name: facts[name] for name in ("entries", "images", "videos", "news", "alternates")} == {
        "entries": 2,
        "images": 2,
        "videos": 1,
        "news": 1,
        "alternates": 2,
    }
    assert facts["bytes"] == facts["wire_bytes"] == len(EVERYTHING)
    assert facts["lastmod_missing"] == 1
    assert facts["well_formed"] is True
    assert facts["complete"] is True


def _of_the_network() -> set[str]:
    """The facts that come from the network, an earlier run, or a manifest."""
    return {
        "assumed_from",
        "is_built_part",
        "host",
        "requested_host",
        "url_hash",
        "final_url_hash",
        "http_status",
        "http_problems",
        "redirects",
        "redirect_statuses",
        "error_kind",
        "content_encoding",
        "content_type",
        "etag",
        "last_modified",
    }


def test_an_index_gives_children() -> None:
    index = (
        b'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>'
        b"<loc>https://example.com/1.xml</loc><lastmod>2025</lastmod></sitemap></sitemapindex>"
    )
    assert list(urlset.read(index)) == [
        urlset.Child("https://example.com/1.xml", "2025", datetime(2025, 1, 1, tzinfo=UTC), 1)
    ]


def test_scan_gives_the_same_entries_as_read() -> None:
    lines = b"".join(b"https://example.com/%d\n" % number for number in range(50_000))
    batches = list(urlset.scan(lines))
    assert len(batches) > 2
    assert sum(len(batch) for batch in batches) == 50_000
    assert [entry for batch in batches for entry in batch] == list(urlset.read(lines))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", READER_TABLES)
def test_tables_are_read_by_other_libraries(name: str) -> None:
    import polars
    import pyarrow

    table: Any = urlset.read(EVERYTHING).tables[name]
    expected = [list(row.values()) for row in table.to_dicts()]
    with duckdb.connect() as connection:
        connection.register("given", table)
        rows = connection.execute("SELECT * FROM given").fetchall()
    assert len(rows) == len(expected)
    frame: Any = polars.DataFrame(table)
    arrow = pyarrow.table(table)
    assert frame.columns == arrow.column_names == table.column_names
    instants = [column.type == "timestamp" for column in TABLES[name].columns]
    for got in (rows, frame.rows(), [tuple(row.values()) for row in arrow.to_pylist()]):
        for row, wanted in zip(got, expected, strict=True):
            plain = [value for value, at in zip(row, instants, strict=True) if not at]
            assert plain == [value for value, at in zip(wanted, instants, strict=True) if not at]


def test_instants_are_utc_in_other_libraries() -> None:
    import polars
    import pyarrow

    urls: Any = urlset.read(EVERYTHING).urls
    naive = datetime(2025, 1, 2, 2, 4, 5, 678_000)  # noqa: DTZ001 (a naive column is what is tested)
    assert polars.DataFrame(urls)["lastmod_at"][0] == naive
    assert pyarrow.table(urls)["lastmod_at"][0].as_py() == naive


class Sink(io.RawIOBase):
    """A file that gives one byte at a time."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        piece, self._rest = self._rest[:1], self._rest[1:]
        return piece


def test_every_way_in_reads_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = list(urlset.read(EVERYTHING))
    path = tmp_path / "sitemap.xml"
    path.write_bytes(EVERYTHING)
    packed = tmp_path / "no-gz-in-its-name"
    packed.write_bytes(gzip.compress(EVERYTHING))
    with path.open("rb") as file:
        assert list(urlset.read(file)) == expected
    for target in (str(path), path, packed, bytearray(EVERYTHING), memoryview(EVERYTHING), io.BytesIO(EVERYTHING)):
        assert list(urlset.read(target)) == expected
    assert list(urlset.read(Sink(EVERYTHING))) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EVERYTHING)))
    assert list(urlset.read("-")) == expected


def test_what_is_no_target_is_misuse(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_text("https://example.com/")
    with pytest.raises(urlset.errors.UsageError, match="binary mode"), path.open() as text:
        urlset.read(text)  # type: ignore[arg-type]
    with pytest.raises(urlset.errors.UsageError, match="int"):
        urlset.read(3)  # type: ignore[arg-type]
    with pytest.raises(urlset.errors.UsageError, match="is a directory"):
        urlset.read(tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.xml", "no such file"),
        ("127.0.0.1:9/sitemap.xml", "^http://127.0.0.1:9/sitemap.xml: "),
        ("localhost:9", "^http://localhost:9: "),
        ("nul\0.xml", "null"),
    ],
)
def test_what_cannot_be_opened_is_an_input_error(name: str, reason: str) -> None:
    with pytest.raises(urlset.errors.InputError, match=reason) as caught:
        urlset.read(name)
    assert caught.value.target.removeprefix("http://") == name


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(EVERYTHING)
    path.chmod(0)
    with pytest.raises(urlset.errors.InputError, match="permission denied"):
        urlset.read(path)


class Failing:
    """A file whose disk breaks in the middle."""

    def __init__(self) -> None:
        self._pieces = [EVERYTHING[:800], EVERYTHING[800:1000]]

    def read(self, size: int, /) -> bytes:
        if not self._pieces:
            raise OSError(5, "Input/output error")
        return self._pieces.pop(0)


def test_a_file_that_breaks_while_it_is_read_is_an_input_error() -> None:
    with pytest.raises(urlset.errors.InputError, match="input/output error"):
        urlset.read(Failing())


def test_the_bound_on_size_is_kept_and_said() -> None:
    bomb = gzip.compress(b"https://example.com/\n" * 100_000)
    document = urlset.read(bomb, max_document_bytes=21_000)
    assert len(document) == 1_000
    assert document.facts["complete"] is False
    assert document.anomalies.column("kind") == ["size-limit"]


@pytest.mark.long("slow cases")
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Zs"]), max_size=50))
def test_the_hash_of_a_url_is_that_of_the_table(tail: str) -> None:
    url = f"https://example.com/{tail}"
    row = urlset.read(f"{url}\n".encode()).urls.to_dicts()[0]
    assert _core.url_hash(row["loc"]) == row["loc_hash"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names of letters alone")
def test_a_file_whose_name_is_no_utf_8_is_read(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.txt"))
    path.write_text("https://example.com/\n", encoding="utf-8")
    assert [entry.loc for entry in urlset.read(path)] == ["https://example.com/"]
