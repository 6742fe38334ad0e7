"""Results of validation against the official schemas, in numbers and in a sentence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.model.schema import SchemaStatus, SchemaVerdict
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Sequence


def tally(verdicts: Sequence[SchemaVerdict]) -> dict[SchemaStatus, int]:
    """Return the number of documents per status."""
    counts = Counter(verdict.status for verdict in verdicts)
    return {status: counts[status] for status in SchemaStatus}


def sum_line(verdicts: Sequence[SchemaVerdict]) -> str:
    """Return the result as a sentence without a full stop."""
    counts = tally(verdicts)
    line = (
        f"{counts[SchemaStatus.VALID]:,} of {counted(len(verdicts), 'XML document')} valid against the official schemas"
    )
    if unchecked := counts[SchemaStatus.UNCHECKED]:
        line += f"; {unchecked:,} could not be validated"
    return line
