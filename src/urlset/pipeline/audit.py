"""`audit`: targets ─> seeds ─> read ─> record ─> probe pages ─> judge ─> record.

Everything is stored and committed continuously. A resumed run reads the sitemaps again, and does not request the pages
again that the interrupted run committed.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.errors import Unreadable, UsageError
from urlset.hosting.base_url import UNKNOWN_BASE
from urlset.model.audit import AuditResult
from urlset.model.document import was_read
from urlset.model.run import SITE
from urlset.net.origin import origin_url
from urlset.sources.user_origin import parse_origin
from urlset.stages.agent_access import access_of_agents
from urlset.stages.audit_run import begin_run, rules_record
from urlset.stages.external_links import NOT_CHECKED, check_external_links
from urlset.stages.folder_audit import (
    directories_without_pages,
    folder_options,
    folder_report,
    folder_site,
    rules_of_server,
)
from urlset.stages.judge import JudgePlan
from urlset.stages.judge_run import judge_run, report_on_run
from urlset.stages.key_files import check_key_files
from urlset.stages.llms_links import check_llms
from urlset.stages.named import (
    at_previews,
    at_sites,
    homes_of,
    site_of,
    trust_in,
    trust_in_folder,
    trust_with_store,
    with_previews,
)
from urlset.stages.previous import PreviousRun
from urlset.stages.probe_pages import probe
from urlset.stages.record import record, record_findings
from urlset.stages.seeds import is_without_sitemap
from urlset.stages.session import Session
from urlset.stages.site_faults import record_site_faults
from urlset.stages.twins import check_twins
from urlset.stages.unapplied import notes_on_unapplied
from urlset.stages.unnamed_sitemaps import unnamed_sitemaps
from urlset.store.file import Store
from urlset.store.interrupted import keep_requested
from urlset.store.page_list import not_indexable, page_rows
from urlset.store.page_selection import compare_with_earlier, pages_of
from urlset.store.results import NO_RESULTS, StoredAccess, StoredCheck, keep_results
from urlset.store.run_documents import refused_documents
from urlset.text.masking import mask_target
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from urlset.hosting.site import FolderSite
    from urlset.model.audit import PageCounts
    from urlset.model.check import CheckResult
    from urlset.model.client_check import ClientCheck
    from urlset.model.report import Report
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.stages.text_dates import TextEvidence
    from urlset.store.inventory import InventoryFile
    from urlset.store.run import Run
    from urlset.text.progress import Progress
    from urlset.web.robots_txt import Robots


NOT_SAVED = "nothing of the site could be read, so the run is not saved"


def audit(
    targets: Sequence[str],
    options: AuditOptions,
    progress: Progress | None = None,
    *,
    trust: Trust | None = None,
    session: Session | None = None,
) -> AuditResult:
    """Audit sites, sitemaps, and directories of pages; see `audit_opened`."""
    return audit_opened(targets, folder_site(targets, options), options, progress, trust=trust, session=session)


def audit_opened(
    targets: Sequence[str],
    site: FolderSite | None,
    options: AuditOptions,
    progress: Progress | None = None,
    *,
    trust: Trust | None = None,
    session: Session | None = None,
) -> AuditResult:
    """Audit targets for which the caller asked `folder_site`.

    Args:
        targets: Sites, or targets as for `validate`. May be empty to resume a run.
        site: The target as a directory of pages, if it is one.
        progress: Called after each document, and then after each batch of pages.
        trust: What the targets are trusted with; by default what follows from them.
        session: The session of what audits the site, if it has one.

    Raises:
        UsageError: A target is invalid, there is no run to resume, none of the selected rules has anything to check, or
            the column of the inventory is unclear.
        OutputError: The store cannot be written.
        InputError: The inventory cannot be read.
    """
    if not targets and not options.resume:
        raise UsageError("no target given; use `urlset audit ORIGIN|TARGET…`")
    inventory = _inventory(options)
    _check_clients(options, site)
    unapplied = notes_on_unapplied(options, _tasks(options, site), () if site is None else rules_of_server(site))
    if site is not None:
        options = folder_options(options, site)
    elif options.is_base_configured:
        options = replace(options, base_url=None, is_base_configured=False)
    # Invalid rules raise an error before the store is created.
    rules = rules_record(options)
    if site is not None and site.base != UNKNOWN_BASE:
        rules[SITE] = site.base
    if trust is None:
        trust = trust_with_store(targets, options) if options.resume else trust_in(targets, options, discover=True)
    trust = with_previews(trust, options)
    # Runs of a preview are not runs of its site: what they are compared with must not be mixed.
    targets = at_previews(targets, trust)
    # The score is that of the server of the site.
    options = replace(options, score=options.score and not trust.previews)
    with Store.create(options.store) as store:
        run, named, options = begin_run(store, targets, options, rules)
        sitemaps_before = keep_requested(run) if options.resume else {}
        if not targets:
            site = folder_site(named, options)
        targets = at_sites(named, trust)
        homes = homes_of(targets)
        if site is not None:
            targets, trust, options = (site.base,), trust_in_folder(site), folder_options(options, site)
            homes = [site.base]
        sites = homes_of(target for target in targets if site_of(target) is not None)
        previous = PreviousRun.of(store, run.run_id) if options.trust_index_lastmod else None
        plan = _plan(options)
        with Session(options, trust, progress) if session is None else nullcontext(session) as fetching:
            with fetching.read(targets, plan.options, previous=previous) as outcomes:
                recorded = record(outcomes, run)
            documents, robots = recorded.documents, recorded.robots
            if previous is not None:
                previous.record_changed(run)
            if site is not None:
                site.unnamed = unnamed_sitemaps(run, site, documents, plan.options, fetching.site)
            by_origin = _robots_by_origin(robots, refused_documents(store, run.run_id))
            known_robots = {origin: each for origin, (_, each) in by_origin.items()}
            probed = probe(store, run, options, known_robots, fetching.site, progress, homes)
            earlier = compare_with_earlier(store, run.run_id, [*map(mask_target, named)]) if options.pages else None
            evidence: TextEvidence | None = None
            if options.against is not None:
                # Imported here because most audits read no git history.
                from urlset.stages.text_dates import take_text_dates

                evidence = take_text_dates(store, run.run_id, options.against, homes, site)
            agents = access_of_agents(store, run, by_origin)
            has_faults = record_site_faults(run, documents, recorded.summary.unreadable, site, named)
            check_key_files(run, recorded.summary.keys, robots, options, fetching.site)
            of_twins = check_twins(store, run, known_robots, options, fetching.site)
            of_llms = check_llms(store, run, sites if site is None else homes, robots, options, fetching.site)
            of_links = check_external_links(run, homes, options, fetching) if options.external else NOT_CHECKED
            judgement = judge_run(plan, run, recorded)
            checks = _scores(fetching, sites) if options.score else ()
        notes = (
            *unapplied,
            *(unheeded_delays(robots, options.robots_agent, options.rate) if options.pages and site is None else ()),
            *(directories_without_pages(named) if site is None and options.pages else ()),
            *changes_since(sitemaps_before, documents, probed.unlisted),
            *of_twins.notes,
            *of_llms.notes,
            *of_links.notes,
            *(() if evidence is None else evidence.sentences),
            *(note for preview in fetching.trust.previews for note in preview.notes_on_pages()),
        )
        failures = (*probed.failures, *of_twins.failures, *of_llms.failures, *of_links.failures)
        listed = () if site is None else (str(row[0]) for row in page_rows(store, run.run_id, every=True))
        report = _report(report_on_run(judgement, recorded, notes, plan.options), failures, probed.pages, site, listed)
        results = structs.replace(
            NO_RESULTS,
            pages=probed.pages,
            agents=tuple(map(StoredAccess.of, agents)),
            inventory=None if inventory is None else inventory.compare(store, run.run_id, options.max_examples),
            earlier_run=earlier,
            media=probed.media,
            links=probed.links,
            llms=of_llms.counts,
            twins=of_twins.counts,
            checks=tuple(map(StoredCheck.of, checks)),
            unreadable=report.unreadable,
            skipped=report.skipped,
            notes=report.notes,
        )
        is_kept = has_faults or any(was_read(row) and row.get("kind") != "robots" for row in report.documents)
        lacking = not_indexable(store, run.run_id) if is_kept else None
        to_ask = _pages_for_clients(store, run, options.clients, trust) if is_kept else ()
        if is_kept:
            keep_results(run, results)
            record_findings(run, report, {"pages": 0 if probed.pages is None else probed.pages.fetched})
        else:
            # Nothing is known of the site. No report may take the run for its newest state.
            run.commit()
            store.forget(run.run_id)
            results = structs.replace(NO_RESULTS, agents=results.agents, inventory=results.inventory)
            report = structs.replace(report, notes=(*report.notes, NOT_SAVED))
    return AuditResult(
        report=report,
        pages=results.pages,
        agents=results.access,
        inventory=results.inventory,
        store=options.store if is_kept else None,
        run_id=run.run_id if is_kept else None,
        earlier_run=results.earlier_run,
        checks=checks,
        media=results.media,
        links=results.links,
        llms=results.llms,
        twins=results.twins,
        mapping=None if evidence is None else evidence.mapping,
        notes_on_dates=() if evidence is None else evidence.notes,
        not_indexable=lacking,
        clients=_answers_to_clients(to_ask, options, trust, progress),
    )


def _report(
    report: Report,
    failures: Sequence[Unreadable],
    pages: PageCounts | None,
    site: FolderSite | None,
    listed: Iterable[str],
) -> Report:
    """Return the report with what could not be read, other than documents.

    Args:
        failures: What has no result because of an internal error.
        listed: The listed URLs of a directory.
    """
    unread = [target for target in report.unreadable if not is_without_sitemap(target)]
    unseen = _unrequested_reason(pages, None if site is None else site.base)
    report = structs.replace(report, unreadable=(*unread, *failures, *unseen))
    return report if site is None else folder_report(report, site, listed)


def _check_clients(options: AuditOptions, site: FolderSite | None) -> None:
    """Raise UsageError if pages cannot be requested as clients do."""
    if options.clients is None:
        return
    from urlset.pipeline.clients import check_direct

    check_direct(options, "--clients")
    if site is not None:
        raise UsageError("--clients asks a server; it cannot be combined with a directory of pages")
    if options.map:
        raise UsageError("--clients tests the server of the site and cannot be combined with --map")


def _tasks(options: AuditOptions, site: FolderSite | None) -> set[str]:
    """Return what an audit does besides reading documents, as `Table.needs` names it."""
    if not options.pages:
        return {"images"} if options.images else set()
    links = options.reads_links or site is not None
    done = {"pages": True, "images": options.images, "links": links, "external": options.external}
    return {name for name, is_done in done.items() if is_done}


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


def _scores(session: Session, sites: Sequence[str]) -> tuple[CheckResult, ...]:
    # Most audits search no site for all places of sitemaps, which takes long to import.
    from urlset.pipeline.check import check_in

    return tuple(check_in(session, [*map(parse_origin, sites)]))


def _pages_for_clients(store: Store, run: Run, count: int | None, trust: Trust) -> Sequence[str]:
    """Return the pages to ask for as crawlers do: only those of hosts that the user named."""
    if count is None:
        return ()
    return pages_of(store, run.run_id, [origin.url for origin in trust.named_origins], count)


def unheeded_delays(robots: Sequence[tuple[int, Robots]], agent: str, rate: float | None) -> Iterator[str]:
    """Yield a note on each Crawl-delay that the rate of requests does not obey."""
    for _, robots_file in robots:
        line = robots_file.crawl_delay(agent)
        if line is None or not (delay := float(line.value)):
            continue
        if rate is None or rate * delay > 1:
            yield (
                f"{robots_file.url}: Crawl-delay: {line.value} (line {line.line}) is not obeyed; use "
                f"--rate {1 / delay:.4g} to request one URL every {delay:g} s"
            )


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


def _plan(options: AuditOptions) -> JudgePlan:
    """Return how sitemaps are read and judged: an audit always searches sites and follows indexes."""
    return JudgePlan.of(replace(options, discover=True, expand=True), pages=True)


def _robots_by_origin(robots: Sequence[tuple[int, Robots]], refused: AbstractSet[int]) -> dict[str, tuple[int, Robots]]:
    """Return each robots.txt with its document, by origin.

    Args:
        refused: Documents that were not requested. Such a robots.txt says nothing about its host, which may be allowed
            for another document.
    """
    return {
        origin_url(robots_file.url): (number, robots_file)
        for number, robots_file in robots
        if robots_file.url is not None and number not in refused
    }


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
            f"{what}their robots.txt is unreachable; add --ask-forbidden to request them anyway",
        )
