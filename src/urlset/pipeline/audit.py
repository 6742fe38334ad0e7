"""`audit`: targets ─> seeds ─> read ─> record ─> probe pages ─> judge ─> record.

Everything is stored and committed continuously. A resumed run reads the sitemaps again, and does not request the pages
again that the interrupted run committed.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.errors import Unreadable, UsageError
from urlset.model.audit import AuditResult
from urlset.model.document import was_read
from urlset.net.origin import origin_url
from urlset.pipeline.check import check_in
from urlset.sources.user_origin import parse_origin
from urlset.stages.agent_access import access_of_agents
from urlset.stages.audit_run import begin_run, rules_record
from urlset.stages.existing_pages import end_with_pages
from urlset.stages.external_links import check_external_links
from urlset.stages.folder_audit import directories_without_pages, folder_options, folder_report, folder_site
from urlset.stages.judge import JudgePlan, judging, report_of
from urlset.stages.key_files import check_key_files
from urlset.stages.llms_links import check_llms
from urlset.stages.named import homes_of, site_of, trust_in, trust_in_folder, trust_with_store
from urlset.stages.previous import PreviousRun
from urlset.stages.probe_pages import probe
from urlset.stages.record import record, record_findings
from urlset.stages.seeds import is_without_sitemap
from urlset.stages.session import Session
from urlset.stages.site_faults import record_site_faults
from urlset.stages.site_files import SiteFiles
from urlset.stages.unnamed_sitemaps import unnamed_sitemaps
from urlset.stages.url_lookup import UrlLookup
from urlset.store.file import LITTLE_MEMORY, READING_MEMORY, Store
from urlset.store.interrupted import keep_requested
from urlset.store.page_list import not_indexable
from urlset.store.page_selection import compare_with_earlier, pages_of, rows_of
from urlset.store.results import NO_RESULTS, Results, StoredAccess, StoredCheck, keep_results
from urlset.store.run_documents import read_entries, refused_documents
from urlset.tables import (
    CRAWLED,
    EXTERNAL_LINKS,
    KEY_FILES,
    LINKED,
    LLMS_LINKS,
    LLMS_PROBLEMS,
    MEDIA,
    PAGES,
    SITE_FAULTS,
)
from urlset.text.masking import mask_target
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.hosting.site import FolderSite
    from urlset.model.audit import PageCounts
    from urlset.model.client_check import ClientCheck
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.stages.document_judge import Judge
    from urlset.store.inventory import InventoryFile
    from urlset.store.run import Run
    from urlset.text.progress import Progress, ProgressEvent
    from urlset.web.robots_txt import Robots


NOT_SAVED = "nothing of the site could be read, so the run is not saved"


def audit(
    targets: Sequence[str],
    options: AuditOptions,
    progress: Progress | None = None,
    *,
    site: FolderSite | None = None,
    trust: Trust | None = None,
    session: Session | None = None,
) -> AuditResult:
    """Audit sites and sitemaps.

    Args:
        targets: Sites, or targets as for `validate`. May be empty to resume a run.
        progress: Called after each document, and then after each batch of pages.
        site: The target as a directory of pages, if it was opened before.
        trust: What the targets are trusted with; by default what follows from them.
        session: The session of what audits the site, if it has one.

    Raises:
        UsageError: A target is invalid, there is no run to resume, or the column of the inventory is unclear.
        OutputError: The store cannot be written.
        InputError: The inventory cannot be read.
    """
    if not targets and not options.resume:
        raise UsageError("no target given; use `urlset audit ORIGIN|TARGET…`")
    inventory = _inventory(options)
    site = site or folder_site(targets, options)
    if options.clients is not None:
        from urlset.pipeline.clients import check_direct

        check_direct(options, "--clients")
        if site is not None:
            raise UsageError("--clients asks a server; it cannot be combined with a directory of pages")
    if site is not None:
        options = folder_options(options, site)
    # Invalid rules raise an error before the store is created.
    rules = rules_record(options)
    if trust is None:
        trust = trust_with_store(targets, options) if options.resume else trust_in(targets, options, discover=True)
    with Store.create(options.store) as store:
        run, targets, options = begin_run(store, targets, options, rules)
        sitemaps_before = keep_requested(run) if options.resume else {}
        named, homes = targets, homes_of(targets)
        site = site or folder_site(targets, options)
        if site is not None:
            targets, trust, options = (site.base,), trust_in_folder(site), folder_options(options, site)
            homes = [site.base]
        previous = PreviousRun.of(store, run.run_id) if options.trust_index_lastmod else None
        plan = _plan(options)
        counting = None if progress is None else _Counting(progress)
        lookup = UrlLookup(plan.options, partial(read_entries, store, run.run_id))
        with Session(options, trust, counting) if session is None else nullcontext(session) as fetching:
            with (
                fetching.read(targets, plan.options, previous=previous) as outcomes,
                judging(plan, lookup=lookup, rows_of=None if previous is None else previous.rows) as judge,
            ):
                if counting is not None:
                    counting.judge = judge
                with store.holding(READING_MEMORY, threads=1):
                    for outcome in record(outcomes, run):
                        judge.take(outcome)
                if previous is not None:
                    judge.add(previous.changed_documents(run))
                judge.judge_pending()
                judge.notes += unheeded_delays(judge.robots, options)
                if site is None and options.pages:
                    judge.notes += directories_without_pages(named)
                if site is not None:
                    site.unnamed = unnamed_sitemaps(run, site, judge.documents, plan.options, fetching.site)
                results, failures, unlisted = _probe_pages(
                    store, run, options, judge.robots, fetching.site, counting, named, homes
                )
                judge.notes += changes_since(sitemaps_before, judge.documents, unlisted)
                has_faults = record_site_faults(run, judge.documents, judge.summary.unreadable, site, named)
                check_key_files(run, judge.summary.keys, judge.robots, options, fetching.site)
                sites = homes_of(target for target in targets if site_of(target) is not None)
                failures = (*failures, *check_llms(store, run, sites, judge.robots, options, fetching.site))
                if options.external:
                    notes, unchecked = check_external_links(run, homes, options, fetching)
                    judge.notes += notes
                    failures = (*failures, *unchecked)
                files = SiteFiles(judge.documents)
                with store.holding(LITTLE_MEMORY, threads=1):
                    of_files = (SITE_FAULTS, KEY_FILES, LLMS_PROBLEMS, LLMS_LINKS)
                    for kind in (PAGES, MEDIA, CRAWLED, LINKED, EXTERNAL_LINKS, *of_files):
                        for table in rows_of(store, run.run_id, kind):
                            is_of_file = kind in of_files
                            judge.add({kind.name: files.locate_rows(kind, table) if is_of_file else table})
                judge.finish()
                run.commit()
                end_with_pages(judge, plan, run)
                located = files.documents(judge.findings)
                judge.documents += located
                run.add_documents(located)
            checks = tuple(check_in(fetching, list(map(parse_origin, sites)))) if options.score else ()
        report = report_of(judge, plan.options)
        unseen = _unrequested_reason(results.pages, None if site is None else site.base)
        known = (target for target in report.unreadable if not is_without_sitemap(target))
        report = structs.replace(report, unreadable=(*known, *failures, *unseen))
        if site is not None:
            report = folder_report(report, site)
        if inventory is not None:
            compared = inventory.compare(store, run.run_id, options.max_examples)
            results = structs.replace(results, inventory=compared)
        results = structs.replace(results, checks=tuple(map(StoredCheck.of, checks)))
        if not has_faults and not any(was_read(row) and row.get("kind") != "robots" for row in report.documents):
            # Nothing is known of the site. No report may take the run for its newest state.
            run.commit()
            store.forget(run.run_id)
            return AuditResult(
                report=structs.replace(report, notes=(*report.notes, NOT_SAVED)),
                pages=None,
                agents=results.access,
                inventory=results.inventory,
                store=None,
                run_id=None,
                earlier_run=None,
                checks=checks,
            )
        results = structs.replace(results, unreadable=report.unreadable, skipped=report.skipped, notes=report.notes)
        keep_results(run, results)
        lacking = not_indexable(store, run.run_id)
        named_pages = _pages_for_clients(store, run, options, trust)
        record_findings(run, report, {"pages": 0 if results.pages is None else results.pages.fetched})
    return AuditResult(
        report=report,
        pages=results.pages,
        agents=results.access,
        inventory=results.inventory,
        store=options.store,
        run_id=run.run_id,
        earlier_run=results.earlier_run,
        checks=checks,
        media=results.media,
        links=results.links,
        not_indexable=lacking,
        clients=_answers_to_clients(named_pages, options, trust, progress),
    )


def _inventory(options: AuditOptions) -> InventoryFile | None:
    if options.inventory is None:
        return None
    from urlset.store.inventory import InventoryFile

    return InventoryFile.of(options.inventory, options.inventory_column)


def _answers_to_clients(
    pages: Sequence[str], options: AuditOptions, trust: Trust, progress: Progress | None
) -> tuple[ClientCheck, ...]:
    if not pages:
        return ()
    from urlset.pipeline.clients import check_pages

    with Session(options, trust, progress) as session:
        return check_pages(session, pages)


def _pages_for_clients(store: Store, run: Run, options: AuditOptions, trust: Trust) -> list[str]:
    """Return the pages to ask for as crawlers do: only those of hosts that the user named."""
    if options.clients is None:
        return []
    return pages_of(store, run.run_id, [origin.url for origin in trust.named_origins], options.clients)


def unheeded_delays(robots: Sequence[tuple[int, Robots]], options: AuditOptions) -> list[str]:
    """Return notes on each Crawl-delay that the rate of requests does not obey."""
    notes = []
    for _, robots_file in robots:
        line = robots_file.crawl_delay(options.robots_agent)
        if line is None or not options.pages or not (delay := float(line.value)):
            continue
        if options.rate is None or options.rate * delay > 1:
            notes.append(
                f"{robots_file.url}: Crawl-delay: {line.value} (line {line.line}) is not obeyed; use "
                f"--rate {1 / delay:.4g} to request one URL every {delay:g} s"
            )
    return notes


def changes_since(
    sitemaps: Mapping[str, str], documents: Sequence[Mapping[str, object]], unlisted: int
) -> Iterator[str]:
    """Yield a note on what changed since a resumed run was interrupted.

    Args:
        sitemaps: The SHA-256 of each document that the interrupted run read, by URL.
        documents: The documents that were read now.
        unlisted: Number of pages that the interrupted run requested, and that are no longer listed.
    """
    now = {row["url"]: row.get("sha256") for row in documents}
    changed = sum(now.get(url) not in (None, digest) for url, digest in sitemaps.items())
    if changed or unlisted:
        pages = quantity(unlisted, "requested page is", "requested pages are") if unlisted else ""
        pages = pages and f"; {pages} no longer listed"
        yield f"{quantity(changed, 'document')} changed since the run was interrupted{pages}"


@dataclass
class _Counting:
    """Adds the number of findings so far to the progress of an audit."""

    progress: Progress
    judge: Judge | None = None

    def __call__(self, event: ProgressEvent) -> None:
        findings = 0 if self.judge is None else len(self.judge.findings)
        self.progress(structs.replace(event, findings=findings))


def _plan(options: AuditOptions) -> JudgePlan:
    """Return how sitemaps are read and judged: an audit always searches sites and follows indexes."""
    return JudgePlan.of(replace(options, discover=True, expand=True), pages=True)


def _probe_pages(
    store: Store,
    run: Run,
    options: AuditOptions,
    robots: Sequence[tuple[int, Robots]],
    fetcher: Fetcher,
    progress: Progress | None,
    targets: Sequence[str],
    homes: Sequence[str],
) -> tuple[Results, Sequence[Unreadable], int]:
    """Fetch the listed pages, and return the results, the internal errors, and how many pages are no longer listed."""
    # A robots.txt that was not requested says nothing about its host, which may be allowed for another document.
    refused = refused_documents(store, run.run_id)
    by_origin = {
        origin_url(robots_file.url): (number, robots_file)
        for number, robots_file in robots
        if robots_file.url is not None and number not in refused
    }
    probed = probe(
        store,
        run,
        options,
        {origin: robots_file for origin, (_, robots_file) in by_origin.items()},
        fetcher,
        progress,
        homes,
    )
    before = compare_with_earlier(store, run.run_id, list(map(mask_target, targets))) if options.pages else None
    agents = access_of_agents(store, run, by_origin)
    results = structs.replace(
        NO_RESULTS,
        pages=probed.pages,
        agents=tuple(map(StoredAccess.of, agents)),
        earlier_run=before,
        media=probed.media,
        links=probed.links,
    )
    return results, probed.failures, probed.unlisted


def _unrequested_reason(pages: PageCounts | None, base: str | None) -> Iterator[Unreadable]:
    """Yield the reason why no page could be requested, other than a rule of robots.txt."""
    if pages is None or pages.fetched:
        return
    what = f"none of {quantity(pages.selected, 'page')} could be requested: "
    if pages.private:
        private = quantity(pages.private, "page is", "pages are")
        yield Unreadable(
            "listed pages",
            f"{what}{private} on private addresses, which a local file or a public target may not refer to; "
            "add --allow-private to request them",
        )
    elif pages.outside and base is not None:
        outside = quantity(pages.outside, "page is", "pages are")
        yield Unreadable(
            "listed pages",
            f"{what}{outside} not below {base}; set --base-url to the URL at which the directory is published",
        )
    elif pages.robots_unreachable:
        yield Unreadable(
            "listed pages",
            f"{what}the robots.txt of their host is unreachable; add --ask-forbidden to request them anyway",
        )
