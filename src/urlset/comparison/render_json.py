"""The JSON of `diff` and `lastmod`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.model.lastmod import MIN_COMPARABLE
from urlset.report.json_objects import Members, Output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.model.comparison import (
        Comparison,
        FindingChange,
        LastmodChange,
        ListedUrl,
        Part,
        RemovedUrl,
        RemovedUrlStatus,
        RespelledUrl,
        Side,
        Unchecked,
    )
    from urlset.model.lastmod import DateTrust


@dataclass(frozen=True, slots=True)
class DocumentCount:
    """A document with some of the changes.

    Attributes:
        document: The document.
        count: Number of changes in it.
    """

    document: str
    count: int


@dataclass(frozen=True, slots=True)
class LastmodCounts:
    """The changes of lastmod by kind.

    Attributes:
        later: Number of URLs with a later lastmod than before.
        earlier: Number of URLs with an earlier lastmod than before.
        added: Number of URLs that had no lastmod.
        removed: Number of URLs that have no lastmod anymore.
        rewritten: Number of URLs with only another spelling, of the same instant or an invalid date.
    """

    later: int = 0
    earlier: int = 0
    added: int = 0
    removed: int = 0
    rewritten: int = 0


@dataclass(frozen=True, slots=True)
class LastmodChanges:
    """URLs that both sides list, with a different lastmod.

    Attributes:
        count: Exact number of URLs.
        examples: The first changes, by URL.
        documents: Documents with most of them, largest first.
        moved: Number of these URLs by kind of change.
    """

    count: int
    examples: Sequence[LastmodChange]
    documents: Sequence[DocumentCount]
    moved: LastmodCounts


@dataclass(frozen=True, slots=True)
class UrlChanges:
    """The URLs that differ.

    Attributes:
        added: URLs that only the later side lists.
        removed: URLs that only the earlier side lists.
        lastmod: URLs that both sides list, with a different lastmod.
        respelled: Removed URLs that the later side lists in another spelling, under which they count as added.
    """

    added: Part[ListedUrl]
    removed: Part[ListedUrl]
    lastmod: LastmodChanges
    respelled: Part[RespelledUrl]


@dataclass(frozen=True, slots=True)
class SitemapChanges:
    """The sitemaps that only indexes of one side list.

    Attributes:
        added: Sitemaps that only indexes of the later side list.
        removed: Sitemaps that only indexes of the earlier side list.
    """

    added: Part[str]
    removed: Part[str]


@dataclass(frozen=True, slots=True)
class FindingChangeCounts:
    """The findings by how they changed.

    Attributes:
        new: Number of findings that only the later side has.
        grown: Number of findings in more places than before.
        unchanged: Number of findings in as many places as before.
        shrunk: Number of findings in fewer places than before.
        fixed: Number of findings that only the earlier side has, and whose places the later side checked again.
        not_checked: Number of findings that the later side may have, because it did not check their places.
        not_checked_before: Number of findings that the earlier side may have had; it did not check their places.
    """

    new: int = 0
    grown: int = 0
    unchanged: int = 0
    shrunk: int = 0
    fixed: int = 0
    not_checked: int = 0
    not_checked_before: int = 0


@dataclass(frozen=True, slots=True)
class NotCompared:
    """Codes of rules with findings on one side that did not run on the other.

    Attributes:
        before: Those with findings on the earlier side, which are not checked anymore.
        after: Those with findings on the later side.
    """

    before: Sequence[str]
    after: Sequence[str]


@dataclass(frozen=True, slots=True)
class FindingChanges:
    """The findings of both sides.

    Attributes:
        counts: Number of findings by how they changed.
        changes: The findings, new ones first.
        unchecked: Number of places of the earlier side that the later one did not check, by reason: `rule` if the rule
            was not run, `document` if the sitemap or robots.txt was not read to its end, `robots` if robots.txt blocks
            the page, `page` if the page was not requested, `response` if it returned a server error, a refusal, or
            nothing, `links` if a page that linked to it was not read.
        unchecked_before: Number of places of the later side that the earlier one did not check, by the same reasons.
        not_compared: Codes of rules with findings on one side that did not run on the other.
    """

    counts: FindingChangeCounts
    changes: Sequence[FindingChange]
    unchecked: Mapping[Unchecked, int]
    unchecked_before: Mapping[Unchecked, int]
    not_compared: NotCompared


@dataclass(frozen=True, slots=True)
class RemovedUrls:
    """Results of requesting the removed URLs.

    Attributes:
        count: Exact number of URLs.
        examples: The first ones, by URL.
        documents: Documents with most of them, largest first; empty if they do not belong to documents.
        outcomes: Number of these URLs by status.
    """

    count: int
    examples: Sequence[RemovedUrl]
    documents: Sequence[DocumentCount]
    outcomes: Mapping[RemovedUrlStatus, int]


def _documents(part: Part[object]) -> list[DocumentCount]:
    """Documents with most of them, largest first; empty if they do not belong to documents."""
    return [DocumentCount(name, count) for name, count in part.documents]


def _urls(comparison: Comparison) -> UrlChanges:
    """The URLs that differ."""
    part = comparison.lastmod
    moved = LastmodCounts(**{kind.value: count for kind, count in comparison.moved.items()})
    lastmod = LastmodChanges(part.count, part.examples, _documents(part), moved)
    return UrlChanges(comparison.added, comparison.removed, lastmod, comparison.respelled)


def _sitemaps(comparison: Comparison) -> SitemapChanges:
    """The sitemaps that only indexes of one side list."""
    return SitemapChanges(comparison.children_added, comparison.children_removed)


def _findings(comparison: Comparison) -> FindingChanges | None:
    """Findings of either side; null if rules were not run on both sides."""
    if (changes := comparison.findings) is None:
        return None
    states = [change.state.value.replace("-", "_") for change in changes]
    not_compared = NotCompared(comparison.only_before, comparison.only_after)
    counts = FindingChangeCounts(**{state: states.count(state) for state in {*states}})
    return FindingChanges(counts, changes, comparison.unchecked, comparison.unchecked_before, not_compared)


def _removed_urls(comparison: Comparison) -> RemovedUrls | None:
    """Results of requesting the removed URLs; null if they were not requested."""
    if (part := comparison.removed_urls) is None:
        return None
    return RemovedUrls(part.count, part.examples, _documents(part), comparison.removed_url_counts or {})


def _at(side: Side) -> datetime:
    """Time at which it was read, in UTC."""
    return side.at.astimezone(UTC).replace(microsecond=0)


def _unreadable(side: Side) -> list[str]:
    """Targets and documents that could not be read, with reasons."""
    return [f"{gap.target}: {gap.reason}" for gap in side.gaps.unreadable]


def _min_comparable(dates: DateTrust) -> int:  # noqa: ARG001 - the same for all
    """Minimum number of comparable dates for `trust`."""
    return MIN_COMPARABLE


COUNTS = ("entries", "absent", "invalid", "true", "inflated", "frozen", "unknown")
"""The members of `DateCounts` that are fields."""

MEMBERS: Members = {
    "Comparison": ("before", "after", "same=is_same", "alarms", _urls, _sitemaps, _findings, _removed_urls),
    "FindingChange": (
        "state", "code", "severity", "document", "before", "after", "message", "unchecked", "unchecked_before",
    ),
    "Part": ("count", "examples", _documents),
    "RemovedUrl": ("url", "outcome", "status", "target", "target_listed=is_listed", "reason"),
    "Side": (
        "name", "run=run_id", _at, "documents", "urls", _unreadable, "gaps.incomplete", "gaps.skipped", "gaps.notes",
    ),
    "DateCounts": (*COUNTS, "comparable", "trust"),
    "DateTrust": (
        "target", "store", "run=run_id", "earlier_run", "pages", _min_comparable, "total", "sitemaps", "crawlers",
        "missing", "unreadable",
    ),
    "SitemapDates": (*COUNTS, "url", "rules", "comparable", "trust"),
}  # fmt: skip

DIFF: Output[Comparison] = Output("diff", "Changes between two sides.", "comparison.Comparison")
DATES: Output[DateTrust] = Output("lastmod", "How many dates of each sitemap are true.", "lastmod.DateTrust")
