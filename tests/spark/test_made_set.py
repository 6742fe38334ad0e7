"""A large made set with the faults of all rule cases: both engines find the same.

The suite makes a small one; `make test-spark` makes 2,000,000 URLs in 400 files.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.rules.runs import repeated
from tests.rules.test_cases import ALL_CASES, NAMESPACES, NOW

import urlset
import urlset.spark
from urlset.rules import registry

from .test_reading import assert_same

FILES_PER_URL = 400 / 2_000_000
LONGEST = 20_000
"""Bytes of entries of a case up to which they are planted."""

# With these, the rest of the document would mean something else.
BREAKING = ("<!", "</urlset", "<?", "<urlset", "{{", "{%")


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


def make(folder: Path, urls: int) -> list[str]:
    """Write the set, and return its files."""
    count = max(8, round(urls * FILES_PER_URL))
    faults = list(planted())
    made = []
    for number in range(count):
        share = range(number * urls // count, (number + 1) * urls // count)
        body = "\n".join([*(entry(one, urls) for one in share), *faults[number::count]])
        content = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>\n{body}\n</urlset>\n'.encode()
        path = folder / f"sitemap-{number:04}.xml.gz"
        path.write_bytes(gzip.compress(content, 1, mtime=0))
        made.append(str(path))
    return made


def test_both_engines_find_the_same(spark: Any, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    files = make(tmp_path, request.config.getoption("--spark-urls"))
    select = [rule.code for rule in registry.all_rules()]
    expected = urlset.validate(files, now=NOW, select=select, max_examples=5)
    assert len({finding.rule.code for finding in expected.findings}) > 80
    found = urlset.spark.validate(spark, f"{tmp_path}/*.xml.gz", now=NOW, select=select, max_examples=5)
    assert_same(found, expected)
