"""What an audit saw besides findings: the listed pages in numbers, and who may fetch what. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from urlset.agents import KnownAgent
    from urlset.model.check import CheckResult
    from urlset.model.report import Report

NORMAL_95 = 1.959964
"""Standard deviations within which 95 % of a normal distribution lie."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the pages that were looked at, and what follows for all.

    Attributes:
        part: How many.
        whole: Of how many.
        low: The least share of all pages that the sample speaks for, with 95 % confidence (Wilson's interval).
        high: The largest.
    """

    part: int
    whole: int
    low: float
    high: float

    @classmethod
    def of(cls, part: int, whole: int, total: int) -> Share:
        """The share with its interval; where all of `total` were looked at, nothing is uncertain.

        https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm

        Example:
            >>> share = Share.of(90, 100, 10_000)
            >>> round(share.low, 3), round(share.high, 3)
            (0.826, 0.945)
        """
        if whole == 0:
            return cls(part, whole, 0.0, 1.0)
        share = part / whole
        if whole >= total:
            return cls(part, whole, share, share)
        square = NORMAL_95**2
        middle = share + square / (2 * whole)
        spread = NORMAL_95 * sqrt(share * (1 - share) / whole + square / (4 * whole**2))
        divisor = 1 + square / whole
        return cls(part, whole, max(0.0, (middle - spread) / divisor), min(1.0, (middle + spread) / divisor))


@dataclass(frozen=True, slots=True)
class PagesSeen:
    """The listed pages in numbers.

    Attributes:
        listed: Different pages that are listed and were wanted.
        chosen: How many of them were to be looked at.
        looked_at: How many were.
        forbidden: How many were not asked for since robots.txt forbids them to us.
        stopped_by: The budget that ended it before all were looked at: bytes or time; None if none did.
        statuses: How many answered what: 200, 404 …, or `no answer`; the most frequent first.
        good: Page health: the share of listed pages that are indexable at their listed URL (status 2xx without a
            redirect, no noindex, no other page as canonical). Pages that a rule of robots.txt forbids count as not
            indexable; those that could not be requested do not count.
        private: How many were not asked for since they lie on private addresses.
        robots_unreachable: How many were not asked for since robots.txt of their host cannot be reached; they are
            among those forbidden.
    """

    listed: int
    chosen: int
    looked_at: int
    forbidden: int
    stopped_by: str | None
    statuses: Mapping[str, int]
    good: Share
    private: int = 0
    robots_unreachable: int = 0


@dataclass(frozen=True, slots=True)
class MediaSeen:
    """The listed images, thumbnails and videos in numbers.

    Attributes:
        chosen: Different files that the entries of the chosen pages name.
        looked_at: How many were asked for; videos are not.
        videos: How many are videos, of which only robots.txt was asked.
        forbidden: How many were not asked for since robots.txt forbids them to us, or they lie on private addresses.
        stopped_by: The budget that ended it before all were looked at: bytes or time; None if none did.
        statuses: How many answered what, as for pages.
    """

    chosen: int
    looked_at: int
    videos: int
    forbidden: int
    stopped_by: str | None
    statuses: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class AgentAccess:
    """What one crawler may fetch of what is listed.

    Attributes:
        agent: The crawler.
        urls: Listed URLs on hosts whose robots.txt is known.
        forbidden: How many of those it may not fetch.
        sections: The sections in which that is so, each with its listed URLs and how many are forbidden; the largest
            first.
    """

    agent: KnownAgent
    urls: int
    forbidden: int
    sections: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Inventory:
    """What is listed beside what is known to be there.

    Attributes:
        known: Different URLs of the inventory.
        unlisted: How many of those no sitemap lists.
        unlisted_examples: The first of them.
        unknown: Listed URLs that the inventory does not have.
        unknown_examples: The first of them.
    """

    known: int
    unlisted: int
    unlisted_examples: tuple[str, ...]
    unknown: int
    unknown_examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of an audit.

    Attributes:
        report: Documents and findings, as `validate` gives them, with those on pages.
        pages: The listed pages in numbers; None if they were not looked at.
        agents: What each crawler may fetch; empty where no robots.txt is known.
        inventory: The comparison with a list of what is there; None without one.
        store: The file that keeps everything; None if nothing was kept.
        run_id: The run in it; None if nothing was kept.
        earlier_run: The run that dates and texts were compared with; None if there is none.
        checks: The scored checks of the sites.
        media: The listed images, thumbnails and videos in numbers; None if they were not looked at.
    """

    report: Report
    pages: PagesSeen | None
    agents: tuple[AgentAccess, ...]
    inventory: Inventory | None
    store: Path | None
    run_id: int | None
    earlier_run: int | None
    checks: tuple[CheckResult, ...] = ()
    media: MediaSeen | None = None
