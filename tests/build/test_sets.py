"""Sets: where they are split, what the files are called, what the index says; and always the same bytes."""

from __future__ import annotations

import gzip
import logging
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import urlset

from .judging import BASE, complaints, contents

NEWS = {"publication_name": "N", "publication_language": "en", "publication_date": "2025-01-01", "title": "T"}


def pages(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield {"loc": f"{BASE}{number}", "lastmod": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}"}


def test_fifty_thousand_entries_are_one_file_and_one_more_are_two(tmp_path: Path) -> None:
    one = urlset.write(pages(50_000), BASE, tmp_path / "one")
    assert [(file.name, file.kind, file.entries) for file in one.files] == [("sitemap.xml", "urlset", 50_000)]
    two = urlset.write(pages(50_001), BASE, tmp_path / "two")
    assert [(file.name, file.entries) for file in two.files] == [
        ("sitemap.xml", 2),
        ("sitemap-1.xml", 50_000),
        ("sitemap-2.xml", 1),
    ]
    assert two.robots == ("Sitemap: https://example.com/sitemap.xml",)
    assert complaints(tmp_path / "two") == []


def test_files_split_at_fifty_mebibytes_of_real_bytes(tmp_path: Path) -> None:
    long = "x" * 1_500
    entries = [
        {"loc": f"{BASE}{number}", "images": [f"{BASE}{number}/{image}/{long}" for image in range(30)]}
        for number in range(1_200)
    ]
    summary = urlset.write(entries, BASE, tmp_path, gzip="parts")
    sizes = [len(gzip.decompress((tmp_path / file.name).read_bytes())) for file in summary.parts]
    assert sizes == [file.bytes for file in summary.parts]
    assert len(sizes) == 2
    one_entry = (sizes[0] - 300) // summary.parts[0].entries
    assert 52_428_800 - one_entry - 300 < sizes[0] <= 52_428_800


def test_a_part_ends_at_a_thousand_news(tmp_path: Path) -> None:
    entries = [{"loc": f"{BASE}{number}", "news": NEWS if number % 2 else None} for number in range(2_002)]
    summary = urlset.write(entries, BASE, tmp_path)
    assert [(file.entries, file.news) for file in summary.parts] == [(2_001, 1_000), (1, 1)]
    assert complaints(tmp_path) == []


def test_an_entry_too_large_by_itself_is_refused_with_its_url(tmp_path: Path) -> None:
    large = {"loc": BASE + "large", "images": [f"{BASE}{number}.png" for number in range(20)]}
    summary = urlset.write([BASE + "1", large, BASE + "2"], BASE, tmp_path, max_bytes=1_000)
    assert dict(summary.refused) == {"entry-too-large": 1}
    assert summary.examples[0].url == BASE + "large"
    assert [entry.loc for entry in urlset.read(tmp_path / "sitemap.xml")] == [BASE + "1", BASE + "2"]


def test_too_many_parts_for_one_index_make_several_and_robots_names_all(tmp_path: Path) -> None:
    summary = urlset.write(pages(10), BASE, tmp_path, max_entries=2)
    assert [file.name for file in summary.indexes] == ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-3.xml"]
    assert summary.robots == tuple(f"Sitemap: {BASE}{file.name}" for file in summary.indexes)
    listed = [child.loc for file in summary.indexes for child in urlset.read(tmp_path / file.name)]
    assert listed == [file.url for file in summary.parts] == [f"{BASE}sitemap-{number}.xml" for number in range(1, 6)]
    assert complaints(tmp_path) == []


@pytest.mark.parametrize(
    ("form", "expected"),
    [("datetime", "2025-11-14T18:30:00+00:00"), ("date", "2025-11-14"), ("none", None)],
)
def test_the_index_has_the_newest_lastmod_of_each_part(form: Any, expected: str | None, tmp_path: Path) -> None:
    lastmods = ["2025-11-14", "2025-11-14T19:30:00+01:00", "2024-01-01", None]
    entries = [{"loc": f"{BASE}{number}", "lastmod": lastmod} for number, lastmod in enumerate(lastmods)]
    urlset.write(entries, BASE, tmp_path, max_entries=3, index_lastmod=form)
    assert [child.lastmod for child in urlset.read(tmp_path / "sitemap.xml")] == [expected, None]


def test_groups_have_parts_of_their_own(tmp_path: Path) -> None:
    with urlset.Writer(BASE, tmp_path, max_entries=2) as writer:
        writer.write(BASE)
        writer.extend([f"{BASE}blog/{number}" for number in range(3)], group="blog")
        writer.write(BASE + "about")
    assert [(file.name, file.group, file.entries) for file in writer.summary.parts] == [
        ("sitemap-1.xml", "", 2),
        ("sitemap-blog.xml", "blog", 2),
        ("sitemap-blog-2.xml", "blog", 1),
    ]


@pytest.mark.parametrize("group", ["1", "blog-2", "index", "a/b", "..", "ä", "a b"])
def test_a_group_whose_name_could_be_taken_for_another_part_is_misuse(group: str, tmp_path: Path) -> None:
    with urlset.Writer(BASE, tmp_path) as writer, pytest.raises(urlset.errors.UsageError, match="group"):
        writer.write(BASE, group=group)


def test_no_entries_make_an_empty_sitemap_or_none(tmp_path: Path) -> None:
    assert [file.entries for file in urlset.write([], BASE, tmp_path / "one").files] == [0]
    assert list(urlset.read(tmp_path / "one" / "sitemap.xml")) == []
    assert urlset.write([], BASE, tmp_path / "one", empty="none").removed == ("sitemap.xml",)
    assert contents(tmp_path / "one") == {}


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        ("none", ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]),
        ("parts", ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml"]),
        ("all", ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml.gz"]),
    ],
)
def test_compression(mode: Any, names: list[str], tmp_path: Path) -> None:
    urlset.write(pages(3), BASE, tmp_path, max_entries=2, gzip=mode)
    assert sorted(contents(tmp_path)) == names
    for name, data in contents(tmp_path).items():
        assert (data[:2] == b"\x1f\x8b") == name.endswith(".gz")
        # No time, no name, no system: the same bytes everywhere.
        assert not name.endswith(".gz") or data[3:10] == b"\0\0\0\0\0\0\xff"
    assert complaints(tmp_path) == []


def test_the_same_entries_make_the_same_bytes(tmp_path: Path) -> None:
    for folder, step in (("all", 5_000), ("some", 7)):
        with urlset.Writer(BASE, tmp_path / folder, gzip="all", max_entries=1_000) as writer:
            entries = list(pages(5_000))
            for start in range(0, 5_000, step):
                writer.extend(entries[start : start + step])
    assert contents(tmp_path / "all") == contents(tmp_path / "some")
    # As it has been on every machine so far.
    assert writer.summary.parts[0].digest == "49e7c3153db015b796e5f330901ce612"


def test_pretty_and_plain_with_a_style_sheet(tmp_path: Path) -> None:
    entry = {"loc": BASE, "lastmod": "2025-11-14", "images": [BASE + "1.png"]}
    urlset.write([entry], BASE, tmp_path, pretty=True, stylesheet="/style.xsl?a&b")
    assert (tmp_path / "sitemap.xml").read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<?xml-stylesheet type="text/xsl" href="/style.xsl?a&amp;b"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
        "  <url>\n"
        "    <loc>https://example.com/</loc>\n"
        "    <lastmod>2025-11-14</lastmod>\n"
        "    <image:image>\n"
        "      <image:loc>https://example.com/1.png</image:loc>\n"
        "    </image:image>\n"
        "  </url>\n"
        "</urlset>\n"
    )
    assert complaints(tmp_path) == []


def test_only_the_namespaces_in_use_are_declared(tmp_path: Path) -> None:
    own = {"a": "urn:a", "b": "urn:b"}
    entries: list[Any] = [{"loc": BASE + "1", "images": [BASE]}, {"loc": BASE + "2", "b:x": "1"}, BASE + "3"]
    urlset.write(entries, BASE, tmp_path, max_entries=1, namespaces=own)
    heads = [(tmp_path / f"sitemap-{number}.xml").read_text().partition("<url>")[0] for number in (1, 2, 3)]
    assert [head.count("xmlns:") for head in heads] == [1, 1, 0]
    assert 'xmlns:b="urn:b"' in heads[1]


def test_every_own_namespace_that_is_allowed_is_declared(tmp_path: Path) -> None:
    names = [f"n{number}" for number in range(28)]
    entry: Any = {"loc": BASE, **{f"{name}:x": name for name in names}}
    urlset.write([entry], BASE, tmp_path, namespaces={name: f"urn:{name}" for name in names})
    text = (tmp_path / "sitemap.xml").read_text()
    assert [
        name for name in names if f'xmlns:{name}="urn:{name}"' not in text or f">{name}</{name}:x>" not in text
    ] == []


def test_duplicates_among_many_are_found(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    entries = [f"{BASE}{number}" for number in range(120_000)]
    random.Random(1).shuffle(entries)
    summary = urlset.write([*entries, *entries[:500]], BASE, tmp_path)
    assert (summary.written, dict(summary.refused)) == (120_000, {"duplicate": 500})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_entries": 50_001}, "max_entries: must be an integer from 1 to 50,000, not 50001"),
        ({"max_bytes": 0}, "max_bytes"),
        ({"gzip": "yes"}, "gzip: must be one of none, parts, all, not 'yes'"),
        ({"gzip_level": 10}, "gzip_level"),
        ({"name": "../x"}, "name"),
        ({"namespaces": {"image": "urn:x"}}, "cannot be the prefix"),
        ({"namespaces": {"a b": "urn:x"}}, "cannot be the prefix"),
        ({"namespaces": {"a": ""}}, "the URL of 'a' must not be empty"),
        ({"namespaces": {f"n{number}": "urn:x" for number in range(29)}}, "namespaces: must be at most 28, not 29"),
        ({"hosts": "example.org"}, "hosts: must be a list of strings, not 'example.org'"),
        ({"hosts": ["a b"]}, "not a host"),
        ({"colour": "red"}, "unknown option 'colour'; known options: name, gzip,"),
    ],
)
def test_options_that_cannot_be_meant(options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match=message):
        urlset.write([BASE], BASE, tmp_path, **options)


@pytest.mark.parametrize("base", ["example.com", "ftp://example.com/", "https://example.com/?x", "https:///x", ""])
def test_base_urls_that_cannot_be_meant(base: str, tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match="base URL"):
        urlset.write([BASE], base, tmp_path)


def test_a_base_url_with_a_folder_or_a_host_beyond_ascii(tmp_path: Path) -> None:
    summary = urlset.write(["https://bücher.example/x"], "https://bücher.example/shop", tmp_path, index="always")
    assert [file.url for file in summary.files] == [
        "https://xn--bcher-kva.example/shop/sitemap.xml",
        "https://xn--bcher-kva.example/shop/sitemap-1.xml",
    ]
    assert complaints(tmp_path) == []
