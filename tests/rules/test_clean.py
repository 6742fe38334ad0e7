"""Clean corpus: documents as engines document and generators write them raise no error and no warning."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.cases import case_table

import urlset
from urlset.rules.rule import Severity

NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of every check; the dates of the documents lie before it."""

DOCUMENTS = sorted((Path(__file__).parent / "clean").iterdir())


def test_the_corpus_is_there() -> None:
    assert len(DOCUMENTS) >= 30


@case_table("path", DOCUMENTS, ids=lambda path: path.name)
def test_neither_errors_nor_warnings(path: Path) -> None:
    report = urlset.validate(path, now=NOW, preview=True)
    loud = [finding for finding in report.findings if finding.rule.severity in (Severity.ERROR, Severity.WARNING)]
    assert [(finding.rule.code, finding.examples[0].message) for finding in loud] == []
