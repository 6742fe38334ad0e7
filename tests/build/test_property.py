"""Whatever is written is read back equal, and no rule that runs by default has anything against it."""

from __future__ import annotations

import tempfile
from dataclasses import fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiers import examples

import urlset
import urlset.model

from .judging import BASE, complaints

# Any characters at all, those among them that XML forbids, and half surrogates.
anything = st.text(st.characters(codec=None), max_size=20)
printable = st.text(st.sampled_from("aZ09 \t\n\r&<>\"'äß日😀\u00a0\ufeff\u2028]]>%"), min_size=1, max_size=20)
ordinary = st.text(st.sampled_from("aZ09-_~!$&'()*+,;=:@äß日😀 <>\"{}|\\^`[]?"), max_size=30)
paths = st.one_of(ordinary, st.text(st.sampled_from("aZ0925/-._~!&'=%äß日😀 <>\"[]#?;"), max_size=30))
urls = st.one_of(st.builds(lambda path: BASE + path, paths), anything)
dates = st.one_of(
    st.none(),
    st.dates(date(1989, 1, 1), date(2025, 1, 1)),
    st.datetimes(datetime(1989, 1, 1), datetime(2025, 1, 1), timezones=st.sampled_from([None, UTC])),  # noqa: DTZ001
    st.sampled_from(["1980", "1970-01-01", "2024", "2024-02", "2024-02-29T10:00Z", "x", "2024-13-01"]),
)
texts = st.one_of(printable, anything)
images = st.lists(st.fixed_dictionaries({"loc": urls}, optional={"title": texts, "caption": texts}), max_size=3)
videos = st.lists(
    st.fixed_dictionaries(
        {"thumbnail_loc": urls, "title": texts, "description": texts, "content_loc": urls},
        optional={
            "duration": st.integers(-1, 30_000),
            "rating": st.floats(-1, 6),
            "tags": st.lists(texts, max_size=3),
            "family_friendly": st.booleans(),
            "uploader": texts,
            "uploader_info": urls,
        },
    ),
    max_size=2,
)
news = st.lists(
    st.fixed_dictionaries(
        {"publication_name": texts, "publication_language": st.sampled_from(["en", "de", "zh-cn", "xx", "EN"])}
        | {"publication_date": dates, "title": texts}
    ),
    max_size=1,
)
codes = st.sampled_from(["en", "de-CH", "zh-Hant-TW", "x-default", "xx", "en_US", "es-419"])
entries = st.one_of(
    urls,
    st.fixed_dictionaries(
        {"loc": urls},
        optional={
            "lastmod": dates,
            "changefreq": st.sampled_from(["daily", "never", "Daily", ""]),
            "priority": st.floats(allow_nan=True),
            "images": images,
            "videos": videos,
            "news": news,
            "hreflang": codes,
            "alternates": st.dictionaries(codes, urls, max_size=3),
            "own:note": texts,
        },
    ),
)
options = st.fixed_dictionaries(
    # All of few entries may be invalid.
    {"empty": st.just("write")},
    optional={
        "pretty": st.booleans(),
        "lastmod": st.sampled_from(["date", "datetime"]),
        "doubtful": st.sampled_from(["refuse", "keep"]),
        "bad_fields": st.sampled_from(["refuse", "drop"]),
        "forbidden": st.sampled_from(["refuse", "strip"]),
        "gzip": st.sampled_from(["none", "parts", "all"]),
        "max_entries": st.integers(1, 4),
        "stylesheet": st.just("https://example.com/s.xsl?a=1&b=2"),
    },
)


def write(entries: list[Any], folder: Path, options: dict[str, Any]) -> urlset.model.Summary:
    return urlset.write(entries, BASE, folder, namespaces={"own": "urn:x"}, hosts=["*"], **options)


def published(summary: urlset.model.Summary, folder: Path) -> list[urlset.Url]:
    found = [entry for file in summary.parts for entry in urlset.read(folder / file.name)]
    return [entry for entry in found if isinstance(entry, urlset.Url)]


@pytest.mark.long("slow cases")
@settings(max_examples=examples(60), deadline=None)
@given(st.lists(entries, max_size=8), options)
def test_what_is_written_is_read_back_and_writes_the_same_again(given: list[Any], options: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        first, second = Path(name, "first"), Path(name, "second")
        summary = write(given, first, options)
        entries = published(summary, first)
        assert len(entries) == summary.written == sum(file.entries for file in summary.parts)
        for file in summary.files:
            document = urlset.read(first / file.name)
            assert document.facts["well_formed"]
            assert len(document.anomalies) == 0
            assert (document.facts["bytes"], document.facts["sha256"]) != (0, "")
            assert document.facts["bytes"] == file.bytes
        # Typed entries are written as they were read, and nothing is refused that was written before.
        again = write(list(entries), second, {**options, "lastmod": "datetime", "bad_fields": "refuse"})
        assert dict(again.refused) == {}
        assert [_comparable(entry) for entry in published(again, second)] == [_comparable(entry) for entry in entries]


def _comparable(entry: urlset.Url) -> dict[str, Any]:
    """All that is written of an entry: not where it stood."""
    return {field.name: getattr(entry, field.name) for field in fields(entry) if field.name != "line"}


@settings(max_examples=8, deadline=None)
@given(st.lists(entries, min_size=10, max_size=60), options)
def test_no_rule_has_anything_against_it(given: list[Any], options: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        # All on one host: which hosts belong together is for the user to say.
        summary = urlset.write(given, BASE, name, namespaces={"own": "urn:x"}, **{**options, "doubtful": "refuse"})
        expected = [] if summary.written else [("STR012", "0")]
        # Texts are written as given, and random ones may look as if they had been decoded wrongly.
        assert [one for one in complaints(Path(name), "ENC013") if one[0] != "STR012"] == []
        assert bool(expected) == (summary.written == 0)


@given(st.lists(st.sampled_from([BASE + "a", BASE + "b", "https://example.com/&'"]), max_size=5), st.integers(60, 500))
@settings(max_examples=examples(40), deadline=None)
def test_no_file_is_larger_than_the_limit_or_smaller_than_it_must_be(given: list[str], limit: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        summary = urlset.write(given, BASE, name, max_bytes=max(limit, 200), index="auto", duplicates="keep")
        for file in summary.files:
            assert (Path(name) / file.name).stat().st_size == file.bytes <= max(limit, 200)
        for file, following in zip(summary.parts, summary.parts[1:], strict=False):
            first = next(iter(urlset.read(Path(name) / following.name)))
            longer = len(f"<url><loc>{first.loc}</loc></url>\n".replace("&", "&amp;").replace("'", "&apos;"))
            assert file.bytes + longer > max(limit, 200)
