"""Writing sets on Spark: the same files however the data is partitioned, exact limits, every omission with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import urlset
import urlset.spark
from urlset.errors import EntryRefusedError, InputError, OutputError, ShrinkError, UsageError

BASE = "https://example.com/"


def entries(spark: Any, count: int, partitions: int) -> Any:
    """Entries in no order, of which every tenth is there twice, with another date."""
    rows = [(f"{BASE}p/{n:05}", f"2025-01-{n % 28 + 1:02}") for n in range(count)]
    rows += [(f"{BASE}p/{n:05}", "2024-12-31") for n in range(0, count, 10)]
    rows.sort(key=lambda row: row[0][::-1])
    return spark.createDataFrame(rows, "loc string, lastmod string").repartition(partitions)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.xml*"))}


def publish(out: Path | str) -> None:
    """Write a set of 30 entries there without Spark, which takes longer."""
    urlset.write([{"loc": f"{BASE}p/{n:05}", "lastmod": "2024-12-31"} for n in range(30)], BASE, out)


@pytest.mark.long("slow cases on Spark")
def test_the_same_files_whatever_the_partitions(spark: Any, tmp_path: Path) -> None:
    made = []
    options: dict[str, Any] = {"max_entries": 100}
    for partitions in (1, 3):
        out = tmp_path / str(partitions)
        summary = urlset.spark.write(entries(spark, 250, partitions), BASE, str(out), **options)
        made.append(files(out))
        assert [(file.name, file.entries) for file in summary.files] == [
            ("sitemap.xml", 3),
            ("sitemap-1.xml", 100),
            ("sitemap-2.xml", 100),
            ("sitemap-3.xml", 50),
        ]
        assert (summary.received, summary.written, summary.refused) == (275, 250, {"duplicate": 25})
    assert made[0] == made[1]
    assert not urlset.validate(tmp_path / "1", select=["LOC", "DUP", "STR", "XML"]).findings
    # The earlier date of a duplicate comes first.
    assert b"<loc>https://example.com/p/00000</loc><lastmod>2024-12-31</lastmod>" in made[0]["sitemap-1.xml"]

    # It is published like that of a build.
    again = urlset.spark.write(entries(spark, 250, 2), BASE, str(tmp_path / "1"), **options)
    assert not any(file.changed for file in again.files)
    # `urlset.write` finds the manifest, and removes the parts that it does not write.
    one = urlset.write([f"{BASE}p/{n:05}" for n in range(200)], BASE, tmp_path / "1")
    assert one.before == 250
    assert set(one.removed) == made[0].keys() - {"sitemap.xml"}
    assert not (tmp_path / "1" / ".urlset-build" / "sitemap.staging").exists()


@pytest.mark.long("slow cases on Spark")
def test_every_omission_has_a_reason(spark: Any, tmp_path: Path) -> None:
    rows = [
        ("mailto:a@example.com", None),
        (None, None),
        (None, None),
        ("https://example.org/", None),
        ("/a b", None),
        ("https://example.com/a%20b", None),
        ("https://example.com/c", "yesterday"),
    ]
    frame = spark.createDataFrame(rows, "loc string, lastmod string")
    refused = tmp_path / "refused"
    summary = urlset.spark.write(frame, BASE, str(tmp_path / "out"), refused=str(refused), bad_fields="drop")
    assert summary.refused == {"duplicate": 1, "loc-missing": 2, "other-host": 1, "url-invalid": 1}
    assert summary.fields_left_out == {"date-invalid": 1}
    assert (summary.received, summary.written) == (7, 2)
    table = spark.read.parquet(str(refused)).collect()
    assert {(row.reason, row.whole) for row in table} == {(one.reason, one.whole) for one in summary.examples}
    assert len(table) == 6


@pytest.mark.long("slow cases on Spark")
def test_entries_are_checked_before_duplicates(spark: Any, tmp_path: Path) -> None:
    """An invalid copy does not hide a valid one, and invalid entries leave no room in a part."""
    rows = [(f"{BASE}{n}", "yesterday" if n % 2 else "2025-01-01") for n in range(40)]
    rows += [(f"{BASE}{n}", lastmod) for n in range(0, 40, 4) for lastmod in ("2024-13-01", "2025-01-02")]
    frame = spark.createDataFrame(rows, "loc string, lastmod string")
    options: dict[str, Any] = {"max_entries": 7, "bad_fields": "refuse"}
    summary = urlset.spark.write(frame, BASE, str(tmp_path / "spark"), **options)
    expected = urlset.write([{"loc": loc, "lastmod": date} for loc, date in rows], BASE, tmp_path / "one", **options)
    assert (summary.written, summary.refused) == (expected.written, expected.refused)
    assert summary.refused == {"date-invalid": 30, "duplicate": 10}
    assert [file.entries for file in summary.parts] == [7, 7, 6]


@pytest.mark.long("slow cases on Spark")
def test_a_part_is_split_by_size(spark: Any, tmp_path: Path) -> None:
    summary = urlset.spark.write(entries(spark, 100, 2), BASE, str(tmp_path), max_entries=60, max_bytes=3_000)
    assert all(file.bytes <= 3_000 for file in summary.files)
    assert sum(file.entries for file in summary.parts) == 100
    assert len(summary.parts) > 2


@pytest.mark.long("slow cases on Spark")
def test_strict_publishes_nothing(spark: Any, tmp_path: Path) -> None:
    frame = spark.createDataFrame([("mailto:a",), (f"{BASE}a",)], "loc string")
    with pytest.raises(EntryRefusedError, match=r"url-invalid.*nothing was published because of the option strict"):
        urlset.spark.write(frame, BASE, str(tmp_path / "out"), strict=True)
    assert files(tmp_path / "out") == {}


@pytest.mark.long("slow cases on Spark")
def test_a_set_that_shrinks_is_refused(spark: Any, tmp_path: Path) -> None:
    publish(tmp_path)
    kept = files(tmp_path)
    with pytest.raises(ShrinkError):
        urlset.spark.write(entries(spark, 3, 1), BASE, str(tmp_path))
    with pytest.raises(ShrinkError):
        urlset.spark.write(entries(spark, 0, 1), BASE, str(tmp_path))
    assert files(tmp_path) == kept


@pytest.mark.long("slow cases on Spark")
def test_a_set_without_entries(spark: Any, tmp_path: Path) -> None:
    nothing = spark.createDataFrame([], "loc string")
    assert urlset.spark.write(nothing, BASE, str(tmp_path / "none"), empty="none").files == ()
    assert [file.entries for file in urlset.spark.write(nothing, BASE, str(tmp_path / "one")).files] == [0]


def test_a_task_that_fails_publishes_nothing(spark: Any, tmp_path: Path) -> None:
    publish(tmp_path)
    kept = files(tmp_path)
    frame = entries(spark, 40, 2).selectExpr("loc", "assert_true(loc NOT LIKE '%39') AS lastmod")
    with pytest.raises(OutputError, match="the entries cannot be written"):
        urlset.spark.write(frame, BASE, str(tmp_path))
    assert files(tmp_path) == kept


COLUMNS = {
    "no loc": ("id bigint", "the frame has no column loc, only id"),
    "another type": ("loc bigint", "the column loc must be a string, not bigint"),
    "groups": ("loc string, group string", "language versions in the column group are not supported"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_that_are_not_supported(spark: Any, tmp_path: Path, name: str) -> None:
    schema, reason = COLUMNS[name]
    with pytest.raises(UsageError, match=reason):
        urlset.spark.write(spark.createDataFrame([], schema), BASE, str(tmp_path))


@pytest.mark.long("slow cases on Spark")
def test_build_from_parquet_and_tables(spark: Any, tmp_path: Path) -> None:
    from urlset.options.building import Site
    from urlset.pipeline.cluster_build import build

    entries(spark, 30, 2).write.parquet(str(tmp_path / "data"))
    spark.createDataFrame([(f"{BASE}more",)], "loc string").createOrReplaceTempView("more")
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=("-",))
    report = build(spark, [str(tmp_path / "data"), "table:more"], site, ())
    assert report.sites[0].summary.written == 31
    assert report.sites[0].robots.lines == ("Sitemap: https://example.com/sitemap.xml",)
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        build(spark, [str(tmp_path / "nothing")], site, ())
    (tmp_path / "out" / "robots.txt").touch()
    with pytest.raises(UsageError, match=r"has a robots\.txt, which a build on Spark does not apply"):
        build(spark, ["table:more"], site, ())
    with pytest.raises(UsageError, match="part-by is not available on Spark"):
        build(spark, ["table:more"], site, ("part_by", "base_url"))
