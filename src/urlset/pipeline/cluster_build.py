"""`build` and `write` on Spark: tables ─> entries ─> write ─> plan ─> publish."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.options import BaseUrl
from urlset.cluster.frames import read_frame
from urlset.cluster.spark_session import check_classic, check_executors
from urlset.cluster.write_set import write as write_set
from urlset.errors import UsageError
from urlset.model.build import BuildReport, RobotsUpdate, SiteReport
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from urlset.model.build import Summary
    from urlset.options.building import Site
    from urlset.options.writing import WriteOptions

EMBEDDED_ONLY = (
    "query", "database", "path_prefix", "include", "exclude", "urls", "images", "part", "part_by", "robots", "state",
    "lastmod_from", "feed", "refused_to", "check_only", "dry_run", "diff", "explain_lastmod", "left_out",
)  # fmt: skip
"""Options of `build` that only the embedded engine has."""


def write(
    spark: SparkSession, entries: DataFrame, base_url: str, out: str, options: WriteOptions, refused: str | None = None
) -> Summary:
    """Write a set of sitemaps from a frame; see `cluster.writing.write`."""
    check_classic(spark)
    check_executors(spark)
    return write_set(entries, base_url, out, options, refused)


def build(
    spark: SparkSession, sources: Sequence[str], site: Site, names: Iterable[str], now: datetime | None = None
) -> BuildReport:
    """Build one set of sitemaps from Parquet files and tables of Spark's catalog.

    Args:
        sources: Paths and globs of Parquet files, and tables with the prefix `table:`.
        names: The options that were set explicitly, by name.
        now: Current time, to detect dates in the future; by default the real one.

    Raises:
        UsageError: An option is not available on Spark.
        InputError: A source cannot be read.
        OutputError: A file cannot be written; the published sitemaps are unchanged.
        EmptySetError: Every entry was left out; see `empty`.
        ShrinkError: The published set would lose more than half of its URLs.
    """
    began = time.perf_counter()
    check_options(site, names)
    entries = read_frame(spark, sources[0])
    for source in sources[1:]:
        entries = entries.unionByName(read_frame(spark, source), allowMissingColumns=True)
    writing = replace(site, now=now or datetime.now(UTC))
    summary = write(spark, entries, site.base_url, site.out, writing)
    base = BaseUrl.of(site.base_url)
    lines = tuple(f"Sitemap: {file.url}" for file in summary.indexes or summary.parts)
    report = SiteReport(
        base_url=base.text,
        out=mask_url(site.out),
        summary=summary,
        left_out={},
        examples=(),
        notes=summary.notes,
        robots=RobotsUpdate(None, base.host, lines),
    )
    return BuildReport((report,), None, published=True, elapsed=time.perf_counter() - began)


def check_options(site: Site, names: Iterable[str]) -> None:
    """Check that a build on Spark has the options that are set.

    Raises:
        UsageError: It lacks one.
    """
    for name in sorted(set(names) & set(EMBEDDED_ONLY)):
        raise UsageError(f"{name.removesuffix('_only').replace('_', '-')} is not available on Spark; use duckdb")
    if site.obey_robots and (Path(site.out) / "robots.txt").is_file():
        raise UsageError(
            f"{site.out}: has a robots.txt, which a build on Spark does not apply; filter the entries, and pass "
            "--no-obey-robots"
        )
