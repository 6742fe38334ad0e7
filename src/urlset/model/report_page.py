"""Contents of the HTML report: the report, aggregates of the run, its scores, and previous runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from msgspec import Struct

from urlset.model.audit import AgentAccess, Inventory, LinkCounts, LlmsCounts, MediaCounts, PageCounts, TwinCounts
from urlset.model.comparison import FindingChange, State
from urlset.model.coverage import Funnel
from urlset.model.crawl_report import CrawlOverview
from urlset.model.fields import NonNegativeInt, about
from urlset.model.impressions import SiteImpressions
from urlset.model.page_list import NotIndexable
from urlset.model.policy import PolicyReport
from urlset.model.report import Report
from urlset.model.run import Overview, RunRow


class ChangeList(Struct, frozen=True):
    """What changed of one subject, such as robots.txt."""

    title: Annotated[str, about("The subject.")]
    summary: Annotated[str, about("The changes in numbers, or the URL of the file.")]
    lines: Annotated[tuple[str, ...], about("The changes, as sentences; the last ones say what is left out.")]
    counts: Annotated[tuple[str, ...], about("How many pages changed and how, and how many were not compared.")] = ()


class ChangesSince(Struct, frozen=True):
    """Changes since the previous run."""

    run: Annotated[RunRow, about("The previous run.")]
    added: Annotated[NonNegativeInt, about("Number of distinct URLs that were added.")]
    removed: Annotated[NonNegativeInt, about("Number of distinct URLs that were removed.")]
    lastmods: Annotated[NonNegativeInt, about("Number of URLs with a changed lastmod.")]
    states: Annotated[Mapping[State, NonNegativeInt], about("Number of findings by how they changed.")]
    findings: Annotated[tuple[FindingChange, ...], about("The first findings of each state, new ones first.")]
    only_after: Annotated[
        tuple[str, ...],
        about(
            "Rules with findings in this run that the previous one did not apply, and that are therefore not compared."
        ),
    ] = ()
    respelled: Annotated[NonNegativeInt, about("Number of removed URLs that are listed in another spelling.")] = 0
    moved: Annotated[NonNegativeInt, about("Number of removed URLs whose page is listed at another URL.")] = 0
    changes: Annotated[
        tuple[ChangeList, ...],
        about("What changed on the pages, in their URLs, in robots.txt, and in llms.txt, as far as both runs read it."),
    ] = ()


class Page(Struct, frozen=True, kw_only=True):
    """Everything that the HTML report shows."""

    command: Annotated[str, about("validate, check, or audit.")]
    targets: Annotated[Sequence[str], about("The targets as given.")]
    made_at: Annotated[datetime, about("Time at which the run finished.")]
    site: Annotated[
        str | None, about("URL at which the audited directory of pages is published; None for other targets.")
    ] = None
    version: Annotated[str, about("The version of urlset that created the run.")]
    report: Annotated[Report | None, about("Documents and findings; None for a check, which only has scores.")] = None
    checks: Annotated[
        Sequence[Mapping[str, object]],
        about("The scored checks of sites, in the form of `urlset check --format json`."),
    ] = ()
    overview: Annotated[Overview | None, about("Aggregates of the run; None for a check.")] = None
    pages: Annotated[PageCounts | None, about("The listed pages in numbers; None if they were not fetched.")] = None
    media: Annotated[
        MediaCounts | None, about("The images, thumbnails, and videos in numbers; None if they were not fetched.")
    ] = None
    links: Annotated[LinkCounts | None, about("The links between pages in numbers; None if they were not read.")] = None
    llms: Annotated[LlmsCounts | None, about("The llms.txt files in numbers; None if there are none.")] = None
    twins: Annotated[TwinCounts | None, about("The Markdown twins in numbers; None if no page was fetched.")] = None
    crawl: Annotated[CrawlOverview | None, about("What access logs show; None if none were compared with the run.")] = (
        None
    )
    agents: Annotated[Sequence[AgentAccess], about("Access for each crawler.")] = ()
    policy: Annotated[
        PolicyReport | None,
        about("What the site declares to crawlers; None if its robots.txt was not requested, or of several sites."),
    ] = None
    inventory: Annotated[Inventory | None, about("The comparison with an inventory; None without an inventory.")] = None
    not_indexable: Annotated[
        NotIndexable | None,
        about("The pages that are not indexable, each with the reason; None if they were not fetched."),
    ] = None
    coverage: Annotated[
        Funnel | None,
        about("How far the listed URLs get, by section; None without reports of search engines and access logs."),
    ] = None
    impressions: Annotated[
        tuple[SiteImpressions, ...] | None,
        about("The impressions of the pages by type of search; None if they were not requested."),
    ] = None
    runs: Annotated[
        Sequence[RunRow], about("The runs on the same targets, this one last; a trend requires at least two.")
    ] = ()
    since: Annotated[ChangesSince | None, about("Changes since the previous run; None for the first run.")] = None
    store: Annotated[str | None, about("Path of the store; None if nothing was stored.")] = None
    run_id: Annotated[NonNegativeInt | None, about("Number of the run in the store.")] = None
    notes: Annotated[Sequence[str], about("What to know about the run.")] = ()
