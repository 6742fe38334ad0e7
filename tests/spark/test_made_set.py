"""A large made set with the faults of all rule cases, the examples, and real sites: both engines find the same.

`make test` judges a small set by some rules of a few families, `make test-all` a larger one, and real sites, by all.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import tiers
from tests.corpus import real_sites
from tests.rules.runs import repeated
from tests.rules.test_cases import ALL_CASES, NAMESPACES, NOW
from tests.tiers import sampled, selected

import urlset
import urlset.spark
from urlset.model.report import Report
from urlset.rules import registry

from .test_reading import EXAMPLES, assert_same

FILES_PER_URL = 400 / 2_000_000
LONGEST = 20_000
"""Bytes of entries of a case up to which they are planted."""

# With these, the rest of the document would mean something else.
BREAKING = ("<!", "</urlset", "<?", "<urlset", "{{", "{%")

FAMILIES = ("LOC", "MOD", "DUP", "HRL")
"""The rules of `make test`, which runs all others on the cases of rules."""


def planted() -> Iterator[str]:
    """The entries of all cases, which are complete."""
    for case in ALL_CASES:
        entries = repeated(case.data.get("entries", ""))
        if entries and len(entries) <= LONGEST and not any(piece in entries for piece in BREAKING):
            yield entries


def entry(number: int, total: int) -> str:
    """An entry; some are listed twice, in the same file or another one, with another date."""
    page = number - total // 3 if number % 1_009 == 0 else number
    links = ""
    if number % 50 == 0:
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="https://example.com/{code}/{page}"/>'
            for code in ("en", "de", "xx"[: 1 + number % 2])
        )
    return (
        f"<url><loc>https://example.com/section-{page % 37}/page-{page}</loc>"
        f"<lastmod>20{10 + page % 16:02}-0{1 + number % 9}-11</lastmod>{links}</url>"
    )


def make(folder: Path, urls: int) -> None:
    """Write the set."""
    count = max(8, round(urls * FILES_PER_URL))
    faults = list(planted())
    for number in range(count):
        share = range(number * urls // count, (number + 1) * urls // count)
        body = "\n".join([*(entry(one, urls) for one in share), *faults[number::count]])
        content = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>\n{body}\n</urlset>\n'.encode()
        (folder / f"sitemap-{number:04}.xml.gz").write_bytes(gzip.compress(content, 1, mtime=0))


def copy_examples(folder: Path) -> None:
    """Copy the examples that are sitemaps, or are named like one."""
    found = (path for path in sorted(EXAMPLES.rglob("*")) if path.suffix in (".xml", ".gz", ".txt") and path.is_file())
    for number, path in enumerate(found):
        (folder / f"{number:02}-{path.name}").write_bytes(path.read_bytes())


def copy_real_sites(folder: Path) -> None:
    """Copy the files of real sites, if they are there; their folders do not matter here."""
    if real_sites.IS_ABSENT:
        return
    for number, content in enumerate(real_sites.files().values()):
        (folder / f"{number:04}.xml").write_bytes(content)


@pytest.fixture(scope="module")
def reports(
    spark: Any, tmp_path_factory: pytest.TempPathFactory, amount: Callable[[str], int]
) -> tuple[Path, Report, Report]:
    """What both engines find in all files as one run: the folder, Spark's report, and DuckDB's."""
    folder = tmp_path_factory.mktemp("whole")
    for name in ("examples", "made", "real"):
        (folder / name).mkdir()
    make(folder / "made", amount("URLs compared on DuckDB and Spark"))
    copy_examples(folder / "examples")
    rules = [rule.code for rule in registry.all_rules()]
    select = selected(*sampled([code for code in rules if code.startswith(FAMILIES)], 12)) or rules
    if tiers.IS_LONG:
        copy_real_sites(folder / "real")
    options: dict[str, Any] = {"now": NOW, "select": select, "max_examples": 5}
    expected = urlset.validate(sorted(map(str, folder.glob("*/*"))), **options)
    patterns = [f"{part}/*" for part in sorted(folder.iterdir()) if any(part.iterdir())]
    return folder, urlset.spark.validate(spark, patterns, **options), expected


def codes(folder: Path, report: Report) -> set[str]:
    """The rules that documents of a folder violate."""
    there = {row["document_id"] for row in report.documents if Path(str(row["url"])).parent == folder}
    assert len(there) == len(list(folder.iterdir()))
    return {finding.rule.code for finding in report.findings if finding.document_id in there}


def test_both_engines_find_the_same(reports: tuple[Path, Report, Report]) -> None:
    _, found, expected = reports
    assert_same(found, expected)
    assert len({finding.rule.code for finding in found.findings}) > 8


@pytest.mark.long("URLs compared on DuckDB and Spark")
@pytest.mark.parametrize(("name", "least"), [("examples", 30), ("made", 80)])
def test_there_is_something_to_find(reports: tuple[Path, Report, Report], name: str, least: int) -> None:
    folder, found, _ = reports
    assert len(codes(folder / name, found)) > least


@pytest.mark.long("URLs compared on DuckDB and Spark")
@pytest.mark.skipif(real_sites.IS_ABSENT, reason=real_sites.ABSENT)
def test_real_sites_are_among_them(reports: tuple[Path, Report, Report]) -> None:
    folder, found, _ = reports
    assert len(codes(folder / "real", found)) > 50
