"""`coverage inspect`: run ─> sample ─> quota ─> inspect ─> store, URL by URL."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from threading import Event
from typing import TYPE_CHECKING

from urlset.coverage.credentials import Account
from urlset.coverage.google import Inspection, InspectionClient, Verdict
from urlset.coverage.inspections import Inspections, of_domain, of_prefix
from urlset.errors import InputError, UsageError
from urlset.model.audit import Share
from urlset.model.coverage import IndexState, InspectOutcome, InspectResult
from urlset.net.origin import ascii_host
from urlset.options.coverage import DOMAIN
from urlset.options.values import check_confidential
from urlset.processes.threads import in_order
from urlset.stages.named import trust_in_none
from urlset.stages.session import Session
from urlset.store.file import Store, missing
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.options.coverage import InspectionOptions
    from urlset.text.progress import Progress

IN_FLIGHT = 5
"""Requests at once: a response of the API takes several seconds."""

PER_SECOND = 10.0
"""Maximum requests per second; Google allows 600 a minute: https://developers.google.com/webmaster-tools/limits"""

MAX_FAILURES = 10
"""Failed requests in a row after which the API counts as unreachable."""

NOT_SENT = "headers and passwords of --header and --auth are for the site; they were not sent to Google"


def inspect_urls(options: InspectionOptions, progress: Progress | None = None) -> InspectResult:
    """Ask Google about the listed URLs of the last run, as far as the quota allows.

    Args:
        progress: Called after each URL.

    Raises:
        InputError: The store does not exist, or has no finished run.
        MissingExtraError: google-auth is not installed.
        OutputError: The store cannot be written.
        UsageError: The property or the credentials are missing or refused, or there is nothing to resume.
    """
    if options.property is None or options.credentials is None:
        raise UsageError("inspect needs --property PROPERTY and --credentials FILE")
    check_confidential("api", options.api)
    account = Account(options.credentials)
    if not options.store.exists():
        raise InputError(str(options.store), missing(options.store))
    with Store.create(options.store) as store, Session(options, trust_in_none()) as session:
        fetcher = session.engines((options.api, account.token_url), rate=PER_SECOND, concurrency=IN_FLIGHT)
        inspections = Inspections(store, options.property)
        sample = _sample(store, inspections, options)
        client = InspectionClient(fetcher, account, options.api, options.property)
        return _Inspecting(inspections, sample, client, options).run(progress)


def _sample(store: Store, inspections: Inspections, options: InspectionOptions) -> int:
    site = str(options.property)
    if options.resume:
        if (last := inspections.last_sample()) is None:
            raise UsageError(f"no earlier sample of {site} in {options.store} to resume; start one without --resume")
        return last
    host = site.removeprefix(DOMAIN)
    inside = of_prefix(site) if host == site else of_domain(ascii_host(host.lower()))
    return inspections.draw(store.run().run_id, inside, options.sample, datetime.now(UTC))


class _Inspecting:
    """One call: the requests for the rest of a sample."""

    def __init__(
        self, inspections: Inspections, sample: int, client: InspectionClient, options: InspectionOptions
    ) -> None:
        self._inspections = inspections
        self._sample = sample
        self._client = client
        self._options = options
        self._stop = Event()
        self._requests = 0
        self._failures = 0
        self._outcome = InspectOutcome.COMPLETE
        self._reason: str | None = None
        self._next_at: datetime | None = None

    def run(self, progress: Progress | None) -> InspectResult:
        """Inspect the remaining URLs, and again those that failed temporarily, until the quota is used up."""
        for _ in range(self._options.retries + 1):
            quota = self._remaining_quota()
            pending = self._inspections.pending_urls(self._sample, quota) if quota > 0 else []
            for place, inspection in self._inspect(pending):
                self._take(place, inspection)
                if progress is not None:
                    progress(ProgressEvent(self._requests, len(pending), quantity(self._requests, "URL")))
            if self._stop.is_set():
                break
        if not self._stop.is_set():
            self._end()
        return self._result()

    def _remaining_quota(self) -> int:
        return self._options.per_day - self._inspections.recent_requests(datetime.now(UTC))

    def _inspect(self, pending: list[tuple[int, str]]) -> Iterator[tuple[int, Inspection]]:
        def work(target: tuple[int, str]) -> tuple[int, Inspection] | None:
            place, url = target
            if self._stop.is_set():
                return None
            inspection = self._client.inspect(url)
            if inspection.verdict is Verdict.QUOTA:
                # At once, not in its turn: the other threads would go on asking until then.
                self._stop.set()
            return place, inspection

        for result in in_order(work, pending, IN_FLIGHT, "urlset-inspect"):
            if result is not None:
                yield result

    def _take(self, place: int, inspection: Inspection) -> None:
        self._requests += 1
        problem = inspection.reason if inspection.verdict is Verdict.REFUSED else None
        self._inspections.record(self._sample, place, inspection.at, inspection.row, problem)
        self._failures = self._failures + 1 if inspection.verdict is Verdict.FAILED else 0
        if inspection.verdict is Verdict.QUOTA:
            self._stop_early(InspectOutcome.QUOTA, inspection)
        elif inspection.verdict is Verdict.FAILED and self._failures >= MAX_FAILURES:
            self._stop_early(InspectOutcome.STOPPED, inspection)

    def _stop_early(self, outcome: InspectOutcome, inspection: Inspection) -> None:
        self._stop.set()
        if self._outcome is InspectOutcome.COMPLETE:
            self._outcome, self._reason, self._next_at = outcome, inspection.reason, inspection.next_at

    def _end(self) -> None:
        """Determine why the end was reached: everything is done, the quota is used up, or some URLs keep failing."""
        if not self._inspections.pending_urls(self._sample, 1):
            return
        now = datetime.now(UTC)
        if self._remaining_quota() <= 0:
            self._outcome = InspectOutcome.QUOTA
            self._reason = f"--per-day {self._options.per_day:,} is used up"
            self._next_at = self._inspections.free_at(self._options.per_day, now)
        else:
            self._outcome = InspectOutcome.STOPPED
            self._reason = "some requests failed repeatedly"

    def _result(self) -> InspectResult:
        listed, outside, size = self._inspections.facts(self._sample)
        states, failed, reasons = self._inspections.results(self._sample)
        counts = Counter(states)
        known_count = sum(count for state, count in counts.items() if state is not None)
        inspected = sum(counts.values())
        # The first of all URLs are those that are least known, which says nothing about the others.
        is_sample = size < listed or inspected + sum(failed.values()) == size
        notes = [NOT_SENT] if self._options.header or self._options.auth else []
        if earlier := self._inspections.count_earlier(self._sample):
            notes.append(f"{quantity(earlier, 'URL')} inspected in the last 24 hours, and not requested again")
        return InspectResult(
            store=self._options.store,
            site=str(self._options.property),
            outcome=self._outcome,
            reason=self._reason,
            next_at=self._next_at,
            listed=listed,
            outside=outside,
            sample=size,
            inspected=inspected,
            failed=failed,
            asked=self._requests,
            used=self._inspections.recent_requests(datetime.now(UTC)),
            per_day=self._options.per_day,
            indexed=Share.of(counts[IndexState.INDEXED], known_count, listed) if known_count and is_sample else None,
            reasons=reasons,
            notes=tuple(notes),
        )
