"""Check the links of a built directory without network: sitemaps ─> read ─> files as pages ─> links ─> judge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.build.sources.served_files import FolderProber, ServedFiles
from urlset.documents import DocumentFacts
from urlset.model.link_check import LinkCheck
from urlset.options.auditing import AuditOptions
from urlset.rules.registry import rule_templates
from urlset.stages.folder_audit import FOLDER_CRAWL_DEPTH
from urlset.stages.judge import JudgePlan
from urlset.stages.judge_run import judge_run, report_on_run
from urlset.stages.named import trust_in
from urlset.stages.probe_pages import Probing
from urlset.stages.read_links import read_links
from urlset.stages.record import record
from urlset.stages.session import Session
from urlset.store.file import Store
from urlset.store.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from urlset.build.sources.served_files import ServedFolder
    from urlset.options.probing import ProbingOptions
    from urlset.probe.facts import ProbeTarget
    from urlset.probe.media import MediaProbe
    from urlset.text.progress import Progress

FAMILY = "LNK"


@dataclass(frozen=True, slots=True)
class BuiltSitemaps:
    """The sitemaps of a build, in temporary directories.

    Attributes:
        names: What to call each file in messages.
        urls: Where each will be published.
    """

    folder: Path
    names: Mapping[str, str]
    urls: frozenset[str]
    homes: Sequence[str]


def check_links(
    sitemaps: BuiltSitemaps, folders: Sequence[ServedFolder], scratch: Path, progress: Progress | None = None
) -> LinkCheck:
    """Check the links between the pages of built directories.

    Args:
        scratch: An empty directory for temporary files.
        progress: Called after each batch of pages.
    """
    of_server = tuple(rule.code for rule in rule_templates() if rule.needs_server)
    options = AuditOptions(select=(FAMILY,), ignore=of_server, robots=False, crawl=True, crawl_depth=FOLDER_CRAWL_DEPTH)
    plan = JudgePlan.of(options, pages=True)
    files = ServedFiles(folders, sitemaps.urls)
    targets = [str(sitemaps.folder)]
    with (
        Store.create(scratch / "links.duckdb") as store,
        Session(options, trust_in(targets, options, discover=False)) as session,
        session.read(targets, plan.options) as outcomes,
    ):
        run = Run.begin(store, targets, {})
        recorded = record(outcomes, run)
        probing = Probing(store, run, options, partial(_prober, files), progress)
        pages = probing.pages()
        _, counts = read_links(probing, pages, sitemaps.homes, all_read=not files.unread)
        report = report_on_run(judge_run(plan, run, recorded), recorded, (), plan.options)
    documents = tuple(DocumentFacts({**row, "url": sitemaps.names[str(row["url"])]}) for row in report.documents)
    return LinkCheck(structs.replace(report, documents=documents), counts, files.unread)


def _prober(
    files: ServedFiles,
    _options: ProbingOptions,
    more: Callable[[int], Sequence[ProbeTarget]],
    _media: MediaProbe | None = None,
) -> FolderProber:
    return FolderProber(files, more)
