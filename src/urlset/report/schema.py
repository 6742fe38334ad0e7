"""What the official schemas say, in the words of a report: a section of its own, or findings in forms of one list."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.model.schema import SchemaStatus, SchemaVerdict
from urlset.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence


def tally(verdicts: Sequence[SchemaVerdict]) -> dict[SchemaStatus, int]:
    """How many documents are of each status."""
    counts = Counter(verdict.status for verdict in verdicts)
    return {status: counts[status] for status in SchemaStatus}


def sum_line(verdicts: Sequence[SchemaVerdict]) -> str:
    """The result in a sentence, without the full stop."""
    counts = tally(verdicts)
    line = (
        f"{counts[SchemaStatus.VALID]:,} of {counted(len(verdicts), 'XML document')} valid against the official schemas"
    )
    if unchecked := counts[SchemaStatus.UNCHECKED]:
        line += f"; {unchecked:,} could not be held against them"
    return line
