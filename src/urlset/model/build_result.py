"""Result of `urlset build`: the report, with the requested comparison or explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.model.build import BuildReport
    from urlset.model.comparison import Comparison


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Result of a build.

    Attributes:
        report: What was written, or would be written.
        diff: Whether a comparison with the published sitemaps was requested.
        comparison: The comparison; None if it was not requested, or nothing has been published yet.
        explain: The URL given by `--explain-lastmod`; None without the option.
    """

    report: BuildReport
    diff: bool = False
    comparison: Comparison | None = None
    explain: str | None = None
