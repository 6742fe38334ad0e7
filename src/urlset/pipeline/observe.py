"""One round of `monitor` on one site: run the checks, and say what they observe."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs

from urlset import _core
from urlset.comparison.compare_pages import changes_in_store
from urlset.comparison.page_words import PageWords
from urlset.comparison.unchecked import unchecked_findings
from urlset.errors import is_internal_error
from urlset.model.comparison import Unchecked
from urlset.model.document import was_read
from urlset.model.monitoring import AlarmKind, Observation, Observed, RobotsMeaning, RoundFacts, SiteState, problem_key
from urlset.model.specification import Status
from urlset.monitor.decide import MAX_EXAMPLES
from urlset.monitor.search_evidence import crawled_again, deindexed, indexed_again, not_crawled
from urlset.monitor.store import MonitorStore
from urlset.net.urlparts import split_url
from urlset.options.coverage import ClientsOptions
from urlset.options.declare import options_of
from urlset.options.merge import make_group
from urlset.options.monitoring import MonitorCheck
from urlset.options.verbs import RobotsOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.check import check_in
from urlset.pipeline.clients import check_clients_in
from urlset.pipeline.robots import agents_of, robots_in
from urlset.rules.rule import Severity
from urlset.sources import url_of
from urlset.stages.named import site_of, trust_in
from urlset.stages.session import Session
from urlset.store.file import Store
from urlset.store.page_timeline import timeline_of_page
from urlset.store.sites import by_site, finished_runs
from urlset.tables import LIMITS_REACHED, SITE_FAULTS, SITEMAP_KINDS
from urlset.text.sizes import quantity
from urlset.web.indexability import PageReason
from urlset.web.robots_txt import Availability, lines_by_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from urlset.comparison.unchecked import Key
    from urlset.model.audit import AuditResult
    from urlset.model.check import CheckResult
    from urlset.model.document import Row
    from urlset.model.finding import Finding
    from urlset.model.monitoring import Alarm
    from urlset.model.report import Report
    from urlset.model.robots import RobotsReport
    from urlset.monitor.search_evidence import PageProblem
    from urlset.options.auditing import AuditOptions
    from urlset.options.declare import OptionGroup
    from urlset.options.monitoring import MonitoredSite, SiteSpec

Group = TypeVar("Group", bound="OptionGroup")

ROBOTS_TABLES = frozenset({"blocked_urls", "robots", "robots_files", "robots_extensions"})
"""Tables of rules whose findings robots.txt decides."""

LIMITS = frozenset({"document-limit", "byte-limit"})
"""Kinds of entries of indexes that are not followed because a limit was reached."""

LISTED = frozenset({"given", "robots", "html-link", "http-header", "index"})
"""How documents are found that must exist, other than those at common locations."""

MAX_SHOWN = 200
"""Maximum characters of a reason."""


@dataclass(frozen=True, slots=True)
class SiteObservation:
    """The result of one check of a site; without a `run_id` if it could not be read."""

    observation: Observation
    run_id: int | None
    facts: RoundFacts
    notes: tuple[str, ...] = ()


def observe(
    site: MonitoredSite,
    store: Path,
    state: SiteState,
    alarms: Sequence[Alarm],
    at: datetime,
    clock: Callable[[], float] = time.perf_counter,
) -> SiteObservation:
    """Run the checks of a site.

    Args:
        store: The store, which must not be open.
        alarms: Its open alarms.
        at: The current time, UTC.
        clock: Returns seconds, for the duration.
    """
    options = site.audit_options(store)
    with Session(options, trust_in([site.spec.url], options, discover=True)) as session:
        return _observe(session, site.spec, options, store, state, alarms, at, clock)


def _observe(
    session: Session,
    spec: SiteSpec,
    options: AuditOptions,
    store: Path,
    state: SiteState,
    alarms: Sequence[Alarm],
    at: datetime,
    clock: Callable[[], float],
) -> SiteObservation:
    began = clock()
    least = Severity(spec.severity)
    problems: dict[AlarmKind, dict[str, Observed]] = {}
    observation, run_id, facts = Observation(at=at), None, RoundFacts()
    notes: tuple[str, ...] = ()
    checks: Sequence[CheckResult] = ()
    if not {MonitorCheck.AUDIT, MonitorCheck.VALIDATE}.isdisjoint(spec.checks):
        audited = audit([spec.url], options, session=session)
        observation, facts, notes = _of_audit(audited, spec, state, at)
        run_id, checks = audited.run_id, audited.checks
        problems[AlarmKind.FINDING] = _findings(audited.report.without_quiet().findings, audited.report, least)
        if run_id is not None:
            observation, facts, page_notes = _compare(observation, facts, store, run_id, state, alarms, audited)
            observation, unchecked = _unchecked(observation, store, run_id, state)
            observation, evidence = _search_evidence(observation, store, run_id, state, alarms)
            problems |= evidence
            notes += unchecked + page_notes
    elif MonitorCheck.CHECK in spec.checks and (origin := site_of(spec.url)) is not None:
        checks = check_in(session, [origin])
    is_down = spec.url in observation.unreadable
    if MonitorCheck.ROBOTS in spec.checks and not is_down:
        observation = structs.replace(observation, robots=_meaning(_robots(session, spec.url, options)))
    for result in () if is_down else checks:
        if (why := result.discovery.unreachable) is not None:
            observation = structs.replace(observation, is_complete=False, unreadable={spec.url: why[:MAX_SHOWN]})
        problems[AlarmKind.CHECK] = {
            step.step.id.value: Observed(
                title=f"the check step fails: {step.step.title}",
                severity=Severity.ERROR,
                members={spec.url: step.evidence[0].message if step.evidence else ""},
                count=1,
            )
            for step in result.steps
            if step.status is Status.FAIL
        }
    if MonitorCheck.CLIENTS in spec.checks and not is_down:
        reply = check_clients_in(session, spec.url, _options(ClientsOptions, options))
        problems[AlarmKind.CLIENTS] = {
            finding.cause: Observed(
                title=f"for crawlers: {finding.title}",
                severity=finding.severity,
                members={reply.url: finding.evidence},
                count=1,
            )
            for finding in reply.findings
            if finding.severity.is_at_least(least)
        }
    facts = structs.replace(facts, seconds=clock() - began)
    return SiteObservation(structs.replace(observation, problems=problems), run_id, facts, notes)


def _of_audit(
    audited: AuditResult, spec: SiteSpec, state: SiteState, at: datetime
) -> tuple[Observation, RoundFacts, tuple[str, ...]]:
    report, pages = audited.report, audited.pages
    sitemaps = [row for row in report.documents if was_read(row) and row.get("kind") in SITEMAP_KINDS]
    names = frozenset(str(row["url"]) for row in sitemaps)
    unreadable = {
        str(row["url"]): str(row["error"])[:MAX_SHOWN]
        for row in report.documents
        if row.get("error") is not None and row.get("found_by") in LISTED and not _is_robots(row)
    }
    for row in report.documents:
        if (name := str(row["url"])) in state.documents - names and name not in unreadable:
            unreadable[name] = f"is {row.get('kind')}, not a sitemap"
    notes = [f"{target.target}: {target.reason}" for target in report.unreadable if is_internal_error(target.reason)]
    if not names:
        unreadable = {spec.url: _unreadable_reason(report, unreadable)}
    # A sitemap that is not whole lists fewer URLs without any of them being removed.
    is_whole = names and not unreadable and all(row.get("complete") is not False for row in sitemaps)
    limits = [f"{LIMITS_REACHED[str(cut['kind'])]} at {cut['url']}" for cut in report.cuts if cut.get("kind") in LIMITS]
    if pages is not None and pages.stopped_by is not None:
        limits.append(f"pages by {pages.stopped_by}")
    if limits:
        notes.append(f"a limit was reached ({', '.join(limits[:3])}), so later rounds are not compared with this one")
    tallies = report.without_quiet().summary.tallies
    facts = RoundFacts(
        documents=report.summary.documents,
        unreadable=len(unreadable),
        findings={severity.value: tallies[severity].findings for severity in tallies},
        pages=None if pages is None else pages.fetched,
        indexable=None if pages is None else pages.good.part,
        listed=0 if is_whole else None,
    )
    observation = Observation(
        at=at,
        # Without a sitemap, all of its URLs would count as removed.
        is_complete=bool(names) and audited.run_id is not None and not limits,
        rules=frozenset(rule.code for rule in report.rules),
        documents=names,
        unreadable=unreadable,
    )
    return observation, facts, tuple(notes)


def _is_robots(row: Row) -> bool:
    """Return whether a document is a robots.txt, which need not exist, and has alarms of its own."""
    return split_url(str(row["url"])).path == "/robots.txt"


def _unreadable_reason(report: Report, documents: Mapping[str, str]) -> str:
    """Return why nothing of a site could be read."""
    reasons = [f"{name}: {why}" for name, why in documents.items()] + [target.reason for target in report.unreadable]
    reasons += [
        f"{finding.rule.message}: {finding.examples[0].message}"
        for finding in report.findings
        if finding.rule.table == SITE_FAULTS.name and finding.examples
    ]
    return (reasons or ["no sitemap was found"])[0][:MAX_SHOWN]


def _compare(
    observation: Observation,
    facts: RoundFacts,
    path: Path,
    run_id: int,
    state: SiteState,
    alarms: Sequence[Alarm],
    audited: AuditResult,
) -> tuple[Observation, RoundFacts, tuple[str, ...]]:
    """Add what the comparison with the runs of earlier rounds shows."""
    with Store.create(path) as store:
        stored = MonitorStore(store)
        turned: dict[str, Observed] = {}
        page_notes: tuple[str, ...] = ()
        if audited.pages is not None and stored.has_run(state.page_run):
            assert state.page_run is not None
            turned = {
                reason: _unindexable_pages(reason, urls)
                for reason, urls in stored.unindexable_pages(state.page_run, run_id).items()
            }
            page_notes = _page_notes(store, state.page_run, run_id)
        members = [url for alarm in alarms if alarm.kind is AlarmKind.PAGES for url in alarm.members]
        listed: int | None = None
        removed: int | None = None
        examples: tuple[str, ...] = ()
        if facts.listed is not None:
            listed = stored.listed_count(run_id)
            if len(state.url_runs) == 2 and all(map(stored.has_run, state.url_runs)):
                removed, examples = stored.removed_urls(*state.url_runs, run_id)
        observation = structs.replace(
            observation,
            turned=turned,
            recovered=stored.recovered_pages(run_id, members, is_whole=facts.listed is not None),
            listed=listed,
            removed=removed,
            removed_urls=examples,
            newest=stored.newest_lastmod(run_id, observation.at),
        )
        return observation, structs.replace(facts, listed=listed), page_notes


def _search_evidence(
    observation: Observation, path: Path, run_id: int, state: SiteState, alarms: Sequence[Alarm]
) -> tuple[Observation, dict[AlarmKind, dict[str, Observed]]]:
    """Return the listed pages that are no longer indexed or crawled, and add those that are again."""
    is_whole = observation.listed is not None
    with Store.create(path) as store:
        returned: dict[tuple[AlarmKind, str], frozenset[str]] = {}
        for alarm in alarms:
            urls = alarm.members
            if alarm.kind is AlarmKind.DEINDEXED:
                back = indexed_again(store, run_id, alarm.name, urls, is_whole=is_whole)
            elif alarm.kind is AlarmKind.NOT_CRAWLED:
                since = alarm.opened_at.timestamp() if alarm.before is None else alarm.before
                back = crawled_again(store, run_id, alarm.name, urls, since, is_whole=is_whole)
            else:
                continue
            key = alarm.kind, alarm.name
            returned[key] = returned.get(key, frozenset()) | back
        problems = {
            kind: {
                problem.name: Observed(
                    title=problem.title,
                    severity=severity,
                    members=problem.members,
                    count=problem.pages,
                    before=problem.last_request,
                    timelines=_timelines(store, run_id, kind, problem, state, alarms),
                )
                for problem in find(store, run_id)
            }
            for kind, severity, find in (
                (AlarmKind.DEINDEXED, Severity.ERROR, deindexed),
                (AlarmKind.NOT_CRAWLED, Severity.WARNING, not_crawled),
            )
        }
    return structs.replace(observation, returned=returned), problems


def _timelines(
    store: Store, run_id: int, kind: AlarmKind, problem: PageProblem, state: SiteState, alarms: Sequence[Alarm]
) -> dict[str, tuple[str, ...]]:
    """Return what happened to the first pages that are new among those with a problem, a line each."""
    had = {url for alarm in alarms if (alarm.kind, alarm.name) == (kind, problem.name) for url in alarm.members}
    fresh = (
        url for url in problem.members if url not in had and problem_key(kind, problem.name, url) not in state.known
    )
    runs = next(runs for runs in by_site(store.runs()) if any(run.run_id == run_id for run in runs))
    timelines = {}
    for url in islice(fresh, MAX_EXAMPLES):
        timeline = timeline_of_page(store, url, _core.page_hash(url), finished_runs(runs))
        events = (f"{event.when}: {event.what}" for event in timeline.events)
        timelines[url] = (*events, *timeline.waiting)
    return timelines


def _page_notes(store: Store, before: int, after: int) -> tuple[str, ...]:
    """Return what changed on the pages since an earlier run."""
    changes = changes_in_store(store, before, after)
    return (f"since run {before}: {changes.in_numbers}", *PageWords().lines(changes)) if changes.changed else ()


def _unchecked(
    observation: Observation, path: Path, run_id: int, state: SiteState
) -> tuple[Observation, tuple[str, ...]]:
    """Add the findings of earlier rounds that this one did not check, and return them with a note on the reasons."""
    if not observation.is_complete:
        return observation, ()
    counts: dict[Key, int] = {}
    reasons: Counter[Unchecked] = Counter()
    with Store.create(path) as store:
        since = {*state.unchecked_since.values(), state.finding_run}
        for run in sorted(run for run in since if run is not None and MonitorStore(store).has_run(run)):
            for (code, document), places in unchecked_findings(store, run, run_id).items():
                key = problem_key(AlarmKind.FINDING, code, document)
                if state.unchecked_since.get(key, state.finding_run) == run:
                    counts[code, document] = sum(places.values())
                    reasons.update(places)
    notes = tuple(
        f"{quantity(reasons[reason], 'place')} of findings no longer checked: {reason.words}"
        for reason in Unchecked
        if reasons[reason]
    )
    return structs.replace(observation, unchecked=counts), notes


def _unindexable_pages(reason: str, urls: Sequence[str]) -> Observed:
    words = PageReason(reason).words if reason in {*PageReason} else reason
    return Observed(title=words, severity=Severity.ERROR, members=dict.fromkeys(urls, ""), count=len(urls))


def _findings(findings: Iterable[Finding], report: Report, least: Severity) -> dict[str, Observed]:
    """Return the findings of at least this severity, by rule."""
    by_code: dict[str, Observed] = {}
    for finding in findings:
        if not finding.fails(least):
            continue
        code = finding.rule.code
        first = finding.examples[0] if finding.examples else None
        line = "" if first is None or first.line is None else f"line {first.line}: "
        detail = quantity(finding.count, "place") if first is None else f"{line}{first.message}"
        before = by_code.get(code)
        members = dict(before.members) if before is not None else {}
        members[report.document_url(finding.document_id)] = detail[:MAX_SHOWN]
        by_code[code] = Observed(
            title=f"{code} {finding.rule.message}",
            severity=finding.severity,
            members=members,
            urls=(before.urls if before is not None else frozenset())
            | {example.url for example in finding.examples if example.url is not None},
            count=finding.count + (before.count if before is not None else 0),
            is_robots=finding.rule.table in ROBOTS_TABLES,
        )
    return by_code


def _robots(session: Session, url: str, options: AuditOptions) -> RobotsReport:
    site = site_of(url)
    place = site.url if site is not None else url_of(url) or url
    agents = agents_of(replace(_options(RobotsOptions, options), all_agents=True))
    return robots_in(session, place, ["/"], agents)


def _meaning(report: RobotsReport) -> RobotsMeaning:
    """Return what a robots.txt means. Comments, the order of lines, and groups without effect do not matter."""
    [home] = report.urls
    closed = tuple(agent for agent, verdict in (home.verdicts or {}).items() if not verdict.allowed)
    if report.robots.availability is Availability.UNREACHABLE:
        return RobotsMeaning(rules={"*": ("cannot be read",)}, closed=closed, problem=str(report.reason)[:MAX_SHOWN])
    rules = lines_by_agent(report.robots)
    if not rules.get("*"):
        rules.pop("*", None)
    return RobotsMeaning(rules={name: tuple(sorted(lines)) for name, lines in rules.items()}, closed=closed)


def _options(group: type[Group], options: AuditOptions) -> Group:
    """Return the options of another verb with the values that they share with those of the audit."""
    own: dict[str, object] = {option.name: option.group for option in options_of(type(options))}
    shared = [option for option in options_of(group) if own.get(option.name) is option.group]
    return make_group(group, {option.name: getattr(options, option.name) for option in shared})
