"""Lists, queries and sitemaps as sources of a build: cases as data, each built by the command's pipeline."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import urlset
from urlset.errors import InputError, UrlsetError, UsageError
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import ListFormat, Query, Sitemaps, UrlList
from urlset.pipeline.build import build

from .judging import BASE, complaints

if TYPE_CHECKING:
    from urlset.model.build import SiteReport
    from urlset.options.sources import Source

ROBOTS = b"User-agent: *\nDisallow: /private/\nDisallow: /*?sort=\n"


def built(tmp_path: Path, *sources: Source, **site: Any) -> tuple[SiteReport, list[dict[str, Any]]]:
    """The report of a site of these sources, and its entries read back."""
    out = tmp_path / "out"
    spec = BuildSpec(sites=(Site(base_url=BASE, out=str(out), sources=sources, **site),))
    report, _ = build(spec, BuildOptions())

    entries = []
    for file in report.sites[0].summary.parts:
        for entry in urlset.read(out / file.name):
            assert isinstance(entry, urlset.Url)
            fields = ("loc", "lastmod", "changefreq", "priority")
            entries.append({name: value for name in fields if (value := getattr(entry, name)) is not None})
    return report.sites[0], entries


def given(tmp_path: Path, name: str, content: bytes, **fields: Any) -> UrlList:
    path = tmp_path / name
    path.write_bytes(content)
    return UrlList(file=path, **fields)


A, B = {"loc": f"{BASE}a"}, {"loc": f"{BASE}b", "lastmod": "2025-11-14"}

PARQUET = "SELECT 'https://example.com/a' AS loc, NULL AS lastmod UNION ALL SELECT '/b', '2025-11-14' ORDER BY loc DESC"

LISTS: dict[str, tuple[str, bytes, list[dict[str, str]]]] = {
    "text": (
        "urls.txt",
        b"\xef\xbb\xbfhttps://example.com/a\r\n\r\n# none\r\n/c\r\n./d",
        [A, {"loc": f"{BASE}c"}, {"loc": f"{BASE}d"}],
    ),
    "text that is gzip": ("urls.txt", gzip.compress(b"https://example.com/a\n"), [A]),
    "CSV": ("urls.csv", b"loc,lastmod\nhttps://example.com/a,\n/b,2025-11-14\n", [A, B]),
    "CSV with other names and separators": (
        "urls.csv",
        b"URL;Updated_At\nhttps://example.com/a;\n/b;2025-11-14\n",
        [A, B],
    ),
    "CSV without header": ("urls.csv", b"https://example.com/a,\nhttps://example.com/b,2025-11-14\n", [A, B]),
    "CSV of one column without header": (
        "urls.csv",
        b"https://example.com/a\nhttps://example.com/c\n",
        [A, {"loc": f"{BASE}c"}],
    ),
    "CSV that is gzip": ("urls.csv.gz", gzip.compress(b"loc,lastmod\n/a,\n/b,2025-11-14\n"), [A, B]),
    "CSV that is empty": ("urls.csv", b"", []),
    "CSV with nothing but a header": ("urls.csv", b"loc\n", []),
    "CSV with quotes and line ends in them": ("urls.csv", b'loc,title\n/a,"b, ""c""\nd"\n', [A]),
    "CSV with spaces around": (
        "urls.csv",
        b"loc,lastmod\nhttps://example.com/a ,\n https://example.com/b, 2025-11-14 \n  ,\n",
        [A, B],
    ),
    "tabs": ("urls.tsv", b"loc\tlastmod\n/a\t\n/b\t2025-11-14\n", [A, B]),
    "JSON lines": ("urls.jsonl", b'{"loc": "/a"}\n{"loc": "/b", "lastmod": "2025-11-14"}\n', [A, B]),
    "a JSON array": ("urls.json", b'[{"url": "/a"}, {"url": "/b", "lastmod": "2025-11-14"}]', [A, B]),
    "CSV by its beginning": ("urls", b"url,lastmod\n/a,\n/b,2025-11-14\n", [A, B]),
    "JSON lines by their beginning": ("urls.dat", b'{"loc": "/a"}\n{"loc": "/b", "lastmod": "2025-11-14"}\n', [A, B]),
    "text by its beginning": ("urls", b"https://example.com/a\n", [A]),
}


@pytest.mark.parametrize(("name", "content", "wanted"), LISTS.values(), ids=LISTS)
def test_lists(tmp_path: Path, name: str, content: bytes, wanted: list[dict[str, str]]) -> None:
    _, entries = built(tmp_path, given(tmp_path, name, content))
    assert entries == wanted


@pytest.mark.parametrize("name", ["urls.parquet", "urls"])
def test_parquet(tmp_path: Path, name: str) -> None:
    with duckdb.connect() as connection:
        connection.sql(PARQUET).write_parquet(str(tmp_path / name))
    _, entries = built(tmp_path, UrlList(file=tmp_path / name))
    assert entries == [A, B]


@pytest.mark.parametrize(("name", "content", "wanted"), LISTS.values(), ids=LISTS)
def test_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, wanted: list[dict[str, str]]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    form = {"csv": ListFormat.CSV, "tsv": ListFormat.CSV}.get(
        name.removesuffix(".gz").rpartition(".")[2], ListFormat.AUTO
    )
    _, entries = built(tmp_path, UrlList(file=Path("-"), format=form))
    assert entries == wanted


def test_columns_of_other_names(tmp_path: Path) -> None:
    source = given(
        tmp_path, "x.csv", b"page,changed,note\n/a,,x\n/b,2025-11-14,y\n", columns={"loc": "Page", "lastmod": "changed"}
    )
    report, entries = built(tmp_path, source)
    assert entries == [A, B]
    assert report.notes == ()


def test_columns_that_are_no_fields_are_named(tmp_path: Path) -> None:
    report, _ = built(tmp_path, given(tmp_path, "x.csv", b"loc,title,stock\n/a,x,3\n"))
    assert len(report.notes) == 1
    assert report.notes[0].endswith("not fields of an entry: title, stock")


def test_prefix_part_and_defaults(tmp_path: Path) -> None:
    source = given(
        tmp_path, "x.csv", b"loc,priority\n/a,0.9\n./b,\nhttps://example.com/c,\n",
        path_prefix="/shop/", part="shop", defaults={"priority": 0.5, "changefreq": "weekly"},
    )  # fmt: skip
    text = given(tmp_path, "x.txt", b"./d\n/e\n", path_prefix="/de/", defaults={"lastmod": "2025-11-14"})
    report, entries = built(tmp_path, source, text)
    assert [file.name for file in report.summary.files] == ["sitemap.xml", "sitemap-shop.xml", "sitemap-1.xml"]
    assert entries == [
        {"loc": f"{BASE}shop/a", "priority": "0.9", "changefreq": "weekly"},
        {"loc": f"{BASE}shop/b", "priority": "0.5", "changefreq": "weekly"},
        {"loc": f"{BASE}c", "priority": "0.5", "changefreq": "weekly"},
        {"loc": f"{BASE}de/d", "lastmod": "2025-11-14"},
        {"loc": f"{BASE}de/e", "lastmod": "2025-11-14"},
    ]


def test_images_and_alternates_of_columns(tmp_path: Path) -> None:
    links = [{"hreflang": "en", "href": f"{BASE}a"}, {"hreflang": "de", "href": f"{BASE}b"}]
    rows = [
        {"loc": "/a", "images": [{"loc": f"{BASE}1.png"}], "alternates": links},
        {"loc": "/b", "images": None, "alternates": links},
    ]
    lines = given(tmp_path, "x.jsonl", "\n".join(map(json.dumps, rows)).encode())
    text = given(tmp_path, "x.csv", f"loc,images\n/c,{BASE}2.png|{BASE}3.png\n/d,\n".encode())
    report, _ = built(tmp_path, lines, text)
    assert (report.summary.files[0].alternates, report.summary.files[0].images) == (4, 3)


FORBIDDEN = [f"{BASE}private/x", f"{BASE}%70rivate/y", f"{BASE}list?sort=up"]


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.sqlite"])
def test_what_robots_forbids_is_left_out_and_counted(tmp_path: Path, name: str) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(ROBOTS)
    urls = [f"{BASE}a", *FORBIDDEN, f"{BASE}list?page=2", "https://other.example/private/x"]
    source: Source
    if name == "x.sqlite":
        with sqlite3.connect(tmp_path / name) as connection:
            connection.execute("CREATE TABLE pages (url)")
            connection.executemany("INSERT INTO pages VALUES (?)", [(url,) for url in urls])
        source = Query(sql="SELECT url FROM pages", database=str(tmp_path / name))
    else:
        source = given(tmp_path, name, "\n".join(["url"] * (name == "x.csv") + urls).encode())
    report, entries = built(tmp_path, source, robots=robots, hosts=["other.example"])
    assert [entry["loc"] for entry in entries] == [f"{BASE}a", f"{BASE}list?page=2", "https://other.example/private/x"]
    assert report.left_out == {"robots": 3}
    assert {(one.what, one.detail.rpartition(", ")[2]) for one in report.examples} == {
        (FORBIDDEN[0], "line 2"), (FORBIDDEN[1], "line 2"), (FORBIDDEN[2], "line 3"),
    }  # fmt: skip
    _, everything = built(tmp_path, source, robots=robots, obey_robots=False, hosts=["other.example"])
    assert len(everything) == len(urls)


def test_duckdb_and_its_files(tmp_path: Path) -> None:
    (tmp_path / "pages.csv").write_text("slug,day\na,\nb,2025-11-14\n")
    sql = "SELECT '/' || slug AS loc, CAST(day AS DATE) AS lastmod FROM 'pages.csv'"
    _, entries = built(tmp_path, Query(sql=sql, folder=tmp_path))
    assert entries == [A, B]
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE pages AS SELECT '/b' AS url, TIMESTAMP '2025-11-14 10:00:00' AS lastmod")
    _, entries = built(tmp_path, Query(sql="FROM pages", database="shop.duckdb", folder=tmp_path))
    assert entries == [B]


WRONG_QUERIES: dict[str, tuple[Query, type[UrlsetError], str]] = {
    "no such file": (Query(sql="SELECT 1", database="none.db"), InputError, "no such file"),
    "no database": (Query(sql="SELECT 1", database="x.txt"), InputError, "neither an SQLite nor a DuckDB database"),
    "wrong SQL": (Query(sql="SELEC 1"), InputError, "the query: cannot be read: .*syntax error"),
    "wrong SQL of SQLite": (Query(sql="SELEC 1", database="x.sqlite"), InputError, "cannot be run: .*syntax error"),
    "not a SELECT": (Query(sql="CREATE TABLE x (y INT)"), UsageError, "a query can only read: .*, not CREATE"),
    "not a SELECT of SQLite": (Query(sql="ATTACH ':memory:' AS x", database="x.sqlite"), UsageError, "can only read"),
    "no URLs": (
        Query(sql="SELECT 1 AS x"),
        UsageError,
        "no column loc or url; columns: x; .*SELECT … AS loc",
    ),
    "another database": (
        Query(sql="SELECT 1", database="mysql://u:secret@h/d"),
        UsageError,
        "mysql://… is not supported",
    ),
}


@pytest.mark.parametrize(("source", "error", "message"), WRONG_QUERIES.values(), ids=WRONG_QUERIES)
def test_wrong_queries(tmp_path: Path, source: Query, error: type[UrlsetError], message: str) -> None:
    (tmp_path / "x.txt").write_text("text and no database")
    with sqlite3.connect(tmp_path / "x.sqlite") as connection:
        connection.execute("CREATE TABLE pages (url)")
    with pytest.raises(error, match=message) as caught:
        built(tmp_path, replace(source, folder=tmp_path))
    assert "secret" not in str(caught.value)
    assert not (tmp_path / "out" / "sitemap.xml").exists()


_PACKED = gzip.compress(b"loc\n" + b"".join(b"/%d\n" % number for number in range(100)))

GZIP = {"truncated": _PACKED[: len(_PACKED) // 2], "damaged": _PACKED[:12] + b"\xff" * 60 + _PACKED[72:]}

WRONG_LISTS: dict[str, tuple[str, bytes | None, dict[str, Any], type[UrlsetError], str]] = {
    "not there": ("x.csv", None, {}, InputError, r"x\.csv: no such file"),
    "rows that differ": (
        "x.csv",
        b"loc,lastmod\n/a,x,y,z\n",
        {},
        InputError,
        r"x\.csv: cannot be read: line 2 .*\(4\)",
    ),
    "not UTF-8": ("x.csv", b"loc\n/caf\xe9\n", {}, InputError, r"x\.csv: cannot be read: line 2 .*not valid UTF-8"),
    "no column of URLs": ("x.csv", b"a,b\n1,2\n", {}, UsageError, "no column loc or url; columns: a, b"),
    "no such column": (
        "x.csv",
        b"a,b\n1,2\n",
        {"columns": {"loc": "c"}},
        UsageError,
        "no column 'c'; columns: a, b",
    ),
    "not Parquet": ("x.parquet", b"PAR2", {}, InputError, r"x\.parquet: cannot be read"),
    "not gzip": ("x.txt", b"\x1f\x8bno", {}, InputError, r"x\.txt: cannot be read"),
    **{
        f"{damage} gzip, {name}": (name, content, {}, InputError, f"{name}: cannot be read")
        for damage, content in GZIP.items()
        for name in ("x", "x.txt", "x.csv", "x.jsonl.gz")
    },
    "records as text": ("x.csv", b"loc,videos\n/a,x\n", {}, UsageError, "use JSON Lines or Parquet"),
}


@pytest.mark.parametrize(("name", "content", "fields", "error", "message"), WRONG_LISTS.values(), ids=WRONG_LISTS)
def test_wrong_lists(
    tmp_path: Path, name: str, content: bytes | None, fields: dict[str, Any], error: type[UrlsetError], message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=message):
        built(tmp_path, UrlList(file=tmp_path / name, **fields))


RICH: dict[str, Any] = {
    "loc": f"{BASE}a", "lastmod": "2025-11-14", "images": [f"{BASE}1.png"],
    "videos": [{"thumbnail_loc": f"{BASE}t.png", "title": "T", "description": "D", "content_loc": f"{BASE}v.mp4",
                "tags": ["x", "y"], "prices": ["1.99"], "price_currencies": ["EUR"]}],
    "alternates": [{"hreflang": "en", "href": f"{BASE}a"}, {"hreflang": "de", "href": f"{BASE}b"}],
}  # fmt: skip


def test_sitemaps_are_taken_over_with_all_that_they_hold(tmp_path: Path) -> None:
    old, out = tmp_path / "old", tmp_path / "out"
    pages: list[Any] = [RICH, {"loc": f"{BASE}b", "alternates": RICH["alternates"]}, *(f"{BASE}{n}" for n in range(5))]
    urlset.write(pages, BASE, old, max_entries=3)
    report, _ = built(tmp_path, Sitemaps(targets=(str(old / "sitemap.xml"),)))
    file = report.summary.files[0]
    assert (file.entries, file.images, file.videos, file.alternates) == (7, 1, 1, 4)
    again = tmp_path / "again"
    urlset.write(pages, BASE, again)
    assert complaints(out) == []
    assert (out / "sitemap.xml").read_bytes() == (again / "sitemap.xml").read_bytes()
    # The whole folder, and one of its files again: each is read once.
    report, entries = built(tmp_path, Sitemaps(targets=(str(old), str(old / "sitemap-1.xml"))))
    assert len(entries) == 7
    assert report.summary.refused == {}


@pytest.mark.long("slow cases")
def test_a_bad_row_that_is_met_late_is_named(tmp_path: Path) -> None:
    source = given(tmp_path, "x.csv", b"loc,lastmod\n" + b"/a,2025-11-14\n" * 30_000 + b"/b,x,y,z\n")
    with pytest.raises(InputError, match=r"x\.csv: cannot be read: line 30002 .* \(4\) than there are columns \(2\)"):
        built(tmp_path, source)
    assert not (tmp_path / "out" / "sitemap.xml").exists()


@pytest.mark.parametrize("end", [b"\r", b"\r\n", b"\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_every_line_end_ends_a_line(tmp_path: Path, end: bytes, pack: Any) -> None:
    """Spreadsheets on old Macs, and exports of some tools, end lines with a carriage return."""
    content = end.join([b"loc,lastmod", b"/a,", b"/b,2025-11-14", b""])
    _, entries = built(tmp_path, given(tmp_path, "x.csv", pack(content)))
    assert entries == [A, B]


def test_what_is_no_sitemap_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "page.xml").write_text("<html><title>404</title></html>")
    with pytest.raises(InputError, match=r"page\.xml: is not a sitemap but html"):
        built(tmp_path, Sitemaps(targets=(str(tmp_path / "page.xml"),)))
