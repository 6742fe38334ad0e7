"""The JSON of `diff` and `lastmod`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Struct

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
from urlset.model.fields import NonNegativeInt, about
from urlset.model.lastmod import MIN_COMPARABLE, DateTrust
from urlset.report.json_objects import Members, Output


class DocumentCount(Struct, frozen=True):
    """A document with some of the changes."""

    document: Annotated[str, about("The document.")]
    count: Annotated[NonNegativeInt, about("Number of changes in it.")]


class LastmodCounts(Struct, frozen=True):
    """The changes of lastmod by kind."""

    later: Annotated[NonNegativeInt, about("Number of URLs with a later lastmod than before.")] = 0
    earlier: Annotated[NonNegativeInt, about("Number of URLs with an earlier lastmod than before.")] = 0
    added: Annotated[NonNegativeInt, about("Number of URLs that had no lastmod before.")] = 0
    removed: Annotated[NonNegativeInt, about("Number of URLs that have no lastmod anymore.")] = 0
    rewritten: Annotated[
        NonNegativeInt,
        about("Number of URLs whose lastmod is only spelled differently: the same instant, or an invalid date."),
    ] = 0


class LastmodChanges(Struct, frozen=True):
    """URLs that both sides list, with a different lastmod."""

    count: Annotated[NonNegativeInt, about("Exact number of URLs.")]
    examples: Annotated[Sequence[LastmodChange], about("The first changes, by URL.")]
    documents: Annotated[Sequence[DocumentCount], about("Documents with most of them, largest first.")]
    moved: Annotated[LastmodCounts, about("Number of these URLs by kind of change.")]


class UrlChanges(Struct, frozen=True):
    """The URLs that differ."""

    added: Annotated[Part[ListedUrl], about("URLs that only the later side lists.")]
    removed: Annotated[Part[ListedUrl], about("URLs that only the earlier side lists.")]
    lastmod: Annotated[LastmodChanges, about("URLs that both sides list, with a different lastmod.")]
    respelled: Annotated[
        Part[RespelledUrl],
        about("Removed URLs that the later side lists in another spelling, under which they count as added."),
    ]


class SitemapChanges(Struct, frozen=True):
    """The sitemaps that only indexes of one side list."""

    added: Annotated[Part[str], about("Sitemaps that only indexes of the later side list.")]
    removed: Annotated[Part[str], about("Sitemaps that only indexes of the earlier side list.")]


class FindingChangeCounts(Struct, frozen=True):
    """The findings by how they changed."""

    new: Annotated[NonNegativeInt, about("Number of findings that only the later side has.")] = 0
    grown: Annotated[NonNegativeInt, about("Number of findings in more places than before.")] = 0
    unchanged: Annotated[NonNegativeInt, about("Number of findings in as many places as before.")] = 0
    shrunk: Annotated[NonNegativeInt, about("Number of findings in fewer places than before.")] = 0
    fixed: Annotated[
        NonNegativeInt,
        about("Number of findings that only the earlier side has, and whose places the later side checked again."),
    ] = 0
    not_checked: Annotated[
        NonNegativeInt, about("Number of findings that the later side may have, because it did not check their places.")
    ] = 0
    not_checked_before: Annotated[
        NonNegativeInt, about("Number of findings that the earlier side may have had; it did not check their places.")
    ] = 0


class NotCompared(Struct, frozen=True):
    """Codes of rules with findings on one side that did not run on the other."""

    before: Annotated[Sequence[str], about("Those with findings on the earlier side, which are not checked anymore.")]
    after: Annotated[Sequence[str], about("Those with findings on the later side.")]


class FindingChanges(Struct, frozen=True):
    """The findings of both sides."""

    counts: Annotated[FindingChangeCounts, about("Number of findings by how they changed.")]
    changes: Annotated[Sequence[FindingChange], about("The findings, new ones first.")]
    unchecked: Annotated[
        Mapping[Unchecked, NonNegativeInt],
        about(
            "Number of places of the earlier side that the later one did not check, by reason: `rule` if the rule "
            "was not run, `document` if the sitemap or robots.txt was not read to its end, `robots` if robots.txt "
            "blocks the page, `page` if the page was not requested, `response` if it returned a server error, a "
            "refusal, or nothing, `links` if a page that linked to it was not read."
        ),
    ]
    unchecked_before: Annotated[
        Mapping[Unchecked, NonNegativeInt],
        about("Number of places of the later side that the earlier one did not check, by the same reasons."),
    ]
    not_compared: Annotated[
        NotCompared, about("Codes of rules with findings on one side that did not run on the other.")
    ]


class RemovedUrls(Struct, frozen=True):
    """Results of requesting the removed URLs."""

    count: Annotated[NonNegativeInt, about("Exact number of URLs.")]
    examples: Annotated[Sequence[RemovedUrl], about("The first ones, by URL.")]
    documents: Annotated[
        Sequence[DocumentCount],
        about("Documents with most of them, largest first; empty if they do not belong to documents."),
    ]
    outcomes: Annotated[Mapping[RemovedUrlStatus, NonNegativeInt], about("Number of these URLs by status.")]


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


def _min_comparable(dates: DateTrust) -> NonNegativeInt:  # noqa: ARG001 - the same for all
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
