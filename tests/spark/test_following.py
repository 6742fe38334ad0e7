"""URLs and indexes on Spark: fetched by the executors, and the same report as that of the embedded engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rules.test_cases import NOW
from tests.tiers import selected

import urlset
import urlset.spark
from urlset.errors import InputError
from urlset.model.report import Report

from .test_reading import assert_same, sitemap

SELECT = selected("FET003", "IDX006", "IDX014", "LOC002", "DUP003")


def index(*locs: str) -> bytes:
    return (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"{''.join(f'<sitemap><loc>{loc}</loc></sitemap>' for loc in locs)}</sitemapindex>"
    ).encode()


@pytest.fixture
def tree(site: Any) -> Any:
    """A site with an index of everything that following has to deal with."""
    url = site.url
    listed = ("a.xml", "sub.xml", "a.xml", "gone.xml", "moved.xml", "sitemap.xml")
    site.put("/sitemap.xml", index(*(f"{url}/{name}" for name in listed), "/b.xml", "http://10.0.0.1/private.xml"))
    site.put("/sub.xml", index(f"{url}/c.xml", f"{url}/sitemap.xml"))
    for name in "abc":
        site.put(f"/{name}.xml", sitemap(f"{url}/{name}", f"{url}/same", "ftp://example.com/"))
    site.put("/moved.xml", b"", 301, Location="/a.xml")
    return site


def both(spark: Any, site: Any, run: Path, **options: Any) -> Report:
    """Judge with both engines, and return what they agree on; the site then has what Spark requested."""
    target = f"{site.url}/sitemap.xml"
    expected = urlset.validate([target], now=NOW, select=SELECT, cache=False, **options)
    site.asked.clear()
    found = urlset.spark.validate(spark, target, str(run), now=NOW, select=SELECT, cache=False, **options)
    assert_same(found, expected)
    assert found.unreadable == expected.unreadable
    return found


def test_an_index_is_followed_and_each_document_requested_once(spark: Any, tree: Any, tmp_path: Path) -> None:
    report = both(spark, tree, tmp_path / "run", expand=True)
    asked = ["/sitemap.xml", "/a.xml", "/sub.xml", "/gone.xml", "/moved.xml", "/b.xml", "/c.xml"]
    assert sorted(tree.asked) == sorted(asked)
    names = [str(row["url"]).removeprefix(tree.url) for row in report.documents]
    assert names == [
        "/sitemap.xml",
        "/a.xml",
        "/sub.xml",
        "/gone.xml",
        "/b.xml",
        "http://10.0.0.1/private.xml",
        "/c.xml",
    ]
    assert {"FET003", "IDX006"} & {finding.rule.code for finding in report.findings} or report.findings
    rows = urlset.query("SELECT kind, count(*) FROM cuts GROUP BY kind ORDER BY kind", tmp_path / "run").rows
    assert rows == [("cycle", 1), ("repeated", 2), ("self", 1)]
    again = urlset.spark.validate(spark, str(tmp_path / "run"), now=NOW, select=selected("IDX002") or ["IDX"])
    assert again.findings


@pytest.mark.long("slow cases on Spark")
@pytest.mark.parametrize("limit", [{"max_depth": 1}, {"max_documents": 3}])
def test_limits_of_following(spark: Any, tree: Any, tmp_path: Path, limit: dict[str, int]) -> None:
    both(spark, tree, tmp_path / "run", expand=True, **limit)


@pytest.mark.long("slow cases on Spark")
def test_urls_and_files_together(spark: Any, tree: Any, tmp_path: Path) -> None:
    (tmp_path / "d.xml").write_bytes(sitemap("https://example.com/"))
    targets = [f"{tmp_path}/d.xml", f"{tree.url}/a.xml", f"{tree.url}/gone.xml"]
    report = urlset.spark.validate(spark, targets, now=NOW, select=["LOC002"], cache=False)
    assert [row["url"] for row in report.documents] == targets[:2]
    [one] = report.unreadable
    assert one.target == targets[2]
    assert "404" in one.reason


def test_files_next_to_an_index_are_read_as_its_children(spark: Any, tmp_path: Path) -> None:
    place = tmp_path / "sitemap.xml"
    place.write_bytes(index("https://example.com/a.xml"))
    (tmp_path / "a.xml").write_bytes(sitemap("https://example.com/"))
    found = urlset.spark.validate(spark, str(place), now=NOW, select=["LOC002"], expand=True)
    expected = urlset.validate([place], now=NOW, select=["LOC002"], expand=True)
    for report in (found, expected):
        assert [(row["url"], row["found_by"], row["parent_id"], row["depth"]) for row in report.documents] == [
            (str(place), "given", None, 0),
            (f"{tmp_path}/a.xml", "index", 0, 1),
        ]


def test_urls_of_a_frame_are_not_trusted(spark: Any, tree: Any, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(f"{tree.url}/a.xml",)], "url string")
    found = urlset.spark.read(spark, frame, str(tmp_path / "run"))
    assert found.documents == 0
    assert "private" in found.unreadable[0].reason
    found = urlset.spark.read(spark, frame, str(tmp_path / "run2"), allow_private=True, cache=False)
    assert found.documents == 1


def test_the_urls_of_a_host_are_in_one_task(spark: Any) -> None:
    from pyspark.sql.functions import spark_partition_id

    from urlset.cluster.document_list import frame_of
    from urlset.sources import sources_of

    urls = [f"https://{host}.example/{number}" for number in range(3) for host in "abc"]
    frame = frame_of(spark, enumerate(next(sources_of(url)) for url in urls))
    rows = frame.select("url", spark_partition_id()).collect()
    assert len(rows) == 9
    assert len({(url[:9], partition) for url, partition in rows}) == 3


def test_content_without_bytes_is_not_fetched(spark: Any, tree: Any, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(f"{tree.url}/a.xml", None)], "url string, content binary")
    tree.asked.clear()
    found = urlset.spark.read(spark, frame, str(tmp_path / "run"))
    assert (found.documents, tree.asked) == (0, [])


def test_nothing_can_be_read(spark: Any) -> None:
    with pytest.raises(InputError, match="no such file, or nothing matches"):
        urlset.spark.validate(spark, "example.com/sitemap.xml")
