"""The edits that `urlset fix` would make in the files of a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.model.fix import FixOutcome
from urlset.model.ranking import rank_rules
from urlset.options.fixing import FixOptions
from urlset.pipeline.fix import fix
from urlset.rules.rule import Fixable
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.report import Report

MAX_FILES = 5
"""Maximum files to repair. An answer has no room for the edits of more."""

MAX_BYTES = 64 * MiB
"""Maximum size of a file to repair."""


def with_edits(report: Report) -> Report:
    """Return the report with the first edits of the files whose findings come first. Nothing is written."""
    edits = {}
    for document_id, path in _files(report):
        for document in fix([path], FixOptions(dry_run=True)).documents:
            if document.outcome is FixOutcome.REPAIRED:
                changes = (change for repair in document.repairs for change in repair.examples)
                edits[document_id] = tuple(changes)
    return replace(report, edits=edits)


def _files(report: Report) -> Iterator[tuple[int, Path]]:
    """Yield the local files with findings that can be fixed, in the order of the findings."""
    numbers = dict.fromkeys(
        finding.document_id
        for group in rank_rules(report)
        if group.rule.fixable is not Fixable.NEVER
        for finding in group.findings
    )
    count = 0
    for number in numbers:
        path = Path(report.file_of(number))
        if count < MAX_FILES and _is_small(path):
            count += 1
            yield number, path


def _is_small(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= MAX_BYTES
    except (OSError, ValueError):
        return False
