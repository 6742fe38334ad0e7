"""Contents of the HTML report: the report, aggregates of the run, its scores, and previous runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from urlset.model.audit import AgentAccess, Inventory, LinkCounts, MediaCounts, PageCounts
    from urlset.model.comparison import FindingChange, State
    from urlset.model.coverage import Funnel
    from urlset.model.crawl_report import CrawlOverview
    from urlset.model.page_list import NotIndexable
    from urlset.model.policy import PolicyReport
    from urlset.model.report import Report
    from urlset.model.run import Overview, RunRow


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """Changes since the previous run.

    Attributes:
        run: The previous run.
        added: Number of distinct URLs that were added.
        removed: Number of distinct URLs that were removed.
        lastmods: Number of URLs with a changed lastmod.
        states: Number of findings by how they changed.
        findings: The first findings of each state, new ones first.
        only_after: Rules with findings in this run that the previous one did not apply, and that are therefore not
            compared.
    """

    run: RunRow
    added: int
    removed: int
    lastmods: int
    states: Mapping[State, int]
    findings: tuple[FindingChange, ...]
    only_after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that the HTML report shows.

    Attributes:
        command: validate, check, or audit.
        targets: The targets as given.
        made_at: Time at which the run finished.
        report: Documents and findings; None for a check, which only has scores.
        checks: The scored checks of sites, in the form of `urlset check --format json`.
        overview: Aggregates of the run; None for a check.
        pages: The listed pages in numbers; None if they were not fetched.
        media: The images, thumbnails, and videos in numbers; None if they were not fetched.
        links: The links between pages in numbers; None if they were not read.
        crawl: What access logs show; None if none were compared with the run.
        agents: Access for each crawler.
        policy: What the site declares to crawlers; None if its robots.txt was not requested, or of several sites.
        inventory: The comparison with an inventory; None without an inventory.
        not_indexable: The pages that are not indexable, each with the reason; None if they were not fetched.
        coverage: How far the listed URLs get, by section; None without reports of search engines and access logs.
        runs: The runs on the same targets, this one last; a trend requires at least two.
        since: Changes since the previous run; None for the first run.
        store: Path of the store; None if nothing was stored.
        run_id: Number of the run in the store.
    """

    command: str
    targets: Sequence[str]
    made_at: datetime
    version: str
    report: Report | None = None
    checks: Sequence[Mapping[str, object]] = ()
    overview: Overview | None = None
    pages: PageCounts | None = None
    media: MediaCounts | None = None
    links: LinkCounts | None = None
    crawl: CrawlOverview | None = None
    agents: Sequence[AgentAccess] = ()
    policy: PolicyReport | None = None
    inventory: Inventory | None = None
    not_indexable: NotIndexable | None = None
    coverage: Funnel | None = None
    runs: Sequence[RunRow] = ()
    since: ChangesSince | None = None
    store: str | None = None
    run_id: int | None = None
    notes: Sequence[str] = field(default=())
