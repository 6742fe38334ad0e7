"""Parts by a column of groups, and by the month of lastmod."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest

import urlset
from urlset.build.plan import check_group
from urlset.build.sources.partition import part_name
from urlset.cli.main import main
from urlset.errors import UsageError
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import FileFolder, Query, Sitemaps, Source, UrlList
from urlset.pipeline.build import build

from .judging import BASE, complaints

ROWS = [
    ("/1", "Shoes", "2025-11-14"),
    ("/2", "Hats & caps", "2025-10-01T23:30:00-08:00"),
    ("/3", "Shoes", "2025-11-01"),
    ("/4", "", ""),
    ("/5", "12", "2025-10-31"),
    ("/6", "Hats & caps", "2025"),
]
BY_GROUP = {"shoes": [1, 3], "hats-caps": [2, 6], "no-shelf": [4], "shelf_12": [5]}
BY_MONTH = {"2025-11": [1, 3], "2025-10": [2, 5], "no-lastmod": [4, 6]}


def source(kind: str, folder: Path, **fields: Any) -> Source:
    if kind == "csv":
        lines = ["loc,shelf,lastmod", *(f"{loc},{shelf},{day}" for loc, shelf, day in ROWS)]
        (folder / "x.csv").write_text("\n".join(lines))
        return UrlList(file=folder / "x.csv", **fields)
    if kind == "jsonl":
        lines = [json.dumps(dict(zip(("loc", "shelf", "lastmod"), row, strict=True))) for row in ROWS]
        (folder / "x.jsonl").write_text("\n".join(lines))
        return UrlList(file=folder / "x.jsonl", **fields)
    if kind == "sqlite":
        with sqlite3.connect(folder / "x.sqlite") as connection:
            connection.execute("CREATE TABLE pages (loc, shelf, lastmod)")
            connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", ROWS)
        return Query(sql="SELECT * FROM pages", database=str(folder / "x.sqlite"), **fields)
    with duckdb.connect(str(folder / "x.duckdb")) as database:
        database.execute("CREATE TABLE pages (loc TEXT, shelf TEXT, lastmod TEXT)")
        database.executemany("INSERT INTO pages VALUES (?, ?, ?)", ROWS)
    return Query(sql="SELECT * FROM pages", database=str(folder / "x.duckdb"), **fields)


def parts(tmp_path: Path, *sources: Source, **options: Any) -> tuple[dict[str, list[int]], tuple[str, ...]]:
    """The numbers of the pages in each part, and the notes."""
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=sources, **options)
    report, _ = build(BuildSpec(sites=(site,)), BuildOptions())
    found: dict[str, list[int]] = {}
    for file in report.sites[0].summary.parts:
        urls = [str(entry.loc) for entry in urlset.read(tmp_path / "out" / file.name)]
        found.setdefault(file.group, []).extend(int(url.rpartition("/")[2]) for url in urls)
    assert complaints(tmp_path / "out") == []
    return found, report.sites[0].notes


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("kind", ["csv", "jsonl", "sqlite", "duckdb"])
def test_parts_by_a_column_and_by_month(tmp_path: Path, kind: str) -> None:
    for part_by, wanted in (("Shelf", BY_GROUP), ("lastmod", BY_MONTH), ("lastmod:month", BY_MONTH)):
        (tmp_path / part_by).mkdir()
        found, notes = parts(tmp_path / part_by, source(kind, tmp_path / part_by, part_by=part_by))
        assert found == wanted
        assert [*found] == [*wanted], "in the order in which they first come"
        unused = [] if part_by == "Shelf" else ["shelf"]
        assert [note.rpartition(": ")[2] for note in notes] == unused


def test_a_part_that_is_full_has_numbers_and_a_name_before_it(tmp_path: Path) -> None:
    found = source("csv", tmp_path, part_by="lastmod", part="blog")
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=(found,), max_entries=1)
    (report,) = build(BuildSpec(sites=(site,)), BuildOptions())[0].sites
    assert [file.name for file in report.summary.parts] == [
        "sitemap-blog-2025-11.xml", "sitemap-blog-2025-11-2.xml", "sitemap-blog-2025-10.xml",
        "sitemap-blog-2025-10-2.xml", "sitemap-blog-no-lastmod.xml", "sitemap-blog-no-lastmod-2.xml",
    ]  # fmt: skip


def test_robots_the_default_and_the_order_hold(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "robots.txt").write_text("User-agent: *\nDisallow: /3\n")
    found, _ = parts(tmp_path, source("csv", tmp_path, part_by="shelf", defaults={"priority": 0.5}))
    assert found == {**BY_GROUP, "shoes": [1]}


def test_sitemaps_and_files_by_month(tmp_path: Path) -> None:
    old = tmp_path / "old"
    urlset.write([{"loc": loc, "lastmod": day} for loc, _, day in ROWS[:4]], BASE, old)
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "9.md").write_text("---\nlastmod: 2025-10-05\n---\n")
    files = FileFolder(folder=tmp_path / "content", part_by="lastmod")
    found = Sitemaps(targets=(str(old / "sitemap.xml"),), part_by="lastmod")
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=(found, files), lastmod_from=("given", "page"))  # type: ignore[arg-type]
    (report,) = build(BuildSpec(sites=(site,)), BuildOptions())[0].sites
    assert {file.group: file.entries for file in report.summary.parts} == {"2025-11": 2, "2025-10": 2, "no-lastmod": 1}


WRONG = {
    "no such column": ("csv", {"part_by": "colour"}, "no column 'colour' to split by; columns: loc, shelf"),
    "no such column of SQLite": ("sqlite", {"part_by": "colour"}, "no column 'colour' to split by"),
}


@pytest.mark.parametrize(("kind", "fields", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_meant(tmp_path: Path, kind: str, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parts(tmp_path, source(kind, tmp_path, **fields))


def test_lists_without_columns_and_too_many_values(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("/a\n")
    with pytest.raises(UsageError, match="a plain list of URLs has no column 'shelf'"):
        parts(tmp_path, UrlList(file=tmp_path / "x.txt", part_by="shelf"))
    (tmp_path / "x.csv").write_text("loc,sku\n" + "".join(f"/{n},{n}\n" for n in range(1_001)))
    with pytest.raises(UsageError, match="'sku' has more than 1,000 values"):
        parts(tmp_path, UrlList(file=tmp_path / "x.csv", part_by="sku"))
    with pytest.raises(UsageError, match="no column 'sku'; use lastmod:month instead"):
        parts(tmp_path, Sitemaps(targets=(str(tmp_path),), part_by="sku"))


@pytest.mark.parametrize("kind", ["csv", "jsonl", "sqlite", "duckdb"])
def test_the_month_of_any_column(tmp_path: Path, kind: str) -> None:
    named = source(kind, tmp_path, part_by="shelf:month")
    assert parts(tmp_path, named)[0] == {"no-shelf": [1, 2, 3, 4, 5, 6]}, "no shelf is a date"
    if isinstance(named, Query):
        by_date = Query(sql="SELECT loc, lastmod AS published FROM pages", database=named.database,
                        part_by="published:month")  # fmt: skip
        assert parts(tmp_path / "dates", by_date)[0] == {"2025-11": [1, 3], "2025-10": [2, 5], "no-published": [4, 6]}


def test_a_value_named_like_the_part_without_one_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("loc,shelf\n/1,No shelf\n/2,\n")
    found, notes = parts(tmp_path, UrlList(file=tmp_path / "x.csv", part_by="shelf"))
    assert found == {"no-shelf": [1, 2]}
    assert notes == ("'No shelf' and entries without shelf share the part 'no-shelf'",)


def test_values_that_share_a_part_are_said(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("loc,shelf\n/1,Big hats\n/2,big-hats\n/3,Big hats\n")
    found, notes = parts(tmp_path, UrlList(file=tmp_path / "x.csv", part_by="shelf"))
    assert found == {"big-hats": [1, 3, 2]} or found == {"big-hats": [1, 2, 3]}
    assert notes == ("'Big hats' and 'big-hats' share the part 'big-hats'",)


@pytest.mark.parametrize(
    "value", ["a", "12", "index", "Index", "x-12", "2025-11", "鞋", "ä/ö?ü", "-", "x" * 300, "1-2-3"]
)
def test_every_value_makes_a_name_that_can_be_one(value: str) -> None:
    check_group(part_name(value, "Größe"))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    source("csv", tmp_path)
    assert main(["build", "x.csv", "--base-url", BASE, "-o", "a", "--part-by", "shelf", "--part", "shop"]) == 0
    assert sorted(path.name for path in Path("a").glob("sitemap-*")) == [
        "sitemap-shop-hats-caps.xml", "sitemap-shop-no-shelf.xml", "sitemap-shop-shelf_12.xml",
        "sitemap-shop-shoes.xml",
    ]  # fmt: skip
    Path("urlset.toml").write_text(
        f'[build]\nbase-url = "{BASE}"\nout = "b"\n[[build.source]]\nlist = "x.csv"\npart-by = "lastmod:month"\n'
    )
    assert main(["build"]) == 0
    assert sorted(path.name for path in Path("b").glob("*.xml")) == [
        "sitemap-2025-10.xml", "sitemap-2025-11.xml", "sitemap-no-lastmod.xml", "sitemap.xml",
    ]  # fmt: skip
    assert main(["build", "--part-by", "shelf"]) == 2
