"""`coverage impressions`: days with data ─> those that the store lacks ─> pages of each day ─> store, day by day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING

from urlset.coverage.credentials import Account
from urlset.coverage.index_states import add_impressions, count_impressions, stored_days
from urlset.coverage.inspect_urls import IN_FLIGHT, MAX_FAILURES, NOT_SENT, PER_SECOND
from urlset.coverage.search_analytics import MONTHS, AvailableDays, Day, QuotaExceededError, SearchAnalytics
from urlset.errors import InputError, UsageError
from urlset.model.coverage import InspectOutcome
from urlset.model.impressions import ImpressionsResult
from urlset.options.values import check_confidential, earlier_time
from urlset.processes.threads import in_order
from urlset.stages.named import trust_in_none
from urlset.stages.session import Session
from urlset.store.file import Store
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from urlset.options.coverage import ImpressionsOptions
    from urlset.text.progress import Progress

FIRST_DAYS = timedelta(days=28)
"""How far back the first call goes."""

PACIFIC = timedelta(hours=8)
"""How far Pacific Standard Time is behind UTC."""

LONGEST = timedelta(days=MONTHS * 31)
"""Age of the oldest days that Google can have."""


def fetch_impressions(options: ImpressionsOptions, progress: Progress | None = None) -> ImpressionsResult:
    """Add impressions and clicks by page and day to a store; days that it has as final are not requested again.

    Args:
        progress: Called after each day.

    Raises:
        InputError: The API cannot be reached.
        MissingExtraError: google-auth is not installed.
        OutputError: The store cannot be written.
        UsageError: The property or the credentials are missing or refused.
    """
    if options.property is None or options.credentials is None:
        raise UsageError("impressions needs --property PROPERTY and --credentials FILE")
    check_confidential("api", options.api)
    account = Account(options.credentials)
    with Store.create(options.store) as store, Session(options, trust_in_none()) as session:
        fetcher = session.engines((options.api, account.token_url), rate=PER_SECOND, concurrency=IN_FLIGHT)
        client = SearchAnalytics(fetcher, account, options.api, options.property, options.search_type)
        return _Fetching(store, client, options).run(progress)


class _Fetching:
    """One call: the requests for the days that the store lacks."""

    def __init__(self, store: Store, client: SearchAnalytics, options: ImpressionsOptions) -> None:
        self._store = store
        self._client = client
        self._options = options
        self._series = (str(options.property), options.search_type)
        self._stop = Event()
        self._outcome = InspectOutcome.COMPLETE
        self._reason: str | None = None
        self._next_at: datetime | None = None
        self._notes = [NOT_SENT] if options.header or options.auth else []
        self._skipped = self._stored = 0

    def run(self, progress: Progress | None) -> ImpressionsResult:
        now = datetime.now(UTC)
        today = (now - PACIFIC).date()
        stored = stored_days(self._store, *self._series)
        first = self._first_day(now, today, stored)
        try:
            available = self._client.available_days(first, today)
        except QuotaExceededError as error:
            self._end(InspectOutcome.QUOTA, error)
            return self._result(AvailableDays((), today), 0, 0, 0)
        if not available.days:
            self._notes.append(f"Google has no data from {first} to {today}")
        wanted = [day for day in available.range() if stored.get(day, True)]
        try:
            left = self._fetch(wanted, available, progress)
        except UsageError as error:
            kept = f"{self._stored} of {quantity(len(wanted), 'day')} were stored before, which the next call keeps"
            raise UsageError(f"{error}; {kept}") from None
        return self._result(available, len(wanted) - left, len(available.range()) - len(wanted), left)

    def _first_day(self, now: datetime, today: date, stored: Mapping[date, bool]) -> date:
        """Return the day to begin with: as given, or the first one of the store, as far as Google has it."""
        if self._options.since is None:
            return max(min([*stored, today - FIRST_DAYS]), today - LONGEST)
        first, oldest = earlier_time("since", self._options.since, now - PACIFIC).date(), today - LONGEST
        if first < oldest:
            self._notes.append(f"Google keeps {MONTHS} months, so days before {oldest} were not requested")
        return max(first, oldest)

    def _fetch(self, wanted: Sequence[date], available: AvailableDays, progress: Progress | None) -> int:
        """Request days, and again those that failed, and return how many are left."""
        left = set(wanted)
        for _ in range(self._options.retries + 1):
            for day in self._ask(sorted(left), set(available.days)):
                self._skipped += day.skipped
                add_impressions(self._store, *self._series, day, is_provisional=day.day >= available.provisional_from)
                self._stored += 1
                left.remove(day.day)
                if progress is not None:
                    progress(ProgressEvent(self._stored, len(wanted), quantity(self._stored, "day")))
            if not left or self._stop.is_set():
                break
        return len(left)

    def _ask(self, wanted: Sequence[date], with_data: Container[date]) -> Iterator[Day]:
        """Yield the days that Google answers for, until the quota is used up or the API keeps failing."""

        def work(day: date) -> Day | InputError | QuotaExceededError | None:
            if self._stop.is_set():
                return None
            if day not in with_data:
                return Day(day, {}, 0, False)
            try:
                return self._client.day(day)
            except QuotaExceededError as error:
                # At once, not in its turn: the other threads would go on asking until then.
                self._stop.set()
                return error
            except InputError as error:
                return error

        failures = 0
        self._outcome, self._reason = InspectOutcome.COMPLETE, None
        for result in in_order(work, wanted, IN_FLIGHT, "urlset-impressions"):
            match result:
                case Day():
                    failures = 0
                    yield result
                case QuotaExceededError():
                    self._end(InspectOutcome.QUOTA, result)
                case InputError():
                    failures += 1
                    self._end(InspectOutcome.STOPPED, result)
                    if failures >= MAX_FAILURES:
                        self._stop.set()

    def _end(self, outcome: InspectOutcome, error: InputError | QuotaExceededError) -> None:
        if self._outcome is not InspectOutcome.QUOTA:
            self._outcome, self._reason = outcome, str(error)
            self._next_at = error.next_at if isinstance(error, QuotaExceededError) else None

    def _result(self, available: AvailableDays, fetched: int, kept: int, left: int) -> ImpressionsResult:
        days = available.range()
        counted = count_impressions(self._store, *self._series, days)
        return ImpressionsResult(
            store=self._options.store,
            site=self._series[0],
            search_type=self._options.search_type,
            outcome=self._outcome,
            reason=self._reason,
            next_at=self._next_at,
            first=days[0] if days else None,
            last=days[-1] if days else None,
            fetched=fetched,
            kept=kept,
            left=left,
            pages=counted.pages,
            impressions=counted.impressions,
            clicks=counted.clicks,
            provisional=counted.provisional,
            cut=counted.cut,
            skipped=self._skipped,
            notes=tuple(self._notes),
        )
