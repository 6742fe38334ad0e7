"""The examples and the files of real sites: both engines find the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.corpus import real_sites
from tests.rules.test_cases import NOW

import urlset
import urlset.spark
from urlset.model.report import Report
from urlset.rules import registry

from .test_reading import EXAMPLES, assert_same

SUFFIXES = (".xml", ".gz", ".txt")
"""Of the files that are sitemaps, or are named like one."""


def find_the_same(spark: Any, folder: Path, patterns: list[str], **options: Any) -> Report:
    """Judge the files below a folder with every rule on both engines."""
    select = [rule.code for rule in registry.all_rules()]
    files = sorted((str(path) for path in folder.rglob("*") if path.is_file()), key=lambda name: name.encode())
    expected = urlset.validate(files, now=NOW, select=select, **options)
    assert_same(urlset.spark.validate(spark, patterns, now=NOW, select=select, **options), expected)
    return expected


def test_examples(spark: Any, tmp_path: Path) -> None:
    files = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    for path in files:
        place = tmp_path / path.relative_to(EXAMPLES)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    depths = {len(path.relative_to(EXAMPLES).parts) for path in files}
    report = find_the_same(spark, tmp_path, [f"{tmp_path}/{'/'.join('*' * depth)}" for depth in sorted(depths)])
    assert len(report.documents) == len(files)
    assert len({finding.rule.code for finding in report.findings}) > 30


@pytest.mark.skipif(not real_sites.ARCHIVE.is_file(), reason=real_sites.ABSENT)
def test_real_sites(spark: Any, tmp_path: Path) -> None:
    """The names would be patterns for Spark, so the files are numbered."""
    for number, content in enumerate(real_sites.files().values()):
        (tmp_path / f"{number:04}.xml").write_bytes(content)
    report = find_the_same(spark, tmp_path, [f"{tmp_path}/*.xml"], max_examples=3)
    assert len(report.documents) == len(real_sites.files())
    assert len({finding.rule.code for finding in report.findings}) > 50
