"""What the page shows besides the report that every form has: aggregates of a run, its scores, and the runs before it.

Plain values. The store fills in the aggregates, so that the page never holds what grows with the site.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from urlset.comparison import FindingChange, State
    from urlset.report.audited import AgentAccess, Inventory, MediaSeen, PagesSeen
    from urlset.report.model import Report, RunRow

Counts = tuple[tuple[str, int], ...]
"""Names and how many there are of each, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a site by path.

    Attributes:
        name: Host and folder: `example.com/blog/`.
        urls: Entries below it.
        parts: Its folders, each with the entries below it; the largest first, not all of them.
    """

    name: str
    urls: int
    parts: Counts = ()


@dataclass(frozen=True, slots=True)
class Languages:
    """The language versions in numbers.

    Attributes:
        codes: Links by hreflang, the most frequent first, not all of them.
        more_codes: How many different codes there are besides.
        sizes: Entries by how many versions their cluster has.
        clusters: How many different sets of links there are.
        entries: How many entries have links.
    """

    codes: Counts
    more_codes: int
    sizes: tuple[tuple[int, int], ...]
    clusters: int
    entries: int


@dataclass(frozen=True, slots=True)
class Redirects:
    """The pages that redirect.

    Attributes:
        hops: Pages by how many hops they take.
        statuses: Hops by their status.
        examples: Some of them: the URL, where it ends, how many hops, and the status there.
    """

    hops: tuple[tuple[int, int], ...]
    statuses: Counts
    examples: tuple[tuple[str, str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A run in aggregates.

    Attributes:
        entries: Entries that are URLs of pages.
        days: Entries by the day of their lastmod, in UTC; oldest first.
        lastmod_missing: Entries without lastmod.
        lastmod_unreadable: Entries whose lastmod is no date.
        sections: Parts of the sites, the largest first, not all of them.
        more_sections: How many sections there are besides.
        languages: The language versions; None where there are none.
        redirects: The pages that redirect; None where no page was looked at, or none does.
    """

    entries: int
    days: tuple[tuple[date, int], ...] = ()
    lastmod_missing: int = 0
    lastmod_unreadable: int = 0
    sections: tuple[Section, ...] = ()
    more_sections: int = 0
    languages: Languages | None = None
    redirects: Redirects | None = None


@dataclass(frozen=True, slots=True)
class Since:
    """What changed since the run before.

    Attributes:
        run: That run.
        added: Different URLs that are listed now and were not.
        removed: Different URLs that were listed and are not.
        lastmods: URLs of both with another lastmod.
        states: Rules in documents by what became of them.
        findings: Each of those, the new ones first; not all of them.
    """

    run: RunRow
    added: int
    removed: int
    lastmods: int
    states: Mapping[State, int]
    findings: tuple[FindingChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that the page shows.

    Attributes:
        command: What was done: validate, check or audit.
        targets: What was looked at, as it was given.
        made_at: When that ended.
        report: Documents and findings; None for a check, which has scores instead.
        checks: The scored checks of sites, as `urlset check --format json` gives each.
        overview: The run in aggregates; None for a check.
        pages: The listed pages in numbers; None if they were not looked at.
        media: The images, thumbnails and videos in numbers; None if they were not looked at.
        agents: What each crawler may fetch.
        inventory: The comparison with a list of what is there; None without one.
        runs: The runs on the same targets, this one last; fewer than two are no trend.
        since: What changed since the run before; None if there is none.
        store: The file that keeps everything; None if nothing was kept.
        run_id: The run in it.
    """

    command: str
    targets: Sequence[str]
    made_at: datetime
    version: str
    report: Report | None = None
    checks: Sequence[Mapping[str, object]] = ()
    overview: Overview | None = None
    pages: PagesSeen | None = None
    media: MediaSeen | None = None
    agents: Sequence[AgentAccess] = ()
    inventory: Inventory | None = None
    runs: Sequence[RunRow] = ()
    since: Since | None = None
    store: str | None = None
    run_id: int | None = None
    notes: Sequence[str] = field(default=())
