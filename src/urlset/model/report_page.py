"""What the report page shows: the report, aggregates of the run, its scores, and the runs before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from urlset.model.audit import AgentAccess, Inventory, MediaSeen, PagesSeen
    from urlset.model.comparison import FindingChange, State
    from urlset.model.report import Report
    from urlset.model.run import Overview, RunRow


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
