"""Result of `urlset build`: the report, with the requested comparison, check of links, or explanation."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Struct

from urlset.model.build import BuildReport
from urlset.model.comparison import Comparison
from urlset.model.fields import Versioned, about
from urlset.model.link_check import LinkCheck
from urlset.model.notification import NotifyResult


class BuildChecks(Struct, frozen=True):
    """What was found about a build before publishing it."""

    comparison: Annotated[
        Comparison | None,
        about("The comparison of URLs; None if it was not requested, or nothing has been published yet."),
    ] = None
    links: Annotated[LinkCheck | None, about("What `--links` found; None without the option.")] = None


class BuildResult(Struct, frozen=True):
    """Result of a build."""

    IN_JSON: ClassVar = (
        "report.published", "report.changed", "problems", "urls=report.written", "report.elapsed_seconds",
        "report.sites", "report.index", "report.explained", "diff=changes", "checks.links", "notified",
    )  # fmt: skip

    report: Annotated[BuildReport, about("What was written, or would be written.")]
    diff: Annotated[bool, about("Whether a comparison with the published sitemaps was requested.")] = False
    checks: Annotated[BuildChecks, about("The comparison, and the check of links.")] = BuildChecks()
    explain: Annotated[str | None, about("The URL given by `--explain-lastmod`; None without the option.")] = None

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of sites and of the links between pages, as sentences; with `--check`, any makes the build fail."""
        links = self.checks.links
        return self.report.problems if links is None else (*self.report.problems, *links.problems)

    @property
    def changes(self) -> Versioned[Comparison] | None:
        """The changes, as `urlset diff --format json` shows them; None without --diff, or if nothing was published yet."""  # noqa: E501
        return None if self.checks.comparison is None else Versioned(self.checks.comparison)

    @property
    def notified(self) -> Versioned[NotifyResult] | None:
        """What --notify sent, as `urlset notify --format json` shows it; None without the option."""
        return None if self.report.notified is None else Versioned(self.report.notified)
