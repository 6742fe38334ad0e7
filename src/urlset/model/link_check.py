"""Result of checking the links of a built directory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from urlset.model.audit import LinkCounts
    from urlset.model.report import Report


@dataclass(frozen=True, slots=True)
class LinkCheck:
    """The links between the pages of a built directory.

    Attributes:
        report: The findings on links, as `urlset validate --format json` shows them.
        counts: The links in numbers, as `links` of `urlset audit --format json` shows them.
        unread: Number of listed URLs without a readable file in the directory, whose links are therefore unknown.
    """

    report: Report
    counts: LinkCounts
    unread: int

    @property
    def problems(self) -> tuple[str, ...]:
        """Errors and warnings, as sentences."""
        summary = self.report.summary
        counts = ((summary.errors, "error"), (summary.warnings, "warning"))
        return tuple(f"links: {quantity(count, what)}" for count, what in counts if count)
