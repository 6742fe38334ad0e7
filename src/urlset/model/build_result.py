"""Result of `urlset build`: the report, with the requested comparison, check of links, or explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.model.build import BuildReport
    from urlset.model.comparison import Comparison
    from urlset.model.link_check import LinkCheck


@dataclass(frozen=True, slots=True)
class BuildChecks:
    """What was found about a build before publishing it.

    Attributes:
        comparison: The comparison of URLs; None if it was not requested, or nothing has been published yet.
        links: What `--links` found; None without the option.
    """

    comparison: Comparison | None = None
    links: LinkCheck | None = None


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Result of a build.

    Attributes:
        report: What was written, or would be written.
        diff: Whether a comparison with the published sitemaps was requested.
        checks: The comparison, and the check of links.
        explain: The URL given by `--explain-lastmod`; None without the option.
    """

    report: BuildReport
    diff: bool = False
    checks: BuildChecks = BuildChecks()
    explain: str | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of sites and of the links between pages, as sentences; with `--check`, any makes the build fail."""
        links = self.checks.links
        return self.report.problems if links is None else (*self.report.problems, *links.problems)
