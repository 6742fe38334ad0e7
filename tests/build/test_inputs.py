"""The same entries, however they are given: Python objects, and Arrow from every library that has it."""

from __future__ import annotations

import collections
import datetime as dt
import sqlite3
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import urlset

from .judging import BASE

ROWS: list[dict[str, Any]] = [
    {"loc": BASE + "1", "lastmod": dt.date(2025, 11, 14), "priority": 0.5, "changefreq": "daily"},
    {"loc": BASE + "2?a&b", "lastmod": None, "priority": None, "changefreq": None},
    {"loc": None, "lastmod": None, "priority": None, "changefreq": None},
    {"loc": BASE + "ä", "lastmod": dt.date(1999, 12, 31), "priority": 1.0, "changefreq": "never"},
]


def read_back(entries: Any, folder: Path, **options: Any) -> list[Any]:
    summary = urlset.write(entries, BASE, folder, **options)
    return [entry for file in summary.parts for entry in urlset.read(folder / file.name)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    entries = read_back(ROWS, tmp_path_factory.mktemp("expected"))
    assert len(entries) == 3
    return entries


def _database() -> Any:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.execute("CREATE TABLE pages (loc, lastmod, priority, changefreq)")
    rows = [tuple(str(value) if isinstance(value, dt.date) else value for value in row.values()) for row in ROWS]
    connection.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)
    return connection.execute("SELECT * FROM pages")


def _arrow(**types_of: Any) -> pa.Table:
    table = pa.Table.from_pylist(ROWS)
    fields = [field.with_type(types_of.get(field.name, field.type)) for field in table.schema]
    return table.cast(pa.schema(fields))


INPUTS: dict[str, Callable[[], Any]] = {
    "generator": lambda: (row for row in ROWS),
    "typed entries": lambda: [
        urlset.Url(row["loc"], row["lastmod"] and str(row["lastmod"]), None, row["changefreq"], row["priority"])
        for row in ROWS
    ],
    "other mappings": lambda: [collections.UserDict(row) for row in ROWS],
    "read-only mappings": lambda: [types.MappingProxyType(row) for row in ROWS],
    "objects": lambda: [types.SimpleNamespace(**row) for row in ROWS],
    "rows of sqlite": _database,
    "pyarrow": _arrow,
    "pyarrow, large text": lambda: _arrow(loc=pa.large_string(), lastmod=pa.date64()),
    "pyarrow, text view": lambda: _arrow(loc=pa.string_view()),
    "pyarrow, dictionary": lambda: _arrow(changefreq=pa.dictionary(pa.int8(), pa.string())),
    "pyarrow, timestamp": lambda: _arrow(lastmod=pa.timestamp("s")),
    "pyarrow, timestamp with zone": lambda: _arrow(lastmod=pa.timestamp("ns", "UTC")),
    "pyarrow, milliseconds": lambda: _arrow(lastmod=pa.timestamp("ms", "UTC")),
    "pyarrow, dates as text": lambda: pa.Table.from_pylist(
        [{**row, "lastmod": row["lastmod"] and str(row["lastmod"])} for row in ROWS]
    ),
    "pyarrow, single precision": lambda: _arrow(priority=pa.float32()),
    "pyarrow, decimal": lambda: _arrow(priority=pa.decimal128(3, 1)),
    "pyarrow, sliced": lambda: pa.concat_tables([_arrow(), _arrow()]).slice(4),
    "pyarrow, stream of batches": lambda: pa.RecordBatchReader.from_batches(
        _arrow().schema, _arrow().to_batches(max_chunksize=1)
    ),
    "polars": lambda: _polars().DataFrame(ROWS),
    "polars, categorical": lambda: _polars().DataFrame(ROWS, schema_overrides={"changefreq": _polars().Categorical}),
    "duckdb": lambda: duckdb.sql(
        "SELECT * FROM (VALUES ('https://example.com/1', DATE '2025-11-14', 0.5, 'daily'), "
        "('https://example.com/2?a&b', NULL, NULL, NULL), (NULL, NULL, NULL, NULL), "
        "('https://example.com/ä', DATE '1999-12-31', 1.0, 'never')) AS t(loc, lastmod, priority, changefreq)"
    ),
}


def _polars() -> Any:
    """Polars, which takes long to import for the collection of tests."""
    import polars

    return polars


@pytest.mark.parametrize("name", INPUTS)
def test_however_they_are_given(name: str, expected: list[Any], tmp_path: Path) -> None:
    assert read_back(INPUTS[name](), tmp_path) == expected


def test_the_readers_own_table_is_written_again(tmp_path: Path) -> None:
    urlset.write(ROWS, BASE, tmp_path / "first")
    document = urlset.read(tmp_path / "first" / "sitemap.xml")
    assert read_back(document.tables["urls"], tmp_path / "second") == list(document)


NESTED: list[dict[str, Any]] = [
    {
        "loc": BASE + "en",
        "hreflang": "en",
        "alternates": [{"hreflang": "de", "href": BASE + "de"}],
        "images": [{"loc": BASE + "1.png", "title": None}, {"loc": BASE + "2.png", "title": "Two"}],
        "videos": [
            {"thumbnail_loc": BASE + "t.png", "title": "T", "description": "D", "content_loc": BASE + "v.mp4"}
            | {"duration": 12, "tags": ["a", "b"], "live": True}
            | {"publication_date": dt.datetime(2025, 1, 2, 3, tzinfo=dt.UTC)}
        ],
        "news": [
            {"publication_name": "N", "publication_language": "en", "publication_date": "2025-01-01", "title": "T"}
        ],
        "own:note": "<",
    },
    dict.fromkeys(("hreflang", "alternates", "images", "videos", "news", "own:note")) | {"loc": BASE + "x"},
]  # fmt: skip


@pytest.mark.parametrize("library", ["pyarrow", "polars", "large lists"])
def test_lists_of_structs(library: str, tmp_path: Path) -> None:
    tables: dict[str, Callable[[], Any]] = {
        "pyarrow": lambda: pa.Table.from_pylist(NESTED),
        "polars": lambda: _polars().DataFrame(NESTED, infer_schema_length=None),
        "large lists": lambda: _polars().DataFrame(NESTED, infer_schema_length=None).to_arrow(),
    }
    own = {"own": "urn:own"}
    from_objects = read_back(NESTED, tmp_path / "objects", namespaces=own)
    from_columns = read_back(tables[library](), tmp_path / "columns", namespaces=own)
    assert from_columns == from_objects
    assert len(from_objects) == 2
    assert [len(from_objects[0].images), from_objects[0].videos[0].tags] == [2, ("a", "b")]
    same = [(tmp_path / name / "sitemap.xml").read_bytes() for name in ("objects", "columns")]
    assert same[0] == same[1]


def test_maps_of_links_and_lists_of_images_as_text(tmp_path: Path) -> None:
    table = duckdb.sql(
        "SELECT 'https://example.com/en' AS loc, MAP {'en': 'https://example.com/en', 'de': 'https://example.com/de'} "
        "AS alternates, ['https://example.com/1.png'] AS images"
    )
    (entry,) = read_back(table, tmp_path)
    assert [link.hreflang for link in entry.alternates] == ["de", "en"]
    assert [image.loc for image in entry.images] == [BASE + "1.png"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"loc": ["x"], "title": ["x"]}, "is not a field of an entry"),
        ({"loc": ["x"], "url": ["x"]}, "loc and url are the same field"),
        ({"lastmod": ["2025-01-01"]}, "no column loc"),
        ({"loc": ["x"], "images": ["x"]}, "it must be a list of structs"),
        ({"loc": ["x"], "images": [[{"src": "x"}]]}, 'no field "src"'),
        ({"loc": ["x"], "alternates": [[{"lang": "x"}]]}, "hreflang and href"),
        ({"loc": ["x"], "lastmod": [{"a": 1}]}, "has type Struct"),
    ],
)
def test_a_column_that_cannot_be_meant_is_misuse(table: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match=message):
        urlset.write(pa.table(table), BASE, tmp_path)


@pytest.mark.parametrize("entries", ["https://example.com/", {"loc": BASE}, 7, b"x"])
def test_one_entry_is_not_several(entries: Any, tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match="entries must be an iterable"):
        urlset.write(entries, BASE, tmp_path)


def test_an_error_of_the_iterable_comes_through_and_publishes_nothing(tmp_path: Path) -> None:
    def broken() -> Any:
        yield BASE
        raise LookupError("the database went away")

    with pytest.raises(LookupError, match="went away"):
        urlset.write(broken(), BASE, tmp_path)
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []


def test_a_writer_that_is_fed_from_itself_says_so(tmp_path: Path) -> None:
    with urlset.Writer(BASE, tmp_path) as writer:

        def nested() -> Any:
            yield BASE + "1"
            writer.write(BASE + "2")
            yield BASE + "3"

        assert writer.extend(nested()) == 2
    assert [entry.loc for entry in urlset.read(tmp_path / "sitemap.xml")] == [BASE + "1", BASE + "2", BASE + "3"]
