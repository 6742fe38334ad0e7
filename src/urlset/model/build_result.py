"""What `urlset build` shows: the report, with the comparison or the explanation that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.model.build import BuildReport
    from urlset.model.comparison import Comparison


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A build, and what was asked about it.

    Attributes:
        report: What was written, or would be.
        diff: Whether a comparison with what is published was asked for.
        comparison: That comparison; None if none was asked for, or if nothing is published yet.
        explain: The URL whose lastmod is to be explained, as `report.explained` does; None for none.
    """

    report: BuildReport
    diff: bool = False
    comparison: Comparison | None = None
    explain: str | None = None
