"""Result of checking the links of a built directory."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from urlset.model.audit import LinkCounts
from urlset.model.fields import NonNegativeInt, about
from urlset.model.report import Report
from urlset.text.sizes import quantity


class LinkCheck(Struct, frozen=True):
    """The links between the pages of a built directory."""

    report: Annotated[Report, about("The findings on links, as `urlset validate --format json` shows them.")]
    counts: Annotated[LinkCounts, about("The links in numbers, as `links` of `urlset audit --format json` shows them.")]
    unread: Annotated[
        NonNegativeInt,
        about("Number of listed URLs without a readable file in the directory, whose links are therefore unknown."),
    ]

    @property
    def problems(self) -> tuple[str, ...]:
        """Errors and warnings, as sentences."""
        summary = self.report.summary
        counts = ((summary.errors, "error"), (summary.warnings, "warning"))
        return tuple(f"links: {quantity(count, what)}" for count, what in counts if count)
