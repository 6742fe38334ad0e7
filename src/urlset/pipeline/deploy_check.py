"""`deploy-check`: directory ─> URLs ─> ask both ─> compare ─> wait and ask again ─> earlier builds ─> judge."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import structs

from urlset import _core
from urlset.deployment.built_urls import built_urls, folder_url
from urlset.deployment.comparer import Comparer
from urlset.deployment.earlier import name_of, with_earlier_builds
from urlset.deployment.summary import not_compared, summarized
from urlset.deployment.unbuilt import (
    Candidate,
    listed_only_there,
    served_though_unbuilt,
    unlisted_of,
    well_known_files,
)
from urlset.errors import InputError, Unreadable, UsageError
from urlset.fetch.reply import Reuse
from urlset.hosting.opening import NO_PAGES, open_at
from urlset.hosting.published_files import PublishedFolder
from urlset.model.deploy_check import DeployCause, DeployCheck, Difference, ServedDifference, ServedKind
from urlset.model.report import Report
from urlset.net.origin import origin_url
from urlset.net.urlparts import host_of, split_url
from urlset.options.verbs import ValidateOptions
from urlset.sources import is_url
from urlset.sources.user_origin import parse_origin
from urlset.stages.judge import engine_of, report_on
from urlset.stages.named import trust_in, trust_in_folder
from urlset.stages.outcomes import ReadSummary
from urlset.stages.ruleset import deployment_rules_of
from urlset.stages.session import Session
from urlset.stages.site_files import SiteFiles
from urlset.store.earlier_builds import pages_of_last_run
from urlset.store.file import Store
from urlset.tables import SERVED
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity
from urlset.web.samples import evenly_spaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from urlset.deployment.built_urls import BuiltUrl
    from urlset.deployment.differences import Found
    from urlset.hosting.site import FolderSite
    from urlset.options.deployment import DeployCheckOptions
    from urlset.text.progress import Progress

FIRST_PAUSE, LONGEST_PAUSE = 2.0, 15.0
"""Seconds between two comparisons of what differs; each pause is longer than the one before."""

INTERRUPTED = "not requested before the check was interrupted"


def deploy_check(
    folder: Path,
    site: str,
    options: DeployCheckOptions,
    progress: Progress | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> DeployCheck:
    """Compare a built directory with what its site serves.

    Args:
        folder: The directory.
        site: The URL at which it is served.
        progress: Called after each compared URL.
        sleep: Waits before what differs is compared again, with `wait`.

    Raises:
        InputError: The directory has no pages, the site cannot be reached, or the store cannot be read.
        UsageError: The site is not a URL, the directory is one, or an option is invalid.
    """
    if is_url(str(folder).replace(":/", "://", 1)):
        raise UsageError("name the directory first, then its URL")
    home, published = parse_origin(site).home, PublishedFolder.of(folder)
    if not published.has_pages:
        # Said before anything is requested.
        raise InputError(str(folder), NO_PAGES)
    if options.store is not None:
        # Read first, because the check takes long, and a damaged store cannot be used.
        with Store.read(options.store) as store:
            store.runs()
    with Session(options, trust_in([home], options, discover=False), progress) as session:
        base, notes = _base_of(session, home)
        built = open_at(published, base, options.host)
        with Session(options, trust_in_folder(built)) as of_folder:
            return _Check(folder, built, session, of_folder, options, progress, sleep).run(notes)


def _base_of(session: Session, home: str) -> tuple[str, list[str]]:
    """Return the URL of the site, and a note if it redirects to another spelling of its host.

    Raises:
        InputError: It cannot be reached.
    """
    base = folder_url(home)
    answer = session.site.get(base, via=None, reuse=Reuse.NONE)
    answer.close()
    if answer.status is None:
        raise InputError(base, answer.reason or "cannot be reached")
    is_moved = origin_url(answer.final_url) != origin_url(base)
    if is_moved and split_url(answer.final_url).path == split_url(base).path and _is_same_host(answer.final_url, base):
        return answer.final_url.partition("?")[0], [f"{base} redirects to {answer.final_url}, which was compared"]
    return base, []


def _is_same_host(url: str, other: str) -> bool:
    """Return whether two URLs differ in the scheme or a leading `www.` only."""
    return (host_of(url) or "").removeprefix("www.") == (host_of(other) or "").removeprefix("www.")


class _Check:
    """One check of a directory."""

    def __init__(
        self,
        folder: Path,
        built: FolderSite,
        session: Session,
        of_folder: Session,
        options: DeployCheckOptions,
        progress: Progress | None,
        sleep: Callable[[float], None],
    ) -> None:
        self._folder = folder
        self._built = built
        self._session = session
        self._built_client = of_folder.site.client
        self._options = options
        self._progress = progress
        self._sleep = sleep
        self._urls = built_urls(built, assets=options.assets)
        self._pages = evenly_spaced(self._urls.pages, options.sample)
        self._comparer = Comparer(self._built_client, session.site.client, built.base, options)
        self._unbuilt: list[Found] = []
        self._notes: list[str] = []
        self._rounds = 1

    def run(self, notes: Sequence[str]) -> DeployCheck:
        began = time.monotonic()
        is_interrupted = False
        try:
            self._session.site.run(lambda _: self._comparer.look_around())
            self._compare([*self._urls.files, *self._pages])
            self._wait(began + self._options.wait)
            if self._comparer.refusal is None:
                self._find_unbuilt()
        except KeyboardInterrupt:
            self._comparer.is_stopped = True
            is_interrupted = True
        checked_at = datetime.now(UTC)
        # An interrupted comparison may still be running.
        known, wanted = dict(self._comparer.outcomes), (*self._urls.files, *self._pages)
        outcomes = {url: known[url] for url in wanted if url in known}
        unknown = [(outcome.unknown, url.url) for url, outcome in outcomes.items() if outcome.unknown is not None]
        unknown += [(INTERRUPTED, url.url) for url in wanted if url not in outcomes]
        found = self._explained([*(each for outcome in outcomes.values() for each in outcome.found), *self._unbuilt])
        summary = summarized(outcomes, found, self._built.base)
        result = DeployCheck(
            site=self._built.base,
            folder=self._folder,
            checked_at=checked_at,
            pages=len(self._urls.pages),
            files=len(self._urls.files),
            sampled=len(self._pages),
            compared=sum(outcome.unknown is None for outcome in outcomes.values()),
            equal=sum(outcome.is_equal for outcome in outcomes.values()),
            differing=sum(bool(outcome.found) for outcome in outcomes.values()),
            differences=tuple(map(_difference, summary)),
            not_compared=not_compared(unknown),
            waited_seconds=round(time.monotonic() - began, 1) if self._rounds > 1 else 0.0,
            rounds=self._rounds,
            interrupted=is_interrupted,
            report=Report(_core.__version__, (), ()),
        )
        return structs.replace(
            result, report=_report(summary, self._options, result, (*notes, *self._all_notes(result)))
        )

    def _compare(self, urls: Sequence[BuiltUrl]) -> None:
        done = 0

        def on_compared(url: BuiltUrl) -> None:
            nonlocal done
            done += 1
            if self._progress is not None:
                self._progress(ProgressEvent(done, len(urls), url.url))

        self._session.site.run(lambda _: self._comparer.compare(urls, on_compared))

    def _wait(self, until: float) -> None:
        """Compare again what differs or failed, until nothing does or time is up."""
        pause = FIRST_PAUSE
        while (left := until - time.monotonic()) > 0:
            outcomes = self._comparer.outcomes.items()
            again = [url for url, outcome in outcomes if not outcome.is_equal and not outcome.is_final]
            if not again:
                return
            self._sleep(min(pause, left))
            pause = min(pause * 1.5, LONGEST_PAUSE)
            self._rounds += 1
            self._session.site.run(lambda _: self._comparer.look_around())
            self._compare(again)

    def _find_unbuilt(self) -> None:
        """Look for what the site serves although the directory does not have it."""
        outcomes, base = self._comparer.outcomes, self._built.base
        differing = [
            url
            for url, outcome in outcomes.items()
            if url.kind is ServedKind.SITEMAP and any(each.difference is Difference.FILE for each in outcome.found)
        ]
        options, served = self._options, self._session.site
        candidates = served.run(lambda client: listed_only_there(self._built_client, client, differing, options))
        if options.store is not None:
            with Store.read(options.store) as store:
                candidates += _pages_of_last_run(store, base, lambda url: self._built.page_of(url) is not None)
        chosen, more = unlisted_of(candidates, base, lambda url: self._built.page_of(url) is not None)
        by_url = {url.url: url for url in self._urls.files}
        self._unbuilt = served.run(lambda client: well_known_files(client, base, by_url, options))
        self._unbuilt += served.run(lambda _: served_though_unbuilt(self._comparer, chosen))
        if more:
            self._notes.append(f"did not request {quantity(more, 'URL')} that the directory does not have")

    def _explained(self, found: Sequence[Found]) -> list[Found]:
        if self._options.store is None or not found:
            return list(found)
        with Store.read(self._options.store) as store:
            return with_earlier_builds(found, store, self._built.base)

    def _all_notes(self, result: DeployCheck) -> Iterator[str]:
        """Yield notes on the result."""
        yield from _not_compared_notes(result)
        if result.sampled < result.pages:
            yield f"{result.sampled:,} of {result.pages:,} pages compared (--sample); the others were not compared"
        if self._comparer.respelled:
            pages = quantity(len(self._comparer.respelled), "URL redirects", "URLs redirect")
            yield f"{pages} to another spelling with what was built, such as {min(self._comparer.respelled)}"
        yield from self._notes
        if result.differing:
            yield from self._built.about
        yield from self._built.rules.notes()
        yield from self._built.folder.notes()
        if self._built.is_below_path:
            yield f"the robots.txt of {origin_url(self._built.base)} is not in the directory, and was not compared"
        yield "the result applies to this machine at this time; other clients and caches may get other responses"


def _not_compared_notes(result: DeployCheck) -> Iterator[str]:
    for each in result.not_compared:
        yield f"{quantity(each.count, 'URL')} not compared: {each.reason}, such as {each.example}"


def _pages_of_last_run(store: Store, base: str, has: Callable[[str], bool]) -> list[Candidate]:
    last = pages_of_last_run(store, base)
    if last is None:
        return []
    run, urls = last
    reason = f"{name_of(run)} has it, and the directory does not"
    return [Candidate(url, reason, DeployCause.LEFT_OVER) for url in urls if not has(url)]


def _unreadable(result: DeployCheck) -> tuple[Unreadable, ...]:
    """Return the site, if nothing of it could be compared."""
    if result.compared or not result.not_compared or result.interrupted:
        return ()
    total = sum(each.count for each in result.not_compared)
    reason = f"none of {quantity(total, 'URL')} could be compared: {result.not_compared[0].reason}"
    return (Unreadable(result.site, reason),)


def _report(found: Sequence[Found], options: DeployCheckOptions, result: DeployCheck, notes: Sequence[str]) -> Report:
    """Judge the differences.

    Args:
        result: What was compared.
    """
    # Only these options change which rules run, and how.
    judging = ValidateOptions(
        select=options.select,
        ignore=options.ignore,
        severity=options.severity,
        profile=options.profile,
        limits=options.limits,
        per_document_ignores=options.per_document_ignores,
        max_examples=options.max_examples,
        threads=options.threads,
        globs_from=options.globs_from,
    )
    rules, columns = deployment_rules_of(options), [(column.name, column.type) for column in SERVED.columns]
    rows = _core.Table.from_rows(columns, [_row(each, number) for number, each in enumerate(found)])
    files = SiteFiles(())
    with engine_of(rules, judging, datetime.now(UTC)) as engine:
        engine.add({SERVED.name: files.locate_rows(SERVED, rows)})
        findings = engine.finish(())
    # A site without findings is a passing case of JUnit.
    documents = files.documents(findings, also=(result.site,) if result.compared else ())
    read = ReadSummary(unreadable=_unreadable(result), notes=tuple(notes))
    report = report_on(documents, findings, read, rules, engine.silencing, judging)
    return structs.replace(report, compared=result.compared)


def _difference(found: Found) -> ServedDifference:
    return ServedDifference(
        url=found.url,
        kind=found.kind,
        difference=found.difference,
        cause=found.cause,
        built=found.built,
        served=found.served,
        text=found.about,
        urls=found.urls,
        run=found.run,
    )


def _row(found: Found, number: int) -> dict[str, object]:
    return {
        "document_id": 0,
        "ordinal": number,
        "line": found.line,
        "url": found.url,
        "file": found.file,
        "kind": found.kind.value,
        "difference": found.difference.value,
        "cause": None if found.cause is None else found.cause.value,
        "built": found.built,
        "served": found.served,
        "about": found.about,
        "urls": found.urls,
        "status": found.status,
        "age_seconds": found.age,
        "cache_status": found.cache_status,
    }
