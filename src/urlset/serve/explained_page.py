"""The result of a job that explains a page: what its view shows, as the worker writes it and the server reads it."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - a field of a Struct
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from urlset.model.page_explanation import OF_PAGE, Listing, StoredPage
from urlset.report.page import PageLines
from urlset.report.style import Style

if TYPE_CHECKING:
    from urlset.model.page_explanation import PageExplanation


class ExplainedPage(Struct, frozen=True, kw_only=True):
    """What is known about a page, of which a request was the last step.

    Attributes:
        fails: Whether search engines, or some of them, cannot index it.
        similar: Entries with almost the same URL, if no sitemap lists the page itself.
        listing_lines: What is known of sitemaps besides the entries: how many were read, and gaps.
        robots_lines: The lines of robots.txt that decide, each with the crawlers.
        language_lines: The language versions, and whether they link back.
        page: The response, by the columns of `pages` that have a value.
    """

    url: str
    is_indexable: bool | None
    fails: bool
    verdict: str
    fix: str | None
    listings: tuple[Listing, ...]
    entries: int
    similar: tuple[Listing, ...]
    listing_lines: tuple[str, ...]
    robots_lines: tuple[str, ...]
    language_lines: tuple[str, ...]
    page: Mapping[str, Any]
    stored: StoredPage | None
    unknown: tuple[str, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, page: PageExplanation) -> ExplainedPage:
        lines = PageLines(Style())
        return cls(
            url=page.url,
            is_indexable=page.is_indexable,
            fails=page.fails,
            verdict=page.verdict,
            fix=page.fix,
            listings=page.listings,
            entries=page.entries,
            similar=page.similar,
            listing_lines=tuple(lines.sitemaps(page, with_entries=False)),
            robots_lines=tuple(line.replace("  ", ", ", 1) for line in lines.robots(page)),
            language_lines=tuple(lines.languages(page)),
            page={name: value for name in OF_PAGE if (value := page.page.get(name)) not in (None, (), [])},
            stored=page.stored,
            unknown=page.unknown,
            notes=page.notes,
        )

    @property
    def record(self) -> dict[str, Any]:
        """The response, with the time of the request, which is text in the result of a job."""
        at = self.page.get("fetched_at")
        return {**self.page, **({"fetched_at": datetime.fromisoformat(at)} if isinstance(at, str) else {})}
